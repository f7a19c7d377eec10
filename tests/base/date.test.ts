import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, endOfMonth, isDate, nearestKept, periodOf } from '#base/date.ts'
import { referenceNames, wireName } from '#base/wireName.ts'

test('days add and subtract across daylight saving and leap years', () => {
  expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
  expect(addDays('2025-03-30', -1)).toBe('2025-03-29')
  fc.assert(
    fc.property(fc.integer({ min: -20_000, max: 20_000 }), (days) => {
      expect(daysBetween('2025-06-10', addDays('2025-06-10', days))).toBe(days)
    }),
  )
})

test('months end where they end', () => {
  expect(addMonths('2025-01-31', 1)).toBe('2025-02-28')
  expect(addMonths('2025-03-15', -13)).toBe('2024-02-15')
  expect(endOfMonth('2024-02-03')).toBe('2024-02-29')
  expect(periodOf('2025-06-10')).toBe('202506')
})

test('only calendar days are dates', () => {
  expect(['2025-02-29', '2025-13-01', '10/06/2025', '2025-6-1', 20250610].some(isDate)).toBe(false)
  expect(isDate('2024-02-29')).toBe(true)
})

test('days are kept from 1900 to 2199', () => {
  expect(['0001-01-01', '1899-12-31', '1900-01-01', '2028-02-29', '2199-12-31', '2200-01-01', '9999-12-31'].map(nearestKept)).toEqual(['1900-01-01', '1900-01-01', '1900-01-01', '2028-02-29', '2199-12-31', '2199-12-31', '2199-12-31'])
})

test('wire names', () => {
  expect(['id', 'customer_id', 'po_number', 'ppn', 'is_pkp'].map(wireName)).toEqual(['ID', 'CustomerID', 'PoNumber', 'Ppn', 'IsPkp'])
  expect(referenceNames('ship_to_id')).toEqual({ code: 'ShipToCode', name: 'ShipToName' })
})
