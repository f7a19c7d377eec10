import type { FieldProblem } from '#api/problems.ts'
import { acceptedTypes } from '#api/files.ts'
import type { EntityField, FileRule, ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import type { Written } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'
import type { FileRow } from './fileRows.ts'

/** An upload no record was saved with is removed after so long: drafts of forms wait, but not for ever. */
export const uploadKeptMs = 14 * 24 * 3_600_000

type FileField = EntityField & { readonly file: FileRule }

export function fileFields(entity: ResolvedEntity): readonly FileField[] {
  return entity.fields.filter((field): field is FileField => field.file !== undefined)
}

/**
 * A field takes only what the same user has uploaded for such a record, and only what the field says it takes: no file can be reached by
 * naming its number. Lines hold no files.
 */
export async function checkFieldFiles({ services, tx, user, entity, before, header, lines }: Written): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = []
  for (const field of fileFields(entity)) {
    const value = header[field.name]
    if (typeof value !== 'number' || before?.[field.name] === value) continue
    const row = await tx.first<FileRow>(sql`select * from attachment where id = ${value} and purpose = 'UPLOAD' and uploaded_by = ${user.id} and doc_type = ${entity.id} for update`)
    // Sent for another field of the record, it may be what this one does not take.
    const fits = row !== undefined && acceptedTypes[field.file.types].includes(row.mime) && row.size <= field.file.megabytes * 1024 * 1024
    if (!fits) problems.push(wrong(field.wire, 'NOT_IN_SCOPE'))
  }
  for (const line of entity.lines) {
    const fields = fileFields(knownEntity(services.metadata, line.entity))
    for (const [i, row] of (lines[line.wire] ?? []).entries()) {
      for (const field of fields) if (row.columns[field.name] != null) problems.push(wrong(`${line.wire}[${i}].${field.wire}`, 'NOT_IN_SCOPE'))
    }
  }
  return problems
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

/** The record is gone: its files follow it. */
export async function dropFieldFiles(tx: Queries, entity: ResolvedEntity, id: number, now: Date): Promise<void> {
  if (fileFields(entity).length === 0) return
  await tx.run(sql`update attachment set purpose = 'PRIVATE', expires_at = ${now.toISOString()} where purpose = 'FIELD' and doc_type = ${entity.id} and doc_id = ${id}`)
}
