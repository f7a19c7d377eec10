import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import fs from 'node:fs'
import path from 'node:path'
import { bundledBeside } from '#server/bundledBeside.ts'
import type { FromReader, ReadJob, ReadRefusal, ReadResult } from './job.ts'

const wholeMs = 120_000
const memoryMb = 512

/** A file that is not read, and why. */
export class ScanRefused extends Error {
  readonly why: ReadRefusal | 'slow' | 'ended'
  constructor(why: ReadRefusal | 'slow' | 'ended', text: string) {
    super(text)
    this.why = why
  }
}

export interface ReadingWatch {
  readonly signal: AbortSignal
  readonly onPage: (page: number, pages: number) => void
}

/**
 * Reads a PDF, PNG or JPEG in a process of its own, which ends with it, at the latest after two minutes.
 * Throws ScanRefused; what the signal says when it is aborted.
 */
export async function readScan(job: Omit<ReadJob, 'data'>, { signal, onPage }: ReadingWatch): Promise<ReadResult> {
  const data = await languageData()
  const entry = await bundledBeside(import.meta.dirname, 'reader')
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const child = fork(entry, { execArgv: [`--max-old-space-size=${memoryMb}`], env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'json' })
    const timer = setTimeout(() => settle(() => reject(new ScanRefused('slow', 'took too long'))), wholeMs)
    const stop = (): void => settle(() => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped')))
    let isSettled = false
    const settle = (how: () => void): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      child.kill('SIGKILL')
      how()
    }
    signal.addEventListener('abort', stop, { once: true })
    child.on('message', (message: FromReader) => {
      if (message.kind === 'page') onPage(message.page, message.pages)
      else if (message.kind === 'done') settle(() => resolve(message.result))
      else settle(() => reject(new ScanRefused(message.why, message.text)))
    })
    child.on('error', (error) => settle(() => reject(error)))
    child.on('exit', () => settle(() => reject(new ScanRefused('ended', 'the reading process ended'))))
    child.send({ ...job, data } satisfies ReadJob)
  })
}

/** One folder with the data of both languages, as the recogniser wants it. */
async function languageData(): Promise<string> {
  const require = createRequire(import.meta.url)
  const sources = ['eng', 'ind'].map((name) => ({ name, file: path.join(path.dirname(require.resolve(`@tesseract.js-data/${name}/package.json`)), '4.0.0_best_int', `${name}.traineddata.gz`) }))
  const folder = path.join(path.dirname(path.dirname(path.dirname(sources[0]?.file ?? ''))), '.arus-ocr')
  await fs.promises.mkdir(folder, { recursive: true })
  for (const { name, file } of sources) {
    const place = path.join(folder, `${name}.traineddata.gz`)
    if (!fs.existsSync(place)) await fs.promises.copyFile(file, `${place}.${process.pid}`).then(() => fs.promises.rename(`${place}.${process.pid}`, place))
  }
  return folder
}
