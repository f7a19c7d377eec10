import { addMonths, endOfMonth, periodOf } from '#base/date.ts'
import { exact, fixed } from '#base/decimal.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { planDelivery } from '#server/inventory/planDelivery.ts'
import type { Desk } from './desk.ts'

interface Consignee extends Row {
  readonly id: number
  readonly name: string
  readonly unit: number
}

interface Goods extends Row {
  readonly id: number
  readonly uom: string
}

/** Supermarkets of two units where goods of ours stand: brought, some taken back, counted and invoiced; one settlement waits, one is a draft. A third reports what it used: billed in one unit, to be billed in the other. */
export async function consignment(database: Database, clock: Clock, desk: Desk): Promise<void> {
  for (const [unit, suffix] of [['JKT', ''], ['BDG', '.bdg']] as const) {
    const customers = await database.rows<Consignee>(sql`
      select c.id, c.name, c.operating_unit_id as unit from customer c join operating_unit u on u.id = c.operating_unit_id join payment_term p on p.id = c.payment_term_id join v_customer_exposure e on e.customer_id = c.id
      join credit_limit l on l.customer_id = c.id and l.kind = 'REGULER' where u.code = ${unit} and c.status = 1 and e.exposure > 0 and e.exposure = trunc(e.exposure) and not (p.is_cash or p.is_cod)
      group by c.id, c.name, c.operating_unit_id, e.exposure order by max(l.amount) - e.exposure desc, c.id limit 3`)
    for (const [i, customer] of customers.entries()) {
      const isManaged = i === 2
      await database.run(sql`update customer set is_consignment = ${!isManaged}, is_cmi = ${isManaged} where id = ${customer.id}`)
      const place = await desk.enter('admin', 'warehouse', { Code: `CSG-${unit}-${i + 1}`, Name: `Konsinyasi ${customer.name}`, OperatingUnitID: customer.unit, Kind: 'CONSIGNMENT', StockClass: 'CONSIGNMENT', CustomerID: customer.id, IsActive: true }, false)
      const goods = await fillUp(database, clock, desk, customer, suffix, isManaged ? 'CMI' : 'CONSIGN')
      if (goods.length === 0) continue
      if (i === 0) await takeBack(database, clock, desk, customer, place, suffix)
      if (isManaged) await consumptions(database, clock, desk, customer, suffix)
      else await settlements(database, clock, desk, customer, suffix, i)
    }
  }
}

/** A carton or some of three items goes to the customer. */
async function fillUp(database: Database, clock: Clock, desk: Desk, customer: Consignee, suffix: string, type: 'CONSIGN' | 'CMI'): Promise<readonly Goods[]> {
  const goods = await database.rows<Goods>(sql`
    select i.id, i.sales_uom as uom from item i join stock_balance b on b.item_id = i.id join warehouse w on w.id = b.warehouse_id and w.kind = 'MAIN' and w.operating_unit_id = ${customer.unit}
    where i.status = 1 and not i.is_combo and not exists (select 1 from sales_quota q where q.item_id = i.id) and b.on_hand - b.reserved >= i.pack_qty * 40 group by i.id order by i.id limit 3`)
  if (goods.length === 0) return []
  const order = await desk.enter(`sales${suffix}`, 'sales_order', { OrderType: type, CustomerID: customer.id, DocDate: clock.today(), RequestedDate: clock.today(), Note: 'Pengisian rak', Lines: goods.map((item) => ({ ItemID: item.id, Uom: item.uom, Qty: '12' })) })
  const approved = await database.rows<{ id: number }>(sql`select l.id from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.id = ${order} and o.status = 1 and l.reserved_qty = l.qty_base order by l.id`)
  if (approved.length < goods.length) return []
  await desk.command(`warehouse${suffix}`, planDelivery, approved.map(({ id }) => id), { PlanDate: clock.today(), Release: true, Route: 'Konsinyasi' })
  const [delivery] = await database.rows<{ id: number; plan: number }>(sql`
    select d.id, d.delivery_plan_id as plan from delivery_order d join delivery_order_line l on l.delivery_order_id = d.id where l.order_line_id = ${approved[0]?.id} limit 1`)
  if (delivery === undefined) return []
  await desk.act(`warehouse${suffix}`, 'delivery_order', delivery.id, 'pick')
  await desk.act(`warehouse${suffix}`, 'delivery_order', delivery.id, 'issue')
  return goods
}

