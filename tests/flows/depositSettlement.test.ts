import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '#server/ledger/invariants.ts'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const makmur = 'C0000001'
const other = 'C0000002'
const id = (table: string, code: string) => scene.at.id(table, code)
const deposit = (ID: number) => scene.read('customer-deposit', ID)

async function deposited(amount: string, more: object = {}): Promise<Record> {
  const made = await scene.create('admin', 'customer-deposit', { CustomerID: await id('customer', makmur), Method: 'TRANSFER', HouseBankID: await id('house_bank', 'BCA1'), Amount: amount, ...more })
  await scene.act('admin', 'customer-deposit', made.ID, 'submit')
  await scene.decide('customer_deposit', made.ID)
  return deposit(made.ID)
}

const apply = (from: Record, lines: readonly object[]) => scene.create('admin', 'customer-deposit-settlement', { CustomerDepositID: from.ID, Kind: 'APPLY', DocDate: scene.at.clock.today(), Lines: lines })
const refund = async (from: Record, amount: string) =>
  scene.create('admin', 'customer-deposit-settlement', { CustomerDepositID: from.ID, Kind: 'REFUND', DocDate: scene.at.clock.today(), Refund: amount, HouseBankID: await id('house_bank', 'BCA1'), PayeeAccount: 'BCA 123', Lines: [] })
const transfer = async (from: Record, amount: string, to = other) =>
  scene.create('admin', 'transfer-customer-deposit', { CustomerDepositID: from.ID, ToCustomerID: await id('customer', to), DocDate: scene.at.clock.today(), Amount: amount })

