import { Big } from 'big.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exact } from '#base/decimal.ts'

Big.DP = 20
Big.RM = Big.roundHalfUp

/** Decimal text of any sign, size and number of places that occurs in the books, and beyond. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 8 }))
  .map(([units, places]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
    const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
    return units < 0n ? `-${text}` : text
  })
const isNotZero = (text: string): boolean => /[1-9]/.test(text)

describe('agrees digit for digit with big.js', () => {
  test('adding, subtracting, multiplying, comparing', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(exact(a).plus(b).toFixed()).toBe(new Big(a).plus(b).toFixed())
        expect(exact(a).minus(b).toFixed()).toBe(new Big(a).minus(b).toFixed())
        expect(exact(a).times(b).toFixed()).toBe(new Big(a).times(b).toFixed())
        expect(exact(a).cmp(b)).toBe(new Big(a).cmp(b))
        expect(exact(a).abs().toFixed()).toBe(new Big(a).abs().toFixed())
      }),
    )
  })

  test('dividing, also by a hundred, and what is left', () => {
    fc.assert(
      fc.property(decimal, decimal.filter(isNotZero), (a, b) => {
        expect(exact(a).div(b).toFixed()).toBe(new Big(a).div(b).toFixed())
        expect(exact(a).div(100).toFixed()).toBe(new Big(a).div(100).toFixed())
        expect(exact(a).mod(b).toFixed()).toBe(new Big(a).mod(b).toFixed())
      }),
    )
  })

  test('rounding in every direction, before and after the point', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: -6, max: 10 }), (a, places) => {
        expect(exact(a).round(places).toFixed()).toBe(new Big(a).round(places, Big.roundHalfUp).toFixed())
        expect(exact(a).round(places, 'DOWN').toFixed()).toBe(new Big(a).round(places, Big.roundDown).toFixed())
        expect(exact(a).round(places, 'UP').toFixed()).toBe(new Big(a).round(places, Big.roundUp).toFixed())
        if (places >= 0) expect(exact(a).toFixed(places)).toBe(new Big(a).toFixed(places).replace(/^-(0(\.0*)?)$/, '$1'))
      }),
    )
  })
})

test.each([
  [0, '0'], [-0, '0'], [12, '12'], [-0.5, '-0.5'], [1e-7, '0.0000001'], [2.5e21, '2500000000000000000000'], ['.5', '0.5'], ['-.5', '-0.5'], ['5.', '5'], ['-0.00', '0'], ['007.50', '7.5'],
])('%s opens as %s', (value, text) => {
  expect(exact(value).toFixed()).toBe(text)
})

test.each(['', '-', '.', ' 1', '1 ', '1,5', '1.2.3', '--1', '1-', 'x', 'NaN', '1e', 'e5', '0x10'])('"%s" is no number', (text) => {
  expect(() => exact(text)).toThrow('Not a number')
})

test('nothing is divided by zero', () => {
  expect(() => exact('1').div('0.00')).toThrow('Division by zero')
})
