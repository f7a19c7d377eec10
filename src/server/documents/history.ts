import type { HistoryChange, HistoryEntry } from '#api/data.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import type { Services } from '#server/services.ts'
import { isRow } from './bodyColumns.ts'
import type { Change } from './audit.ts'
import { fieldMap, knownEntity } from './entities.ts'

/**
 * What happened to a record, newest first, with the changed values as their fields are called and shown; references by code and name. Values people never
 * see (workings, snapshots) are left out.
 */
export async function historyOf(services: Services, queries: Queries, entity: ResolvedEntity, id: number): Promise<readonly HistoryEntry[]> {
  const rows = await queries.rows<Row & { diff: readonly Change[] | null }>(sql`
    select l.id, l.at, u.name as actor, b.name as on_behalf_of, l.action, l.from_status, l.to_status, l.note, l.diff
    from document_log l left join app_user u on u.id = l.actor_id left join app_user b on b.id = l.on_behalf_of_id
    where l.doc_type = ${entity.id} and l.doc_id = ${id} order by l.id desc limit 500`)
  const places = new Map(rows.flatMap((row) => row.diff ?? []).map((change) => [change.field, placeOf(services, entity, change.field)]))
  const names = await namesOf(services, queries, rows.flatMap((row) => row.diff ?? []), places)
  return rows.map((row) => ({
    ID: Number(row['id']),
    At: String(row['at']),
    ActorName: row['actor'] === null ? null : String(row['actor']),
    OnBehalfOfName: row['on_behalf_of'] === null ? null : String(row['on_behalf_of']),
    Action: String(row['action']),
    FromStatus: row['from_status'] === null ? null : Number(row['from_status']),
    ToStatus: row['to_status'] === null ? null : Number(row['to_status']),
    Note: row['note'] === null ? null : String(row['note']),
    Diff: (row.diff ?? []).flatMap((change) => changeOf(change, places.get(change.field), names)),
  }))
}

/** Where a change happened: in a field of the header or a line, or to a whole line. */
interface Place {
  /** From 1; null: the header. */
  readonly line: number | null
  readonly field: EntityField | undefined
  /** Fields of a line that came or went. */
  readonly fields: ReadonlyMap<string, EntityField>
}

function placeOf(services: Services, entity: ResolvedEntity, path: string): Place {
  const line = /^(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(path)
  if (!line) return { line: null, field: fieldMap(entity).get(path), fields: new Map() }
  const lines = entity.lines.find((candidate) => candidate.name === line[1])
  const fields = lines === undefined ? new Map<string, EntityField>() : fieldMap(knownEntity(services.metadata, lines.entity))
  return { line: Number(line[2]) + 1, field: fields.get(line[3] ?? ''), fields }
}

function changeOf(change: Change, place: Place | undefined, names: ReadonlyMap<string, string>): readonly HistoryChange[] {
  const { field, line = null, fields = new Map<string, EntityField>() } = place ?? {}
  if (line !== null && !change.field.includes('].')) {
    const content: unknown = change.to ?? change.from
    const parts = isRow(content) ? [...fields].flatMap(([column, one]) => (Object.hasOwn(content, column) ? partOf(one, content[column], names) : [])) : []
    return [{ Field: change.field, Label: 'ui.history.line', Type: 'line', Line: line, From: change.from === null ? null : true, To: change.to === null ? null : true, Parts: parts }]
  }
  if (field !== undefined && isUnseen(field)) return []
  return [{
    Field: change.field, Label: field?.label ?? `field.${change.field}`, Type: field?.type ?? 'text', Line: line, From: shown(field, change.from, names), To: shown(field, change.to, names), ...choicesOf(field),
  }]
}

function partOf(field: EntityField, value: unknown, names: ReadonlyMap<string, string>) {
  return isUnseen(field) ? [] : [{ Label: field.label, Type: field.type, Value: shown(field, value, names), ...choicesOf(field) }]
}

function isUnseen(field: EntityField): boolean {
  return field.hidden || field.type === 'json' || field.type === 'secret' || (field.trace === true && field.type !== 'ref')
}

function choicesOf(field: EntityField | undefined): Pick<HistoryChange, 'Choices'> {
  return field?.choices === undefined ? {} : { Choices: field.choices }
}

function shown(field: EntityField | undefined, value: unknown, names: ReadonlyMap<string, string>): unknown {
  return field?.entity === undefined || typeof value !== 'number' ? value : (names.get(`${field.entity} ${value}`) ?? value)
}

/** Code and name of every record the changes mention, one question a referenced entity. */
async function namesOf(services: Services, queries: Queries, changes: readonly Change[], places: ReadonlyMap<string, Place>): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, Set<number>>()
  const mention = (field: EntityField | undefined, value: unknown): void => {
    if (field?.entity !== undefined && typeof value === 'number') ids.set(field.entity, (ids.get(field.entity) ?? new Set()).add(value))
  }
  for (const change of changes) {
    const place = places.get(change.field)
    for (const value of [change.from, change.to]) {
      mention(place?.field, value)
      if (isRow(value)) for (const [column, part] of Object.entries(value)) mention(place?.fields.get(column), part)
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
