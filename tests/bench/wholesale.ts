import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { metadata } from '#generated/metadata.ts'
import { loadUser } from '#server/access/users.ts'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/clock.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { diskStore } from '#server/files/diskStore.ts'
import { importByFile } from '#server/import/importByFile.ts'
import { violations } from '#server/ledger/invariants.ts'
import { registries } from '#server/registries.ts'
import { serverEnvironment, serverFlags } from '../../scripts/lib/serverFlags.mjs'
import { idByCode, password } from '../support/company.ts'
import { approvePrices, booked, fillWholesaler, saleLines, stockUp, wholesaleFiles } from '../support/wholesale.ts'
import type { Engine, Measure, Run } from './bench.ts'
import { emptyPlace } from './databases.ts'

const root = path.resolve(import.meta.dirname, '../..')
const megabyte = 1024 * 1024

/**
 * A wholesaler's sale lines through the imports, on each engine: items, customers and prices by command, the invoices by the web, in a server of
 * its own whose memory is watched. `ARUS_WHOLESALE` names a file of real lines; else 20,000 are made up (`ARUS_WHOLESALE_LINES`).
 */
export const run: Run = async ({ engines, log }) => {
  const measures: Measure[] = []
  for (const engine of engines) measures.push(...(await trade(engine, (line) => log(`${engine}: ${line}`))))
  return measures
}

