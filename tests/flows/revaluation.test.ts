import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { ExpiryRounds } from '#server/workflow/expiryRounds.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let usdBank = 0
let unit = 0
let vendor: Record
const abroad = 'C0000002'
const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
const sound = async (day = today()): Promise<void> => expect(await violations(scene.database, day)).toEqual([])

async function rate(usd: string, day = today()): Promise<void> {
  await scene.database.run(sql`delete from exchange_rate where currency = 'USD' and rate_date = ${day}::date`)
  await insertRows(scene.database, 'exchange_rate', [{ currency: 'USD', rate_date: day, kind: 'BI', rate: usd }])
}

beforeAll(async () => {
  scene = await openScene()
  const from = { valid_from: '2025-01-01' }
  unit = await id('operating_unit', 'JKT')
  const [set] = await insertRows(scene.database, 'price_set', [{ code: 'EXPORT', name: 'Export', scheme: 'V3', scope_kind: 'CUSTOMER', currency: 'USD', status: 1, ...from }])
  await insertRows(scene.database, 'list_price', [{ price_set_id: set, item_id: await id('item', 'D'), uom: 'CTN', min_qty: '0', price: '900.90', ...from }])
  await scene.database.run(sql`update customer set price_set_id = ${set} where code = ${abroad}`)
  await scene.database.run(sql`update credit_limit set amount = 2000000000`)
  ;[usdBank = 0] = await insertRows(scene.database, 'house_bank', [{
    code: 'USD1', operating_unit_id: unit, name: 'BCA USD', bank_id: await id('bank', 'BCA'), account_no: '999', account_name: 'PT Arus', currency: 'USD', gl_account_id: await id('account', '111202'), is_collection: true,
  }])
  vendor = await scene.create('admin', 'business-partner', { Code: 'V-USD', Name: 'Harbour Systems Pte', Kinds: ['VENDOR'], IsPkp: false, ApAccountGroup: 'NON_TRADE', PaymentTermID: await id('payment_term', 'N30') })
})
afterEach(async () => sound())

let numbers = 0
const invoiceBody = async (amount: string, more: object = {}): Promise<object> => ({
  Kind: 'NON_TRADE', VendorID: vendor.ID, VendorInvoiceNo: `H-${(numbers += 1)}`, DocDate: today(), OperatingUnitID: unit, ContractNo: 'SPK-1', Ppn: '0', Currency: 'USD',
  Lines: [{ AccountID: await id('account', '615101'), ExpenseTypeID: await id('expense_type', 'E-LISTRIK'), Qty: '1', Price: amount }], ...more,
})
async function owed(amount: string): Promise<Record> {
  const made = await scene.create('vendors', 'vendor-invoice', await invoiceBody(amount))
  await scene.act('vendors', 'vendor-invoice', made.ID, 'register')
  await scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
  return scene.read('vendor-invoice', made.ID)
}
const draftPayment = (lines: readonly object[], more: object = {}) => scene.create('vendors', 'ap-payment', { VendorID: vendor.ID, OperatingUnitID: unit, HouseBankID: usdBank, DocDate: today(), Lines: lines, ...more })
async function paid(lines: readonly object[], more: object = {}): Promise<Record> {
  const made = await draftPayment(lines, more)
  await scene.act('vendors', 'ap-payment', made.ID, 'submit')
  await scene.decide('ap_payment', made.ID)
  return scene.read('ap-payment', made.ID)
}
const draft = (day: string) => scene.people.finance.post('/api/v1/data/fx-revaluation', { OperatingUnitID: unit, DocDate: day }, { key: scene.key() })
const stored = async (ID: number) => (await scene.rows('fx_revaluation', sql`id = ${ID}`))[0]
/** Debit less credit of an account at the end of a day. */
async function on(account: string, day: string): Promise<string> {
  const row = await scene.database.first<{ balance: string }>(sql`
    select coalesce(sum(l.debit - l.credit), 0)::numeric(18,2) as balance from journal_line l join journal j on j.id = l.journal_id join account a on a.id = l.account_id where a.code = ${account} and j.posting_date <= ${day}::date`)
  return row?.balance ?? ''
}
/** Accounts that documents and ledger do not agree on. */
const differing = async (): Promise<unknown> => {
  const { data } = await scene.people.admin.get('/api/v1/report/monitoring-coa.report', { date_from: today(), date_to: today(), filter: JSON.stringify({ difference: { ne: '0' } }), length: 100 })
  return data.rows.map((row: Record) => [row.AccountCode, row.Closing, row.Subledger, row.Difference])
}
const rounds = async () => new ExpiryRounds(await scene.database.transaction(async (tx) => runOf(scene.database, tx, scene.at.clock.now().toISOString()).services)).run()

