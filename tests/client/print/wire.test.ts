import { expect, test } from 'vitest'
import { roundingOf } from '#client/print/wire.ts'

test('on paper the gross less what is taken off and with what rounding added is the tax base', () => {
  expect(roundingOf({ Gross: '162900.00', Discount: '3258.00', Promo: '5587.47', Dpp: '154055.00' })).toBe('0.47')
  expect(roundingOf({ Gross: '100000.60', Discount: '0.00', Promo: '0.00', Dpp: '100000.00' })).toBe('-0.60')
  expect(roundingOf({ Gross: '162900.00', Discount: '0.00', Promo: '0.00', Dpp: '162900.00' })).toBeUndefined()
})
