import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const [abroad, other] = ['C0000002', 'C0000001']
let usdBank = 0

async function rateToday(rate: string): Promise<void> {
  await scene.database.run(sql`delete from exchange_rate where currency = 'USD' and rate_date = ${today()}::date`)
  await insertRows(scene.database, 'exchange_rate', [{ currency: 'USD', rate_date: today(), kind: 'BI', rate }])
}

beforeAll(async () => {
  scene = await openScene()
  const from = { valid_from: '2025-01-01' }
  const [set] = await insertRows(scene.database, 'price_set', [{ code: 'EXPORT', name: 'Export', scheme: 'V3', scope_kind: 'CUSTOMER', currency: 'USD', status: 1, ...from }])
  // With VAT one D is USD 1,000.
  await insertRows(scene.database, 'list_price', [{ price_set_id: set, item_id: await id('item', 'D'), uom: 'CTN', min_qty: '0', price: '900.90', ...from }])
  await scene.database.run(sql`update customer set price_set_id = ${set}`)
  await scene.database.run(sql`update credit_limit set amount = 2000000000`)
  ;[usdBank = 0] = await insertRows(scene.database, 'house_bank', [{
    code: 'USD1', operating_unit_id: await id('operating_unit', 'JKT'), name: 'BCA USD', bank_id: await id('bank', 'BCA'), account_no: '999', account_name: 'PT Arus', currency: 'USD', gl_account_id: await id('account', '111202'), is_collection: true,
  }])
})
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

const today = () => scene.at.clock.today()
const id = (table: string, code: string) => scene.at.id(table, code)
const base = async (table: string, ID: number): Promise<Record> => (await scene.rows(table, sql`id = ${ID}`))[0]
const invoiceOf = (qty = '1', customer = abroad): Promise<Record> => scene.invoiced(customer, [{ item: 'D', qty }])

async function deposited(amount: string, rate: string): Promise<Record> {
  await rateToday(rate)
  const draft = await scene.create('admin', 'customer-deposit', { CustomerID: await id('customer', abroad), Method: 'TRANSFER', HouseBankID: usdBank, Amount: amount, DocDate: today() })
  await scene.act('admin', 'customer-deposit', draft.ID, 'submit')
  await scene.decide('customer_deposit', draft.ID)
  return draft
}

const apply = (from: number, lines: readonly object[]) => scene.create('admin', 'customer-deposit-settlement', { CustomerDepositID: from, Kind: 'APPLY', DocDate: today(), Lines: lines })
const refund = (from: number, amount: string, bank = usdBank) =>
  scene.create('admin', 'customer-deposit-settlement', { CustomerDepositID: from, Kind: 'REFUND', DocDate: today(), Refund: amount, HouseBankID: bank, PayeeAccount: 'BCA 123', Lines: [] })
const transfer = async (from: number, amount: string) => scene.create('admin', 'transfer-customer-deposit', { CustomerDepositID: from, ToCustomerID: await id('customer', other), DocDate: today(), Amount: amount })

