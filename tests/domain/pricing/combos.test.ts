import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exact, money, sum } from '#base/decimal.ts'
import { comboFault, explode, type ComboLine } from '#domain/pricing/combos.ts'
import type { Combo, PricedItem, PricingMasters } from '#domain/pricing/masters.ts'
import { priceOrder, type OrderLine, type PricedLine } from '#domain/pricing/priceOrder.ts'
import { benefitOf, conditionOf, itemA, makmur, masters as example, priceRow } from './scene.ts'

/** Box 300: three parts; sold by the box and by cartons of four boxes. */
const box: PricedItem = { ...itemA, id: 300, code: 'BOX', name: 'Paket', baseUom: 'BOX', salesUom: 'BOX', brandId: 9, factors: new Map([['BOX', '1'], ['CTN', '4']]) }
const part = (id: number): PricedItem => ({ ...itemA, id, code: `P-${id}`, baseUom: 'PCS', salesUom: 'CTN', factors: new Map([['PCS', '1'], ['CTN', '12']]) })
const thirds: Combo = {
  itemId: 300, isActive: true, validFrom: '2025-01-01', validTo: '2025-12-31',
  parts: [{ itemId: 301, qty: '7', share: '33.33' }, { itemId: 302, qty: '1', share: '33.33' }, { itemId: 303, qty: '2.5', share: '33.34' }],
}
const owned = [priceRow(1, 11, 301, '1000', { uom: 'PCS' }), priceRow(2, 11, 302, '9000', { uom: 'PCS' }), priceRow(3, 11, 303, '2000', { uom: 'PCS' })]
const boxed = [...owned, priceRow(4, 11, 300, '100000', { uom: 'BOX' }), priceRow(5, 11, 300, '95000', { uom: 'BOX', minQty: '10' })]
const masters = (more: Partial<PricingMasters> = {}): PricingMasters => ({
  ...example, items: new Map([box, part(301), part(302), part(303)].map((item) => [item.id, item])), combos: new Map([[300, thirds]]), prices: boxed, discounts: [], promotions: [], ...more,
})
const enter = (qty: string, uom = 'BOX', no = 1, more: { manualDiscount?: string; agreedPrice?: string } = {}, rules = masters()): ComboLine[] =>
  explode(rules.combos?.get(300) ?? thirds, no, { uom, qty, manualDiscount: '0', ...more }, rules.items)
const lines = (parts: readonly ComboLine[], from = 1): OrderLine[] => parts.map((line, i) => ({ ...line, key: from + i }))
const gross = (of: readonly PricedLine[]): string => money(sum(of.map((line) => line.gross)))

