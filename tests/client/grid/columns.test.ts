import { expect, it } from 'vitest'
import { roomOf } from '#client/grid/useGridColumns.ts'

const width = (text: string) => text.length * 10

it('columns give their figures the room they need, take it back when those are shorter, and stay where nothing changes', () => {
  const wide = roomOf({ Total: '1,234,567.00', Qty: '1' }, width, {})
  expect(wide).toEqual({ Total: 120, Qty: 10 })
  expect(roomOf({ Total: '9,999,999.00', Qty: '2' }, width, wide)).toBe(wide)
  const narrow = roomOf({ Total: '1.00', Qty: '10' }, width, wide)
  expect(narrow).toEqual({ Total: 40, Qty: 20 })
  expect(roomOf({ Total: '22.00', Qty: '1' }, width, narrow)).toEqual({ Total: 50, Qty: 10 })
})
