import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import type { Answer } from '../support/app.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let bank: number
beforeAll(async () => {
  scene = await openScene()
  bank = await scene.at.id('house_bank', 'BCA1')
})

const private_ = 'C0000001'
const office = 'C0000002'
const reason = (code: string) => scene.at.id('reason', code)
const deposit = (id: number) => [{ Source: 'DEPOSIT', SourceID: id, Amount: '100000' }]
const took = (Kind: string, Amount: string) => [{ Kind, Amount }]

/** Saving a receipt, as answered. */
async function tryPay(customer: string, amount: string, lines: readonly object[], more: object = {}): Promise<Answer> {
  return scene.people.cashier.post('/api/v1/data/payment-received', {
    CustomerID: await scene.at.id('customer', customer), PaymentDate: scene.at.clock.today(), Method: 'TRANSFER', HouseBankID: bank, Amount: amount,
    Lines: lines.map((line) => ({ Credits: [], Deductions: [], ...line })), ...more,
  }, { key: scene.key() })
}

/** What is said of the fields of a refused receipt. */
const refused = async (...asked: Parameters<typeof tryPay>) => (await tryPay(...asked)).data.errors?.map(({ field, key, text }: Record) => [field, key.replace('field.', ''), text])

const collects = (kind: 'GOV' | 'NONE', rate: string) => scene.database.run(sql`update customer set wapu_kind = ${kind}, trx_code = null, pph22_rate = ${rate} where code = ${office}`)

/** The sentences alone, by their keys. */
const keysOf = async (...asked: Parameters<typeof tryPay>) => (await refused(...asked))?.map(([, key]: string[]) => key)

/** A document entered, submitted and approved. */
async function approved(resource: string, type: string, body: object): Promise<Record> {
  const made = await scene.create('admin', resource, body)
  await scene.act('admin', resource, made.ID, 'submit')
  await scene.decide(type, made.ID)
  return scene.read(resource, made.ID)
}

const invoiceOf = (customer: string, item: 'C' | 'D' = 'D') => scene.invoiced(customer, [{ item, qty: '1' }])

