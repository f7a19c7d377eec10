import { beforeAll, describe, expect, test } from 'vitest'
import { grouped } from '#base/decimal.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import type { Answer } from '../support/app.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const accounts: { [code: string]: number } = {}
beforeAll(async () => {
  scene = await openScene()
  const bdg = await scene.at.id('operating_unit', 'BDG')
  accounts['BCA1'] = await scene.at.id('house_bank', 'BCA1')
  accounts['BCA-JKT'] = await scene.at.id('house_bank', 'BCA-JKT')
  accounts['KAS-JKT'] = await scene.at.id('cash_account', 'KAS-JKT')
  const bank = { OperatingUnitID: bdg, BankID: await scene.at.id('bank', 'BCA'), AccountNo: '222', AccountName: 'PT Arus', Currency: 'IDR', GlAccountID: await scene.at.id('account', '111202') }
  accounts['BDG'] = (await scene.create('admin', 'house-bank', { Code: 'BCA-BDG', Name: 'BCA Bandung', ...bank })).ID
  accounts['KAS-BDG'] = (await scene.create('admin', 'cash-account', { Code: 'KAS-BDG', Name: 'Cash Bandung', OperatingUnitID: bdg, Kind: 'CASHIER', GlAccountID: await scene.at.id('account', '111102') })).ID
})

const makmur = 'C0000001'
const reason = (code: string) => scene.at.id('reason', code)
const invoiceOf = () => scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
const today = () => scene.at.clock.today()

/** A receipt of the administrator, who is of no unit. */
async function tryReceive(more: object, lines: readonly object[] = []): Promise<Answer> {
  return scene.people.admin.post('/api/v1/data/payment-received', {
    CustomerID: await scene.at.id('customer', makmur), PaymentDate: today(), Method: 'TRANSFER', HouseBankID: accounts['BCA1'], Amount: '100000', Lines: lines.map((line) => ({ Credits: [], Deductions: [], ...line })), ...more,
  }, { key: scene.key() })
}
const faults = async (...asked: Parameters<typeof tryReceive>) => (await tryReceive(...asked)).data.errors?.map(({ field, key }: Record) => [field, key.replace('field.', '')])

describe('money goes where the receipt is of', () => {
  test('not to the bank or the cash desk of another unit', async () => {
    expect(await faults({ HouseBankID: accounts['BDG'] })).toEqual([['HouseBankID', 'NOT_IN_SCOPE.unit-bank']])
    expect(await faults({ Method: 'CASH', HouseBankID: null, CashAccountID: accounts['KAS-BDG'] })).toEqual([['CashAccountID', 'NOT_IN_SCOPE.own-cash']])
    const made = await tryReceive({})
    expect(made.code).toBe('success')
    // Whose bank it is by the time it is posted.
    await scene.database.run(sql`update ar_payment set house_bank_id = ${accounts['BDG']} where id = ${made.data.record.ID}`)
    expect((await scene.tryAct('admin', 'payment-received', made.data.record.ID, 'post')).data.errors).toMatchObject([{ field: 'HouseBankID', key: 'field.NOT_IN_SCOPE.unit-bank' }])
  })

  test('nor a deposit', async () => {
    const body = { CustomerID: await scene.at.id('customer', makmur), Amount: '5000', DocDate: today() }
    const save = (more: object) => scene.people.admin.post('/api/v1/data/customer-deposit', { ...body, ...more }, { key: scene.key() })
    expect((await save({ Method: 'TRANSFER', HouseBankID: accounts['BDG'] })).data.errors).toMatchObject([{ field: 'HouseBankID', key: 'field.NOT_IN_SCOPE.unit-bank' }])
    expect((await save({ Method: 'CASH', CashAccountID: accounts['KAS-BDG'] })).data.errors).toMatchObject([{ field: 'CashAccountID', key: 'field.NOT_IN_SCOPE.own-cash' }])
  })

  test('and only the statement of that bank confirms it', async () => {
    const { data } = await tryReceive({ HouseBankID: accounts['BCA1'] })
    const paid = await scene.act('admin', 'payment-received', data.record.ID, 'post')
    const confirm = async (bank: string) => {
      const made = await scene.create('admin', 'bank-statement', {
        HouseBankID: accounts[bank], DocDate: today(), StatementNo: bank, OpeningBalance: '0', ClosingBalance: '100000', Lines: [{ ValueDate: today(), Credit: '100000', MatchType: 'PAYMENT', ArPaymentID: paid.ID }],
      })
      await scene.act('admin', 'bank-statement', made.ID, 'submit')
      return scene.decide('bank_statement', made.ID)
    }
    await expect(confirm('BDG')).rejects.toThrow(`Line 1: receipt ${paid.Code} went to another bank account.`)
    await expect(confirm('BCA-JKT')).rejects.toThrow('went to another bank account')
    await confirm('BCA1')
    expect(await scene.read('payment-received', paid.ID)).toMatchObject({ Status: 3 })
    expect(await violations(scene.database, today())).toEqual([])
  })
})

