import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exact } from '#base/decimal.ts'
import { earnedDiscount, type GrantedDiscount } from '#domain/receivables/cashDiscount.ts'

const invoice: GrantedDiscount = { docDate: '2026-04-01', total: '9435000.00', dpp: '8500000.00', currency: 'IDR', percent: '2', days: 10 }
const earned = (day: string, settled: string, more: Partial<GrantedDiscount> = {}) => earnedDiscount({ ...invoice, ...more }, day, exact(settled), false)

describe('a cash discount', () => {
  test('is taken of the price without VAT, in proportion to what is paid', () => {
    expect(earned('2026-04-11', '9265000')).toEqual({ whole: '170000.00', earned: '170000.00' })
    expect(earned('2026-04-09', '4000000')).toEqual({ whole: '170000.00', earned: '73394.00' })
    expect(earned('2026-04-12', '9265000')).toEqual({ whole: '0.00', earned: '0.00' })
    expect(earned('2026-04-01', '9265000', { days: null })).toEqual({ whole: '170000.00', earned: '170000.00' })
    expect(earned('2026-04-02', '9265000', { days: null })).toEqual({ whole: '0.00', earned: '0.00' })
    expect(earned('2026-04-01', '0', { percent: '100', dpp: '9435000.00' })).toEqual({ whole: '9435000.00', earned: '9435000.00' })
    expect(earned('2026-04-01', '10', { currency: 'GBP', dpp: '21.53', total: '21.53' })).toEqual({ whole: '0.43', earned: '0.20' })
  })

  test('paid in two parts in time comes to the whole, to the rupiah', () => {
    fc.assert(fc.property(fc.integer({ min: 100, max: 90_000_000 }), fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (dpp, percent, share) => {
      const granted = { ...invoice, dpp: String(dpp), total: String(dpp + Math.round(dpp * 0.11)), percent: String(percent) }
      const whole = exact(earnedDiscount(granted, '2026-04-05', exact('0'), false).whole)
      const rest = exact(granted.total).minus(whole)
      const first = rest.times(share.toFixed(6)).round(0)
      const taken = exact(earnedDiscount(granted, '2026-04-05', first, false).earned)
      const last = exact(earnedDiscount(granted, '2026-04-06', rest.minus(first), true).earned)
      return taken.plus(last).gte(whole) && taken.plus(last).minus(whole).lte(1)
    }))
  })
})
