import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const abroad = 'C0000002'
let usdBank = 0

/** What a dollar is worth today. */
async function rateToday(rate: string, day = scene.at.clock.today()): Promise<void> {
  await scene.database.run(sql`delete from exchange_rate where currency = 'USD' and rate_date = ${day}::date`)
  await insertRows(scene.database, 'exchange_rate', [{ currency: 'USD', rate_date: day, kind: 'BI', rate }])
}

beforeAll(async () => {
  scene = await openScene()
  const from = { valid_from: '2025-01-01' }
  const [set] = await insertRows(scene.database, 'price_set', [{ code: 'EXPORT', name: 'Export', scheme: 'V3', scope_kind: 'CUSTOMER', currency: 'USD', status: 1, ...from }])
  // With VAT one D is USD 1,000.
  await insertRows(scene.database, 'list_price', [{ price_set_id: set, item_id: await scene.at.id('item', 'D'), uom: 'CTN', min_qty: '0', price: '900.90', ...from }])
  await scene.database.run(sql`update customer set price_set_id = ${set} where code = ${abroad}`)
  await scene.database.run(sql`update credit_limit set amount = 2000000000`)
  ;[usdBank = 0] = await insertRows(scene.database, 'house_bank', [{
    code: 'USD1', operating_unit_id: await scene.at.id('operating_unit', 'JKT'), name: 'BCA USD', bank_id: await scene.at.id('bank', 'BCA'), account_no: '999', account_name: 'PT Arus', currency: 'USD',
    gl_account_id: await scene.at.id('account', '111202'), is_collection: true,
  }])
  await insertRows(scene.database, 'warehouse', [{ code: 'RJKT', name: 'Jakarta returns', operating_unit_id: await scene.at.id('operating_unit', 'JKT'), kind: 'RETURN', stock_class: 'RETURN' }])
  await rateToday('16000')
})

const today = () => scene.at.clock.today()
const sound = async (): Promise<void> => expect(await violations(scene.database, today())).toEqual([])
const pay = (amount: string, lines: readonly object[], more: object = {}): Promise<Record> => scene.pay(abroad, amount, lines, { HouseBankID: usdBank, ...more })
const invoiceOf = (qty = '1'): Promise<Record> => scene.invoiced(abroad, [{ item: 'D', qty }])
const base = async (table: string, id: number): Promise<Record> => (await scene.rows(table, sql`id = ${id}`))[0]

describe('an invoice in dollars', () => {
  test('is in the currency of the customer’s prices, from the order on, at the rate of its day', async () => {
    await rateToday('15900')
    const { order, issue } = await scene.delivered(abroad, [{ item: 'D', qty: '1' }])
    expect(order).toMatchObject({ Currency: 'USD', Rate: '15900.000000', Total: '1000.00', Ppn: '99.10' })
    await rateToday('16000')
    const [invoice] = await scene.bill([issue.id])
    expect(invoice).toMatchObject({ Currency: 'USD', Rate: '16000.000000', Total: '1000.00', Remaining: '1000.00' })
    expect(await base('invoice', invoice.ID)).toMatchObject({ base_total: '16000000.00', base_remaining: '16000000.00' })
    expect(await scene.journal('invoice', invoice.ID, 'INV')).toEqual(['112101 16000000.00 0.00', '213101 0.00 1585600.00', '411101 0.00 14414400.00'])
    const lines = await scene.database.rows(sql`select fx_currency, fx_amount from journal_line l join journal j on j.id = l.journal_id where j.source_doc_type = 'invoice' and j.source_event = 'INV' and j.source_doc_id = ${invoice.ID} order by l.line_no`)
    expect(lines.map((line) => `${String(line['fx_currency'])} ${String(line['fx_amount'])}`)).toEqual(['USD 1000.00', 'USD 900.90', 'USD 99.10'])
    await sound()
  })

  test('is not made on a day without rate, nor the order', async () => {
    const { issue } = await scene.delivered(abroad, [{ item: 'D', qty: '1' }])
    await scene.database.run(sql`delete from exchange_rate where rate_date = ${today()}::date`)
    const answer = await scene.command('billing', 'bill-deliveries', { IDs: [issue.id], InvoiceDate: today() })
    expect(answer.results).toMatchObject([{ ok: false, text: expect.stringContaining('No exchange rate of USD is kept') }])
    expect(answer.Invoices).toEqual([])
    const order = await scene.people.sales.post('/api/v1/data/sales-order', { CustomerID: await scene.at.id('customer', abroad), Lines: [{ ItemID: await scene.at.id('item', 'D'), Uom: 'CTN', Qty: '1' }] }, { key: scene.key() })
    expect(order.data.errors).toMatchObject([{ field: 'CustomerID', key: 'field.REQUIRED.exchange-rate' }])
    await rateToday('16000')
    expect(await scene.bill([issue.id])).toMatchObject([{ Total: '1000.00' }])
  })
})