async function settled(made: Record, resource = 'customer-deposit-settlement', kind = 'customer_deposit_settlement'): Promise<Record> {
  await scene.act('admin', resource, made.ID, 'submit')
  await scene.decide(kind, made.ID)
  return scene.read(resource, made.ID)
}
const transferred = (made: Record) => settled(made, 'transfer-customer-deposit', 'customer_deposit_transfer')
const reverse = async (made: Record, resource = 'customer-deposit-settlement', kind = 'customer_deposit_settlement') => {
  await scene.act('admin', resource, made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide(kind, made.ID)
  expect((await scene.read(resource, made.ID)).Status).toBe(7)
}
const refusal = async (made: Record, resource = 'customer-deposit-settlement') => {
  const answer = await scene.tryAct('admin', resource, made.ID, 'submit')
  return [answer.code, answer.data.errors?.map(({ field, key }: Record) => [field, key])]
}

describe('DP1: a deposit of 10,000,000 is applied, refunded and handed on', () => {
  let money: Record
  let invoice: Record
  let toInvoice: Record
  let paidBack: Record

  test('6,250,000 is applied to an invoice', async () => {
    money = await deposited('10000000')
    invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '3' }])
    // Lines are ticked among the customer's open invoices, or brought along.
    const offered = (await scene.command('admin', 'derive-customer-deposit-settlement', { CustomerDepositID: money.ID, Kind: 'APPLY', Lines: [] })).record
    expect(offered.Lines).toMatchObject([{ InvoiceID: invoice.ID, Amount: '6435000.00', RemainingAt: '6435000.00' }])
    toInvoice = await settled(await apply(money, [{ InvoiceID: invoice.ID, Amount: '6250000' }]))
    expect(toInvoice).toMatchObject({ Status: 1, Total: '6250000.00', CustomerCode: makmur, OperatingUnitCode: 'JKT' })
    expect(await scene.journal('customer_deposit_settlement', toInvoice.ID)).toEqual(['112101 0.00 6250000.00', '212101 6250000.00 0.00'])
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 2, Remaining: '185000.00' })
    expect(await deposit(money.ID)).toMatchObject({ Status: 2, Remaining: '3750000.00' })
  })

  test('a refund that waits holds its amount from everybody else (D12)', async () => {
    paidBack = await refund(money, '2000000')
    await scene.act('admin', 'customer-deposit-settlement', paidBack.ID, 'submit')
    expect(await refusal(await transfer(money, '1750001'), 'transfer-customer-deposit')).toEqual(['EXCEEDS_REMAINING', [['Amount', 'field.EXCEEDS_REMAINING.most']]])
    const larger = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
    await expect(scene.pay(makmur, '0', [{ InvoiceID: larger.ID, Paid: '1750001', ReasonID: await id('reason', 'R01'), Credits: [{ Source: 'DEPOSIT', SourceID: money.ID, Amount: '1750001' }] }])).rejects.toThrow('EXCEEDS_SOURCE')
    const offered = await scene.people.admin.get('/api/v1/payment/cust-deposit/list', { customer_id: await id('customer', makmur) })
    expect(offered.data.records.find(({ ID }: Record) => ID === money.ID), 'nor is it offered').toMatchObject({ Remaining: '1750000.00' })
    await scene.decide('customer_deposit_settlement', paidBack.ID)
    expect(await scene.journal('customer_deposit_settlement', paidBack.ID)).toEqual(['212101 2000000.00 0.00', '214101 0.00 2000000.00'])
  })

  test('1,000,000 goes to another customer; 800,000 more than is left is refused and books nothing', async () => {
    const moved = await transferred(await transfer(money, '1000000'))
    expect(await scene.journal('customer_deposit_transfer', moved.ID)).toEqual(['212101 1000000.00 1000000.00'])
    expect(await deposit(moved.ToDepositID)).toMatchObject({ CustomerCode: other, Origin: 'TRANSFER', Amount: '1000000.00', Remaining: '1000000.00', Status: 1, TransferID: moved.ID })
    expect(await deposit(money.ID)).toMatchObject({ Status: 2, Remaining: '750000.00' })
    const more = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
    const refused = await apply(money, [{ InvoiceID: more.ID, Amount: '800000' }])
    expect(await refusal(refused)).toEqual(['EXCEEDS_REMAINING', [['Total', 'field.EXCEEDS_REMAINING.most']]])
    expect(await scene.journal('customer_deposit_settlement', refused.ID)).toEqual([])
    const flow = await scene.people.admin.get(`/api/v1/data/customer-deposit/${money.ID}/flow`)
    const kinds = flow.data.records.map(({ DocType }: Record) => DocType)
    for (const kind of ['customer_deposit', 'customer_deposit_settlement', 'customer_deposit_transfer']) expect(kinds).toContain(kind)
    expect((await scene.rows('document_log', sql`doc_type = 'customer_deposit' and doc_id = ${moved.ToDepositID}`)).map(({ action }: Record) => action)).toEqual(['create'])
  })

  test('reversed in any order everything stands as before', async () => {
    await reverse(toInvoice)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: '6435000.00' })
    await reverse(paidBack)
    expect(await deposit(money.ID)).toMatchObject({ Status: 2, Remaining: '9000000.00' })
  })

  test('what is asked of each kind is told at its field', async () => {
    const wrong = async (body: object) => refusal(await scene.create('admin', 'customer-deposit-settlement', { CustomerDepositID: money.ID, DocDate: scene.at.clock.today(), Lines: [], ...body }))
    expect(await wrong({ Kind: 'APPLY' })).toEqual(['VALIDATION_FAILED', [['Applied', 'rule.applies-something']]])
    expect(await wrong({ Kind: 'REFUND', Refund: '100' })).toEqual(['VALIDATION_FAILED', [['PayeeAccount', 'rule.refund-goes-somewhere']]])
    const foreign = await scene.invoiced(other, [{ item: 'D', qty: '1' }])
    expect(await refusal(await apply(money, [{ InvoiceID: foreign.ID, Amount: '1' }]))).toEqual(['VALIDATION_FAILED', [['Lines[0].InvoiceID', 'field.NOT_IN_SCOPE.invoice']]])
    expect(await refusal(await transfer(money, '1', makmur), 'transfer-customer-deposit')).toEqual(['VALIDATION_FAILED', [['ToCustomerID', 'rule.another-customer']]])
  })
})