async function trade(engine: Engine, log: (line: string) => void): Promise<readonly Measure[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arus-wholesale-'))
  const { place, remove } = await emptyPlace(engine, folder)
  try {
    const given = process.env['ARUS_WHOLESALE']
    const source = given ?? path.join(folder, 'lines.csv')
    if (given === undefined) fs.writeFileSync(source, saleLines(Number(process.env['ARUS_WHOLESALE_LINES'] ?? 20_000)))
    const sales = await wholesaleFiles(source, folder, systemClock.today())
    log(`${sales.lines} lines: ${sales.invoices} invoices, ${sales.customers} customers, ${sales.items} items, ${sales.units} units, ${sales.value}`)
    const open = () => openDatabase({ ...place, log })
    const masters = await open()
    await migrate(masters)
    await fillWholesaler(masters, systemClock, { from: sales.firstDay, to: sales.lastDay })
    const app = await buildApp({ database: masters, clock: systemClock, metadata, registries, version: 'bench', files: diskStore(path.join(folder, 'files')), log })
    await app.ready()
    const user = await loadUser(masters, await idByCode(masters, 'app_user', 'admin@arus.example', 'email'))
    for (const [name, file, sheet] of [['item', sales.files.items, 'item'], ['customer', sales.files.customers, undefined], ['price-change', sales.files.prices, undefined]] as const) {
      const screen = metadata.screens[`${name}.import`]
      if (screen?.kind !== 'import' || user === undefined) throw new Error(`No import ${name}`)
      const started = performance.now()
      const { batch, lines } = await importByFile(app.imports, user, screen, { path: file, sheet, isOnlyChecked: false, isAnyway: false })
      for (const line of lines.slice(0, 5)) log(line)
      log(`${name}: ${batch.counts.imported} of ${batch.counts.total} rows in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    }
    const prices = await approvePrices(app, masters)
    if (prices !== sales.items) throw new Error(`${prices} prices of ${sales.items} items`)
    await stockUp(masters, sales)
    await app.close()
    await masters.close()

    const server = await Server.start(folder, place.kind === 'postgres' ? place.url : undefined)
    const measures: Measure[] = []
    try {
      const before = performance.now()
      const checked = await server.import('so-to-invoice.import', sales.files.invoices)
      log(`checked: ${checked.RowsRight} of ${checked.RowsTotal} right in ${((performance.now() - before) / 1000).toFixed(1)} s, ${server.peak()} MB`)
      const started = performance.now()
      const done = await server.commit(checked.ID)
      const seconds = (performance.now() - started) / 1000
      log(`imported: ${done.RowsImported} lines in ${seconds.toFixed(1)} s, ${server.peak()} MB`)
      if (done.RowsImported !== sales.lines) throw new Error(`${done.RowsWrong} lines are not imported: ${JSON.stringify((await server.get(`/api/v1/import-batch/${checked.ID}/rows?state=ERROR`)).rows?.slice(0, 3))}`)
      // What the reports say of it must be the same to the penny.
      const days = `date_from=${sales.firstDay}&date_to=${sales.lastDay}`
      for (const [report, query, measure] of [['ar-aging', `as_of=${systemClock.today()}`, 'remaining'], ['zdr-bill', days, 'total'], ['fbl5n', `as_of=${systemClock.today()}`, 'amount'], ['journal', days, 'balance']] as const) {
        const { totals } = (await server.get(`/api/v1/report/${report}.report?length=1&${query}`)) as unknown as { readonly totals: Readonly<Record<string, string>> }
        log(`${report}: ${measure} ${totals[measure]}`)
        if (totals[measure] !== (measure === 'balance' ? '0.00' : sales.value)) throw new Error(`${report} says ${JSON.stringify(totals)}, not ${sales.value}`)
      }
      measures.push(
        { what: `${engine}: ${sales.lines} lines to invoices`, value: sales.lines / seconds, unit: 'lines/s', limit: 150, bound: 'least' },
        { what: `${engine}: largest memory of the server meanwhile`, value: server.peak(), unit: 'MB', limit: 512, bound: 'most' },
      )
    } finally {
      await server.stop()
    }
    const books = await open()
    const said = await booked(books)
    log(JSON.stringify(said))
    const wrong = await violations(books, systemClock.today())
    if (wrong.length > 0) throw new Error(`The books do not hold together: ${JSON.stringify(wrong.slice(0, 3))}`)
    await books.close()
    const expected = { invoices: sales.invoices, customers: sales.customers, items: sales.items, units: String(sales.units), total: sales.value, remaining: sales.value, lines: sales.lines, currency: 'GBP', tax: '0.00', rounding: '0.00', unbalanced: 0, receivables: sales.value, revenue: sales.value }
    for (const [name, value] of Object.entries(expected)) if (said[name] !== value) throw new Error(`${name}: ${String(said[name])}, not ${value}`)
    return measures
  } finally {
    await remove()
    await fs.promises.rm(folder, { recursive: true, force: true })
  }
}

interface BatchState {
  readonly ID: number
  readonly Work: string | null
  readonly Status: number
  readonly RowsTotal: number
  readonly RowsRight: number
  readonly RowsWrong: number
  readonly RowsImported: number
  readonly RowsDone: number
  readonly Problem: unknown
}

/** The server as `npm start` starts it, in a process of its own. */
export class Server {
  readonly #child: ChildProcess
  readonly #origin: string
  #token = ''
  #largest = 0

  private constructor(child: ChildProcess, origin: string) {
    this.#child = child
    this.#origin = origin
  }

  /** `url`: of the PostgreSQL it works on instead of a database in the folder. */
  static async start(folder: string, url?: string): Promise<Server> {
    const { DATABASE_URL: _url, ...env } = process.env
    fs.mkdirSync(path.join(root, 'dist/client'), { recursive: true })
    await new Promise<void>((resolve, reject) => {
      spawn(process.execPath, [path.join(root, 'scripts/build-server.mjs')], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The build ended with ${code}`))))
    })
    const child = spawn(process.execPath, [...serverFlags(url), path.join(root, 'dist/server/main.js')], { cwd: root, env: { ...serverEnvironment, ...env, ...(url === undefined ? {} : { DATABASE_URL: url }), PORT: '0', ARUS_DATA: folder }, stdio: ['ignore', 'pipe', 'inherit'] })
    const origin = await new Promise<string>((resolve, reject) => {
      let printed = ''
      child.stdout.on('data', (chunk: unknown) => {
        printed += String(chunk)
        const ready = /ready: (http:\/\/localhost:\d+)/.exec(printed)
        if (ready?.[1] !== undefined) resolve(ready[1])
      })
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${printed}`)))
    })
    const server = new Server(child, origin)
    const { token } = (await server.#send('POST', '/api/v1/login', JSON.stringify({ email: 'admin@arus.example', password, user_agent: 'bench' }))) as { readonly token?: string }
    server.#token = token ?? ''
    return server
  }

  /** Most memory it has ever held, in MB, as the operating system counts it. */
  peak(): number {
    const status = fs.readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    this.#largest = Math.max(this.#largest, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024)
    return Math.round(this.#largest / megabyte)
  }

  get(url: string): Promise<Readonly<Record<string, unknown>> & { readonly rows?: readonly unknown[] }> {
    return this.#send('GET', url)
  }

  /** Sends a file in and waits until it is read and checked. */
  async import(screen: string, file: string, onProgress?: (done: number, work: string) => void): Promise<BatchState> {
    const form = new FormData()
    form.append('file', await fs.openAsBlob(file), path.basename(file))
    const { record } = (await this.#send('POST', `/api/v1/import/${screen}`, form)) as unknown as { readonly record: BatchState }
    return this.settled(record.ID, onProgress)
  }

  /** Imports for a while, then stops it. */
  async commitFor(id: number, milliseconds: number): Promise<BatchState> {
    await this.#send('POST', `/api/v1/import-batch/${id}/commit`, '{}')
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    await this.#send('POST', `/api/v1/import-batch/${id}/cancel`, '{}')
    return this.settled(id)
  }

  async commit(id: number): Promise<BatchState> {
    await this.#send('POST', `/api/v1/import-batch/${id}/commit`, '{}')
    return this.settled(id)
  }

  async settled(id: number, onProgress: (done: number, work: string) => void = () => undefined): Promise<BatchState> {
    let told = performance.now()
    for (;;) {
      const { record } = (await this.get(`/api/v1/import-batch/${id}`)) as unknown as { readonly record: BatchState }
      if (record.Work === null) return record
      if (performance.now() - told > 20_000) {
        told = performance.now()
        onProgress(record.RowsDone, record.Work)
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.kill('SIGTERM')
    })
  }

  async #send(method: string, url: string, body?: string | FormData): Promise<Readonly<Record<string, unknown>>> {
    const answer = await fetch(this.#origin + url, {
      method,
      headers: { ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }), ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) },
      ...(body === undefined ? {} : { body }),
    })
    const { message, data } = (await answer.json()) as { readonly message: string; readonly data: Readonly<Record<string, unknown>> }
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${message} ${JSON.stringify(data)}`)
    return data
  }
}
