import { expect, it } from 'vitest'
import { unusualOf } from '#meta/unusual.ts'

const price = { wire: 'Price', usually: 'ListPrice' }

it.each([
  ['another price', { Price: '2500', ListPrice: '120000.0000' }, '120000.0000'],
  ['the same price, typed shorter', { Price: '120000', ListPrice: '120000.0000' }, undefined],
  ['nothing to measure it by', { Price: '2500', ListPrice: null }, undefined],
  ['nothing typed', { Price: null, ListPrice: '120000.0000' }, undefined],
  ['what is no number', { Price: '2.500,-', ListPrice: '120000.0000' }, undefined],
] as const)('%s', (_, record, expected) => {
  expect(unusualOf(price, record)).toBe(expected)
})

it('a field that is measured by nothing is never unusual', () => {
  expect(unusualOf({ wire: 'Price' }, { Price: '1', ListPrice: '2' })).toBeUndefined()
})
