import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { largestFile, pictureTypes } from '#api/files.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { randomKey } from '#server/random.ts'
import type { FileStore, LocalFile } from './fileStore.ts'
import { headBytes, sniffType } from './sniff.ts'

/** A file as it came in: complete, on this computer, known for what it is. */
export interface ReceivedFile extends LocalFile {
  readonly name: string
}

export interface Wanted {
  /** Bytes. */
  readonly most?: number
  /** Only these types; absent: all that are kept. */
  readonly types?: readonly string[]
  /** Whatever it is: whoever receives it looks into it. */
  readonly isAny?: boolean
}

/**
 * Streams the one file of a multipart form to disk, counted, hashed and looked into on its way. Whoever receives it moves it on or removes
 * it; a refusal has removed it already.
 */
export async function receiveFile(request: FastifyRequest, store: FileStore, wanted: Wanted = {}): Promise<ReceivedFile> {
  const most = wanted.most ?? largestFile
  if (!request.isMultipart()) return invalid([wrong('file', 'REQUIRED.file')])
  // The form around a file is small; a body that says it is far larger is not even read.
  if (Number(request.headers['content-length'] ?? 0) > most + 64 * 1024) return tooLarge(most)
  // A file that is too large is cut off, and refused below in our own words.
  const options = { throwFileSizeLimit: false, limits: { fileSize: most, files: 1, fields: 10, fieldSize: 4_096 } }
  const parts = request.parts(options)
  let received: ReceivedFile | undefined
  try {
    for await (const part of parts) {
      if (part.type !== 'file') continue
      received = await take(part.file, fileName(part.filename), store.incoming)
      if (part.file.truncated) tooLarge(most)
    }
    if (received === undefined) return invalid([wrong('file', 'REQUIRED.file')])
    if (received.size === 0) return fail('FILE_EMPTY.file', { file: received.name })
    if (wanted.isAny === true) return { ...received, type: received.type || 'application/octet-stream' }
    if (received.type === '' || (wanted.types !== undefined && !wanted.types.includes(received.type))) {
      return wanted.types === undefined ? fail('FILE_TYPE_REFUSED.kept', { file: received.name }) : fail(wanted.types === pictureTypes ? 'FILE_TYPE_REFUSED.picture' : 'FILE_TYPE_REFUSED.field', { file: received.name })
    }
    return received
  } catch (error) {
    if (received) await fs.promises.rm(received.path, { force: true })
    throw error
  }
}

function tooLarge(most: number): never {
  return fail('FILE_TOO_LARGE.limit', { megabytes: Math.floor(most / 1024 / 1024) })
}

async function take(source: NodeJS.ReadableStream, name: string, folder: string): Promise<ReceivedFile> {
  await fs.promises.mkdir(folder, { recursive: true })
  const target = path.join(folder, randomKey())
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let size = 0
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (size < headBytes) head.push(chunk.subarray(0, headBytes - size))
      size += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    // Flushed: once the database says there is a file, there is one.
    await pipeline(source, watch, fs.createWriteStream(target, { flags: 'wx', flush: true }))
  } catch (error) {
    await fs.promises.rm(target, { force: true })
    throw error
  }
  return { path: target, name, size, sha256: hash.digest('hex'), type: sniffType(Buffer.concat(head), name) ?? '' }
}

/** The last part of the name as sent, without what could mislead a person or a file system. */
export function fileName(sent: string | undefined): string {
  const last = (sent ?? '').split(/[/\\]/).at(-1) ?? ''
  // Control characters, and marks that turn the direction of text ("fdp.exe" shown as "exe.pdf").
  const clean = last.normalize('NFC').replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, '').replaceAll(/[<>:"|?*]/g, '_').trim()
  if (clean === '' || /^\.+$/.test(clean)) return 'file'
  if (clean.length <= 150) return clean
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? ''
  return clean.slice(0, 150 - ending.length) + ending
}
