import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank: number
const [makmur, office] = ['C0000001', 'C0000002']
beforeAll(async () => {
  scene = await openScene()
  bank = await id('house_bank', 'BCA1')
  await scene.database.run(sql`update promotion set valid_to = '2025-12-31'`)
})
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

const today = () => scene.at.clock.today()
const id = (table: string, code: string) => scene.at.id(table, code)
const invoice = (ID: number) => scene.read('invoice', ID)

/** An invoice of one or three D of which this much is open: the rest is paid at once. */
async function owing(total: string, customer = makmur): Promise<Record> {
  const whole = await scene.invoiced(customer, [{ item: 'D', qty: Number(total) > 2_200_000 ? '3' : '1' }])
  const early = Number(whole.Total) - Number(total)
  if (early > 0) await scene.pay(customer, String(early), [{ InvoiceID: whole.ID, Paid: String(early), ReasonID: await id('reason', 'R01') }])
  const made = await invoice(whole.ID)
  expect(Number(made.Remaining)).toBe(Number(total))
  return made
}
async function approved(resource: string, type: string, body: object): Promise<Record> {
  const made = await scene.create('admin', resource, body)
  await scene.act('admin', resource, made.ID, 'submit')
  await scene.decide(type, made.ID)
  return scene.read(resource, made.ID)
}
const creditNote = async (Dpp: string): Promise<Record> => approved('credit-note', 'credit_note', { CustomerID: await id('customer', makmur), Kind: 'MANUAL', DocDate: today(), Dpp, AccountID: await id('account', '414101') })
const deposited = async (Amount: string): Promise<Record> => approved('customer-deposit', 'customer_deposit', { CustomerID: await id('customer', makmur), Method: 'TRANSFER', HouseBankID: bank, Amount })
const tryPay = async (amount: string, lines: readonly object[]) =>
  scene.people.cashier.post('/api/v1/data/payment-received', {
    CustomerID: await id('customer', makmur), PaymentDate: today(), Method: 'TRANSFER', HouseBankID: bank, Amount: amount, Lines: lines.map((line) => ({ Credits: [], Deductions: [], ...line })),
  }, { key: scene.key() })

