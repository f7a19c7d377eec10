import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Condition } from '#meta/condition.ts'
import { holds, type Surroundings } from '#meta/evaluate.ts'

const around: Surroundings = { user: { operating_unit_id: 3 }, today: '2026-03-18', params: { id: 7 } }
const yes = (condition: Condition, record: Record<string, unknown>) => expect(holds(condition, record, around)).toBe(true)
const no = (condition: Condition, record: Record<string, unknown>) => expect(holds(condition, record, around)).toBe(false)

describe('a test', () => {
  it('compares amounts as amounts and codes as codes', () => {
    yes({ total: '100' }, { total: '100.00' })
    yes({ total: { gt: '9.5' } }, { total: '100.00' })
    no({ total: { lt: '9.5' } }, { total: '100.00' })
    no({ code: '012' }, { code: '12' })
    yes({ total: { gt: 0 } }, { total: '0.01' })
  })

  it('reads the record, the user, the day and the path', () => {
    yes({ operating_unit_id: { user: 'operating_unit_id' } }, { operating_unit_id: 3 })
    yes({ due_date: { lt: { now: 'date' } } }, { due_date: '2026-03-17' })
    yes({ customer_id: { param: 'id' } }, { customer_id: 7 })
    yes({ paid: { le: { field: 'total' } } }, { paid: '5.00', total: '5.00' })
    no({ paid: { le: { field: 'limit' } } }, { paid: '5.00', limit: null })
  })

  it('holds a list against several values: any of them, none of them', () => {
    yes({ codes: { in: ['A', 'B'] } }, { codes: ['X', 'B'] })
    no({ codes: { in: ['A', 'B'] } }, { codes: ['X'] })
    yes({ codes: { nin: ['A', 'B'] } }, { codes: ['X'] })
    yes({ codes: { nin: ['A', 'B'] } }, { codes: [] })
    no({ codes: { nin: ['A', 'B'] } }, { codes: ['A', 'X'] })
  })

  it('knows periods', () => {
    yes({ d: { within: 'thisWeek' } }, { d: '2026-03-16' })
    no({ d: { within: 'thisWeek' } }, { d: '2026-03-15' })
    yes({ d: { within: 'lastMonth' } }, { d: '2026-02-28' })
    yes({ d: { within: 'last:7d' } }, { d: '2026-03-12' })
    no({ d: { within: 'last:7d' } }, { d: '2026-03-11' })
    yes({ d: { within: 'today' } }, { d: '2026-03-17T18:00:00.000Z' })
    yes({ d: { within: 'thisQuarter' } }, { d: '2026-01-01' })
  })

  it('never takes one type for another', () => {
    no({ n: 1 }, { n: '1' })
    no({ flag: true }, { flag: 'true' })
    no({ text: { gt: 'a' } }, { text: 'b' })
  })
})

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant('12.50'), fc.constant('2026-01-31'))
const operators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains', 'startsWith'] as const

describe('conditions', () => {
  it('are false for an absent value, whatever the operator', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operators), value, fc.constantFrom(null, undefined, ''), (operator, operand, absent) => {
        no({ f: { [operator]: operand } }, { f: absent })
        no({ f: operand }, { f: absent })
        no({ f: { in: [operand] } }, { f: absent })
        no({ f: { nin: [operand] } }, { f: absent })
      }),
    )
  })

  it('split every present amount into below, equal and above', () => {
    const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2))
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const results = (['lt', 'eq', 'gt'] as const).map((operator) => holds({ f: { [operator]: b } }, { f: a }, around))
        expect(results.filter(Boolean)).toHaveLength(1)
        expect(holds({ f: { between: [b, b] } }, { f: a }, around)).toBe(results[1])
      }),
    )
  })

  it('obey De Morgan', () => {
    const test = fc.record({ f: value }).map((part): Condition => part as Condition)
    fc.assert(
      fc.property(test, test, value, (a, b, f) => {
        const not = (condition: Condition): Condition => ({ not: condition })
        expect(holds(not({ all: [a, b] }), { f }, around)).toBe(holds({ any: [not(a), not(b)] }, { f }, around))
        expect(holds(not({ any: [a, b] }), { f }, around)).toBe(holds({ all: [not(a), not(b)] }, { f }, around))
      }),
    )
  })
})
