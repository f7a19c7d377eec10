import type { Readable } from 'node:stream'
import { fail } from '#server/problemError.ts'

/** A finished file on this computer, on its way into the store. */
export interface LocalFile {
  readonly path: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  readonly type: string
}

/** Where the bytes are. A key never says what it holds; names and permissions are in the database. */
export interface FileStore {
  /** Folder for files still being received, on the same volume where that saves a copy. */
  readonly incoming: string
  /** Takes the file over under a key nothing has yet. It is either there whole or not at all. */
  keep(key: string, file: LocalFile): Promise<void>
  /** Throws FileMissing when there is nothing under the key. */
  read(key: string): Promise<Readable>
  /** Nothing to remove is no error. */
  remove(key: string): Promise<void>
}

export class FileMissing extends Error {
  constructor(key: string) {
    super(`No file ${key}`)
  }
}

/** Keys are made by the server alone; anything else never reaches a file system or a bucket. */
export function isStorageKey(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{40}$/.test(text)
}

/** A server started without a place for files. */
export const noFileStore: FileStore = {
  incoming: '',
  keep: refused,
  read: refused,
  remove: refused,
}

function refused(): never {
  return fail('SERVICE_UNAVAILABLE.files')
}