describe('DP3: 3,000,000 are open; AR_OVER is 5,000', () => {
  const pay = async (amount: string): Promise<Record> => scene.pay(makmur, amount, [{ InvoiceID: (await owing('3000000')).ID, Paid: '3000000' }])

  test('(a) 5,000 too much are income', async () => {
    const paid = await pay('3005000')
    expect(await scene.journal('ar_payment', paid.ID)).toEqual(['111302 3005000.00 0.00', '112101 0.00 3000000.00', '421101 0.00 5000.00'])
    expect(await scene.rows('customer_deposit', sql`deposit_source_id = ${paid.ID}`)).toEqual([])
  })

  test('(b) 5,001 and (c) 200,000 are a deposit whole; the receipt stays while some of it is used', async () => {
    const little = await pay('3005001')
    expect(await scene.journal('ar_payment', little.ID)).toEqual(['111302 3005001.00 0.00', '112101 0.00 3000000.00', '212101 0.00 5001.00'])
    const paid = await pay('3200000')
    expect(await scene.journal('ar_payment', paid.ID)).toEqual(['111302 3200000.00 0.00', '112101 0.00 3000000.00', '212101 0.00 200000.00'])
    const [deposit] = await scene.rows('customer_deposit', sql`deposit_source_id = ${paid.ID}`)
    expect(deposit).toMatchObject({ origin: 'OVERPAYMENT', amount: '200000.00' })
    const other = await owing('2200000')
    const used = await scene.pay(makmur, '0', [{ InvoiceID: other.ID, Paid: '50000', ReasonID: await id('reason', 'R01'), Credits: [{ Source: 'DEPOSIT', SourceID: deposit.id, Amount: '50000' }] }])
    const undo = async (payment: Record) => scene.tryAct('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    expect(await undo(paid)).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
    expect((await undo(used)).code).toBe('success')
    await scene.decide('ar_payment', used.ID)
    expect((await undo(paid)).code).toBe('success')
    await scene.decide('ar_payment', paid.ID)
    expect((await scene.rows('customer_deposit', sql`id = ${deposit.id}`))[0]).toMatchObject({ status: 7, remaining: '0.00' })
  })
})

test('RC1: money, credit note, deposit, bank charge and rounding make up two invoices, and not a cent more or less', async () => {
  const [x, y] = [await owing('4275000'), await owing('1999999')]
  const [note, deposit] = [await creditNote('333333'), await deposited('500000')]
  const lines = (rounding = '166') => [
    { InvoiceID: x.ID, Paid: '4275000', Credits: [{ Source: 'CREDIT_NOTE', SourceID: note.ID, Amount: '333333' }], Deductions: [{ Kind: 'BANK', Amount: '6500' }] },
    { InvoiceID: y.ID, Paid: '1999999', Credits: [{ Source: 'DEPOSIT', SourceID: deposit.ID, Amount: '500000' }], Deductions: [{ Kind: 'DIFF', Amount: rounding }] },
  ]
  const gap = await tryPay('5434999.99', lines())
  expect(gap).toMatchObject({ code: 'VALIDATION_FAILED', data: { errors: [expect.objectContaining({ text: expect.stringContaining('0.01') })] } })
  const paid = await scene.pay(makmur, '5435000', lines())
  expect(paid).toMatchObject({ Allocated: '6274999.00', CreditUsed: '333333.00', DepositUsed: '500000.00', Deducted: '6666.00', Unapplied: '0.00' })
  expect(await scene.journal('ar_payment', paid.ID)).toEqual(['111302 5435000.00 0.00', '112101 333333.00 6274999.00', '212101 500000.00 0.00', '613102 166.00 0.00', '613103 6500.00 0.00'])
  expect([(await invoice(x.ID)).Remaining, (await invoice(y.ID)).Remaining]).toEqual(['0.00', '0.00'])
})

test('RC2: small differences of a receipt are tolerated together: two of 2,000, neither three nor four', async () => {
  const open = [await owing('2200000'), await owing('2200000'), await owing('2200000'), await owing('2200000')]
  const short = (n: number) => open.slice(0, n).map(({ ID }) => ({ InvoiceID: ID, Paid: '2200000', Deductions: [{ Kind: 'DIFF', Amount: '2000' }] }))
  for (const n of [4, 3]) expect((await tryPay(String(2_198_000 * n), short(n))).data.errors, String(n)).toMatchObject([{ field: 'Amount', key: 'field.EXCEEDS_TOLERANCE.differences' }])
  const paid = await scene.pay(makmur, '4396000', short(2))
  expect(await scene.journal('ar_payment', paid.ID)).toEqual(['111302 4396000.00 0.00', '112101 0.00 4400000.00', '613102 4000.00 0.00'])
})

test('I29: what was tolerated stays with the document, and whatever went beyond it is told', async () => {
  const differing = await scene.pay(makmur, '2196000', [{ InvoiceID: (await owing('2200000')).ID, Paid: '2200000', Deductions: [{ Kind: 'DIFF', Amount: '4000' }] }])
  const charged = await scene.pay(makmur, '2193500', [{ InvoiceID: (await owing('2200000')).ID, Paid: '2200000', Deductions: [{ Kind: 'BANK', Amount: '6500' }] }])
  const over = await scene.pay(makmur, '2203000', [{ InvoiceID: (await owing('2200000')).ID, Paid: '2200000' }])
  const closed = await approved('close-invoice', 'invoice_close_request', { InvoiceID: (await owing('9000')).ID, DocDate: today(), ReasonID: await id('reason', 'W02') })
  const [difference] = await scene.rows('ar_payment_deduction', sql`ar_payment_line_id in (select id from ar_payment_line where ar_payment_id = ${differing.ID})`)
  const [charge] = await scene.rows('ar_payment_deduction', sql`ar_payment_line_id in (select id from ar_payment_line where ar_payment_id = ${charged.ID})`)
  expect(difference).toMatchObject({ tolerance: 'AR_SHORT', line_limit: '5000.00', invoice_limit: '5000.00', receipt_limit: '5000.00' })
  expect(charge).toMatchObject({ tolerance: 'BANK_CHARGE', line_limit: null, receipt_limit: '25000.00' })
  expect(await scene.rows('ar_payment', sql`id = ${over.ID}`)).toMatchObject([{ over_limit: '5000.00' }])
  expect(await scene.rows('invoice_close_request', sql`id = ${closed.ID}`)).toMatchObject([{ tolerated: '10000.00' }])
  await scene.database.run(sql`update tolerance set amount = 100`)
  expect(await violations(scene.database, today())).toEqual([])
  const told = async (change: (amount: number) => ReturnType<typeof sql>, less: number, right: number): Promise<string[]> => {
    await scene.database.run(change(less))
    const found = await violations(scene.database, today())
    await scene.database.run(change(right))
    return found.map(({ id: which, text }) => `${which} ${text}`)
  }
  const limit = (column: 'line' | 'invoice' | 'receipt', row: number) => (amount: number) =>
    ({ line: sql`update ar_payment_deduction set line_limit = ${amount} where id = ${row}`, invoice: sql`update ar_payment_deduction set invoice_limit = ${amount} where id = ${row}`, receipt: sql`update ar_payment_deduction set receipt_limit = ${amount} where id = ${row}` })[column]
  expect(await told(limit('line', difference.id), 3999, 5000)).toEqual([expect.stringMatching(/^I29 receipt PAY\/\S+: DIFF of 4000.00 off invoice \d+, at most 3999.00$/)])
  expect(await told(limit('invoice', difference.id), 3999, 5000)).toEqual([expect.stringMatching(/^I29 invoice \d+: DIFF of 4000.00 by all receipts, at most 3999.00$/)])
  expect(await told(limit('receipt', charge.id), 6499, 25_000)).toEqual([expect.stringMatching(/^I29 receipt PAY\/\S+: BANK of 6500.00 by BANK_CHARGE, at most 6499.00$/)])
  expect(await told((amount) => sql`update ar_payment set over_limit = ${amount} where id = ${over.ID}`, 2999, 5000)).toEqual([expect.stringMatching(/^I29 receipt PAY\/\S+: 3000.00 beyond its invoices was kept, tolerated 2999.00$/)])
  expect(await told((amount) => sql`update invoice_close_request set tolerated = ${amount} where id = ${closed.ID}`, 8999, 10_000)).toEqual([expect.stringMatching(/^I29 close request ICL\/\S+: 9000.00 was given up, tolerated 8999.00$/)])
  await scene.database.run(sql`update tolerance set amount = case usage when 'BANK_CHARGE' then 25000 when 'CLOSE_INVOICE' then 10000 else 5000 end`)
})

test('G9: a government invoice of 11,100,000 is settled by 9,850,000 and what the treasury keeps; no VAT of collectors is left', async () => {
  await scene.database.run(sql`update customer set wapu_kind = 'GOV', trx_code = null, pph22_rate = 1.5 where code = ${office}`)
  await scene.database.run(sql`update list_price set price = 10000000 where item_id = ${await id('item', 'C')}`)
  const owed = await scene.invoiced(office, [{ item: 'C', qty: '1' }])
  expect(owed).toMatchObject({ Dpp: '10000000.00', Ppn: '1100000.00', Total: '11100000.00' })
  const made = await approved('ar-clearing-gov', 'ar_clearing_gov', {
    CustomerID: await id('customer', office), DocDate: today(), MoneySource: 'BANK', HouseBankID: bank, MoneyAmount: '9850000', Lines: [{ InvoiceID: owed.ID, Amount: '11100000', PpnWithheld: '1100000', Pph22Withheld: '150000' }],
  })
  expect(await scene.journal('ar_clearing_gov', made.ID)).toEqual(['111302 9850000.00 0.00', '112102 0.00 11100000.00', '114103 150000.00 0.00', '213102 1100000.00 0.00'])
  expect(await scene.balance('213102')).toBe('0.00')
  expect(await invoice(owed.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
})

test('G10: of 1,500,000 brought home 1,480,000 are counted: the driver owes 20,000; slip and statement bring the cash to the bank', async () => {
  const driver = await scene.database.first<{ id: number }>(sql`insert into employee (work_number, name, operating_unit_id, position) select 'SPR-1', 'SPR-1', id, 'DRIVER' from operating_unit where code = 'JKT' returning id`)
  const order = await scene.order(makmur, [{ item: 'D', qty: '1' }])
  const [delivery] = await scene.plan(order)
  await scene.database.run(sql`update delivery_plan set driver_id = ${driver?.id} where id = ${delivery?.delivery_plan_id}`)
  const [owed] = await scene.bill([(await scene.issue(delivery)).id])
  const draft = await scene.create('cashier', 'payment-received', {
    CustomerID: await id('customer', makmur), PaymentDate: today(), DocDate: today(), Method: 'COD', DeliveryOrderID: delivery?.id, Amount: '1500000',
    Lines: [{ InvoiceID: owed?.ID, Paid: '1500000', ReasonID: await id('reason', 'R01'), Credits: [], Deductions: [] }],
  })
  await scene.act('cashier', 'payment-received', draft.ID, 'post')
  await scene.act('warehouse', 'delivery-order', delivery?.id, 'deliver')
  const count = await scene.create('cashier', 'reconcile-cod', { DeliveryPlanID: delivery?.delivery_plan_id, CashAccountID: await id('cash_account', 'KAS-JKT'), DocDate: today(), Counted: '1480000', DiffReasonID: await id('reason', 'A01'), Lines: [{ ArPaymentID: draft.ID }] })
  await scene.act('cashier', 'reconcile-cod', count.ID, 'submit')
  await scene.decide('cod_reconciliation', count.ID)
  expect(await scene.journal('cod_reconciliation', count.ID)).toEqual(['111102 1480000.00 0.00', '111103 0.00 1500000.00', '112201 20000.00 0.00'])
  const slip = await scene.create('cashier', 'deposit-payment', { HouseBankID: bank, DocDate: today(), SlipNo: 'G10', Lines: [{ ArPaymentID: draft.ID, Amount: '1480000' }] })
  await scene.act('cashier', 'deposit-payment', slip.ID, 'submit')
  await scene.decide('cash_deposit', slip.ID)
  expect(await scene.journal('cash_deposit', slip.ID)).toEqual(['111102 0.00 1480000.00', '111301 1480000.00 0.00'])
  const statement = await approved('bank-statement', 'bank_statement', { HouseBankID: bank, DocDate: today(), StatementNo: 'G10', OpeningBalance: '0', ClosingBalance: '1480000', Lines: [{ ValueDate: today(), Credit: '1480000', MatchType: 'CASH_DEPOSIT', CashDepositID: slip.ID }] })
  expect(await scene.journal('bank_statement_line', statement.Lines[0].ID)).toEqual(['111201 1480000.00 0.00', '111301 0.00 1480000.00'])
  expect([await scene.balance('111102'), await scene.balance('111103'), await scene.balance('111301')]).toEqual(['0.00', '0.00', '0.00'])
})

test('G17: the claim of 440,000 of the receipt of 8.6 is refused: a debit memo owes it again', async () => {
  const owed = await owing('2200000')
  const paid = await scene.pay(makmur, '1760000', [{ InvoiceID: owed.ID, Paid: '1760000', ReasonID: await id('reason', 'R03'), ReasonText: 'display November' }])
  const [claim] = await scene.rows('cn_temporary', sql`ar_payment_id = ${paid.ID}`)
  expect(claim).toMatchObject({ amount: '440000.00' })
  await scene.act('admin', 'cn-temporary', claim.id, 'submit')
  await scene.decide('cn_temporary', claim.id)
  expect(await invoice(owed.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
  const refusal = await scene.database.first<{ id: number }>(sql`select id from reason where usage = 'REJECT' and is_active order by id limit 1`)
  const { DebitMemoID } = await scene.act('admin', 'cn-temporary', claim.id, 'refuse', { ReasonID: refusal?.id })
  const [memo] = await scene.rows('invoice', sql`id = ${DebitMemoID}`)
  expect(memo).toMatchObject({ invoice_type: 'DEBIT_MEMO', total: '440000.00', remaining: '440000.00', status: 1 })
  expect(await scene.journal('cn_temporary', claim.id, 'TCN_REFUSE')).toEqual(['112101 440000.00 0.00', '112204 0.00 440000.00'])
  expect(await scene.balance('112204')).toBe('0.00')
})

test('G11: a giro of 4,000,000 comes back: the invoice is open again and the next order is asked about', async () => {
  const owed = await owing('4400000')
  const giro = await scene.pay(makmur, '4000000', [{ InvoiceID: owed.ID, Paid: '4000000', ReasonID: await id('reason', 'R01') }], { Method: 'GIRO', HouseBankID: null, GiroNo: 'BG-4', GiroDueDate: today() })
  expect(await scene.journal('ar_payment', giro.ID)).toEqual(['111303 4000000.00 0.00', '112101 0.00 4000000.00'])
  await scene.act('cashier', 'payment-received', giro.ID, 'bounce')
  expect(await scene.journal('ar_payment', giro.ID, 'RCPT_GIRO_REV')).toEqual(['111303 0.00 4000000.00', '112101 4000000.00 0.00'])
  expect(await invoice(owed.ID)).toMatchObject({ Remaining: '4400000.00' })
  const order = await scene.order(makmur, [{ item: 'B', qty: '1' }])
  expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL05'] })
  await scene.act('sales', 'sales-order', order.ID, 'recall')
})
