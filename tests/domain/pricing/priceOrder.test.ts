import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exact, money, sum } from '#base/decimal.ts'
import { unitCalled, unitsOf, type Discount, type Promotion } from '#domain/pricing/masters.ts'
import { priceOrder, type OrderLine, type PricedLine } from '#domain/pricing/priceOrder.ts'
import { benefitOf, conditionOf, itemA, makmur, masters, openPromotion, orderValue, priceRow, priceSetRow } from './scene.ts'

const line = (key: number, itemId: number, qty: string, more: Partial<OrderLine> = {}): OrderLine => ({ key, itemId, uom: 'CTN', qty, manualDiscount: '0', ...more })
const theOrder = [line(1, 101, '24'), line(2, 102, '10')]

const figures = ({ key, qty, price, priceSource, gross, discount, promo, dpp, dppOther, ppn, total, isFree }: PricedLine) => ({
  key, qty, price, priceSource, gross, discount, promo, dpp, dppOther, ppn, total, isFree,
})

describe('Toko Makmur orders 24 A and 10 B', () => {
  const priced = priceOrder(makmur, masters, theOrder)

  test('lines', () => {
    expect(priced.lines.map(figures)).toEqual([
      { key: 1, qty: '24.000', price: '118000.0000', priceSource: 'GROUP:SILVER', gross: '2832000.00', discount: '139900.80', promo: '67302.48', dpp: '2624797.00', dppOther: '2406063.92', ppn: '288727.67', total: '2913524.67', isFree: false },
      { key: 2, qty: '10.000', price: '250000.0000', priceSource: 'BASE:BASE', gross: '2500000.00', discount: '25000.00', promo: '61875.00', dpp: '2413125.00', dppOther: '2212031.25', ppn: '265443.75', total: '2678568.75', isFree: false },
      { key: -1, qty: '2.000', price: '118000.0000', priceSource: 'GROUP:SILVER', gross: '236000.00', discount: '0.00', promo: '236000.00', dpp: '0.00', dppOther: '0.00', ppn: '0.00', total: '0.00', isFree: true },
    ])
  })

  test('totals', () => {
    const { lines: _, ...totals } = priced
    expect(totals).toEqual({
      gross: '5332000.00', discount: '164900.80', promo: '129177.48', dpp: '5037922.00', dppOther: '4618095.17', ppn: '554171.00', rounding: '0.28', total: '5592093.00',
    })
  })

  test('every step is kept', () => {
    expect(priced.lines[0]?.steps).toEqual([
      { seq: 1, source: 'DISCOUNT', name: 'Discount 1', rate: '3', amount: '84960.00' },
      { seq: 2, source: 'DISCOUNT', name: 'Discount 2', rate: '2', amount: '54940.80' },
      { seq: 3, source: 'PROMOTION', name: 'P2', rate: '2.5', amount: '67302.48' },
    ])
    expect(priced.lines[0]?.trace.at(-1)).toEqual({ step: 'PROMOTION', source: 'P2', rowId: 32, before: '2692099.20', after: '2624796.72' })
    expect(priced.lines[2]).toMatchObject({ parentKey: 1, promotionId: 31 })
  })
})

describe('the units of an item', () => {
  const tin = { baseUom: 'TIN', factors: new Map([['CTN', '24'], ['PAL', '960'], ['TIN', '1']]) }

  test('are listed once each, its base unit first', () => {
    expect(unitsOf(tin)).toEqual(['TIN', 'CTN', 'PAL'])
    expect(unitsOf(undefined)).toEqual([])
  })

  test('are found however they are written', () => {
    expect(['ctn', ' Pal ', 'TIN', 'BOX'].map((said) => unitCalled(tin, said))).toEqual(['CTN', 'PAL', 'TIN', 'BOX'])
  })
})

