import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CellError } from '#api/import.ts'
import type { ImportScreen } from '#meta/resolved.ts'
import type { Sentence } from '#meta/sentence.ts'
import type { User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fileName } from '#server/files/receive.ts'
import { randomKey } from '#server/random.ts'
import { inEnglish } from '#server/sentences.ts'
import { findBatch, type Batch } from './batches.ts'
import type { ImportJobs } from './importJobs.ts'
import { requireTaking } from './permissions.ts'

/** Rows whose mistakes are told; the log has them all. */
const mostTold = 50

export interface FileImport {
  readonly path: string
  /** Kind of rows; undefined: told by the heads. */
  readonly sheet: string | undefined
  /** How its numbers are written; undefined: told by its values. */
  readonly decimal?: '.' | ','
  readonly isOnlyChecked: boolean
  /** A file imported before is imported once more. */
  readonly isAnyway: boolean
}

/** A file of this computer taken in as if it had been sent by a browser: the same rules, permissions and log. */
export async function importByFile(jobs: ImportJobs, user: User, screen: ImportScreen, wanted: FileImport): Promise<{ readonly batch: Batch; readonly lines: readonly string[]; readonly isRight: boolean }> {
  const { database, files, metadata } = jobs.services
  requireTaking(metadata, user, screen)
  const local = path.join(files.incoming, randomKey())
  await fs.promises.mkdir(files.incoming, { recursive: true })
  const hash = createHash('sha256')
  await pipeline(
    fs.createReadStream(wanted.path),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    fs.createWriteStream(local, { flags: 'wx' }),
  )
  const { size } = await fs.promises.stat(local)
  const taken = await jobs.take(user, screen, { path: local, name: fileName(wanted.path), size, sha256: hash.digest('hex'), type: 'application/octet-stream' }, undefined)
  await jobs.idle()
  let batch = (await findBatch(database, taken.id)) ?? taken
  if (wanted.sheet !== undefined && batch.status === 1 && batch.sheet !== wanted.sheet) {
    await jobs.read(user, batch.id, { sheet: wanted.sheet })
    await jobs.idle()
    batch = (await findBatch(database, taken.id)) ?? batch
  }
  if (wanted.decimal !== undefined && batch.status === 1) {
    await jobs.read(user, batch.id, { form: { decimal: wanted.decimal } })
    await jobs.idle()
    batch = (await findBatch(database, taken.id)) ?? batch
  }
  const mayCommit = batch.status === 1 && batch.counts.right + batch.counts.warned > 0 && (screen.mode === 'partial' || batch.counts.wrong === 0)
  if (!wanted.isOnlyChecked && mayCommit) {
    await jobs.begin(user, batch.id, 'COMMIT', wanted.isAnyway ? ['same-file'] : [])
    await jobs.idle()
    batch = (await findBatch(database, taken.id)) ?? batch
  }
  const rows = await database.rows<{ row_no: number; errors: readonly CellError[] }>(sql`
    select row_no, errors from import_row where import_batch_id = ${batch.id} and state = 'ERROR' order by row_no limit ${mostTold}`)
  const problem = batch.row['problem'] as Sentence | null
  return {
    batch,
    // A file that could not be read has no wrong rows, and is not right.
    isRight: batch.status !== 5 && (wanted.isOnlyChecked ? batch.counts.wrong === 0 : batch.counts.imported + batch.counts.skipped === batch.counts.total),
    lines: [
      ...(problem === null ? [] : [inEnglish(problem)]),
      ...rows.flatMap(({ row_no: row, errors }) => errors.map(({ column, code, text }) => `row ${row}${column === '' ? '' : `, ${column}`}: ${text} (${code})`)),
    ],
  }
}