async function stockAt(database: Database, customer: Consignee): Promise<{ readonly item: number; readonly batch: string; readonly qty: string; readonly pack: string }[]> {
  return database.rows<{ item: number; batch: string; qty: string; pack: string }>(sql`
    select b.item_id as item, min(b.batch) as batch, sum(b.on_hand) as qty, i.pack_qty as pack from stock_balance b join warehouse w on w.id = b.warehouse_id join item i on i.id = b.item_id
    where w.customer_id = ${customer.id} and w.kind = 'CONSIGNMENT' and b.on_hand > 0 group by b.item_id, i.pack_qty order by b.item_id`)
}

async function takeBack(database: Database, clock: Clock, desk: Desk, customer: Consignee, place: number, suffix: string): Promise<void> {
  const [first] = await stockAt(database, customer)
  const main = await database.first<{ id: number }>(sql`select id from warehouse where kind = 'MAIN' and operating_unit_id = ${customer.unit} order by id limit 1`)
  if (first === undefined || main === undefined) return
  const head = { CustomerID: customer.id, FromWarehouseID: place, ToWarehouseID: main.id, DocDate: clock.today() }
  const made = await desk.enter(`warehouse${suffix}`, 'consignment_pickup', { ...head, Note: 'Kemasan lama ditarik', Lines: [{ ItemID: first.item, Batch: first.batch, Qty: fixed(first.pack, 3) }] }, false)
  await desk.act(`warehouse${suffix}`, 'consignment_pickup', made, 'post')
}

/** Counted today: a third of what stood there is sold. */
async function settlements(database: Database, clock: Clock, desk: Desk, customer: Consignee, suffix: string, place: number): Promise<void> {
  const today = clock.today()
  const stock = await stockAt(database, customer)
  const counted = stock.map((row) => ({ ItemID: row.item, Counted: fixed(exact(row.qty).minus(exact(row.pack).times(4)), 3) }))
  const body = { CustomerID: customer.id, SalesPeriod: periodOf(today), CountDate: today, DocDate: today, Note: 'Hitung rak bulanan', Lines: counted }
  const made = await desk.enter(`billing${suffix}`, 'consignment_sales', body)
  if (place > 0) return
  await desk.approve(['receivables', 'finance'], 'consignment_sales', made)
  const last = endOfMonth(addMonths(today, -1))
  await desk.enter(`billing${suffix}`, 'consignment_sales', { ...body, SalesPeriod: periodOf(last), CountDate: last, Note: 'Hitung bulan lalu, belum lengkap', Lines: counted.map((line) => ({ ...line, Counted: '0' })) }, false)
}

/** Reported for this month in the customer's own codes; one item is one short by his count. */
async function consumptions(database: Database, clock: Clock, desk: Desk, customer: Consignee, suffix: string): Promise<void> {
  const stock = await stockAt(database, customer)
  for (const [i, { item }] of stock.entries()) await desk.enter('admin', 'customer_item', { CustomerID: customer.id, CustomerItemCode: `DC-${4100 + i}`, ItemID: item, IsActive: true }, false)
  const lines = stock.map(({ qty, pack }, i) => {
    const [usage, short] = [exact(pack).times(6), i === 0 ? exact(pack) : exact(0)]
    return { CustomerItemCode: `DC-${4100 + i}`, Opening: '0', Receipt: fixed(qty, 3), Usage: fixed(usage, 3), Adjustment: fixed(short.times(-1), 3), Closing: fixed(exact(qty).minus(usage).minus(short), 3) }
  })
  const made = await desk.enter(`billing${suffix}`, 'cmi_consumption', { CustomerID: customer.id, SalesPeriod: periodOf(clock.today()), DocDate: clock.today(), FileRef: 'CMI-DC-11', Lines: lines }, false)
  await desk.act(`billing${suffix}`, 'cmi_consumption', made, 'validate')
  if (suffix === '') await desk.act('billing', 'cmi_consumption', made, 'bill')
}
