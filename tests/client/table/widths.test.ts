import { expect, it } from 'vitest'
import type { Column } from '#meta/resolved.ts'
import { columnWidths } from '#client/table/widths.ts'

const total: Column = { name: 'total', wire: 'Total', type: 'money', label: 'field.total', required: false, readOnly: false, importance: 'high', hidden: false, sortable: true, filterable: true }
const width = (rows: readonly Readonly<Record<string, unknown>>[], sums: readonly string[] = []): number => columnWidths([total], rows, sums.map((sum) => ({ total: sum }))).get('total') ?? 0

it('amounts of a foreign currency, and sums of several, have room for its name', () => {
  const amount = '123456789012.00'
  expect(width([{ Total: amount, Currency: 'USD' }])).toBeGreaterThan(width([{ Total: amount, Currency: 'IDR' }]))
  expect(width([{ Total: amount }], [amount, amount])).toBeGreaterThan(width([{ Total: amount }], [amount]))
})
