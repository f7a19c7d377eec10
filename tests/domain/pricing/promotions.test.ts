import { describe, expect, test } from 'vitest'
import type { PricedItem, Promotion } from '#domain/pricing/masters.ts'
import { priceOrder, type OrderLine } from '#domain/pricing/priceOrder.ts'
import { benefitOf, conditionOf, itemA, itemB, makmur, masters, openPromotion, priceRow } from './scene.ts'

const pieces: PricedItem = { ...itemA, id: 103, code: 'SKU-C', baseUom: 'PCS', salesUom: 'CTN', factors: new Map([['PCS', '1'], ['CTN', '24']]) }
const line = (key: number, itemId: number, qty: string, uom = 'CTN'): OrderLine => ({ key, itemId, uom, qty, manualDiscount: '0' })
const promotion = (id: number, more: Partial<Promotion> & Pick<Promotion, 'conditions' | 'benefits'>): Promotion => ({ ...openPromotion, id, code: `D${id}`, name: `D${id}`, ...more })
const priced = (promotions: readonly Promotion[], lines: readonly OrderLine[], prices = masters.prices) =>
  priceOrder(makmur, { ...masters, items: new Map([...masters.items, [103, pieces]]), prices, discountSets: [], promotions }, lines)
const free = (promotions: readonly Promotion[], lines: readonly OrderLine[]) => priced(promotions, lines, [priceRow(1, 11, 103, '10000', { uom: 'PCS' })]).lines.filter(({ isFree }) => isFree).map(({ qty, uom }) => `${qty} ${uom}`)

describe('PR1: buy 10 cartons, get 1, at most 3', () => {
  const gift = promotion(1, {
    conditions: [conditionOf('ITEM_QTY', '10', { itemId: 103, uom: 'CTN', isMultiple: true })],
    benefits: [benefitOf('FREE_ITEM', '0', { freeItemId: 103, freeQty: '1', freeUom: 'CTN', unitFactor: '24', maxMultiple: 3 })],
  })
  test.each([
    ['37 cartons', [line(1, 103, '37')], ['3.000 CTN']],
    ['9 cartons and 24 pieces on two lines', [line(1, 103, '9'), line(2, 103, '24', 'PCS')], ['1.000 CTN']],
    ['1,000 pieces', [line(1, 103, '1000', 'PCS')], ['3.000 CTN']],
    ['9 cartons', [line(1, 103, '9')], []],
  ] as const)('%s', (_, lines, given) => expect(free([gift], lines)).toEqual(given))

  test('given in pieces where it says pieces', () => {
    const loose = { ...gift, benefits: [benefitOf('FREE_ITEM', '0', { freeItemId: 103, freeQty: '24', freeUom: 'PCS', unitFactor: '1' })] }
    expect(free([loose], [line(1, 103, '20')])).toEqual(['48.000 PCS'])
  })
})

describe('PR3: a mix of brands worth 900,000 takes 50,000 off', () => {
  const prices = [priceRow(1, 11, 101, '480000'), priceRow(2, 11, 102, '300000'), priceRow(3, 11, 103, '170000')]
  const mix = (min: string) => promotion(1, { conditions: [conditionOf('MIX_VALUE', min, { brandId: 1 }), conditionOf('MIX_VALUE', min, { brandId: 2 })], benefits: [benefitOf('AMOUNT', '50000')] })
  const lines = [line(1, 101, '1'), line(2, 102, '1'), line(3, 103, '1')]
  test('spread by value, whole', () => expect(priced([mix('900000')], lines, prices).lines.map(({ promo }) => promo)).toEqual(['25263.16', '15789.47', '8947.37']))
  test('nothing below, tested before its own benefit', () => {
    expect(priced([mix('950000.01')], lines, prices).promo).toBe('0.00')
    expect(priced([mix('950000')], lines, prices).promo).toBe('50000.00')
  })
})

describe('PR4: one alone or the others together', () => {
  const off = (id: number, percent: string, more: Partial<Promotion>): Promotion => promotion(id, { conditions: [conditionOf('ITEM_QTY', '1', { itemId: 102 })], benefits: [benefitOf('PCT', percent)], ...more })
  const others = [off(1, '4', { priority: 1 }), off(2, '2', { priority: 2 })]
  const promo = (percent: string, more: Partial<Promotion> = {}) => priced([...others, off(3, percent, { stacking: 'EXCLUSIVE', ...more })], [line(1, 102, '8')]).lines[0]
  test('7 % alone beats 118,400', () => expect(promo('7')).toMatchObject({ promo: '140000.00', steps: [{ name: 'D3' }] }))
  test('5 % does not: the second works on what the first left', () => expect(promo('5')).toMatchObject({ promo: '118400.00', steps: [{ name: 'D1', amount: '80000.00' }, { name: 'D2', amount: '38400.00' }] }))
  test('as good: the lower priority, then the older', () => {
    expect(promo('5.92', { priority: 0 })?.steps.map(({ name }) => name)).toEqual(['D3'])
    expect(promo('5.92', { priority: 9 })?.steps.map(({ name }) => name)).toEqual(['D1', 'D2'])
  })
})

