import { addDays } from '#base/date.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** What is paid less than it is owed: a claim and an advance set off against one vendor's bill, approved; a claim against another's, waiting. */
export async function netProposals(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number | undefined> => (await database.first<{ id: number }>(query))?.id
  const today = clock.today()
  const unit = await id(sql`select id from operating_unit where code = 'JKT'`)
  const bank = await id(sql`select id from house_bank where operating_unit_id = ${unit} and is_active order by id limit 1`)
  const account = await id(sql`select id from account where code = '615101'`)
  const head = { OperatingUnitID: unit, DocDate: today }
  const propose = async (number: string, claim: Row & { readonly Note: string }, amount?: string): Promise<number | undefined> => {
    const bill = await database.first<{ id: number; vendor: number; remaining: string }>(sql`select id, vendor_id as vendor, remaining from vendor_invoice where vendor_invoice_no = ${number} and status in (1, 2)`)
    if (bill === undefined) return undefined
    const { Price, Note } = claim
    const note = await desk.enter('vendors', 'debit_note', { ...head, Kind: 'MANUAL', VendorID: bill.vendor, DueDate: addDays(today, 30), Note, Lines: [{ AccountID: account, Description: Note, Qty: '1', Price }] })
    await desk.approve(['payables', 'finance'], 'debit_note', note)
    return desk.enter('vendors', 'payment_proposal', { ...head, HouseBankID: bank, PayUntil: addDays(today, 60), Note: `Dipotong: ${Note}`, Lines: [{ VendorInvoiceID: bill.id, Amount: amount ?? bill.remaining }] })
  }
  // Without the vendor's tax invoice his bill is paid after a warning only.
  const printed = await id(sql`select id from vendor_invoice where vendor_invoice_no = 'CPM-0877' and status in (1, 2) and faktur_number is null`)
  if (printed !== undefined) await desk.act('vendors', 'vendor_invoice', printed, 'enter-faktur', { faktur_number: '04002600087700001', faktur_date: today })
  const approved = await propose('CPM-0877', { Price: '350000', Note: 'Cetakan katalog cacat' })
  if (approved !== undefined) await desk.approve(['payables', 'finance'], 'payment_proposal', approved)
  await propose('INV/GPT/0311', { Price: '240000', Note: 'Denda terlambat serah gudang' }, '1000000')
}
