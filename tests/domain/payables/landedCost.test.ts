import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exact, money, sum } from '#base/decimal.ts'
import { landCost, landedBases, landedSince, type ReceivedGoods } from '#domain/payables/landedCost.ts'

const goods = (itemId: number, qty: string, value: string, weight = '0', kept = qty): ReceivedGoods => ({ itemId, qty, kept, value, weight })

test('LC1: 900,000 by value over X and Y, 50 of 200 X gone', () => {
  const shares = landCost('900000', 'VALUE', [goods(1, '200', '2000000'), goods(2, '100', '4000000')], new Map([[1, '150'], [2, '100']]))
  expect(shares).toEqual([{ share: '300000.00', qtyLeft: '150.000', inStock: '225000.00', gone: '75000.00' }, { share: '600000.00', qtyLeft: '100.000', inStock: '600000.00', gone: '0.00' }])
})

test('more on hand than came is not of these goods, nor what went back to the vendor; of two receipts the later is there', () => {
  expect(landCost('100', 'QUANTITY', [goods(1, '10', '0')], new Map([[1, '500']]))).toMatchObject([{ qtyLeft: '10.000', inStock: '100.00' }])
  expect(landCost('100', 'QUANTITY', [goods(1, '10', '0', '0', '4')], new Map([[1, '500']]))).toMatchObject([{ qtyLeft: '4.000', inStock: '40.00', gone: '60.00' }])
  expect(landCost('200', 'QUANTITY', [goods(1, '10', '0'), goods(1, '10', '0')], new Map([[1, '13']]))).toMatchObject([{ qtyLeft: '3.000', inStock: '30.00' }, { qtyLeft: '10.000', inStock: '100.00' }])
})

const anyGoods = fc.array(fc.record({ itemId: fc.integer({ min: 1, max: 3 }), qty: fc.integer({ min: 1, max: 9_999 }), back: fc.nat(3), price: fc.integer({ min: 1, max: 99_999 }), grams: fc.integer({ min: 1, max: 9_999 }) }), { minLength: 1, maxLength: 8 })
test('the shares are the bill to the cent; nobody bears less than nothing; taken back at once all of it comes out', () => {
  fc.assert(fc.property(anyGoods, fc.integer({ min: 1, max: 999_999_999 }), fc.constantFrom(...landedBases), fc.array(fc.nat(20_000), { minLength: 3, maxLength: 3 }), (lines, cents, by, stock) => {
    const bill = money(exact(cents).div(100))
    const received = lines.map(({ itemId, qty, back, price, grams }) => goods(itemId, String(qty), String(qty * price), exact(qty * grams).div(1000).toFixed(3), String(Math.max(0, qty - back))))
    const onHand = new Map(stock.map((qty, i) => [i + 1, String(qty)]))
    const shares = landCost(bill, by, received, onHand)
    expect(money(sum(shares.map(({ share }) => share)))).toBe(bill)
    for (const { share, inStock, gone } of shares) {
      expect(money(exact(inStock).plus(gone))).toBe(share)
      expect([inStock, gone].some((amount) => exact(amount).lt(0))).toBe(false)
    }
    for (const item of [1, 2, 3]) expect(sum(shares.filter((_, i) => lines[i]?.itemId === item).map(({ qtyLeft }) => qtyLeft)).gt(onHand.get(item) ?? '0')).toBe(false)
    const landed = shares.map(({ qtyLeft, inStock }, i) => ({ itemId: lines[i]?.itemId ?? 0, qtyLeft, inStock }))
    expect(landedSince(landed, onHand).map(String)).toEqual(shares.map(() => '0.00'))
    expect(landedSince(landed, new Map())).toEqual(shares.map(({ inStock }) => inStock))
  }), { numRuns: 200 })
})
