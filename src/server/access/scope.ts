import type { Metadata } from '#meta/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Row, User } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'

/**
 * The rows of an entity that a user may see and touch, as an SQL condition over `alias`; undefined when that is all of them. Every read
 * and every lock for writing adds it: this is the one place where territories and operating units are enforced.
 */
export function scopeCondition(metadata: Metadata, user: User, entity: ResolvedEntity, alias: string): Sql | undefined {
  const owner = Object.hasOwn(personal, entity.id) ? personal[entity.id] : undefined
  if (owner !== undefined) return sql`${trusted(alias)}.${ident(owner)} = ${user.id}`
  if (user.territories === 'all' && user.operatingUnits === 'all') return undefined
  return conditionOf(metadata, user, planOf(metadata, entity), alias, 0)
}

/** Rows that belong to one person, whatever his role: column that names him. */
const personal: Readonly<Record<string, string>> = { starred_page: 'user_id' }

/** Are the rows of this entity the user's own, needing no permission? */
export function isPersonal(entity: ResolvedEntity): boolean {
  return Object.hasOwn(personal, entity.id)
}

/** Scope over columns named directly: datasets and queries that belong to no entity. */
export function columnScope(user: User, columns: { readonly operating_unit?: string; readonly territory?: string }, alias?: string): Sql | undefined {
  const column = (name: string): Sql => (alias === undefined ? ident(name) : sql`${trusted(alias)}.${ident(name)}`)
  const tests: Sql[] = []
  if (columns.territory !== undefined && user.territories !== 'all') tests.push(within(column(columns.territory), user.territories))
  if (columns.operating_unit !== undefined && user.operatingUnits !== 'all') tests.push(within(column(columns.operating_unit), user.operatingUnits))
  return tests.length === 0 ? undefined : join(tests, ' and ')
}

/** May the user see this row of the entity, as far as its own columns tell? False also where only the database can say. */
export function isWithin(user: User, entity: ResolvedEntity, row: Row): boolean {
  const { operating_unit: unit, territory } = entity.scope
  if (isPersonal(entity) || (unit === undefined && territory === undefined)) return false
  const isIn = (ids: 'all' | readonly number[], value: unknown): boolean => ids === 'all' || value === null || value === undefined || (typeof value === 'number' && ids.includes(value))
  return (territory === undefined || isIn(user.territories, row[territory])) && (unit === undefined || isIn(user.operatingUnits, row[unit]))
}

/** A row that belongs to no territory or unit (company-wide settings, vendor documents) is visible to everybody who may open the list. */
function within(column: Sql, ids: readonly number[]): Sql {
  return sql`(${column} = any(${[...ids]}::bigint[]) or ${column} is null)`
}

/** How the scope of an entity is found: its own columns, the record it belongs to, or not at all. */
type ScopePlan =
  | { readonly kind: 'free' }
  | { readonly kind: 'columns'; readonly operating_unit?: string; readonly territory?: string }
  | { readonly kind: 'through'; readonly column: string; readonly isRequired: boolean; readonly table: string; readonly next: ScopePlan }

const plans = new WeakMap<ResolvedEntity, ScopePlan>()

function planOf(metadata: Metadata, entity: ResolvedEntity, path: readonly string[] = []): ScopePlan {
  const known = plans.get(entity)
  if (known) return known
  const plan = findPlan(metadata, entity, [...path, entity.id])
  if (path.length === 0) plans.set(entity, plan)
  return plan
}

function findPlan(metadata: Metadata, entity: ResolvedEntity, path: readonly string[]): ScopePlan {
  if (entity.scope.operating_unit !== undefined || entity.scope.territory !== undefined) return { kind: 'columns', ...entity.scope }
  const through = (column: string | undefined, isRequired = true): ScopePlan | undefined => {
    const field = entity.fields.find((candidate) => candidate.name === column)
    const target = field?.entity === undefined || path.includes(field.entity) ? undefined : metadata.entities[field.entity]
    if (!field || !target) return undefined
    const next = planOf(metadata, target, path)
    return next.kind === 'free' ? undefined : { kind: 'through', column: field.name, isRequired: isRequired && !field.nullable, table: target.table, next }
  }
  if (entity.parent !== undefined) return through(`${entity.parent}_id`) ?? { kind: 'free' }
  if (entity.owner !== undefined) return through(entity.owner) ?? { kind: 'free' }
  // An entity that says nothing is scoped by the first record it cannot be without, else by its customer, so that nothing is open by oversight.
  const columns = entity.fields.filter((field) => field.type === 'ref' && !field.nullable).map((field) => field.name)
  for (const column of columns) {
    const plan = through(column)
    if (plan) return plan
  }
  return through('customer_id', false) ?? { kind: 'free' }
}

function conditionOf(metadata: Metadata, user: User, plan: ScopePlan, alias: string, depth: number): Sql | undefined {
  switch (plan.kind) {
    case 'free':
      return undefined
    case 'columns':
      return columnScope(user, plan, alias)
    case 'through': {
      const inner = `scope${depth}`
      const condition = conditionOf(metadata, user, plan.next, inner, depth + 1)
      if (!condition) return undefined
      const column = sql`${trusted(alias)}.${ident(plan.column)}`
      const exists = sql`exists (select 1 from ${ident(plan.table)} ${trusted(inner)} where ${trusted(inner)}.id = ${column} and ${condition})`
      return plan.isRequired ? exists : sql`(${column} is null or ${exists})`
    }
  }
}