type Kind = readonly [resource: string, kind: string]
const settlement: Kind = ['customer-deposit-settlement', 'customer_deposit_settlement']
const handedOn: Kind = ['transfer-customer-deposit', 'customer_deposit_transfer']
const noteTransfer: Kind = ['credit-note-transfer', 'credit_note_transfer']
async function settled(made: Record, [resource, kind] = settlement): Promise<Record> {
  await scene.act('admin', resource, made.ID, 'submit')
  await scene.decide(kind, made.ID)
  return scene.read(resource, made.ID)
}
async function reverse(made: Record, [resource, kind] = settlement): Promise<void> {
  await scene.act('admin', resource, made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide(kind, made.ID)
  expect((await scene.read(resource, made.ID)).Status).toBe(7)
}

describe('a deposit of USD 500 received at 15,700', () => {
  test('D39: USD 200 and then the rest settle an invoice of 16,000, at whatever the day’s rate is', async () => {
    const money = await deposited('500', '15700')
    await rateToday('16000')
    const invoice = await invoiceOf()
    await rateToday('16300')
    const offered = (await scene.command('admin', 'derive-customer-deposit-settlement', { CustomerDepositID: money.ID, Kind: 'APPLY', Lines: [] })).record
    expect(offered).toMatchObject({ Currency: 'USD', Lines: [{ InvoiceID: invoice.ID, RemainingAt: '1000.00' }] })
    const first = await settled(await apply(money.ID, [{ InvoiceID: invoice.ID, Amount: '200' }]))
    expect(first).toMatchObject({ Status: 1, Currency: 'USD', Total: '200.00' })
    // What was worth 3,140,000 settles 3,200,000.
    expect(await scene.journal('customer_deposit_settlement', first.ID)).toEqual(['112101 0.00 3200000.00', '212101 3140000.00 0.00', '614101 60000.00 0.00'])
    expect(await base('invoice', invoice.ID)).toMatchObject({ status: 2, remaining: '800.00', base_remaining: '12800000.00' })
    const rest = await settled(await apply(money.ID, [{ InvoiceID: invoice.ID, Amount: '300' }]))
    expect(await base('customer_deposit', money.ID)).toMatchObject({ status: 3, base_remaining: '0.00' })
    await reverse(first)
    await reverse(rest)
    expect(await base('customer_deposit', money.ID)).toMatchObject({ status: 1, remaining: '500.00', base_remaining: '7850000.00' })
    expect(await base('invoice', invoice.ID)).toMatchObject({ status: 1, base_remaining: '16000000.00' })
  })

  test('USD 300 are paid back from an account in dollars at 16,000: 90,000 are lost; the bank pays what the books owe it', async () => {
    const money = await deposited('500', '15700')
    await rateToday('16000')
    const inRupiah = await scene.tryAct('admin', 'customer-deposit-settlement', (await refund(money.ID, '300', await id('house_bank', 'BCA1'))).ID, 'submit')
    expect(inRupiah.data.errors).toMatchObject([{ field: 'HouseBankID', key: 'rule.refund-bank-currency' }])
    const back = await settled(await refund(money.ID, '300'))
    expect(await scene.journal('customer_deposit_settlement', back.ID)).toEqual(['212101 4710000.00 0.00', '214101 0.00 4800000.00', '614101 90000.00 0.00'])
    expect(await scene.rows('ap_payment', sql`deposit_settlement_id = ${back.ID}`)).toMatchObject([{ currency: 'USD', rate: '16000.000000', amount: '300.00', status: 1 }])
    await reverse(back)
    expect(await base('customer_deposit', money.ID)).toMatchObject({ status: 1, base_remaining: '7850000.00' })
    const again = await settled(await refund(money.ID, '500'))
    const [payment] = await scene.rows('ap_payment', sql`deposit_settlement_id = ${again.ID}`)
    await rateToday('16400')
    const statement = await scene.create('admin', 'bank-statement', { HouseBankID: usdBank, DocDate: today(), StatementNo: 'USD-1', OpeningBalance: '0', ClosingBalance: '-500', Lines: [{ ValueDate: today(), Debit: '500', MatchType: 'AP_PAYMENT', ApPaymentID: payment.id }] })
    await scene.act('admin', 'bank-statement', statement.ID, 'submit')
    await scene.decide('bank_statement', statement.ID)
    const [line] = await scene.rows('bank_statement_line', sql`bank_statement_id = ${statement.ID}`)
    expect(await scene.journal('bank_statement_line', line.id)).toEqual(['111202 0.00 8000000.00', '214101 8000000.00 0.00'])
    expect(await scene.balance('214101')).toBe('0.00')
  })

  test('USD 200 are handed to another customer at the rate they came at: nothing is gained or lost until he uses them', async () => {
    const money = await deposited('500', '15700')
    await rateToday('16000')
    const moved = await settled(await transfer(money.ID, '200'), handedOn)
    expect(moved).toMatchObject({ Currency: 'USD', Rate: '15700.000000' })
    expect(await scene.journal('customer_deposit_transfer', moved.ID)).toEqual(['212101 3140000.00 3140000.00'])
    expect(await base('customer_deposit', moved.ToDepositID)).toMatchObject({ currency: 'USD', rate: '15700.000000', amount: '200.00', base_remaining: '3140000.00', status: 1 })
    const invoice = await invoiceOf('1', other)
    const used = await settled(await apply(moved.ToDepositID, [{ InvoiceID: invoice.ID, Amount: '200' }]))
    expect(await scene.journal('customer_deposit_settlement', used.ID)).toEqual(['112101 0.00 3200000.00', '212101 3140000.00 0.00', '614101 60000.00 0.00'])
    await reverse(used)
    await reverse(moved, handedOn)
    expect(await base('customer_deposit', moved.ToDepositID)).toMatchObject({ status: 7, remaining: '0.00', base_remaining: '0.00' })
    expect(await base('customer_deposit', money.ID)).toMatchObject({ remaining: '500.00', base_remaining: '7850000.00' })
  })

  test('settles nothing in rupiah', async () => {
    const money = await deposited('100', '15700')
    await scene.database.run(sql`update customer set price_set_id = null where code = ${abroad}`)
    const inRupiah = await invoiceOf()
    await scene.database.run(sql`update customer set price_set_id = (select id from price_set where code = 'EXPORT') where code = ${abroad}`)
    const answer = await scene.tryAct('admin', 'customer-deposit-settlement', (await apply(money.ID, [{ InvoiceID: inRupiah.ID, Amount: '100' }])).ID, 'submit')
    expect(answer.data.errors).toMatchObject([{ field: 'Lines[0].InvoiceID', key: 'field.NOT_A_CHOICE.other-currency' }])
  })
})

test('a credit note of USD 100 becomes a deposit at its own rate, to be paid back', async () => {
  await rateToday('16000')
  const invoice = await invoiceOf()
  await rateToday('16100')
  const note = await scene.create('admin', 'credit-note', { CustomerID: await id('customer', abroad), Kind: 'MANUAL', DocDate: today(), InvoiceID: invoice.ID, Dpp: '100', Ppn: '0' })
  await scene.act('admin', 'credit-note', note.ID, 'submit')
  await scene.decide('credit_note', note.ID)
  await rateToday('16500')
  const moved = await settled(await scene.create('admin', 'credit-note-transfer', { CreditNoteID: note.ID, DocDate: today(), Amount: '100' }), noteTransfer)
  expect(await scene.journal('credit_note_transfer', moved.ID)).toEqual(['112101 1610000.00 0.00', '212101 0.00 1610000.00'])
  expect(await base('customer_deposit', moved.ToDepositID)).toMatchObject({ currency: 'USD', rate: '16100.000000', base_remaining: '1610000.00' })
})
