import { sql } from '#server/db/sql.ts'
import type { Database } from '#server/context.ts'
import { perSecond, type Measure, type Run } from './bench.ts'
import { serve, type Client } from './client.ts'
import { demoCompany } from './databases.ts'

const limits = { embedded: 120, postgres: 300 } as const

/** Orders with 20 lines a second, over HTTP: each is saved, priced, checked for credit, submitted, numbered and logged. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const client = await serve(bench.database)
    try {
      const orders = await orderBodies(bench.database, 20)
      const enter = async (n: number): Promise<void> => void (await enterOrder(client, orders[n % orders.length]))
      await perSecond(20, 4, enter)
      const value = await perSecond(engine === 'postgres' ? 400 : 200, engine === 'postgres' ? 12 : 4, enter)
      measures.push({ what: `order with 20 lines, saved and submitted, on ${engine}`, value, unit: 'a second', limit: limits[engine], bound: 'least' })
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}

/** Saves and submits; answers the order's id. */
export async function enterOrder(client: Client, body: unknown): Promise<number> {
  const { record } = await client.post<{ record: { ID: number; Version: number } }>('/api/v1/data/sales-order', body)
  await client.post(`/api/v1/data/sales-order/${record.ID}/submit`, {}, { 'if-match': String(record.Version), acknowledge: 'TX01,DUPLICATE_PO' })
  return record.ID
}

/** An order of one carton each of `lines` items for every customer that pays on delivery or has room within his limit. */
export async function orderBodies(database: Database, lines: number): Promise<readonly unknown[]> {
  const customers = await database.rows<{ id: number; ship_to: number; warehouse: number }>(sql`
    select c.id, (select min(a.id) from customer_address a where a.customer_id = c.id and a.kind = 'SHIP_TO') as ship_to, (select min(w.id) from warehouse w where w.operating_unit_id = c.operating_unit_id) as warehouse
    from customer c join payment_term p on p.id = c.payment_term_id join v_customer_exposure x on x.customer_id = c.id
    left join credit_limit l on l.customer_id = c.id and l.kind = 'REGULER'
    where (p.is_cash or p.is_cod or l.amount > x.exposure * 2 + 50000000) and not exists (select 1 from invoice i where i.customer_id = c.id and i.status in (1, 2) and i.due_date < '2026-11-18') order by c.id`)
  const items = await database.rows<{ id: number }>(sql`select item_id as id from stock_balance group by item_id having min(on_hand - reserved) > 0 order by item_id`)
  return customers.map((customer, n) => ({
    CustomerID: customer.id, ShipToID: customer.ship_to, WarehouseID: customer.warehouse,
    Lines: Array.from({ length: lines }, (_, i) => ({ ItemID: items[(n * 7 + i) % items.length]?.id, Uom: 'PCS', Qty: '1' })),
  }))
}
