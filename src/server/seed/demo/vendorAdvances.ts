import { addDays } from '#base/date.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** What Jakarta has paid a vendor in advance and used for his bill, what another pays for a debit note, and what he credits: posted, waiting and in draft. */
export async function vendorAdvances(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const id = async (query: ReturnType<typeof sql>): Promise<number | undefined> => (await database.first<{ id: number }>(query))?.id
  const today = clock.today()
  const unit = await id(sql`select id from operating_unit where code = 'JKT'`)
  const bank = await id(sql`select id from house_bank where operating_unit_id = ${unit} and is_active order by id limit 1`)
  const vendorId = (code: string): Promise<number | undefined> => id(sql`select id from business_partner where code = ${code}`)
  const printer = { VendorID: await vendorId('V000104'), OperatingUnitID: unit, DocDate: today }
  const principal = { VendorID: await vendorId('V000001'), OperatingUnitID: unit, DocDate: today }

  const asked = { ...printer, VendorDocNo: 'CPM-DP-09', DueDate: addDays(today, 7), Amount: '4000000', Ppn: '440000', FakturNumber: '04002600099100001', FakturDate: today, Note: 'Uang muka cetak katalog' }
  const advance = await desk.enter('vendors', 'vendor_advance', asked)
  await desk.approve(['payables'], 'vendor_advance', advance)
  const paid = await desk.enter('vendors', 'ap_payment', {
    ...printer, Kind: 'ADVANCE', HouseBankID: bank, Method: 'TRANSFER', ReferenceNo: 'TRF-DP-09', Note: 'Uang muka katalog', ApPaymentPrepayment: [{ VendorAdvanceID: advance, Amount: '4440000' }],
  })
  await desk.approve(['payables'], 'ap_payment', paid)
  const bill = await id(sql`select id from vendor_invoice where vendor_invoice_no = 'CPM-0877' and status in (1, 2)`)
  const use = { ...printer, Note: 'Uang muka dipakai', Lines: [{ VendorAdvanceID: advance, VendorInvoiceID: bill, Amount: '2500000' }] }
  const used = await desk.enter('vendors', 'advance_application', use, false)
  await desk.act('vendors', 'advance_application', used, 'post')
  await desk.enter('vendors', 'advance_application', { ...use, Note: 'Sisa uang muka', Lines: [{ VendorAdvanceID: advance, VendorInvoiceID: bill, Amount: '1500000' }] }, false)
  const unpaid = await desk.enter('vendors', 'vendor_advance', { ...printer, VendorDocNo: 'CPM-DP-10', DueDate: addDays(today, 14), Amount: '2000000', Ppn: '0', Note: 'Uang muka spanduk' })
  await desk.approve(['payables'], 'vendor_advance', unpaid)
  await desk.enter('vendors', 'ap_payment', { ...printer, Kind: 'ADVANCE', HouseBankID: bank, Method: 'TRANSFER', Note: 'Uang muka spanduk, sebagian', ApPaymentPrepayment: [{ VendorAdvanceID: unpaid, Amount: '1000000' }] })
  await desk.enter('vendors', 'vendor_advance', { ...printer, VendorDocNo: 'CPM-DP-11', DueDate: addDays(today, 21), Amount: '3500000', Ppn: '0', Note: 'Uang muka brosur' })

  const receipt = await desk.enter('vendors', 'supplier_receipt', { ...principal, HouseBankID: bank, Amount: '3000000', ReferenceNo: 'SR-TRF-311', Note: 'Pembayaran klaim' }, false)
  await desk.act('vendors', 'supplier_receipt', receipt, 'post')
  await desk.enter('vendors', 'supplier_receipt', { ...principal, HouseBankID: bank, Amount: '750000', Note: 'Menunggu rincian' }, false)
  const claim = await database.first<{ id: number }>(sql`select id from open_debit_note where vendor_id = ${principal.VendorID} and operating_unit_id = ${unit} and remaining >= 2000000 order by remaining desc, id limit 1`)
  if (claim !== undefined) {
    const pays = { ...principal, SupplierReceiptID: receipt }
    const first = await desk.enter('vendors', 'payment_for_dn', { ...pays, Note: 'Sebagian klaim', Lines: [{ DebitNoteID: claim.id, Value: '1500000' }] })
    await desk.approve(['payables'], 'payment_for_dn', first)
    await desk.enter('vendors', 'payment_for_dn', { ...pays, Note: 'Menyusul', Lines: [{ DebitNoteID: claim.id, Value: '500000' }] })
  }
  const credit = { ...principal, ScnDate: today, BookedAs: 'PRICE_DIFFERENCE' }
  const credited = await desk.enter('vendors', 'supplier_credit_note', { ...credit, ScnNumber: 'CN/SR/0071', Dpp: '600000', Ppn: '66000', Note: 'Koreksi harga' })
  await desk.approve(['payables'], 'supplier_credit_note', credited)
  await desk.enter('vendors', 'supplier_credit_note', { ...credit, ScnNumber: 'CN/SR/0072', BookedAs: 'INCOME', Dpp: '350000', Note: 'Insentif tambahan' })
}
