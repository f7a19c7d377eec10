import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, addMonths } from '#base/date.ts'
import { exact, fixed, isZero, sum } from '#base/decimal.ts'
import { metadata } from '#generated/metadata.ts'
import type { TileAnswer } from '#api/dashboard.ts'
import type { ReportAnswer, ReportRow, SummaryAnswer, SummaryRow } from '#api/report.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { GroupDimension, Measure, ReportScreen } from '#meta/resolved.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Answer, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'

const demo = await testApp({ template: demoTemplate })
const today = demo.clock.today()
let admin: Session
beforeAll(async () => {
  admin = await demo.signIn('admin')
})

type Query = Readonly<Record<string, string | number | boolean>>

async function rowsOf(screen: string, query: Query): Promise<ReportAnswer> {
  return data(await admin.get(`/api/v1/report/${screen}`, { length: 5000, ...query }))
}

async function summary(screen: string, query: Query): Promise<SummaryAnswer> {
  return data(await admin.get(`/api/v1/report/${screen}/summary`, { length: 5000, ...query }))
}

function data(answer: Answer): Answer['data'] {
  expect([answer.status, answer.message]).toEqual([200, answer.message])
  return answer.data
}

const spans: Readonly<Record<string, Query>> = {
  'ar-aging.report': { as_of: addDays(today, -40) },
  'fbl5n.report': { key_date: addDays(today, -40), date_from: '2000-01-01', date_to: today },
  'journal.report': { date_from: addDays(today, -9), date_to: today },
  'so-do-gi-bill.report': { date_from: addDays(today, -15), date_to: today, as_of: today },
  'customer-limit.report': { as_of: today },
  'stock-territory.report': { as_of: today },
  'zdr-bill.report': { date_from: addDays(today, -10), date_to: today },
  'sales-order-o2c.report': { date_from: addDays(today, -60), state: 'ALL' },
  'stock-fulfillment.report': { date_from: addDays(today, -10), date_to: today },
  'journal-monitoring.report': { date_from: addDays(today, -8), date_to: today },
  'sales-order-register.report': { date_from: addDays(today, -20), date_to: today },
  'o2cflow.report': { date_from: addDays(today, -20), date_to: today },
  'bill-order.report': { date_from: addDays(today, -8), date_to: today },
  'zdr-sales.report': { date_from: addDays(today, -8), date_to: today },
  'payment.report': { date_from: addDays(today, -45), date_to: today },
  'monitoring-coa.report': { date_from: addDays(today, -40), date_to: today },
  'ar-payment.report': { date_from: addDays(today, -20), date_to: today },
  'ar-aging-mix.report': { as_of: addDays(today, -40), netting: true },
  'ar-trans.report': { date_from: addDays(today, -45), date_to: today },
  'claim-promo.report': { date_from: addDays(today, -45), date_to: today, as_of: today },
  'invoice-exchange.report': { date_from: addDays(today, -45), date_to: today, as_of: today },
  'cash-deposit.report': { date_from: addDays(today, -45), date_to: today },
  'supplier-invoice.report': { date_from: addDays(today, -90), date_to: today },
  'purchase-order.report': { date_from: addDays(today, -30), date_to: today },
  'scrap.report': { date_from: addDays(today, -30), date_to: today },
  'stock-opname.report': { date_from: addDays(today, -30), date_to: today },
  'cmi-monitoring.report': { date_from: addDays(today, -45), date_to: today },
  'shipment-planning.report': { date_from: addDays(today, -20), date_to: today },
  'ocr.report': { date_from: addDays(today, -45), date_to: today },
  'inbound.report': { date_from: addDays(today, -30), date_to: today },
  'debit-note.report': { date_from: addDays(today, -30), date_to: today },
  'debit-note-return.report': { date_from: addDays(today, -30), date_to: today },
  'promotion.report': { date_from: addDays(today, -60), date_to: today },
  'debit-note-claim-off-invoice.report': { date_from: addDays(today, -60), date_to: today },
  'bank-statement.report': { date_from: addDays(today, -45), date_to: today },
}

