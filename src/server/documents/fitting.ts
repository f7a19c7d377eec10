import type { Condition } from '#meta/condition.ts'
import type { FirstFitting, ResolvedEntity } from '#meta/resolved.ts'
import type { CommandContext } from '#server/context.ts'
import { ident, join, sql, trusted } from '#server/db/sql.ts'
import { conditionSql, type ConditionScope } from './conditionSql.ts'
import { fieldMap, knownEntity } from './entities.ts'
import { readersOf, type Reached, type Reader } from './reach.ts'

/** What conditions on records of an entity may name, for the server itself: `alias` is what its table is called. */
export function scopeOf({ user, today }: Pick<CommandContext, 'user' | 'today'>, entity: ResolvedEntity, alias: string): ConditionScope {
  return {
    column: (column) => {
      const field = fieldMap(entity).get(column)
      return field === undefined ? undefined : { field, value: sql`${trusted(alias)}.${ident(column)}` }
    },
    user: (fact) => (fact === 'id' ? user.id : undefined),
    today,
  }
}

/** The condition with the values of a record in place of its fields; null where one of them is not there yet. Of an `any`, what is not there yet is left out. */
export function filled(condition: Condition, read: Reader): Condition | null {
  if ('all' in condition && Array.isArray(condition.all)) {
    const parts = condition.all.map((part) => filled(part, read))
    return parts.some((part) => part === null) ? null : { all: parts.filter((part) => part !== null) }
  }
  if ('any' in condition && Array.isArray(condition.any)) {
    const parts = condition.any.map((part) => filled(part, read)).filter((part) => part !== null)
    return parts.length === 0 ? null : { any: parts }
  }
  let isWhole = true
  const text = JSON.stringify(condition, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('field' in part) || typeof part.field !== 'string') return part
    const value = read(part.field)
    if (value === null || value === undefined) isWhole = false
    return value ?? null
  })
  return isWhole ? (JSON.parse(text) as Condition) : null
}

/** Fields a condition compares with. */
export function operandsOf(condition: Condition | undefined): readonly string[] {
  return condition === undefined ? [] : [...JSON.stringify(condition).matchAll(/\{"field":"([^"]+)"\}/g)].map((match) => match[1] ?? '')
}

/** The first record that fits beside this one, as `first` of what is made says; null where none does. */
export async function firstFitting(context: Pick<CommandContext, 'tx' | 'metadata' | 'user' | 'today'>, { first, where, order }: FirstFitting, record: Reached): Promise<number | null> {
  const entity = knownEntity(context.metadata, first)
  const [read] = await readersOf(context, [record], operandsOf(where))
  const bound = read === undefined ? null : filled(where, read)
  if (bound === null) return null
  const sorted = [...order, 'id'].map((name) => sql`t.${ident(name)} nulls last`)
  const found = await context.tx.first<{ id: number }>(sql`select t.id from ${ident(entity.table)} t where ${conditionSql(bound, scopeOf(context, entity, 't'))} order by ${join(sorted)} limit 1`)
  return found?.id ?? null
}
