import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let vendor: Record
let early: Record
beforeAll(async () => {
  scene = await openScene()
  const term = await scene.create('admin', 'payment-term', { Code: 'V2-10', Name: '2/10 net 30', NetDays: 30, Baseline: 'INVOICE', CashDiscountPct: '2', CashDiscountDays: 10 })
  vendor = await scene.create('admin', 'business-partner', { Code: 'V-JASA', Name: 'PT Jasa Rapi', Kinds: ['VENDOR'], IsPkp: true, ApAccountGroup: 'NON_TRADE', PaymentTermID: await id('payment_term', 'N30') })
  early = await scene.create('admin', 'business-partner', { Code: 'V-DINI', Name: 'PT Bayar Dini', Kinds: ['VENDOR'], IsPkp: true, ApAccountGroup: 'NON_TRADE', PaymentTermID: term.ID })
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const invoiceOf = (ID: number) => scene.read('vendor-invoice', ID)
let numbers = 0

interface Entered {
  readonly of?: Record
  readonly number?: string
  readonly type?: string
  readonly amount: string
  readonly ppn?: string
  readonly more?: object
}

async function body({ of = vendor, number = `F-${(numbers += 1)}`, type = 'E-JASA', amount, ppn = '0', more = {} }: Entered): Promise<object> {
  return {
    VendorID: of.ID, VendorInvoiceNo: number, DocDate: scene.at.clock.today(), OperatingUnitID: await id('operating_unit', 'JKT'), ContractNo: 'SPK-1', Ppn: ppn,
    Lines: [{ ExpenseTypeID: await id('expense_type', type), Qty: '1', Price: amount }], ...more,
  }
}
const entered = async (what: Entered) => scene.create('vendors', 'vendor-invoice', await body(what))
async function registered(what: Entered): Promise<Record> {
  const made = await entered(what)
  return scene.act('vendors', 'vendor-invoice', made.ID, 'register')
}
async function posted(what: Entered): Promise<Record> {
  const made = await registered(what)
  await scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
  return invoiceOf(made.ID)
}
const draftPayment = async (of: Record, lines: readonly object[], more: object = {}) => scene.create('vendors', 'ap-payment', {
  VendorID: of.ID, OperatingUnitID: await id('operating_unit', 'JKT'), HouseBankID: await id('house_bank', 'BCA1'), DocDate: scene.at.clock.today(), Lines: lines, ...more,
})
async function paid(of: Record, lines: readonly object[], more: object = {}): Promise<Record> {
  const made = await draftPayment(of, lines, more)
  await scene.act('vendors', 'ap-payment', made.ID, 'submit')
  await scene.decide('ap_payment', made.ID)
  return scene.read('ap-payment', made.ID)
}
async function reversed(resource: string, kind: string, ID: number): Promise<Record> {
  await scene.act('vendors', resource, ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide(kind, ID)
  return scene.read(resource, ID)
}
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]

describe('an invoice without order is registered, matched, posted, paid and taken back', () => {
  let invoice: Record
  test('service of 10,000,000 with VAT 1,100,000 and income tax 2 %: due from its term, payable 10,900,000', async () => {
    invoice = await registered({ amount: '10000000', ppn: '1100000', more: { FakturNumber: '04002500012345678', FakturDate: scene.at.clock.today() } })
    expect(invoice).toMatchObject({ Status: 8, ValidationStatus: 'MATCHED', Dpp: '10000000.00', Pph: '200000.00', Total: '10900000.00', DueDate: '2026-12-20' })
    await scene.act('vendors', 'vendor-invoice', invoice.ID, 'submit')
    invoice = await invoiceOf(invoice.ID)
    expect(invoice).toMatchObject({ Status: 1, Remaining: '10900000.00' })
    expect(invoice.Code).toMatch(/^VI\/JKT\/2611\/\d{5}$/)
    expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['114101 1100000.00 0.00', '211102 0.00 10900000.00', '213103 0.00 200000.00', '615101 10000000.00 0.00'])
  })

  test('a part of it is paid with a bank fee, the rest later; both can be taken back', async () => {
    const first = await paid(vendor, [{ VendorInvoiceID: invoice.ID, Amount: '4000000' }], { BankFee: '6500' })
    expect(await scene.journal('ap_payment', first.ID)).toEqual(['211102 4000000.00 0.00', '214101 0.00 4006500.00', '613103 6500.00 0.00'])
    expect(await invoiceOf(invoice.ID)).toMatchObject({ Status: 2, Remaining: '6900000.00' })
    expect(errorsOf(await scene.tryAct('vendors', 'ap-payment', (await draftPayment(vendor, [{ VendorInvoiceID: invoice.ID, Amount: '6900001' }])).ID, 'submit'))).toEqual(['EXCEEDS_REMAINING', ['Lines[0].Amount', 'field.EXCEEDS_REMAINING.most']])
    const second = await paid(vendor, [{ VendorInvoiceID: invoice.ID, Amount: '6900000' }])
    expect(await invoiceOf(invoice.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect(errorsOf(await scene.tryAct('payables', 'vendor-invoice', invoice.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') }))[0]).toBe('ILLEGAL_TRANSITION')
    expect(await reversed('ap-payment', 'ap_payment', second.ID)).toMatchObject({ Status: 7 })
    expect(await invoiceOf(invoice.ID)).toMatchObject({ Status: 2, Remaining: '6900000.00' })
    await reversed('ap-payment', 'ap_payment', first.ID)
    expect(await invoiceOf(invoice.ID)).toMatchObject({ Status: 1, Remaining: '10900000.00' })
    const flow = await scene.people.admin.get(`/api/v1/data/vendor-invoice/${invoice.ID}/flow`)
    expect(flow.data.records.map(({ DocType }: Record) => DocType)).toContain('ap_payment')
  })

  test('a payment that waits holds its invoice: it is not offered, asked for or proposed a second time, but decided', async () => {
    const [a, b] = [await draftPayment(vendor, [{ VendorInvoiceID: invoice.ID, Amount: '10000000' }]), await draftPayment(vendor, [{ VendorInvoiceID: invoice.ID, Amount: '900001' }])]
    await scene.act('vendors', 'ap-payment', a.ID, 'submit')
    const header = { OperatingUnitID: await id('operating_unit', 'JKT'), HouseBankID: await id('house_bank', 'BCA1'), DocDate: scene.at.clock.today() }
    const offered = async (command: string, more: object): Promise<string[]> => (await scene.command('vendors', command, { ...header, ...more, Lines: [] })).record.Lines.map((line: Record) => line.Amount)
    const due = { PayUntil: '2027-12-31', VendorID: vendor.ID }
    expect([await offered('derive-ap-payment', { VendorID: vendor.ID }), await offered('derive-payment-proposal', due)]).toEqual([['900000.00'], ['900000.00']])
    const held = [['Lines[0].Amount', 'field.EXCEEDS_REMAINING.held']]
    expect(errorsOf(await scene.tryAct('vendors', 'ap-payment', b.ID, 'submit')).slice(1)).toEqual(held)
    const proposed = await scene.create('vendors', 'payment-proposal', { ...header, PayUntil: '2027-12-31', Lines: [{ VendorInvoiceID: invoice.ID, Amount: '900001' }] })
    expect(errorsOf(await scene.tryAct('vendors', 'payment-proposal', proposed.ID, 'submit')).slice(1)).toEqual(held)
    await scene.act('vendors', 'payment-proposal', proposed.ID, 'cancel', { ReasonText: 'Ganda' })
    await scene.decide('ap_payment', a.ID)
    await reversed('ap-payment', 'ap_payment', a.ID)
    await scene.act('vendors', 'ap-payment', b.ID, 'submit')
    expect(await offered('derive-payment-proposal', due)).toEqual(['9999999.00'])
    await scene.decide('ap_payment', b.ID, 'reject')
    expect(await offered('derive-payment-proposal', due)).toEqual(['10900000.00'])
  })

  test('it is taken back as a whole', async () => {
    expect(await reversed('vendor-invoice', 'vendor_invoice', invoice.ID)).toMatchObject({ Status: 7, Remaining: '0.00' })
    expect(await scene.rows('journal_line', sql`journal_id in (select id from journal where source_doc_type = 'vendor_invoice' and source_doc_id = ${invoice.ID} and source_event = 'AP_NONTRADE_REV')`)).toHaveLength(4)
  })
})

describe('AP1: numbers of a vendor', () => {
  test('the same letters and digits are the same invoice; leading zeros are warned of; a reversed one frees its number', async () => {
    const first = await posted({ number: 'INV-0123', type: 'E-LISTRIK', amount: '500000' })
    for (const number of ['inv 0123', 'INV/0123 ']) {
      const answer = await scene.people.vendors.post('/api/v1/data/vendor-invoice', await body({ number, type: 'E-LISTRIK', amount: '500000' }), { key: scene.key() })
      expect(answer.status).toBe(409)
      expect([answer.code, answer.data.errors[0].field, answer.data.errors[0].params.document]).toEqual(['DUPLICATE_DOCUMENT', 'VendorInvoiceNo', first.Code])
    }
    const later = await scene.people.vendors.post('/api/v1/data/vendor-invoice', await body({ number: 'INV-0123', type: 'E-LISTRIK', amount: '1', more: { DocDate: '2026-11-19' } }), { key: scene.key() })
    expect(later.status).toBe(409)
    const short = await entered({ number: 'INV-123', type: 'E-LISTRIK', amount: '500000' })
    const warned = await scene.tryAct('vendors', 'vendor-invoice', short.ID, 'register')
    expect(warned.data.warnings[0].id).toBe('VENDOR_NUMBER_ZEROS')
    await scene.act('vendors', 'vendor-invoice', short.ID, 'register', {}, { acknowledge: ['VENDOR_NUMBER_ZEROS'] })
    await scene.act('vendors', 'vendor-invoice', short.ID, 'cancel', { ReasonText: 'Salah ketik' })
    // Another vendor may use the same.
    await entered({ of: early, number: 'INV-0123', type: 'E-LISTRIK', amount: '500000' })
    await reversed('vendor-invoice', 'vendor_invoice', first.ID)
    await entered({ number: 'inv0123', type: 'E-LISTRIK', amount: '500000' })
  })
})

describe('an exception is forced by somebody else, with a reason', () => {
  test('no contract and VAT that is not borne: both are told, forced, posted', async () => {
    const made = await registered({ amount: '2000000', ppn: '300000', more: { ContractNo: null } })
    expect(made.ValidationStatus).toBe('EXCEPTION')
    expect(made.VendorInvoiceMatch.map(({ Rule, Expected, Actual, Difference, IsFine }: Record) => [Rule, Expected, Actual, Difference, IsFine])).toEqual([
      ['CONTRACT', '615101 11/2026', '', '', false], ['AP_TAX', '220,000.00', '300,000.00', '80,000.00', false],
    ])
    expect((await scene.tryAct('vendors', 'vendor-invoice', made.ID, 'submit')).data.errors[0].key).toBe('rule.matched')
    expect((await scene.tryAct('vendors', 'vendor-invoice', made.ID, 'force-valid')).data.errors[0].key).toBe('field.REQUIRED.reason')
    await scene.act('vendors', 'vendor-invoice', made.ID, 'force-valid', { ReasonText: 'Disetujui direksi' })
    const [request] = await scene.rows('approval_request', sql`doc_type = 'vendor_invoice' and doc_id = ${made.ID} and status = 4`)
    expect(request.reasons.map(({ code }: Record) => code)).toEqual(['CONTRACT', 'AP_TAX', 'FORCED'])
    await scene.decide('vendor_invoice', made.ID)
    expect(await invoiceOf(made.ID)).toMatchObject({ Status: 1, ValidationStatus: 'VALID', Total: '2260000.00' })
    expect(await scene.journal('vendor_invoice', made.ID)).toEqual(['114102 300000.00 0.00', '211102 0.00 2260000.00', '213103 0.00 40000.00', '615101 2000000.00 0.00'])
    await scene.act('vendors', 'vendor-invoice', made.ID, 'enter-faktur', { FakturNumber: '04002500099999999', FakturDate: scene.at.clock.today() })
    expect(await invoiceOf(made.ID)).toMatchObject({ Status: 1, FakturNumber: '04002500099999999' })
    const moved = await scene.rows('journal_line', sql`journal_id in (select id from journal where source_doc_id = ${made.ID} and source_event = 'FAKTUR_IN')`)
    expect(moved.map(({ debit, credit }: Record) => [debit, credit])).toEqual([['300000.00', '0.00'], ['0.00', '300000.00']])
    await reversed('vendor-invoice', 'vendor_invoice', made.ID)
    expect(await scene.rows('journal', sql`source_doc_id = ${made.ID} and source_event = 'FAKTUR_IN_REV'`)).toHaveLength(1)
  })
})

describe('PP3: 2 % within ten days', () => {
  const granted = () => posted({ of: early, amount: '15000000', type: 'E-LISTRIK', ppn: '0', more: { DocDate: '2026-11-02' } })
  test('on the last day 300,000 is kept back, the day after nothing', async () => {
    const [one, two] = [await granted(), await granted()]
    expect(one).toMatchObject({ DiscountUntil: '2026-11-12', Discount: '300000.00', DueDate: '2026-12-02' })
    const inTime = await paid(early, [{ VendorInvoiceID: one.ID, Amount: '15000000' }], { DocDate: '2026-11-12' })
    expect(inTime).toMatchObject({ Amount: '14700000.00', Discount: '300000.00' })
    expect(await scene.journal('ap_payment', inTime.ID)).toEqual(['211102 15000000.00 0.00', '214101 0.00 14700000.00', '421103 0.00 300000.00'])
    expect((await scene.rows('ar_allocation', sql`item_type = 'vendor_invoice' and item_id = ${one.ID}`)).map(({ source_type: source, amount }: Record) => [source, amount])).toEqual([['AP_PAYMENT', '14700000.00'], ['CASH_DISCOUNT', '300000.00']])
    expect(await invoiceOf(one.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    const late = await paid(early, [{ VendorInvoiceID: two.ID, Amount: '15000000' }], { DocDate: '2026-11-13' })
    expect(late).toMatchObject({ Amount: '15000000.00', Discount: '0.00' })
  })

  test('a part paid in time keeps its share: 7,350,000 and 150,000', async () => {
    const invoice = await granted()
    expect(await paid(early, [{ VendorInvoiceID: invoice.ID, Amount: '7500000' }], { DocDate: '2026-11-12' })).toMatchObject({ Amount: '7350000.00', Discount: '150000.00' })
    expect(await invoiceOf(invoice.ID)).toMatchObject({ Status: 2, Remaining: '7500000.00' })
  })
})

test('who enters does not decide, blocked vendors are not paid, other vendors’ invoices are refused', async () => {
  const invoice = await posted({ amount: '1000000', type: 'E-LISTRIK' })
  const mine = await draftPayment(early, [])
  expect((await scene.people.vendors.post('/api/v1/data/ap-payment', { ...(await scene.read('ap-payment', mine.ID)), ID: undefined }, { key: scene.key() })).status).not.toBe(500)
  const wrongVendor = await scene.people.vendors.post('/api/v1/data/ap-payment', { VendorID: early.ID, OperatingUnitID: await id('operating_unit', 'JKT'), HouseBankID: await id('house_bank', 'BCA1'), DocDate: scene.at.clock.today(), Lines: [{ VendorInvoiceID: invoice.ID, Amount: '1000000' }] }, { key: scene.key() })
  expect(errorsOf(await scene.tryAct('vendors', 'ap-payment', wrongVendor.data.record.ID, 'submit'))).toEqual(['VALIDATION_FAILED', ['Lines[0].VendorInvoiceID', 'field.NOT_IN_SCOPE.open-item']])
  const { Version } = await scene.read('business-partner', vendor.ID)
  await scene.people.admin.put(`/api/v1/data/business-partner/${vendor.ID}`, { BlockPayment: true }, { key: scene.key(), version: Version })
  const blocked = await draftPayment(vendor, [{ VendorInvoiceID: invoice.ID, Amount: '1' }])
  expect((await scene.tryAct('vendors', 'ap-payment', blocked.ID, 'submit')).data.errors?.[0].field ?? 'none').toBe('VendorID')
})

describe('a file for the bank', () => {
  const fileOf = async (url: string) => (await scene.at.app.inject({ url, headers: { authorization: `Bearer ${scene.people.vendors.token}` } })).body

  test('holds each payment once, is had again, keeps its payments from being reversed, and frees them when it is cancelled', async () => {
    await scene.at.database.run(sql`update business_partner set block_payment = false where id = ${vendor.ID}`)
    const due = await posted({ amount: '4000000', ppn: '440000' })
    const one = await paid(vendor, [{ VendorInvoiceID: due.ID, Amount: '1500000' }], { PayeeAccount: '7770001' })
    const other = await paid(vendor, [{ VendorInvoiceID: due.ID, Amount: '2500000' }])
    const head = { HouseBankID: await id('house_bank', 'BCA1'), OperatingUnitID: await id('operating_unit', 'JKT'), DocDate: scene.at.clock.today(), ExecutionDate: scene.at.clock.today() }
    const draft = await scene.create('vendors', 'payment-file', { ...head, Lines: [{ ApPaymentID: one.ID }, { ApPaymentID: other.ID }] })
    const refused = await scene.tryAct('vendors', 'payment-file', draft.ID, 'post')
    expect(errorsOf(refused)).toEqual(['VALIDATION_FAILED', ['Lines[1].ApPaymentID', 'rule.payee-account-known']])
    await scene.at.database.run(sql`update business_partner set bank_account_no = '8880002', bank_account_name = 'Jasa Rapi PT' where id = ${vendor.ID}`)
    await scene.act('vendors', 'payment-file', draft.ID, 'post')
    const file = await scene.read('payment-file', draft.ID)
    expect([file.Status, file.Total, (await scene.read('ap-payment', one.ID)).Filed]).toEqual([1, '4000000.00', '1500000.00'])
    const xml = await fileOf(`/api/v1/payment-file/${draft.ID}`)
    expect(xml.match(/<InstdAmt Ccy="IDR">[^<]+/g)).toEqual(['<InstdAmt Ccy="IDR">1500000.00', '<InstdAmt Ccy="IDR">2500000.00'])
    expect(xml).toContain('<Id><Othr><Id>7770001</Id></Othr></Id>')
    expect(xml).toContain('<Nm>Jasa Rapi PT</Nm>')
    const twice = await scene.create('vendors', 'payment-file', { ...head, Format: 'DELIMITED', Lines: [{ ApPaymentID: one.ID }] })
    expect((await scene.tryAct('vendors', 'payment-file', twice.ID, 'post')).data.errors[0].key).toBe('field.NOT_OPEN.filed')
    expect((await scene.tryAct('vendors', 'ap-payment', one.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })).data.errors[0].key).toBe('rule.not-in-a-bank-file')
    await scene.act('vendors', 'payment-file', draft.ID, 'cancel', { ReasonText: 'Batal' })
    await scene.act('vendors', 'payment-file', twice.ID, 'post')
    expect(await fileOf(`/api/v1/payment-file/${twice.ID}`)).toContain(`,7770001,Jasa Rapi PT,`)
    await scene.act('vendors', 'payment-file', twice.ID, 'cancel', { ReasonText: 'Batal' })
    await reversed('ap-payment', 'ap_payment', one.ID)
  })
})
