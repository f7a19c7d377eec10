import type { Readable } from 'node:stream'
import { shownTypes } from '#api/files.ts'
import { fail } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import type { FileRow } from './fileRows.ts'
import { FileMissing } from './fileStore.ts'

/** The bytes of a file; NOT_FOUND when the store has lost it. */
export async function openFile(services: Services, row: FileRow): Promise<Readable> {
  try {
    return await services.files.read(row.storage_key)
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    services.log(`The file ${row.storage_key} (${row.name}) is not in the store.`)
    return fail('NOT_FOUND.file-gone', { file: row.name })
  }
}

/** Headers a file is handed out with. What a browser could run is only ever saved, and nothing in it may run or load anything. */
export function fileHeaders(row: FileRow): Readonly<Record<string, string>> {
  const isShown = shownTypes.includes(row.mime)
  return {
    'content-type': row.mime.startsWith('text/') && isShown ? 'text/plain; charset=utf-8' : isShown ? row.mime : 'application/octet-stream',
    'content-length': String(row.size),
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${row.name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeRfc5987(row.name)}`,
    'content-security-policy': row.mime === 'application/pdf' ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'" : "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  }
}

function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}
