import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { Services } from '#server/services.ts'
import { writeTable } from './exportTable.ts'
import type { PlannedExport } from './planExport.ts'

/** A receiver that takes nothing for so long is gone. */
const patienceMs = 60_000

export interface StreamedExport {
  readonly body: Readable
  /** Media type of the file. */
  readonly type: string
  /** Rows it will have. */
  readonly total: number
}

/**
 * The file as it is written. Resolves when its rows are known, so that a refusal can still be told; what goes wrong later breaks the stream off,
 * and a receiver that leaves ends the work before the next slice.
 */
export function streamExport(services: Pick<Services, 'log'>, { plan, open }: PlannedExport): Promise<StreamedExport> {
  const body = new PassThrough({ highWaterMark: 1024 * 1024 })
  const left = new AbortController()
  body.once('close', () => left.abort())
  // Whoever reads it hears of it; before that the promise says it.
  body.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    const send = async (bytes: Uint8Array): Promise<void> => {
      left.signal.throwIfAborted()
      if (!body.write(bytes)) await once(body, 'drain', { signal: AbortSignal.any([left.signal, AbortSignal.timeout(patienceMs)]) })
    }
    const file = open(send)
    plan
      .rows(async (source) => {
        resolve({ body, type: file.mediaType, total: source.total })
        await writeTable(plan, source, file, { signal: left.signal })
      })
      .then(
        () => body.end(),
        (error: unknown) => {
          // Too late for whoever has the stream already.
          reject(error)
          if (!left.signal.aborted) services.log(`An export broke off: ${error instanceof Error ? error.message : String(error)}`)
          body.destroy(error instanceof Error ? error : new Error(String(error)))
        },
      )
  })
}
