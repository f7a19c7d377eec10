import { chromium, type CDPSession, type Page } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { quantile, type Measure, type Run } from './bench.ts'

const rounds = 5
const slowDown = 4
const columns = 'code,doc_date,customer_id,requested_date,po_number,total,dpp,ppn,status,stage,salesman_id,operating_unit_id'
const query = `length=100&order=doc_date,id&sort=desc,desc&columns=${columns}`

/**
 * Chromium at fourfold CPU slow-down against the built server with the demo company: a click to a painted list beside a plain HTML page
 * with the same rows, and what one key costs in an order of 200 and 500 lines. Medians of interleaved rounds.
 */
export const run: Run = async ({ log }) => {
  const server = await startServer(log)
  const browser = await chromium.launch({
    executablePath: [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((file) => file !== undefined && fs.existsSync(file)) ?? chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] })
    // The compiler of this file names functions by a helper that the page does not have.
    await context.addInitScript('globalThis.__name = (made) => made')
    const page = await context.newPage()
    await signIn(page, server.origin)
    const plain = await context.newPage()
    await plain.route('**/plain.html', (route) => route.fulfill({ contentType: 'text/html', body: plainPage }))
    const list = await listTimes(page, plain, server.origin, log)
    const keys: Measure[] = []
    for (const lines of [200, 500]) keys.push(...(await keyCosts(page, server.origin, lines, log)))
    return [...list, ...keys]
  } finally {
    await browser.close()
    server.stop()
  }
}

async function listTimes(page: Page, plain: Page, origin: string, log: (line: string) => void): Promise<readonly Measure[]> {
  await plain.goto(`${origin}/plain.html`)
  await page.goto(`${origin}/sales-order-list?n=100&v=none`)
  await painted(page, 100)
  const ours = await slowed(page)
  const theirs = await slowed(plain)
  const samples = { warm: [] as number[], sort: [] as number[], plainWarm: [] as number[], plainSort: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    await page.bringToFront()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.waitForURL('**/home')
    await page.waitForLoadState('networkidle')
    samples.warm.push(await timed(page, 'back', 100))
    samples.sort.push(await timed(page, 'sort', 100))
    await plain.bringToFront()
    samples.plainWarm.push(await timed(plain, 'plain', 100))
    samples.plainSort.push(await timed(plain, 'plainSort', 100))
  }
  await ours.detach()
  await theirs.detach()
  const [warm, sort, plainWarm, plainSort] = [samples.warm, samples.sort, samples.plainWarm, samples.plainSort].map((values) => quantile(values, 0.5)) as [number, number, number, number]
  log(`list: warm ${warm.toFixed(0)} ms (plain ${plainWarm.toFixed(0)}), sort ${sort.toFixed(0)} ms (plain ${plainSort.toFixed(0)})`)
  return [
    { what: 'warm route to a list of 100 painted, beside a plain page', value: warm / plainWarm, unit: '×', limit: 2, bound: 'most' },
    { what: 'sort to repaint, beside a plain page', value: sort / plainSort, unit: '×', limit: 1.6, bound: 'most' },
  ]
}

