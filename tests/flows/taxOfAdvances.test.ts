import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const makmur = 'C0000001'
const month = '202611'
const id = (table: string, code: string) => scene.at.id(table, code)

beforeAll(async () => {
  scene = await openScene()
  const [settings] = await scene.rows('setting_finance')
  const record = await scene.read('setting-finance', settings.id)
  await scene.people.admin.put(`/api/v1/data/setting-finance/${settings.id}`, { DepositVat: true }, { version: record.Version, key: scene.key() })
  await scene.database.run(sql`update company set npwp = '0123456789012345', is_pkp = true`)
  await scene.database.run(sql`update customer set npwp = '0987654321098765', tax_id_type = 'TIN', tax_name = 'PT Makmur' where code = ${makmur}`)
  await scene.database.run(sql`insert into tax_invoice_period (period, deadline, status) values (${month}, '2026-12-20', 'OPEN') on conflict do nothing`)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

async function advanced(amount = '5550000'): Promise<number> {
  const made = await scene.create('admin', 'customer-deposit', { CustomerID: await id('customer', makmur), Kind: 'UANG_MUKA', Method: 'TRANSFER', HouseBankID: await id('house_bank', 'BCA1'), Amount: amount })
  await scene.act('admin', 'customer-deposit', made.ID, 'submit')
  await scene.decide('customer_deposit', made.ID)
  return made.ID
}
async function settled(body: object): Promise<Record> {
  const made = await scene.create('admin', 'customer-deposit-settlement', { DocDate: scene.at.clock.today(), Lines: [], ...body })
  await scene.act('admin', 'customer-deposit-settlement', made.ID, 'submit')
  await scene.decide('customer_deposit_settlement', made.ID)
  return made
}
const refund = async (deposit: number, Refund: string) => settled({ CustomerDepositID: deposit, Kind: 'REFUND', Refund, HouseBankID: await id('house_bank', 'BCA1'), PayeeAccount: 'BCA 123' })
const apply = (deposit: number, InvoiceID: number, Amount: string) => settled({ CustomerDepositID: deposit, Kind: 'APPLY', Lines: [{ InvoiceID, Amount }] })
async function reverse(resource: string, kind: string, ID: number): Promise<void> {
  await scene.act('admin', resource, ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide(kind, ID)
}
const tax = async (name: 'draft-tax-invoices' | 'export-tax-invoices') => (await scene.command('admin', name, { Period: month })).results
const fakturs = async (deposit: number) => (await scene.rows('tax_invoice', sql`customer_deposit_id = ${deposit}`)).map(({ status, dpp, dpp_other: other, ppn }: Record) => [status, dpp, other, ppn])
const fakturOf = async (deposit: number): Promise<Record> => scene.read('tax-invoice', (await scene.read('customer-deposit', deposit)).TaxInvoiceID)
async function answered(deposit: number, serial: string): Promise<Record> {
  const faktur = await fakturOf(deposit)
  const sent = await scene.people.admin.put(`/api/v1/data/tax-invoice/${faktur.ID}`, { FakturNumber: `${faktur.TrxCode}00${serial}` }, { version: faktur.Version, key: scene.key() })
  expect(sent.data.record).toMatchObject({ Status: 'APPROVED' })
  return sent.data.record
}

describe('DP2: an advance of 5,550,000 has a tax invoice of its own', () => {
  let money: number

  test('of 5,000,000 and VAT of 550,000, with its buyer; it leads to the advance and back', async () => {
    money = await advanced()
    expect(await scene.read('customer-deposit', money)).toMatchObject({ Dpp: '5000000.00', DppOther: '4583333.33', Vat: '550000.00' })
    await tax('draft-tax-invoices')
    expect(await fakturs(money)).toEqual([['DRAFT', '5000000.00', '4583333.33', '550000.00']])
    const deposit = await scene.read('customer-deposit', money)
    const faktur = await fakturOf(money)
    expect(faktur).toMatchObject({ Code: deposit.Code, CustomerDepositID: money, TrxCode: '04', BuyerName: 'PT Makmur', BuyerNumber: '0987654321098765', DocDate: deposit.PostingDate })
    const flow = await scene.people.admin.get(`/api/v1/data/customer-deposit/${money}/flow`)
    expect(flow.data.records.map(({ DocType }: Record) => DocType)).toContain('tax_invoice')
  })

  test('a part applied is the final tax invoice’s to leave out; a part paid back lowers the draft, and taken back raises it again', async () => {
    const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '2' }])
    await apply(money, invoice.ID, '3330000')
    await tax('draft-tax-invoices')
    expect(await fakturs(money)).toEqual([['DRAFT', '5000000.00', '4583333.33', '550000.00']])
    expect(await scene.rows('tax_invoice', sql`invoice_id = ${invoice.ID}`)).toMatchObject([{ dpp: '904505.00', ppn: '99496.00', advance_dpp: '3000000.00', advance_ppn: '330000.00' }])
    const back = await refund(money, '1110000')
    await tax('draft-tax-invoices')
    expect(await fakturs(money)).toEqual([['DRAFT', '4000000.00', '3666666.66', '440000.00']])
    await reverse('customer-deposit-settlement', 'customer_deposit_settlement', back.ID)
    await tax('draft-tax-invoices')
    expect(await fakturs(money)).toEqual([['DRAFT', '5000000.00', '4583333.33', '550000.00']])
  })

  test('is in the file for Coretax as one line', async () => {
    const [file] = (await tax('export-tax-invoices')).filter(({ ok }: Record) => ok)
    const xml = await scene.at.app.inject({ url: `/api/v1/tax-invoice-xml/${file.ID}`, headers: { authorization: `Bearer ${scene.people.admin.token}` } })
    const { Code } = await scene.read('customer-deposit', money)
    expect(xml.body).toContain(`<RefDesc>${Code}</RefDesc>`)
    expect(xml.body).toContain(`<Name>Uang muka ${Code}</Name>`)
    expect(xml.body).toContain('<TaxBase>5000000.00</TaxBase><OtherTaxBase>4583333.33</OtherTaxBase><VATRate>12</VATRate><VAT>550000.00</VAT>')
  })

  test('once approved, what is paid back of it is left out by its replacement', async () => {
    const first = await answered(money, '2600000000001')
    await refund(money, '2220000')
    expect(await fakturs(money)).toEqual([['APPROVED', '5000000.00', '4583333.33', '550000.00']])
    await scene.command('admin', 'replace-tax-invoice', { IDs: [first.ID], FakturNumber: '04012600000000002', ApprovedOn: scene.at.clock.today() })
    expect(await fakturs(money)).toEqual([['REPLACED', '5000000.00', '4583333.33', '550000.00'], ['APPROVED', '3000000.00', '2750000.00', '330000.00']])
    expect(await fakturOf(money)).toMatchObject({ FakturNumber: '04012600000000002', CustomerDepositID: money })
  })
})

