import type { ListAnswer } from '#api/data.ts'
import { quantile, times, type Measure, type Run } from './bench.ts'
import { serve } from './client.ts'
import { largeCompany } from './databases.ts'

const query = { length: 100, order: 'doc_date,id', sort: 'desc,desc', columns: 'code,doc_date,due_date,customer_id,total,remaining,status', count: false }

/** The list of all invoices: pages reached by their key cost what the first one costs, pages by number grow with their number. */
export const run: Run = async ({ engines, invoices, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await largeCompany(engine, invoices, log)
    const client = await serve(bench.database)
    try {
      const page = (more: Readonly<Record<string, string | number>>): Promise<ListAnswer> => client.get<ListAnswer>('/api/v1/data/invoice', { ...query, ...more })
      const half = Math.floor(invoices / 200)
      const { next: deep } = await page({ page: half })
      if (deep === undefined) throw new Error('There is no page so deep')
      const first = quantile(await times(30, () => page({ page: 1 })), 0.5)
      measures.push({ what: `first page of ${invoices} on ${engine}`, value: first, unit: 'ms', limit: 25, bound: 'most' })
      measures.push({ what: `page after number ${half} by its key on ${engine}`, value: quantile(await times(30, () => page({ after: deep })), 0.5), unit: 'ms', limit: first * 1.5 + 3, bound: 'most' })
      measures.push({ what: `page ${half} by its number on ${engine}`, value: quantile(await times(7, () => page({ page: half }), 1), 0.5), unit: 'ms', limit: 400, bound: 'most' })
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}
