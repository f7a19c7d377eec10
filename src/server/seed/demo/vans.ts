import { isRow } from '#server/documents/bodyColumns.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { ProblemError } from '#server/problemError.ts'
import { priceOrderCommand } from '#server/sales/priceOrderCommand.ts'
import { vanSale } from '#server/sales/vanSale.ts'
import type { Desk } from './desk.ts'

/** How far each trip of a van has come: back and put away, on the road, counted, waiting; entered. */
const trips = { JKT: ['putaway', 'selling', 'waiting', 'draft'], BDG: ['putaway', 'check', 'picking'] } as const

/** One van each in Jakarta and Bandung, with trips in several stages. */
export async function vans(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const places = await database.rows<{ unit: number; code: keyof typeof trips; warehouse: number }>(sql`
    select u.id as unit, u.code, w.id as warehouse from operating_unit u join warehouse w on w.operating_unit_id = u.id and w.kind = 'MAIN' where u.code in ('JKT', 'BDG') order by u.code desc, w.id`)
  const today = clock.today()
  for (const { unit, code, warehouse } of places) {
    const head = code === 'BDG' ? 'warehouse.bdg' : 'warehouse'
    const canvasser = await desk.enter('admin', 'employee', { WorkNumber: `${code}-CAN1`, Name: code === 'JKT' ? 'Yusuf Hidayat' : 'Asep Sunarya', OperatingUnitID: unit, Position: 'CANVASSER' }, false)
    const van = await desk.enter('admin', 'warehouse', { Code: `VAN-${code}`, Name: `Van ${code}`, OperatingUnitID: unit, Kind: 'CANVAS', StockClass: 'CANVAS', EmployeeID: canvasser }, false)
    const free = await database.rows<{ item: number }>(sql`
      select b.item_id as item from stock_balance b join item i on i.id = b.item_id where b.warehouse_id = ${warehouse} and b.batch = '' and b.on_hand - b.reserved > 200 order by i.code desc limit 3`)
    if (free.length === 0) continue
    for (const [n, end] of trips[code].entries()) {
      const made = await desk.enter('admin', 'canvas_request', {
        VanWarehouseID: van, SourceWarehouseID: warehouse, DocDate: today, Note: 'Kanvas pasar', Lines: free.map(({ item }, i) => ({ ItemID: item, QtyRequested: String(24 - 6 * i) })),
      }, end !== 'draft')
      if (end === 'draft' || end === 'waiting') continue
      await desk.approve(['supervisor'], 'canvas_request', made)
      await desk.act(head, 'canvas_request', made, 'start')
      if (end === 'picking') continue
      await desk.act(head, 'canvas_request', made, 'pick')
      await desk.act(head, 'canvas_request', made, 'confirm-load')
      if (end === 'selling') {
        await sales(database, desk, { trip: made, van, unit, items: free.map(({ item }) => item) })
        continue
      }
      await desk.act(head, 'canvas_request', made, 'unload')
      if (end === 'check') continue
      const lines = await database.rows<{ id: number; loaded: string }>(sql`select id, trunc(qty_loaded)::text as loaded from canvas_request_line where canvas_request_id = ${made} order by line_no`)
      await desk.act(head, 'canvas_request', made, 'check', { quantities: Object.fromEntries(lines.map(({ id, loaded }, i) => [id, i === n ? String(Number(loaded) - 1) : loaded])) })
      await desk.act(head, 'canvas_request', made, 'putaway')
    }
  }
}

interface Round {
  readonly trip: number
  readonly van: number
  readonly unit: number
  readonly items: readonly number[]
}

/** What the canvasser has sold for cash this morning: small shops that take a few pieces each. */
async function sales(database: Database, desk: Desk, { trip, van, unit, items }: Round): Promise<void> {
  const shops = await database.rows<{ id: number }>(sql`
    select c.id from customer c join sales_channel s on s.id = c.sales_channel_id where c.operating_unit_id = ${unit} and c.status = 1 and s.code = 'GT' order by c.code limit 8`)
  let sold = 0
  for (const { id } of shops) {
    if (sold === 3) return
    const Lines = await database.rows(sql`select id as "ItemID", base_uom as "Uom", '2' as "Qty" from item where id = any(${items.slice(0, 1 + (sold % 2))}::bigint[]) order by id`)
    const { record } = await desk.command('van', priceOrderCommand, [], {}, { CustomerID: id, WarehouseID: van, Lines: Lines.map((line, i) => ({ LineNo: i + 1, ...line })) })
    if (!isRow(record)) continue
    try {
      await desk.command('van', vanSale, [trip], { CustomerID: id, Lines, Received: record['Total'] })
      sold += 1
    } catch (error) {
      // Some shop needs an approval nobody can give at its door.
      if (!(error instanceof ProblemError)) throw error
    }
  }
}
