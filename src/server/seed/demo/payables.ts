import { addDays, endOfMonth, periodOf } from '#base/date.ts'
import { exact, fixed, money, sum } from '#base/decimal.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

interface Spent {
  readonly vendor: string
  readonly number: string
  readonly type: string
  readonly price: string
  readonly contract: string | null
  readonly note: string
  /** Operating unit; Jakarta unless said. */
  readonly unit?: string
  readonly faktur: string | null
  /** How far it has come. */
  readonly stands: 'draft' | 'registered' | 'forced' | 'posted'
}

const services: readonly Spent[] = [
  { vendor: 'V000103', number: 'INV/GPT/0311', type: 'E-SEWA', price: '24000000', contract: 'SWA-2026-04', note: 'Sewa gudang satu bulan', faktur: '04002600031100001', stands: 'posted' },
  { vendor: 'V000104', number: 'CPM-0877', type: 'E-JASA', price: '6500000', contract: 'PO-IKLAN-12', note: 'Desain dan cetak katalog', faktur: null, stands: 'posted' },
  { vendor: 'V000103', number: 'INV/GPT/0309', type: 'E-LISTRIK', price: '1850000', contract: null, note: 'Listrik kantor', faktur: null, stands: 'posted' },
  { vendor: 'V000104', number: 'CPM-0881', type: 'E-JASA', price: '3200000', contract: null, note: 'Cetak spanduk toko', faktur: null, stands: 'forced' },
  { vendor: 'V000103', number: 'INV/GPT/0312', type: 'E-LISTRIK', price: '4150000', contract: 'SWA-2026-04', note: 'Listrik gudang', faktur: null, stands: 'registered' },
  { vendor: 'V000102', number: 'SLP/26/121', type: 'E-JASA', price: '2600000', contract: 'JSA-07', note: 'Jasa bongkar gudang Bandung', unit: 'BDG', faktur: null, stands: 'posted' },
  { vendor: 'V000102', number: 'SLP/26/118', type: 'E-JASA', price: '1750000', contract: 'JSA-07', note: 'Jasa bongkar insidental', faktur: null, stands: 'draft' },
]

/** What is owed vendors, most of it by Jakarta: services posted, forced through, registered and in draft; goods matched and one dearer than ordered; a payment made, one waiting, and a proposal. */
export async function payables(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number | undefined> => (await database.first<{ id: number }>(query))?.id
  const today = clock.today()
  const unit = await id(sql`select id from operating_unit where code = 'JKT'`)
  const bank = await id(sql`select b.id from house_bank b join operating_unit u on u.id = b.operating_unit_id where u.code = 'JKT' and b.is_active order by b.id limit 1`)
  const vendorId = (code: string): Promise<number | undefined> => id(sql`select id from business_partner where code = ${code}`)
  const invoice = (number: string): Promise<number | undefined> => id(sql`select id from vendor_invoice where vendor_invoice_no = ${number}`)
  // What Coretax calls the services income tax is withheld from.
  await database.run(sql`update expense_type t set tax_object_code = x.code from (values ('E-SEWA', '24-100-02'), ('E-JASA', '24-104-03')) x(type, code) where t.code = x.type`)
  await expenseBudgets(database, clock, desk)
  const head = { DocDate: today, ReceivedDate: today, OperatingUnitID: unit }
  for (const { vendor, number, type, price, contract, note, unit: place, faktur, stands } of services) {
    // Jakarta's clerk sees Jakarta alone.
    const clerk = place === undefined ? 'vendors' : 'payables'
    const own = place === undefined ? head : { ...head, OperatingUnitID: await id(sql`select id from operating_unit where code = ${place}`) }
    const expense = await database.first<{ id: number; taxed: boolean }>(sql`select id, ppn_code_id is not null as taxed from expense_type where code = ${type}`)
    const made = await desk.enter(clerk, 'vendor_invoice', {
      ...own, Kind: 'NON_TRADE', VendorID: await vendorId(vendor), VendorInvoiceNo: number, ContractNo: contract, Note: note, Ppn: expense?.taxed === true ? vat(price) : '0', FakturNumber: faktur, FakturDate: faktur === null ? null : today,
      Lines: [{ ExpenseTypeID: expense?.id, Description: note, Qty: '1', Price: price }],
    }, false)
    if (stands === 'draft') continue
    await desk.act(clerk, 'vendor_invoice', made, 'register')
    if (stands === 'posted') await desk.act(clerk, 'vendor_invoice', made, 'submit')
    if (stands === 'forced') await desk.act(clerk, 'vendor_invoice', made, 'force-valid', { reason_text: 'Pekerjaan mendesak, kontrak menyusul' })
  }
  await goods(database, desk, head)
  await freightIn(database, desk, head)
  const pay = async (vendor: string, number: string, amount: string, more: Row = {}): Promise<number> =>
    desk.enter('vendors', 'ap_payment', { VendorID: await vendorId(vendor), OperatingUnitID: unit, HouseBankID: bank, DocDate: today, Method: 'TRANSFER', Lines: [{ VendorInvoiceID: await invoice(number), Amount: amount }], ...more })
  const first = await pay('V000103', 'INV/GPT/0311', '15000000', { BankFee: '6500', ReferenceNo: 'TRF-AP-0311' })
  await desk.approve(['payables'], 'ap_payment', first)
  await pay('V000103', 'INV/GPT/0311', '5000000', { Note: 'Sisa sewa, sebagian' })
  const sent = await pay('V000103', 'INV/GPT/0311', '2500000', { PayeeAccount: '5210088123', Note: 'Sisa sewa, lewat berkas bank' })
  await desk.approve(['payables'], 'ap_payment', sent)
  await desk.act('vendors', 'payment_file', await desk.enter('vendors', 'payment_file', { OperatingUnitID: unit, HouseBankID: bank, DocDate: today, ExecutionDate: today, Note: 'Transfer mingguan', Lines: [{ ApPaymentID: sent }] }, false), 'post')
  const due = await database.first<{ id: number; remaining: string }>(sql`select id, remaining from vendor_invoice where vendor_invoice_no = 'SI-V000001-1'`)
  if (due !== undefined) await desk.enter('vendors', 'payment_proposal', { OperatingUnitID: unit, HouseBankID: bank, DocDate: today, PayUntil: today, Note: 'Pembayaran mingguan', Lines: [{ VendorInvoiceID: due.id, Amount: due.remaining }] })
}

