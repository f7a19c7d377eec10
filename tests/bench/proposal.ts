import { sql } from '#server/db/sql.ts'
import { quantile, times, type Measure, type Run } from './bench.ts'
import { serve } from './client.ts'
import { demoCompany } from './databases.ts'

const items = 100_000
const piece = 5_000

/** A proposal of payments out of a hundred thousand open invoices of two hundred vendors, who have two thousand debit notes to set off. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const client = await serve(bench.database)
    try {
      const { database } = bench
      const model = await database.first<{ id: number; unit: number }>(sql`select id, operating_unit_id as unit from vendor_invoice where status = 1 and remaining > 0 and currency = 'IDR' order by id limit 1`)
      const note = await database.first<{ id: number }>(sql`select id from debit_note where status = 1 and remaining > 0 order by id limit 1`)
      if (model === undefined || note === undefined) throw new Error('The demo company owes nothing')
      await database.run(sql`insert into business_partner (code, name, kinds, ap_account_group) select 'BENCH-' || n, 'Vendor ' || n, '{VENDOR}', 'TRADE' from generate_series(1, 200) n`)
      // Within what the embedded database may take for one statement.
      for (let from = 1; from <= items; from += piece) await database.run(sql`
        insert into vendor_invoice select r.* from vendor_invoice v, generate_series(${from}::int, ${from + piece - 1}::int) n, lateral jsonb_populate_record(null::vendor_invoice, to_jsonb(v) || jsonb_build_object('id', 10000000 + n, 'code', 'BENCH/' || n, 'vendor_invoice_no', 'B' || n, 'number_key', 'B' || n, 'number_loose', 'B' || n, 'faktur_number', null,
          'vendor_id', (select id from business_partner where code = 'BENCH-' || (1 + n % 200)), 'total', 1000000, 'remaining', 1000000, 'due_date', date '2026-10-01' + n % 50)) r where v.id = ${model.id}`)
      await database.run(sql`
        insert into debit_note select r.* from debit_note d, generate_series(1, 2000) n, lateral jsonb_populate_record(null::debit_note, to_jsonb(d) || jsonb_build_object('id', 10000000 + n, 'code', 'BENCH/' || n, 'vendor_id', (select id from business_partner where code = 'BENCH-' || (1 + n % 200)),
          'operating_unit_id', ${model.unit}::bigint, 'total', 100000, 'remaining', 100000)) r where d.id = ${note.id}`)
      await database.run(sql`analyze vendor_invoice`)
      const bank = Number((await database.first(sql`select id from house_bank where operating_unit_id = ${model.unit} order by id limit 1`))?.['id'])
      const body = { OperatingUnitID: model.unit, HouseBankID: bank, DocDate: '2026-11-20', PayUntil: '2026-12-31', Lines: [] }
      const samples = await times(5, () => client.post('/api/v1/command/derive-payment-proposal', body), 2)
      const { record } = await client.post<{ readonly record: { readonly Lines: readonly unknown[] } }>('/api/v1/command/derive-payment-proposal', body)
      measures.push({ what: `proposal over ${items} open vendor items on ${engine} (${record.Lines.length} lines)`, value: quantile(samples, 0.5), unit: 'ms', limit: 3_000, bound: 'most' })
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}
