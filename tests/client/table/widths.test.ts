import { afterEach, expect, it } from 'vitest'
import type { Column } from '#meta/resolved.ts'
import { setCatalogues } from '#client/app/messages.ts'
import { columnWidths, type WidthsOf } from '#client/table/widths.ts'

const total: Column = { name: 'total', wire: 'Total', type: 'money', label: 'field.total', required: false, readOnly: false, importance: 'high', hidden: false, sortable: true, filterable: true }
const none: ReadonlySet<string> = new Set()
const widthOf = (changes: Partial<WidthsOf>): number => columnWidths({ columns: [total], rows: [], totals: [], sized: none, sorted: none, ...changes }).get('total') ?? 0
const width = (rows: WidthsOf['rows'], sums: readonly string[] = []): number => widthOf({ rows, totals: sums.map((sum) => ({ total: sum })) })

afterEach(() => setCatalogues({}, {}))

it('amounts of a foreign currency, and sums of several, have room for its name', () => {
  const amount = '123456789012.00'
  expect(width([{ Total: amount, Currency: 'USD' }])).toBeGreaterThan(width([{ Total: amount, Currency: 'IDR' }]))
  expect(width([{ Total: amount }], [amount, amount])).toBeGreaterThan(width([{ Total: amount }], [amount]))
})

it('a heading is whole in every language, with the arrow of its order, unless somebody has made its column narrower', () => {
  const columns = [{ ...total, width: 90 }]
  setCatalogues({ 'field.total': 'Total' }, {})
  expect(widthOf({ columns })).toBe(90)
  setCatalogues({ 'field.total': 'Jumlah siap direncanakan' }, {})
  const whole = widthOf({ columns })
  expect(whole).toBeGreaterThan(24 * 7)
  const sorted = widthOf({ columns, sorted: new Set(['total']) })
  expect(sorted).toBeGreaterThan(whole)
  expect(widthOf({ columns, sorted: new Set(['total', 'code']) })).toBeGreaterThan(sorted)
  expect(widthOf({ columns, sized: new Set(['total']) })).toBe(90)
})

it('a number of a document is whole, unless somebody has made its column narrower or it is longer than any', () => {
  const columns: readonly Column[] = [{ ...total, name: 'code', wire: 'Code', type: 'code', width: 150 }]
  const wide = (Code: string, changes: Partial<WidthsOf> = {}): number => columnWidths({ columns, rows: [{ Code }], totals: [], sized: none, sorted: none, ...changes }).get('code') ?? 0
  expect(wide('GR/JKT/1')).toBe(150)
  expect(wide('CLQ/JKT/2611/00004')).toBeGreaterThan(18 * 8.7 + 20)
  expect(wide('CLQ/JKT/2611/00004', { sized: new Set(['code']) })).toBe(150)
  expect(wide('X'.repeat(200))).toBe(280)
  expect(wide('', { rows: [{ Code: 'CLQ/JKT/2611/00004' }, ...Array.from({ length: 1_000_000 }, () => undefined)] })).toBe(wide('CLQ/JKT/2611/00004'))
})