const screens = Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'report' && Object.hasOwn(spans, screen.id) ? [screen] : []))

/** Value of a group in a single row, as the server names it. */
function valueIn(group: GroupDimension, row: ReportRow): unknown {
  const value = row[group.wire]
  if (typeof value !== 'string' || group.grain === undefined || value === '') return value
  if (group.grain === 'month') return value.slice(0, 7)
  if (group.grain === 'day') return value
  const day = new Date(`${value}T00:00:00Z`)
  return addDays(value, -((day.getUTCDay() + 6) % 7))
}

/** What a measure comes to over single rows, worked out here. */
function expected(screen: ReportScreen, measure: Measure, rows: readonly ReportRow[]): string | null {
  const dataset = metadata.datasets[screen.dataset]
  const total = (name: string): string => {
    const field = dataset?.measures.find((candidate) => candidate.name === name)
    return sum(rows.map((row) => String(row[field?.wire ?? ''] ?? '0'))).toFixed(decimalPlaces[field?.type ?? 'integer'] ?? 0)
  }
  const { agg } = measure
  switch (agg.kind) {
    case 'sum':
      // A column that is empty in every row has no sum.
      return rows.every((row) => row[measure.wire] === null) ? null : total(measure.name)
    case 'count':
      return String(rows.length)
    case 'countDistinct': {
      const wire = dataset?.dimensions.find(({ name }) => name === agg.of)?.wire ?? ''
      return String(new Set(rows.map((row) => row[wire]).filter((value) => value !== null)).size)
    }
    case 'ratio':
      return isZero(total(agg.to)) ? null : fixed(exact(total(agg.of)).times(agg.scale).div(total(agg.to)), decimalPlaces[measure.type] ?? 0)
    case 'within': {
      const wire = dataset?.dimensions.find(({ name }) => name === agg.of)?.wire ?? ''
      return new Set(rows.map((row) => row[wire])).size === 1 ? total(measure.name) : null
    }
    case 'max':
    case 'min':
    case 'none':
      return null
  }
}

function check(screen: ReportScreen, groups: readonly GroupDimension[], across: GroupDimension | undefined, single: readonly ReportRow[], answer: SummaryAnswer, row: SummaryRow): void {
  const { currency } = metadata.datasets[screen.dataset] ?? {}
  const wire = currency !== undefined && 'field' in currency ? metadata.datasets[screen.dataset]?.dimensions.find(({ name }) => name === currency.field)?.wire : undefined
  // Amounts of several currencies have a row each.
  const own = single.filter((one) => (wire === undefined || row.currency === null || one[wire] === row.currency) && groups.slice(0, row.keys.length).every((group, i) => valueIn(group, one) === row.keys[i]))
  const cells = [own, ...answer.across.map((value) => own.filter((one) => across !== undefined && valueIn(across, one) === value))]
  cells.forEach((rows, i) => {
    const cell = row.cells[i]
    expect({ keys: row.keys, i, count: cell?.count }).toEqual({ keys: row.keys, i, count: rows.length })
    // A cell nobody has a row for says nothing at all.
    if (rows.length > 0) expect({ keys: row.keys, i, values: cell?.values }).toEqual({ keys: row.keys, i, values: screen.measures.map((measure) => expected(screen, measure, rows)) })
  })
}

/** Groups here and there, and the totals: each is worked out again from single rows. */
function sampled({ rows, totals }: SummaryAnswer): readonly SummaryRow[] {
  const step = Math.ceil(rows.length / 12)
  return [...rows.filter((_, i) => i % step === 0), ...totals]
}

