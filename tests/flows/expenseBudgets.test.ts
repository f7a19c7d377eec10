import { afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let vendor: Record
let unit: number
beforeAll(async () => {
  scene = await openScene()
  unit = await id('operating_unit', 'JKT')
  vendor = await scene.create('admin', 'business-partner', { Code: 'V-JASA', Name: 'PT Jasa Rapi', Kinds: ['VENDOR'], ApAccountGroup: 'NON_TRADE', PaymentTermID: await id('payment_term', 'N30') })
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
let numbers = 0
/** Registered: services on account 615101 in November 2026, without a contract unless said. */
async function registered(amounts: readonly string[], more: object = {}): Promise<Record> {
  const type = await id('expense_type', 'E-LISTRIK')
  const made = await scene.create('vendors', 'vendor-invoice', {
    VendorID: vendor.ID, VendorInvoiceNo: `B-${(numbers += 1)}`, DocDate: scene.at.clock.today(), OperatingUnitID: unit, Ppn: '0', Lines: amounts.map((Price) => ({ ExpenseTypeID: type, Qty: '1', Price })), ...more,
  })
  return scene.act('vendors', 'vendor-invoice', made.ID, 'register')
}
const budgetBody = async (Amount: string, more: object = {}) => ({ Name: 'Beban kantor', OperatingUnitID: unit, AccountID: await id('account', '615101'), Period: '202611', Amount, ...more })
const budget = async (Amount: string, more: object = {}) => scene.create('admin', 'expense-budget', await budgetBody(Amount, more))
const left = async (of: Record) => {
  const { Used, Available } = await scene.read('expense-budget', of.ID)
  return [Used, Available]
}
const checks = ({ VendorInvoiceMatch }: Record) => VendorInvoiceMatch.map(({ Rule, Expected, Actual, Difference, IsFine }: Record) => [Rule, Expected, Actual, Difference, IsFine])
const submit = (of: Record) => scene.tryAct('vendors', 'vendor-invoice', of.ID, 'submit')
async function reversed(of: Record): Promise<void> {
  await scene.act('vendors', 'vendor-invoice', of.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide('vendor_invoice', of.ID)
}

let office: Record
let first: Record
test('without contract and budget it is an exception that says which account; a budget set up late counts what is posted already', async () => {
  const contracted = await registered(['400000'], { ContractNo: 'SPK-1' })
  await scene.act('vendors', 'vendor-invoice', contracted.ID, 'submit')
  first = await registered(['600000', '1000000'])
  expect([first.ValidationStatus, checks(first)[0]]).toEqual(['EXCEPTION', ['CONTRACT', '615101 11/2026', '', '', false]])
  await budget('9000000', { OperatingUnitID: await id('operating_unit', 'BDG') })
  await budget('9000000', { Period: '202610' })
  await budget('9000000', { AccountID: await id('account', '421103') })
  await budget('9000000', { Period: '202612', IsActive: false })
  const again = await scene.act('vendors', 'vendor-invoice', first.ID, 'match-again')
  expect(again.ValidationStatus, 'another unit, month or account is no ground').toBe('EXCEPTION')
  office = await budget('2000000')
  expect(await left(office)).toEqual(['400000.00', '1600000.00'])
  await reversed(contracted)
  expect(await left(office)).toEqual(['0.00', '2000000.00'])
  expect((await scene.people.admin.post('/api/v1/data/expense-budget', await budgetBody('1'), { key: scene.key() })).status, 'one budget an account, unit and month').toBe(409)
})

test('within the budget it is matched and uses it up when it is posted; taken back it gives it back', async () => {
  first = await scene.act('vendors', 'vendor-invoice', first.ID, 'match-again')
  expect([first.ValidationStatus, checks(first)[0]]).toEqual(['MATCHED', ['BUDGET', '2,000,000.00 (Beban kantor)', '1,600,000.00', '', true]])
  expect(await left(office), 'nothing is used before it is posted').toEqual(['0.00', '2000000.00'])
  await scene.act('vendors', 'vendor-invoice', first.ID, 'submit')
  expect(await left(office)).toEqual(['1600000.00', '400000.00'])
  const exact = await registered(['400000'])
  await scene.act('vendors', 'vendor-invoice', exact.ID, 'submit')
  expect(await left(office)).toEqual(['2000000.00', '0.00'])
  await reversed(exact)
  expect(await left(office)).toEqual(['1600000.00', '400000.00'])
})

test('beyond the budget it is an exception; forced, its approver reads by how much, and the budget is overdrawn', async () => {
  const over = await registered(['250000', '250000'])
  expect([over.ValidationStatus, checks(over)[0]]).toEqual(['EXCEPTION', ['BUDGET', '400,000.00 (Beban kantor)', '500,000.00', '100,000.00', false]])
  expect((await submit(over)).data.errors[0].key).toBe('rule.matched')
  await scene.act('vendors', 'vendor-invoice', over.ID, 'force-valid', { ReasonText: 'Mendesak' })
  const [request] = await scene.rows('approval_request', sql`doc_type = 'vendor_invoice' and doc_id = ${over.ID} and status = 4`)
  expect(request.reasons.map(({ code, text }: Record) => [code, text])).toEqual([['BUDGET', 'Budget: 400,000.00 (Beban kantor) left, 500,000.00 invoiced, 100,000.00 too much'], ['FORCED', 'Mendesak']])
  await scene.decide('vendor_invoice', over.ID)
  expect(await left(office)).toEqual(['2100000.00', '-100000.00'])
  await reversed(over)
})

test('a contract needs no budget and uses it up all the same', async () => {
  const contracted = await registered(['3000000'], { ContractNo: 'SPK-2' })
  expect([contracted.ValidationStatus, checks(contracted)[0]]).toEqual(['MATCHED', ['CONTRACT', '', 'SPK-2', '', true]])
  await scene.act('vendors', 'vendor-invoice', contracted.ID, 'submit')
  expect(await left(office)).toEqual(['4600000.00', '-2600000.00'])
  await reversed(contracted)
})

test('of two at once that both fit alone only one takes the last of the budget', async () => {
  const both = [await registered(['300000']), await registered(['300000'])]
  expect(both.map(({ ValidationStatus }) => ValidationStatus)).toEqual(['MATCHED', 'MATCHED'])
  const answers = await Promise.all(both.map(submit))
  expect(answers.map(({ code }) => code).sort()).toEqual(['VALIDATION_FAILED', 'success'])
  expect(answers.flatMap(({ data }) => data.errors?.map(({ key }: Record) => key) ?? [])).toEqual(['field.INVALID.exception'])
  expect(await left(office)).toEqual(['1900000.00', '100000.00'])
})

test('what invoices have used it by keeps its account, unit and month; its amount may change', async () => {
  const { Version } = await scene.read('expense-budget', office.ID)
  const moved = await scene.people.admin.put(`/api/v1/data/expense-budget/${office.ID}`, { Period: '202612' }, { key: scene.key(), version: Version })
  expect(moved.data.errors).toMatchObject([{ field: 'Period' }])
  expect((await scene.people.admin.put(`/api/v1/data/expense-budget/${office.ID}`, { Amount: '2500000' }, { key: scene.key(), version: Version })).code).toBe('success')
  expect(await left(office)).toEqual(['1900000.00', '600000.00'])
  expect((await scene.people.vendors.post('/api/v1/data/expense-budget', await budgetBody('1', { Period: '202701' }), { key: scene.key() })).status, 'who enters invoices sets up no budget').toBe(403)
})
