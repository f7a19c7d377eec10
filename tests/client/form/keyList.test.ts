import { expect, it } from 'vitest'
import { keptKeys, laidOver, sorted } from '#client/form/widgets/keyList.ts'

it('does what was ticked and unticked to the keys as others left them', () => {
  expect(laidOver([1, 2, 3], [1, 3, 4], [2, 3, 5])).toEqual([3, 5, 4])
  expect(laidOver([1, 2], [1, 2], [2, 9])).toEqual([2, 9])
  expect(laidOver([1], [1, 4], [1, 4])).toEqual([1, 4])
})

it('reads a draft with what it started from, and those kept without', () => {
  const isNumber = (value: unknown): value is number => typeof value === 'number'
  expect(keptKeys({ held: [1, 'x'], from: [2] }, isNumber)).toEqual({ held: [1], from: [2] })
  expect(keptKeys([1, 'x'], isNumber)).toEqual({ held: [1] })
  expect([keptKeys(undefined, isNumber), keptKeys({ held: 1 }, isNumber)]).toEqual([undefined, undefined])
})

it('names every key once, in one order', () => {
  expect([sorted([3, 1, 3]), sorted(['b', 'a'])]).toEqual([[1, 3], ['a', 'b']])
})
