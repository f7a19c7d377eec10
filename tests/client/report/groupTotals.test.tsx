import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { setCatalogues } from '#client/app/messages.ts'
import { GroupTotals } from '#client/pages/GroupTotals.tsx'
import { metadata } from '#generated/metadata.ts'
import type { Column } from '#meta/resolved.ts'

const screen = metadata.screens['ar-aging.report']
if (screen?.kind !== 'report') throw new Error('no such report')
const columnOf = (name: string): Column => {
  const column = screen.columns.find((one) => one.name === name)
  if (column === undefined) throw new Error(`no column ${name}`)
  return column
}

setCatalogues({ 'ui.subtotal': '{group} ({n})', 'ui.nothing': 'nothing' }, {})

const labelOf = (field: string, columns: readonly string[]): string => {
  // The columns of a view are made anew: they are other objects of the same names.
  const shown = columns.map((name) => ({ ...columnOf(name) }))
  const markup = renderToStaticMarkup(
    <table>
      <tbody>
        <GroupTotals columns={shown} field={columnOf(field)} row={{ CustomerCode: 'C0000001', CustomerName: 'Toko Mandiri' }} group={{ value: 'x', count: 3, totals: {}, currency: null }} isOne />
      </tbody>
    </table>,
  )
  return /<th[^>]*>(.*?)<\/th>/.exec(markup)?.[1] ?? ''
}

test('sums of a group are called by its code and the name beside it', () => {
  expect(labelOf('customer_code', ['customer_code', 'customer_name'])).toBe('C0000001 Toko Mandiri (3)')
})

test('a group that is a name is called by it once', () => {
  expect(labelOf('customer_name', ['customer_name', 'customer_code'])).toBe('Toko Mandiri (3)')
})
