import type { Attachment } from '#api/files.ts'
import { shownTypes } from '#api/files.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { LocalFile } from './fileStore.ts'

/**
 * What a file is there for decides who may have it. DOCUMENT: whoever may see the record it belongs to. PICTURE: everybody signed in.
 * PRIVATE: only the one it was made for (an export). UPLOAD: meant for a field of a record that is not saved yet, only whoever sent it.
 * FIELD: value of a field; whoever may see the record.
 */
export type FilePurpose = 'DOCUMENT' | 'PICTURE' | 'PRIVATE' | 'UPLOAD' | 'FIELD'

export interface FileRow extends Row {
  readonly id: number
  readonly purpose: FilePurpose
  readonly doc_type: string | null
  readonly doc_id: number | null
  readonly name: string
  readonly mime: string
  readonly size: number
  readonly storage_key: string
  readonly uploaded_by: number
}

export interface NewFile {
  readonly purpose: FilePurpose
  readonly docType?: string
  readonly docId?: number
  readonly name: string
  readonly file: Pick<LocalFile, 'type' | 'size' | 'sha256'>
  readonly key: string
  readonly by: number
  readonly at: Date
  /** Removed by the housekeeping after it; absent: kept. */
  readonly expiresAt?: Date
}

/** Notes in the database that a file is kept under the key; returns its id. */
export async function addFileRow(tx: Queries, { purpose, docType, docId, name, file, key, by, at, expiresAt }: NewFile): Promise<number> {
  const row = await tx.first<{ id: number }>(sql`
    insert into attachment (purpose, doc_type, doc_id, name, mime, size, sha256, storage_key, uploaded_by, uploaded_at, expires_at)
    values (${purpose}, ${docType ?? null}, ${docId ?? null}, ${name}, ${file.type}, ${file.size}, ${file.sha256}, ${key}, ${by}, ${at.toISOString()}, ${expiresAt?.toISOString() ?? null})
    returning id`)
  if (!row) throw new Error('No file was noted')
  return row.id
}

export function fileByKey(queries: Queries, key: string): Promise<FileRow | undefined> {
  return queries.first<FileRow>(sql`select id, purpose, doc_type, doc_id, name, mime, size, storage_key, uploaded_by from attachment where storage_key = ${key}`)
}

/** Attachments of a record, newest first. `mayDelete`: of this file's uploader. */
export async function attachmentsOf(queries: Queries, entity: ResolvedEntity, id: number, mayDelete: (uploadedBy: number) => boolean): Promise<readonly Attachment[]> {
  const rows = await queries.rows<FileRow & { readonly uploader: string; readonly uploaded_at: string }>(sql`
    select a.id, a.purpose, a.doc_type, a.doc_id, a.name, a.mime, a.size, a.storage_key, a.uploaded_by, a.uploaded_at, u.name as uploader
    from attachment a join app_user u on u.id = a.uploaded_by
    where a.purpose = 'DOCUMENT' and a.doc_type = ${entity.id} and a.doc_id = ${id} order by a.uploaded_at desc, a.id desc`)
  return rows.map((row) => ({
    ID: row.id,
    Name: row.name,
    Type: row.mime,
    Size: row.size,
    Key: row.storage_key,
    UploadedByID: row.uploaded_by,
    UploadedByName: row.uploader,
    UploadedAt: row.uploaded_at,
    CanPreview: shownTypes.includes(row.mime),
    CanDelete: mayDelete(row.uploaded_by),
  }))
}

/** Takes the row away; the caller removes the file once that is committed. */
export async function removeFileRow(tx: Queries, id: number): Promise<void> {
  await tx.run(sql`delete from attachment where id = ${id}`)
}
