import { longExport, type ExportBody, type ExportFormat, type ExportJob } from '#api/export.ts'
import { t } from '../app/messages.ts'
import { send, type Answer, type Refusal } from '../data/http.ts'
import { download } from '../notes/download.ts'
import { downloadFile, saveFile } from './downloadFile.ts'

/** One export as the user follows it. */
export interface ExportRun {
  readonly key: string
  readonly title: string
  readonly format: ExportFormat
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  /** Made by the server in the background: may be left alone. */
  readonly isJob: boolean
  /** Cancelled by the user; the server has not said yet that it has stopped. */
  readonly isStopping: boolean
  /** Rows of a job, else bytes received. */
  readonly done: number
  readonly total: number | undefined
  readonly problem: string | undefined
  /** Key of a finished job's file. */
  readonly fileKey: string | undefined
}

const path = '/api/v1/export'
const askAgainMs = 700
const doneStaysMs = 6_000

let runs: readonly ExportRun[] = []
const stops = new Map<string, () => void>()
const watchers = new Set<() => void>()

export function exportRuns(): readonly ExportRun[] {
  return runs
}

export function watchRuns(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

export function listJobs(signal?: AbortSignal): Promise<Answer<{ readonly records: readonly ExportJob[] }>> {
  return send({ path: `${path}/job`, signal })
}

export function cancelJob(id: number): Promise<Answer<{ readonly record: ExportJob }>> {
  return send({ method: 'POST', path: `${path}/job/${id}/cancel`, isPart: true })
}

/** Makes the file: a short one comes at once, a long one is made in the background and followed. */
export function startExport(title: string, body: ExportBody, rows: number): void {
  const key = `${Date.now()} ${body.screen} ${body.format}`
  set({ key, title, format: body.format, state: 'running', isJob: rows > longExport, isStopping: false, done: 0, total: rows > longExport ? rows : undefined, problem: undefined, fileKey: undefined })
  void (rows > longExport ? inBackground(key, body) : atOnce(key, body))
}

export function cancelRun(key: string): void {
  stops.get(key)?.()
}

export function dismissRun(key: string): void {
  runs = runs.filter((run) => run.key !== key)
  tell()
}

async function atOnce(key: string, body: ExportBody): Promise<void> {
  const stop = new AbortController()
  stops.set(key, () => stop.abort())
  const answer = await downloadFile({ method: 'POST', path, body, signal: stop.signal }, (done) => change(key, { done }))
  stops.delete(key)
  if (!answer.ok) return fail(key, answer.problem)
  saveFile(answer.value)
  finish(key, { done: answer.value.blob.size })
}

async function inBackground(key: string, body: ExportBody): Promise<void> {
  let id: number | undefined
  let isStopping = false
  const cancel = async (): Promise<void> => {
    const answer = id === undefined ? undefined : await cancelJob(id)
    if (answer?.ok !== false) return
    isStopping = false
    change(key, { isStopping, problem: answer.problem.text })
  }
  stops.set(key, () => {
    if (isStopping) return
    isStopping = true
    change(key, { isStopping, problem: undefined })
    void cancel()
  })
  const started = await send<{ readonly record: ExportJob }>({ method: 'POST', path: `${path}/job`, body, isPart: true })
  if (!started.ok) return fail(key, started.problem)
  const { ID } = started.value.record
  id = ID
  // Cancelled before there was anything to cancel.
  if (isStopping) void cancel()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
    const answer = await send<{ readonly record: ExportJob }>({ path: `${path}/job/${ID}`, isPart: true })
    if (!answer.ok) return fail(key, answer.problem)
    const job = answer.value.record
    if (job.State === 'QUEUED' || job.State === 'RUNNING') {
      change(key, { done: job.RowsDone, total: job.RowsTotal ?? undefined })
      continue
    }
    stops.delete(key)
    if (job.State === 'CANCELLED') return change(key, { state: 'cancelled', problem: undefined })
    if (job.State === 'FAILED' || job.FileKey === null) return change(key, { state: 'failed', problem: job.Problem?.text ?? t('ui.load-failed') })
    finish(key, { done: job.RowsDone, fileKey: job.FileKey })
    // Cancelled too late: it is there for who wants it after all.
    if (!isStopping) await download(job.FileKey)
    return undefined
  }
}

function fail(key: string, problem: Refusal): void {
  stops.delete(key)
  change(key, problem.code === 'ABORTED' ? { state: 'cancelled' } : { state: 'failed', problem: problem.text === '' ? t('ui.load-failed') : problem.text })
}

function finish(key: string, last: Partial<ExportRun>): void {
  change(key, { state: 'done', problem: undefined, ...last })
}

function set(run: ExportRun): void {
  runs = [...runs, run]
  tell()
}

function change(key: string, change: Partial<ExportRun>): void {
  runs = runs.map((run) => (run.key === key ? { ...run, ...change } : run))
  tell()
  const after = runs.find((run) => run.key === key)
  if (after?.state === 'done' || after?.state === 'cancelled') setTimeout(() => dismissRun(key), doneStaysMs)
}

function tell(): void {
  for (const watcher of watchers) watcher()
}