describe('whom a promotion is for', () => {
  const scoped = (scopes: Promotion['scopes']) => priced([promotion(1, { scopes, conditions: [conditionOf('ORDER_VALUE', '0')], benefits: [benefitOf('PCT', '1')] })], [line(1, 102, '1')]).promo
  test.each([
    ['his channel among others', [{ kind: 'CHANNEL', refId: 5, include: true }, { kind: 'CHANNEL', refId: 6, include: true }], '2500.00'],
    ['his channel and another territory', [{ kind: 'CHANNEL', refId: 5, include: true }, { kind: 'TERRITORY', refId: 9, include: true }], '0.00'],
    ['everybody but him', [{ kind: 'CUSTOMER', refId: 17, include: false }], '0.00'],
    ['everybody but somebody else', [{ kind: 'CUSTOMER', refId: 18, include: false }], '2500.00'],
    ['a group he is not in', [{ kind: 'GROUP', refId: 1, include: true }], '0.00'],
  ] as const)('%s', (_, scopes, expected) => expect(scoped(scopes)).toBe(expected))
})

describe('what else is given', () => {
  const on = (kind: 'ITEM_QTY' | 'MIX_QTY', min: string, more = {}) => [conditionOf(kind, min, { itemId: 101, ...more })]
  test('an amount for each unit, for so many at most', () => {
    expect(priced([promotion(1, { conditions: on('ITEM_QTY', '5'), benefits: [benefitOf('AMOUNT_PER_UOM', '1500')] })], [line(1, 101, '12')]).promo).toBe('18000.00')
    expect(priced([promotion(1, { conditions: on('ITEM_QTY', '5'), benefits: [benefitOf('AMOUNT_PER_UOM', '1500', { maxMultiple: 10 })] })], [line(1, 101, '12')]).promo).toBe('15000.00')
    expect(priced([promotion(1, { conditions: on('ITEM_QTY', '1', { uom: 'PAL' }), benefits: [benefitOf('AMOUNT_PER_UOM', '1500')] })], [line(1, 101, '60')]).promo).toBe('2250.00')
  })
  test('an amount for every whole ten', () => expect(priced([promotion(1, { conditions: on('ITEM_QTY', '10', { isMultiple: true }), benefits: [benefitOf('AMOUNT', '5000')] })], [line(1, 101, '29')]).promo).toBe('10000.00'))
  test('a special price goes before every list, and the discounts after it', () => {
    const special = promotion(1, { conditions: on('ITEM_QTY', '10'), benefits: [benefitOf('SPECIAL_PRICE', '100000')] })
    expect(priced([special], [line(1, 101, '10')]).lines[0]).toMatchObject({ price: '100000.0000', listPrice: '118000.0000', priceSource: 'PROMOTION:D1', gross: '1000000.00', promotionId: 1, blocks: [] })
    expect(priced([special], [line(1, 101, '9')]).lines[0]).toMatchObject({ price: '118000.0000', promotionId: null })
    expect(priced([special], [line(1, 101, '1', 'PAL')]).lines[0]).toMatchObject({ price: '4000000.0000' })
  })
  test('both of two things, as one tier wants them', () => {
    const both = promotion(1, { conditions: [conditionOf('ITEM_QTY', '2', { itemId: 101 }), conditionOf('ITEM_QTY', '1', { itemId: 102 })], benefits: [benefitOf('AMOUNT', '10000')] })
    expect([priced([both], [line(1, 101, '2')]).promo, priced([both], [line(1, 101, '2'), line(2, itemB.id, '1')]).promo]).toEqual(['0.00', '10000.00'])
  })
  test('a tier ends where it says', () => {
    const band = promotion(1, { conditions: on('ITEM_QTY', '5', { max: '9' }), benefits: [benefitOf('PCT', '1')] })
    expect(['5', '9', '10'].map((qty) => priced([band], [line(1, 101, qty)]).promo)).toEqual(['5900.00', '10620.00', '0.00'])
  })
  test('claimed later: nothing on the invoice', () =>
    expect(priced([promotion(1, { mechanism: 'OFF_INVOICE', conditions: [conditionOf('ORDER_VALUE', '0')], benefits: [benefitOf('PCT', '5')] })], [line(1, 101, '10')]).promo).toBe('0.00'))
})
