import { expect, it, vi } from 'vitest'
import { GridKeys, type GridActions } from '#client/grid/gridKeys.ts'
import { LineStore } from '#client/grid/lineStore.ts'
import { orderColumns as columns } from './lineColumns.ts'
import type { KeyboardEvent } from 'react'

function stage(col: number) {
  const store = new LineStore(columns, 100, [{ ItemID: 1, ItemCode: 'A', ItemName: 'Item A', Qty: '5', Uom: 'CTN' }])
  store.moveTo(0, col)
  const keys = new GridKeys(store)
  const selectLines = vi.fn<GridActions['selectLines']>()
  const actions = { readOnly: false, page: () => 1, move: store.moveTo.bind(store), nextEntry: () => undefined, startEditing: () => undefined, selectLines, addLine: () => undefined, removeLines: () => undefined }
  /** Is the key kept from the box that has the keyboard? */
  const press = (key: string, more: Partial<KeyboardEvent> = {}): boolean => {
    const preventDefault = vi.fn<() => void>()
    keys.press({ key, preventDefault, ...more } as unknown as KeyboardEvent, actions)
    return preventDefault.mock.calls.length > 0
  }
  return { store, press, selectLines }
}

it('a blank opens no cell and stands in none, so that what is typed after it is whole; with Shift it selects the line', () => {
  for (const col of [0, 1, 2]) {
    const { store, press, selectLines } = stage(col)
    const before = store.rows
    expect([press(' '), store.editing, store.rows]).toEqual([true, undefined, before])
    expect([press(' ', { shiftKey: true }), store.editing, selectLines.mock.calls]).toEqual([true, undefined, [[0, true]]])
  }
  const { store, press } = stage(1)
  press(' ')
  press('1')
  expect(store.editing).toEqual({ start: '1' })
})
