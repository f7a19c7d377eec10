import { expect, test, vi } from 'vitest'
import { formatDate, formatMoney, formatNumber, formatPercent, formatPeriod, formatPrice, formatRupiah, formatTime, parseDate, readable, today } from '#client/app/format.ts'

test('Money format: precision 2, comma as thousands separator, dot as decimal.', () => {
  const shown = ['0', '1234.5', '-1234567.00', '99999999999999.99', '0.005', '-0.00', '-0.001', '12.3456', '2.675'].map((text) => formatMoney(text))
  expect(shown).toEqual(['0.00', '1,234.50', '-1,234,567.00', '99,999,999,999,999.99', '0.01', '0.00', '0.00', '12.35', '2.68'])
  expect([null, undefined, '', 'abc', {}].map((value) => formatMoney(value))).toEqual(['', '', '', '', ''])
})

test('Money: precision 2 (0 in the no-decimal variant)', () => {
  expect(['1234.00', '1234.50', '1234.49', '-0.50', '999999.5'].map((text) => formatMoney(text, 0))).toEqual(['1,234', '1,235', '1,234', '-1', '1,000,000'])
})

test('a price shows the further digits it has', () => {
  expect(['0', '1234.5', '12.3456', '12.3400'].map((text) => formatPrice(text))).toEqual(['0.00', '1,234.50', '12.3456', '12.34'])
})

test('quantities drop zeros at the end', () => {
  expect(['1000.000', '0.250', '12', '-3.100'].map((text) => formatNumber(text))).toEqual(['1,000', '0.25', '12', '-3.1'])
  expect(formatPercent('11.0000')).toBe('11 %')
})

test('An Indonesian rupiah currency format exists.', () => {
  expect(['1234567.00', '1234567.50', '-500.00'].map((text) => formatRupiah(text))).toEqual(['Rp 1.234.567', 'Rp 1.234.567,50', '-Rp 500'])
})

test('Default date format DD/MM/YYYY; timestamps DD/MM/YYYY HH:mm:ss.', () => {
  expect(formatDate('2026-01-31')).toBe('31/01/2026')
  expect(formatDate('0001-01-01T00:00:00Z')).toBe('')
  expect(formatTime('2026-01-31T12:00:00Z')).toBe('31/01/2026 19:00:00')
  expect(formatPeriod('202601')).toBe('01/2026')
})

test('a moment is told by the clock of the business, whose days are reckoned there, however it is written', () => {
  const shown = ['2026-11-21T16:59:59.999Z', '2026-11-21T17:00:00.000Z', '2026-11-21T12:05:09-05:00', '2026-11-22T00:05:09+07:00'].map((at) => formatTime(at))
  expect(shown).toEqual(['21/11/2026 23:59:59', '22/11/2026 00:00:00', '22/11/2026 00:05:09', '22/11/2026 00:05:09'])
  expect(['', 'soon', null, '0001-01-01T00:00:00Z'].map((value) => formatTime(value))).toEqual(['', '', '', ''])
})

test('a typed day is read in the ways people type it, and only if it exists', () => {
  const typed = ['31/01/2026', '31-1-26', '310126', '31/1', '2026-01-31', '31/02/2026', 'soon']
  expect(typed.map((text) => parseDate(text, '2026-11-21'))).toEqual([
    '2026-01-31', '2026-01-31', '2026-01-31', '2026-01-31', '2026-01-31', undefined, undefined,
  ])
})

test('amounts in a sentence of the server are grouped, numbers of documents and days are left alone', () => {
  expect(readable('Invoice INV/JKT/2611/00120: 365668.00, due 2026-01-31, 12.50 % of 9747207.00.')).toBe(
    'Invoice INV/JKT/2611/00120: 365,668.00, due 2026-01-31, 12.50 % of 9,747,207.00.',
  )
})

test('today turns at midnight in Jakarta, seven hours ahead of Greenwich', () => {
  vi.useFakeTimers()
  try {
    const days = ['2026-11-21T16:59:59.999Z', '2026-11-21T17:00:00Z', '2026-12-31T17:00:00Z'].map((at) => {
      vi.setSystemTime(at)
      return today()
    })
    expect(days).toEqual(['2026-11-21', '2026-11-22', '2027-01-01'])
  } finally {
    vi.useRealTimers()
  }
})
