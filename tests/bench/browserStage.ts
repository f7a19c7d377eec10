import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { followRequests } from '../support/settled.ts'

export const rounds = 5
const slowDown = 4
const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((file) => file !== undefined && fs.existsSync(file)) ?? chromium.executablePath()

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

export interface Stage {
  readonly origin: string
  /** A window of its own without a cache; nobody is signed in but whose cookies and storage it is given. */
  readonly newContext: (signedIn?: SignedIn) => Promise<BrowserContext>
}

/** Chromium and the built server on a fresh demo company, `scale` times its size, for as long as `work` takes. */
export async function onStage<T>(log: (line: string) => void, work: (stage: Stage) => Promise<T>, scale = 1): Promise<T> {
  const server = await startServer(log, scale)
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
      // With a driver at work the browser looks up every place of a file for the trace of each error made (React makes three while its file is run), by
      // reading the file once more: 20 ms of a fast processor. It does so for nobody else; kept from the first reading, places are looked up by nobody.
      '--js-flags=--no-enable-lazy-source-positions',
    ],
  })
  try {
    const newContext = async (storageState?: SignedIn) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...(storageState === undefined ? {} : { storageState }), permissions: ['clipboard-read', 'clipboard-write'] })
      // The compiler of this file names functions by a helper that the page does not have.
      followRequests(context)
      await context.addInitScript('globalThis.__name = (made) => made')
      return context
    }
    return await work({ origin: server.origin, newContext })
  } finally {
    await browser.close()
    server.stop()
  }
}

export async function slowed(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  return session
}

export async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/pages/login`)
  await page.getByLabel(/mail/i).fill('admin@arus.example')
  await page.locator('input[type="password"]').fill('Arus-demo-1')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/home')
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly tid: number
  readonly pid: number
}

/** What the browser's scheduler and its inspector do around each task is not the page's work. */
const notWork = new Set(['RunTask', 'ThreadControllerImpl::RunTask', 'SimpleWatcher::OnHandleReady', 'Receive mojo message'])

/** Processor milliseconds the main thread works for one key: handlers, style, layout, painting. Undefined: arrow keys. */
export async function busyPerKey(page: Page, session: CDPSession, text: string | undefined): Promise<number> {
  const keys = text === undefined ? Array.from({ length: 12 }, () => 'ArrowDown') : text.split('')
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'] } })
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.waitForTimeout(60)
  }
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', collect)
  return workIn(events) / 1000 / keys.length
}

/** Microseconds of the thread that handled the keys, each event without what is nested in it. */
function workIn(events: readonly TraceEvent[]): number {
  const dispatch = events.find((event) => event.name === 'EventDispatch')
  const own = events.filter((event) => event.ph === 'X' && event.tid === dispatch?.tid && event.pid === dispatch.pid).toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  const open: { readonly end: number; readonly isWork: boolean }[] = []
  let work = 0
  for (const event of own) {
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= event.ts) open.pop()
    const time = event.tdur ?? event.dur ?? 0
    const isWork = !notWork.has(event.name)
    const parent = open.at(-1)
    if (isWork && parent?.isWork !== true) work += time
    open.push({ end: event.ts + (event.dur ?? 0), isWork: isWork || parent?.isWork === true })
  }
  return work
}

interface Running {
  readonly origin: string
  readonly stop: () => void
}

/** The built server on a fresh demo company, or the one E2E_URL names. */
async function startServer(log: (line: string) => void, scale: number): Promise<Running> {
  const running = process.env['E2E_URL']
  if (running !== undefined) return { origin: running, stop: () => undefined }
  if (!fs.existsSync(path.resolve(import.meta.dirname, '../../dist/server/main.js'))) throw new Error('Nothing is built: run `npm start` once, or `npm test`.')
  const port = '4189'
  log('starting the server on a fresh demo company …')
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-bench-'))
  if (scale !== 1) {
    log(`seeding ${scale} times the demo company …`)
    const root = path.resolve(import.meta.dirname, '../..')
    const seeding = spawn(process.execPath, [path.join(root, 'node_modules/tsx/dist/cli.mjs'), 'scripts/seed.ts', '--scale', String(scale), '--data', data], { cwd: root, stdio: 'ignore' })
    const code = await new Promise((resolve) => seeding.once('exit', resolve))
    if (code !== 0) throw new Error('The larger demo company could not be seeded')
  }
  // It takes its folder with it when it ends.
  const child: ChildProcess = spawn(process.execPath, [path.resolve(import.meta.dirname, '../e2e/serve.mjs')], { env: { ...process.env, PORT: port, E2E_DATA: data }, stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  for (let waited = 0; waited < 240; waited++) {
    if (await isHealthy(origin)) return { origin, stop: () => void child.kill('SIGTERM') }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  child.kill('SIGTERM')
  throw new Error('The server did not become healthy within 4 minutes')
}

async function isHealthy(origin: string): Promise<boolean> {
  return fetch(`${origin}/api/v1/health`).then(
    (answer) => answer.ok,
    () => false,
  )
}
