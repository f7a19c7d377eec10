import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

interface Sold extends Row {
  readonly invoice: number
  readonly customer: number
  readonly line: number
  readonly item: number
  readonly pack: string
}

/** How far returns have come, one after the other. */
const steps = ['draft', 'waiting', 'approved', 'received', 'inspected', 'credited', 'reversed'] as const

const places = [
  { unit: 'JKT', keeper: 'warehouse', seller: 'sales', steps },
  { unit: 'BDG', keeper: 'warehouse.bdg', seller: 'sales.bdg', steps: ['waiting', 'credited'] as const },
] as const

/** What shops send back of their invoices: asked for, on its way, looked at, credited, and one taken back; one of goods whose invoice nobody knows. */
export async function salesReturns(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const reason = async (code: string): Promise<number | undefined> => (await database.first<{ id: number }>(sql`select id from reason where code = ${code}`))?.id
  const causes = [await reason('T01'), await reason('T02'), await reason('T03')]
  for (const { unit, keeper, seller, steps: wanted } of places) {
    const sold = await database.rows<Sold>(sql`
      select distinct on (i.customer_id) i.id as invoice, i.customer_id as customer, v.id as line, v.item_id as item, round(t.pack_qty, 3) as pack
      from invoice i join operating_unit u on u.id = i.operating_unit_id join returnable_invoice v on v.invoice_id = i.id join item t on t.id = v.item_id
      where u.code = ${unit} and i.status = 1 and i.pending_transition is null and i.currency = 'IDR' and i.invoice_type = 'SALES' and i.posting_date between ${today}::date - 60 and ${today}::date and not i.dispute
        and v.open_qty >= t.pack_qty and not exists (select 1 from invoice_line f where f.invoice_id = i.id and f.is_free) and not exists (select 1 from invoice_exchange_line x where x.invoice_id = i.id)
      order by i.customer_id, i.posting_date desc, i.id, v.line_no limit ${wanted.length + 1}`)
    for (const [n, step] of wanted.entries()) {
      const one = sold[n]
      if (one === undefined) continue
      const made = await desk.enter(seller, 'sales_return', {
        Kind: 'WITH_REF', CustomerID: one.customer, InvoiceID: one.invoice, ReturnDate: today, CauseID: causes[n % 3], Note: ['Karton penyok', 'Lewat tanggal', 'Salah kirim'][n % 3], Lines: [{ InvoiceLineID: one.line, ItemID: one.item, QtyRequested: one.pack }],
      }, step !== 'draft')
      await goOn(database, desk, { made, step, keeper, reversal: await reason('V02') })
    }
    const unknown = sold[wanted.length]
    if (unit === 'JKT' && unknown !== undefined) {
      await desk.enter(seller, 'sales_return', { Kind: 'WITHOUT_REF', FormVersion: 1, CustomerID: unknown.customer, ReturnDate: today, CauseID: causes[0], Note: 'Faktur tidak ditemukan', Lines: [{ ItemID: unknown.item, QtyRequested: '2' }] })
    }
  }
}

async function goOn(database: Database, desk: Desk, { made, step, keeper, reversal }: { readonly made: number; readonly step: (typeof steps)[number]; readonly keeper: string; readonly reversal: number | undefined }): Promise<void> {
  const at = steps.indexOf(step)
  if (at < 2) return
  await desk.approve(['receivables', 'finance'], 'sales_return', made)
  if (at < 3) return
  await desk.act(keeper, 'sales_return', made, 'receive')
  if (at < 4) return
  const [line] = await database.rows<{ id: number }>(sql`select id from sales_return_line where sales_return_id = ${made} order by line_no`)
  await desk.act(keeper, 'sales_return', made, 'inspect', line === undefined ? {} : { bad: { [line.id]: '1' } })
  if (at < 5) return
  await desk.act('receivables', 'sales_return', made, 'credit')
  if (step === 'reversed') await desk.act('receivables', 'sales_return', made, 'reverse', { reason_id: reversal })
}
