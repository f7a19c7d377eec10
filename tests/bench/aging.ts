import fs from 'node:fs'
import path from 'node:path'
import type { ReportAnswer } from '#api/report.ts'
import { trusted } from '#server/db/sql.ts'
import { quantile, times, type Measure, type Run } from './bench.ts'
import { serve } from './client.ts'
import { largeCompany } from './databases.ts'

/** AR aging of a day long past over all invoices, and of today over what is open; rows, totals and groups as the screen asks for them. */
export const run: Run = async ({ engines, invoices, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await largeCompany(engine, invoices, log)
    const client = await serve(bench.database)
    try {
      const ask = (query: Readonly<Record<string, string>>) => () => client.get<ReportAnswer>('/api/v1/report/ar-aging.report', { length: '100', ...query })
      const found = await ask({ as_of: '2026-03-31', level: 'SUMMARY' })()
      log(`${found.recordsTotal} customers open on 31 March`)
      const past = await times(5, ask({ as_of: '2026-03-31', level: 'SUMMARY' }), 1)
      measures.push({ what: `AR aging as of a past day, ${invoices} invoices, on ${engine}`, value: quantile(past, 0.5), unit: 'ms', limit: 1000, bound: 'most' })
      const today = await times(5, ask({ as_of: '2026-11-20', level: 'SUMMARY' }), 1)
      measures.push({ what: `AR aging as of today, ${invoices} invoices, on ${engine}`, value: quantile(today, 0.5), unit: 'ms', limit: 1000, bound: 'most' })
      const open = await times(9, () => client.get('/api/v1/data/invoice', {
        length: 100, order: 'due_date', sort: 'asc', totals: 'remaining', columns: 'code,customer_id,due_date,total,remaining,status', filter: JSON.stringify({ status: { in: [1, 2] } }),
      }), 2)
      measures.push({ what: `open items of today with their total, ${invoices} invoices, on ${engine}`, value: quantile(open, 0.5), unit: 'ms', limit: 100, bound: 'most' })
      for (const [name, query] of [['ar-aging-mix', { as_of: '2026-11-20', netting: 'true' }], ['ar-trans', { date_from: '2026-11-01', date_to: '2026-11-20' }]] as const) {
        const bare = trusted(bareStatement(name, query))
        const base = quantile(await times(3, () => bench.database.rows(bare), 1), 0.5)
        const report = quantile(await times(3, () => client.get<ReportAnswer>(`/api/v1/report/${name}.report`, { length: '100', ...query }), 1), 0.5)
        measures.push({ what: `${name} over ${invoices} invoices on ${engine} (bare SQL ${base.toFixed(0)} ms)`, value: report, unit: 'ms', limit: base * 2, bound: 'most' })
      }
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}

/** The question of a report as somebody would ask it of the database by hand: its first page with every figure, nobody's rights looked at. A count alone would leave the figures out. */
function bareStatement(name: string, values: Readonly<Record<string, string>>): string {
  const text = fs.readFileSync(path.join(import.meta.dirname, '../../schemas/receivables', name, `${name}.dataset.sql`), 'utf8')
  const bound = Object.entries(values).reduce((sql, [key, value]) => sql.replaceAll(`:${key}::`, `'${value}'::`), text.replaceAll(':scope', 'true').replaceAll(':in_books', 'false'))
  return `select * from (${bound}\n) as x order by customer_code limit 100`
}
