import type { HistoryEntry } from '#api/data.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import type { Services } from '#server/services.ts'
import type { Change } from './audit.ts'
import { fieldMap, knownEntity } from './entities.ts'

/** What happened to a record, newest first, with the changed values; references by code and name. `Label` is the message key of the field. */
export async function historyOf(services: Services, queries: Queries, entity: ResolvedEntity, id: number): Promise<readonly HistoryEntry[]> {
  const rows = await queries.rows<Row & { diff: readonly Change[] | null }>(sql`
    select l.id, l.at, coalesce(u.name, 'System') as actor, l.action, l.from_status, l.to_status, l.note, l.diff
    from document_log l left join app_user u on u.id = l.actor_id
    where l.doc_type = ${entity.id} and l.doc_id = ${id} order by l.id desc limit 500`)
  const names = await namesOf(services, queries, entity, rows.flatMap((row) => row.diff ?? []))
  return rows.map((row) => ({
    ID: Number(row['id']),
    At: String(row['at']),
    ActorName: String(row['actor']),
    Action: String(row['action']),
    FromStatus: row['from_status'] === null ? null : Number(row['from_status']),
    ToStatus: row['to_status'] === null ? null : Number(row['to_status']),
    Note: row['note'] === null ? null : String(row['note']),
    Diff: (row.diff ?? []).map((change) => {
      const field = fieldOf(services, entity, change.field)
      const shown = (value: unknown): unknown => (field?.entity === undefined || typeof value !== 'number' ? value : (names.get(`${field.entity} ${value}`) ?? value))
      return { Field: change.field, Label: field?.label ?? `field.${change.field}`, From: shown(change.from), To: shown(change.to) }
    }),
  }))
}

function fieldOf(services: Services, entity: ResolvedEntity, path: string) {
  const line = /^(\w+)\[\d+\]\.(\w+)$/.exec(path)
  if (!line) return fieldMap(entity).get(path)
  const lines = entity.lines.find((candidate) => candidate.name === line[1])
  return lines && fieldMap(knownEntity(services.metadata, lines.entity)).get(line[2] ?? '')
}

/** Code and name of every record the changes mention, one question a referenced entity. */
async function namesOf(services: Services, queries: Queries, entity: ResolvedEntity, changes: readonly Change[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, Set<number>>()
  for (const change of changes) {
    const target = fieldOf(services, entity, change.field)?.entity
    if (target === undefined) continue
    for (const value of [change.from, change.to]) {
      if (typeof value === 'number') ids.set(target, (ids.get(target) ?? new Set()).add(value))
    }
  }
  const names = new Map<string, string>()
  for (const [target, values] of ids) {
    const { table, display } = knownEntity(services.metadata, target)
    const [code, name] = display
    const rows = await queries.rows(sql`select id, ${ident(code)}::text as code, ${ident(name)}::text as name from ${ident(table)} where id = any(${[...values]}::bigint[])`)
    for (const row of rows) names.set(`${target} ${String(row['id'])}`, row['code'] === row['name'] ? String(row['code']) : `${String(row['code'])} ${String(row['name'])}`)
  }
  return names
}
