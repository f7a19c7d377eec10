import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { FileStore, LocalFile } from '#server/files/fileStore.ts'
import { randomKey } from '#server/random.ts'
import { writeTable, type Watch } from './exportTable.ts'
import type { PlannedExport } from './planExport.ts'

export interface StoredExport extends LocalFile {
  readonly key: string
}

/** Writes the file beside the store and hands it over whole. Whatever goes wrong, nothing of it stays behind. */
export async function storeExport(files: FileStore, { plan, open }: PlannedExport, watch: Watch & { readonly onTotal: (total: number) => void }): Promise<StoredExport> {
  const target = path.join(files.incoming, randomKey())
  await fs.promises.mkdir(files.incoming, { recursive: true })
  try {
    const written = await writeTo(target, plan, open, watch)
    const key = randomKey()
    await files.keep(key, written)
    return { ...written, key }
  } finally {
    await fs.promises.rm(target, { force: true })
  }
}

async function writeTo(target: string, plan: PlannedExport['plan'], open: PlannedExport['open'], watch: Watch & { readonly onTotal: (total: number) => void }): Promise<LocalFile> {
  const handle = await fs.promises.open(target, 'wx')
  try {
    const hash = createHash('sha256')
    let size = 0
    const file = open(async (bytes) => {
      hash.update(bytes)
      size += bytes.length
      await handle.writeFile(bytes)
    })
    await plan.rows((source) => {
      watch.onTotal(source.total)
      return writeTable(plan, source, file, watch)
    })
    await handle.sync()
    return { path: target, size, sha256: hash.digest('hex'), type: file.mediaType }
  } finally {
    await handle.close()
  }
}
