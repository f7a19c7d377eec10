import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, type DateText } from '#base/date.ts'
import { exact, money, sum } from '#base/decimal.ts'
import { metadata } from '#generated/metadata.ts'
import { isAmountType } from '#meta/amount.ts'
import type { ReportAnswer } from '#api/report.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { testApp, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'

const demo = await testApp({ template: demoTemplate })
const today = demo.clock.today()
let admin: Session
beforeAll(async () => {
  admin = await demo.signIn('admin')
})

const allRows = { length: 5000 }

async function report(screen: string, query: Readonly<Record<string, string | number | boolean>>, session = admin): Promise<ReportAnswer> {
  const answer = await session.get(`/api/v1/report/${screen}`, query)
  expect({ screen, status: answer.status, message: answer.message }).toEqual({ screen, status: 200, message: answer.message })
  return answer.data
}

/** Balance of accounts at the end of a day, debit positive. */
async function balance(codes: readonly string[], day: DateText): Promise<string> {
  const row = await demo.database.first<{ balance: string }>(sql`
    select coalesce(sum(l.debit - l.credit), 0) as balance from journal_line l join journal j on j.id = l.journal_id join account a on a.id = l.account_id
    where a.code = any(${[...codes]}::text[]) and j.posting_date <= ${day}::date`)
  return money(row?.balance ?? '0')
}

/** The total of an answer whose amounts are all in one currency: of several there is none. */
function total(answer: ReportAnswer, measure: string): string {
  const value = answer.totals[measure]
  if (value === undefined) expect({ measure, currencies: answer.currencies?.map(({ currency }) => currency) ?? [] }).toEqual({ measure, currencies: [] })
  return money(value ?? '0')
}

/** Where there are amounts of several currencies each has a total of its own. */
function byCurrency(answer: ReportAnswer, measure: string): Readonly<Record<string, string>> {
  return Object.fromEntries((answer.currencies ?? [{ currency: 'IDR', totals: answer.totals }]).map(({ currency, totals }) => [currency ?? '', money(totals[measure] ?? '0')]))
}

/** What a question of the database that names a currency comes to, by it. */
async function inEach(question: Sql): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await demo.database.rows<{ currency: string; amount: string }>(question)).map(({ currency, amount }) => [currency, money(amount)]))
}
const kind = (value: string): string => JSON.stringify({ item_kind: value })

/** Any day from the first trading day to today. */
const days = fc.integer({ min: 0, max: 560 }).map((back) => addDays(today, -back))

describe('receivables on any day (I27)', () => {
  it('AR aging adds up to the receivables accounts, deposits to theirs', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.constantFrom('DUE', 'INVOICE', 'TTF'), fc.constantFrom('DETAIL', 'SUMMARY'), async (day, basis, level) => {
        const all = await report('ar-aging.report', { as_of: day, in_books: true, basis, level, length: 1 })
        const control = await balance(['112101', '112102', '212101'], day)
        expect({ day, basis, level, net: money(exact(total(all, 'remaining')).plus(total(all, 'unapplied'))) }).toEqual({ day, basis, level, net: control })
        const columns = ['not_due', 'bucket_1', 'bucket_2', 'bucket_3', 'bucket_4', 'bucket_5', 'bucket_6'].map((column) => total(all, column))
        expect(money(sum(columns))).toBe(total(all, 'remaining'))
      }),
      { numRuns: 25 },
    )
  })

  it('without deposits it is the receivables accounts alone', async () => {
    await fc.assert(
      fc.asyncProperty(days, async (day) => {
        const invoices = await report('ar-aging.report', { as_of: day, in_books: true, length: 1, filter: kind('INVOICE') })
        const notes = await report('ar-aging.report', { as_of: day, in_books: true, length: 1, filter: kind('CREDIT_NOTE') })
        expect({ day, net: money(exact(total(invoices, 'remaining')).plus(total(notes, 'unapplied'))) }).toEqual({ day, net: await balance(['112101', '112102'], day) })
      }),
      { numRuns: 15 },
    )
  })

  it('line items open at the key date add up to the same', async () => {
    await fc.assert(
      fc.asyncProperty(days, async (day) => {
        const open = await report('fbl5n.report', { in_books: true, key_date: day, date_from: '2000-01-01', date_to: day, item_status: 'OPEN', length: 1 })
        expect({ day, amount: total(open, 'amount') }).toEqual({ day, amount: await balance(['112101', '112102'], day) })
      }),
      { numRuns: 15 },
    )
  })

  it('with special items they add up to deposits and temporary claims as well', async () => {
    await fc.assert(
      fc.asyncProperty(days, async (day) => {
        const open = await report('fbl5n.report', { in_books: true, key_date: day, date_from: '2000-01-01', date_to: day, item_status: 'OPEN', with_special: true, length: 1, filter: JSON.stringify({ special: { in: ['A', 'T'] } }) })
        expect({ day, amount: total(open, 'amount') }).toEqual({ day, amount: await balance(['212101', '112204'], day) })
      }),
      { numRuns: 10 },
    )
  })

  it('line items of all time add up to the balance too, and cleared ones to nothing', async () => {
    const everything = await report('fbl5n.report', { in_books: true, key_date: today, date_from: '2000-01-01', date_to: today, item_status: 'ALL', length: 1 })
    expect(total(everything, 'amount')).toBe(await balance(['112101', '112102'], today))
    const cleared = await report('fbl5n.report', { in_books: true, key_date: today, date_from: '2000-01-01', date_to: today, item_status: 'CLEARED', length: 1 })
    expect(total(cleared, 'amount')).toBe('0.00')
  })
})

