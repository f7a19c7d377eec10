import { insertRowsLater } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import type { Database, Queries, Row } from '#server/context.ts'
import { perSecond, type Measure, type Run } from './bench.ts'
import { answeredPerSecond, processesOn, serveAll, type Client } from './client.ts'
import { demoCompany } from './databases.ts'
import { processorTime, spentSince } from './processorTime.ts'

const limits = { embedded: 120, postgres: 300 } as const

/** Orders with 20 lines a second, over HTTP, each one command: priced, checked for credit, saved, submitted, numbered, reserved and logged. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const processes = processesOn(engine)
    const client = await serveAll(bench, processes)
    try {
      const orders = await orderBodies(bench.database, 20)
      const atOnce = engine === 'postgres' ? 12 : 4
      const count = engine === 'postgres' ? 900 : 450
      const enter = (calls: number): Promise<number> =>
        answeredPerSecond(client, atOnce, Array.from({ length: calls }, (_, n) => ({ path: enterPath, body: orders[n % orders.length], headers: acknowledged })))
      // A server is up for days: what is measured has been compiled, in every process.
      await enter(450 * processes)
      const before = processorTime()
      const value = await enter(count)
      const spent = spentSince(before, count, engine)
      const write = await bareOrders(bench.database)
      await perSecond(20, atOnce, write)
      const bare = await perSecond(count, atOnce, write)
      measures.push({
        what: `order with 20 lines priced, checked, saved and submitted on ${engine} by ${processes === 1 ? 'one process' : `${processes} processes`}, asked from another (its rows written by bare SQL ${bare.toFixed(0)}${spent})`,
        value, unit: 'a second', limit: limits[engine], bound: 'least',
      })
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}

/**
 * What the database alone needs: the rows of an order written once more under ids of their own, one statement a table, all in one message, nothing
 * asked, priced or checked, nobody signed in. No program over this database is faster.
 */
async function bareOrders(database: Database): Promise<() => Promise<void>> {
  const of = async (table: string, where: Sql): Promise<Row[]> => database.rows(sql`select * from ${ident(table)} where ${where} order by id`)
  const [order] = await of('sales_order', sql`id = (select max(sales_order_id) from sales_order_line l join stock_reservation r on r.order_line_id = l.id)`)
  const orderId = Number(order?.['id'])
  const lines = await of('sales_order_line', sql`sales_order_id = ${orderId}`)
  const lineIds = lines.map((line) => Number(line['id']))
  const steps = await of('sales_order_discount', sql`line_id = any(${lineIds}::bigint[])`)
  const reservations = await of('stock_reservation', sql`order_line_id = any(${lineIds}::bigint[])`)
  const logs = await of('document_log', sql`doc_type = 'sales_order' and doc_id = ${orderId}`)
  const [kept] = await of('command_log', sql`id = (select max(id) from command_log where response is not null)`)
  const [counter] = await of('number_counter', sql`id = (select max(id) from number_counter)`)
  const balances = await database.rows<{ id: number }>(sql`
    select b.id from stock_balance b join stock_reservation r on r.item_id = b.item_id and r.warehouse_id = b.warehouse_id and r.batch = b.batch where r.order_line_id = any(${lineIds}::bigint[])`)
  let next = 1_000_000_000
  return async () => {
    const base = (next += 1_000)
    const lineOf = (id: unknown): number => base + lineIds.indexOf(Number(id))
    const write = (tx: Queries, table: string, rows: readonly Row[]): Promise<void> => insertRowsLater(tx, table, rows.map((row, i) => ({ ...row, id: base + i })))
    await database.transaction(async (tx) => {
      await write(tx, 'command_log', [{ ...kept, idempotency_key: `bare-${base}` }])
      await write(tx, 'sales_order', [{ ...order, code: `BARE/${base}` }])
      await write(tx, 'sales_order_line', lines.map((line) => ({ ...line, sales_order_id: base, parent_line_id: line['parent_line_id'] === null ? null : lineOf(line['parent_line_id']) })))
      await write(tx, 'sales_order_discount', steps.map((step) => ({ ...step, line_id: lineOf(step['line_id']) })))
      await write(tx, 'stock_reservation', reservations.map((row) => ({ ...row, order_line_id: lineOf(row['order_line_id']) })))
      await write(tx, 'document_log', logs.map((row) => ({ ...row, doc_id: base })))
      tx.later(sql`update stock_balance set reserved = reserved where id = any(${balances.map(({ id }) => id)}::bigint[])`)
      tx.later(sql`update number_counter set last_value = last_value where id = ${counter?.['id']}`)
    })
  }
}

const enterPath = '/api/v1/data/sales-order?next=submit'
const acknowledged = { acknowledge: 'TX01,DUPLICATE_PO' }

/** Saves and submits in one command; answers the order's id. */
export async function enterOrder(client: Client, body: unknown): Promise<number> {
  const { record } = await client.post<{ record: { ID: number } }>(enterPath, body, acknowledged)
  return record.ID
}

/** An order of one carton each of `lines` items for every customer that pays on delivery or has room within his limit. */
export async function orderBodies(database: Database, lines: number): Promise<readonly unknown[]> {
  const customers = await database.rows<{ id: number; ship_to: number; warehouse: number }>(sql`
    select c.id, (select min(a.id) from customer_address a where a.customer_id = c.id and a.kind = 'SHIP_TO') as ship_to, (select min(w.id) from warehouse w where w.operating_unit_id = c.operating_unit_id) as warehouse
    from customer c join payment_term p on p.id = c.payment_term_id join v_customer_exposure x on x.customer_id = c.id
    left join credit_limit l on l.customer_id = c.id and l.kind = 'REGULER'
    where not exists (select 1 from price_set s where s.id = c.price_set_id and s.currency <> 'IDR') and (p.is_cash or p.is_cod or l.amount > x.exposure * 2 + 50000000) and not exists (select 1 from invoice i where i.customer_id = c.id and i.status in (1, 2) and i.due_date < '2026-11-18') order by c.id`)
  const items = await database.rows<{ id: number }>(sql`
    select item_id as id from stock_balance where item_id not in (select item_id from minimum_order_quantity where min_qty > 1) group by item_id having min(on_hand - reserved) > 0 order by item_id`)
  return customers.map((customer, n) => ({
    CustomerID: customer.id, ShipToID: customer.ship_to, WarehouseID: customer.warehouse,
    Lines: Array.from({ length: lines }, (_, i) => ({ ItemID: items[(n * 7 + i) % items.length]?.id, Uom: 'PCS', Qty: '1' })),
  }))
}