describe('FX2: USD 10,000 of a vendor at 15,900, 16,150 at the end of the month, paid at 16,080', () => {
  let invoice: Record
  let made: Record
  test('the invoice is worth 159,000,000', async () => {
    await rate('15900')
    invoice = await owed('10000')
    expect(invoice).toMatchObject({ Currency: 'USD', Rate: '15900.000000', Total: '10000.00', BaseTotal: '159000000.00', BaseRemaining: '159000000.00' })
    expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['211102 0.00 159000000.00', '615101 159000000.00 0.00'])
  })

  test('only the last day of a month that has come and has a rate can be valued, and the ledger is not closed before', async () => {
    expect((await draft('2026-11-20')).data.errors).toMatchObject([{ field: 'DocDate', key: 'field.NOT_A_CHOICE.month-end' }])
    await scene.moveTo('2026-11-30T17:00:00+07:00')
    expect((await draft('2026-11-30')).data.errors).toMatchObject([{ field: 'DocDate', key: 'field.REQUIRED.exchange-rate' }])
    expect((await draft('2026-10-31')).data.errors).toMatchObject([{ field: 'DocDate', key: 'field.REQUIRED.foreign-items' }])
    const period = await scene.database.first<{ id: number }>(sql`select id from accounting_period where period = '202611' and module = 'GL'`)
    const { results } = await scene.command('finance', 'close-period', { IDs: [period?.id] })
    expect(results[0].obstacles.map(({ text }: Record) => text)).toContain('1 open item in other currencies of JKT not valued at the rate of 30/11/2026')
  })

  test('month end: Dr 614101 2,500,000 / Cr 211108; AP and its adjustment are 10,000 × 16,150', async () => {
    await rate('16150')
    made = (await draft('2026-11-30')).data.record
    expect(made).toMatchObject({ Status: 0, ReversesOn: '2026-12-01', Gain: '0.00', Loss: '2500000.00', Net: '-2500000.00' })
    expect(made.Lines).toMatchObject([{ Kind: 'AP', VendorInvoiceID: invoice.ID, ItemCurrency: 'USD', Remaining: '10000.00', BaseRemaining: '159000000.00', DayRate: '16150.000000', Worth: '161500000.00', Gain: '0.00', Loss: '2500000.00' }])
    await scene.act('finance', 'fx-revaluation', made.ID, 'post')
    expect(await scene.journal('fx_revaluation', made.ID)).toEqual(['211108 0.00 2500000.00', '614101 2500000.00 0.00'])
    expect(await stored(made.ID)).toMatchObject({ status: 1, posting_date: '2026-11-30' })
    expect([await on('211102', '2026-11-30'), await on('211108', '2026-11-30')]).toEqual(['-159000000.00', '-2500000.00'])
  })

  test('a second one of the same day is refused, entered before or after', async () => {
    expect((await draft('2026-11-30')).data.errors).toMatchObject([{ field: 'DocDate', key: 'field.DUPLICATE.revaluation' }])
  })

  test('on day 1 it is mirrored by itself, once', async () => {
    await rounds()
    expect(await stored(made.ID)).toMatchObject({ status: 1 })
    await scene.moveTo('2026-12-01T00:30:00+07:00')
    await keepCalendar(scene.database, scene.at.clock)
    await scene.database.run(sql`update accounting_period set status = 'OPEN' where period = '202612'`)
    await rounds()
    await rounds()
    expect(await stored(made.ID)).toMatchObject({ status: 3 })
    const [back] = await scene.rows('journal', sql`source_doc_type = 'fx_revaluation' and source_event = 'FX_REVAL_BACK'`)
    expect(back).toMatchObject({ posting_date: '2026-12-01' })
    expect(await scene.journal('fx_revaluation', made.ID, 'FX_REVAL_BACK')).toEqual(['211108 2500000.00 0.00', '614101 0.00 2500000.00'])
    expect([await on('211108', '2026-11-30'), await on('211108', '2026-12-01')]).toEqual(['-2500000.00', '0.00'])
    await sound('2026-11-30')
  })

  test('paid: Dr 211102 159,000,000, Dr 614101 1,800,000 / Cr 214101 160,800,000; the loss of both months is 1,800,000', async () => {
    await rate('16080')
    const payment = await paid([{ VendorInvoiceID: invoice.ID, Amount: '10000' }])
    expect(payment).toMatchObject({ Currency: 'USD', Rate: '16080.000000' })
    expect(await scene.journal('ap_payment', payment.ID)).toEqual(['211102 159000000.00 0.00', '214101 0.00 160800000.00', '614101 1800000.00 0.00'])
    expect(await on('614101', '2026-12-31')).toBe('1800000.00')
    expect((await scene.rows('vendor_invoice', sql`id = ${invoice.ID}`))[0]).toMatchObject({ status: 3, remaining: '0.00', base_remaining: '0.00' })
  })

  test('undone, the month is as if it had never been valued, and can be valued anew as it stood', async () => {
    await scene.act('finance', 'fx-revaluation', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect([await on('211108', '2026-11-30'), await on('614101', '2026-11-30'), await on('211108', '2026-12-01')]).toEqual(['0.00', '0.00', '0.00'])
    await rate('16100', '2026-11-30')
    const again = (await draft('2026-11-30')).data.record
    expect(again.Lines).toMatchObject([{ Remaining: '10000.00', Worth: '161000000.00', Loss: '2000000.00' }])
    // November is over: the mirror is booked with it.
    expect(await scene.act('finance', 'fx-revaluation', again.ID, 'post')).toMatchObject({ Status: 3 })
    expect([await on('211108', '2026-11-30'), await on('211108', '2026-12-01')]).toEqual(['-2000000.00', '0.00'])
    await sound('2026-11-30')
  })
})