test('a bank charge is less than the money it was kept from', async () => {
  const invoice = await invoiceOf()
  const line = { InvoiceID: invoice.ID, Paid: '20001', Deductions: [{ Kind: 'BANK', Amount: '20000' }], ReasonID: await reason('R01') }
  const answer = await tryReceive({ Amount: '1' }, [line])
  expect(answer.data.errors).toMatchObject([{ field: 'Amount', key: 'field.EXCEEDS_MONEY.bank-charge', text: 'Bank charges of 20,000.00 were not kept from 1.00 that came.' }])
  expect((await tryReceive({ Amount: '20000' }, [{ ...line, Paid: '40000' }])).code).toBe('success')
})

describe('a claim without its credit note', () => {
  const claims = (invoice: Record) => scene.rows('cn_temporary', sql`invoice_id = ${invoice.ID} and status <> 6`)
  const short = async (invoice: Record, amount: string) => scene.pay(makmur, amount, [{ InvoiceID: invoice.ID, Paid: amount, ReasonID: await reason('R03'), ReasonText: 'rack' }])

  test('is drafted once for what is open, and shrinks with it', async () => {
    const invoice = await invoiceOf()
    await short(invoice, '1700000')
    expect(await claims(invoice)).toMatchObject([{ amount: '500000.00' }])
    const second = await short(invoice, '100000')
    expect(await claims(invoice)).toMatchObject([{ amount: '400000.00', status: 0 }])
    const [claim] = await claims(invoice)
    await scene.act('admin', 'cn-temporary', claim.id, 'submit')
    await scene.act('cashier', 'payment-received', second.ID, 'request-reversal', { ReasonID: await reason('V02') })
    await scene.decide('ar_payment', second.ID)
    // What is open above a claim that waits is a claim of its own.
    await short(invoice, '50000')
    expect(await claims(invoice)).toMatchObject([{ amount: '400000.00', status: 4 }, { amount: '50000.00', status: 0 }])
    for (const open of await claims(invoice)) {
      if (open.status === 0) await scene.act('admin', 'cn-temporary', open.id, 'submit')
      await scene.decide('cn_temporary', open.id)
    }
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Remaining: '0.00', Status: 3 })
    expect(await violations(scene.database, today())).toEqual([])
  })
})

describe('a claim nobody has approved keeps to what is open', () => {
  const claims = (invoice: Record) => scene.rows('cn_temporary', sql`invoice_id = ${invoice.ID}`)
  const claimed = async (paid = '1700000'): Promise<Record> => {
    const invoice = await invoiceOf()
    await scene.pay(makmur, paid, [{ InvoiceID: invoice.ID, Paid: paid, ReasonID: await reason('R03'), ReasonText: 'rack' }])
    return invoice
  }

  test('it goes when another receipt pays the rest, and shrinks when it pays a part, whatever its reason', async () => {
    const invoice = await claimed()
    await scene.pay(makmur, '200000', [{ InvoiceID: invoice.ID, Paid: '200000', ReasonID: await reason('R01') }])
    expect(await claims(invoice)).toMatchObject([{ amount: '300000.00', status: 0 }])
    await scene.pay(makmur, '300000', [{ InvoiceID: invoice.ID, Paid: '300000' }])
    expect(await claims(invoice)).toMatchObject([{ status: 6 }])
  })

  test('one somebody is asked about is no longer asked about with what is not there', async () => {
    const [part, whole] = [await claimed(), await claimed()]
    for (const invoice of [part, whole]) await scene.act('admin', 'cn-temporary', (await claims(invoice))[0].id, 'submit')
    await scene.pay(makmur, '100000', [{ InvoiceID: part.ID, Paid: '100000', ReasonID: await reason('R01') }])
    await scene.pay(makmur, '500000', [{ InvoiceID: whole.ID, Paid: '500000' }])
    expect(await claims(part)).toMatchObject([{ amount: '400000.00', status: 0 }])
    expect(await claims(whole)).toMatchObject([{ status: 6 }])
    expect(await scene.rows('approval_request', sql`doc_type = 'cn_temporary' and status = 4`)).toEqual([])
  })

  test('an invoice undone has none', async () => {
    const invoice = await invoiceOf()
    const claim = await scene.create('admin', 'cn-temporary', { CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Amount: '1000', DocDate: today() })
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'CANCEL', ReasonID: await reason('C02') })
    await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
    await scene.decide('invoice_cancel_request', request.ID)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 6 })
    expect(await scene.read('cn-temporary', claim.ID)).toMatchObject({ Status: 6 })
    expect(await violations(scene.database, today())).toEqual([])
  })
})

