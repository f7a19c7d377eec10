import { describe, expect, test } from 'vitest'
import { earnedOf, type EarningLine, type GiftLine } from '#domain/pricing/gifts.ts'
import { benefitOf, buyTenGetOne, conditionOf, itemA, itemB } from './scene.ts'

const line = (id: number, ordered: string, counted: string, item = itemA): EarningLine => ({ id, item, ordered, counted, value: '1000' })
const gift = (given: string, more: Partial<GiftLine> = {}): GiftLine => ({ given, parentId: 1, promotion: buyTenGetOne, ...more })

describe('what goods earn of their gift', () => {
  test.each([['24', '24', '2'], ['24', '20', '2'], ['24', '19', '1'], ['24', '9', '0'], ['90', '30', '3'], ['90', '29', '2']])('of %s, %s count: %s', (ordered, counted, earned) => {
    const given = Math.min(3, Math.floor(Number(ordered) / 10))
    expect(Number(earnedOf(gift(String(given)), [line(1, ordered, counted)]))).toBe(Number(earned))
  })

  test('lines of the same promotion earn together, others nothing', () => {
    expect(Number(earnedOf(gift('2'), [line(1, '12', '6'), line(2, '12', '5'), line(3, '50', '50', itemB)]))).toBe(1)
  })

  test('what is given of another tier is its share', () => {
    const of = { itemId: itemA.id, isMultiple: true }
    const tiers = {
      ...buyTenGetOne, conditions: [conditionOf('ITEM_QTY', '10', of), conditionOf('ITEM_QTY', '20', { ...of, tierNo: 2 })],
      benefits: [benefitOf('FREE_ITEM', '0', { freeQty: '1', maxMultiple: 1 }), benefitOf('FREE_ITEM', '0', { tierNo: 2, freeQty: '4', maxMultiple: 1 })],
    }
    expect(Number(earnedOf(gift('8', { promotion: tiers }), [line(1, '20', '19')]))).toBe(2)
  })

  test('where the promotion is gone or gives no more, in proportion and whole pieces', () => {
    for (const promotion of [undefined, { ...buyTenGetOne, benefits: [] }]) {
      expect(Number(earnedOf(gift('3', { promotion }), [line(1, '30', '19'), line(2, '10', '10', itemB)])), String(promotion)).toBe(1)
      expect(Number(earnedOf(gift('1.5', { promotion }), [line(1, '30', '20')]))).toBe(1)
    }
  })

  test('never more than was given, nothing where nothing counts', () => {
    expect(Number(earnedOf(gift('2'), [line(1, '24', '60')]))).toBe(2)
    expect(Number(earnedOf(gift('2', { parentId: null, promotion: undefined }), [line(1, '24', '0')]))).toBe(0)
  })
})
