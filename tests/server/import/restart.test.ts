import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportBatch } from '#api/import.ts'
import { metadata } from '#generated/metadata.ts'
import { loadUser } from '#server/access/users.ts'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/clock.ts'
import type { Database } from '#server/context.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/sql.ts'
import { diskStore } from '#server/files/diskStore.ts'
import { importByFile } from '#server/import/importByFile.ts'
import { violations } from '#server/ledger/invariants.ts'
import { registries } from '#server/registries.ts'
import { idByCode, password } from '../../support/company.ts'
import { putDatabase, testFolder } from '../../support/database.ts'
import { ServerProcess } from '../../support/serverProcess.ts'
import { booked, fillWholesaler, saleLines, stockUp, wholesaleFiles, type Wholesale } from '../../support/wholesale.ts'

const folder = testFolder()
let trade: Wholesale
let batchId: number
let server: ServerProcess | undefined

async function onDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ kind: 'embedded', directory: path.join(folder, 'pgdata'), sharedBuffersMb: 64 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Starts the server and answers calls of its administrator. */
async function begin(): Promise<(method: 'GET' | 'POST', url: string) => Promise<{ readonly record: ImportBatch; readonly rows?: readonly unknown[] }>> {
  const started = await ServerProcess.start(folder)
  server = started
  const call = async (method: 'GET' | 'POST', url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await started.send(method, url, body, headers)
    if (reply.kind === 'broken' || reply.status !== 200) throw new Error(`${url}: ${JSON.stringify(reply)}`)
    return reply.body.data
  }
  const { token } = await call('POST', '/api/v1/login', { email: 'admin@arus.example', password, user_agent: 'test' })
  return (method, url) => call(method, url, method === 'POST' ? {} : undefined, { authorization: `Bearer ${token}` })
}

beforeAll(async () => {
  fs.writeFileSync(path.join(folder, 'lines.csv'), saleLines(1_200))
  trade = await wholesaleFiles(path.join(folder, 'lines.csv'), folder, systemClock.today())
  await putDatabase(path.join(folder, 'pgdata'))
  await onDatabase(async (database) => {
    await fillWholesaler(database, systemClock, { from: trade.firstDay, to: trade.lastDay })
    const app = await buildApp({ database, clock: systemClock, metadata, registries, version: 'test', files: diskStore(path.join(folder, 'files')), log: () => undefined })
    await app.ready()
    const user = await loadUser(database, await idByCode(database, 'app_user', 'admin@arus.example', 'email'))
    if (user === undefined) throw new Error('no administrator')
    const take = async (screenId: string, file: string, sheet: string | undefined, isOnlyChecked: boolean) => {
      const screen = metadata.screens[screenId]
      if (screen?.kind !== 'import') throw new Error(`no import ${screenId}`)
      return (await importByFile(app.imports, user, screen, { path: file, sheet, isOnlyChecked, isAnyway: false })).batch
    }
    expect((await take('item.import', trade.files.items, 'item', false)).counts.imported).toBe(trade.items)
    expect((await take('customer.import', trade.files.customers, undefined, false)).counts.imported).toBe(trade.customers)
    await stockUp(database, trade)
    const waiting = await take('so-to-invoice.import', trade.files.invoices, undefined, true)
    expect(waiting.counts).toMatchObject({ total: trade.lines, right: trade.lines })
    batchId = waiting.id
    await app.close()
  })
}, 240_000)

afterAll(() => server?.stop())

describe('a server that is killed while it imports', () => {
  it('leaves whole documents, goes on with the rest after a restart, and makes nothing twice', async () => {
    const call = await begin()
    await call('POST', `/api/v1/import-batch/${batchId}/commit`)
    for (;;) {
      const { rows = [] } = await call('GET', `/api/v1/import-batch/${batchId}/rows?state=COMMITTED&length=1`)
      if (rows.length > 0) break
    }
    await server?.kill()
    const left = await onDatabase((database) => database.first(sql`
      select b.work, (select count(*)::int from import_row r where r.import_batch_id = b.id and r.state = 'COMMITTED') as rows,
        (select count(distinct r.unit_no)::int from import_row r where r.import_batch_id = b.id and r.state = 'COMMITTED') as units,
        (select count(*)::int from sales_order) as orders, (select count(*)::int from invoice where status = 1) as invoices, (select count(*)::int from invoice_line) as lines
      from import_batch b where b.id = ${batchId}`))
    const { rows, units } = left as { rows: number; units: number }
    expect(left).toEqual({ work: 'COMMIT', rows, units, orders: units, invoices: units, lines: rows })
    expect(rows).toBeLessThan(trade.lines)
    const again = await begin()
    for (;;) {
      const { record } = await again('GET', `/api/v1/import-batch/${batchId}`)
      if (record.Work !== null) {
        // Asking without a pause would take the time of the import.
        await pause(50)
        continue
      }
      expect(record).toMatchObject({ Status: 3, RowsImported: trade.lines, RowsWrong: 0 })
      break
    }
    await server?.stop()
    await onDatabase(async (database) => {
      expect(await booked(database)).toMatchObject({
        invoices: trade.invoices, customers: trade.customers, items: trade.items, units: String(trade.units), lines: trade.lines, total: trade.value, remaining: trade.value,
        receivables: trade.value, revenue: trade.value, currency: 'GBP', tax: '0.00', rounding: '0.00', stock: '0.000', unbalanced: 0,
      })
      expect(await violations(database, systemClock.today())).toEqual([])
    })
  }, 240_000)
})