test('what a receipt leaves open as lost is drafted as a write-off, to be decided there', async () => {
  const invoice = await invoiceOf()
  const { records } = (await scene.people.cashier.get('/api/v1/payment/reason-outstanding')).data
  expect(records.map((one: Record) => one.Code)).toEqual(expect.arrayContaining(['R01', 'R10']))
  // By a parameter in force for bad debts; without one there is nothing to decide by.
  await scene.database.run(sql`update write_off_parameter set is_active = false`)
  const lost = { InvoiceID: invoice.ID, Paid: '100000', ReasonID: await reason('R10'), ReasonText: 'gone' }
  expect(await faults({}, [lost])).toEqual([['Lines[0].ReasonID', 'NOT_A_CHOICE.write-off']])
  await scene.database.run(sql`
    insert into write_off_parameter (code, name, category, min_age_days, max_amount_per_item, max_total, method, account_id, valid_from)
    select 'WO-UJI', 'Uji', 'BAD_DEBT', 0, 30000000, 60000000, 'DIRECT', id, '2025-01-01' from account where code = '613101'`)
  const payment = await scene.pay(invoice.CustomerCode, '100000', [lost])
  const [draft] = await scene.rows('write_off', sql`ar_payment_id = ${payment.ID}`)
  const left = (Number(invoice.Total) - 100_000).toFixed(2)
  expect(await scene.read('write-off', draft.id)).toMatchObject({ Status: 0, Category: 'BAD_DEBT', Total: left, Lines: [{ InvoiceID: invoice.ID, Amount: left, RemainingAt: left }] })
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 2, Remaining: left })
  expect(await violations(scene.database, today())).toEqual([])
})

describe('a credit note by hand', () => {
  const save = async (more: object) => scene.people.admin.post('/api/v1/data/credit-note', { CustomerID: await scene.at.id('customer', makmur), Kind: 'MANUAL', DocDate: today(), Dpp: '1000', Total: '1000', ...more }, { key: scene.key() })
  const submit = async (more: object) => scene.tryAct('admin', 'credit-note', (await save(more)).data.record.ID, 'submit')

  test('is none of a return: that comes from the return', async () => {
    expect((await save({ Kind: 'RETURN' })).data.errors).toMatchObject([{ field: 'Kind', key: 'field.NOT_A_CHOICE.return', text: 'The credit note of a return comes from the return itself.' }])
    expect((await save({ Kind: 'BEGBAL' })).data.errors).toMatchObject([{ field: 'Kind', key: 'field.NOT_A_CHOICE.opening' }])
  })

  test('has no negative parts and no account that documents keep', async () => {
    expect((await submit({ Dpp: '1500', Ppn: '-500' })).data.errors).toMatchObject([{ field: 'Ppn', key: 'field.NEGATIVE' }])
    expect((await submit({ AccountID: await scene.at.id('account', '112101') })).data.errors).toMatchObject([{ field: 'AccountID', key: 'field.NOT_A_CHOICE.kept-account' }])
    expect((await submit({ AccountID: await scene.at.id('account', '111201') })).data.errors).toMatchObject([{ field: 'AccountID' }])
    expect((await submit({ AccountID: await scene.at.id('account', '414101') })).code).toBe('success')
  })

  test('pays a claim once, also when two are submitted at once', async () => {
    const notes = await Promise.all([1, 2].map(async () => (await save({ Kind: 'CLAIM', PromoTypeID: await scene.at.id('credit_note_promo_type', 'KLAIM-LAIN'), ClaimNo: 'CL-77' })).data.record.ID as number))
    const answers = await Promise.all(notes.map((id) => scene.tryAct('admin', 'credit-note', id, 'submit')))
    expect(answers.map(({ code }) => code).toSorted()).toEqual(['DUPLICATE_DOCUMENT', 'success'])
  })
})