describe('a receipt in dollars', () => {
  test('G14: what the rates differ by is gained', async () => {
    await rateToday('16000')
    const invoice = await invoiceOf()
    await rateToday('16250')
    const paid = await pay('1000', [{ InvoiceID: invoice.ID, Paid: '1000' }])
    expect(paid).toMatchObject({ Currency: 'USD', Rate: '16250.000000', Allocated: '1000.00' })
    expect(await scene.journal('ar_payment', paid.ID)).toEqual(['111302 16250000.00 0.00', '112101 0.00 16000000.00', '421102 0.00 250000.00'])
    expect(await base('invoice', invoice.ID)).toMatchObject({ status: 3, remaining: '0.00', base_remaining: '0.00' })
    await sound()
  })

  test('FX1: part by part, the last one takes the rest of the books; at the same rate nothing is gained or lost', async () => {
    await rateToday('15850')
    const invoice = await invoiceOf('3')
    await rateToday('16020')
    const reason = await scene.at.id('reason', 'R01')
    const first = await pay('1000', [{ InvoiceID: invoice.ID, Paid: '1000', ReasonID: reason }])
    expect(await scene.journal('ar_payment', first.ID)).toEqual(['111302 16020000.00 0.00', '112101 0.00 15850000.00', '421102 0.00 170000.00'])
    await rateToday('15790')
    const second = await pay('1500', [{ InvoiceID: invoice.ID, Paid: '1500', ReasonID: reason }])
    expect(await scene.journal('ar_payment', second.ID)).toEqual(['111302 23685000.00 0.00', '112101 0.00 23775000.00', '614101 90000.00 0.00'])
    await rateToday('15850')
    const last = await pay('500', [{ InvoiceID: invoice.ID, Paid: '500' }])
    expect(await scene.journal('ar_payment', last.ID)).toEqual(['111302 7925000.00 0.00', '112101 0.00 7925000.00'])
    expect(await base('invoice', invoice.ID)).toMatchObject({ remaining: '0.00', base_remaining: '0.00' })
    await sound()
  })

  test('cents of the rate end in nothing, in whatever order parts are taken back', async () => {
    await rateToday('15850.333333')
    const invoice = await invoiceOf()
    const reason = await scene.at.id('reason', 'R01')
    const parts = [await pay('333.33', [{ InvoiceID: invoice.ID, Paid: '333.33', ReasonID: reason }]), await pay('333.33', [{ InvoiceID: invoice.ID, Paid: '333.33', ReasonID: reason }])]
    await sound()
    const last = await pay('333.34', [{ InvoiceID: invoice.ID, Paid: '333.34' }])
    await sound()
    await scene.act('cashier', 'payment-received', parts[0]?.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
    await scene.decide('ar_payment', parts[0]?.ID)
    await sound()
    await pay('333.33', [{ InvoiceID: invoice.ID, Paid: '333.33' }])
    expect(await base('invoice', invoice.ID)).toMatchObject({ status: 3, remaining: '0.00', base_remaining: '0.00' })
    await sound()
    for (const id of [last.ID, parts[1]?.ID]) {
      await scene.act('cashier', 'payment-received', id, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
      await scene.decide('ar_payment', id)
      await sound()
    }
    expect(await base('invoice', invoice.ID)).toMatchObject({ status: 2, remaining: '666.67' })
  })

  test('is at the rate of its day by the time it is posted', async () => {
    await rateToday('16000')
    const invoice = await invoiceOf()
    const draft = await scene.draftPayment(abroad, '1000', [{ InvoiceID: invoice.ID, Paid: '1000' }], { HouseBankID: usdBank })
    await rateToday('15900')
    expect(await scene.act('cashier', 'payment-received', draft.ID, 'post')).toMatchObject({ Rate: '15900.000000' })
    expect(await scene.journal('ar_payment', draft.ID)).toEqual(['111302 15900000.00 0.00', '112101 0.00 16000000.00', '614101 100000.00 0.00'])
    await sound()
  })

  test('what is too much becomes a deposit in dollars', async () => {
    await rateToday('16000')
    const invoice = await invoiceOf()
    await rateToday('16100')
    const paid = await pay('1200', [{ InvoiceID: invoice.ID, Paid: '1000' }])
    const [deposit] = await scene.rows('customer_deposit', sql`deposit_source_id = ${paid.ID}`)
    expect(deposit).toMatchObject({ currency: 'USD', amount: '200.00', base_total: '3220000.00', base_remaining: '3220000.00' })
    await sound()
    await rateToday('16200')
    const next = await invoiceOf()
    const used = await pay('800', [{ InvoiceID: next.ID, Paid: '1000', Credits: [{ Source: 'DEPOSIT', SourceID: deposit.id, Amount: '200' }] }])
    expect(await scene.journal('ar_payment', used.ID)).toEqual(['111302 12960000.00 0.00', '112101 0.00 16200000.00', '212101 3220000.00 0.00', '614101 20000.00 0.00'])
    expect(await base('customer_deposit', deposit.id)).toMatchObject({ status: 3, base_remaining: '0.00' })
    await sound()
  })

  test('settles only what is in dollars, and dollars come only into an account in dollars', async () => {
    const invoice = await invoiceOf()
    const body = { CustomerID: await scene.at.id('customer', abroad), PaymentDate: today(), Method: 'TRANSFER', Amount: '1000', Lines: [{ InvoiceID: invoice.ID, Paid: '1000', Credits: [], Deductions: [] }] }
    const save = (more: object) => scene.people.cashier.post('/api/v1/data/payment-received', { ...body, ...more }, { key: scene.key() })
    expect((await save({ HouseBankID: await scene.at.id('house_bank', 'BCA1') })).data.errors).toMatchObject([{ field: 'Lines[0].InvoiceID', key: 'field.NOT_A_CHOICE.other-currency' }])
    expect((await save({ HouseBankID: usdBank, Currency: 'IDR' })).data.errors).toMatchObject([{ field: 'Currency', key: 'field.NOT_A_CHOICE.currency-of-document' }])
    expect((await save({ HouseBankID: usdBank, PaymentDate: addDays(today(), -1) })).data.errors).toMatchObject([{ field: 'PaymentDate', key: 'field.REQUIRED.exchange-rate' }, { field: 'Lines[0].InvoiceID', key: 'field.TOO_EARLY.invoice' }])
  })

  test('arrives in the bank at the rate it came at', async () => {
    await rateToday('16000')
    const invoice = await invoiceOf()
    await rateToday('16250')
    const paid = await pay('1000', [{ InvoiceID: invoice.ID, Paid: '1000' }])
    await rateToday('16300')
    const made = await scene.create('admin', 'bank-statement', {
      HouseBankID: usdBank, DocDate: today(), StatementNo: 'USD-1', OpeningBalance: '0', ClosingBalance: '995',
      Lines: [{ ValueDate: today(), Credit: '1000', MatchType: 'PAYMENT', ArPaymentID: paid.ID }, { ValueDate: today(), Debit: '5', MatchType: 'CHARGE' }],
    })
    expect(made).toMatchObject({ Currency: 'USD' })
    await scene.act('admin', 'bank-statement', made.ID, 'submit')
    await scene.decide('bank_statement', made.ID)
    const lines = await scene.rows('bank_statement_line', sql`bank_statement_id = ${made.ID}`)
    expect(await scene.journal('bank_statement_line', lines[0].id)).toEqual(['111202 16250000.00 0.00', '111302 0.00 16250000.00'])
    expect(await scene.journal('bank_statement_line', lines[1].id)).toEqual(['111202 0.00 81500.00', '613103 81500.00 0.00'])
    await sound()
  })
})

describe('an invoice in dollars undone', () => {
  test('leaves nothing in the books', async () => {
    await rateToday('16000')
    const invoice = await invoiceOf()
    await rateToday('16400')
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'REVERSAL', ReasonID: await scene.at.id('reason', 'V01') })
    await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
    await scene.decide('invoice_cancel_request', request.ID)
    expect(await base('invoice', invoice.ID)).toMatchObject({ status: 7, remaining: '0.00', base_remaining: '0.00' })
    const [reversal] = await scene.rows('invoice', sql`reversal_of_id = ${invoice.ID}`)
    expect(reversal).toMatchObject({ currency: 'USD', rate: '16000.000000', total: '-1000.00', base_total: '-16000000.00' })
    await sound()
  })
})