describe('base price', () => {
  test('a unit without a row costs the base unit times its factor', () => {
    const [pallet] = priceOrder(makmur, { ...masters, discountSets: [], promotions: [] }, [line(1, 101, '1', { uom: 'PAL' })]).lines
    expect(pallet).toMatchObject({ price: '4720000.0000', qtyBase: '40.000', factor: '40.000000' })
  })

  test('the greatest minimum quantity reached wins', () => {
    const prices = [...masters.prices, priceRow(9, 12, 101, '110000', { minQty: '20' })]
    expect(priceOrder(makmur, { ...masters, prices }, [line(1, 101, '19'), line(2, 101, '20')]).lines.map((l) => l.price)).toEqual(['118000.0000', '110000.0000', '118000.0000'])
  })

  test('the nearest set wins, out of date sets are passed over', () => {
    const priceSets = [...masters.priceSets, priceSetRow(13, 'MAKMUR', 'CUSTOMER', 17), { ...priceSetRow(14, 'OLD', 'CUSTOMER', 17), validTo: '2025-06-01' }]
    const prices = [...masters.prices, priceRow(9, 13, 102, '240000'), priceRow(10, 14, 101, '1')]
    expect(priceOrder(makmur, { ...masters, priceSets, prices }, theOrder).lines.map((l) => l.priceSource)).toEqual(['GROUP:SILVER', 'CUSTOMER:MAKMUR', 'GROUP:SILVER'])
  })

  test('a price with VAT inside is taken out of it first', () => {
    const priceSets = masters.priceSets.map((set) => ({ ...set, taxIncluded: true }))
    expect(priceOrder(makmur, { ...masters, priceSets }, [line(1, 102, '1')]).lines[0]?.price).toBe('225225.2252')
  })

  test('no price blocks the line', () => {
    expect(priceOrder(makmur, { ...masters, prices: [] }, [line(1, 101, '1')]).lines[0]).toMatchObject({ price: '0.0000', blocks: [{ code: 'PR00' }] })
  })

  test('below the floor and by hand: both are blocks', () => {
    const prices = [priceRow(1, 12, 101, '100000', { floorPrice: '95000' })]
    const [priced] = priceOrder(makmur, { ...masters, prices, discountSets: [], promotions: [] }, [line(1, 101, '10', { manualDiscount: '97500' })]).lines
    expect(priced?.blocks).toEqual([{ code: 'PR01', percent: '5.0000', amount: '47500.00' }, { code: 'PR02', percent: '9.7500', amount: '97500.00' }])
  })
})

describe('tiers', () => {
  const everything = { itemId: null, brandId: null, categoryId: null, principalId: null }
  const row = (minQty: string, value: string, more: Partial<Discount> = {}): Discount => ({ ...everything, id: 0, discountSetId: 21, seq: 1, itemId: 101, name: value, minQty, minValue: '0', kind: 'PCT', value, base: 'RUNNING', ...more })
  /** The percent given on each quantity, with the rows entered in this order and in the opposite one. */
  const given = (rows: readonly Discount[], ...quantities: string[]) =>
    [rows, rows.toReversed()].map((entered) => {
      const discounts = entered.map((one, at) => ({ ...one, id: at + 1 }))
      return priceOrder(makmur, { ...masters, discounts, promotions: [] }, quantities.map((qty, at) => line(at, 101, qty))).lines.map(({ steps }) => steps.map(({ rate }) => rate).join())
    })
  const both = <T>(value: T): T[] => [value, value]

  test('of one discount the highest one reached counts, whichever was entered first', () =>
    expect(given([row('5', '10'), row('10', '20'), row('0', '3')], '4', '5', '10', '20')).toEqual(both(['3', '10', '20', '20'])))
  test('by value likewise, and by both', () => {
    expect(given([row('0', '10', { minValue: '500000' }), row('0', '20', { minValue: '1000000' })], '4', '5', '10')).toEqual(both(['', '10', '20']))
    expect(given([row('5', '10'), row('5', '20', { minValue: '1000000' })], '5', '9')).toEqual(both(['10', '20']))
  })
  test('a closer selector goes before a higher tier, two selectors before one of them', () => {
    expect(given([row('10', '20', { itemId: null, brandId: 1 }), row('5', '10')], '4', '20')).toEqual(both(['', '10']))
    expect(given([row('0', '20', { itemId: null, brandId: 1, categoryId: 1 }), row('0', '10', { itemId: null, brandId: 1 })], '4')).toEqual(both(['20']))
    expect(given([row('0', '20', { itemId: null, brandId: 1 }), row('0', '10', { itemId: null, categoryId: 1, principalId: 1 })], '4')).toEqual(both(['20']))
  })
  test('of a promotion likewise, in either order', () => {
    const ordered = (conditions: Promotion['conditions']) => priceOrder(makmur, { ...masters, discountSets: [], promotions: [{ ...orderValue, conditions }] }, theOrder).promo
    expect([ordered(orderValue.conditions), ordered(orderValue.conditions.toReversed())]).toEqual(both('133300.00'))
  })
})