describe('money is of the books', () => {
  const books = async (resource: string, body: object) => {
    const customer = { CustomerID: await scene.at.id('customer', makmur), ...(resource === 'payment-received' ? { PaymentDate: today() } : {}) }
    // Of statements under one number the one that is kept first has the others told of it as well.
    const own = () => (resource === 'bank-statement' ? { StatementNo: scene.key() } : customer)
    const send = (more: object) => scene.people.admin.post(`/api/v1/data/${resource}`, { ...own(), ...body, ...more }, { key: scene.key() })
    return Promise.all([{ Currency: 'USD' }, { Rate: '16000' }, { Currency: 'IDR', Rate: '1' }].map(async (more) => {
      const { code, data } = await send(more)
      return data.errors?.map((one: Record) => `${one.field} ${one.key}`).join() ?? code
    }))
  }

  test.each([
    ['payment-received', { Method: 'UNIDENTIFIED', Amount: '100', Lines: [] }],
    ['credit-note', { Kind: 'MANUAL', Dpp: '100', Total: '100' }],
    ['customer-deposit', { Method: 'TRANSFER', Amount: '100' }],
    ['bank-statement', { OpeningBalance: '0', ClosingBalance: '0', Lines: [] }],
    ['sales-order', { Lines: [] }],
  ])('a %s in another currency is refused, at another rate too', async (resource, body) => {
    const bank = resource === 'bank-statement' || resource === 'customer-deposit' ? { HouseBankID: accounts['BCA1'] } : {}
    expect(await books(resource, { ...body, ...bank })).toEqual(['Currency field.NOT_A_CHOICE.currency', 'Rate field.NOT_A_CHOICE.rate', 'success'])
  })

  test('an order is in the currency of its customer’s price list: what is not in it is priced neither at nothing nor by the prices of others', async () => {
    const [item, other, customer] = await Promise.all([scene.at.id('item', 'A'), scene.at.id('item', 'B'), scene.at.id('customer', makmur)])
    const order = { CustomerID: customer, Lines: [item, other].map((ItemID) => ({ ItemID, Uom: 'CTN', Qty: '1' })) }
    const priced = async (more: object = {}) => {
      const { record, errors } = await scene.command('sales', 'price-order', { ...order, ...more })
      return [record.Total, errors?.map((one: Record) => `${one.field} ${one.key}`)]
    }
    const [total] = await priced()
    expect(Number(total)).toBeGreaterThan(0)
    expect(await priced({ Currency: 'USD', Rate: '0' })).toEqual([total, ['Currency field.NOT_A_CHOICE.currency', 'Rate field.NOT_A_CHOICE.rate']])
    const dollars = (await scene.database.first<{ id: number }>(sql`
      insert into price_set (code, name, scheme, scope_kind, ref_id, currency, valid_from, status, is_active, created_at, updated_at, version)
      values ('USD', 'Dollars', 'V2', 'CUSTOMER', ${customer}, 'USD', '2025-01-01', 1, true, now(), now(), 1) returning id`))?.id
    await scene.database.run(sql`insert into list_price (price_set_id, item_id, uom, min_qty, price, valid_from) values (${dollars}, ${item}, 'CTN', 0, 8, '2025-01-01')`)
    const refused = ['Lines[1].ItemID field.PR00.currency']
    expect(await priced()).toEqual(['8.44', ['CustomerID field.REQUIRED.exchange-rate', ...refused]])
    await insertRows(scene.database, 'exchange_rate', [{ currency: 'USD', rate_date: today(), kind: 'BI', rate: '16000' }])
    expect(await priced()).toEqual(['8.44', refused])
    const draft = await scene.create('sales', 'sales-order', order)
    const answer = await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')
    expect([answer.status, answer.data.errors.map((one: Record) => `${one.field} ${one.key}`)]).toEqual([422, refused])
    expect(answer.data.errors[0].params).toMatchObject({ currency: 'IDR', home: 'USD' })
    // What was agreed needs no list.
    expect(await priced({ Lines: [{ ItemID: item, Uom: 'CTN', Qty: '1', AgreedPrice: '100' }] })).toEqual([expect.any(String), []])
    await scene.database.run(sql`update price_set set is_active = false where id = ${dollars}`)
    expect(await priced()).toEqual([total, []])
  })

  test('a statement has no negative lines and none of days to come, a deposit no day to come', async () => {
    const { ID } = await scene.create('admin', 'house-bank', {
      Code: 'BNI-BDG', Name: 'BNI Bandung', OperatingUnitID: await scene.at.id('operating_unit', 'BDG'), BankID: await scene.at.id('bank', 'BCA'), AccountNo: '333', AccountName: 'PT Arus', Currency: 'IDR', GlAccountID: await scene.at.id('account', '111202'),
    })
    const statementWith = (line: object, closing: string) => ({ HouseBankID: ID, DocDate: today(), StatementNo: JSON.stringify(line).slice(-40), OpeningBalance: '0', ClosingBalance: closing, Lines: [line] })
    const submitted = async (line: object, closing: string) => {
      const made = await scene.create('admin', 'bank-statement', statementWith(line, closing))
      return (await scene.tryAct('admin', 'bank-statement', made.ID, 'submit')).data.errors
    }
    expect(await submitted({ ValueDate: today(), Credit: '-5', MatchType: 'INTEREST' }, '-5')).toMatchObject([{ field: 'Lines[0].Credit', key: 'field.NEGATIVE' }])
    expect(await submitted({ ValueDate: today(), Debit: '-5', MatchType: 'CHARGE' }, '5')).toMatchObject([{ field: 'Lines[0].Debit', key: 'field.NEGATIVE' }])
    const ahead = await scene.people.admin.post('/api/v1/data/bank-statement', statementWith({ ValueDate: '2026-11-21', Credit: '5', MatchType: 'INTEREST' }, '5'))
    expect(ahead.data.errors).toMatchObject([{ field: 'Lines[0].ValueDate', code: 'RULE' }])
    const deposit = await scene.create('admin', 'customer-deposit', { CustomerID: await scene.at.id('customer', makmur), Method: 'TRANSFER', HouseBankID: accounts['BCA1'], Amount: '100', DocDate: '2026-11-21' })
    expect((await scene.tryAct('admin', 'customer-deposit', deposit.ID, 'submit')).data.errors).toMatchObject([{ field: 'DocDate' }])
  })
})

