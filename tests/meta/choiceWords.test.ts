import { expect, test } from 'vitest'
import { choiceWords } from '#meta/choiceWords.ts'

const choices = [{ value: 'AUTO', label: 'at once', tone: 'neutral' }, { value: 'sales_order', label: 'orders', tone: 'neutral' }, { value: '*', label: 'others', tone: 'neutral' }] as const
const open = { choices, choicesBy: { by: 'Key', of: {} } }

test.each([
  [{ choices }, 'AUTO', 'at once'],
  [{ choices }, 'sales_order=AUTO', undefined],
  [open, 'AUTO', 'at once'],
  [open, 'sales_order=AUTO, *=BLOCK', 'orders: at once · others: BLOCK'],
  [open, '2026-12-31', undefined],
  [open, null, undefined],
])('%# %s', (field, value, words) => {
  expect(choiceWords(field, value, (key) => key)).toBe(words)
})