describe.each(screens.map((screen) => [screen.id, screen] as const))('%s grouped', (id, screen) => {
  const query = spans[id] ?? {}

  it('is what its single rows come to, by every group, with every dimension across', async () => {
    const single = await rowsOf(id, query)
    expect(single.rows.length).toBe(single.recordsTotal)
    for (const group of screen.groups) {
      const answer = await summary(id, { ...query, group: group.key })
      expect({ group: group.key, keys: new Set(answer.rows.map(({ keys }) => keys[0])) }).toEqual({ group: group.key, keys: new Set(single.rows.map((row) => valueIn(group, row))) })
      for (const row of sampled(answer)) check(screen, [group], undefined, single.rows, answer, row)
    }
    for (const across of screen.across) {
      const [group] = screen.groups.filter(({ name }) => name !== across.name)
      if (group === undefined) continue
      const answer = await summary(id, { ...query, group: group.key, across: across.key })
      for (const row of sampled(answer)) check(screen, [group], across, single.rows, answer, row)
    }
  })

  it('has sub-totals of its outer groups, page by page the same', async () => {
    const single = await rowsOf(id, query)
    const pair = screen.groups.filter((group, i, all) => all.findIndex(({ name }) => name === group.name) === i).slice(0, 2)
    const [outer, inner] = pair
    if (outer === undefined || inner === undefined) return
    const asked = { ...query, group: `${inner.key},${outer.key}`, order: screen.measures[0]?.name ?? '', sort: 'desc' }
    const whole = await summary(id, asked)
    expect(whole.rows.length).toBe(whole.recordsTotal)
    for (const row of [...whole.rows.slice(0, 40), ...whole.subtotals.slice(0, 20)]) check(screen, [inner, outer], undefined, single.rows, whole, row)
    const pages: SummaryRow[] = []
    for (let page = 1; (page - 1) * 7 < whole.recordsTotal && page < 12; page++) pages.push(...(await summary(id, { ...asked, length: 7, page })).rows)
    expect(pages.map(({ keys }) => keys)).toEqual(whole.rows.slice(0, pages.length).map(({ keys }) => keys))
    // Outer groups stay together.
    const runs = whole.rows.map(({ keys, currency }) => JSON.stringify([keys[0], currency])).filter((key, i, all) => key !== all[i - 1])
    expect(new Set(runs).size).toBe(runs.length)
  })
})

