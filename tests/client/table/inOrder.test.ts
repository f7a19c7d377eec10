import { expect, test } from 'vitest'
import { inOrder } from '#client/table/inOrder.ts'

test.each([
  [['100', '20.5'], ['20.5', '100']],
  [['20.5', '100'], ['20.5', '100']],
  [['-1', '-20'], ['-20', '-1']],
  [['2026-11-20', '2026-02-03'], ['2026-02-03', '2026-11-20']],
  [['202611', '202602'], ['202602', '202611']],
])('a range from %s stands as %s', (value, put) => {
  expect(inOrder({ field: 'total', op: 'between', value })).toEqual({ field: 'total', op: 'between', value: put })
})

test('what is no range stays as it is', () => {
  const filter = { field: 'status', op: 'in', value: [3, 1] } as const
  expect(inOrder(filter)).toBe(filter)
})
