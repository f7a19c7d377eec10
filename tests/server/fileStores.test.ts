import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { diskStore } from '#server/files/diskStore.ts'
import { FileMissing, type FileStore, type LocalFile } from '#server/files/fileStore.ts'
import { s3OptionsOf, s3Store } from '#server/files/s3Store.ts'
import { randomKey } from '#server/random.ts'
import { testFolder } from '../support/database.ts'
import { s3Server } from '../support/s3Server.ts'

const s3 = await s3Server()
const folder = testFolder()

const stores: readonly (readonly [name: string, store: FileStore])[] = [
  ['the data folder', diskStore(folder)],
  ['an S3-compatible store', s3Store(s3.options)],
]

function local(store: FileStore, bytes: Buffer): LocalFile {
  fs.mkdirSync(store.incoming, { recursive: true })
  const file = path.join(store.incoming, randomKey())
  fs.writeFileSync(file, bytes)
  return { path: file, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), type: 'text/plain' }
}

async function bytesOf(store: FileStore, key: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await store.read(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.each(stores)('%s', (_, store) => {
  it('gives back what it was given, and takes the local file away', async () => {
    // Larger than any buffer on the way.
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
    const file = local(store, bytes)
    const key = randomKey()
    await store.keep(key, file)
    expect((await bytesOf(store, key)).equals(bytes)).toBe(true)
    expect(fs.existsSync(file.path)).toBe(false)
  })

  it('forgets what is removed, and removing nothing is no error', async () => {
    const key = randomKey()
    await store.keep(key, local(store, Buffer.from('x')))
    await store.remove(key)
    await expect(store.read(key)).rejects.toThrow(FileMissing)
    await store.remove(key)
  })

  it('reaches nothing by a key that is none', async () => {
    fs.writeFileSync(path.join(folder, 'outside'), 'secret')
    for (const key of ['../outside', '..%2foutside', 'a'.repeat(39), 'A'.repeat(40), '']) await expect(store.read(key)).rejects.toThrow(FileMissing)
  })
})

describe('the calls to the object store', () => {
  it('are signed; a wrong secret or a file changed on its way is refused and not kept', async () => {
    const wrong = s3Store({ ...s3.options, secretAccessKey: 'other' })
    await expect(wrong.keep(randomKey(), local(wrong, Buffer.from('x')))).rejects.toThrow('refused a file: 403')
    await expect(wrong.read(randomKey())).rejects.toThrow('did not give a file: 403')
    const store = s3Store(s3.options)
    const count = s3.objects.size
    await expect(store.keep(randomKey(), { ...local(store, Buffer.from('x')), sha256: '0'.repeat(64) })).rejects.toThrow('403')
    expect(s3.objects.size).toBe(count)
  })

  it('fail with a word when nobody answers', async () => {
    const gone = s3Store({ ...s3.options, endpoint: 'http://127.0.0.1:9' })
    await expect(gone.read(randomKey())).rejects.toThrow('ECONNREFUSED')
    await expect(gone.keep(randomKey(), local(gone, Buffer.alloc(200_000)))).rejects.toThrow(/ECONNREFUSED|EPIPE|ECONNRESET/)
  })
})

describe('the environment', () => {
  const all = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' }
  it('names a store wholly or not at all', () => {
    expect(s3OptionsOf({})).toBeUndefined()
    expect(s3OptionsOf(all)).toEqual({ endpoint: 'https://s3.example', bucket: 'b', region: 'us-east-1', accessKeyId: 'k', secretAccessKey: 's' })
    expect(s3OptionsOf({ ...all, S3_REGION: 'eu-central-1' })?.region).toBe('eu-central-1')
    expect(() => s3OptionsOf({ ...all, S3_BUCKET: '' })).toThrow('An object store needs S3_BUCKET as well.')
    expect(() => s3OptionsOf({ ...all, S3_ENDPOINT: 'minio:9000' })).toThrow('S3_ENDPOINT is an address')
  })
})
