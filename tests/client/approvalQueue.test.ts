import { describe, expect, it } from 'vitest'
import { decidedByKey, firstOf, nextAfter } from '#client/approval/queue.ts'

/** `1 2! 3`: requests by number, those marked are another person's to decide. */
const queue = (text: string) => text.split(' ').filter(Boolean).map((part) => ({ ID: Number.parseInt(part, 10), CanDecide: !part.endsWith('!') }))
const decide = (text: string, shown: number, ids: readonly number[]): number | undefined => {
  const rows = queue(text)
  const row = rows.find(({ ID }) => ID === shown)
  return row === undefined ? undefined : nextAfter(rows, row, ids)?.ID
}

describe('the approval queue', () => {
  it.each([
    ['1 2 3', 1],
    ['1! 2 3', 2],
    ['1! 2!', 1],
    ['', undefined],
  ] as const)('%s opens with %s', (text, id) => {
    expect(firstOf(queue(text))?.ID).toBe(id)
  })

  it.each([
    ['the next one', '1 2 3', 1, [1], 2],
    ['the next one that is mine', '1 2! 3', 1, [1], 3],
    ['from the top again, after the last', '1! 2 3', 3, [3], 2],
    ['past those decided together', '1 2 3 4', 2, [2, 3], 4],
    ['another one all the same, where none is mine', '1! 2 3!', 2, [2], 3],
    ['nothing after the only one', '1', 1, [1], undefined],
  ] as const)('after a decision opens %s', (_, text, shown, ids, expected) => {
    expect(decide(text, shown, ids)).toBe(expected)
  })

  it.each([
    ['what is picked, wherever the cursor stands', '1 2', '3', [1, 2]],
    ['the request shown, where nothing is picked', '', '3', [3]],
    ['nothing, where nothing is picked and the one shown is another person’s', '', '3!', []],
    ['nothing, where nothing is shown', '', '', []],
  ] as const)('a key decides %s', (_, picked, shown, expected) => {
    expect(decidedByKey(queue(picked), queue(shown)[0]).map(({ ID }) => ID)).toEqual(expected)
  })
})