describe('journal', () => {
  it('balances over any span', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 0, max: 90 }), async (from, span) => {
        const answer = await report('journal.report', { date_from: from, date_to: addDays(from, span), length: 1 })
        expect(total(answer, 'debit')).toBe(total(answer, 'credit'))
      }),
      { numRuns: 10 },
    )
  })
})

describe('stock', () => {
  it('is worth what the stock account says', async () => {
    const answer = await report('stock-territory.report', { as_of: today, length: 1 })
    // Goods of one unit stand in several places at one average: each place is rounded.
    expect(exact(total(answer, 'value')).minus(await balance(['113101', '113102', '113103', '113105'], today)).abs().lte(answer.recordsTotal / 100)).toBe(true)
  })

  it('is on a day past what it was then: quantities and values by what has moved, the account agrees; what was reserved then nobody knows', async () => {
    for (const day of ['2025-09-30', '2026-03-31', addDays(today, -30), addDays(today, -1)]) {
      const answer = await report('stock-territory.report', { as_of: day, length: 250 })
      const row = await demo.database.first<{ qty: string }>(sql`select sum(qty)::numeric(18,2) as qty from stock_movement where posting_date <= ${day}::date`)
      // A column that is empty has no total.
      expect(['reserved', 'available', 'picked'].filter((name) => answer.totals[name] !== undefined || answer.groups?.some(({ totals }) => totals[name] !== undefined) === true)).toEqual([])
      expect([total(answer, 'on_hand'), answer.rows.every((one) => one['Reserved'] === null && one['Available'] === null && one['Picked'] === null)]).toEqual([row?.qty, true])
      // Values of single rows are rounded.
      expect(exact(total(answer, 'value')).minus(await balance(['113101', '113105'], day)).abs().lte(answer.recordsTotal / 100)).toBe(true)
    }
  })
})

describe('rows in the order asked for', () => {
  it.each([
    ['ar-aging.report', 'remaining', { as_of: today, level: 'DETAIL' }], ['fbl5n.report', 'amount', { item_status: 'OPEN', key_date: today }], ['stock-territory.report', 'on_hand', { as_of: today }],
  ] as const)('%s: sorted by %s it is, although it opens in groups; as it opens its groups come first', async (id, by, parameters) => {
    const screen = metadata.screens[id]
    if (screen?.kind !== 'report') throw new Error(id)
    expect(screen.sort[0]?.field).toBe(screen.groupBy)
    const wire = screen.columns.find(({ name }) => name === by)?.wire ?? ''
    const { rows } = await report(id, { ...parameters, order: by, sort: 'desc', length: 250 })
    const values = rows.map((row) => Number(row[wire]))
    expect(values.length).toBeGreaterThan(50)
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    const group = screen.columns.find(({ name }) => name === screen.groupBy)?.wire ?? ''
    const groups = (await report(id, { ...parameters, length: 250 })).rows.map((row) => String(row[group]))
    expect(groups).toEqual(groups.toSorted())
  })
})

