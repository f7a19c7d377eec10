import type { Attachment, AttachmentsAnswer, FieldFile, PreviewAnswer } from '#api/files.ts'
import type { FormFileAnswer } from '#api/formFile.ts'
import { newKey, send, type Answer } from './http.ts'

/** A file shown without leaving the page; give the address back with `URL.revokeObjectURL`. */
export interface Preview {
  readonly url: string
  readonly type: string
  readonly blob: Blob
}

/** What becomes of an upload while it goes on; `share` is 0 to 1. */
export interface Uploading {
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
}

export function listAttachments(resource: string, id: number, signal?: AbortSignal): Promise<Answer<AttachmentsAnswer>> {
  return send({ path: `/api/v1/data/${resource}/${id}/attachments`, signal, isPart: true })
}

export function attachFile(resource: string, id: number, file: File, uploading: Uploading = {}): Promise<Answer<{ readonly record: Attachment }>> {
  return upload(`/api/v1/data/${resource}/${id}/attachments`, file, uploading)
}

export function detachFile(resource: string, id: number, fileId: number, reason: string): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: `/api/v1/data/${resource}/${id}/attachments/${fileId}`, query: { reason }, key: newKey() })
}

/** A file for a field of a record; it belongs to none until the record is saved with its id. */
export function uploadForField(resource: string, field: string, file: File, uploading: Uploading = {}): Promise<Answer<{ readonly record: FieldFile }>> {
  return upload('/api/v1/general/upload', file, uploading, { resource, field })
}

/** What a file holds, as the form would have it entered; `answer` is what was chosen of what the file leaves open. */
export function readFormFile(screen: string, file: File, answer: string | undefined, signal: AbortSignal): Promise<Answer<FormFileAnswer>> {
  return upload(`/api/v1/form/${screen}/file`, file, { signal }, answer === undefined ? {} : { answer })
}

export function sendPicture(picture: File): Promise<Answer<{ readonly picture_key: string }>> {
  return upload('/api/v1/profile/picture', picture, {})
}

export function removePicture(): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: '/api/v1/profile/picture', key: newKey() })
}

/** Asks for a link to the file and opens it in a new tab. */
export async function openDownload(key: string): Promise<Answer<unknown>> {
  const answer = await send<string>({ method: 'POST', path: '/api/v1/general/download', body: { key }, isQuestion: true })
  if (answer.ok) window.open(hereIfOurs(answer.value), '_blank', 'noopener')
  return answer
}

/** The file itself, as a blob the page can show. */
export async function previewFile(key: string, signal?: AbortSignal): Promise<Answer<Preview>> {
  const answer = await send<PreviewAnswer>({ path: '/api/v1/general/preview', query: { key }, signal })
  if (!answer.ok) return answer
  const { file, type } = answer.value
  const blob = new Blob([bytesOf(file)], { type })
  return { ok: true, value: { url: URL.createObjectURL(blob), type, blob } }
}

function upload<T>(path: string, file: File, { onProgress, signal }: Uploading, query: Readonly<Record<string, string>> = {}): Promise<Answer<T>> {
  const body = new FormData()
  body.set('file', file, file.name)
  return send({ method: 'POST', path, query, body, key: newKey(), signal, onProgress })
}

/** The server names its own address as it was asked for; behind a proxy ours is the one that works. */
export function hereIfOurs(link: string): string {
  const url = new URL(link, location.href)
  return url.pathname.startsWith('/api/v1/') ? url.pathname + url.search : url.href
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