describe('a deposit in dollars', () => {
  const deposit = async (amount: string, more: object = {}): Promise<Record> => {
    const draft = await scene.create('admin', 'customer-deposit', { CustomerID: await scene.at.id('customer', abroad), Method: 'TRANSFER', HouseBankID: usdBank, Amount: amount, DocDate: today(), ...more })
    await scene.act('admin', 'customer-deposit', draft.ID, 'submit')
    await scene.decide('customer_deposit', draft.ID)
    return base('customer_deposit', draft.ID)
  }

  test('is used part by part at what it was worth when it came, and taken back whole', async () => {
    await rateToday('15700')
    const paid = await deposit('500')
    expect(paid).toMatchObject({ status: 1, currency: 'USD', rate: '15700.000000', base_total: '7850000.00' })
    expect(await scene.journal('customer_deposit', paid.id)).toEqual(['111302 7850000.00 0.00', '212101 0.00 7850000.00'])
    await rateToday('16000')
    const invoice = await invoiceOf()
    const reason = await scene.at.id('reason', 'R01')
    const use = (amount: string, more: object = {}) => pay('0', [{ InvoiceID: invoice.ID, Paid: amount, ReasonID: reason, Credits: [{ Source: 'DEPOSIT', SourceID: paid.id, Amount: amount }], ...more }])
    const first = await use('200')
    expect(await scene.journal('ar_payment', first.ID)).toEqual(['112101 0.00 3200000.00', '212101 3140000.00 0.00', '614101 60000.00 0.00'])
    await sound()
    const second = await use('300')
    expect(await base('customer_deposit', paid.id)).toMatchObject({ status: 3, base_remaining: '0.00' })
    for (const one of [first, second]) {
      await scene.act('cashier', 'payment-received', one.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
      await scene.decide('ar_payment', one.ID)
      await sound()
    }
    expect(await base('customer_deposit', paid.id)).toMatchObject({ status: 1, remaining: '500.00', base_remaining: '7850000.00' })
    await scene.act('admin', 'customer-deposit', paid.id, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
    await scene.decide('customer_deposit', paid.id)
    expect(await base('customer_deposit', paid.id)).toMatchObject({ status: 7, remaining: '0.00', base_remaining: '0.00' })
    await sound()
  })

  test('pays nothing in rupiah, and no advance is made of it', async () => {
    const paid = await deposit('100')
    const makmur = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
    const answer = await scene.people.cashier.post('/api/v1/data/payment-received', {
      CustomerID: await scene.at.id('customer', abroad), PaymentDate: today(), Method: 'TRANSFER', HouseBankID: await scene.at.id('house_bank', 'BCA1'), Amount: '0',
      Lines: [{ InvoiceID: makmur.ID, Paid: '100', Credits: [{ Source: 'DEPOSIT', SourceID: paid.id, Amount: '100' }], Deductions: [] }],
    }, { key: scene.key() })
    expect(answer.data.errors.map(({ key }: Record) => key)).toContain('field.NOT_IN_SCOPE.invoice')
    const advance = await scene.people.admin.post('/api/v1/data/customer-deposit', { CustomerID: await scene.at.id('customer', abroad), Kind: 'UANG_MUKA', Method: 'TRANSFER', HouseBankID: usdBank, Amount: '100', DocDate: today() }, { key: scene.key() })
    expect(advance.data.errors).toMatchObject([{ field: 'Kind', key: 'field.NOT_A_CHOICE.in-books' }])
  })
})

describe('a credit note in dollars', () => {
  test('corrects an invoice in dollars and is used with it', async () => {
    await rateToday('16000')
    const invoice = await invoiceOf()
    await rateToday('16100')
    const draft = await scene.create('admin', 'credit-note', { CustomerID: await scene.at.id('customer', abroad), Kind: 'MANUAL', DocDate: today(), InvoiceID: invoice.ID, Dpp: '100', Ppn: '0' })
    expect(draft).toMatchObject({ Currency: 'USD', Total: '100.00' })
    await scene.act('admin', 'credit-note', draft.ID, 'submit')
    await scene.decide('credit_note', draft.ID)
    expect(await scene.journal('credit_note', draft.ID)).toEqual(['112101 0.00 1610000.00', '414101 1610000.00 0.00'])
    await sound()
    await rateToday('16250')
    const paid = await pay('900', [{ InvoiceID: invoice.ID, Paid: '1000', Credits: [{ Source: 'CREDIT_NOTE', SourceID: draft.ID, Amount: '100' }] }])
    // Received 14,625,000 and a credit of 1,610,000 for what was 16,000,000.
    expect(await scene.journal('ar_payment', paid.ID)).toEqual(['111302 14625000.00 0.00', '112101 1610000.00 16000000.00', '421102 0.00 235000.00'])
    await sound()
  })

  test('of goods that come back: the goods are worth what they cost', async () => {
    await rateToday('16000')
    const invoice = await invoiceOf('2')
    await rateToday('16100')
    const [line] = await scene.rows('invoice_line', sql`invoice_id = ${invoice.ID}`)
    const made = await scene.create('sales', 'sales-return', {
      Kind: 'WITH_REF', CustomerID: await scene.at.id('customer', abroad), InvoiceID: invoice.ID, ReturnDate: today(), CauseID: await scene.at.id('reason', 'T01'), Lines: [{ InvoiceLineID: line.id, ItemID: line.item_id, QtyRequested: '1' }],
    })
    expect(made).toMatchObject({ Currency: 'USD', Dpp: '900.90', Ppn: '99.10', Total: '1000.00' })
    await scene.act('sales', 'sales-return', made.ID, 'submit')
    await scene.decide('sales_return', made.ID)
    await scene.act('warehouse', 'sales-return', made.ID, 'receive')
    await scene.act('warehouse', 'sales-return', made.ID, 'inspect')
    const done = await scene.act('receivables', 'sales-return', made.ID, 'credit')
    expect(await scene.journal('sales_return', made.ID, 'RET_RECEIPT')).toEqual(['113105 1500000.00 0.00', '113106 0.00 1500000.00'])
    expect(await scene.journal('credit_note', done.CreditNoteID)).toEqual(['112101 0.00 16100000.00', '213104 1595510.00 0.00', '413101 14504490.00 0.00'])
    await sound()
    await scene.act('receivables', 'sales-return', made.ID, 'tax-return', { NotaReturNumber: 'NR-1', NotaReturDate: today() })
    expect(await scene.journal('credit_note', done.CreditNoteID, 'CN_TAXDOC')).toEqual(['213101 1595510.00 0.00', '213104 0.00 1595510.00'])
    const paid = await pay('1000', [{ InvoiceID: invoice.ID, Paid: '2000', Credits: [{ Source: 'CREDIT_NOTE', SourceID: done.CreditNoteID, Amount: '1000' }] }])
    expect(await base('invoice', invoice.ID)).toMatchObject({ status: 3, base_remaining: '0.00' })
    expect(paid.Status).toBe(1)
    await sound()
  })
})

test('documents in dollars are held against the ledger in the currency of the books', async () => {
  const answer = await scene.people.admin.get('/api/v1/report/journal-monitoring.report', { date_from: '2000-01-01', date_to: today(), only_wrong: true, length: 100 })
  const wrong = answer.data.rows.filter((row: Record) => ['invoice', 'ar_payment'].includes(row.DocType) || row.AccountCode === '112101')
  expect(wrong.map((row: Record) => [row.DocCode ?? row.AccountCode, row.ExpectedAmount, row.PostedAmount])).toEqual([])
})
