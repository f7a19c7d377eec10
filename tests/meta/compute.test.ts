import { describe, expect, it } from 'vitest'
import { columnsIn, computed, depthOf, type Compute } from '#meta/compute.ts'

const values: Readonly<Record<string, unknown>> = { qty: '3', price: '10.3333', rate: 11, nothing: null, text: 'x', zero: '0' }
const worth = (compute: Compute, places = 2) => computed(compute, (name) => values[name], places)

describe('a computed field', () => {
  it('is exact and rounded half away from zero', () => {
    expect(worth({ mul: ['qty', 'price'] })).toBe('31.00')
    expect(worth({ mul: ['qty', 'price'] }, 4)).toBe('30.9999')
    expect(worth({ div: [{ mul: ['qty', 'rate'] }, 100] })).toBe('0.33')
    expect(worth({ sub: [10, 'qty', 1] }, 0)).toBe('6')
    expect(worth({ div: [{ sub: ['zero', 1] }, 8] })).toBe('-0.13')
    expect([worth({ min: ['qty', 'rate', 5] }, 0), worth({ max: ['qty', 'rate', 5] }, 0)]).toEqual(['3', '11'])
  })

  it('has no value where a part has none, unless something stands in for it', () => {
    expect([worth({ add: ['qty', 'nothing'] }), worth({ mul: ['qty', 'text'] }), worth({ div: ['qty', 'zero'] })]).toEqual([null, null, null])
    expect(worth({ add: ['qty', { coalesce: ['nothing', 0] }] })).toBe('3.00')
  })

  it('says what it reads and how deep it is', () => {
    const compute: Compute = { mul: ['qty', { add: ['price', { coalesce: ['nothing', 0] }] }] }
    expect([columnsIn(compute), depthOf(compute)]).toEqual([['qty', 'price', 'nothing'], 3])
  })
})
