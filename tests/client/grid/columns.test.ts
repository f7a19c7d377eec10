import { expect, it } from 'vitest'
import { bandsOf } from '#client/grid/CursorLayer.tsx'
import { roomOf, stack } from '#client/grid/useGridColumns.ts'
import { orderColumns } from './lineColumns.ts'

const width = (text: string) => text.length * 10

it('columns give their figures the room they need, take it back when those are shorter, and stay where nothing changes', () => {
  const wide = roomOf({ Total: '1,234,567.00', Qty: '1' }, width, {})
  expect(wide).toEqual({ Total: 120, Qty: 10 })
  expect(roomOf({ Total: '9,999,999.00', Qty: '2' }, width, wide)).toBe(wide)
  const narrow = roomOf({ Total: '1.00', Qty: '10' }, width, wide)
  expect(narrow).toEqual({ Total: 40, Qty: 20 })
  expect(roomOf({ Total: '22.00', Qty: '1' }, width, narrow)).toEqual({ Total: 50, Qty: 10 })
})

it('on a phone the cells of a line stand under one another, none of them cut or behind the edge', () => {
  const places = stack(orderColumns, { Total: 130 }, 332)
  expect(places.map(({ column, top }) => [column.wire, top])).toEqual([['ItemID', 0], ['Qty', 42], ['Uom', 42], ['Price', 42], ['Total', 84]])
  expect(places.filter(({ left, width }) => left < 28 || left + width > 332.5 || width < 90)).toEqual([])
  expect(places.filter(({ column }) => column.wire === 'ItemID' || column.wire === 'Total').map(({ left, width }) => [left, width])).toEqual([[28, 304], [28, 304]])
})

it('what is selected on a phone is marked cell by cell: those beside one another together, those under one another by themselves', () => {
  const places = stack(orderColumns, { Total: 130 }, 332)
  expect(bandsOf(places.slice(1, 3)).map(({ top, height }) => [top, height])).toEqual([[42, 42]])
  const [item, figures] = bandsOf(places.slice(0, 3))
  expect(item).toMatchObject({ left: 28, top: 0, width: 304, height: 42 })
  expect(figures?.top).toBe(42)
  expect(figures?.width).toBeLessThan(304)
})
