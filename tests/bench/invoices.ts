import type { Database, Queries, Row } from '#server/context.ts'
import { insertRowsLater } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { perSecond, type Measure, type Run } from './bench.ts'
import { answeredPerSecond, processesOn, serveAll } from './client.ts'
import { demoCompany } from './databases.ts'
import { enterOrder, orderBodies } from './orders.ts'
import { processorTime, spentSince } from './processorTime.ts'

const limits = { embedded: 80, postgres: 200 } as const
const count = 640
const warmUp = 240

/** Invoices posted a second, over HTTP: journals, goods issues, order progress, receivable. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const processes = processesOn(engine)
    const client = await serveAll(bench, processes)
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
      const bill = (ids: readonly { readonly id: number }[], atOnce: number): Promise<number> =>
        answeredPerSecond(client, atOnce, ids.map(({ id }) => ({ path: '/api/v1/command/bill-deliveries', body: { IDs: [id], InvoiceDate: '2026-11-20' }, expected: '"ok":true' })))
      const atOnce = engine === 'postgres' ? 12 : 4
      // Side by side as well: each connection plans its statements the first time it is used.
      await bill(issues.slice(0, warmUp), atOnce)
      const before = processorTime()
      const value = await bill(issues.slice(warmUp), atOnce)
      const spent = spentSince(before, issues.length - warmUp, engine)
      const bare = await perSecond(issues.length, atOnce, await bareInvoices(bench.database))
      measures.push({ what: `invoice of a delivery posted on ${engine} by ${processes === 1 ? 'one process' : `${processes} processes`}, asked from another (its rows written by bare SQL ${bare.toFixed(0)}${spent})`, value, unit: 'a second', limit: limits[engine], bound: 'least' })
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}

/**
 * What the database alone needs: the rows of an invoice and its journals written once more under ids of their own and the rows it changes
 * touched, one statement a table, all in one message. No program over this database is faster.
 */
async function bareInvoices(database: Database): Promise<() => Promise<void>> {
  const of = async (table: string, where: Sql): Promise<Row[]> => database.rows(sql`select * from ${ident(table)} where ${where} order by id`)
  const [invoice] = await of('invoice', sql`id = (select max(source_doc_id) from journal where source_doc_type = 'invoice')`)
  const id = Number(invoice?.['id'])
  const lines = await of('invoice_line', sql`invoice_id = ${id}`)
  const journals = await of('journal', sql`source_doc_type = 'invoice' and source_doc_id = ${id}`)
  const journalIds = journals.map((journal) => Number(journal['id']))
  const entries = await of('journal_line', sql`journal_id = any(${journalIds}::bigint[])`)
  const logs = await of('document_log', sql`doc_type = 'invoice' and doc_id = ${id}`)
  const [kept] = await of('command_log', sql`id = (select max(id) from command_log where response is not null)`)
  const goodsLines = lines.map((line) => line['gi_line_id'])
  const orderLines = lines.map((line) => line['order_line_id'])
  let next = 1_000_000_000
  return async () => {
    const base = (next += 1_000)
    const write = (tx: Queries, table: string, rows: readonly Row[]): Promise<void> => insertRowsLater(tx, table, rows.map((row, i) => ({ ...row, id: base + i })))
    await database.transaction(async (tx) => {
      await write(tx, 'command_log', [{ ...kept, idempotency_key: `bare-${base}` }])
      await write(tx, 'invoice', [{ ...invoice, code: `BARE/${base}` }])
      await write(tx, 'invoice_line', lines.map((line) => ({ ...line, invoice_id: base })))
      await write(tx, 'journal', journals.map((journal, i) => ({ ...journal, code: `BARE/${base}/${i}`, source_doc_id: base })))
      await write(tx, 'journal_line', entries.map((entry) => ({ ...entry, journal_id: base + journalIds.indexOf(Number(entry['journal_id'])) })))
      await write(tx, 'document_log', [...logs, ...logs, ...logs].map((row) => ({ ...row, doc_id: base })))
      tx.later(sql`update goods_issue_line set billed_qty = billed_qty where id = any(${goodsLines}::bigint[])`)
      tx.later(sql`update sales_order_line set billed_qty = billed_qty where id = any(${orderLines}::bigint[])`)
      tx.later(sql`update goods_issue set version = version where id = (select goods_issue_id from goods_issue_line where id = ${goodsLines[0]})`)
      tx.later(sql`update sales_order set version = version where id = (select sales_order_id from sales_order_line where id = ${orderLines[0]})`)
      tx.later(sql`update number_counter set last_value = last_value where id = (select max(id) from number_counter)`)
    })
  }
}
