import { PGlite } from '@electric-sql/pglite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Condition } from '#meta/condition.ts'
import { holds } from '#meta/evaluate.ts'
import type { Field, FieldType } from '#meta/resolved.ts'
import { sqlType } from '#server/documents/columns.ts'
import { conditionSql } from '#server/documents/conditionSql.ts'
import { compile, sql } from '#server/db/sql.ts'

/** One grammar, two readers: what the client shows as true the server's filter finds. */
const types: Readonly<Record<string, FieldType>> = { total: 'money', paid: 'money', n: 'integer', d: 'date', due: 'date', t: 'text', flag: 'boolean', at: 'datetime' }
const today = '2026-03-18'
const user = { operating_unit_id: 3 }

const money = fc.integer({ min: -300, max: 300 }).map((cents) => (cents / 100).toFixed(2))
const day = fc.integer({ min: -40, max: 40 }).map((days) => new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10))
const moment = fc.integer({ min: -2_000, max: 2_000 }).map((hours) => new Date(Date.parse(`${today}T00:00:00Z`) + hours * 3_60_000).toISOString())
const word = fc.constantFrom('alpha', 'Alpha', 'beta', 'alp', '100', '100%', 'a_b', 'ab')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })
const record = fc.record({
  total: maybe(money), paid: maybe(money), n: maybe(fc.integer({ min: 0, max: 5 })), d: maybe(day), due: maybe(day), t: maybe(word), flag: maybe(fc.boolean()), at: maybe(moment),
})

const ordering = (name: string, operand: fc.Arbitrary<unknown>) =>
  fc.oneof(
    operand.map((value) => ({ [name]: value })),
    fc.tuple(fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'), operand).map(([operator, value]) => ({ [name]: { [operator]: value } })),
    fc.tuple(operand, operand).map((values) => ({ [name]: { between: values } })),
    fc.tuple(fc.constantFrom('in', 'nin'), fc.array(operand, { minLength: 1, maxLength: 3 })).map(([operator, values]) => ({ [name]: { [operator]: values } })),
    fc.boolean().map((empty) => ({ [name]: { empty } })),
  )
const period = fc.constantFrom('today', 'yesterday', 'thisWeek', 'lastWeek', 'thisMonth', 'lastMonth', 'thisQuarter', 'thisYear', 'lastYear', 'last:7d', 'next:30d')
const test = fc.oneof(
  ordering('total', money),
  ordering('n', fc.integer({ min: 0, max: 5 })),
  ordering('d', day),
  fc.constantFrom('lt', 'le', 'gt', 'ge', 'eq', 'ne').map((operator) => ({ paid: { [operator]: { field: 'total' } } })),
  fc.constantFrom('lt', 'ge', 'eq').map((operator) => ({ due: { [operator]: { now: 'date' } } })),
  fc.constant({ n: { user: 'operating_unit_id' } }),
  fc.tuple(fc.constantFrom('d', 'at'), period).map(([name, within]) => ({ [name]: { within } })),
  fc.tuple(fc.constantFrom('contains', 'startsWith', 'eq', 'ne'), word).map(([operator, value]) => ({ t: { [operator]: value } })),
  fc.boolean().map((flag) => ({ flag })),
)
// Filters nested deeper than six groups are refused (`TOO_DEEP`), so none is drawn.
const deepest = 6
const { condition } = fc.letrec<{ condition: Condition; group: Condition }>((tie) => ({
  condition: fc.oneof({ depthSize: 'small', maxDepth: deepest }, test as fc.Arbitrary<Condition>, tie('group')),
  group: fc.oneof(
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}))

let database: PGlite
beforeAll(async () => {
  database = await PGlite.create()
})
afterAll(() => database.close())

it('a condition holds for a record exactly when the server filters it in', async () => {
  await fc.assert(
    fc.asyncProperty(record, condition, async (values, asked) => {
      const column = (name: string) => {
        const type = types[name]
        if (type === undefined) return undefined
        const field: Field = { name, wire: name, type, label: name, required: false, readOnly: false }
        return { field, value: sql`${(values as Record<string, unknown>)[name]}::${sqlType(type)}` }
      }
      const filter = conditionSql(asked, { column, user: (name) => (user as Record<string, number>)[name], today })
      const { text, values: parameters } = compile(sql`select coalesce(${filter}, false) as found`)
      const found = (await database.query<{ found: boolean }>(text, parameters)).rows[0]?.found
      expect(holds(asked, values, { user, today, params: {} })).toBe(found)
    }),
    { numRuns: 600 },
  )
}, 60_000)
