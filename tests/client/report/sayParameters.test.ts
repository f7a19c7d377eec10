import { expect, test } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { setCatalogues } from '#client/app/messages.ts'
import { sayParameters } from '#client/pages/ParameterBar.tsx'
import { readCatalogue } from '../../../scripts/schemas/catalogue.ts'
import { root } from '../../../scripts/schemas/readSources.ts'

setCatalogues(readCatalogue(root, 'en'))

function say(id: string, values: Readonly<Record<string, string>>): string {
  const screen = metadata.screens[id]
  if (screen?.kind !== 'report') throw new Error(`${id} is no report`)
  return sayParameters(screen, values, {})
}

test('the sentence of a report says what is shown by the parameters it changes with', () => {
  const days = { key_date: '2026-11-27', date_from: '2026-08-01', date_to: '2026-08-31' }
  expect(say('fbl5n.report', { ...days, item_status: 'OPEN', with_special: 'false' })).toBe('Line items of customer accounts open at 27/11/2026; all of them together are the balance of the receivables accounts.')
  expect(say('fbl5n.report', { ...days, item_status: 'OPEN', with_special: 'true' })).toContain('with deposits, temporary claims and giros')
  for (const special of ['true', 'false']) expect(say('fbl5n.report', { ...days, item_status: 'CLEARED', with_special: special })).toBe('Line items of customer accounts cleared from 01/08/2026 to 31/08/2026.')
  expect(say('fbl5n.report', { ...days, item_status: 'ALL', with_special: 'false' })).toContain('posted from 01/08/2026 to 31/08/2026')
  expect(say('ar-aging.report', { as_of: '2026-11-27', basis: 'DUE', level: 'DETAIL' })).toContain('by days late')
  expect(say('ar-aging.report', { as_of: '2026-11-27', basis: 'INVOICE', level: 'DETAIL' })).toContain('by days since the invoice')
})

test('a span without an end says so', () => {
  expect(say('sales-order-o2c.report', { state: 'OPEN', date_from: '', date_to: '', as_of: '2026-11-27' })).toContain('ordered from the beginning to the end')
})