describe('an advance taken back', () => {
  test('drops the draft of its tax invoice, and never gets another', async () => {
    const money = await advanced('1110000')
    await tax('draft-tax-invoices')
    await reverse('customer-deposit', 'customer_deposit', money)
    expect(await fakturs(money)).toEqual([['CANCELLED', '1000000.00', '916666.67', '110000.00']])
    await tax('draft-tax-invoices')
    expect(await fakturs(money)).toHaveLength(1)
  })

  test('stays while its tax invoice has left the house, reversed or paid back whole; once that is cancelled it goes', async () => {
    const money = await advanced('1110000')
    await tax('export-tax-invoices')
    const faktur = await answered(money, '2600000000009')
    const asked = await scene.tryAct('admin', 'customer-deposit', money, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    expect(asked.data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.document-taxed' })
    const whole = await scene.create('admin', 'customer-deposit-settlement', { DocDate: scene.at.clock.today(), CustomerDepositID: money, Kind: 'REFUND', Refund: '1110000', HouseBankID: await id('house_bank', 'BCA1'), PayeeAccount: 'BCA 1', Lines: [] })
    expect((await scene.tryAct('admin', 'customer-deposit-settlement', whole.ID, 'submit')).data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.document-taxed' })
    await scene.command('admin', 'ask-tax-cancellation', { IDs: [faktur.ID], ReasonText: 'Order given up' })
    const [request] = await scene.rows('tax_invoice_cancel_request', sql`tax_invoice_id = ${faktur.ID}`)
    await scene.decide('tax_invoice_cancel_request', request.id)
    await scene.command('admin', 'confirm-tax-cancellation', { IDs: [faktur.ID] })
    await reverse('customer-deposit', 'customer_deposit', money)
    expect(await scene.read('customer-deposit', money)).toMatchObject({ Status: 7, Remaining: '0.00' })
  })
})

test('paid back whole before it is sent, nothing is owed the tax office', async () => {
  const money = await advanced('2220000')
  await tax('draft-tax-invoices')
  await refund(money, '2220000')
  await tax('draft-tax-invoices')
  expect(await fakturs(money)).toEqual([['CANCELLED', '0.00', '0.00', '0.00']])
})

test('a deposit that is no advance owes none', async () => {
  const made = await scene.create('admin', 'customer-deposit', { CustomerID: await id('customer', makmur), Kind: 'TITIPAN', Method: 'TRANSFER', HouseBankID: await id('house_bank', 'BCA1'), Amount: '1110000' })
  await scene.act('admin', 'customer-deposit', made.ID, 'submit')
  await scene.decide('customer_deposit', made.ID)
  await tax('draft-tax-invoices')
  expect(await fakturs(made.ID)).toEqual([])
})
