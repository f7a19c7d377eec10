import { describe, expect, it } from 'vitest'
import type { Layout } from '#api/view.ts'
import { moveColumn, nudgeColumn } from '#client/table/layout.ts'

const layout: Layout = [{ name: 'code', pin: 'left' }, { name: 'date' }, { name: 'customer' }, { name: 'total', pin: 'right' }]
const words = (columns: Layout) => columns.map(({ name, pin }) => (pin === undefined ? name : `${name} ${pin}`))

describe('a column moved among pinned ones', () => {
  it('is pinned beside or outside of them, and free between the others', () => {
    expect(words(moveColumn(layout, 'customer', 'code'))).toEqual(['customer left', 'code left', 'date', 'total right'])
    expect(words(moveColumn(layout, 'date', undefined))).toEqual(['code left', 'customer', 'total right', 'date right'])
    expect(words(moveColumn(layout, 'code', 'customer'))).toEqual(['date', 'code', 'customer', 'total right'])
  })

  it('stays what it is at the border to the rest', () => {
    expect(words(moveColumn(layout, 'customer', 'date'))).toEqual(['code left', 'customer', 'date', 'total right'])
    expect(words(moveColumn(layout, 'customer', 'total'))).toEqual(['code left', 'date', 'customer', 'total right'])
  })

  it('takes the side of the neighbour it steps over', () => {
    expect(words(nudgeColumn(layout, 'date', -1))).toEqual(['date left', 'code left', 'customer', 'total right'])
  })
})
