import { describe, expect, it } from 'vitest'
import { mapHeads } from '#domain/importing/mapping.ts'

const columns = [
  { name: 'PriceSet', names: ['Price set code', 'Kode set harga'], otherwise: ['Price set', 'Set harga'] },
  { name: 'SKU', names: ['Item', 'Item code'], otherwise: ['Item'] },
  { name: 'Price', names: ['Harga'] },
]
const mapped = (...heads: readonly string[]) => mapHeads(heads, columns, new Map())

describe('heads of a file', () => {
  it('fill the columns whose names they are, however they are written; each once', () => {
    expect(mapped('price_set', 'sku', 'HARGA', 'Price', 'Note')).toEqual(['PriceSet', 'SKU', 'Price', null, null])
  })

  it('an exported reference fills its column by its code, though its name stands first and is called like the column', () => {
    expect(mapped('Price set', 'Price set code', 'Item', 'Item code', 'Price')).toEqual([null, 'PriceSet', null, 'SKU', 'Price'])
    expect(mapped('Item', 'Set harga')).toEqual(['SKU', 'PriceSet'])
  })

  it('what was chosen before goes first', () => {
    expect(mapHeads(['Item code', 'Mine'], columns, new Map([['mine', 'SKU'], ['itemcode', null]]))).toEqual([null, 'SKU'])
  })
})
