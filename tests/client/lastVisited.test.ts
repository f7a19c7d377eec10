import { expect, test } from 'vitest'
import { lastVisited } from '#client/table/lastVisited.ts'

test('as many places are remembered as anybody goes back, those touched last', () => {
  const places = lastVisited<number>()
  places.set('first', 1)
  places.set('second', 2)
  for (let i = 0; i < 98; i++) places.set(`place ${i}`, i)
  places.set('first', 3)
  places.set('one more', 4)
  expect([places.get('first'), places.get('second'), places.get('one more')]).toEqual([3, undefined, 4])
})
