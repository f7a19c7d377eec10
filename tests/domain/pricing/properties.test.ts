import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exact, money, sum } from '#base/decimal.ts'
import type { PricedItem, PricingMasters, Promotion } from '#domain/pricing/masters.ts'
import { nothingBilled, plusPortion, portionOf } from '#domain/billing/portion.ts'
import { orderTotals, priceOrder, type OrderLine } from '#domain/pricing/priceOrder.ts'
import { benefitOf, conditionOf, itemA, makmur, masters as example, openPromotion, priceRow } from './scene.ts'

const itemIds = [201, 202, 203, 204, 205] as const

const cents = fc.integer({ min: 1, max: 99_999_999 }).map((value) => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`)
const rate = fc.integer({ min: 1, max: 4000 }).map((value) => String(value / 100))

/** Orders and masters of every kind: prices in several sets and steps of quantity, discounts that cascade, promotions that share one amount among lines. */
const cases = fc.record({
  prices: fc.array(fc.record({ set: fc.constantFrom(11, 12), item: fc.constantFrom(...itemIds), minQty: fc.constantFrom('0', '5', '20'), value: cents }), { minLength: 3, maxLength: 20 }),
  discounts: fc.array(fc.record({ seq: fc.integer({ min: 1, max: 4 }), item: fc.option(fc.constantFrom(...itemIds)), value: rate, base: fc.constantFrom('GROSS', 'RUNNING'), kind: fc.constantFrom('PCT', 'AMOUNT_PER_UOM', 'AMOUNT') }), { maxLength: 6 }),
  promotions: fc.array(fc.record({ condition: fc.constantFrom('ORDER_VALUE', 'MIX_QTY', 'MIX_VALUE', 'ITEM_VALUE'), kind: fc.constantFrom('PCT', 'AMOUNT', 'AMOUNT_PER_UOM'), value: cents, rate, stacking: fc.constantFrom('STACK', 'BEST_OF_GROUP', 'EXCLUSIVE') }), { maxLength: 4 }),
  lines: fc.array(fc.record({ item: fc.constantFrom(...itemIds), qty: fc.integer({ min: 1, max: 500 }), manual: fc.option(cents, { freq: 5 }) }), { minLength: 1, maxLength: 12 }),
  seed: fc.integer(),
})

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

function mastersOf({ prices, discounts, promotions }: Case): PricingMasters {
  const items = new Map(itemIds.map((id): [number, PricedItem] => [id, { ...itemA, id, brandId: id % 2 }]))
  const seen = new Set<string>()
  return {
    ...example,
    items,
    // A row of a set, item and quantity is there once, as the database sees to.
    prices: prices.flatMap((row, i) => {
      const key = `${row.set} ${row.item} ${row.minQty}`
      if (seen.has(key)) return []
      seen.add(key)
      return [priceRow(i + 1, row.set, row.item, row.value, { minQty: row.minQty })]
    }),
    discounts: discounts.map((row, i) => ({
      id: i + 1, discountSetId: 21, seq: row.seq, name: `${i}`, itemId: row.item, brandId: null, categoryId: null, principalId: null, minQty: '0', minValue: '0', kind: row.kind, value: row.value, base: row.base,
    })),
    promotions: promotions.map((row, i): Promotion => ({
      ...openPromotion, id: i + 1, code: `P${i}`, name: `P${i}`, stacking: row.stacking, stackGroup: 'G', priority: i,
      conditions: [conditionOf(row.condition, '0')], benefits: [benefitOf(row.kind, row.kind === 'PCT' ? row.rate : row.value)],
    })),
  }
}

const linesOf = ({ lines }: Case): OrderLine[] => lines.map((line, i) => ({ key: i + 1, itemId: line.item, uom: 'CTN', qty: String(line.qty), manualDiscount: line.manual ?? '0' }))

/** The same rows in another order, settled by a number. */
function shuffled<T>(rows: readonly T[], seed: number): T[] {
  let state = seed >>> 0
  const drawn = rows.map((row) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return { row, at: state }
  })
  return drawn.toSorted((a, b) => a.at - b.at).map(({ row }) => row)
}

describe('pricing', () => {
  it('adds up: the parts of every line come to its net, the lines to the order', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { lines, ...totals } = priceOrder(makmur, mastersOf(one), linesOf(one))
        const paid = lines.filter((line) => !line.isFree)
        for (const part of ['gross', 'discount', 'promo', 'dpp'] as const) expect(money(sum(paid.map((line) => line[part])))).toBe(totals[part])
        for (const line of paid) {
          expect(money(sum(line.steps.map((step) => step.amount)))).toBe(money(exact(line.discount).plus(line.promo)))
          const net = exact(line.gross).minus(line.discount).minus(line.promo)
          expect(net.gte(0)).toBe(true)
          expect(money(net.round(0, 'HALF_UP'))).toBe(line.dpp)
          expect(line.trace.at(-1)?.after).toBe(money(net))
        }
        expect(money(exact(totals.gross).minus(totals.discount).minus(totals.promo).plus(totals.ppn).plus(totals.rounding))).toBe(totals.total)
      }),
      { numRuns: 150 },
    )
  })

  it('by a price list with tax comes to the prices listed, however much of it each invoice bills', () => {
    const orders = fc.record({
      prices: fc.array(fc.integer({ min: 1, max: 2_000_000 }), { minLength: itemIds.length, maxLength: itemIds.length }),
      untaxed: fc.option(fc.constantFrom(...itemIds)),
      lines: fc.array(fc.record({ item: fc.constantFrom(...itemIds), qty: fc.integer({ min: 1, max: 300 }), first: fc.double({ min: 0, max: 1, noNaN: true }) }), { minLength: 1, maxLength: 10 }),
      off: fc.option(fc.constantFrom('10', '25', '100')),
    })
    fc.assert(
      fc.property(orders, ({ prices, untaxed, lines, off }) => {
        const masters: PricingMasters = {
          ...example, promotions: [], priceSets: example.priceSets.map((set) => ({ ...set, taxIncluded: true })),
          items: new Map(itemIds.map((id): [number, PricedItem] => [id, { ...itemA, id, ...(id === untaxed ? { tax: null } : {}) }])),
          prices: prices.map((price, i) => priceRow(i + 1, 11, itemIds[i] ?? 0, String(price))),
          discounts: off === null ? [] : [{ id: 1, discountSetId: 21, seq: 1, name: 'Off', itemId: null, brandId: null, categoryId: null, principalId: null, minQty: '0', minValue: '0', kind: 'PCT', value: off, base: 'GROSS' }],
        }
        const listed = (quantities: readonly number[]): string => money(sum(lines.map(({ item }, i) => exact(String((prices[itemIds.indexOf(item)] ?? 0) * (quantities[i] ?? 0))))).times(100 - Number(off ?? 0)).div(100).round(0))
        const order = priceOrder(makmur, masters, lines.map((line, i) => ({ key: i, itemId: line.item, uom: 'CTN', qty: String(line.qty), manualDiscount: '0' })))
        // A share of a price has no whole rupiah of its own: exactly half of one may fall to either side.
        const comesTo = (total: string, quantities: readonly number[]): void => {
          const away = exact(total).minus(listed(quantities)).abs()
          expect([total, away.lte(off === null || off === '100' ? 0 : 1)]).toEqual([total, true])
        }
        comesTo(order.total, lines.map(({ qty }) => qty))
        expect(money(exact(order.gross).minus(order.discount).plus(order.ppn).plus(order.rounding))).toBe(order.total)
        const firsts = lines.map(({ qty, first }) => Math.floor(qty * first))
        const billed = lines.map(() => nothingBilled)
        for (const quantities of [firsts, lines.map(({ qty }, i) => qty - (firsts[i] ?? 0))]) {
          const portions = order.lines.flatMap((line, i) => {
            const qty = String(quantities[i] ?? 0)
            if (qty === '0') return []
            const portion = portionOf({ ...line, isFree: false, tax: masters.items.get(line.itemId)?.tax ?? null }, billed[i] ?? nothingBilled, qty)
            billed[i] = plusPortion(billed[i] ?? nothingBilled, qty, portion)
            return portion
          })
          comesTo(orderTotals(portions, masters.rounding).total, quantities)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('gives an amount away whole, however many lines share it', () => {
    fc.assert(
      fc.property(cases, cents, (one, value) => {
        const gift: Promotion = { ...openPromotion, id: 1, code: 'GIFT', name: 'Gift', conditions: [conditionOf('ORDER_VALUE', '0')], benefits: [benefitOf('AMOUNT', value)] }
        const { lines, gross } = priceOrder(makmur, { ...mastersOf(one), discounts: [], promotions: [gift] }, linesOf(one).map((line) => ({ ...line, manualDiscount: '0' })))
        const given = sum(lines.map((line) => line.promo))
        expect(money(given)).toBe(money(exact(value).lt(gross) ? exact(value) : exact(gross)))
      }),
      { numRuns: 100 },
    )
  })

  it('does not depend on the order in which masters are read, and gives the same answer twice', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const masters = mastersOf(one)
        const other: PricingMasters = {
          ...masters, prices: shuffled(masters.prices, one.seed), discounts: shuffled(masters.discounts, one.seed + 1), promotions: shuffled(masters.promotions, one.seed + 2),
          priceSets: masters.priceSets.toReversed(), items: new Map([...masters.items].toReversed()),
        }
        expect(priceOrder(makmur, other, linesOf(one))).toEqual(priceOrder(makmur, masters, linesOf(one)))
      }),
      { numRuns: 150 },
    )
  })

  it('does not depend on the order of the lines in what is taken off', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const lines = linesOf(one).map((line) => ({ ...line, manualDiscount: '0' }))
        const masters = { ...mastersOf(one), promotions: mastersOf(one).promotions.slice(0, 1) }
        const [a, b] = [priceOrder(makmur, masters, lines), priceOrder(makmur, masters, shuffled(lines, one.seed))]
        expect([b.gross, b.discount, b.promo]).toEqual([a.gross, a.discount, a.promo])
      }),
      { numRuns: 100 },
    )
  })
})
