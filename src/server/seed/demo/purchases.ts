import { addDays } from '#base/date.ts'
import { exact, fixed } from '#base/decimal.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

interface Bought {
  readonly vendor: string
  /** Unit that buys; Jakarta unless said. */
  readonly unit?: 'BDG'
  /** Days from today. */
  readonly ordered: number
  readonly due: number
  readonly note: string
  /** How much of each line came, in hundredths; null: nothing yet. */
  readonly came: readonly number[] | null
  /** It stays a draft. */
  readonly isDraft?: boolean
  /** A second delivery is being counted. */
  readonly isCounting?: boolean
}

const orders: readonly Bought[] = [
  { vendor: 'V000001', ordered: -6, due: 0, note: 'Pesanan mingguan', came: [100, 100, 100] },
  { vendor: 'V000003', ordered: -9, due: -1, note: 'Sisa menyusul', came: [60, 100, 0], isCounting: true },
  { vendor: 'V000004', ordered: -2, due: 5, note: 'Dikirim langsung dari pabrik', came: null },
  { vendor: 'V000001', unit: 'BDG', ordered: -5, due: 0, note: 'Stok Bandung', came: [100, 50, 0] },
  { vendor: 'V000005', ordered: 0, due: 8, note: 'Menunggu konfirmasi harga', came: null, isDraft: true },
]

/** What has been ordered of vendors: one order received whole, two in part and one of them late, one on its way, one in draft. */
export async function purchases(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  for (const [n, order] of orders.entries()) {
    const [place] = await database.rows<{ unit: number; warehouse: number }>(sql`
      select u.id as unit, w.id as warehouse from operating_unit u join warehouse w on w.operating_unit_id = u.id and w.kind = 'MAIN' where u.code = ${order.unit ?? 'JKT'} order by w.id limit 1`)
    const keeper = order.unit === 'BDG' ? 'warehouse.bdg' : 'warehouse'
    const items = await database.rows<{ id: number; vendor: number; cost: string; pack: string; tax: number | null }>(sql`
      select i.id, b.id as vendor, i.standard_cost as cost, i.pack_qty as pack, i.tax_code_id as tax from item i join business_partner b on b.id = i.principal_id
      where b.code = ${order.vendor} and i.status = 1 and not i.is_batch and not i.is_combo order by i.code limit 3`)
    const Lines = items.map((item, i): Row => ({ ItemID: item.id, Qty: fixed(exact(item.pack).times((i + 1) * 5), 3), Price: item.cost, TaxCodeID: item.tax }))
    const made = await desk.enter('admin', 'purchase_order', { BpID: items[0]?.vendor, OperatingUnitID: place?.unit, PoDate: addDays(today, order.ordered), DeliveryDate: addDays(today, order.due), Note: order.note, Lines }, false)
    if (order.isDraft === true) continue
    await desk.act('admin', 'purchase_order', made, 'release')
    if (order.came === null) continue
    const lines = await database.rows<{ id: number; qty: string }>(sql`select id, qty from purchase_order_line where purchase_order_id = ${made} order by line_no`)
    const head = { PurchaseOrderID: made, WarehouseID: place?.warehouse, GrDate: today }
    const came = lines.map((line, i): Row => ({ PoLineID: line.id, QtyReceived: fixed(fixed(exact(line.qty).times(order.came?.[i] ?? 0).div(100), 0), 3), QtyRejected: n === 1 && i === 0 ? '2' : '0' }))
    const first = await desk.enter(keeper, 'goods_receipt', { ...head, SupplierDnNo: `SJ-${order.vendor}-01`, Lines: came.filter((line) => line['QtyReceived'] !== '0.000') }, false)
    await desk.act(keeper, 'goods_receipt', first, 'post')
    if (order.isCounting === true) await desk.enter(keeper, 'goods_receipt', { ...head, SupplierDnNo: `SJ-${order.vendor}-02`, Note: 'Sedang dihitung', Lines: lines.slice(2).map((line): Row => ({ PoLineID: line.id, QtyReceived: line.qty })) }, false)
  }
}
