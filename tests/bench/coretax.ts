import http from 'node:http'
import { sql } from '#server/db/sql.ts'
import { quantile, type Measure, type Run } from './bench.ts'
import { serve, type Client } from './client.ts'
import { demoCompany } from './databases.ts'

/** As many as Coretax takes in one file. */
const invoices = 1_000

/** The largest file of tax invoices Coretax takes, as it is read out of the database and sent. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    let client: Client | undefined
    try {
      client = await serve(bench.database)
      await bench.database.run(sql`update tax_invoice_period set status = 'OPEN'`)
      await bench.database.run(sql`update company set npwp = '0123456789012345' where npwp is null`)
      const periods = await bench.database.rows<{ period: string }>(sql`select period from tax_invoice_period order by period desc`)
      const made: number[] = []
      for (const { period } of periods) {
        const started = performance.now()
        const answer = await client.post<{ results: readonly { readonly ID: number; readonly ok: boolean }[] }>('/api/v1/command/export-tax-invoices', { Period: period }).catch(() => undefined)
        const n = Number((await bench.database.first(sql`select count(*)::int as n from tax_invoice where period = ${period} and status = 'EXPORTED'`))?.['n'])
        if (answer !== undefined && n > 0) made.push(((performance.now() - started) / n) * invoices)
        const there = Number((await bench.database.first(sql`select count(*)::int as n from tax_invoice where status = 'EXPORTED'`))?.['n'])
        if (there >= invoices) break
      }
      // Months of the demo company are smaller than what Coretax takes: several of them stand in one file.
      const file = Number((await bench.database.first(sql`select min(id) as id from tax_invoice_batch`))?.['id'])
      await bench.database.run(sql`update tax_invoice set tax_invoice_batch_id = ${file} where id in (select id from tax_invoice where status = 'EXPORTED' order by id limit ${invoices})`)
      const lines = Number((await bench.database.first(sql`select count(*)::int as n from invoice_line l join tax_invoice t on t.invoice_id = l.invoice_id where t.tax_invoice_batch_id = ${file}`))?.['n'])
      const runs: { readonly ms: number; readonly grown: number; readonly bytes: number; readonly found: number }[] = []
      for (let round = 0; round < 4; round++) runs.push(await once(client, file))
      const counted = runs.slice(1)
      if (counted[0]?.found !== invoices) throw new Error(`The file holds ${counted[0]?.found} tax invoices`)
      measures.push(
        { what: `tax invoices of a month drafted and put into files, reckoned for ${invoices}, on ${engine}`, value: quantile(made, 0.5), unit: 'ms', limit: 5_000, bound: 'most' },
        { what: `Coretax file of ${invoices} tax invoices, ${lines} lines, on ${engine} (${((counted[0]?.bytes ?? 0) / 1_048_576).toFixed(1)} MB)`, value: quantile(counted.map(({ ms }) => ms), 0.5), unit: 'ms', limit: 2_000, bound: 'most' },
        { what: `memory it takes beside, on ${engine}`, value: Math.min(...counted.map(({ grown }) => grown)), unit: 'MB', limit: 50, bound: 'most' },
      )
    } finally {
      await client?.close()
      await bench.close()
    }
  }
  return measures
}

async function once({ origin, token }: Client, id: number): Promise<{ readonly ms: number; readonly grown: number; readonly bytes: number; readonly found: number }> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  const started = performance.now()
  const { bytes, found } = await new Promise<{ bytes: number; found: number }>((resolve, reject) => {
    http.get(`${origin}/api/v1/tax-invoice-xml/${id}`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      let bytes = 0
      let found = 0
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        bytes += Buffer.byteLength(chunk)
        const text = rest + chunk
        found += text.split('</TaxInvoice>').length - 1
        rest = text.slice(-12)
      })
      response.on('end', () => resolve({ bytes, found }))
      response.on('error', reject)
    }).on('error', reject)
  })
  const ms = performance.now() - started
  clearInterval(sampling)
  return { ms, grown: Math.max(0, most - before) / 1_048_576, bytes, found }
}