/** Milliseconds from the deed to the frame after `rows` rows stand in a table. */
function timed(page: Page, deed: 'back' | 'sort' | 'plain' | 'plainSort', rows: number): Promise<number> {
  return page.evaluate(
    ({ deed, rows }) =>
      new Promise<number>((resolve, reject) => {
        const before = document.querySelector('tbody tr')?.textContent
        const started = performance.now()
        if (deed === 'back') history.back()
        else if (deed === 'sort') document.querySelector<HTMLElement>('thead th button')?.click()
        else document.querySelector<HTMLElement>(deed === 'plain' ? '#open' : '#sort')?.click()
        const giveUp = started + 20_000
        const look = () => {
          const found = document.querySelectorAll('tbody tr')
          const changed = deed === 'back' || deed === 'plain' || found[0]?.textContent !== before
          if (found.length >= rows && changed) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
          else if (performance.now() > giveUp) reject(new Error(`${deed}: ${found.length} rows after 20 s`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { deed, rows },
  )
}

async function painted(page: Page, rows: number): Promise<void> {
  await page.waitForFunction((count) => document.querySelectorAll('tbody tr').length >= count, rows)
}

async function keyCosts(page: Page, origin: string, lines: number, log: (line: string) => void): Promise<readonly Measure[]> {
  await page.bringToFront()
  await page.goto(`${origin}/sales-order-form`)
  await page.getByRole('grid').waitFor()
  // A draft of the round before is not what is measured.
  const drop = page.getByRole('button', { name: 'Throw it away' })
  if (await drop.isVisible()) await drop.click()
  await page.getByRole('combobox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.type('C0000017')
  await page.keyboard.press('Tab')
  const codes = await itemCodes(page)
  await page.getByRole('grid').focus()
  await page.evaluate((text) => navigator.clipboard.writeText(text), Array.from({ length: lines }, (_, i) => `${codes[i % codes.length]}\t${(i % 9) + 1}`).join('\n'))
  await page.keyboard.press('Control+v')
  await page.getByText(`Lines: ${lines}`).waitFor({ timeout: 30_000 })
  await page.waitForTimeout(3000)
  const session = await slowed(page)
  const cell: number[] = []
  const header: number[] = []
  const moves: number[] = []
  const box = page.getByRole('textbox', { name: 'PO number' })
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(500)
    await page.keyboard.press('F2')
    cell.push(await busyPerKey(page, session, '123456789012'))
    await page.keyboard.press('Escape')
    await page.waitForTimeout(500)
    moves.push(await busyPerKey(page, session, undefined))
    await box.focus()
    await page.waitForTimeout(500)
    header.push(await busyPerKey(page, session, 'PO-123456789'))
    await box.fill('')
    await page.waitForTimeout(1500)
  }
  await session.detach()
  log(`${lines} lines: cell ${quantile(cell, 0.5).toFixed(1)} ms, header ${quantile(header, 0.5).toFixed(1)} ms, arrow ${quantile(moves, 0.5).toFixed(1)} ms a key`)
  return [
    { what: `key in a cell of ${lines} lines, busy`, value: quantile(cell, 0.5), unit: 'ms', limit: 16, bound: 'most' },
    { what: `key in the header over ${lines} lines, busy`, value: quantile(header, 0.5), unit: 'ms', limit: 16, bound: 'most' },
    { what: `arrow key in ${lines} lines, busy`, value: quantile(moves, 0.5), unit: 'ms', limit: 16, bound: 'most' },
  ]
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
async function busyPerKey(page: Page, session: CDPSession, text: string | undefined): Promise<number> {
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

async function slowed(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  return session
}

async function itemCodes(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const token = decodeURIComponent(/(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1] ?? '')
    const answer = await fetch('/api/v1/lookup/item?length=100', { headers: { Authorization: `Bearer ${token}` } })
    const body: { data: { records: { Code: string }[] } } = await answer.json()
    return body.data.records.map((record) => record.Code)
  })
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/pages/login`)
  await page.getByLabel(/mail/i).fill('admin@arus.example')
  await page.locator('input[type="password"]').fill('Arus-demo-1')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/home')
}

/** The same rows as plain as a page can be: ask, join text, done. */
const plainPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title>
<style>body{font:14px sans-serif}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:4px 8px;white-space:nowrap}</style>
<button id="open">Open</button> <button id="sort">Sort</button><table><thead></thead><tbody></tbody></table>
<script>
const names = ${JSON.stringify(columns.split(','))}
let dir = 'desc'
async function show() {
  const token = decodeURIComponent((/(?:^|; )token=([^;]+)/.exec(document.cookie) || [])[1] || '')
  const answer = await fetch('/api/v1/data/sales-order?${query}'.replace('sort=desc', 'sort=' + dir), { headers: { Authorization: 'Bearer ' + token } })
  const { data } = await answer.json()
  const keys = Object.keys(data.rows[0]).filter((key) => key !== 'Actions').slice(0, 12)
  document.querySelector('thead').innerHTML = '<tr>' + keys.map((key) => '<th>' + key + '</th>').join('') + '</tr>'
  document.querySelector('tbody').innerHTML = data.rows.map((row) => '<tr>' + keys.map((key) => '<td>' + String(row[key] ?? '').replace(/</g, '&lt;') + '</td>').join('') + '</tr>').join('')
}
document.querySelector('#open').onclick = () => { document.querySelector('tbody').innerHTML = ''; show() }
document.querySelector('#sort').onclick = () => { dir = dir === 'desc' ? 'asc' : 'desc'; show() }
</script></html>`

interface Running {
  readonly origin: string
  readonly stop: () => void
}

/** The built server on a fresh demo company, or the one E2E_URL names. */
async function startServer(log: (line: string) => void): Promise<Running> {
  const running = process.env['E2E_URL']
  if (running !== undefined) return { origin: running, stop: () => undefined }
  if (!fs.existsSync(path.resolve(import.meta.dirname, '../../dist/server/main.js'))) throw new Error('Nothing is built: run `npm start` once, or `npm test`.')
  const port = '4189'
  log('starting the server on a fresh demo company …')
  const child: ChildProcess = spawn(process.execPath, [path.resolve(import.meta.dirname, '../e2e/serve.mjs')], { env: { ...process.env, PORT: port }, stdio: 'ignore' })
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
