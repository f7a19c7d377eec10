import { sql } from '#server/db/sql.ts'
import { perSecond, type Measure, type Run } from './bench.ts'
import { serve } from './client.ts'
import { demoCompany } from './databases.ts'
import { enterOrder, orderBodies } from './orders.ts'

const limits = { embedded: 80, postgres: 200 } as const
const count = 240

/** Invoices posted a second, over HTTP: journals, goods issues, order progress, receivable. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const client = await serve(bench.database)
    try {
      log(`${count} deliveries to bill …`)
      const orders = await orderBodies(bench.database, 4)
      const entered: number[] = []
      for (let n = 0; n < count; n++) entered.push(await enterOrder(client, orders[n % orders.length]))
      const due = await bench.database.rows<{ id: number }>(sql`
        select l.id from sales_order_line_due l where l.sales_order_id = any(${entered}::bigint[]) and l.plannable_qty > 0 order by l.id`)
      for (let at = 0; at < due.length; at += 400)
        await client.post('/api/v1/command/plan-delivery', { IDs: due.slice(at, at + 400).map((line) => line.id), PlanDate: '2026-11-20', Release: true })
      const deliveries = await bench.database.rows<{ id: number }>(sql`
        select distinct d.id from delivery_order d join delivery_order_line l on l.delivery_order_id = d.id where d.status = 0 and l.order_line_id = any(${due.map((line) => line.id)}::bigint[]) order by d.id`)
      for (const { id } of deliveries) {
        await client.post(`/api/v1/data/delivery-order/${id}/pick`, {})
        await client.post(`/api/v1/data/delivery-order/${id}/issue`, {})
      }
      const issues = await bench.database.rows<{ id: number }>(sql`select id from billing_due where delivery_order_id = any(${deliveries.map(({ id }) => id)}::bigint[]) and is_ready order by id`)
      const bill = async (n: number): Promise<void> => {
        const { results } = await client.post<{ results: { ok: boolean; text: string }[] }>('/api/v1/command/bill-deliveries', { IDs: [issues[n]?.id], InvoiceDate: '2026-11-20' })
        if (results[0]?.ok !== true) throw new Error(results[0]?.text)
      }
      await perSecond(10, 1, bill)
      const value = await perSecond(issues.length - 10, engine === 'postgres' ? 12 : 4, (n) => bill(n + 10))
      measures.push({ what: `invoice of a delivery posted on ${engine}`, value, unit: 'a second', limit: limits[engine], bound: 'least' })
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}
