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

/**
 * Which lines of a record that is seen are seen as well, over `alias`: those of the user's territories, as far as lines bear one or say what
 * bounds them. Undefined: all of them.
 */
export function lineCondition(metadata: Metadata, user: User, line: ResolvedEntity, alias: string): Sql | undefined {
  const plan = user.territories === 'all' && user.operatingUnits === 'all' ? undefined : linePlan(metadata, line)
  return plan && conditionOf(metadata, user, plan, alias, 0)
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
export function isWithin(metadata: Metadata, user: User, entity: ResolvedEntity, row: Row): boolean {
  const plan = planOf(metadata, entity)
  if (isPersonal(entity) || plan.kind !== 'columns') return false
  const { operating_unit: unit, territory } = plan
  const isIn = (ids: 'all' | readonly number[], value: unknown): boolean => ids === 'all' || value === null || value === undefined || (typeof value === 'number' && ids.includes(value))
  return (territory === undefined || isIn(user.territories, row[territory])) && (unit === undefined || isIn(user.operatingUnits, row[unit]))
}

/** A row that belongs to no territory or unit (company-wide settings, vendor documents) is visible to everybody who may open the list. */
function within(column: Sql, ids: readonly number[]): Sql {
  return sql`(${column} = any(${[...ids]}::bigint[]) or ${column} is null)`
}

/** How the scope of an entity is found: its own columns, records it belongs to, its lines, all of these, or not at all. */
type ScopePlan =
  | { readonly kind: 'free' }
  | ColumnsPlan
  | { readonly kind: 'through'; readonly column: string; readonly isRequired: boolean; readonly table: string; readonly next: ScopePlan }
  | { readonly kind: 'lines'; readonly table: string; readonly parent: string; readonly line: ScopePlan; readonly unless: string | undefined }
  | { readonly kind: 'all'; readonly parts: readonly ScopePlan[] }

interface ColumnsPlan {
  readonly kind: 'columns'
  readonly operating_unit?: string
  readonly territory?: string
}

const plans = new WeakMap<ResolvedEntity, ScopePlan>()

function planOf(metadata: Metadata, entity: ResolvedEntity, path: readonly string[] = []): ScopePlan {
  const known = plans.get(entity)
  if (known) return known
  const plan = findPlan(metadata, entity, [...path, entity.id])
  if (path.length === 0) plans.set(entity, plan)
  return plan
}

/**
 * A record has to pass all that bounds it: the columns its schema names, the record it belongs to, its territory and customer, and its lines.
 * An entity that says nothing is bounded by the first record it cannot be without, a view by every record it names, so that nothing is open
 * by oversight. What an entity says in its `bounds` counts in place of what it refers to.
 */
function findPlan(metadata: Metadata, entity: ResolvedEntity, path: readonly string[]): ScopePlan {
  const through = (column: string, isRequired = true): readonly ScopePlan[] => {
    const field = entity.fields.find((candidate) => candidate.name === column)
    const target = field?.entity === undefined || path.includes(field.entity) ? undefined : metadata.entities[field.entity]
    if (!field || !target) return []
    const next = planOf(metadata, target, path)
    return next.kind === 'free' ? [] : [{ kind: 'through', column, isRequired: isRequired && !field.nullable, table: target.table, next }]
  }
  const declared = entity.scope.operating_unit !== undefined || entity.scope.territory !== undefined
  const belongsTo = entity.parent === undefined ? entity.owner : `${entity.parent}_id`
  const references = entity.fields.filter((field) => field.type === 'ref')
  const parts: ScopePlan[] = declared ? [{ kind: 'columns', ...entity.scope }] : []
  if (entity.bounds !== undefined) return allOf([...parts, ...boundsOf(metadata, entity, path, through)])
  if (belongsTo !== undefined) parts.push(...through(belongsTo))
  else if (!declared && entity.base === 'view') parts.push(...references.flatMap(({ name }) => through(name, false)))
  else if (!declared) parts.push(...references.filter((field) => !field.nullable).flatMap(({ name }) => through(name)).slice(0, 1))
  if (entity.scope.territory === undefined && entity.base !== 'view') {
    const territory = territoryOf(entity)
    if (territory) parts.push(territory)
    if (!parts.some((part) => part.kind === 'through' && part.column === 'customer_id')) parts.push(...through('customer_id', false))
  }
  if (entity.base !== 'view') parts.push(...linesOf(metadata, entity))
  return allOf(parts)
}

function allOf(parts: readonly ScopePlan[]): ScopePlan {
  const [first = { kind: 'free' }] = parts
  return parts.length > 1 ? { kind: 'all', parts } : first
}

/** What an entity says bounds it, in place of what it refers to. */
function boundsOf(metadata: Metadata, { bounds }: ResolvedEntity, path: readonly string[], through: (column: string, isRequired?: boolean) => readonly ScopePlan[]): readonly ScopePlan[] {
  const view = bounds?.view === undefined ? undefined : metadata.entities[bounds.view]
  const next = view === undefined ? undefined : planOf(metadata, view, path)
  return [
    ...(bounds?.references ?? []).flatMap((name) => through(name, false)),
    ...(view === undefined || next === undefined || next.kind === 'free' ? [] : [{ kind: 'through' as const, column: 'id', isRequired: true, table: view.table, next }]),
  ]
}

/** Its own column of a territory, as far as it has one. */
function territoryOf(entity: ResolvedEntity): ColumnsPlan | undefined {
  const name = entity.scope.territory ?? entity.fields.find((field) => field.name === 'territory_id')?.name
  return name === undefined ? undefined : { kind: 'columns', territory: name }
}

/** A record without territory whose lines have one (a journal, a target, a tour) is seen by whoever sees one of its lines. */
function linesOf(metadata: Metadata, entity: ResolvedEntity): readonly ScopePlan[] {
  const own = territoryOf(entity)?.territory
  return Object.values(metadata.entities).flatMap((line): readonly ScopePlan[] => {
    // Where records have a territory themselves, only those that hold lines of several have none: such lines say what bounds them.
    const plan = line.parent === entity.id && (own === undefined || line.bounds !== undefined) ? linePlan(metadata, line) : undefined
    return plan ? [{ kind: 'lines', table: line.table, parent: `${entity.id}_id`, line: plan, unless: own }] : []
  })
}

/** What bounds a line beside the record it belongs to; undefined: nothing. */
function linePlan(metadata: Metadata, line: ResolvedEntity): ScopePlan | undefined {
  if (line.base !== 'line') return undefined
  return line.bounds === undefined ? territoryOf(line) : planOf(metadata, line)
}

function conditionOf(metadata: Metadata, user: User, plan: ScopePlan, alias: string, depth: number): Sql | undefined {
  const inner = trusted(`scope${depth}`)
  switch (plan.kind) {
    case 'free':
      return undefined
    case 'columns':
      return columnScope(user, plan, alias)
    case 'through': {
      const condition = conditionOf(metadata, user, plan.next, `scope${depth}`, depth + 1)
      if (!condition) return undefined
      const column = sql`${trusted(alias)}.${ident(plan.column)}`
      const exists = sql`exists (select 1 from ${ident(plan.table)} ${inner} where ${inner}.id = ${column} and ${condition})`
      return plan.isRequired ? exists : sql`(${column} is null or ${exists})`
    }
    case 'lines': {
      const condition = conditionOf(metadata, user, plan.line, `scope${depth}`, depth + 1)
      if (!condition) return undefined
      const lines = sql`select 1 from ${ident(plan.table)} ${inner} where ${inner}.${ident(plan.parent)} = ${trusted(alias)}.id`
      const unless = plan.unless === undefined ? sql`` : sql`${trusted(alias)}.${ident(plan.unless)} is not null or`
      return sql`(${unless} exists (${lines} and ${condition}) or not exists (${lines}))`
    }
    case 'all': {
      const conditions = plan.parts.flatMap((part) => conditionOf(metadata, user, part, alias, depth) ?? [])
      return conditions.length === 0 ? undefined : join(conditions, ' and ')
    }
  }
}
