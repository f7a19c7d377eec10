import type { Attachment, AttachmentsAnswer, FieldFile, PreviewAnswer } from '#api/files.ts'
import { acceptedTypes, largestPicture, mostAttachments, pictureTypes, shownTypes } from '#api/files.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { hasEntityGuard, requireEntityGuard } from '#server/access/guards.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { addFileRow, attachmentsOf, fileByKey, removeFileRow, type FileRow } from '#server/files/fileRows.ts'
import { fileFields, uploadKeptMs } from '#server/files/fieldFiles.ts'
import { isStorageKey } from '#server/files/fileStore.ts'
import { keyOfLink, linkToken } from '#server/files/links.ts'
import { receiveFile, type ReceivedFile } from '#server/files/receive.ts'
import { fileHeaders, openFile } from '#server/files/serveFile.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { randomKey } from '#server/random.ts'
import type { Services } from '#server/services.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { FileAnswer, TextAnswer, type Api, type Call } from './api.ts'
import type { SessionCache } from './authenticate.ts'
import { command } from './command.ts'
import { bodyOf, idOf } from './read.ts'
import { isInScope } from './visible.ts'
import { noteworthy, worksWith } from './noteworthy.ts'

const tag = 'Files'

/** Attachments of records, the specification's download and preview, pictures of users. */
export function fileEndpoints(api: Api, sessions: SessionCache): void {
  attachmentEndpoints(api)
  uploadEndpoint(api)
  readingEndpoints(api)
  pictureEndpoints(api, sessions)
}

function attachmentEndpoints(api: Api): void {
  api.get('/api/v1/data/:resource/:id/attachments', { summary: 'Files attached to a record, newest first', tag }, async (call) => {
    const entity = await noteworthy(call)
    return attached(call, entity)
  })
  api.post('/api/v1/data/:resource/:id/attachments', { summary: 'Attach the file of a multipart form to a record', tag, headers: ['Idempotency-Key'] }, async (call) => {
    const entity = await noteworthy(call)
    if (!worksWith(call.services.metadata, call.user, entity)) fail('FORBIDDEN_GUARD.attach')
    const id = idOf(call)
    const file = await receiveFile(call.request, call.services.files)
    return keepFile(call, file, async (run, key) => {
      await refuseTooMany(run, entity, id)
      const fileId = await addFileRow(run.tx, { purpose: 'DOCUMENT', docType: entity.id, docId: id, name: file.name, file, key, by: run.user.id, at: run.now })
      await logFile(run, entity, id, 'attach', { from: null, to: file.name })
      const record = (await attachmentsOf(run.tx, entity, id, () => true)).find((attachment) => attachment.ID === fileId)
      return { record }
    })
  })
  api.delete('/api/v1/data/:resource/:id/attachments/:fileId', { summary: 'Take an attachment off a record; the reason stays in its history', tag, query: { reason: 'Why' }, headers: ['Idempotency-Key'] }, async (call) => {
    const entity = await noteworthy(call)
    const reason = (call.query['reason'] ?? '').trim().slice(0, 500)
    if (reason === '') invalid([wrong('reason', 'REQUIRED.detach')])
    const removed = await command(call, async (run) => {
      const id = idOf(call)
      const row = await run.tx.first<FileRow>(sql`select * from attachment where id = ${idOf(call, 'fileId')} and purpose = 'DOCUMENT' and doc_type = ${entity.id} and doc_id = ${id} for update`)
      if (!row) return fail('NOT_FOUND.gone')
      if (!mayDelete(call, entity, row.uploaded_by)) fail('FORBIDDEN_GUARD.detach')
      await removeFileRow(run.tx, row.id)
      await logFile(run, entity, id, 'detach', { from: row.name, to: null }, reason)
      return { key: row.storage_key }
    })
    await removeStored(call.services, removed.key)
    return {}
  })
}

