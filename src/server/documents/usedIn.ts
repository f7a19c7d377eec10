import type { ResolvedEntity } from '#meta/resolved.ts'
import type { SentenceValue } from '#meta/sentence.ts'
import type { Queries } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import type { Services } from '#server/services.ts'

/** Rows beyond this are not counted: "more than" says enough. */
const most = 1_000

/** Who did what to a record: kept, but no use of the person. */
const traces = new Set(['created_by', 'updated_by', 'submitted_by', 'approved_by', 'cancelled_by'])

/** Where a record is referred to, most uses first, each as "what (how many)". Its own lines and the traces of who changed what do not count. */
export async function usedIn(services: Services, tx: Queries, entity: ResolvedEntity, id: number): Promise<readonly SentenceValue[]> {
  const own = new Set(entity.lines.map((line) => line.entity))
  const uses = Object.values(services.metadata.entities).flatMap((other) => {
    if (other.base === 'view' || own.has(other.id)) return []
    const fields = other.fields.filter((field) => field.type === 'ref' && field.entity === entity.id && !traces.has(field.name))
    return fields.length === 0 ? [] : [{ other, fields }]
  })
  if (uses.length === 0) return []
  const counted = uses.map(({ other, fields }) => {
    const isItself = other.id === entity.id ? sql`and t.id <> ${id}` : sql``
    const names = join(fields.map((field) => sql`t.${ident(field.name)} = ${id}`), ' or ')
    return sql`select ${other.id}::text as name, (select count(*) from (select 1 from ${ident(other.table)} t where (${names}) ${isItself} limit ${most + 1}) found)::int as n`
  })
  const rows = await tx.rows<{ name: string; n: number }>(join(counted, ' union all '))
  return rows
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => b.n - a.n || (a.name < b.name ? -1 : 1))
    .map(({ name, n }) => ({ key: 'problem.IN_USE.use', params: { what: { key: `entity.${name}` }, count: n > most ? `${most}+` : n } }))
}