describe('money of an earlier day', () => {
  const opened = async (): Promise<Record> => {
    const invoice = await invoiceOf()
    await scene.moveTo('2026-11-21T03:00:00.000Z')
    const first = await scene.pay(makmur, invoice.Total, [{ InvoiceID: invoice.ID, Paid: invoice.Total }])
    await scene.moveTo('2026-11-23T03:00:00.000Z')
    await scene.act('cashier', 'payment-received', first.ID, 'request-reversal', { ReasonID: await reason('V02') })
    await scene.decide('ar_payment', first.ID)
    return invoice
  }

  test('takes no more than was open on that day and since: what was settled then is open only from the day it was taken back', async () => {
    const invoice = await opened()
    const line = { InvoiceID: invoice.ID, Paid: invoice.Total }
    const then = { field: 'Lines[0].Paid', key: 'field.EXCEEDS_REMAINING.then' }
    expect((await tryReceive({ Amount: invoice.Total, PaymentDate: '2027-11-22' }, [line])).data.errors).toContainEqual(expect.objectContaining({ field: 'PaymentDate', key: 'rule.payment-not-ahead' }))
    expect(await faults({ Amount: invoice.Total, PaymentDate: '2026-11-22' }, [line])).toEqual([['Lines[0].Paid', 'EXCEEDS_REMAINING.then']])
    expect((await tryReceive({ Amount: invoice.Total, PaymentDate: '2026-11-20' }, [line])).data.errors).toMatchObject([{ ...then, text: 'On 21/11/2026 no more than 0.00 of it was open.' }])
    const claim = await scene.create('admin', 'cn-temporary', { CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Amount: '1000', DocDate: '2026-11-22' })
    expect((await scene.tryAct('admin', 'cn-temporary', claim.ID, 'submit')).data.errors).toMatchObject([{ field: 'Amount', key: 'field.EXCEEDS_REMAINING.then' }])
    expect((await tryReceive({ Amount: invoice.Total, PaymentDate: '2026-11-23' }, [line])).code).toBe('success')
    expect(await violations(scene.database, '2026-11-22')).toEqual([])
  })
})