describe('receivables, payables and credits together', () => {
  test('each gains or loses by itself; AR, AP and their adjustments are what remains times the rate', async () => {
    await rate('16000')
    const first = await scene.invoiced(abroad, [{ item: 'D', qty: '3' }])
    const vendors = await owed('2500')
    await rate('16400')
    const second = await scene.invoiced(abroad, [{ item: 'D', qty: '1' }])
    const part = await scene.pay(abroad, '1000', [{ InvoiceID: first.ID, Paid: '1000', ReasonID: await id('reason', 'R01') }], { HouseBankID: usdBank })
    expect(part).toMatchObject({ Status: 1 })
    const bought = await paid([{ VendorInvoiceID: vendors.ID, Amount: '1000' }])
    // It pays back after the day: on the day it was paid.
    await scene.moveTo('2026-12-31T17:00:00+07:00')
    await rate('16250')
    const made = (await draft('2026-12-31')).data.record
    expect(made.Lines.map(({ Kind, InvoiceID, Remaining, BaseRemaining, Worth, Gain, Loss }: Record) => [Kind, InvoiceID, Remaining, BaseRemaining, Worth, Gain, Loss])).toEqual([
      ['AR', first.ID, '2000.00', '32000000.00', '32500000.00', '500000.00', '0.00'],
      ['AR', second.ID, '1000.00', '16400000.00', '16250000.00', '0.00', '150000.00'],
      ['AP', null, '1500.00', '24000000.00', '24375000.00', '0.00', '375000.00'],
    ])
    await scene.act('finance', 'fx-revaluation', made.ID, 'post')
    expect(await scene.journal('fx_revaluation', made.ID)).toEqual(['112108 500000.00 150000.00', '211108 0.00 375000.00', '421102 0.00 500000.00', '614101 525000.00 0.00'])
    expect([await on('112108', '2026-12-31'), await on('211108', '2026-12-31')]).toEqual(['350000.00', '-375000.00'])
    expect(bought).toMatchObject({ Status: 1 })
    expect(await differing()).toEqual([])
  })

  test('dollars are paid from dollars alone, and what is in rupiah from rupiah', async () => {
    const usd = await owed('100')
    const home = await scene.create('vendors', 'vendor-invoice', await invoiceBody('1000000', { Currency: 'IDR' }))
    await scene.act('vendors', 'vendor-invoice', home.ID, 'register')
    await scene.act('vendors', 'vendor-invoice', home.ID, 'submit')
    const tried = async (ID: number, bank: number) => (await scene.tryAct('vendors', 'ap-payment', (await draftPayment([{ VendorInvoiceID: ID, Amount: '100' }], { HouseBankID: bank })).ID, 'submit')).data.errors
    expect(await tried(usd.ID, await id('house_bank', 'BCA1'))).toMatchObject([{ field: 'Lines[0].VendorInvoiceID', key: 'field.NOT_A_CHOICE.other-currency' }])
    expect(await tried(home.ID, usdBank)).toMatchObject([{ field: 'Lines[0].VendorInvoiceID', key: 'field.NOT_A_CHOICE.other-currency' }])
    const part = await paid([{ VendorInvoiceID: usd.ID, Amount: '33.33' }])
    await rate('15777.777777')
    const rest = await paid([{ VendorInvoiceID: usd.ID, Amount: '66.67' }])
    await sound()
    for (const one of [part, rest]) {
      await scene.act('vendors', 'ap-payment', one.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
      await scene.decide('ap_payment', one.ID)
      await sound()
    }
    expect((await scene.rows('vendor_invoice', sql`id = ${usd.ID}`))[0]).toMatchObject({ status: 1, remaining: '100.00', base_remaining: '1625000.00' })
  })

  test('a payment in dollars leaves the bank at the rate it was booked at', async () => {
    const usd = await owed('200')
    const payment = await paid([{ VendorInvoiceID: usd.ID, Amount: '200' }])
    await rate('16500')
    const made = await scene.create('admin', 'bank-statement', {
      HouseBankID: usdBank, DocDate: today(), StatementNo: 'USD-9', OpeningBalance: '0', ClosingBalance: '-200', Lines: [{ ValueDate: today(), Debit: '200', MatchType: 'AP_PAYMENT', ApPaymentID: payment.ID }],
    })
    await scene.act('admin', 'bank-statement', made.ID, 'submit')
    await scene.decide('bank_statement', made.ID)
    const [line] = await scene.rows('bank_statement_line', sql`bank_statement_id = ${made.ID}`)
    expect(await scene.journal('bank_statement_line', line.id)).toEqual(['111202 0.00 3155555.56', '214101 3155555.56 0.00'])
    expect(await differing()).toEqual([])
  })
})