describe('a combo', () => {
  it('becomes its parts in their base units', () => {
    expect(enter('3').map(({ itemId, uom, qty }) => [itemId, uom, qty])).toEqual([[301, 'PCS', '21.000'], [302, 'PCS', '3.000'], [303, 'PCS', '7.500']])
    expect(enter('2', 'CTN').map(({ qty }) => qty)).toEqual(['56.000', '8.000', '20.000'])
  })

  it('shares a discount given by hand as it shares its cost', () => {
    expect(enter('1', 'BOX', 1, { manualDiscount: '100.00' }).map((line) => line.manualDiscount)).toEqual(['33.33', '33.33', '33.34'])
    const { lines: priced } = priceOrder(makmur, masters(), lines(enter('1', 'BOX', 1, { manualDiscount: '0.01' })))
    expect(money(sum(priced.map((line) => line.manualDiscount)))).toBe('0.01')
  })

  it('with a price of its own shares it to the cent', () => {
    const { lines: priced } = priceOrder(makmur, masters(), lines(enter('7')))
    expect(priced.map((line) => [line.gross, line.price, line.priceSource])).toEqual([
      ['233310.00', '4761.4286', 'COMBO:BOX'], ['233310.00', '33330.0000', 'COMBO:BOX'], ['233380.00', '13336.0000', 'COMBO:BOX'],
    ])
    expect(gross(priced)).toBe('700000.00')
    expect(priced[0]?.trace).toEqual([
      { step: 'COMBO', source: 'BOX BASE:BASE', rowId: 4, before: '0.00', after: '700000.00' }, { step: 'SHARE', source: '33.33 %', rowId: null, before: '700000.00', after: '233310.00' },
    ])
    expect(priced.map((line) => line.combo)).toEqual(priced.map(() => ({ no: 1, itemId: 300, uom: 'BOX', qty: '7.000', agreedPrice: null })))
    // The price is that of the quantity and unit of the combo.
    expect(gross(priceOrder(makmur, masters(), lines(enter('10'))).lines)).toBe('950000.00')
    expect(gross(priceOrder(makmur, masters(), lines(enter('1', 'CTN'))).lines)).toBe('400000.00')
  })

  it('without one has the prices of its parts', () => {
    const { lines: priced } = priceOrder(makmur, masters({ prices: owned }), lines(enter('2')))
    expect(priced.map((line) => [line.gross, line.priceSource])).toEqual([['14000.00', 'BASE:BASE'], ['18000.00', 'BASE:BASE'], ['10000.00', 'BASE:BASE']])
    expect(priced[0]?.combo).toMatchObject({ itemId: 300, qty: '2.000' })
    expect(priceOrder(makmur, masters({ prices: owned.slice(1) }), lines(enter('2'))).lines.map((line) => line.blocks.map(({ code }) => code))).toEqual([['PR00'], [], []])
  })

  it('has discounts taken off part by part', () => {
    const discounts = [{ ...example.discounts[0], id: 1, discountSetId: 21, seq: 1, name: 'D', itemId: 302, brandId: null, categoryId: null, principalId: null, minQty: '0', minValue: '0', kind: 'PCT', value: '10', base: 'RUNNING' } as const]
    const { lines: priced } = priceOrder(makmur, masters({ discounts }), lines(enter('1')))
    expect(priced.map((line) => line.discount)).toEqual(['0.00', '3333.00', '0.00'])
    expect(priced[1]?.trace.map(({ step, before, after }) => [step, before, after])).toEqual([['COMBO', '0.00', '100000.00'], ['SHARE', '100000.00', '33330.00'], ['DISCOUNT', '33330.00', '29997.00']])
  })

  it('at an agreed price is neither discounted nor looked up', () => {
    const { lines: priced } = priceOrder(makmur, masters({ discounts: example.discounts }), lines(enter('3', 'BOX', 1, { agreedPrice: '99999.99' })))
    expect(gross(priced)).toBe('299999.97')
    expect(priced.map((line) => [line.priceSource, line.discount])).toEqual(priced.map(() => ['AGREED', '0.00']))
  })

  it('is measured against its own floor', () => {
    const floor = (floorPrice: string) => masters({ prices: [...owned, priceRow(4, 11, 300, '100000', { uom: 'BOX', floorPrice })] })
    for (const qty of ['1', '3', '7']) {
      expect(priceOrder(makmur, floor('100000'), lines(enter(qty))).lines.flatMap((line) => line.blocks)).toEqual([])
      expect(priceOrder(makmur, floor('100001'), lines(enter(qty))).lines.flatMap((line) => line.blocks.map(({ code }) => code))).toEqual(['PR01', 'PR01', 'PR01'])
    }
  })

  it('holds as long as its parts stand together', () => {
    const entered = lines(enter('2'))
    const changed = (at: number, more: Partial<OrderLine>): PricedLine[] => [...priceOrder(makmur, masters(), entered.map((line, i) => (i === at ? { ...line, ...more } : line))).lines]
    for (const broken of [changed(0, { qty: '15' }), changed(1, { itemId: 301 }), [...priceOrder(makmur, masters(), entered.slice(1)).lines]]) {
      expect(broken.map((line) => [line.combo, line.priceSource])).toEqual(broken.map(() => [null, 'BASE:BASE']))
    }
    // Other units and more of all parts are still the combo.
    const more = priceOrder(makmur, masters(), entered.map((line) => ({ ...line, qty: exact(line.qty).times(6).div(line.itemId === 301 ? 12 : 1).toFixed(3), uom: line.itemId === 301 ? 'CTN' : 'PCS' }))).lines
    expect(more.map((line) => line.combo?.qty)).toEqual(['12.000', '12.000', '12.000'])
    expect(gross(more)).toBe('1140000.00')
    // A day on which it is not sold.
    expect(priceOrder({ ...makmur, priceDate: '2026-01-01' }, masters(), entered).lines.map((line) => line.combo)).toEqual([null, null, null])
  })

  it('is refused when it is not sold', () => {
    const none = new Map<number, Combo>()
    expect(comboFault(thirds, '2025-06-02', none)).toBe(null)
    expect(comboFault({ ...thirds, isActive: false }, '2025-06-02', none)).toBe('inactive')
    expect(comboFault(thirds, '2026-01-01', none)).toBe('period')
    expect(comboFault({ ...thirds, parts: [] }, '2025-06-02', none)).toBe('empty')
    expect(comboFault(thirds, '2025-06-02', new Map([[302, thirds]]))).toBe('nested')
  })

  it('is given away as its parts', () => {
    const gift = { ...example.promotions[0], conditions: [conditionOf('ITEM_QTY', '1', { itemId: 302, isMultiple: true })], benefits: [benefitOf('FREE_ITEM', '0', { freeItemId: 300, freeQty: '1', maxMultiple: 1 })] } as (typeof example.promotions)[number]
    const order: OrderLine[] = [{ key: 1, itemId: 302, uom: 'PCS', qty: '5', manualDiscount: '0' }]
    expect(priceOrder(makmur, masters({ promotions: [gift] }), order).lines.slice(1).map((line) => [line.itemId, line.qty, line.isFree])).toEqual([[301, '7.000', true], [302, '1.000', true], [303, '2.500', true]])
    expect(priceOrder({ ...makmur, priceDate: '2026-01-01' }, masters({ promotions: [gift] }), order).lines).toHaveLength(1)
  })
})