test('money of somebody who owes some asks before it pays nothing; of who owes none it is a deposit at once', async () => {
  const post = (id: number, acknowledge: readonly string[] = []) => scene.tryAct('cashier', 'payment-received', id, 'post', {}, { acknowledge })
  const invoice = await scene.invoiced('C0000002', [{ item: 'D', qty: '1' }])
  const slip = await scene.draftPayment('C0000002', '2200000', [])
  expect(await post(slip.ID)).toMatchObject({ code: 'WARNINGS', message: expect.stringMatching(/^This receipt pays no invoice: all 2,200,000\.00 become a deposit\. The customer has 1 open invoice of /) as string })
  expect(await scene.read('payment-received', slip.ID)).toMatchObject({ Status: 0 })
  expect((await post(slip.ID, ['PAYS_NOTHING'])).data.record).toMatchObject({ Status: 1, Unapplied: '2200000.00' })
  await scene.pay('C0000002', String(invoice['Remaining']), [{ InvoiceID: invoice.ID, Paid: invoice['Remaining'] }])
  const free = await scene.draftPayment('C0000002', '100000', [])
  expect((await post(free.ID)).data.record).toMatchObject({ Status: 1 })
})

test('money beyond the invoices it pays asks before it becomes a deposit, also when the receipt is handed in for approval', async () => {
  const act = (id: number, action: string, acknowledge: readonly string[] = []) => scene.tryAct('cashier', 'payment-received', id, action, {}, { acknowledge })
  const [paid, other] = [await scene.invoiced('C0000002', [{ item: 'D', qty: '1' }]), await scene.invoiced('C0000002', [{ item: 'D', qty: '2' }])]
  const beyond = (by: number): string => (Number(paid['Remaining']) + by).toFixed(2)
  const draft = await scene.draftPayment('C0000002', beyond(1_500_000), [{ InvoiceID: paid.ID, Paid: paid['Remaining'] }])
  for (const action of ['post', 'submit']) {
    const { code, message } = await act(draft.ID, action)
    expect([action, code, message]).toEqual([action, 'WARNINGS', `1,500,000.00 of ${grouped(beyond(1_500_000))} pay none of the invoices chosen and become a deposit. The customer has 1 other open invoice of ${grouped(other['Remaining'])}.`])
  }
  expect(await scene.read('payment-received', draft.ID)).toMatchObject({ Status: 0 })
  expect((await act(draft.ID, 'post', ['PAYS_LESS'])).data.record).toMatchObject({ Status: 1, Unapplied: '1500000.00' })
  // Nothing else is owed: it is asked all the same, for more was typed than was to be paid.
  const rest = await scene.draftPayment('C0000002', String(Number(other['Remaining']) + 50_000), [{ InvoiceID: other.ID, Paid: other['Remaining'] }])
  expect((await act(rest.ID, 'post')).message).toMatch(/ pay none of the invoices chosen and become a deposit of the customer\.$/)
  // Too little to be given back is no deposit, and nobody is asked.
  await scene.act('cashier', 'payment-received', rest.ID, 'post', {}, { acknowledge: ['PAYS_LESS'] })
  const third = await scene.invoiced('C0000002', [{ item: 'D', qty: '1' }])
  const exactly = await scene.draftPayment('C0000002', String(third['Remaining']), [{ InvoiceID: third.ID, Paid: third['Remaining'] }])
  expect((await act(exactly.ID, 'post')).data.record).toMatchObject({ Status: 1 })
})
