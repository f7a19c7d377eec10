import { describe, expect, it } from 'vitest'
import { cut } from '../../scripts/lib/cut.mjs'

describe('work cut into parts', () => {
  const pieces = { approvals: 12, forms: 78, lists: 114, masters: 60, orders: 40, reports: 42, screens: 300, signIn: 42, wrongInput: 120 }

  it('keeps its order, loses nothing, and its parts are about as long', () => {
    const parts = cut(pieces, 2)
    expect(parts).toEqual([['approvals', 'forms', 'lists', 'masters', 'orders', 'reports'], ['screens', 'signIn', 'wrongInput']])
    expect(parts.map((names) => names.reduce((sum, name) => sum + Number(Reflect.get(pieces, name)), 0))).toEqual([346, 462])
  })

  it('is whole when there is one part', () => {
    expect(cut(pieces, 1)).toEqual([Object.keys(pieces)])
  })

  it('leaves a part empty rather than to cut a piece', () => {
    expect(cut({ all: 100 }, 2).flat()).toEqual(['all'])
  })
})