describe('aging by customers', () => {
  it('says a customer once: only one with several rows, of units or currencies, has a sum beside them', async () => {
    const [summary, detail] = [await report('ar-aging.report', { as_of: today, level: 'SUMMARY', length: 5000 }), await report('ar-aging.report', { as_of: today, level: 'DETAIL', length: 5000 })]
    const rowsOf = new Map<unknown, number>()
    for (const { CustomerCode } of summary.rows) rowsOf.set(CustomerCode, (rowsOf.get(CustomerCode) ?? 0) + 1)
    expect(summary.groups?.map(({ value }) => value)).toEqual([...rowsOf].filter(([, n]) => n > 1).map(([code]) => code))
    // A document is not its customer: even one alone has his sum beside it.
    expect(new Set(detail.groups?.map(({ value }) => value))).toEqual(new Set(detail.rows.map(({ CustomerCode }) => CustomerCode)))
    expect(detail.groups?.some(({ count }) => count === 1)).toBe(true)
  })
})

describe('days in the wrong order', () => {
  it('are refused at the last one, instead of a report without rows', async () => {
    const asked = { date_from: '2026-11-30', date_to: '2026-11-01', doc_type: 'ALL', measures: 'dpp' }
    for (const call of ['zdr-bill.report', 'zdr-bill.report/summary']) {
      const { code, data } = await admin.get(`/api/v1/report/${call}`, call.endsWith('summary') ? { ...asked, group: 'brand_name' } : { date_from: asked.date_from, date_to: asked.date_to })
      expect([code, data.errors]).toEqual(['VALIDATION_FAILED', [expect.objectContaining({ field: 'date_to', key: 'field.TOO_SMALL.before-start' })]])
    }
  })
})

describe('customer limit', () => {
  it('shows the exposure of the credit check', async () => {
    const answer = await report('customer-limit.report', { as_of: today, length: 1 })
    const row = await demo.database.first<{ exposure: string; ar_open: string }>(sql`select sum(exposure) as exposure, sum(ar_open) as ar_open from v_customer_exposure`)
    expect([total(answer, 'exposure'), total(answer, 'ar_open')]).toEqual([money(row?.exposure ?? '0'), money(row?.ar_open ?? '0')])
  })

  it('on a day past shows the limits of that day, and nothing of today beside them', async () => {
    const answer = await report('customer-limit.report', { as_of: addDays(today, -1), length: 100 })
    const of = ({ Exposure, Available, OverdueAmount, MaxDaysOverdue, IsOverLimit }: Record<string, unknown>) => [Exposure, Available, OverdueAmount, MaxDaysOverdue, IsOverLimit ?? null]
    expect(answer.rows.filter((row) => Number(row['LimitReguler']) > 0).length).toBeGreaterThan(0)
    expect(answer.rows.flatMap(of).filter((value) => value !== null)).toEqual([])
    expect(['exposure', 'available', 'overdue_amount'].filter((name) => answer.totals[name] !== undefined)).toEqual([])
  })
})

describe('Complaint 4: wrong sums from joined rows, over a whole company', () => {
  it('an order of many lines and many invoices counts every ordered quantity and every invoice once', async () => {
    const answer = await report('so-do-gi-bill.report', { date_from: '2000-01-01', date_to: today, as_of: today, in_books: true, length: 1 })
    const row = await demo.database.first(sql`
      select (select sum(l.qty_base) from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.status <> 0)::text as so_qty,
        ((select sum(delivered_qty) from sales_order_line) + (select sum(returned_qty) from goods_issue_line))::text as gi_qty, (select sum(l.billed_qty) from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.order_type not in ('CONSIGN', 'CMI'))::text as bill_qty,
        (select sum(cost) from goods_issue where status in (1, 2, 3))::text as gi_cost, (select sum(round(l.dpp * i.rate, 2)) from invoice i join invoice_line l on l.invoice_id = i.id where i.status in (1, 2, 3) and i.invoice_type in ('SALES', 'CANVAS'))::text as bill_net`)
    const { so_qty, gi_qty, bill_qty, gi_cost, bill_net } = answer.totals
    expect({ so_qty, gi_qty, bill_qty, gi_cost, bill_net }).toEqual(row)
  })
})

