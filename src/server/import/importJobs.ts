import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileForm, ImportMending, ImportReading, ImportStatus } from '#api/import.ts'
import { mostImportColumns } from '#api/import.ts'
import { plainHead } from '#base/plainHead.ts'
import { mapHeads } from '#domain/importing/mapping.ts'
import type { ImportScreen, ImportSheet } from '#meta/resolved.ts'
import { screenPath } from '#meta/screenPath.ts'
import { say, type Sentence } from '#meta/sentence.ts'
import { seenBy } from '#server/access/seenBy.ts'
import { loadUser } from '#server/access/users.ts'
import type { Clock, Database, Queries, Row, User } from '#server/context.ts'
import { insertRows, reserveIds } from '#server/db/insertRows.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { hookKey } from '#server/documents/readRecord.ts'
import { addFileRow } from '#server/files/fileRows.ts'
import type { ReceivedFile } from '#server/files/receive.ts'
import { notify } from '#server/notifications/notify.ts'
import { fail, invalid, ProblemError, wrong } from '#server/problemError.ts'
import { randomKey } from '#server/random.ts'
import { tell } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { labelsOf } from '#server/texts.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { actionsOf, countRows, doubtOf, findBatch, requireBatch, screenOf, settleRows, sheetOf, type Batch } from './batches.ts'
import { checkerOf, checkRows, checkSlice } from './checkBatch.ts'
import { commitBatch, rehearse, undoBatch } from './commitBatch.ts'
import { relatedRows, relatedUnits, type Related } from './together.ts'
import { namedColumnOf } from './namedColumn.ts'
import { recogniseFile, rowsOf } from './openFile.ts'
import { requireWork } from './permissions.ts'
import type { RawRow } from './rowChecker.ts'
import { tidy, tidyEvery } from './tidy.ts'

const beatMs = 1_000
/** A batch whose server has been silent for so long is taken over. */
const silentMs = 30_000
const mostOpen = 3
/** What has brought the server down so often is not begun once more. */
const mostTries = 3
/** Somebody who waits for fewer rows is still looking. */
const worthANotice = 5_000

interface Open {
  readonly id: number
  readonly stop: AbortController
  done: number
  /** More was asked for while the last step was being closed: whoever sees it closed may ask at once. */
  isAsked: boolean
}

/**
 * Imports are read, checked, carried out and taken back in the background. What is to be done stands in the database: after a restart the next
 * server goes on with it. Reading and checking begin anew, importing goes on behind the last row that was imported.
 */
export class ImportJobs {
  readonly services: Services
  readonly #open = new Map<number, Open>()
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(services: Services) {
    this.services = services
  }

  /** Looks for work that was left behind, now and from time to time. */
  async start(): Promise<void> {
    await this.#adopt(this.services.database.engine === 'embedded' ? 0 : silentMs)
    this.#timer = setInterval(() => void this.#beat(), beatMs).unref()
  }

  /** Takes a file in; it is read in the background. */
  async take(user: User, screen: ImportScreen, file: ReceivedFile, retryOf: number | undefined): Promise<Batch> {
    const { database, clock, files } = this.services
    const now = clock.now()
    const under = await database.first<{ n: number }>(sql`select count(*)::int as n from import_batch where user_id = ${user.id} and work is not null`)
    if ((under?.n ?? 0) >= mostOpen) fail('EXCEEDS_AVAILABLE.imports', { most: mostOpen })
    const earlier = retryOf === undefined ? undefined : await requireBatch(this.services, database, user, retryOf)
    const key = randomKey()
    await files.keep(key, file)
    const batch = await database.transaction(async (tx) => {
      await addFileRow(tx, { purpose: 'PRIVATE', name: file.name, file, key, by: user.id, at: now })
      const [id = 0] = await reserveIds(tx, 'import_batch', 1)
      const same = await tx.first<{ id: number }>(sql`
        select id from import_batch where screen = ${screen.id} and checksum = ${file.sha256} and status not in (5, 6, 7) order by id limit 1`)
      await insertRows(tx, 'import_batch', [{
        id, screen: screen.id, sheet: earlier?.screen === screen.id ? earlier.sheet : '', code: `IMP-${String(id).padStart(6, '0')}`, user_id: user.id, file_name: file.name, file_key: key,
        file_size: file.size, checksum: file.sha256, status: 8, work: 'READ', beat_at: now.toISOString(), form: {}, heads: [], mapping: [],
        same_as_id: same?.id ?? null, retry_of_id: earlier?.id ?? null, created_at: now.toISOString(),
      }])
      return (await findBatch(tx, id)) ?? fail('NOT_FOUND.import')
    })
    this.#begin(batch.id)
    return batch
  }