test('G7: 3,000,000; 1,000,000 to B, 1,500,000 applied, 500,000 paid back; the transfer stays once B has used it', async () => {
  const [a, b] = [await id('customer', makmur), await id('customer', other)]
  const before = { a: Number(await scene.balance('212101', a)), b: Number(await scene.balance('212101', b)) }
  const money = await deposited('3000000')
  const moved = await transferred(await transfer(money, '1000000'))
  const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
  await settled(await apply(money, [{ InvoiceID: invoice.ID, Amount: '1500000' }]))
  await settled(await refund(money, '500000'))
  expect(Number(await scene.balance('212101', a)) - before.a).toBe(0)
  expect(Math.abs(Number(await scene.balance('212101', b)) - before.b)).toBe(1_000_000)
  expect(await deposit(money.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
  const theirs = await scene.invoiced(other, [{ item: 'D', qty: '1' }])
  const used = await settled(await apply({ ID: moved.ToDepositID }, [{ InvoiceID: theirs.ID, Amount: '400000' }]))
  const refused = await scene.tryAct('admin', 'transfer-customer-deposit', moved.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  expect(refused.code).toBe('ILLEGAL_TRANSITION')
  await reverse(used)
  await reverse(moved, 'transfer-customer-deposit', 'customer_deposit_transfer')
  expect(await deposit(moved.ToDepositID)).toMatchObject({ Status: 7, Remaining: '0.00' })
  expect(await deposit(money.ID)).toMatchObject({ Status: 2, Remaining: '1000000.00' })
})

describe('DP2: an advance of 5,550,000 with a tax invoice of its own', () => {
  beforeAll(async () => {
    const [settings] = await scene.rows('setting_finance')
    const record = await scene.read('setting-finance', settings.id)
    await scene.people.admin.put(`/api/v1/data/setting-finance/${settings.id}`, { DepositVat: true }, { version: record.Version, key: scene.key() })
  })

  test('its VAT is booked, goes with each use pro rata and is nothing in the end', async () => {
    const money = await deposited('5550000', { Kind: 'UANG_MUKA' })
    expect(money).toMatchObject({ Vat: '550000.00', VatOpen: '550000.00' })
    expect(await scene.journal('customer_deposit', money.ID)).toEqual(['111302 5550000.00 0.00', '212101 0.00 5550000.00', '213101 0.00 550000.00', '213106 550000.00 0.00'])
    const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '2' }])
    const used = await settled(await apply(money, [{ InvoiceID: invoice.ID, Amount: '3330000' }]))
    expect(await scene.journal('customer_deposit_settlement', used.ID)).toEqual(['112101 0.00 3330000.00', '212101 3330000.00 0.00', '213101 330000.00 0.00', '213106 0.00 330000.00'])
    // The last tax invoice covers what the first one did not.
    const drafted = async () => {
      await scene.command('admin', 'draft-tax-invoices', { Period: '202611' })
      return scene.rows('tax_invoice', sql`invoice_id = ${invoice.ID}`)
    }
    await scene.database.run(sql`update company set npwp = '0123456789012345', is_pkp = true`)
    expect(await drafted()).toMatchObject([{ status: 'DRAFT', dpp: '904505.00', dpp_other: '829129.58', ppn: '99496.00', advance_dpp: '3000000.00', advance_ppn: '330000.00' }])
    const back = await settled(await refund(money, '2220000'))
    expect(await scene.journal('customer_deposit_settlement', back.ID)).toEqual(['212101 2220000.00 0.00', '214101 0.00 2220000.00', '213101 220000.00 0.00', '213106 0.00 220000.00'])
    expect(await scene.balance('213106')).toBe('0.00')
    await reverse(used)
    expect(await deposit(money.ID)).toMatchObject({ Remaining: '3330000.00', VatOpen: '330000.00' })
    expect(await scene.balance('213106')).toBe('330000.00')
    expect(await drafted()).toMatchObject([{ status: 'DRAFT', dpp: '3904505.00', ppn: '429496.00', advance_dpp: '0.00', advance_ppn: '0.00' }])
  })
})