describe('account balances', () => {
  it('are those of the journals, and agree with the documents behind them on any day', async () => {
    await fc.assert(
      fc.asyncProperty(days, async (day) => {
        const answer = await report('monitoring-coa.report', { date_from: addDays(day, -30), date_to: day, ...allRows })
        expect(answer.rows.filter((row) => row['Difference'] !== null && row['Difference'] !== '0.00')).toEqual([])
        expect(answer.rows.filter((row) => row['Subledger'] !== null).length).toBeGreaterThan(10)
        for (const code of ['112101', '113101', '411101']) {
          const own = answer.rows.filter((row) => row['AccountCode'] === code).map((row) => String(row['Closing']))
          expect([day, code, money(sum(own))]).toEqual([day, code, await balance([code], day)])
        }
        expect(total(answer, 'closing')).toBe('0.00')
      }),
      { numRuns: 8 },
    )
  })

  it('say when documents and ledger differ', async () => {
    const invoice = await demo.database.first<{ id: number }>(sql`select id from invoice where status = 1 limit 1`)
    await demo.database.run(sql`update invoice set total = total + 1, remaining = remaining + 1 where id = ${invoice?.id}`)
    try {
      const answer = await report('monitoring-coa.report', { date_from: today, date_to: today, filter: JSON.stringify({ difference: { ne: '0' } }), ...allRows })
      expect(answer.rows.map((row) => [row['AccountCode'], row['Difference']])).toEqual([['112101', '1.00']])
    } finally {
      await demo.database.run(sql`update invoice set total = total - 1, remaining = remaining - 1 where id = ${invoice?.id}`)
    }
  })
})

describe('receipts', () => {
  it('in transit are what the bank has not confirmed', async () => {
    const answer = await report('payment.report', { in_books: true, date_from: '2000-01-01', date_to: today, filter: JSON.stringify({ is_in_transit: true }), length: 1 })
    const vendors = await demo.database.first<{ amount: string }>(sql`select coalesce(sum(amount), 0)::text as amount from supplier_receipt where status in (1, 2, 3)`)
    expect(money(exact(total(answer, 'amount')).plus(vendors?.amount ?? '0'))).toBe(await balance(['111302'], today))
  })

  it('account for every rupiah and every dollar', async () => {
    const answer = await report('payment.report', { date_from: '2000-01-01', date_to: today, filter: JSON.stringify({ all: [{ doc_kind: 'PAYMENT' }, { status: { in: [1, 2, 3] } }] }), length: 1 })
    const kinds = ['pph22', 'pph23', 'ppn_wapu', 'bank_charge', 'payment_diff', 'cash_discount']
    expect(answer.currencies?.map(({ currency }) => currency)).toEqual(['IDR', 'USD'])
    for (const { currency, totals } of answer.currencies ?? []) {
      const put = sum(['amount', 'credit_used', 'deposit_used', ...kinds].map((name) => totals[name] ?? '0'))
      expect([currency, money(put)]).toEqual([currency, money(sum([totals['allocated'] ?? '0', totals['unapplied'] ?? '0']))])
    }
  })
})

describe('billing register', () => {
  it('adds up to the revenue accounts, its discounts step by step to the cent', async () => {
    const span = { date_from: addDays(today, -60), date_to: today }
    const answer = await report('zdr-bill.report', { ...span, in_books: true, ...allRows })
    const own = await report('zdr-bill.report', { ...span, ...allRows })
    const steps = Array.from({ length: 9 }, (_, i) => i + 1)
    for (const currency of ['IDR', 'USD']) expect(money(sum(steps.map((step) => byCurrency(own, `discount_${step}`)[currency] ?? '0')))).toBe(byCurrency(own, 'discount')[currency])
    for (const row of own.rows) expect(money(sum(steps.map((step) => String(row[`Discount${step}`]))))).toBe(row['Discount'])
    const revenue = async (codes: readonly string[]): Promise<string> => money(exact(await balance(codes, today)).minus(await balance(codes, addDays(today, -61))).times(-1))
    // What is given away has a price on its line, not in the books.
    const sold = answer.rows.filter((row) => row['IsFree'] !== true).map((row) => String(row['Gross']))
    // Credit notes written by hand lower revenue, containers kept are none of the lines', and the debit memo of a refused temporary credit note is none.
    const beside = await demo.database.first<{ total: string }>(sql`
      select coalesce(sum(l.debit - l.credit), 0)::text as total
      from journal j join journal_line l on l.journal_id = j.id join account a on a.id = l.account_id
      where (j.source_event like 'TCN_REFUSE%' and l.open_item_type = 'invoice' or (j.source_event like 'CN_MANUAL%' or j.source_event like 'CONT_%') and a.code = '414101') and j.posting_date between ${span.date_from}::date and ${today}::date`)
    // An invoice in dollars is entered as a whole; its lines are rounded one by one.
    const cents = (shown: string, kept: string): void => expect(exact(shown).minus(kept).abs().lt(1), `${shown} is ${kept}`).toBe(true)
    cents(money(sum(sold)), money(sum([await revenue(['411101', '411102', '411103', '414101']), beside?.total ?? '0'])))
    expect(byCurrency(own, 'dpp')).toEqual(await inEach(sql`
      select currency, sum(dpp)::text as amount from invoice where status in (1, 2, 3, 7) and invoice_type <> 'DEBIT_MEMO' and posting_date between ${span.date_from}::date and ${today}::date group by 1`))
    expect(Object.keys(byCurrency(own, 'dpp'))).toEqual(['IDR', 'USD'])
    // Goods that came back lower what was sold cost, not what is on the invoices.
    const back = await demo.database.first<{ total: string }>(sql`
      select coalesce(sum(l.credit - l.debit), 0)::text as total from journal j join journal_line l on l.journal_id = j.id join account a on a.id = l.account_id
      where j.source_event like 'CN_RETURN_COGS%' and a.code in ('511101', '611101') and j.posting_date between ${span.date_from}::date and ${today}::date`)
    expect(total(answer, 'cogs')).toBe(money(sum([money(exact(await revenue(['511101', '611101'])).times(-1)), back?.total ?? '0'])))
  })
})