describe('a report grouped', () => {
  it('brings what describes its groups', async () => {
    const answer = await summary('ar-aging.report', { group: 'customer_code', length: 3 })
    const [row] = answer.rows
    const customer = await demo.database.first<{ id: number; name: string }>(sql`select id, name from customer where code = ${row?.keys[0]}`)
    expect(row?.about).toMatchObject({ CustomerCode: row?.keys[0], CustomerID: customer?.id, CustomerName: customer?.name })
  })

  it('is sorted by a measure, the outer groups by their own', async () => {
    const answer = await summary('ar-aging.report', { group: 'territory_code,customer_code', order: 'remaining', sort: 'desc', in_books: true })
    const remaining = answer.measures.indexOf('remaining')
    const outer = [...new Set(answer.rows.map(({ keys }) => keys[0]))]
    const totals = outer.map((key) => Number(answer.subtotals.find(({ keys }) => keys[0] === key)?.cells[0]?.values[remaining]))
    expect(totals).toEqual(totals.toSorted((a, b) => b - a))
    for (const key of outer) {
      const inner = answer.rows.filter(({ keys }) => keys[0] === key).map(({ cells }) => Number(cells[0]?.values[remaining]))
      expect(inner).toEqual(inner.toSorted((a, b) => b - a))
    }
  })

  it('compares with an earlier period what that period itself says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('previous', 'month', 'quarter', 'year'), fc.integer({ min: 0, max: 60 }), async (compare, back) => {
        const as_of = addDays(today, -back)
        const now = await summary('ar-aging.report', { as_of, group: 'customer_code', compare })
        const then = await summary('ar-aging.report', { as_of: now.before?.['as_of'] ?? '', group: 'customer_code' })
        const byKey = new Map(then.rows.map((row) => [row.keys[0], row.cells[0]?.values]))
        expect(new Set(now.rows.map(({ keys }) => keys[0]))).toEqual(new Set([...byKey.keys(), ...now.rows.filter(({ cells }) => (cells[0]?.count ?? 0) > 0).map(({ keys }) => keys[0])]))
        for (const row of now.rows) {
          const values = byKey.get(row.keys[0])
          if (values !== undefined) expect({ key: row.keys[0], before: row.cells[0]?.before }).toEqual({ key: row.keys[0], before: values })
        }
        expect(now.totals[0]?.cells[0]?.before).toEqual(then.totals[0]?.cells[0]?.values)
      }),
      { numRuns: 8 },
    )
  })

  it.each(['bill_date:month', 'brand_name'])('puts the same months of last year beside each other, %s down and months across or down', async (group) => {
    const months = { date_from: `${addMonths(today, -4).slice(0, 7)}-01`, date_to: today, measures: 'dpp', in_books: true }
    const layout = group === 'brand_name' ? { group, across: 'bill_date:month' } : { group }
    const now = await summary('zdr-bill.report', { ...months, ...layout, compare: 'year' })
    const then = await summary('zdr-bill.report', { ...months, ...now.before, ...layout })
    const later = (month: unknown): string => addMonths(`${String(month)}-01`, 12).slice(0, 7)
    const earlier = new Map(then.rows.flatMap((row) => row.cells.map(({ values }, i): [string, unknown] => [
      group === 'brand_name' ? `${String(row.keys[0])} ${i === 0 ? 'all' : later(then.across[i - 1])}` : later(row.keys[0]), values[0],
    ])))
    expect(earlier.size).toBeGreaterThan(3)
    let compared = 0
    for (const row of now.rows) {
      for (const [i, cell] of row.cells.entries()) {
        const value = earlier.get(group === 'brand_name' ? `${String(row.keys[0])} ${i === 0 ? 'all' : String(now.across[i - 1])}` : String(row.keys[0]))
        if (value === undefined) continue
        compared++
        expect([row.keys[0], i, cell.before?.[0]]).toEqual([row.keys[0], i, value])
      }
    }
    expect(compared).toBeGreaterThan(3)
    expect(now.totals[0]?.cells[0]?.before).toEqual(then.totals[0]?.cells[0]?.values)
  })

  it('of nothing is nothing, not an error', async () => {
    const answer = await summary('journal.report', { date_from: '1999-01-01', date_to: '1999-01-31', group: 'account_code', compare: 'year' })
    expect([answer.rows, answer.recordsTotal]).toEqual([[], 0])
    expect(answer.totals).toEqual([{ keys: [], currency: null, about: {}, cells: [{ count: 0, values: ['0.00', '0.00', '0.00'], before: ['0.00', '0.00', '0.00'] }] }])
  })

  it.each([
    [{ group: 'customer_id' }, 'group'],
    [{ group: 'constructor' }, 'group'],
    [{ group: 'customer_code,territory_code,item_kind,salesman_name' }, 'group'],
    [{ group: 'customer_code', across: 'customer_code' }, 'group'],
    [{ group: 'customer_code', measures: 'days_late' }, 'measures'],
    [{ group: 'customer_code', compare: 'decade' }, 'compare'],
    [{ group: 'due_date:month', compare: 'month' }, 'compare'],
    [{ group: 'due_date:month', compare: 'previous' }, 'compare'],
    [{ group: 'customer_code', order: 'doc_code' }, 'order'],
  ])('refuses %j at %s', async (query, field) => {
    const answer = await admin.get('/api/v1/report/ar-aging.report/summary', query)
    expect([answer.status, answer.data.errors?.[0]?.field]).toEqual([422, field])
  })

  it('refuses more values across than a page can show', async () => {
    const answer = await admin.get('/api/v1/report/bill-order.report/summary', { date_from: '2000-01-01', date_to: today, group: 'territory_code', across: 'so_code' })
    expect([answer.status, answer.data.errors?.[0]?.field]).toEqual([422, 'across'])
  })
})

