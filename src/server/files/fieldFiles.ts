import type { FieldProblem } from '#api/problems.ts'
import { acceptedTypes } from '#api/files.ts'
import type { EntityField, FileRule, ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { Written } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'
import type { FileRow } from './fileRows.ts'

/** An upload no record was saved with is removed after so long: drafts of forms wait, but not for ever. */
export const uploadKeptMs = 14 * 24 * 3_600_000

/** Lines of a record by wire key and id. */
export type StoredLines = ReadonlyMap<string, ReadonlyMap<number, Row>>

type FileField = EntityField & { readonly file: FileRule }

export function fileFields(entity: ResolvedEntity): readonly FileField[] {
  return entity.fields.filter((field): field is FileField => field.file !== undefined)
}

/**
 * A field takes only what the same user has uploaded for such a record, and only what the field says it takes: no file can be reached by
 * naming its number, and none belongs to two lines. `stored` are the lines as they are, by wire key and id.
 */
export async function checkFieldFiles({ services, tx, user, entity, before, header, lines }: Written, stored: StoredLines): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = []
  const taken = new Set<number>()
  const check = async (of: ResolvedEntity, row: Row, old: Row | undefined, place: string) => {
    for (const field of fileFields(of)) {
      const value = row[field.name]
      if (typeof value !== 'number' || old?.[field.name] === value) continue
      const file = taken.has(value)
        ? undefined
        : await tx.first<FileRow>(sql`select * from attachment where id = ${value} and purpose = 'UPLOAD' and uploaded_by = ${user.id} and doc_type = ${of.id} for update`)
      taken.add(value)
      // Sent for another field of the record, it may be what this one does not take.
      const fits = file !== undefined && acceptedTypes[field.file.types].includes(file.mime) && file.size <= field.file.megabytes * 1024 * 1024
      if (!fits) problems.push(wrong(`${place}${field.wire}`, 'NOT_IN_SCOPE'))
    }
  }
  await check(entity, header, before, '')
  for (const line of entity.lines) {
    const of = knownEntity(services.metadata, line.entity)
    if (fileFields(of).length === 0) continue
    for (const [i, { id, columns }] of (lines[line.wire] ?? []).entries()) await check(of, columns, id === undefined ? undefined : stored.get(line.wire)?.get(id), `${line.wire}[${i}].`)
  }
  return problems
}

/** The same for the lines saved with the record: a line that is gone lets go of its files. `ids` are those of the lines as saved, in order. */
export async function settleLineFiles(tx: Queries, of: ResolvedEntity, lines: readonly { readonly id?: number | undefined; readonly columns: Row }[], stored: ReadonlyMap<number, Row>, ids: readonly number[], now: Date): Promise<void> {
  if (fileFields(of).length === 0) return
  for (const [i, { id, columns }] of lines.entries()) await settleFieldFiles(tx, of, id === undefined ? undefined : stored.get(id), columns, ids[i] ?? 0, now)
  const kept = new Set(ids)
  for (const id of stored.keys()) if (!kept.has(id)) await dropFieldFiles(tx, of, sql`${id}`, now)
}

/** The record is saved: its new files stay with it, those they take the place of go with the next housekeeping. */
export async function settleFieldFiles(tx: Queries, entity: ResolvedEntity, before: Row | undefined, header: Row, id: number, now: Date): Promise<void> {
  for (const field of fileFields(entity)) {
    if (!Object.hasOwn(header, field.name)) continue
    const [old, value] = [before?.[field.name], header[field.name]]
    if (old === value) continue
    if (typeof value === 'number') await tx.run(sql`update attachment set purpose = 'FIELD', doc_id = ${id}, expires_at = null where id = ${value}`)
    if (typeof old === 'number') await tx.run(sql`update attachment set purpose = 'PRIVATE', expires_at = ${now.toISOString()} where id = ${old} and purpose = 'FIELD'`)
  }
}

/** Records go: their files follow them. `ids` is one id or a question for several. */
export async function dropFieldFiles(tx: Queries, entity: ResolvedEntity, ids: Sql, now: Date): Promise<void> {
  if (fileFields(entity).length === 0) return
  await tx.run(sql`update attachment set purpose = 'PRIVATE', expires_at = ${now.toISOString()} where purpose = 'FIELD' and doc_type = ${entity.id} and doc_id in (${ids})`)
}
