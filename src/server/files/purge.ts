import fs from 'node:fs'
import path from 'node:path'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { FileStore } from './fileStore.ts'

const abandonedMs = 24 * 3_600_000

/** Removes files whose time is over, and what was left of uploads that never ended. */
export async function purgeFiles(database: Database, clock: Clock, files: FileStore): Promise<void> {
  const now = clock.now()
  const rows = await database.rows<{ storage_key: string }>(sql`delete from attachment where expires_at < ${now.toISOString()} returning storage_key`)
  for (const row of rows) await files.remove(row.storage_key)
  const names = await fs.promises.readdir(files.incoming).catch(() => [])
  for (const name of names) {
    const file = path.join(files.incoming, name)
    const stat = await fs.promises.stat(file).catch(() => undefined)
    if (stat && now.getTime() - stat.mtimeMs > abandonedMs) await fs.promises.rm(file, { force: true })
  }
}