describe('what a buyer withholds', () => {
  test('income tax art. 22 is withheld by those who collect tax only, art. 23 by its rate: nobody clears an invoice without money', async () => {
    const invoice = await invoiceOf(private_)
    const whole = (kind: string) => refused(private_, '0', [{ InvoiceID: invoice.ID, Paid: '2200000', Deductions: took(kind, '2200000') }])
    expect(await whole('PPH22')).toEqual([['Lines[0].Deductions', 'EXCEEDS_TAX.collector', 'Income tax art. 22 is withheld only by buyers who collect tax, on sales of more than 2,000,000.00 before VAT.']])
    expect(await whole('PPH23')).toEqual([['Lines[0].Deductions', 'EXCEEDS_TAX.withheld', 'Income tax of at most 39,740.00 may be withheld on this invoice: 2 % of 1,981,982.00.']])
    expect((await scene.pay(private_, '2160360', [{ InvoiceID: invoice.ID, Paid: '2200000', Deductions: took('PPH23', '39640') }])).Status).toBe(1)
  })

  test('by rate and base, with the tolerance of government clearing, and once', async () => {
    await collects('GOV', '1.5')
    const invoice = await invoiceOf(office, 'C')
    const less = (kind: string, amount: string) => [{ InvoiceID: invoice.ID, Paid: amount, Deductions: took(kind, amount), ReasonID: r07 }]
    const r07 = await reason('R07')
    expect(await refused(office, '0', less('PPH22', '44696'))).toEqual([['Lines[0].Deductions', 'EXCEEDS_TAX.withheld', 'Income tax of at most 44,695.00 may be withheld on this invoice: 1.5 % of 2,972,973.00.']])
    await scene.pay(office, '0', less('PPH22', '44595'))
    expect(await refused(office, '0', less('PPH22', '44595'))).toEqual([['Lines[0].Deductions', 'EXCEEDS_TAX.before', 'Earlier receipts took 44,595.00 of this tax off the invoice: at most 100.00 more may be taken.']])
    await scene.pay(office, '0', less('PPN_WAPU', '327027'))
    expect(await refused(office, '0', less('PPN_WAPU', '327027'))).toEqual([['Lines[0].Deductions', 'EXCEEDS_TAX.before', 'Earlier receipts took 327,027.00 of this tax off the invoice: at most 0.00 more may be taken.']])
    expect(await scene.balance('213102')).toBe('0.00')
  })

  test('a collector without a rate of his own withholds by the tax code; small sales are free of it', async () => {
    await collects('GOV', '0')
    const [large, small] = [await invoiceOf(office, 'C'), await invoiceOf(office, 'D')]
    await scene.pay(office, '3255405', [{ InvoiceID: large.ID, Paid: '3300000', Deductions: took('PPH22', '44595') }])
    expect(await keysOf(office, '2170270', [{ InvoiceID: small.ID, Paid: '2200000', Deductions: took('PPH22', '29730') }])).toEqual(['EXCEEDS_TAX.collector'])
    await collects('NONE', '0')
  })

  test('what a reversed receipt withheld may be withheld again', async () => {
    const invoice = await invoiceOf(private_)
    const lines = [{ InvoiceID: invoice.ID, Paid: '39640', Deductions: took('PPH23', '39640'), ReasonID: await reason('R07') }]
    const payment = await scene.pay(private_, '0', lines)
    expect(await keysOf(private_, '0', lines)).toEqual(['EXCEEDS_TAX.before'])
    await scene.act('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await reason('V02') })
    await scene.decide('ar_payment', payment.ID)
    expect((await scene.pay(private_, '0', lines)).Status).toBe(1)
  })
})

describe('tolerances hold for the invoice, not for each receipt', () => {
  test('a payment difference', async () => {
    const invoice = await invoiceOf(private_)
    const [r01, r03] = [await reason('R01'), await reason('R03')]
    const line = (paid: string, diff: string, ReasonID = r03) => [{ InvoiceID: invoice.ID, Paid: paid, Deductions: took('DIFF', diff), ReasonID, ReasonText: 'claim' }]
    expect(await refused(private_, '100000', line('102000', '2000', r01))).toEqual([['Lines[0].ReasonID', 'NOT_A_CHOICE.difference', 'This reason leaves the rest to be paid: take no payment difference with it, or name another reason.']])
    await scene.pay(private_, '100000', line('103000', '3000'))
    expect(await refused(private_, '100000', line('103000', '3000'))).toEqual([['Lines[0].Deductions', 'EXCEEDS_TOLERANCE.before', 'Earlier receipts took 3,000.00 off this invoice: at most 2,000.00 more may be taken.']])
    await scene.pay(private_, '100000', line('102000', '2000'))
    expect(await keysOf(private_, '100000', line('100001', '1'))).toEqual(['EXCEEDS_TOLERANCE.before'])
  })

  test('two receipts saved while it was free: the second is refused when posted', async () => {
    const invoice = await invoiceOf(private_)
    const line = { InvoiceID: invoice.ID, Paid: '105000', Deductions: took('DIFF', '5000'), ReasonID: await reason('R03'), ReasonText: 'claim' }
    const drafts = await Promise.all([1, 2].map(() => scene.draftPayment(private_, '100000', [line])))
    const answers = await Promise.all(drafts.map((draft) => scene.tryAct('cashier', 'payment-received', draft.ID, 'post')))
    expect(answers.map((answer) => answer.code).sort()).toEqual(['VALIDATION_FAILED', 'success'])
  })

  test('bank charges, and none where no money came', async () => {
    const invoice = await invoiceOf(private_)
    const line = (paid: string, charge: string) => [{ InvoiceID: invoice.ID, Paid: paid, Deductions: took('BANK', charge), ReasonID: r01 }]
    const r01 = await reason('R01')
    expect(await refused(private_, '0', line('25000', '25000'))).toEqual([['Amount', 'EXCEEDS_MONEY.bank-charges', 'No money came in, so no bank charge was kept from it.']])
    await scene.pay(private_, '100000', line('120000', '20000'))
    expect(await refused(private_, '100000', line('120000', '20000'))).toEqual([['Lines[0].Deductions', 'EXCEEDS_TOLERANCE.before', 'Earlier receipts took 20,000.00 off this invoice: at most 5,000.00 more may be taken.']])
    await scene.pay(private_, '100000', line('105000', '5000'))
  })

  test('the cash discount', async () => {
    await scene.database.run(sql`update payment_term set cash_discount_pct = 2, cash_discount_days = 10 where code = 'N30'`)
    const invoice = await invoiceOf(private_)
    const line = (amount: string) => [{ InvoiceID: invoice.ID, Paid: '101835', Deductions: took('CASH_DISCOUNT', amount), ReasonID: r01 }]
    const r01 = await reason('R01')
    expect(await refused(private_, '100165', line('1870'))).toEqual([['Lines[0].Deductions', 'EXCEEDS_TOLERANCE.cash-discount', 'For this payment the invoice grants a cash discount of 1,834.00.']])
    await scene.pay(private_, '100000', line('1835'))
    await scene.pay(private_, '100000', line('1835'))
    await scene.database.run(sql`update payment_term set cash_discount_pct = 0, cash_discount_days = 0 where code = 'N30'`)
  })
})

describe('unidentified money', () => {
  const statement = async (no: string, day: string, amount: string, opening: string, closing: string) =>
    approved('bank-statement', 'bank_statement', {
      HouseBankID: bank, DocDate: day, StatementNo: no, OpeningBalance: opening, ClosingBalance: closing, Lines: [{ ValueDate: day, Credit: amount, MatchType: 'UNIDENTIFIED' }],
    })
  const draft = (amount: string, day: string) => scene.draftPayment(private_, amount, [], { Method: 'UNIDENTIFIED', PaymentDate: day })
  const post = (record: Record) => scene.tryAct('cashier', 'payment-received', record.ID, 'post', {}, { acknowledge: ['PAYS_NOTHING'] })

  test('is used as far as it is there, from the day it came', async () => {
    const before = await scene.balance('212102')
    expect(before).toBe('0.00')
    expect(await post(await draft('100000', '2026-11-20'))).toMatchObject({
      status: 422, code: 'EXCEEDS_AVAILABLE', message: 'Of unidentified money only 0.00 is there that nobody has used.', data: { errors: [{ field: 'Amount', key: 'field.EXCEEDS_REMAINING.most' }] },
    })
    await statement('U1', '2026-11-20', '150000', '0', '150000')
    expect(await post(await draft('100000', '2026-11-19'))).toMatchObject({ code: 'EXCEEDS_AVAILABLE' })
    const answers = await Promise.all((await Promise.all([1, 2].map(() => draft('100000', '2026-11-20')))).map(post))
    expect(answers.map((answer) => answer.code).sort()).toEqual(['EXCEEDS_AVAILABLE', 'success'])
    expect(answers.find((answer) => answer.code !== 'success')?.message).toBe('Of unidentified money only 50,000.00 is there that nobody has used.')
    expect(await post(await draft('50000', '2026-11-20'))).toMatchObject({ code: 'success' })
    expect(await scene.balance('212102')).toBe('0.00')
    expect(await violations(scene.database, '2026-11-20')).toEqual([])
  })
})

test('credits used and amounts deducted are listed by invoice beside the receipt, for whoever sees it', async () => {
  const [invoice, other] = [await invoiceOf(office), await invoiceOf(office)]
  const note = await approved('credit-note', 'credit_note', { CustomerID: invoice.CustomerID, Kind: 'MANUAL', DocDate: scene.at.clock.today(), Dpp: '50000', Total: '50000', AccountID: await scene.at.id('account', '414101') })
  const r01 = await reason('R01')
  const paid = await scene.pay(office, '149000', [
    { InvoiceID: invoice.ID, Paid: '101000', Deductions: [{ Kind: 'PPH23', Amount: '1000', DocumentNo: 'BP-77', DocumentDate: '2026-11-02' }] },
    { InvoiceID: other.ID, Paid: '99000', Credits: [{ Source: 'CREDIT_NOTE', SourceID: note.ID, Amount: '50000' }] },
  ].map((line) => ({ ...line, ReasonID: r01 })))
  const listed = async (who: 'cashier' | 'sales') => scene.people[who].get('/api/v1/data/payment-received-use', { columns: 'invoice_id,kind,amount,document_no,document_date,pending_doc', totals: 'amount', order: 'line_no', sort: 'asc', filter: JSON.stringify({ ar_payment_id: paid.ID }) })
  const { data } = await listed('cashier')
  expect(data.rows).toMatchObject([
    { InvoiceID: invoice.ID, Kind: 'PPH23', Amount: '1000.00', DocumentNo: 'BP-77', DocumentDate: '2026-11-02', PendingDoc: false },
    { InvoiceID: other.ID, Kind: 'CREDIT_NOTE', Amount: '50000.00', DocumentNo: note.Code, DocumentDate: note.DocDate },
  ])
  expect(data.totals).toEqual({ amount: '51000.00' })
  expect((await listed('sales')).status).toBe(403)
})

describe('nothing is used before it exists', () => {
  test('a deposit or a credit note younger than the receipt', async () => {
    const invoice = await invoiceOf(private_)
    const customer = invoice.CustomerID
    const note = await approved('credit-note', 'credit_note', { CustomerID: customer, Kind: 'MANUAL', DocDate: '2026-12-15', Dpp: '100000', Total: '100000', AccountID: await scene.at.id('account', '414101') })
    await scene.moveTo('2026-11-25T03:00:00.000Z')
    const over = await scene.pay(private_, '500000', [])
    const [money] = await scene.rows('customer_deposit', sql`deposit_source_id = ${over.ID}`)
    const line = (Credits: object[]) => [{ InvoiceID: invoice.ID, Paid: '100000', Credits, ReasonID: r01 }]
    const r01 = await reason('R01')
    expect(await refused(private_, '0', line(deposit(money.id)), { PaymentDate: '2026-11-22' })).toEqual([['Lines[0].Credits', 'TOO_EARLY.credit', `${money.code} is younger than the payment.`]])
    expect(await refused(private_, '0', line([{ Source: 'CREDIT_NOTE', SourceID: note.ID, Amount: '100000' }]))).toEqual([['Lines[0].Credits', 'TOO_EARLY.credit', `${note.Code} is younger than the payment.`]])
    const proposal = await scene.command('cashier', 'propose-payment', { CustomerID: customer, InvoiceIDs: [invoice.ID], Amount: '0', UseDeposits: true })
    const offered = proposal.Lines.flatMap((one: Record) => one.Credits).map((one: Record) => `${one.Source} ${one.SourceID}`)
    expect(offered).toContain(`DEPOSIT ${money.id}`)
    expect(offered).not.toContain(`CREDIT_NOTE ${note.ID}`)
    expect((await scene.pay(private_, '0', line(deposit(money.id)))).Status).toBe(1)
    for (const day of ['2026-11-20', '2026-11-22', '2026-11-25']) expect(await violations(scene.database, day)).toEqual([])
  })

  test('a temporary credit note before its invoice, a credit note before the temporary one it settles', async () => {
    const invoice = await invoiceOf(private_)
    const claim = { CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Amount: '100000' }
    const early = await scene.create('admin', 'cn-temporary', { ...claim, DocDate: '2026-11-10' })
    expect((await scene.tryAct('admin', 'cn-temporary', early.ID, 'submit')).data.errors).toMatchObject([{ field: 'DocDate', key: 'field.TOO_EARLY.order', text: `Not before 25/11/2026, the day of ${invoice.Code}.` }])
    const temporary = await approved('cn-temporary', 'cn_temporary', { ...claim, DocDate: '2026-11-25' })
    const note = { CustomerID: invoice.CustomerID, Kind: 'CLAIM', PromoTypeID: await scene.at.id('credit_note_promo_type', 'KLAIM-LAIN'), Dpp: '100000', Total: '100000', CnTemporaryID: temporary.ID }
    const sooner = await scene.create('admin', 'credit-note', { ...note, DocDate: '2026-11-24' })
    expect((await scene.tryAct('admin', 'credit-note', sooner.ID, 'submit')).data.errors).toMatchObject([{ field: 'DocDate', key: 'field.TOO_EARLY.order', text: `Not before 25/11/2026, the day of ${temporary.Code}.` }])
    expect(await approved('credit-note', 'credit_note', { ...note, DocDate: '2026-11-25' })).toMatchObject({ Status: 3 })
    for (const day of ['2026-11-10', '2026-11-24', '2026-11-25']) expect(await violations(scene.database, day)).toEqual([])
  })
})

describe('a receipt whose reversal waits for a decision', () => {
  test('its deposit is not used meanwhile', async () => {
    const over = await scene.pay(private_, '500000', [])
    const [money] = await scene.rows('customer_deposit', sql`deposit_source_id = ${over.ID}`)
    const invoice = await invoiceOf(private_)
    const line = [{ InvoiceID: invoice.ID, Paid: '100000', Credits: deposit(money.id), ReasonID: await reason('R01') }]
    const draft = await scene.draftPayment(private_, '0', line)
    await scene.act('cashier', 'payment-received', over.ID, 'request-reversal', { ReasonID: await reason('V02') })
    expect(await refused(private_, '0', line)).toEqual([['Lines[0].Credits', 'PENDING_TRANSITION.receipt', `${money.code} came with receipt ${over.Code}, whose reversal waits for a decision.`]])
    expect((await scene.tryAct('cashier', 'payment-received', draft.ID, 'post')).code).toBe('VALIDATION_FAILED')
    const proposal = await scene.command('cashier', 'propose-payment', { CustomerID: invoice.CustomerID, InvoiceIDs: [invoice.ID], Amount: '0', UseDeposits: true })
    expect(JSON.stringify(proposal)).not.toContain(`"SourceID":${money.id},`)
    await scene.decide('ar_payment', over.ID)
    expect(await scene.read('payment-received', over.ID)).toMatchObject({ Status: 7 })
  })

  test('nor while somebody asks for it at the same moment: one of the two is refused', async () => {
    const invoice = await invoiceOf(private_)
    for (let n = 0; n < 3; n++) {
      const over = await scene.pay(private_, '500000', [])
      const [money] = await scene.rows('customer_deposit', sql`deposit_source_id = ${over.ID}`)
      const draft = await scene.draftPayment(private_, '0', [{ InvoiceID: invoice.ID, Paid: '100000', Credits: deposit(money.id), ReasonID: await reason('R01') }])
      const answers = await Promise.all([
        scene.tryAct('cashier', 'payment-received', draft.ID, 'post'), scene.tryAct('cashier', 'payment-received', over.ID, 'request-reversal', { ReasonID: await reason('V02') }),
      ])
      expect(answers.filter((answer) => answer.code === 'success').length).toBe(1)
    }
  })

  test('a temporary credit note it brought about is not settled meanwhile', async () => {
    const invoice = await invoiceOf(private_)
    const short = await scene.pay(private_, '100000', [{ InvoiceID: invoice.ID, Paid: '100000', ReasonID: await reason('R03'), ReasonText: 'claim' }])
    const [claim] = await scene.rows('cn_temporary', sql`ar_payment_id = ${short.ID}`)
    await scene.act('admin', 'cn-temporary', claim.id, 'submit')
    await scene.decide('cn_temporary', claim.id)
    await scene.act('cashier', 'payment-received', short.ID, 'request-reversal', { ReasonID: await reason('V02') })
    const note = await scene.create('admin', 'credit-note', { CustomerID: invoice.CustomerID, Kind: 'CLAIM', PromoTypeID: await scene.at.id('credit_note_promo_type', 'KLAIM-LAIN'), DocDate: '2026-11-25', Dpp: '1000', Total: '1000', CnTemporaryID: claim.id })
    await scene.act('admin', 'credit-note', note.ID, 'submit')
    await expect(scene.decide('credit_note', note.ID)).rejects.toThrow(`Receipt ${short.Code}, which this temporary credit note belongs to, waits for a decision on its reversal.`)
    await scene.decide('ar_payment', short.ID)
    expect(await scene.read('payment-received', short.ID)).toMatchObject({ Status: 7 })
  })
})

describe('a credit note', () => {
  const note = async (more: object) => scene.create('admin', 'credit-note', { CustomerID: await scene.at.id('customer', private_), Kind: 'CLAIM', PromoTypeID: await scene.at.id('credit_note_promo_type', 'KLAIM-LAIN'), DocDate: '2026-11-25', Dpp: '1000', Total: '1000', ...more })

  test('is borne by the principal between nothing and its base', async () => {
    for (const share of ['0', '100']) {
      const made = await note({ Funding: 'SHARED', PrincipalPct: share })
      expect((await scene.tryAct('admin', 'credit-note', made.ID, 'submit')).data.errors, share).toMatchObject([{ field: 'PrincipalPct', key: 'rule.share-in-percent' }])
    }
    const made = await note({ Funding: 'PRINCIPAL' })
    expect(made).toMatchObject({ PrincipalShare: '1000.00', CompanyShare: '0.00' })
    await scene.act('admin', 'credit-note', made.ID, 'submit')
  })

  test('and temporary ones and deposits are refused when submitted, not only when approved, in a closed period', async () => {
    const invoice = await invoiceOf(private_)
    const made: [string, Record][] = [
      ['credit-note', await note({})],
      ['cn-temporary', await scene.create('admin', 'cn-temporary', { CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Amount: '1000', DocDate: '2026-11-25' })],
      ['customer-deposit', await scene.create('admin', 'customer-deposit', { CustomerID: invoice.CustomerID, Method: 'TRANSFER', HouseBankID: bank, Amount: '1000', DocDate: '2026-11-25' })],
    ]
    const periods = (status: string) => scene.database.run(sql`update accounting_period set status = ${status} where period = '202611' and module = 'AR'`)
    await periods('CLOSED')
    for (const [resource, { ID }] of made) expect(await scene.tryAct('admin', resource, ID, 'submit'), resource).toMatchObject({ code: 'PERIOD_CLOSED', data: { errors: [{ field: 'DocDate' }] } })
    await periods('OPEN')
    for (const [resource, { ID }] of made) await scene.act('admin', resource, ID, 'submit')
  })
})

test('whoever asks for a reversal is told of a closed period, every module at once, and nothing waits for a decision that could not be taken', async () => {
  const periods = (status: string) => scene.database.run(sql`update accounting_period set status = ${status} where period = '202611' and module in ('AR', 'CB')`)
  const receipt = await scene.pay(private_, '1000', [])
  await periods('CLOSED')
  const asked = await scene.tryAct('cashier', 'payment-received', receipt.ID, 'request-reversal', { ReasonID: await reason('V02') })
  expect(asked).toMatchObject({ code: 'PERIOD_CLOSED', message: 'Period 11/2026 for Receivables, Cash and bank in JKT is closed, and no other day can be chosen for this. Have it reopened by whoever closes the books.' })
  expect(await scene.read('payment-received', receipt.ID)).toMatchObject({ Status: 1, PendingTransition: null })
  // While it is being closed those who decide may well be those who still post into it.
  await periods('CLOSING')
  await scene.act('cashier', 'payment-received', receipt.ID, 'request-reversal', { ReasonID: await reason('V02') })
  await periods('OPEN')
  await scene.decide('ar_payment', receipt.ID)
})

test('nothing contradicts itself', async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

describe('what stays open for a reason that says it is disputed', () => {
  test('does not count as overdue against the customer, until the receipt that says so is undone', async () => {
    const invoice = await scene.invoiced('C0000002', [{ item: 'B', qty: '2' }])
    const half = String(Math.floor(Number(invoice.Total) / 2))
    const state = async () => (await scene.read('invoice', invoice.ID)).Dispute
    const first = await scene.pay('C0000002', half, [{ InvoiceID: invoice.ID, Paid: half, ReasonID: await reason('R01') }])
    expect(await state()).toBe(false)
    const second = await scene.pay('C0000002', '1000', [{ InvoiceID: invoice.ID, Paid: '1000', ReasonID: await reason('R05'), ReasonText: 'price of last month' }])
    expect(await state()).toBe(true)
    const history = (await (await scene.at.signIn('admin')).get(`/api/v1/data/invoice/${invoice.ID}/history`)).data.records
    expect(JSON.stringify(history)).toContain('dispute')
    await scene.act('cashier', 'payment-received', second.ID, 'request-reversal', { ReasonID: await reason('V02') })
    await scene.decide('ar_payment', second.ID)
    expect([await state(), first.Status]).toEqual([false, 1])
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
  })
})