describe('order pipeline', () => {
  it('holds every order that is not paid, at its value and as far as its lines are', async () => {
    const answer = await report('sales-order-o2c.report', { length: 1 })
    expect(byCurrency(answer, 'total')).toEqual(await inEach(sql`select currency, sum(total)::text as amount from sales_order where status in (0, 1, 2, 3, 4) and stage <> 'PAID' group by 1`))
    const row = await demo.database.first(sql`
      select (select sum(round(total * rate, 2)) from sales_order where status in (0, 1, 2, 3, 4) and stage <> 'PAID')::text as total, round(sum(l.total * o.rate * l.delivered_qty / l.qty_base), 2)::text as delivered
      from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.stage <> 'PAID' and o.status in (0, 1, 2, 3, 4) and l.qty_base > 0`)
    const parts = await report('sales-order-o2c.report', { in_books: true, ...allRows })
    expect(total(parts, 'total')).toBe(row?.['total'])
    expect(Number(parts.totals['delivered_pct'])).toBeCloseTo((Number(row?.['delivered']) / Number(row?.['total'])) * 100, 2)
  })
})

describe('stock fulfilment', () => {
  it('counts what was ordered, issued and is still open', async () => {
    const answer = await report('stock-fulfillment.report', { date_from: '2000-01-01', date_to: '2099-12-31', length: 1 })
    const { ordered_qty = '0', issued_qty = '0', cancelled_qty = '0', open_qty = '0', fill_rate } = answer.totals
    expect(exact(issued_qty).plus(cancelled_qty).plus(open_qty).toFixed(3)).toBe(ordered_qty)
    expect(fill_rate).toBe(exact(issued_qty).times(100).div(ordered_qty).toFixed(4))
    const row = await demo.database.first<{ qty: string }>(sql`select sum(l.delivered_qty)::text as qty from sales_order_line l`)
    expect(issued_qty).toBe(row?.qty)
  })
})

describe('the movement of receivables', () => {
  it('closes where the ledger and the open items do, for each customer', async () => {
    const answer = await report('ar-trans.report', { date_from: addDays(today, -90), date_to: today, ...allRows })
    const off = new Map<string, ReturnType<typeof sum>>()
    for (const row of answer.rows) off.set(String(row['CustomerCode']), sum([off.get(String(row['CustomerCode']))?.toString() ?? '0', String(row['LedgerDifference'])]))
    expect([...off].filter(([, difference]) => !difference.eq(0))).toEqual([])
    const moved = ['opening', 'invoiced', 'debit_memo', 'paid', 'credit_note', 'deposit', 'withheld', 'written_off', 'difference', 'reversed', 'other']
    for (const currency of ['IDR', 'USD']) expect(money(sum(moved.map((name) => byCurrency(answer, name)[currency] ?? '0')))).toBe(byCurrency(answer, 'closing')[currency])
    const books = await report('ar-trans.report', { date_from: addDays(today, -90), date_to: today, in_books: true, ...allRows })
    expect([total(books, 'ledger_difference'), total(books, 'closing')]).toEqual(['0.00', await balance(['112101', '112102'], today)])
  })

  it('of a mix takes credits off the oldest spans, and no more than there is', async () => {
    const mix = (netting: boolean) => report('ar-aging-mix.report', { as_of: today, netting, ...allRows })
    const [netted, gross] = [await mix(true), await mix(false)]
    expect(byCurrency(netted, 'owed')).toEqual(byCurrency(gross, 'owed'))
    const spans = ['not_due', 'bucket_1', 'bucket_2', 'bucket_3', 'bucket_4', 'bucket_5', 'bucket_6']
    for (const currency of ['IDR', 'USD']) {
      const of = (answer: ReportAnswer, name: string): string => byCurrency(answer, name)[currency] ?? '0'
      expect(money(sum(spans.map((name) => of(gross, name))))).toBe(of(gross, 'owed'))
      expect(money(sum([...spans.map((name) => of(netted, name)), `-${of(netted, 'credit_left')}`]))).toBe(of(netted, 'net_open'))
    }
  })
})

