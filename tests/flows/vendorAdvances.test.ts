import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let vendor: Record
let unit: number
let bank: number
beforeAll(async () => {
  scene = await openScene()
  vendor = await scene.create('admin', 'business-partner', { Code: 'V-MUKA', Name: 'PT Uang Muka', Kinds: ['VENDOR', 'PRINCIPAL'], IsPkp: true, ApAccountGroup: 'TRADE', PaymentTermID: await id('payment_term', 'N30') })
  unit = await id('operating_unit', 'JKT')
  bank = await id('house_bank', 'BCA1')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
const advanceOf = (ID: number) => scene.read('advance-invoice', ID)
const invoiceOf = (ID: number) => scene.read('vendor-invoice', ID)
const fields = ({ data }: Record) => (data.errors ?? []).map(({ field, key }: Record) => [field, key])
const reason = async () => ({ ReasonID: await id('reason', 'V02') })
let fakturs = 4002500000000000
const faktur = () => ({ FakturNumber: `0${(fakturs += 1)}`, FakturDate: today() })
/** Debits and credits of one event of a document. */
const booked = async (type: string, of: number, event: string): Promise<string[]> =>
  (await scene.rows('journal_line', sql`journal_id in (select id from journal where source_doc_type = ${type} and source_doc_id = ${of} and source_event = ${event})`))
    .map(({ debit, credit }: Record) => `${debit} ${credit}`).toSorted()

async function advanced(amount: string, ppn = '0', more: object = {}): Promise<Record> {
  const made = await scene.create('vendors', 'advance-invoice', { VendorID: vendor.ID, OperatingUnitID: unit, DocDate: today(), Amount: amount, Ppn: ppn, ...(ppn === '0' ? {} : faktur()), ...more })
  await scene.act('vendors', 'advance-invoice', made.ID, 'submit')
  await scene.decide('vendor_advance', made.ID)
  return advanceOf(made.ID)
}
async function invoiced(amount: string, ppn = '0', more: object = {}): Promise<Record> {
  const made = await scene.create('vendors', 'vendor-invoice', {
    VendorID: vendor.ID, VendorInvoiceNo: `M-${fakturs += 1}`, DocDate: today(), OperatingUnitID: unit, ContractNo: 'SPK-9', Ppn: ppn, ...(ppn === '0' ? {} : faktur()),
    Lines: [{ ExpenseTypeID: await id('expense_type', ppn === '0' ? 'E-LISTRIK' : 'E-JASA'), Qty: '1', Price: amount }], ...more,
  })
  await scene.act('vendors', 'vendor-invoice', made.ID, 'register')
  await scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
  return invoiceOf(made.ID)
}
const payment = (body: object) => scene.create('vendors', 'ap-payment', { VendorID: vendor.ID, OperatingUnitID: unit, HouseBankID: bank, DocDate: today(), ...body })
async function paid(body: object): Promise<Record> {
  const made = await payment(body)
  await scene.act('vendors', 'ap-payment', made.ID, 'submit')
  await scene.decide('ap_payment', made.ID)
  return scene.read('ap-payment', made.ID)
}
const payAdvance = (advance: Record, amount: string, more: object = {}) => paid({ Kind: 'ADVANCE', ApPaymentPrepayment: [{ VendorAdvanceID: advance.ID, Amount: amount }], ...more })
const application = (advance: Record, invoice: Record, amount: string) =>
  scene.create('vendors', 'apply-advance-payment', { VendorID: vendor.ID, OperatingUnitID: unit, DocDate: today(), Lines: [{ VendorAdvanceID: advance.ID, VendorInvoiceID: invoice.ID, Amount: amount }] })

describe('AP2: an advance with VAT of its own, paid, and used for the invoice', () => {
  let advance: Record
  let invoice: Record
  let pays: Record
  let applied: Record
  test('requested: 20,000,000 and VAT 2,200,000 are owed', async () => {
    advance = await advanced('20000000', '2200000')
    expect(advance).toMatchObject({ Status: 1, Amount: '20000000.00', Total: '22200000.00', Unpaid: '22200000.00', Paid: '0.00', Remaining: '0.00' })
    expect(advance.Code).toMatch(/^ADV\/JKT\/2611\/\d{5}$/)
    expect(await scene.journal('vendor_advance', advance.ID)).toEqual(['114101 2200000.00 0.00', '115101 20000000.00 0.00', '211102 0.00 22200000.00'])
  })
  test('what is not paid is not used', async () => {
    invoice = await invoiced('50000000', '3300000', { VendorAdvanceID: advance.ID, AdvanceDpp: '20000000' })
    expect(invoice).toMatchObject({ Status: 1, ValidationStatus: 'MATCHED', Ppn: '3300000.00' })
    const early = await application(advance, invoice, '1')
    expect(fields(await scene.tryAct('vendors', 'apply-advance-payment', early.ID, 'post'))).toEqual([['Lines[0].Amount', 'field.EXCEEDS_REMAINING.most']])
  })
  test('a half is paid and taken back, then all is paid: 22,200,000', async () => {
    const half = await payAdvance(advance, '11100000', { BankFee: '6500' })
    expect(await scene.journal('ap_payment', half.ID)).toEqual(['211102 11100000.00 0.00', '214101 0.00 11106500.00', '613103 6500.00 0.00'])
    expect(await advanceOf(advance.ID)).toMatchObject({ Status: 2, Unpaid: '11100000.00', Paid: '10000000.00', Remaining: '10000000.00' })
    expect((await scene.tryAct('payables', 'advance-invoice', advance.ID, 'reverse', await reason())).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('vendors', 'ap-payment', half.ID, 'request-reversal', await reason())
    await scene.decide('ap_payment', half.ID)
    expect(await advanceOf(advance.ID)).toMatchObject({ Status: 1, Unpaid: '22200000.00', Paid: '0.00', Remaining: '0.00' })
    pays = await payAdvance(advance, '22200000')
    expect(pays).toMatchObject({ Kind: 'ADVANCE', Amount: '22200000.00', PaidOut: '22200000.00', Settled: '0.00' })
    expect(await scene.journal('ap_payment', pays.ID)).toEqual(['211102 22200000.00 0.00', '214101 0.00 22200000.00'])
    expect(await advanceOf(advance.ID)).toMatchObject({ Status: 2, Unpaid: '0.00', Paid: '20000000.00', Remaining: '20000000.00' })
    const more = await payment({ Kind: 'ADVANCE', ApPaymentPrepayment: [{ VendorAdvanceID: advance.ID, Amount: '1' }] })
    expect((await scene.tryAct('vendors', 'ap-payment', more.ID, 'submit')).code).toBe('EXCEEDS_REMAINING')
  })
  test('20,000,000 are applied; the payment stays until that is taken back', async () => {
    applied = await application(advance, invoice, '20000000')
    await scene.act('vendors', 'apply-advance-payment', applied.ID, 'post')
    expect(await scene.journal('advance_application', applied.ID)).toEqual(['115101 0.00 20000000.00', '211102 20000000.00 0.00'])
    expect(await advanceOf(advance.ID)).toMatchObject({ Status: 3, Applied: '20000000.00', Remaining: '0.00' })
    expect((await invoiceOf(invoice.ID)).Remaining).toBe(String(Number(invoice.Total) - 20000000) + '.00')
    expect((await scene.tryAct('vendors', 'ap-payment', pays.ID, 'request-reversal', await reason())).data.key).toBe('problem.ILLEGAL_TRANSITION.advance-used')
    await scene.act('vendors', 'apply-advance-payment', applied.ID, 'reverse', await reason())
    expect(await booked('advance_application', applied.ID, 'ADV_APPLY_REV')).toEqual(['0.00 20000000.00', '20000000.00 0.00'])
    expect(await advanceOf(advance.ID)).toMatchObject({ Status: 2, Applied: '0.00', Remaining: '20000000.00' })
    expect(await invoiceOf(invoice.ID)).toMatchObject({ Status: 1, Remaining: invoice.Total })
    const again = await application(advance, invoice, '20000000')
    await scene.act('vendors', 'apply-advance-payment', again.ID, 'post')
    const rest = (await invoiceOf(invoice.ID)).Remaining
    await paid({ Lines: [{ VendorInvoiceID: invoice.ID, Amount: rest }] })
    expect(await invoiceOf(invoice.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
  })
})

describe('an advance that is refused or taken back', () => {
  test('VAT needs a faktur, an order its vendor and its amount', async () => {
    const made = await scene.create('vendors', 'advance-invoice', { VendorID: vendor.ID, OperatingUnitID: unit, DocDate: today(), Amount: '1000000', Ppn: '110000' })
    expect(fields(await scene.tryAct('vendors', 'advance-invoice', made.ID, 'submit'))).toEqual([['FakturNumber', 'rule.own-faktur']])
    const none = await scene.people.vendors.post('/api/v1/data/advance-invoice', { VendorID: vendor.ID, OperatingUnitID: unit, DocDate: today(), Amount: '0' }, { key: scene.key() })
    expect(fields(none)).toEqual([['Amount', 'rule.amount-needed']])
  })
  test('reversed while unpaid', async () => {
    const made = await advanced('5000000')
    await scene.act('payables', 'advance-invoice', made.ID, 'reverse', await reason())
    expect(await advanceOf(made.ID)).toMatchObject({ Status: 7, Unpaid: '0.00', Remaining: '0.00' })
    expect(await booked('vendor_advance', made.ID, 'ADV_REQ_REV')).toEqual(['0.00 5000000.00', '5000000.00 0.00'])
  })
  test('a third is paid to the cent, the last payment brings what rounding kept back', async () => {
    const made = await advanced('100', '11')
    await payAdvance(made, '37')
    expect(await advanceOf(made.ID)).toMatchObject({ Paid: '33.33', Unpaid: '74.00', Remaining: '33.33' })
    await payAdvance(made, '74')
    expect(await advanceOf(made.ID)).toMatchObject({ Paid: '100.00', Unpaid: '0.00', Remaining: '100.00' })
  })
  test('a payment is of invoices or of advances', async () => {
    const made = await advanced('1000')
    const mixed = await scene.people.vendors.post('/api/v1/data/ap-payment', { VendorID: vendor.ID, OperatingUnitID: unit, HouseBankID: bank, DocDate: today(), Kind: 'INVOICE', ApPaymentPrepayment: [{ VendorAdvanceID: made.ID, Amount: '1000' }] }, { key: scene.key() })
    expect(fields(mixed)).toEqual([['Kind', 'rule.one-kind']])
  })
})

describe('money and credits of a supplier', () => {
  test('a receipt of 3,000,000 is posted and taken back while nothing of it is used', async () => {
    const made = await scene.create('vendors', 'supplier-payment-receive', { VendorID: vendor.ID, OperatingUnitID: unit, HouseBankID: bank, DocDate: today(), Amount: '3000000', ReferenceNo: 'TRF-1' })
    await scene.act('vendors', 'supplier-payment-receive', made.ID, 'post')
    expect(await scene.read('supplier-payment-receive', made.ID)).toMatchObject({ Status: 1, Unapplied: '3000000.00' })
    expect(await scene.journal('supplier_receipt', made.ID)).toEqual(['111302 3000000.00 0.00', '212104 0.00 3000000.00'])
    await scene.act('vendors', 'supplier-payment-receive', made.ID, 'reverse', await reason())
    expect(await scene.read('supplier-payment-receive', made.ID)).toMatchObject({ Status: 7, Unapplied: '0.00' })
    expect(await booked('supplier_receipt', made.ID, 'SUP_RCPT_REV')).toEqual(['0.00 3000000.00', '3000000.00 0.00'])
  })

  test('a credit note is open credit until a payment uses it', async () => {
    const invoice = await invoiced('2000000')
    const body = { VendorID: vendor.ID, OperatingUnitID: unit, DocDate: today(), ScnNumber: 'CN-77', ScnDate: today(), VendorInvoiceID: invoice.ID, BookedAs: 'PRICE_DIFFERENCE', Dpp: '810000', Ppn: '89100' }
    const made = await scene.create('vendors', 'credit-note-supplier', body)
    await scene.act('vendors', 'credit-note-supplier', made.ID, 'submit')
    await scene.decide('supplier_credit_note', made.ID)
    expect(await scene.read('credit-note-supplier', made.ID)).toMatchObject({ Status: 1, Total: '899100.00', Remaining: '899100.00' })
    expect(await scene.journal('supplier_credit_note', made.ID)).toEqual(['114101 0.00 89100.00', '211102 899100.00 0.00', '511102 0.00 810000.00'])
    const pays = await paid({ Lines: [{ VendorInvoiceID: invoice.ID, Amount: '2000000', SupplierCreditNoteID: made.ID, Credit: '899100' }] })
    expect(pays).toMatchObject({ Settled: '2000000.00', Credited: '899100.00', Amount: '1100900.00' })
    expect(await scene.journal('ap_payment', pays.ID)).toEqual(['211102 2000000.00 899100.00', '214101 0.00 1100900.00'])
    expect(await scene.read('credit-note-supplier', made.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect((await scene.tryAct('payables', 'credit-note-supplier', made.ID, 'reverse', await reason())).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('vendors', 'ap-payment', pays.ID, 'request-reversal', await reason())
    await scene.decide('ap_payment', pays.ID)
    await scene.act('payables', 'credit-note-supplier', made.ID, 'reverse', await reason())
    expect(await scene.read('credit-note-supplier', made.ID)).toMatchObject({ Status: 7, Remaining: '0.00' })
    // Its number is free again; as income this time.
    const other = await scene.create('vendors', 'credit-note-supplier', { ...body, VendorInvoiceID: null, BookedAs: 'INCOME', Ppn: '0' })
    await scene.act('vendors', 'credit-note-supplier', other.ID, 'submit')
    await scene.decide('supplier_credit_note', other.ID)
    expect(await scene.journal('supplier_credit_note', other.ID)).toEqual(['211101 810000.00 0.00', '421103 0.00 810000.00'])
  })
})

describe('AP3: a debit note of 4,400,000 is paid in part, lowered, and the rest credited', () => {
  let note: Record
  let receipt: Record
  const payFor = (value: string) =>
    scene.create('vendors', 'payment-for-dn', { VendorID: vendor.ID, OperatingUnitID: unit, SupplierReceiptID: receipt.ID, DocDate: today(), Lines: [{ DebitNoteID: note.ID, Value: value }] })
  const noteNow = () => scene.read('dn', note.ID)
  const receiptNow = () => scene.read('supplier-payment-receive', receipt.ID)
  const adjusted = async (amount: string) => scene.create('vendors', 'dn-manual-adjustment', {
    DebitNoteID: note.ID, DocDate: today(), Amount: amount, AccountID: await id('account', '421103'), CauseID: (await scene.rows('reason', sql`usage = 'ADJUSTMENT'`))[0]?.id,
  })

  test('3,000,000 come in and are paid for it; taken back, and paid once more', async () => {
    note = await scene.create('vendors', 'dn', { Kind: 'MANUAL', VendorID: vendor.ID, OperatingUnitID: unit, DocDate: today(), Lines: [{ AccountID: await id('account', '421103'), Description: 'Klaim', Price: '4400000' }] })
    await scene.act('vendors', 'dn', note.ID, 'submit')
    await scene.decide('debit_note', note.ID)
    receipt = await scene.create('vendors', 'supplier-payment-receive', { VendorID: vendor.ID, OperatingUnitID: unit, HouseBankID: bank, DocDate: today(), Amount: '3000000' })
    await scene.act('vendors', 'supplier-payment-receive', receipt.ID, 'post')
    const much = await payFor('3000001')
    expect(fields(await scene.tryAct('vendors', 'payment-for-dn', much.ID, 'submit'))).toEqual([['Paid', 'rule.within-receipt']])
    const pays = await payFor('3000000')
    expect(await scene.read('payment-for-dn', pays.ID)).toMatchObject({ Selected: '4400000.00', Paid: '3000000.00', Difference: '0.00' })
    await scene.act('vendors', 'payment-for-dn', pays.ID, 'submit')
    await scene.decide('payment_for_dn', pays.ID)
    expect(await scene.journal('payment_for_dn', pays.ID)).toEqual(['112203 0.00 3000000.00', '212104 3000000.00 0.00'])
    expect([await noteNow(), await receiptNow()]).toMatchObject([{ Status: 2, Remaining: '1400000.00' }, { Status: 3, Unapplied: '0.00' }])
    expect((await scene.tryAct('vendors', 'supplier-payment-receive', receipt.ID, 'reverse', await reason())).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('vendors', 'payment-for-dn', pays.ID, 'request-reversal', await reason())
    await scene.decide('payment_for_dn', pays.ID)
    expect([await noteNow(), await receiptNow()]).toMatchObject([{ Status: 1, Remaining: '4400000.00' }, { Status: 1, Unapplied: '3000000.00' }])
    const again = await payFor('3000000')
    await scene.act('vendors', 'payment-for-dn', again.ID, 'submit')
    await scene.decide('payment_for_dn', again.ID)
  })

  test('less than is paid already is refused; 500,000 less leave 900,000, which a credit note closes without income', async () => {
    const far = await adjusted('-1500000')
    expect((await scene.tryAct('vendors', 'dn-manual-adjustment', far.ID, 'submit')).status).not.toBe(200)
    const fine = await adjusted('-500000')
    await scene.act('vendors', 'dn-manual-adjustment', fine.ID, 'submit')
    await scene.decide('debit_note_adjustment', fine.ID)
    expect(await noteNow()).toMatchObject({ Total: '3900000.00', Remaining: '900000.00' })
    const credit = await scene.create('vendors', 'credit-note-supplier', { VendorID: vendor.ID, OperatingUnitID: unit, DocDate: today(), ScnNumber: 'CN-78', ScnDate: today(), DebitNoteID: note.ID, Dpp: '900000' })
    await scene.act('vendors', 'credit-note-supplier', credit.ID, 'submit')
    await scene.decide('supplier_credit_note', credit.ID)
    expect(await scene.journal('supplier_credit_note', credit.ID)).toEqual(['112203 0.00 900000.00', '211101 900000.00 0.00'])
    expect(await noteNow()).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect(await scene.read('credit-note-supplier', credit.ID)).toMatchObject({ Status: 1, Remaining: '900000.00' })
    await scene.act('payables', 'credit-note-supplier', credit.ID, 'reverse', await reason())
    expect(await noteNow()).toMatchObject({ Status: 2, Remaining: '900000.00' })
  })
})
