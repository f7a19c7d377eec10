import { describe, expect, it } from 'vitest'
import { screenNamed, suggestion } from '../../scripts/explain.ts'
import { readSchemaFiles, sourcesOf } from '../../scripts/schemas/readSources.ts'
import { resolve } from '../../src/meta/resolve.ts'

const { metadata } = resolve(sourcesOf(readSchemaFiles()).sources)

describe('the screen npm run explain is asked for', () => {
  it.each([
    ['its id', 'sales-order.list', 'sales-order.list'],
    ['the address it is shown under', '/sales-order-list', 'sales-order.list'],
    ['the address without its stroke', 'sales-order-list', 'sales-order.list'],
    ['an address with a record', '/sales-order-list/{id}', 'sales-order.detail'],
    ['the address of a record', '/sales-order-list/12', 'sales-order.detail'],
    ['an address as it stands in the browser', 'http://localhost:4000/sales-order-list/12?tab=lines', 'sales-order.detail'],
    ['the noun of a single screen', 'ar-aging', 'ar-aging.report'],
  ])('%s', (_, said, id) => {
    expect(screenNamed(said, metadata)).toBe(id)
  })

  it('a noun of several screens names them, a misspelt id the one it resembles', () => {
    expect(screenNamed('payment-term', metadata)).toBe('payment-term')
    expect(suggestion('payment-term', metadata)).toBe('; there are payment-term.form, payment-term.list, payment-term.list-import')
    expect(suggestion('sales-order.lst', metadata)).toBe(', did you mean "sales-order.list"?')
    expect(suggestion('sales-ordr', metadata)).toBe(', did you mean "sales-order"?')
  })
})
