import { expect, test } from 'vitest'
import { sayTogether } from '#client/report/sayLayout.ts'

test('a report that has only its name says how it is put together after a colon; one with a sentence goes on', () => {
  expect(sayTogether('Brand sales', 'Grouped by Brand.')).toBe('Brand sales: Grouped by Brand.')
  expect(sayTogether('Lines posted today.', 'Grouped by Brand.')).toBe('Lines posted today. Grouped by Brand.')
  expect(sayTogether('今天过账的行。', '按品牌分组。')).toBe('今天过账的行。 按品牌分组。')
  expect(sayTogether('Brand sales', '')).toBe('Brand sales')
})
