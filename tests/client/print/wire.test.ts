import { expect, test } from 'vitest'
import { roundingOf, standingOf } from '#client/print/wire.ts'

test('on paper the gross less what is taken off and with what rounding added is the tax base', () => {
  expect(roundingOf({ Gross: '162900.00', Discount: '3258.00', Promo: '5587.47', Dpp: '154055.00' })).toBe('0.47')
  expect(roundingOf({ Gross: '100000.60', Discount: '0.00', Promo: '0.00', Dpp: '100000.00' })).toBe('-0.60')
  expect(roundingOf({ Gross: '162900.00', Discount: '0.00', Promo: '0.00', Dpp: '162900.00' })).toBeUndefined()
})

test('an order some of whose goods were cancelled comes to what is left, each line at its share', () => {
  const line = (Total: string, QtyBase: string, CancelledQty: string) => ({ Total, QtyBase, CancelledQty })
  const order = (Total: string, ...Lines: readonly object[]) => ({ ID: 1, Total, Lines })
  expect(standingOf(order('1693541.00', line('949649.40', '1000.000', '600.000'), line('743892.03', '600.000', '600.000')))).toEqual({ stands: '379860.00', cancelled: '-1313681.00' })
  expect(standingOf(order('100.50', line('100.50', '3', '1')))).toEqual({ stands: '67.00', cancelled: '-33.50' })
  expect(standingOf(order('500.00', line('500.00', '5', '0')))).toBeUndefined()
  expect(standingOf(order('500.00', line('500.00', '5', '5'))), 'all of it: the paper is stamped').toBeUndefined()
  expect(standingOf(order('500.00', line('500.00', '5', '0'), line('0.00', '0', '0')))).toBeUndefined()
})
