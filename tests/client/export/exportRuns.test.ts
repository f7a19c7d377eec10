import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ExportBody, ExportJob } from '#api/export.ts'

/** The server of these tests: what it was asked, and the job it works at. */
const asked: string[] = []
let job: Pick<ExportJob, 'ID' | 'State' | 'RowsDone' | 'RowsTotal' | 'FileKey' | 'Problem'>
let start = Promise.resolve()
let isUnreachable = false
const opened: string[] = []
/** Why the finished file cannot be had. */
let gone: { readonly text: string } | undefined

vi.mock('#client/data/http.ts', () => ({
  onSay: () => undefined,
  send: async ({ method = 'GET', path }: { readonly method?: string; readonly path: string }) => {
    asked.push(`${method} ${path}`)
    if (path.endsWith('/cancel')) {
      if (isUnreachable) return { ok: false, problem: { code: 'UNREACHABLE', text: 'The server cannot be reached.' } }
      if (job.State === 'RUNNING') job = { ...job, State: 'CANCELLED' }
    }
    if (method === 'POST' && path === '/api/v1/export/job') await start
    return { ok: true, value: { record: job } }
  },
}))
vi.mock('#client/data/files.ts', () => ({
  openDownload: (key: string) => {
    opened.push(key)
    return Promise.resolve(gone === undefined ? { ok: true } : { ok: false, problem: gone })
  },
}))
const told: object[] = []
vi.mock('#client/app/toasts.ts', () => ({ notify: (toast: object) => void told.push(toast) }))

const { cancelRun, exportRuns, startExport } = await import('#client/export/exportRuns.ts')
const body = { screen: 'journal.list', format: 'xlsx' } as unknown as ExportBody
const cancelled = 'POST /api/v1/export/job/7/cancel'
const last = () => exportRuns().at(-1)
const begin = async (): Promise<string> => {
  startExport('Journal', body, 60_000)
  await vi.advanceTimersByTimeAsync(0)
  return last()?.key ?? ''
}

beforeEach(() => {
  vi.useFakeTimers()
  asked.length = 0
  opened.length = 0
  isUnreachable = false
  start = Promise.resolve()
  job = { ID: 7, State: 'RUNNING', RowsDone: 10_000, RowsTotal: 60_000, FileKey: null, Problem: null }
})

describe('a long export is cancelled', () => {
  it('before the server has answered its start: said at once, told the server as soon as it knows of which', async () => {
    let answer: () => void = () => undefined
    start = new Promise((resolve) => (answer = resolve))
    cancelRun(await begin())
    expect(last()).toMatchObject({ state: 'running', isStopping: true })
    expect(asked).not.toContain(cancelled)
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toContain(cancelled)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(last()).toMatchObject({ state: 'cancelled' })
  })

  it('while it is under way, once however often that is asked', async () => {
    const key = await begin()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(last()).toMatchObject({ state: 'running', isStopping: false, done: 10_000 })
    cancelRun(key)
    cancelRun(key)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked.filter((call) => call === cancelled)).toHaveLength(1)
    expect(last()).toMatchObject({ state: 'cancelled' })
  })

  it('too late: its file is offered, but not sent', async () => {
    const key = await begin()
    job = { ...job, State: 'DONE', RowsDone: 60_000, FileKey: 'journal' }
    cancelRun(key)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(last()).toMatchObject({ state: 'done', fileKey: 'journal' })
    expect(opened).toEqual([])
  })

  it('in vain where the server is not reached: it goes on, says why, and may be cancelled again', async () => {
    const key = await begin()
    isUnreachable = true
    cancelRun(key)
    await vi.advanceTimersByTimeAsync(0)
    expect(last()).toMatchObject({ state: 'running', isStopping: false, problem: 'The server cannot be reached.' })
    isUnreachable = false
    cancelRun(key)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(last()).toMatchObject({ state: 'cancelled', problem: undefined })
  })
})

it('a long export nobody cancels is followed and sent', async () => {
  await begin()
  job = { ...job, State: 'DONE', RowsDone: 60_000, FileKey: 'journal' }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(last()).toMatchObject({ state: 'done' })
  expect(opened).toEqual(['journal'])
})

it('"Download and preview failures show a red notification titled Error with the server message": a finished export that cannot be had', async () => {
  gone = { text: 'There is no such file.' }
  await begin()
  job = { ...job, State: 'DONE', FileKey: 'k' }
  await vi.advanceTimersByTimeAsync(1_000)
  expect([opened, told]).toEqual([['k'], [{ tone: 'error', title: expect.stringMatching(/Error|ui\.error/), text: 'There is no such file.' }]])
  gone = undefined
})
