import { describe, expect, it } from 'vitest'
import { adjusted, percentOf, pointsOf } from '#client/form/adjust.ts'

const row = (key: string, values: object, fixed = false) => ({ key, values: { ...values }, problems: {}, fixed })
const of = { field: 'Value', of: 'OldValue', by: 'percent' } as const
const move = (by: string, unit: string, only?: ReadonlySet<string>) => ({ by, unit, isMeant: ({ key }: { readonly key: string }) => only?.has(key) ?? true })

describe('a percentage as typed', () => {
  it('is read with comma, sign and percent sign', () => expect(['5', ' +3,5 % ', '-2.25', '1000'].map(percentOf)).toEqual(['5', '3.5', '-2.25', '1000']))
  it('is refused when it is none, nothing, or takes everything away', () => expect(['', 'five', '0', '-100', '-250', '1000.01', '1e3', '5.12345'].map(percentOf)).toEqual(Array(8).fill(undefined)))
})

describe('adjusting lines', () => {
  it('moves the value by a percentage of what stood before, to whole units, half up', () => {
    const { rows, count } = adjusted([row('a', { OldValue: '118000.0000', Value: '1' }), row('b', { OldValue: '1250.5000' }), row('c', { OldValue: '100', Value: '100' })], of, move('2.5', '50'))
    expect(rows.map(({ values }) => (values as { Value: string }).Value)).toEqual(['120950', '1300', '100'])
    expect(count).toBe(3)
  })
  it('takes new rows by their own value, and leaves rows without one, fixed ones and those not selected', () => {
    const before = [row('a', { Value: '200' }), row('b', {}), row('c', { OldValue: '100' }, true), row('d', { OldValue: '100', Value: '7' })]
    const { rows, count } = adjusted(before, of, move('-10', '1', new Set(['a', 'b', 'c'])))
    expect(count).toBe(1)
    expect(rows[0]?.values).toEqual({ Value: '180' })
    expect(rows.slice(1)).toEqual(before.slice(1))
  })
  it('that finds nothing changes nothing: no step to undo', () => {
    const before = [row('a', {})]
    expect(adjusted(before, of, move('5', '1')).rows).toBe(before)
  })
  it('is exact: a third time ten percent of a cent is no float', () => {
    expect(adjusted([row('a', { OldValue: '0.1' })], of, move('200', '0.01')).rows[0]?.values).toEqual({ OldValue: '0.1', Value: expect.stringMatching(/^0\.30*$/) })
  })
  it('by points adds to what stood before', () => {
    const before = [row('a', { OldValue: '3.0000' }), row('b', { OldValue: '2.25', Value: '9' }), row('c', { OldValue: '1' })]
    const { rows, count } = adjusted(before, { ...of, by: 'points' }, move('-0.5', '0.01', new Set(['a', 'b'])))
    expect([count, ...rows.map(({ values }) => (values as { Value?: string }).Value)]).toEqual([2, '2.5', '1.75', undefined])
  })
})

describe('points as typed', () => {
  it('are read with sign and comma, and refused when they are none', () => expect(['0,5', '+2', '-1.25', '0', '101', 'x', '1 %'].map(pointsOf)).toEqual(['0.5', '2', '-1.25', undefined, undefined, undefined, undefined]))
})
