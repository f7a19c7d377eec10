import { expect, test } from 'vitest'
import { fillPath } from '#client/data/around.ts'

test('of several paths a row leads to the first whose values it has, to none where it has no values', () => {
  const paths = ['/payments/{PaymentID}', '/invoices/{InvoiceID}']
  expect(fillPath(paths, { PaymentID: 7, InvoiceID: 8 })).toBe('/payments/7')
  expect(fillPath(paths, { PaymentID: null, InvoiceID: 8 })).toBe('/invoices/8')
  expect(fillPath(paths, { PaymentID: null })).toBeUndefined()
})