describe('journal monitoring', () => {
  it('finds nothing wrong in books that are right, and says what is missing and what differs', async () => {
    const span = { date_from: '2000-01-01', date_to: today }
    const right = await report('journal-monitoring.report', { ...span, only_wrong: true, ...allRows })
    expect(right.rows.map((row) => [row['DocCode'] ?? row['AccountCode'], row['Event'], row['ExpectedAmount'], row['PostedAmount']])).toEqual([])
    const whole = await report('journal-monitoring.report', { ...span, length: 1 })
    expect(whole.recordsTotal).toBeGreaterThan(1000)
    const one = await demo.database.first<{ id: number; code: string; total: string }>(sql`select id, code, total::text from invoice where status = 1 and invoice_type = 'SALES' and currency = 'IDR' order by id desc limit 1`)
    try {
      await demo.database.run(sql`update invoice set total = total + 5, remaining = remaining + 5 where id = ${one?.id}`)
      const wrong = await report('journal-monitoring.report', { ...span, only_wrong: true, ...allRows })
      expect(wrong.rows.map((row) => [row['State'], row['RowKind'], row['DocCode'] ?? row['AccountCode'], row['Difference']]).toSorted()).toEqual([['DIFF', 'CONTROL', '112101', '-5.00'], ['DIFF', 'DOCUMENT', one?.code, '-5.00']])
    } finally {
      await demo.database.run(sql`update invoice set total = total - 5, remaining = remaining - 5 where id = ${one?.id}`)
    }
  })
})

describe('orders', () => {
  const span = { date_from: '2000-01-01', date_to: '2099-12-31' }
  it('are registered with what they come to and what was cancelled of them', async () => {
    const answer = await report('sales-order-register.report', { ...span, length: 1 })
    const row = await demo.database.first(sql`select count(*)::int as orders, sum(case when status = 6 then round(total * rate, 2) end)::text as gone from sales_order`)
    expect(answer.recordsTotal).toBe(row?.['orders'])
    for (const measure of ['total', 'promo'] as const) expect(byCurrency(answer, measure)).toEqual(await inEach(sql`select currency, sum(${ident(measure)})::text as amount from sales_order group by 1`))
    expect(Number(total(await report('sales-order-register.report', { ...span, in_books: true, length: 1 }), 'cancelled_value'))).toBeGreaterThanOrEqual(Number(row?.['gone'] ?? 0))
  })

  it('are told line by line, their discounts step by step to the cent', async () => {
    const answer = await report('zdr-sales.report', { ...span, date_from: addDays(today, -30), ...allRows })
    const steps = Array.from({ length: 9 }, (_, i) => i + 1)
    for (const row of answer.rows) expect(money(sum(steps.map((step) => String(row[`Discount${step}`]))))).toBe(row['Discount'])
    for (const measure of ['dpp', 'gross'] as const) {
      expect(byCurrency(answer, measure)).toEqual(await inEach(sql`
        select o.currency, sum(l.${ident(measure)})::text as amount from sales_order_line l join sales_order o on o.id = l.sales_order_id where o.status not in (0, 5, 6) and o.doc_date >= ${addDays(today, -30)}::date group by 1`))
    }
  })

  it('are held against what was billed of them; where the price is the ordered one nothing is put down to it', async () => {
    const answer = await report('bill-order.report', { ...span, length: 1 })
    expect(byCurrency(answer, 'billed_net')).toEqual(await inEach(sql`
      select i.currency, sum(l.dpp)::text as amount from invoice_line l join invoice i on i.id = l.invoice_id where i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' and l.order_line_id is not null group by 1`))
    for (const currency of ['IDR', 'USD']) expect(money(exact(byCurrency(answer, 'billed_net')[currency] ?? '0').minus(byCurrency(answer, 'ordered_net')[currency] ?? '0'))).toBe(byCurrency(answer, 'net_variance')[currency])
    const whole = await report('bill-order.report', { ...span, filter: JSON.stringify({ qty_variance: 0, returned_qty: 0 }), length: 1 })
    expect(byCurrency(whole, 'net_variance')).toEqual(byCurrency(whole, 'price_variance'))
  })

  it('take so many days from stage to stage; what has not happened is not counted', async () => {
    const answer = await report('o2cflow.report', { ...span, date_from: addDays(today, -90), ...allRows })
    for (const row of answer.rows) if (row['CashCount'] === 1) expect(Number(row['CashDays'])).toBe(['Approve', 'Plan', 'Issue'].reduce((days, step) => days + Number(row[`${step}Days`]), 0) + (row['ReceiveCount'] === 1 ? Number(row['ReceiveDays']) : 0) + Number(row['BillDays']) + (row['ExchangeCount'] === 1 ? Number(row['ExchangeDays']) : 0) + Number(row['DueDays']) + Number(row['PayDays']))
    const paid = answer.rows.filter((row) => row['CashCount'] === 1)
    expect(paid.length).toBeGreaterThan(0)
    expect(answer.totals['cash_average']).toBe((paid.reduce((days, row) => days + Number(row['CashDays']), 0) / paid.length).toFixed(3))
  })
})

