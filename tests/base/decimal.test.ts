import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, exact, fixed, grouped, isDecimal, money, quantityText, spread, sum } from '#base/decimal.ts'

describe('rounding', () => {
  test.each([
    ['0.5', 0, '1'],
    ['-0.5', 0, '-1'],
    ['2.345', 2, '2.35'],
    ['-0.004', 2, '0.00'],
    ['5037921.72', 0, '5037922'],
  ])('%s to %i places is %s', (value, places, expected) => {
    expect(fixed(value, places)).toBe(expected)
  })

  test('money keeps two places and no float enters', () => {
    expect(money(exact('0.1').plus('0.2'))).toBe('0.30')
  })
})

test('plain decimals only', () => {
  expect(['1', '-1.25', '0.00'].every((text) => isDecimal(text, 2))).toBe(true)
  expect(['1e5', '1,000.00', '', '.5', '1.234', 'NaN', ' 1'].some((text) => isDecimal(text, 2))).toBe(false)
})

test('parts of a spread add up to the whole, and no part strays a unit from its share', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000_00 }).map((n) => exact(n).div(100))
  fc.assert(
    fc.property(cents, fc.array(cents, { minLength: 1, maxLength: 20 }), (total, weights) => {
      const parts = spread(total, weights, 2)
      expect(money(sum(parts))).toBe(money(total))
      const whole = sum(weights)
      if (whole.eq(0)) return
      parts.forEach((part, i) => {
        const share = total.times(weights[i] ?? 0).div(whole)
        expect(compare(part.minus(share).abs(), '0.01')).toBeLessThanOrEqual(0)
      })
    }),
  )
})

test('quantities in sentences have no zeros that could be read as thousands', () => {
  expect(['360.000', '1440.000', '0.500', '0.000', '12', '1200.250', '-100.000'].map(quantityText)).toEqual(['360', '1,440', '0.5', '0', '12', '1,200.25', '-100'])
})

test('amounts in sentences are grouped', () => {
  expect(['0.00', '999.50', '1000', '-2706161.00', '12345678901.25'].map(grouped)).toEqual(['0.00', '999.50', '1,000', '-2,706,161.00', '12,345,678,901.25'])
})
