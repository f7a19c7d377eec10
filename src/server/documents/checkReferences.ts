import type { FieldProblem } from '#api/problems.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Row } from '#server/context.ts'
import { ident, join, sql, trusted } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
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

/**
 * Every record named anew must exist, lie in the user's scope and be active; one question for all of them, however many lines.
 * References that stay as they were are not asked again: a deactivated item may remain on an old draft.
 */
export async function checkReferences({ services, tx, user, entity, before, header, lines }: Written, linesBefore: ReadonlyMap<string, ReadonlyMap<number, Row>>): Promise<readonly FieldProblem[]> {
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
    const owner = knownEntity(services.metadata, line.entity)
    lines[line.wire]?.forEach((row, i) => collect(owner, row.id === undefined ? undefined : linesBefore.get(line.wire)?.get(row.id), row.columns, `${line.wire}[${i}].`))
  }
  if (uses.size === 0) return []
  const parts = [...uses].map(([id, list], at) => {
    const target = knownEntity(services.metadata, id)
    const active = fieldMap(target).has('is_active') ? sql`t.is_active` : sql`true`
    const scope = scopeCondition(services.metadata, user, target, 't')
    const ids = [...new Set(list.map((use) => use.id))]
    return sql`select ${trusted(String(at))} as part, t.id, ${active} as active from ${ident(target.table)} t where t.id = any(${ids}::bigint[]) ${scope ? sql`and ${scope}` : sql``}`
  })
  const rows = await tx.rows<{ part: number; id: number; active: boolean }>(join(parts, ' union all '))
  return [...uses.values()].flatMap((list, at) => {
    const known = new Map(rows.filter((row) => row.part === at).map((row) => [row.id, row.active]))
    return list.flatMap((use) => (!known.has(use.id) ? [wrong(use.field, 'NOT_IN_SCOPE')] : known.get(use.id) === false ? [wrong(use.field, 'INACTIVE')] : []))
  })
}
