import type { FieldProblem } from '#api/problems.ts'
import type { EntityField, Field, ResolvedEntity } from '#meta/resolved.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Queries, Row, User } from '#server/context.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import type { ParsedRecord } from './parseRecord.ts'
import { ident, join, sql, trusted, unplanned } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { fieldMap, knownEntity } from './entities.ts'
import type { Written } from './hooks.ts'

interface Use {
  readonly field: string
  readonly id: number
}

const references = new WeakMap<ResolvedEntity, readonly (EntityField & { readonly entity: string })[]>()

/** Fields that name another record, but for files: they are asked for apart, who sent them counts. */
function referencesOf(entity: ResolvedEntity): readonly (EntityField & { readonly entity: string })[] {
  const known = references.get(entity) ?? entity.fields.filter((field): field is EntityField & { entity: string } => field.entity !== undefined && field.file === undefined)
  references.set(entity, known)
  return known
}

/** Records asked for, by entity and id; of those found, whether they are active. What is missing or out of the user's scope is not found. */
export interface AskedReferences {
  readonly ids: ReadonlyMap<string, ReadonlySet<number>>
  readonly found: Promise<ReadonlyMap<string, ReadonlyMap<number, boolean>>>
}

/** Asks early for the records a new one names. */
export function askReferences({ services, tx, user }: CommandRun, entity: ResolvedEntity, { columns, lines }: Pick<ParsedRecord, 'columns' | 'lines'>): AskedReferences {
  return ask({ services, tx, user }, usesOf(services.metadata, entity, undefined, columns, lines, new Map()))
}

/**
 * Every record named anew must exist, lie in the user's scope and be active; one question for all of them, however many lines, and none for
 * those `known` already. References that stay as they were are not asked again: a deactivated item may remain on an old draft.
 */
export async function checkReferences(written: Written, linesBefore: LinesBefore, known: readonly AskedReferences[] = []): Promise<readonly FieldProblem[]> {
  const { services, entity, before, header, lines } = written
  const uses = usesOf(services.metadata, entity, before, header, lines, linesBefore)
  const isKnown = (target: string, id: number): boolean => known.some(({ ids }) => ids.get(target)?.has(id) === true)
  const unknown = [...uses].flatMap(([target, list]) => {
    const left = list.filter((use) => !isKnown(target, use.id))
    return left.length === 0 ? [] : [[target, left] as const]
  })
  const answers = await Promise.all([...known, ask(written, new Map(unknown))].map(({ found }) => found))
  return [...uses].flatMap(([target, list]) => list.flatMap((use) => {
    const isActive = answers.map((answer) => answer.get(target)?.get(use.id)).find((found) => found !== undefined)
    return isActive === undefined ? [wrong(use.field, 'NOT_IN_SCOPE')] : isActive ? [] : [wrong(use.field, 'INACTIVE')]
  }))
}

type LinesBefore = ReadonlyMap<string, ReadonlyMap<number, Row>>
type Uses = ReadonlyMap<string, readonly Use[]>

/** What a record names anew, by entity. */
function usesOf(metadata: Metadata, entity: ResolvedEntity, before: Row | undefined, header: Row, lines: Readonly<Record<string, readonly { readonly id: number | undefined; readonly columns: Row }[]>>, linesBefore: LinesBefore): Uses {
  const uses = new Map<string, Use[]>()
  const collect = (owner: ResolvedEntity, old: Row | undefined, row: Row, prefix: string): void => {
    for (const field of referencesOf(owner)) {
      const value = row[field.name]
      if (typeof value !== 'number' || old?.[field.name] === value) continue
      const list = uses.get(field.entity) ?? []
      list.push({ field: prefix + field.wire, id: value })
      uses.set(field.entity, list)
    }
  }
  collect(entity, before, header, '')
  for (const line of entity.lines) {
    const owner = knownEntity(metadata, line.entity)
    lines[line.wire]?.forEach((row, i) => collect(owner, row.id === undefined ? undefined : linesBefore.get(line.wire)?.get(row.id), row.columns, `${line.wire}[${i}].`))
  }
  return uses
}

function ask({ services, tx, user }: Pick<Written, 'services' | 'tx' | 'user'>, uses: Uses): AskedReferences {
  const ids = new Map([...uses].map(([id, list]) => [id, new Set(list.map((use) => use.id))]))
  const found = ids.size === 0 ? Promise.resolve(new Map<string, ReadonlyMap<number, boolean>>()) : find(services.metadata, tx, user, ids)
  // Asked early, it may fail before anybody waits for it.
  found.catch(() => undefined)
  return { ids, found }
}

/** What a command or an action names beside its rows: it must be there, lie in the user's scope and be active, as what a record names. By name of the field. */
export async function checkParams({ services, tx, user }: Pick<CommandRun, 'services' | 'tx' | 'user'>, fields: readonly Field[], input: Row): Promise<void> {
  const uses = new Map<string, Use[]>()
  for (const field of fields) {
    const value = input[field.name]
    if (field.entity === undefined || typeof value !== 'number') continue
    uses.set(field.entity, [...(uses.get(field.entity) ?? []), { field: field.wire, id: value }])
  }
  if (uses.size === 0) return
  const found = await ask({ services, tx, user }, uses).found
  const errors = [...uses].flatMap(([target, list]) => list.flatMap((use) => {
    const isActive = found.get(target)?.get(use.id)
    return isActive === true ? [] : [wrong(use.field, isActive === undefined ? 'NOT_IN_SCOPE' : 'INACTIVE')]
  }))
  if (errors.length > 0) invalid(errors)
}

async function find(metadata: Metadata, tx: Queries, user: User, ids: ReadonlyMap<string, ReadonlySet<number>>): Promise<ReadonlyMap<string, ReadonlyMap<number, boolean>>> {
  const parts = [...ids].map(([id, wanted], at) => {
    const target = knownEntity(metadata, id)
    const active = fieldMap(target).has('is_active') ? sql`t.is_active` : sql`true`
    const scope = scopeCondition(metadata, user, target, 't')
    return sql`select ${trusted(String(at))} as part, t.id, ${active} as active from ${ident(target.table)} t where t.id = any(${unplanned([...wanted], 'bigint[]')}) ${scope ? sql`and ${scope}` : sql``}`
  })
  const rows = await tx.rows<{ part: number; id: number; active: boolean }>(join(parts, ' union all '))
  const found = new Map<string, Map<number, boolean>>([...ids.keys()].map((id) => [id, new Map()]))
  const targets = [...found.values()]
  for (const row of rows) targets[row.part]?.set(row.id, row.active)
  return found
}