/** A file for a field: it belongs to nobody until a record is saved with it. */
function uploadEndpoint(api: Api): void {
  api.post('/api/v1/general/upload', { summary: 'Send the file of a multipart form for a field of a record that will be saved with it', tag, query: { resource: 'Resource of the record', field: 'Name of the field' }, headers: ['Idempotency-Key'] }, async (call) => {
    const { entity, field } = fileFieldOf(call)
    const file = await receiveFile(call.request, call.services.files, { most: field.file.megabytes * 1024 * 1024, types: acceptedTypes[field.file.types] })
    return keepFile(call, file, async (run, key) => {
      const id = await addFileRow(run.tx, { purpose: 'UPLOAD', docType: entity.id, name: file.name, file, key, by: run.user.id, at: run.now, expiresAt: new Date(run.now.getTime() + uploadKeptMs) })
      return { record: { ID: id, Name: file.name, Type: file.type, Size: file.size, Key: key, CanPreview: shownTypes.includes(file.type) } satisfies FieldFile }
    })
  })
}

function readingEndpoints(api: Api): void {
  api.post('/api/v1/general/download', { summary: 'A link to a file that works for two minutes, without headers: { key }', tag }, async (call) => {
    const row = await readableFile(call, bodyOf(call)['key'])
    const token = await linkToken(call.services.database, call.services.clock, row.storage_key)
    const { services, request } = call
    return new TextAnswer(`${services.publicUrl ?? `${request.protocol}://${request.host}`}/api/v1/general/file/${token}/${encodeURIComponent(row.name)}`)
  })
  api.get('/api/v1/general/preview', { summary: 'A file to be shown: base64 and type', tag, query: { key: 'Key of the file' } }, async (call) => {
    const row = await readableFile(call, call.query['key'])
    if (!shownTypes.includes(row.mime)) fail('PREVIEW_UNAVAILABLE.file', { file: row.name })
    const chunks: Buffer[] = []
    for await (const chunk of await openFile(call.services, row)) chunks.push(chunk)
    return { file: Buffer.concat(chunks).toString('base64'), type: row.mime } satisfies PreviewAnswer
  })
  api.open('GET', '/api/v1/general/file/:token/:name', { summary: 'The file behind a link of general/download', tag }, async ({ services, params }) => {
    const key = await keyOfLink(services.database, services.clock, params['token'] ?? '')
    const row = key === undefined ? undefined : await fileByKey(services.database, key)
    if (!row) return fail('NOT_FOUND.link')
    return new FileAnswer(await openFile(services, row), fileHeaders(row))
  })
}

function pictureEndpoints(api: Api, sessions: SessionCache): void {
  api.post('/api/v1/profile/picture', { summary: 'The user’s own picture: PNG, JPEG or WebP in a multipart form', tag }, async (call) => {
    const file = await receiveFile(call.request, call.services.files, { most: largestPicture, types: pictureTypes })
    const before = await pictureOf(call)
    const answer = await keepFile(call, file, async (run, key) => {
      await addFileRow(run.tx, { purpose: 'PICTURE', docType: 'app_user', docId: run.user.id, name: file.name, file, key, by: run.user.id, at: run.now })
      await setPicture(run, key, before)
      return { picture_key: key }
    })
    await sessions.forget()
    await removeStored(call.services, before)
    return answer
  })
  api.delete('/api/v1/profile/picture', { summary: 'No picture any more', tag }, async (call) => {
    const before = await pictureOf(call)
    await command(call, async (run) => {
      await setPicture(run, null, before)
      return {}
    })
    await sessions.forget()
    await removeStored(call.services, before)
    return {}
  })
}

/**
 * Moves a received file into the store and runs the command that notes it under its new key. Whatever goes wrong, and when the command had
 * been given before, the file does not stay behind.
 */
async function keepFile<T extends object>(call: Call, file: ReceivedFile, work: (run: CommandRun, key: string) => Promise<T>): Promise<T> {
  const { files } = call.services
  const key = randomKey()
  let isNoted = false
  try {
    await files.keep(key, file)
    const answer = await command({ ...call, body: { Name: file.name, Size: file.size, Sha256: file.sha256 } }, async (run) => {
      const result = await work(run, key)
      isNoted = true
      return result
    })
    if (!isNoted) await removeStored(call.services, key)
    return answer
  } catch (error) {
    await removeStored(call.services, key)
    throw error
  }
}

/** The file field of the question, on a record the user may make or change. */
function fileFieldOf({ services, user, query }: Call) {
  const entity = Object.values(services.metadata.entities).find(({ resource }) => resource === query['resource'])
  const field = entity === undefined ? undefined : fileFields(entity).find(({ name, readOnly }) => name === query['field'] && !readOnly)
  if (entity === undefined || field === undefined) return fail('NOT_FOUND.file-field')
  if (!hasEntityGuard(services.metadata, user, entity, 'create')) requireEntityGuard(services.metadata, user, entity, 'edit')
  return { entity, field }
}

async function attached(call: Call, entity: ResolvedEntity): Promise<AttachmentsAnswer> {
  const { services, user } = call
  const records: readonly Attachment[] = await attachmentsOf(services.database, entity, idOf(call), (uploadedBy) => mayDelete(call, entity, uploadedBy))
  return { records, CanAttach: worksWith(services.metadata, user, entity) }
}

function mayDelete({ services, user }: Call, entity: ResolvedEntity, uploadedBy: number): boolean {
  return uploadedBy === user.id || hasEntityGuard(services.metadata, user, entity, 'delete')
}

async function refuseTooMany(run: CommandRun, entity: ResolvedEntity, id: number): Promise<void> {
  const row = await run.tx.first<{ n: number }>(sql`select count(*) as n from attachment where purpose = 'DOCUMENT' and doc_type = ${entity.id} and doc_id = ${id}`)
  if ((row?.n ?? 0) >= mostAttachments) fail('EXCEEDS_AVAILABLE.attachments', { limit: mostAttachments })
}

async function logFile(run: CommandRun, entity: ResolvedEntity, id: number, action: 'attach' | 'detach', change: { readonly from: string | null; readonly to: string | null }, note: string | null = null): Promise<void> {
  await writeLog(run.tx, { docType: entity.id, docId: id, at: run.now.toISOString(), actorId: run.user.id, action, note, diff: [{ field: 'attachment', ...change }] })
}

/** The file of a key, if this user may have it: the same answer whether it is not there or not his. */
async function readableFile(call: Call, key: unknown): Promise<FileRow> {
  const row = isStorageKey(key) ? await fileByKey(call.services.database, key) : undefined
  return row && (await mayRead(call, row)) ? row : fail('NOT_FOUND.file')
}

async function mayRead({ services, user }: Call, row: FileRow): Promise<boolean> {
  switch (row.purpose) {
    case 'PICTURE':
      return true
    case 'PRIVATE':
    case 'UPLOAD':
      return row.uploaded_by === user.id
    case 'FIELD':
    case 'DOCUMENT': {
      const entity = services.metadata.entities[row.doc_type ?? '']
      return entity !== undefined && hasEntityGuard(services.metadata, user, entity, 'view') && isInScope(services, services.database, user, entity, row.doc_id ?? 0)
    }
  }
}

async function pictureOf({ services, user }: Call): Promise<string | null> {
  const row = await services.database.first<{ picture_key: string | null }>(sql`select picture_key from app_user where id = ${user.id}`)
  return row?.picture_key ?? null
}

async function setPicture(run: CommandRun, key: string | null, before: string | null): Promise<void> {
  await run.tx.run(sql`update app_user set picture_key = ${key} where id = ${run.user.id}`)
  if (before !== null) await run.tx.run(sql`delete from attachment where storage_key = ${before} and purpose = 'PICTURE'`)
}

/** After the database has let go of it. A file that cannot be removed now costs space, nothing else. */
async function removeStored(services: Services, key: string | null): Promise<void> {
  if (key === null) return
  await services.files.remove(key).catch((error: unknown) => services.log(`The file ${key} could not be removed: ${error instanceof Error ? error.message : String(error)}`))
}