  /** Reads the file anew, or takes other columns for the ones meant; the choice of columns is remembered for the user. */
  async read(user: User, id: number, reading: ImportReading): Promise<Batch> {
    const { database, clock } = this.services
    const batch = await database.transaction(async (tx) => {
      const found = await this.#lock(tx, user, id, 'read')
      const screen = screenOf(seenBy(this.services, user), found)
      const kinds = screen.sheets.map((one) => one.id)
      if (reading.sheet !== undefined && !kinds.includes(reading.sheet)) invalid([wrong('sheet', 'NOT_A_CHOICE', { choices: kinds })])
      const sheet = sheetOf(screen, reading.sheet ?? found.sheet)
      const columns = sheet.columns.map(({ name }) => name)
      reading.mapping?.forEach((name, i) => {
        if (name !== null && !columns.includes(name)) invalid([wrong(`mapping[${i}]`, 'NOT_A_CHOICE', { choices: columns })])
      })
      const isOtherSheet = sheet.id !== found.sheet
      const { doubtful, ...told } = { ...found.form, ...reading.form }
      const form: FileForm = reading.form?.decimal === undefined && doubtful !== undefined ? { ...told, doubtful } : told
      const isReread = (['encoding', 'delimiter', 'sheet', 'decimal'] as const).some((part) => form[part] !== found.form[part] && (part !== 'decimal' || form.kind === 'xlsx')) || found.status === 5
      // One for each column of the file, however many were sent.
      const chosen = reading.mapping && found.heads.map((_, i) => reading.mapping?.[i] ?? null)
      const mapping = chosen ?? (isOtherSheet ? await this.#mapping(tx, user, screen, sheet, found.heads) : found.mapping)
      // What the rows are was told by heads that were not those of the file: it is told anew, unless somebody says it now.
      const isToldAnew = isReread && reading.sheet === undefined && (form.sheet !== found.form.sheet || found.mapping.every((name) => name === null))
      if (reading.mapping !== undefined) await this.#remember(tx, user, screen, sheet, found.heads, reading.mapping)
      return this.#put(tx, id, {
        form, sheet: isToldAnew ? '' : sheet.id, status: 8, work: isReread ? 'READ' : 'CHECK', mapping: isReread && reading.mapping === undefined ? [] : mapping, rows_done: 0, problem: null, finished_at: null, beat_at: clock.now().toISOString(),
      })
    })
    this.#begin(id)
    return batch
  }

  /** Mends cells in place and looks at their rows again. */
  async mend(user: User, id: number, { cells, everywhere = false }: ImportMending): Promise<Batch> {
    const { database } = this.services
    return database.transaction(async (tx) => {
      const batch = await this.#lock(tx, user, id, undefined)
      if (batch.status !== 1 && batch.status !== 2) fail('ILLEGAL_TRANSITION.import')
      const screen = screenOf(this.services, batch)
      const isRehearsed = screen.rehearse >= batch.counts.total
      const lots = (): Promise<readonly Related[]> => (isRehearsed ? relatedUnits(tx, batch, sheetOf(screen, batch.sheet), false) : Promise.resolve([]))
      const before = await lots()
      const touched = new Set<number>()
      for (const { row, column, value } of cells) {
        const at = batch.mapping.indexOf(column)
        if (at < 0) fail('VALIDATION_FAILED.import-column', { column: column.slice(0, 80) })
        const rows = await tx.rows<{ row_no: number }>(sql`
          update import_row r set raw = (
              select jsonb_agg(coalesce(case when i - 1 = ${at} then ${value}::text else r.raw->>(i - 1) end, '') order by i) from generate_series(1, greatest(jsonb_array_length(r.raw), ${at + 1}::int)) i)
          where r.import_batch_id = ${id} and r.state <> 'COMMITTED' and (r.row_no = ${row}
            or (${everywhere} and coalesce(r.raw->>${at}::int, '') = (select coalesce(o.raw->>${at}::int, '') from import_row o where o.import_batch_id = ${id} and o.row_no = ${row})))
          returning row_no`)
        for (const changed of rows) touched.add(changed.row_no)
      }
      if (touched.size === 0) fail('NOT_FOUND.import-row')
      const services = seenBy(this.services, user)
      const { checker, sheet } = checkerOf(services, tx, user, batch)
      // What a row bore on before, and what it bears on now, is judged with it.
      const all = await relatedRows(tx, id, [...touched], [...before, ...(await lots())])
      for (let at = 0; at < all.length; at += checkSlice) {
        const rows = await tx.rows<Row & RawRow>(sql`select row_no, raw from import_row where import_batch_id = ${id} and row_no = any(${all.slice(at, at + checkSlice)}::int[]) order by row_no`)
        await checkRows(tx, checker, id, rows)
      }
      await settleRows(tx, id, sheet)
      if (isRehearsed) {
        await rehearse(services, user, batch, {}, all)
        await settleRows(tx, id, sheet)
      }
      return (await findBatch(tx, id)) ?? batch
    })
  }

  /** Starts importing, or taking back. The same file once more asks first. */
  async begin(user: User, id: number, work: 'COMMIT' | 'UNDO', acknowledged: readonly string[]): Promise<Batch> {
    const { database, clock } = this.services
    const batch = await database.transaction(async (tx) => {
      const services = seenBy(this.services, user)
      const run = new CommandRun(services, tx, user, { acknowledged })
      const found = await this.#lock(tx, user, id, work === 'COMMIT' ? 'commit' : 'undo')
      const screen = screenOf(services, found)
      requireWork(services.metadata, user, screen, sheetOf(screen, found.sheet), work)
      if (work === 'COMMIT' && found.sameAsId !== null && found.status === 1) {
        const same = await tx.first<{ code: string }>(sql`select code from import_batch where id = ${found.sameAsId}`)
        run.warn('same-file', 'DUPLICATE', tell('warning.same-file', { batch: same?.code ?? '' }))
      }
      run.assertAcknowledged()
      return this.#put(tx, id, { work, rows_done: 0, is_stopped: false, problem: null, beat_at: clock.now().toISOString() })
    })
    this.#begin(id)
    return batch
  }

  /** Stops what is under way; a file that only waits is discarded. What was imported stays. */
  async cancel(user: User, id: number): Promise<Batch> {
    const { database, clock } = this.services
    const batch = await database.transaction(async (tx) => {
      const found = await this.#lock(tx, user, id, 'cancel')
      if (found.work !== null) return this.#put(tx, id, { is_stopped: true })
      return this.#put(tx, id, { status: 6, finished_at: clock.now().toISOString() })
    })
    if (batch.work !== null) this.#open.get(id)?.stop.abort(new Stopped())
    return batch
  }

  /** Resolves when nothing is under way in this process. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** The server stops: what is under way is left where it is, for the next one. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const { stop } of this.#open.values()) stop.abort()
    await this.idle()
  }

  async #lock(tx: Queries, user: User, id: number, action: 'read' | 'commit' | 'undo' | 'cancel' | undefined): Promise<Batch> {
    await tx.run(sql`select id from import_batch where id = ${id} for update`)
    const batch = await requireBatch(this.services, tx, user, id)
    const screen = screenOf(this.services, batch)
    const actions = actionsOf(screen, batch, user)
    const doubt = doubtOf(screen, batch)
    if (action === 'commit' && batch.work === null && doubt !== undefined && actions.length > 0) invalid([wrong('form.decimal', 'REQUIRED.decimal-sign', { text: doubt })])
    if (action === undefined ? batch.work !== null || actions.length === 0 : !actions.includes(action)) fail('ILLEGAL_TRANSITION.import')
    return batch
  }

  /** Something else to do, or nothing, is begun afresh. */
  async #put(tx: Queries, id: number, columns: Readonly<Record<string, unknown>>): Promise<Batch> {
    const sets = Object.entries('work' in columns ? { ...columns, tries: 0 } : columns).map(([name, value]): Sql => {
      const isJson = ['form', 'heads', 'mapping', 'problem'].includes(name)
      return isJson ? sql`${ident(name)} = ${value === null ? null : JSON.stringify(value)}::jsonb` : sql`${ident(name)} = ${value}`
    })
    await tx.run(sql`update import_batch set ${join(sets)} where id = ${id}`)
    return (await findBatch(tx, id)) ?? fail('NOT_FOUND.import')
  }

  #begin(id: number): void {
    if (this.#isClosed) return
    const under = this.#open.get(id)
    if (under !== undefined) {
      under.isAsked = true
      return
    }
    const open: Open = { id, stop: new AbortController(), done: 0, isAsked: false }
    this.#open.set(id, open)
    const running = this.#run(open).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #run(open: Open): Promise<void> {
    const { database, log } = this.services
    try {
      for (;;) {
        open.stop.signal.throwIfAborted()
        const batch = await findBatch(database, open.id)
        if (batch === undefined || batch.work === null) return
        if (batch.row['is_stopped'] === true) throw new Stopped()
        await this.#step(open, batch)
      }
    } catch (error) {
      // Left where it is: the next server takes it up. Being stopped in good order is no failure of what was under way.
      if (this.#isClosed) {
        await database.run(sql`update import_batch set tries = greatest(tries - 1, 0) where id = ${open.id} and work is not null`).catch((second: unknown) => log(`Import ${open.id} could not be left: ${String(second)}`))
        return
      }
      await this.#ended(open, error).catch((second: unknown) => log(`Import ${open.id} could not be closed: ${String(second)}`))
    } finally {
      this.#open.delete(open.id)
      if (open.isAsked) this.#begin(open.id)
    }
  }

  async #step(open: Open, batch: Batch): Promise<void> {
    const { database, clock, log } = this.services
    const user = (await loadUser(database, batch.userId)) ?? fail('UNAUTHENTICATED')
    const services = seenBy(this.services, user)
    const screen = screenOf(services, batch)
    const sheet = sheetOf(screen, batch.sheet)
    const watch = { signal: open.stop.signal, onRows: (done: number) => void (open.done = done) }
    const onSlice = (): void => open.stop.signal.throwIfAborted()
    open.done = 0
    const begun = await database.first<{ tries: number }>(sql`update import_batch set tries = tries + 1, rows_done = 0 where id = ${batch.id} returning tries`)
    if ((begun?.tries ?? 0) > mostTries) {
      log(`Import ${batch.id} is given up after ${mostTries} tries.`)
      fail('INTERNAL.import-tries', { most: mostTries })
    }
    switch (batch.work) {
      case 'READ':
        return this.#readFile(open, batch, user)
      case 'CHECK': {
        await this.#checkAll(open, batch, user)
        await settleRows(database, batch.id, sheet, onSlice)
        if (screen.rehearse >= batch.counts.total) {
          await rehearse(services, user, batch, watch)
          await settleRows(database, batch.id, sheet, onSlice)
        }
        return database.transaction(async (tx) => {
          const isLater = batch.counts.imported > 0
          await this.#finish(tx, batch, isLater ? 2 : 1)
          if (batch.counts.total > worthANotice) await this.#tell(tx, batch, 'notification.import-checked')
        })
      }
      case 'COMMIT':
      case 'UNDO': {
        await (batch.work === 'COMMIT' ? commitBatch : undoBatch)(services, user, batch, watch)
        const isUndo = batch.work === 'UNDO'
        await settleRows(database, batch.id, sheet, onSlice)
        return database.transaction(async (tx) => {
          const after = (await findBatch(tx, batch.id)) ?? batch
          await this.#finish(tx, after, statusAfter(after, isUndo), clock.now())
          const said = await this.services.hooks[hookKey(knownEntity(this.services.metadata, sheet.records[0]?.entity ?? ''))]?.afterImport?.(tx)
          if (said?.key !== undefined) await this.#put(tx, batch.id, { problem: { key: said.key, ...(said.params === undefined ? {} : { params: said.params }) } })
          await this.#tell(tx, after, isUndo ? 'notification.import-undone' : 'notification.import-finished')
        })
      }
      default:
        return undefined
    }
  }

  async #readFile(open: Open, batch: Batch, user: User): Promise<void> {
    const { database, files } = this.services
    const screen = screenOf(seenBy(this.services, user), batch)
    const local = path.join(files.incoming, randomKey())
    await fs.promises.mkdir(files.incoming, { recursive: true })
    try {
      await pipeline(await files.read(batch.fileKey), fs.createWriteStream(local, { flags: 'wx' }), { signal: open.stop.signal })
      // The very same file is read as it was read before, or its rows would not be known again.
      const same = batch.sameAsId === null ? undefined : await findBatch(database, batch.sameAsId)
      const given: Partial<FileForm> = 'kind' in batch.form ? batch.form : (same?.form ?? {})
      const form = await recogniseFile(local, given, await this.#usualForm(batch))
      // Kept before anything of it is read: a file that cannot be read so may be read otherwise.
      await this.#put(database, batch.id, { form })
      await database.run(sql`delete from import_row where import_batch_id = ${batch.id}`)
      let heads: readonly string[] | undefined
      let total = 0
      for await (const slice of rowsOf(local, form)) {
        open.stop.signal.throwIfAborted()
        let rows = slice
        if (heads === undefined && rows[0] !== undefined) {
          heads = headsOf(rows[0].cells)
          rows = rows.slice(1)
        }
        // The line under the heads may explain them.
        if (total === 0 && rows[0]?.cells.find((cell) => cell !== '')?.startsWith('# ') === true) rows = rows.slice(1)
        total += rows.length
        if (total > screen.most) fail('FILE_BROKEN.rows', { limit: screen.most })
        await insertRows(database, 'import_row', rows.map(({ no, cells }) => ({ import_batch_id: batch.id, row_no: no, unit_no: no, state: 'NEW', raw: cells })))
        open.done = total
        if (total % (tidyEvery * 20) < rows.length) await tidy(database)
      }
      if (heads === undefined || total === 0) return fail('FILE_EMPTY.rows')
      const found = heads
      await database.transaction(async (tx) => {
        const sheet = screen.sheets.find(({ id }) => id === batch.sheet) ?? (await this.#likeliest(tx, user, screen, found, form))
        const mapping = batch.mapping.length === found.length ? batch.mapping : await this.#mapping(tx, user, screen, sheet, found)
        await this.#put(tx, batch.id, { form, heads: found, sheet: sheet.id, mapping, work: 'CHECK', rows_total: total, rows_done: 0 })
      })
    } finally {
      await fs.promises.rm(local, { force: true })
    }
  }

  /** What is sent in again is written like what it was taken from, as its user has corrected it. */
  async #usualForm(batch: Batch): Promise<Partial<FileForm>> {
    const earlier = batch.row['retry_of_id'] === null ? undefined : await findBatch(this.services.database, Number(batch.row['retry_of_id']))
    return earlier?.screen === batch.screen && earlier.form.doubtful === undefined ? earlier.form : {}
  }

  async #checkAll(open: Open, batch: Batch, user: User): Promise<void> {
    const { database } = this.services
    const { checker } = checkerOf(seenBy(this.services, user), database, user, batch)
    let last = 0
    for (;;) {
      open.stop.signal.throwIfAborted()
      const rows = await database.rows<Row & RawRow>(sql`
        select row_no, raw from import_row where import_batch_id = ${batch.id} and row_no > ${last} and state <> 'COMMITTED' order by row_no limit ${checkSlice}`)
      if (rows.length === 0) return
      last = rows.at(-1)?.row_no ?? last
      await checkRows(database, checker, batch.id, rows)
      open.done += rows.length
      if (open.done % (tidyEvery * 10) < rows.length) await tidy(database)
    }
  }

  /** The kind of rows whose heads the file has most of; a sheet that bears its name comes first. */
  async #likeliest(tx: Queries, user: User, screen: ImportScreen, heads: readonly string[], form: FileForm): Promise<ImportSheet> {
    const title = plainHead(form.sheet)
    const named = screen.sheets.find((sheet) => title !== '' && [sheet.id, ...labelsOf(sheet.title)].some((name) => plainHead(name) === title))
    if (named) return named
    const scored = await Promise.all(
      screen.sheets.map(async (sheet) => {
        const mapping = await this.#mapping(tx, user, screen, sheet, heads)
        const missing = sheet.columns.filter((column) => column.required && !mapping.includes(column.name)).length
        return { sheet, score: mapping.filter((name) => name !== null).length - missing * 2 }
      }),
    )
    return scored.sort((a, b) => b.score - a.score)[0]?.sheet ?? sheetOf(screen, '')
  }

  async #mapping(tx: Queries, user: User, screen: ImportScreen, sheet: ImportSheet, heads: readonly string[]): Promise<readonly (string | null)[]> {
    const row = await tx.first<{ columns: Readonly<Record<string, string | null>> }>(sql`
      select columns from import_mapping where user_id = ${user.id} and screen = ${screen.id} and sheet = ${sheet.id}`)
    return mapHeads(heads, sheet.columns.map(namedColumnOf), new Map(Object.entries(row?.columns ?? {})))
  }

  async #remember(tx: Queries, user: User, screen: ImportScreen, sheet: ImportSheet, heads: readonly string[], mapping: readonly (string | null)[]): Promise<void> {
    const columns = JSON.stringify(Object.fromEntries(heads.flatMap((head, i) => (head === '' ? [] : [[plainHead(head), mapping[i] ?? null]]))))
    const at = this.services.clock.now().toISOString()
    await tx.run(sql`
      insert into import_mapping (user_id, screen, sheet, columns, updated_at) values (${user.id}, ${screen.id}, ${sheet.id}, ${columns}::jsonb, ${at})
      on conflict (user_id, screen, sheet) do update set columns = import_mapping.columns || excluded.columns, updated_at = excluded.updated_at`)
  }

  async #finish(tx: Queries, batch: Batch, status: ImportStatus, at?: Date): Promise<void> {
    await this.#put(tx, batch.id, { status, work: null, is_stopped: false, ...(at === undefined ? {} : { finished_at: at.toISOString() }) })
  }

  async #tell(tx: Queries, batch: Batch, title: 'notification.import-checked' | 'notification.import-finished' | 'notification.import-undone'): Promise<void> {
    const { metadata, clock } = this.services
    const list = Object.values(metadata.screens).find((screen) => screen.kind === 'list' && screen.importer === batch.screen)
    const route = screenPath(metadata.routes, Object.values(metadata.screens).filter((screen) => screen.kind === 'workbench'), list?.id ?? batch.screen)
    const now = (await findBatch(tx, batch.id)) ?? batch
    await notify(tx, clock.now(), [batch.userId], {
      kind: 'IMPORT_FINISHED', title, subject: `import_batch:${batch.id}`,
      params: { name: batch.fileName, imported: String(now.counts.imported), wrong: String(now.counts.wrong), total: String(now.counts.total) },
      link: route === undefined ? `/pages/import-log/${batch.id}` : `${route}${route.includes('?') ? '&' : '?'}${list === undefined ? '' : 'import=1&'}batch=${batch.id}`,
    })
  }

  /** Stopped by its user, refused for what is in the file, or failed by our fault. What is imported already stays. */
  async #ended(open: Open, error: unknown): Promise<void> {
    const { database, clock, log } = this.services
    const isStopped = error instanceof Stopped || (open.stop.signal.aborted && open.stop.signal.reason instanceof Stopped)
    if (!isStopped && !(error instanceof ProblemError)) log(`Import ${open.id} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    await database.transaction(async (tx) => {
      await tx.run(sql`select id from import_batch where id = ${open.id} for update`)
      const batch = await findBatch(tx, open.id)
      if (batch === undefined || batch.work === null) return
      await countRows(tx, batch.id)
      const now = (await findBatch(tx, batch.id)) ?? batch
      const isBefore = batch.work === 'READ' || batch.work === 'CHECK'
      const sentence: Sentence | null = isStopped
        ? null
        : error instanceof ProblemError && error.problem.key !== undefined ? { key: error.problem.key, ...(error.problem.params === undefined ? {} : { params: error.problem.params }) } : say('problem.INTERNAL.import')
      const status: ImportStatus = isBefore ? (isStopped ? 6 : 5) : now.counts.imported > 0 ? 2 : 1
      await this.#put(tx, batch.id, { status, work: null, is_stopped: false, problem: sentence, finished_at: clock.now().toISOString() })
      if (!isBefore) await this.#tell(tx, now, 'notification.import-finished')
    })
  }

  /** Writes down how far everything is, hears who was stopped elsewhere, takes up what others left. */
  async #beat(): Promise<void> {
    const { database, clock, log } = this.services
    try {
      for (const open of this.#open.values()) {
        const row = await database.first<{ is_stopped: boolean }>(sql`
          update import_batch set tries = case when work in ('COMMIT', 'UNDO') and rows_done < ${open.done} then 1 else tries end, rows_done = ${open.done}, beat_at = ${clock.now().toISOString()} where id = ${open.id} returning is_stopped`)
        if (row?.is_stopped === true) open.stop.abort(new Stopped())
      }
      if (database.engine === 'postgres') await this.#adopt(silentMs)
    } catch (error) {
      log(`The progress of imports could not be written: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async #adopt(silence: number): Promise<void> {
    const { database, clock } = this.services
    const now = clock.now()
    const rows = await database.rows<{ id: number }>(sql`
      update import_batch set beat_at = ${now.toISOString()} where work is not null and not (id = any(${[...this.#open.keys()]}::bigint[]))
        and (beat_at < ${new Date(now.getTime() - silence).toISOString()} or ${silence === 0}) returning id`)
    for (const { id } of rows) this.#begin(id)
  }
}

/** The user has had enough. */
class Stopped extends Error {}

function statusAfter({ counts }: Batch, isUndo: boolean): ImportStatus {
  if (counts.imported === 0) return isUndo ? 7 : 1
  return counts.imported === counts.total ? 3 : 2
}

function headsOf(cells: readonly string[]): readonly string[] {
  return cells.slice(0, mostImportColumns).map((cell) => cell.trim().slice(0, 200))
}

/** Rows of files that came to nothing are forgotten after a week; what was imported stays on record. */
export async function purgeImports(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - 7 * 86_400_000).toISOString()
  await database.run(sql`
    delete from import_row where import_batch_id in (select id from import_batch where status in (5, 6) and coalesce(finished_at, created_at) < ${before})`)
}