const cents = fc.integer({ min: 1, max: 99_999_999 }).map((value) => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`)
const cases = fc.record({
  price: cents,
  cuts: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 0, maxLength: 4 }),
  qtys: fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 5, maxLength: 5 }),
  sold: fc.array(fc.record({ qty: fc.integer({ min: 1, max: 5_000 }), uom: fc.constantFrom('BOX', 'CTN') }), { minLength: 1, maxLength: 4 }),
  discount: fc.integer({ min: 1, max: 4000 }),
  order: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
})

describe('combos of any kind', () => {
  it('come to their price times their number, in whatever order their lines stand', () => {
    fc.assert(
      fc.property(cases, ({ price, cuts, qtys, sold, discount, order }) => {
        const marks = [0, ...cuts.toSorted((a, b) => a - b), 10_000]
        const combo: Combo = { ...thirds, parts: marks.slice(1).map((mark, i) => ({ itemId: 301 + i, qty: money(exact(String(qtys[i] ?? 1)).div(100)), share: money(exact(String(mark - (marks[i] ?? 0))).div(100)) })) }
        const rules = masters({
          items: new Map([box, ...combo.parts.map(({ itemId }) => part(itemId))].map((item) => [item.id, item])), combos: new Map([[300, combo]]), prices: [priceRow(1, 11, 300, price, { uom: 'BOX' })],
          discounts: [{ id: 1, discountSetId: 21, seq: 1, name: 'D', itemId: null, brandId: null, categoryId: null, principalId: null, minQty: '0', minValue: '0', kind: 'PCT', value: String(discount / 100), base: 'RUNNING' }],
        })
        const entered = sold.flatMap(({ qty, uom }, n) => lines(enter(String(qty), uom, n + 1, {}, rules), 1 + n * 10))
        const priced = priceOrder(makmur, rules, entered).lines
        for (const [n, { qty, uom }] of sold.entries()) {
          const own = priced.filter((line) => line.combo?.no === n + 1)
          expect(own).toHaveLength(combo.parts.length)
          expect(gross(own)).toBe(money(exact(price).times(uom === 'CTN' ? '4' : '1').times(String(qty))))
        }
        const shuffled = entered.map((line, i) => ({ line, at: order[i] ?? 0 })).toSorted((a, b) => a.at - b.at).map(({ line }) => line)
        const again = new Map(priceOrder(makmur, rules, shuffled).lines.map((line) => [line.key, line]))
        for (const line of priced) expect(again.get(line.key)).toEqual(line)
      }),
      { numRuns: 60 },
    )
  })
})