describe('claims and exchanged invoices', () => {
  const span = { date_from: addDays(today, -90), date_to: today, as_of: today }

  it('what was claimed is granted, refused or undecided', async () => {
    const answer = await report('claim-promo.report', { ...span, ...allRows })
    expect(money(exact(total(answer, 'approved')).plus(total(answer, 'refused')).plus(total(answer, 'waiting')))).toBe(total(answer, 'claimed'))
    const row = await demo.database.first<{ dpp: string }>(sql`
      select sum(dpp) as dpp from credit_note where kind = 'CLAIM' and status in (1, 2, 3) and coalesce(claim_date, doc_date) between ${span.date_from}::date and ${today}::date`)
    expect(total(answer, 'approved')).toBe(row?.dpp)
    const part = answer.rows.find(({ Refused, Approved }) => Refused !== '0.00' && Approved !== '0.00')
    expect(part).toMatchObject({ Claimed: '1500000.00', Approved: '1250000.00', Refused: '250000.00', PrincipalShare: '500000.00' })
  })

  it('an invoice that needs a receipt and has none for so many days is missing it', async () => {
    const all = { ...span, date_from: addDays(today, -500) }
    const answer = await report('invoice-exchange.report', { ...all, missing_days: 7, ...allRows })
    for (const row of answer.rows) {
      expect([row['IsTtfMissing'], row['InvoiceCode']]).toEqual([row['ExchangeState'] !== 'ACCEPTED' && row['DaysWithoutTtf'] !== null && Number(row['DaysWithoutTtf']) > 7, row['InvoiceCode']])
      if (row['ExchangeState'] === 'ACCEPTED') expect(row['DaysToTtf']).not.toBeNull()
    }
    const accepted = await demo.database.first<{ count: number }>(sql`
      select count(*)::int as count from invoice i join customer c on c.id = i.customer_id
      where i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' and i.ttf_date is not null and (c.requires_ttf or i.baseline = 'TTF') and i.doc_date between ${all.date_from}::date and ${today}::date`)
    expect(answer.rows.filter(({ ExchangeState }) => ExchangeState === 'ACCEPTED').length).toBe(accepted?.count)
    const later = await report('invoice-exchange.report', { ...all, missing_days: 30, ...allRows })
    const missing = ({ rows }: ReportAnswer): number => rows.filter((row) => row['IsTtfMissing'] === true).length
    expect(missing(later)).toBeLessThanOrEqual(missing(answer))
  })
})

