import { sql } from '#server/db/sql.ts'
import { quantile, times, type Measure, type Run } from './bench.ts'
import { serve, type Client } from './client.ts'
import { demoCompany, type Bench } from './databases.ts'

const lines = 10_000
const invoices = 1_000
const amount = 1_000_000

/** A bank's file of many lines read and matched, and one receipt that clears many invoices. */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) {
    const bench = await demoCompany(engine, log)
    const client = await serve(bench.database)
    try {
      await bench.database.run(sql`update accounting_period set status = 'OPEN' where period = '202611'`)
      const open = await openInvoices(bench)
      measures.push(
        { what: `statement of ${lines} lines read and matched on ${engine}`, value: await statement(bench, client, open.codes), unit: 'ms', limit: 5_000, bound: 'most' },
        { what: `${invoices} invoices cleared by one receipt, saved and posted, on ${engine}`, value: await receipt(bench, client, open), unit: 'ms', limit: 3_000, bound: 'most' },
      )
    } finally {
      await client.close()
      await bench.close()
    }
  }
  return measures
}

interface Open {
  readonly customer: number
  readonly bank: number
  readonly ids: readonly number[]
  readonly codes: readonly string[]
}

/** So many invoices of one customer, alike, beside what he owes already. */
async function openInvoices({ database }: Bench): Promise<Open> {
  const model = await database.first<{ id: number; customer: number; unit: number }>(sql`select id, customer_id as customer, operating_unit_id as unit from invoice where status = 1 and remaining > 0 and currency = 'IDR' and invoice_type = 'SALES' and posting_date < '2026-11-20' order by id desc limit 1`)
  if (model === undefined) throw new Error('The demo company is owed nothing')
  await database.run(sql`
    insert into invoice select r.* from invoice v, generate_series(1, ${invoices}::int) n, lateral jsonb_populate_record(null::invoice, to_jsonb(v) || jsonb_build_object('id', 10000000 + n, 'code', 'BENCH/' || n, 'total', ${amount}::int, 'remaining', ${amount}::int, 'base_total', ${amount}::int, 'base_remaining', ${amount}::int)) r where v.id = ${model.id}`)
  await database.run(sql`analyze invoice`)
  const bank = await database.first<{ id: number }>(sql`select id from house_bank where operating_unit_id = ${model.unit} and currency = 'IDR' order by id limit 1`)
  const numbers = Array.from({ length: invoices }, (_, n) => n + 1)
  return { customer: model.customer, bank: bank?.id ?? 0, ids: numbers.map((n) => 10_000_000 + n), codes: numbers.map((n) => `BENCH/${n}`) }
}

/** From the file to suggestions beside its lines: every tenth names an invoice. */
async function statement({ database }: Bench, client: Client, codes: readonly string[]): Promise<number> {
  const account = await database.first<{ no: string }>(sql`select account_no as no from house_bank where currency = 'IDR' order by id limit 1`)
  const rows = Array.from({ length: lines }, (_, n) => `'${String(1 + (n % 19)).padStart(2, '0')}/11,${n % 10 === 0 ? codes[n / 10] : `SETORAN ${n}`},0000,"1,000,000.00",CR,""`).sort()
  const closing = (lines * amount).toLocaleString('en-US', { minimumFractionDigits: 2 })
  const file = `No. rekening : ${account?.no}\nPeriode : 01/11/2026 - 30/11/2026\nKode Mata Uang : Rp\nTanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo\n${rows.join('\n')}\nSaldo Awal : 0.00\nSaldo Akhir : ${closing}\n`
  const samples = await times(3, async () => {
    const form = new FormData()
    form.set('file', new Blob([file], { type: 'text/csv' }), 'mutasi.csv')
    const answer = await fetch(`${client.origin}/api/v1/form/bank-statement.form/file`, { method: 'POST', headers: { authorization: `Bearer ${client.token}` }, body: form })
    const { data, message } = (await answer.json()) as { data: { parts: readonly { values: object; lines: readonly object[] }[] }; message: string }
    const [part] = data.parts ?? []
    if (part?.lines.length !== lines) throw new Error(`Of the file ${part?.lines.length} lines were read: ${message}`)
    const matched = await client.post<{ readonly record?: { readonly Lines: readonly object[] } }>('/api/v1/command/match-statement', { ...part.values, StatementNo: 'BENCH', Lines: part.lines })
    if (JSON.stringify(matched).length < lines) throw new Error('Nothing was matched')
  }, 1)
  return quantile(samples, 0.5)
}

async function receipt(_: Bench, client: Client, { customer, bank, ids }: Open): Promise<number> {
  const started = performance.now()
  const { record } = await client.post<{ readonly record: { readonly ID: number; readonly Version: number } }>('/api/v1/data/payment-received', {
    CustomerID: customer, PaymentDate: '2026-11-20', Method: 'TRANSFER', HouseBankID: bank, Amount: String(ids.length * amount),
    Lines: ids.map((InvoiceID) => ({ InvoiceID, Paid: String(amount), Credits: [], Deductions: [] })),
  }, { 'idempotency-key': `receipt-${process.pid}` })
  await client.post(`/api/v1/data/payment-received/${record.ID}/post`, {}, { 'if-match': String(record.Version), 'idempotency-key': `post-${process.pid}`, acknowledge: 'all' })
  return performance.now() - started
}
