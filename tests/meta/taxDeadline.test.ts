import { expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import type { DateText } from '#base/date.ts'
import { holds } from '#meta/evaluate.ts'

const screen = metadata.screens['tax-invoice-period.list']

it.each([
  ['2026-12-14', 'OPEN', undefined],
  ['2026-12-15', 'OPEN', 'warning'],
  ['2026-12-20', 'OPEN', 'warning'],
  ['2026-12-21', 'OPEN', 'negative'],
  ['2026-12-21', 'CLOSED', undefined],
] as const)('on %s the tax month due on 20 December that is %s looks %s: asked for from the 15th, late after the 20th', (today: DateText, status, tone) => {
  const around = { user: {}, params: {}, today }
  const row = { period: '202611', deadline: '2026-12-20', status, is_active: true }
  if (screen?.kind !== 'list') throw new Error('There is no such list')
  expect(screen.emphasis.find(({ when }) => holds(when, row, around))?.tone).toBe(tone)
})
