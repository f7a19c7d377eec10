import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ScanState } from '#api/ocr.ts'
import { loadUser } from '#server/access/users.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { addFileRow } from '#server/files/fileRows.ts'
import { randomKey } from '#server/random.ts'
import { setting } from '#server/settings.ts'
import type { Services } from '#server/services.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { runTransition } from '#server/workflow/engine.ts'
import type { Reading } from '#domain/ocr/extract.ts'
import type { ReadResult } from './job.ts'
import { readScan, ScanRefused } from './readScan.ts'
import { templatesOf } from './templates.ts'

/** Work left behind by another server is looked for so often; what is sent to this one is begun at once. */
const roundMs = 30_000
/** A file whose server has been silent for so long is read anew. */
const silentMs = 180_000
const mostTries = 3

interface Scan extends Row {
  readonly id: number
  readonly storage_key: string
  readonly mime: string
  readonly tries: number
  readonly owner: number
}

/** Where a page's picture is kept. */
export interface KeptPage {
  readonly key: string
  readonly width: number
  readonly height: number
  readonly isDigital: boolean
}

/** Scans are read in the background, one at a time. What is to be read stands in the database: after a restart the next server goes on with it. */
export class OcrJobs {
  readonly #services: Services
  #timer: NodeJS.Timeout | undefined
  #open: { readonly id: number; readonly stop: AbortController; readonly done: Promise<void> } | undefined
  #isClosed = false

  constructor(services: Services) {
    this.#services = services
  }

  async start(): Promise<void> {
    await this.#adopt(this.#services.database.engine === 'embedded' ? 0 : silentMs)
    this.#timer = setInterval(() => this.wake(), roundMs).unref()
    this.wake()
  }