/** What Jakarta and Bandung may spend on their offices this month and the next, without a contract too. */
async function expenseBudgets(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const account = await database.first<{ id: number }>(sql`select id from account where code = '615101'`)
  const today = clock.today()
  const months = [periodOf(today), periodOf(addDays(endOfMonth(today), 1))]
  for (const [code, amount] of [['JKT', '33000000'], ['BDG', '12000000']] as const) {
    const unit = await database.first<{ id: number; name: string }>(sql`select id, name from operating_unit where code = ${code}`)
    for (const Period of months) await desk.enter('finance', 'expense_budget', { Name: `Beban kantor ${unit?.name ?? code}`, OperatingUnitID: unit?.id, AccountID: account?.id, Period, Amount: amount }, false)
  }
}

/** Carriers' invoices: one borne by the goods it brought, by their value; one that is to be, by their weight, and is not posted yet. */
async function freightIn(database: Database, desk: Desk, head: Row): Promise<void> {
  const expense = await database.first<{ id: number }>(sql`select id from expense_type where code = 'E-MASUK'`)
  const carrier = await database.first<{ id: number }>(sql`select id from business_partner where code = 'V000101'`)
  for (const [by, note, price, delivered, faktur] of [
    ['VALUE', 'Truk dari pabrik ke gudang Jakarta', '1850000', 'SJ-V000001-01', '04002600047100001'], ['WEIGHT', 'Kontainer dari pelabuhan', '2400000', 'SJ-V000003-01', null],
  ] as const) {
    const receipt = await database.first<{ id: number }>(sql`select id from goods_receipt where supplier_dn_no = ${delivered} and operating_unit_id = ${head['OperatingUnitID']} and status = 1 order by id limit 1`)
    if (receipt === undefined) continue
    const made = await desk.enter('vendors', 'vendor_invoice', {
      ...head, Kind: 'NON_TRADE', VendorID: carrier?.id, VendorInvoiceNo: `MASUK/${delivered.slice(3)}`, ContractNo: 'ANGKUT-2026-02', Note: note, Ppn: money(exact(price).times('0.011')), FakturNumber: faktur, FakturDate: faktur === null ? null : head['DocDate'],
      LandedBy: by, VendorInvoiceNamedReceipt: [{ GoodsReceiptID: receipt.id }], Lines: [{ ExpenseTypeID: expense?.id, Description: note, Qty: '1', Price: price }],
    }, false)
    await desk.act('vendors', 'vendor_invoice', made, 'register')
    if (by === 'VALUE') await desk.act('vendors', 'vendor_invoice', made, 'submit')
  }
}

/** Invoices of what was received: one as ordered, one dearer. */
async function goods(database: Database, desk: Desk, head: Row): Promise<void> {
  for (const [vendor, dearer] of [['V000001', '1'], ['V000003', '1.03']] as const) {
    const lines = await database.rows<{ id: number; vendor_id: number; open_qty: string; price: string }>(sql`
      select l.id, l.vendor_id, l.open_qty, l.price from billable_order_line l join business_partner b on b.id = l.vendor_id where b.code = ${vendor} and l.operating_unit_id = ${head['OperatingUnitID']} order by l.po_date, l.id`)
    if (lines.length === 0) continue
    const rows = lines.map((line) => ({ PoLineID: line.id, Qty: line.open_qty, Price: fixed(exact(line.price).times(dearer), 4) }))
    const dpp = money(sum(rows.map((row) => money(exact(row.Qty).times(row.Price)))))
    const made = await desk.enter('vendors', 'vendor_invoice', {
      ...head, Kind: 'TRADE', VendorID: lines[0]?.vendor_id, VendorInvoiceNo: `SI-${vendor}-1`, Ppn: vat(dpp), FakturNumber: `0400260000${vendor}`.replace('V', '1'), FakturDate: head['DocDate'], Lines: rows,
    }, false)
    await desk.act('vendors', 'vendor_invoice', made, 'register')
    if (dearer === '1') await desk.act('vendors', 'vendor_invoice', made, 'submit')
  }
}

function vat(base: string): string {
  return fixed(exact(base).times('0.11'), 0)
}