const parameters: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> = {
  ar_aging: { as_of: addDays(today, -40) },
  fbl5n: { key_date: addDays(today, -40), date_from: '2000-01-01', date_to: today, item_status: 'OPEN', with_special: true },
  journal_line_item: { date_from: addDays(today, -12), date_to: today },
  so_do_gi_bill: { date_from: addDays(today, -60), date_to: today, as_of: today },
  customer_limit: { as_of: today },
  stock_territory: { as_of: today },
  zdr_bill: { date_from: addDays(today, -45), date_to: today },
  sales_order_o2c: { state: 'ALL', as_of: today },
  stock_fulfillment: { date_from: addDays(today, -45), date_to: today },
  journal_monitoring: { date_from: addDays(today, -30), date_to: today, only_wrong: false },
  sales_order_register: { date_from: addDays(today, -45), date_to: today },
  o2cflow: { date_from: addDays(today, -90), date_to: today },
  bill_order: { date_from: addDays(today, -30), date_to: today },
  zdr_sales: { date_from: addDays(today, -30), date_to: today },
  payment: { date_from: addDays(today, -90), date_to: today, as_of: today },
  monitoring_coa: { date_from: addDays(today, -40), date_to: today },
  ar_payment_report: { date_from: addDays(today, -90), date_to: today },
  ar_aging_mix: { as_of: addDays(today, -40), netting: true },
  ar_trans: { date_from: addDays(today, -90), date_to: today },
  claim_promo: { date_from: addDays(today, -90), date_to: today, as_of: today },
  invoice_exchange_report: { date_from: addDays(today, -90), date_to: today, as_of: today },
  cash_deposit_report: { date_from: addDays(today, -90), date_to: today, as_of: today },
  supplier_invoice: { date_from: addDays(today, -90), date_to: today },
  purchase_order_report: { date_from: addDays(today, -30), date_to: today },
  scrap_report: { date_from: addDays(today, -30), date_to: today },
  stock_opname_report: { date_from: addDays(today, -30), date_to: today },
  cmi_monitoring: { date_from: addDays(today, -45), date_to: today },
  shipment_planning: { date_from: addDays(today, -30), date_to: today },
  ocr_quality: { date_from: addDays(today, -30), date_to: today },
  inbound: { date_from: addDays(today, -30), date_to: today },
  debit_note_report: { date_from: addDays(today, -30), date_to: today },
  debit_note_return_report: { date_from: addDays(today, -30), date_to: today },
  promotion_effect: { date_from: addDays(today, -60), date_to: today },
  debit_note_claim_report: { date_from: addDays(today, -60), date_to: today },
  bank_statement_report: { date_from: addDays(today, -90), date_to: today, as_of: today },
}

const reports = Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'report' ? [screen] : []))

/** Each signs in once: as many attempts as there are reports would be refused. */
const sessions = new Map<string, ReturnType<typeof demo.signIn>>()
function signedIn(account: string): ReturnType<typeof demo.signIn> {
  const known = sessions.get(account) ?? demo.signIn(account)
  sessions.set(account, known)
  return known
}

describe.each(reports.map((screen) => [screen.id, screen] as const))('%s', (_, screen) => {
  const dataset = metadata.datasets[screen.dataset]
  const query = parameters[screen.dataset] ?? {}

  it('has one row per key, and totals that are the sums of the rows', async () => {
    const answer = await report(screen.id, { ...query, ...allRows })
    expect(answer.recordsTotal).toBeGreaterThan(0)
    expect(answer.rows.length).toBe(Math.min(answer.recordsTotal, 5000))
    const wires = (dataset?.key ?? []).map((name) => dataset?.dimensions.find((field) => field.name === name)?.wire ?? name)
    const keys = new Set(answer.rows.map((row) => JSON.stringify(wires.map((wire) => row[wire]))))
    expect(keys.size).toBe(answer.rows.length)
    if (answer.recordsTotal > answer.rows.length) return
    for (const measure of dataset?.measures ?? []) {
      if (!measure.additive || !screen.columns.some((column) => column.name === measure.name)) continue
      if (!isAmountType(measure.type)) {
        expect({ measure: measure.name, sum: money(sum(answer.rows.map((row) => String(row[measure.wire] ?? '0')))) }).toEqual({ measure: measure.name, sum: total(answer, measure.name) })
        continue
      }
      for (const [currency, added] of Object.entries(byCurrency(answer, measure.name))) {
        const own = answer.currencies === undefined ? answer.rows : answer.rows.filter((row) => row['Currency'] === currency)
        expect({ measure: measure.name, currency, sum: money(sum(own.map((row) => String(row[measure.wire] ?? '0')))) }).toEqual({ measure: measure.name, currency, sum: added })
      }
    }
  })

  it('shows a user of one unit only what is his', async () => {
    const sales = await signedIn('director')
    const everything = await report(screen.id, { ...query, length: 1 }, sales)
    const scoped = await signedIn(screen.dataset === 'stock_territory' || screen.dataset === 'so_do_gi_bill' ? 'warehouse' : 'admin')
    const part = await report(screen.id, { ...query, ...allRows }, scoped)
    expect(part.recordsTotal).toBeLessThanOrEqual(everything.recordsTotal)
    if (screen.dataset === 'stock_territory' || screen.dataset === 'so_do_gi_bill') expect(new Set(part.rows.map((row) => row['OperatingUnitCode']))).toEqual(new Set(['JKT']))
  })
})
