import http from 'node:http'
import type { ExportBody } from '#api/export.ts'
import type { Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { quantile, type Measure, type Run } from './bench.ts'
import { serve, type Client } from './client.ts'
import { demoCompany } from './databases.ts'

const rows = 100_000
const columns = ['code', 'doc_date', 'customer_id', 'total', 'status', 'stage', 'requested_date', 'po_number', 'salesman_id', 'dpp', 'ppn', 'operating_unit_id']

/** A hundred thousand orders with twelve columns and their totals, made into a file that nobody keeps. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    let client: Client | undefined
    try {
      await multiplyOrders(bench.database)
      client = await serve(bench.database)
      for (const [format, limit] of [['xlsx', 2_000], ['csv', 2_000]] as const) {
        const body: ExportBody = { screen: 'sales-order.list', format, language: 'en', hasTotals: true, columns: columns.map((name) => ({ name })), sort: [{ field: 'doc_date', dir: 'desc' }, { field: 'id', dir: 'desc' }], filter: { code: { startsWith: 'X' } } }
        const runs: { readonly ms: number; readonly grown: number; readonly bytes: number }[] = []
        for (let round = 0; round < 4; round++) runs.push(await once(client, body))
        // The first warms up; of memory the least counts: what is not yet collected is no need.
        const counted = runs.slice(1)
        measures.push(
          { what: `export ${rows} × ${columns.length} to ${format} on ${engine} (${((counted[0]?.bytes ?? 0) / 1_048_576).toFixed(1)} MB)`, value: quantile(counted.map(({ ms }) => ms), 0.5), unit: 'ms', limit, bound: 'most' },
          { what: `memory it takes beside, ${format} on ${engine}`, value: Math.min(...counted.map(({ grown }) => grown)), unit: 'MB', limit: 50, bound: 'most' },
        )
      }
    } finally {
      await client?.close()
      await bench.close()
    }
  }
  return measures
}

async function once({ origin, token }: Client, body: ExportBody): Promise<{ readonly ms: number; readonly grown: number; readonly bytes: number }> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  const started = performance.now()
  const bytes = await new Promise<number>((resolve, reject) => {
    const request = http.request(`${origin}/api/v1/export`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } }, (response) => {
      let size = 0
      if (response.headers['x-total-count'] !== String(rows)) reject(new Error(`The export answers ${response.statusCode} with ${response.headers['x-total-count']} rows`))
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.on('end', () => resolve(size))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
  const ms = performance.now() - started
  clearInterval(sampling)
  return { ms, grown: Math.max(0, most - before) / 1_048_576, bytes }
}

/** The demo company's orders again and again, under codes of their own. */
async function multiplyOrders(database: Database): Promise<void> {
  const first = await database.first<{ n: number }>(sql`select count(*) as n from sales_order where status > 0`)
  const times = Math.ceil(rows / (first?.n ?? 1))
  await database.run(sql`
    insert into sales_order (code, status, operating_unit_id, territory_id, doc_date, requested_date, currency, rate, customer_id, order_type, po_number, salesman_id, stage, dpp, ppn, total, created_by, updated_by)
    select 'X' || n || '-' || o.id, o.status, o.operating_unit_id, o.territory_id, o.doc_date, o.requested_date, o.currency, o.rate, o.customer_id, o.order_type, o.po_number, o.salesman_id, o.stage, o.dpp, o.ppn, o.total, o.created_by, o.updated_by
    from sales_order o, generate_series(1, ${times}::int) n where o.status > 0 order by n, o.id limit ${rows}`)
  await database.run(sql`analyze sales_order`)
}
