import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { ImportBatch, ImportRow } from '#api/import.ts'
import type { Session } from './app.ts'
import { upload } from './upload.ts'

/** Imports as one user makes them: each call answers when nothing is under way any more. */
export class Imports {
  readonly #app: FastifyInstance
  readonly #session: Session

  constructor({ app }: { readonly app: FastifyInstance }, session: Session) {
    this.#app = app
    this.#session = session
  }

  /** Sends a file in; it is read and checked. */
  async take(screen: string, bytes: string | Buffer, { name = 'rows.csv', query = '' }: { readonly name?: string; readonly query?: string } = {}): Promise<ImportBatch> {
    const sent = await upload(this.#app, this.#session.token, `/api/v1/import/${screen}${query}`, { name, bytes })
    expect([sent.status, sent.message]).toEqual([200, expect.any(String)])
    return this.settled(sent.data.record)
  }

  /** Takes the rows for another kind than their heads say. */
  async as(sheet: string, batch: ImportBatch): Promise<ImportBatch> {
    if (batch.Sheet === sheet || batch.Status !== 1) return batch
    expect((await this.#session.put(`/api/v1/import-batch/${batch.ID}/reading`, { sheet })).status).toBe(200)
    return this.settled(batch)
  }

  commit(batch: ImportBatch, acknowledge: readonly string[] = []): Promise<ImportBatch> {
    return this.#begin(batch, 'commit', acknowledge)
  }

  undo(batch: ImportBatch): Promise<ImportBatch> {
    return this.#begin(batch, 'undo', [])
  }

  async rows(batch: ImportBatch, state?: string): Promise<readonly ImportRow[]> {
    return (await this.#session.get(`/api/v1/import-batch/${batch.ID}/rows`, { length: 500, ...(state === undefined ? {} : { state }) })).data.rows
  }

  /** What is wrong or odd, a line each: row, column, code, text. */
  async errors(batch: ImportBatch): Promise<readonly string[]> {
    return errorLines(await this.rows(batch))
  }

  async settled({ ID: id }: Pick<ImportBatch, 'ID'>): Promise<ImportBatch> {
    const giveUp = Date.now() + 45_000
    for (;;) {
      const { data } = await this.#session.get(`/api/v1/import-batch/${id}`)
      if (data.record.Work === null) return data.record
      // Endless waiting would keep the whole run from ending.
      if (Date.now() > giveUp) throw new Error(`Import ${id} still stands at ${data.record.Work}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async #begin(batch: ImportBatch, work: 'commit' | 'undo', acknowledge: readonly string[]): Promise<ImportBatch> {
    const answer = await this.#session.post(`/api/v1/import-batch/${batch.ID}/${work}`, {}, { acknowledge })
    expect([answer.status, answer.message]).toEqual([200, expect.any(String)])
    return this.settled(batch)
  }
}

export function errorLines(rows: readonly ImportRow[]): readonly string[] {
  return rows.flatMap((row) => row.Errors.map((error) => `${row.RowNo} ${error.column} ${error.code} ${error.text}`))
}