describe('promotions', () => {
  const off = (id: number, value: string, more: Partial<Promotion> = {}): Promotion => ({
    ...openPromotion, id, code: `D${id}`, name: `D${id}`, conditions: [conditionOf('ITEM_QTY', '1', { itemId: 101 })], benefits: [benefitOf('PCT', value)], ...more,
  })
  const promoOf = (promotions: readonly Promotion[]) => priceOrder(makmur, { ...masters, discountSets: [], promotions }, [line(1, 101, '10')]).promo

  test('stacked promotions follow one another', () => expect(promoOf([off(1, '10'), off(2, '10')])).toBe('224200.00'))
  test('an exclusive one stands alone where it is worth more than the others together', () => {
    expect(promoOf([off(1, '10'), off(2, '15', { stacking: 'EXCLUSIVE' })])).toBe('177000.00')
    expect(promoOf([off(1, '10'), off(2, '5', { stacking: 'EXCLUSIVE' })])).toBe('118000.00')
  })
  test('the best of a group', () =>
    expect(promoOf([off(1, '10', { stacking: 'BEST_OF_GROUP', stackGroup: 'G' }), off(2, '12', { stacking: 'BEST_OF_GROUP', stackGroup: 'G' })])).toBe('141600.00'))
  test('other channels get nothing', () => expect(promoOf([off(1, '10', { scopes: [{ kind: 'CHANNEL', refId: 6, include: true }] })])).toBe('0.00'))
  test('free goods are capped', () => {
    const priced = priceOrder(makmur, masters, [line(1, 101, '95')])
    expect(priced.lines.filter((l) => l.isFree).map((l) => l.qty)).toEqual(['3.000'])
  })
})

describe('always', () => {
  const anyLines = fc.array(
    fc.record({ itemId: fc.constantFrom(101, 102), qty: fc.integer({ min: 1, max: 5000 }), manual: fc.integer({ min: 0, max: 100000 }) }),
    { minLength: 1, maxLength: 30 },
  )
  const lines = (input: { itemId: number; qty: number; manual: number }[]): OrderLine[] =>
    input.map((l, i) => line(i, l.itemId, String(l.qty), { manualDiscount: String(l.manual) }))

  test('the same order costs the same, and the parts make the whole', () => {
    fc.assert(
      fc.property(anyLines, (input) => {
        const priced = priceOrder(makmur, masters, lines(input))
        expect(priceOrder(makmur, masters, lines(input))).toEqual(priced)
        const paid = priced.lines.filter((l) => !l.isFree)
        const of = (pick: (l: PricedLine) => string): string => money(sum(paid.map(pick)))
        expect({ gross: of((l) => l.gross), discount: of((l) => l.discount), promo: of((l) => l.promo), dpp: of((l) => l.dpp) }).toEqual({
          gross: priced.gross, discount: priced.discount, promo: priced.promo, dpp: priced.dpp,
        })
        const base = sum(paid.map((l) => exact(l.gross).minus(l.discount).plus(l.manualDiscount)))
        const rate = base.gte('5000000') ? '2.5' : base.gte('3000000') ? '1.5' : '0'
        expect(priced.promo).toBe(money(base.times(rate).div(100)))
        for (const l of paid) {
          expect(exact(l.gross).minus(l.discount).minus(l.promo).minus(l.dpp).abs().lte('0.5')).toBe(true)
          expect(exact(l.dpp).gte(0)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('unknown tiers give nothing', () => {
    expect(priceOrder(makmur, { ...masters, promotions: [{ ...orderValue, conditions: [] }] }, [line(1, itemA.id, '100')]).promo).toBe('0.00')
  })
})