describe('currencies', () => {
  it('of several companies are told apart in totals, groups and the Cash tile', async () => {
    const unit = await demo.database.first<{ id: number; company_id: number }>(sql`select id, company_id from operating_unit where code = 'BDG'`)
    const [company] = await insertRows(demo.database, 'company', [{ code: 'UK', name: 'Arus UK', legal_name: 'Arus Ltd', base_currency: 'GBP', default_trx_code: '04' }])
    await demo.database.run(sql`update operating_unit set company_id = ${company} where id = ${unit?.id}`)
    try {
      for (const [screen, measure] of [['monitoring-coa.report', 'debit'], ['stock-territory.report', 'value'], ['customer-limit.report', 'exposure']] as const) {
        const query = spans[screen] ?? {}
        const whole = await rowsOf(screen, query)
        expect([screen, whole.currencies?.map(({ currency }) => currency), whole.totals[measure]]).toEqual([screen, ['IDR', 'GBP'], undefined])
        expect((await summary(screen, { ...query, group: 'operating_unit_code' })).totals.map(({ currency }) => currency)).toEqual(['IDR', 'GBP'])
      }
      const tile: TileAnswer = data(await admin.get('/api/v1/dashboard/dashboard/cash'))
      expect(tile.kind === 'kpi' && tile.amounts.map(({ currency }) => currency)).toEqual(['IDR', 'GBP'])
    } finally {
      await demo.database.run(sql`update operating_unit set company_id = ${unit?.company_id} where id = ${unit?.id}`)
    }
  })

  it('are never added up', async () => {
    const invoice = await demo.database.first<{ id: number; remaining: string; customer_id: number }>(sql`select id, remaining, customer_id from invoice where status = 1 order by remaining desc limit 1`)
    const before = await rowsOf('ar-aging.report', {})
    const [rupiah, dollars] = before.currencies ?? []
    await demo.database.run(sql`update invoice set currency = 'SGD' where id = ${invoice?.id}`)
    try {
      const after = await rowsOf('ar-aging.report', {})
      expect(after.currencies?.map(({ currency, count, totals }) => [currency, count, totals['remaining']])).toEqual([
        ['IDR', (rupiah?.count ?? 0) - 1, exact(rupiah?.totals['remaining'] ?? '0').minus(invoice?.remaining ?? '0').toFixed(2)],
        ['SGD', 1, invoice?.remaining],
        ['USD', dollars?.count, dollars?.totals['remaining']],
      ])
      expect(after.totals['remaining']).toBeUndefined()
      const grouped = await summary('ar-aging.report', { group: 'customer_code', filter: JSON.stringify({ customer_id: invoice?.customer_id }) })
      expect(grouped.totals.map(({ currency }) => currency)).toEqual(['IDR', 'SGD'])
      expect(grouped.rows.map(({ currency }) => currency)).toContain('SGD')
      // The largest number of all, and no amount among those in rupiah.
      const ranked = await summary('ar-aging.report', { group: 'customer_code', order: 'remaining', sort: 'desc', length: 5000 })
      expect(ranked.rows.findIndex(({ currency }) => currency === 'SGD')).toBe(ranked.rows.findLastIndex(({ currency }) => currency === 'IDR') + 1)
      const exactly = await rowsOf('ar-aging.report', { filter: JSON.stringify({ currency: 'SGD' }) })
      expect(exactly.recordsTotal).toBe(1)
      // What goes without saying comes first, whatever letter it begins with.
      await demo.database.run(sql`update invoice set currency = 'AUD' where id = ${invoice?.id}`)
      expect((await rowsOf('ar-aging.report', {})).currencies?.map(({ currency }) => currency)).toEqual(['IDR', 'AUD', 'USD'])
      expect((await summary('ar-aging.report', {})).totals.map(({ currency }) => currency)).toEqual(['IDR', 'AUD', 'USD'])
    } finally {
      await demo.database.run(sql`update invoice set currency = 'IDR' where id = ${invoice?.id}`)
    }
  })
})
