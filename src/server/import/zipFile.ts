import fs from 'node:fs'
import { Transform, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import { fail } from '#server/problemError.ts'

interface Entry {
  readonly method: number
  readonly packed: number
  readonly at: number
}

const mostEntries = 10_000
/** Bytes of one unpacked part. */
const mostUnpacked = 4 * 1024 ** 3
/** Beyond so many bytes a part may not be so many times larger than what it was packed into. */
const suspicious = { bytes: 64 * 1024 ** 2, times: 250 }

/**
 * A ZIP file on disk, read part by part as a stream; nothing is ever written anywhere. What a part says about its size is not believed: what comes
 * out of it is counted.
 */
export class ZipFile {
  /** Bytes of the file. */
  readonly size: number
  readonly #path: string
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(path: string, size: number, entries: ReadonlyMap<string, Entry>) {
    this.size = size
    this.#path = path
    this.#entries = entries
  }

  static async open(path: string): Promise<ZipFile> {
    const handle = await fs.promises.open(path)
    try {
      const { size } = await handle.stat()
      const tail = Buffer.alloc(Math.min(size, 65_557))
      await handle.read(tail, 0, tail.length, size - tail.length)
      const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
      if (end < 0 || end + 22 > tail.length) return fail('FILE_BROKEN.zip')
      const count = tail.readUInt16LE(end + 10)
      const length = tail.readUInt32LE(end + 12)
      const start = tail.readUInt32LE(end + 16)
      if (count > mostEntries || start + length > size) return fail('FILE_BROKEN.zip')
      const directory = Buffer.alloc(length)
      await handle.read(directory, 0, length, start)
      return new ZipFile(path, size, await entriesOf(handle, directory, count, size))
    } finally {
      await handle.close()
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** The part unpacked; it fails with FILE_BROKEN when it is damaged or grows beyond all measure. */
  read(name: string): Readable {
    const entry = this.#entries.get(name)
    if (!entry || entry.packed === 0) return fail('FILE_BROKEN.zip')
    const packed = fs.createReadStream(this.#path, { start: entry.at, end: entry.at + entry.packed - 1 })
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length
        const isBomb = size > mostUnpacked || (size > suspicious.bytes && size > entry.packed * suspicious.times)
        done(isBomb ? problem('FILE_BROKEN.bomb') : null, chunk)
      },
    })
    let size = 0
    const inflate = entry.method === 0 ? undefined : zlib.createInflateRaw()
    packed.on('error', (error) => counted.destroy(error))
    inflate?.on('error', () => counted.destroy(problem('FILE_BROKEN.zip')))
    counted.on('close', () => {
      packed.destroy()
      inflate?.destroy()
    })
    return (inflate ? packed.pipe(inflate) : packed).pipe(counted)
  }
}

function problem(key: 'FILE_BROKEN.zip' | 'FILE_BROKEN.bomb'): Error {
  try {
    return fail(key)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function entriesOf(handle: fs.promises.FileHandle, directory: Buffer, count: number, size: number): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) return fail('FILE_BROKEN.zip')
    const flags = directory.readUInt16LE(at + 8)
    const method = directory.readUInt16LE(at + 10)
    const packed = directory.readUInt32LE(at + 20)
    const nameLength = directory.readUInt16LE(at + 28)
    const skip = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    const offset = directory.readUInt32LE(at + 42)
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
    at += 46 + nameLength + skip
    if ((flags & 1) === 1) return fail('FILE_BROKEN.encrypted')
    if (method !== 0 && method !== 8) continue
    const local = Buffer.alloc(30)
    await handle.read(local, 0, 30, offset)
    if (local.readUInt32LE(0) !== 0x04034b50) return fail('FILE_BROKEN.zip')
    const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
    if (start + packed > size) return fail('FILE_BROKEN.zip')
    entries.set(name, { method, packed, at: start })
  }
  return entries
}