  /** A scan may have come. */
  wake(): void {
    if (this.#open === undefined) void this.#all()
  }

  async #all(): Promise<void> {
    while (await this.#beat()) if (this.#isClosed) return
  }

  /** Stops reading a file; what is known of it stays. */
  async stop(id: number): Promise<void> {
    await this.#services.database.transaction((tx) => this.#end(tx, id, ['QUEUED', 'READING'], sql`reading = 'FAILED', problem = 'stopped'`))
    if (this.#open?.id === id) this.#open.stop.abort(new Error('stopped'))
  }

  /** Until nothing is left to read. */
  async idle(): Promise<void> {
    while (this.#open !== undefined || (await this.#beat())) await this.#open?.done
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#open?.stop.abort(new Error('closing'))
    await this.#open?.done
  }

  /** Reads the next one; false when there is none. */
  async #beat(): Promise<boolean> {
    if (this.#isClosed || this.#open !== undefined) return false
    const stop = new AbortController()
    let finish: () => void = () => undefined
    this.#open = { id: 0, stop, done: new Promise((resolve) => (finish = resolve)) }
    try {
      const scan = await this.#next()
      if (scan === undefined) return false
      this.#open = { ...this.#open, id: scan.id }
      await this.#read(scan, stop)
      return true
    } catch (error) {
      this.#services.log(`A scan could not be read: ${String(error)}`)
      return false
    } finally {
      this.#open = undefined
      finish()
    }
  }

  async #adopt(silent: number): Promise<void> {
    const before = new Date(this.#services.clock.now().getTime() - silent).toISOString()
    await this.#services.database.run(sql`
      update vendor_invoice_ocr o set reading = 'QUEUED' from vendor_invoice_ocr_reading r where r.vendor_invoice_ocr_id = o.id and o.reading = 'READING' and r.beat_at <= ${before}`)
  }

  /** Takes the next file, so that no other server does. */
  async #next(): Promise<Scan | undefined> {
    const { database, clock } = this.#services
    const waiting = await database.first(sql`select 1 from vendor_invoice_ocr where reading = 'QUEUED' limit 1`)
    if (waiting === undefined) return undefined
    return database.transaction(async (tx) => {
      const scan = await tx.first<Scan>(sql`
        update vendor_invoice_ocr o set reading = 'READING', problem = null from attachment a
        where a.id = o.scan_id and o.id = (select id from vendor_invoice_ocr where reading = 'QUEUED' and status = 8 order by id limit 1 for update skip locked)
        returning o.id, a.storage_key, a.mime, coalesce(o.updated_by, o.created_by) as owner`)
      if (scan === undefined) return undefined
      const row = await tx.first<{ tries: number }>(sql`
        insert into vendor_invoice_ocr_reading as r (vendor_invoice_ocr_id, beat_at, tries, page, pages_there, pages, readings) values (${scan.id}, ${clock.now().toISOString()}, 1, 0, 0, '[]', '[]')
        on conflict (vendor_invoice_ocr_id) do update set beat_at = excluded.beat_at, tries = r.tries + 1, page = 0, pages_there = 0 returning tries`)
      return { ...scan, tries: row?.tries ?? 1 }
    })
  }

  async #read(scan: Scan, stop: AbortController): Promise<void> {
    const { database, files, clock } = this.#services
    const folder = path.join(files.incoming, `scan-${randomKey()}`)
    try {
      if (scan.tries > mostTries) throw new ScanRefused('ended', 'given up')
      await fs.promises.mkdir(folder, { recursive: true })
      const file = path.join(folder, 'file')
      await pipeline(await files.read(scan.storage_key), fs.createWriteStream(file))
      const languages = (await setting(database, 'ocr_languages', null, 'eng')).split('+')
      const result = await readScan({ file, out: folder, languages, templates: await templatesOf(database) }, {
        signal: stop.signal,
        onPage: (page, pages) => void database.run(sql`update vendor_invoice_ocr_reading set page = ${page}, pages_there = ${pages}, beat_at = ${clock.now().toISOString()} where vendor_invoice_ocr_id = ${scan.id}`),
      })
      await this.#keep(scan, result)
    } catch (error) {
      // Left where it is: the next server takes it up.
      if (this.#isClosed) return void (await database.run(sql`update vendor_invoice_ocr set reading = 'QUEUED' where id = ${scan.id} and reading = 'READING'`))
      const why = error instanceof ScanRefused ? error.why : 'stopped'
      if (!(error instanceof ScanRefused) && !stop.signal.aborted) this.#services.log(`Scan ${scan.id}: ${String(error)}`)
      await database.transaction((tx) => this.#end(tx, scan.id, ['READING'], sql`reading = 'FAILED', problem = ${why}`))
    } finally {
      await fs.promises.rm(folder, { recursive: true, force: true })
    }
  }

  async #keep(scan: Scan, { pages, readings, templateId, taxNumbers }: ReadResult): Promise<void> {
    const { database, files, clock } = this.#services
    const kept: KeptPage[] = []
    for (const { file, ...page } of pages) {
      const { size } = await fs.promises.stat(file)
      const key = randomKey()
      await files.keep(key, { path: file, size, sha256: '', type: 'image/jpeg' })
      kept.push({ key, ...page })
      await addFileRow(database, { purpose: 'PRIVATE', docType: 'vendor_invoice_ocr', docId: scan.id, name: `page-${kept.length}.jpg`, file: { size, sha256: '', type: 'image/jpeg' }, key, by: scan.owner, at: clock.now() })
    }
    const value = (field: string): string | null => readings.find((one) => one.field === field)?.value ?? null
    await database.transaction(async (tx) => {
      const numbers = taxNumbers.map((digits) => digits.padStart(16, '0'))
      const vendor = await tx.first<{ id: number }>(sql`
        select coalesce((select vendor_id from ocr_template where id = ${templateId}::bigint), (select id from business_partner where npwp = any(${numbers}::text[]) and is_active order by id limit 1)) as id`)
      await tx.run(sql`update vendor_invoice_ocr_reading set pages = ${JSON.stringify(kept)}::jsonb, readings = ${JSON.stringify(readings)}::jsonb, tries = 0 where vendor_invoice_ocr_id = ${scan.id}`)
      await this.#end(tx, scan.id, ['READING'], sql`
        reading = 'READ', problem = null, template_id = ${templateId}, vendor_id = coalesce(${vendor?.id ?? null}::bigint, vendor_id), vendor_invoice_no = coalesce(${value('invoice_no')}, vendor_invoice_no),
        invoice_date = coalesce(${value('invoice_date')}::date, invoice_date), faktur_number = coalesce(${value('faktur_number')}, faktur_number), dpp = coalesce(${value('dpp')}::numeric, dpp), ppn = coalesce(${value('ppn')}::numeric, ppn),
        total = coalesce(${value('total')}::numeric, total), fields_read = ${readings.length}, confidence = ${meanOf(readings)}`)
    })
  }

  /** Nothing more is read of a scan in one of these states of reading: what was stands in it, to be looked at. In the name of whoever sent it, or else of an administrator. */
  async #end(tx: Queries, id: number, from: readonly ScanState['Reading'][], columns: Sql): Promise<void> {
    if ((await tx.run(sql`update vendor_invoice_ocr set ${columns} where id = ${id} and reading = any(${from}::text[])`)) === 0) return
    const who = await tx.first<{ id: number }>(sql`
      select u.id from app_user u join role r on r.id = u.role_id, vendor_invoice_ocr o
      where o.id = ${id} and u.is_active and r.is_active and (u.id = coalesce(o.updated_by, o.created_by) or r.code = 'ADMIN') order by u.id = coalesce(o.updated_by, o.created_by) desc, u.id limit 1`)
    const user = who === undefined ? undefined : await loadUser(tx, who.id)
    if (user === undefined) throw new Error(`Scan ${id} was sent by nobody who is still there`)
    await runTransition(new CommandRun(this.#services, tx, user), { entity: knownEntity(this.#services.metadata, 'vendor_invoice_ocr'), id, action: 'read', input: {}, asSystem: true })
  }
}

function meanOf(readings: readonly Reading[]): string | null {
  return readings.length === 0 ? null : (readings.reduce((sum, { confidence }) => sum + confidence, 0) / readings.length).toFixed(2)
}
