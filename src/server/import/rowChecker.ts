import { createHash } from 'node:crypto'
import { distance } from 'fastest-levenshtein'
import type { CellError } from '#api/import.ts'
import type { FieldProblem } from '#api/problems.ts'
import { plainText } from '#base/unseen.ts'
import { cellValue } from '#domain/importing/cellValue.ts'
import type { FileForm } from '#domain/importing/fileForm.ts'
import { mapHeads } from '#domain/importing/mapping.ts'
import { holds } from '#meta/evaluate.ts'
import type { EntityField, ImportColumn, ImportRecord, ImportScreen, ImportSheet, ResolvedEntity } from '#meta/resolved.ts'
import type { SentenceParams } from '#meta/sentence.ts'
import { hasEntityGuard, requireLookup } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { changesOf, isSame } from '#server/documents/audit.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { parseValue } from '#server/documents/parseValue.ts'
import { usesOfAll } from '#server/documents/usedIn.ts'
import { isCreatable } from '#server/documents/writable.ts'
import { said, tell } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import { labelsOf } from '#server/texts.ts'
import { namedColumnOf } from './namedColumn.ts'

/** A row as it stands in the batch. */
export interface RawRow {
  readonly row_no: number
  readonly raw: readonly string[]
}

export interface CheckedRow {
  readonly rowNo: number
  readonly errors: readonly (CellError & { readonly isSkip?: true })[]
  /** Values by record and field; a record without any is left out. */
  readonly records: ReadonlyMap<string, Row>
  /** Values that may stand in the file once, by column. */
  readonly distinct: Readonly<Record<string, string>>
  readonly groupKey: string | undefined
  /** The same for rows that say the same. */
  readonly fingerprint: string
  /** Asks for the action of the sheet. */
  readonly isAsked: boolean
  /** The record that is there already; its values are only those that change. */
  readonly target: Row | undefined
  /** Id of the document the row names, which is used as it stands. */
  readonly existing: number | undefined
  /** Names what the document must have by itself. */
  readonly isGiven: boolean
}

interface Found {
  readonly id: number
  readonly isActive: boolean
  readonly isInScope: boolean
}

/** Under it stands what the rows of one document must have in common. */
export const headKey = '#head'

/** Codes remembered of one column: a million rows rarely name more. */
const mostRemembered = 200_000
/** A master with more records than these gives no suggestions. */
const mostSuggested = 500

/**
 * Holds rows against what their columns may hold: form, choices, references, what is required and what may be there only once. Each slice of
 * rows costs one question a reference column, however many rows it has. Nothing is written.
 */
export class RowChecker {
  readonly #services: Services
  readonly #queries: Queries
  readonly #user: User
  readonly #screen: ImportScreen
  readonly #sheet: ImportSheet
  readonly #form: FileForm
  /** Index in the row, by column. */
  readonly #places: ReadonlyMap<string, number>
  /** Index in the row of what the file shows and does not change. */
  readonly #kept: readonly (readonly [column: ImportColumn, place: number])[]
  readonly #width: number
  readonly #known = new Map<string, Map<string, Found | null>>()
  readonly #choices = new Map<string, readonly string[]>()

  constructor(services: Services, queries: Queries, user: User, screen: ImportScreen, sheet: ImportSheet, reading: { readonly form: FileForm; readonly heads: readonly string[]; readonly mapping: readonly (string | null)[] }) {
    this.#services = services
    this.#queries = queries
    this.#user = user
    this.#screen = screen
    this.#sheet = sheet
    this.#form = reading.form
    this.#places = new Map(reading.mapping.flatMap((name, i) => (name === null ? [] : [[name, i] as const])))
    const { kept = [] } = sheet
    const free = reading.mapping.map((name, i) => (name === null ? (reading.heads[i] ?? '') : ''))
    this.#kept = kept.length === 0 ? [] : mapHeads(free, kept.map(namedColumnOf), new Map()).flatMap((name, i) => kept.filter((column) => column.name === name).map((column) => [column, i] as const))
    this.#width = reading.mapping.length
    for (const { entity, file } of sheet.columns) if (entity !== undefined && file === undefined) requireLookup(services.metadata, user, knownEntity(services.metadata, entity))
  }

  async check(rows: readonly RawRow[]): Promise<readonly CheckedRow[]> {
    const started = rows.map((row) => this.#start(row))
    // What others own is looked for among what their owner has: owners first.
    for (const column of this.#sheet.columns) if (column.file !== undefined) await this.#resolveFiles(column, started)
    const references = this.#sheet.columns.filter(({ entity, file }) => entity !== undefined && file === undefined)
    for (const column of references.filter((one) => this.#ownerOf(one) === undefined)) await this.#resolve(column, started)
    for (const column of references.filter((one) => this.#ownerOf(one) !== undefined)) await this.#resolve(column, started)
    const { update } = this.#sheet
    const changing = update === undefined ? [] : started.filter((row) => this.#mayChange(row))
    if (update !== undefined) await this.#find(update, changing)
    for (const row of started) this.#fill(row)
    await this.#tellUses(changing)
    const making = started.filter((row) => !changing.includes(row) && !this.#usesExisting(row))
    if (making.length > 0) for (const column of this.#sheet.columns) if (column.distinct !== undefined) await this.#distinct(column, making)
    return started.map((row) => this.#finished(row))
  }

  #start({ row_no: rowNo, raw }: RawRow): Started {
    const row: Started = { rowNo, raw, errors: [], key: undefined, target: undefined, unfit: new Map(), cells: new Map(), values: new Map(), records: new Map() }
    if (raw.length > this.#width && raw.slice(this.#width).some((cell) => cell.trim() !== '')) row.errors.push(cellError('', 'E05', 'cell.ragged', { heads: this.#width }))
    for (const column of this.#sheet.columns) {
      const place = this.#places.get(column.name)
      const cell = place === undefined ? '' : plainText(raw[place] ?? '')
      row.cells.set(column.name, cell)
      const word = column.words !== undefined && Object.hasOwn(column.words, cell.toUpperCase()) ? column.words[cell.toUpperCase()] : undefined
      const read = cellValue(column, word ?? (column.type === 'longtext' && place !== undefined ? (raw[place] ?? '') : cell), this.#form, labelsOf)
      if (read.ok) row.values.set(column.name, read.value)
      else row.errors.push(this.#fault(column, read.problem, cell))
      if (read.ok && read.value !== null && column.entity === undefined) this.#valueErrors(row, column, read.value)
    }
    return row
  }

  #fault(column: ImportColumn, fault: 'number' | 'whole' | 'date' | 'flag' | 'choice' | 'rounded', value: string): CellError {
    const shown = value.slice(0, 80)
    if (fault === 'choice') {
      const choices = column.words === undefined ? (column.choices ?? []).map((choice) => String(choice.value)) : Object.keys(column.words)
      return { ...cellError(column.name, 'E05', 'cell.choice', { value: shown, choices: choices.join(', ') }), suggestions: nearest(value, choices) }
    }
    if (fault === 'flag') return { ...cellError(column.name, 'E05', 'cell.flag', { value: shown }), suggestions: ['Y', 'N'] }
    return cellError(column.name, 'E05', `cell.${fault}`, { value: shown })
  }

  /** Length, limits and pattern, as everywhere. */
  #valueErrors(row: Started, column: ImportColumn, value: unknown): void {
    for (const { field } of this.#fieldsOf(column)) {
      const parsed = parseValue(field, value)
      if (parsed.ok) continue
      row.errors.push(ofProblem(column.name, { field: '', ...parsed.problem }))
      row.values.delete(column.name)
      return
    }
  }

  #fieldsOf(column: ImportColumn): readonly { readonly record: string; readonly field: EntityField }[] {
    return column.targets.flatMap(({ record, field: name }) => {
      const field = fieldMap(this.#entityOf(record)).get(name)
      return field === undefined ? [] : [{ record, field }]
    })
  }

  #entityOf(record: string): ResolvedEntity {
    const found = this.#sheet.records.find(({ id }) => id === record)
    if (found === undefined) throw new Error(`No record ${record}`)
    return knownEntity(this.#services.metadata, found.entity)
  }

  /** The column that names the owner of what this one refers to: an address is one of its customer. */
  #ownerOf(column: ImportColumn): ImportColumn | undefined {
    const target = column.entity === undefined ? undefined : knownEntity(this.#services.metadata, column.entity)
    const owner = target?.fields.find(({ name }) => name === target.owner)?.entity
    return owner === undefined ? undefined : this.#sheet.columns.find((other) => other !== column && other.entity === owner)
  }

  async #resolve(column: ImportColumn, rows: readonly Started[]): Promise<void> {
    const target = knownEntity(this.#services.metadata, column.entity ?? '')
    const owner = this.#ownerOf(column)
    const known = this.#known.get(column.name) ?? new Map<string, Found | null>()
    this.#known.set(column.name, known)
    if (known.size > mostRemembered) known.clear()
    const keyOf = (row: Started): string | undefined => {
      const code = row.values.get(column.name)
      if (typeof code !== 'string') return undefined
      if (owner === undefined) return code.toLowerCase()
      const id = row.values.get(owner.name)
      return typeof id === 'number' ? `${id}\n${code.toLowerCase()}` : undefined
    }
    const asked = [...new Set(rows.flatMap((row) => keyOf(row) ?? []))].filter((key) => !known.has(key))
    if (asked.length > 0) await this.#ask(target, owner === undefined ? undefined : target.owner, asked, known)
    for (const row of rows) {
      const cell = row.cells.get(column.name) ?? ''
      if (cell === '') continue
      const key = keyOf(row)
      // Whose it is was wrong already: one error is enough.
      const found = key === undefined ? undefined : (known.get(key) ?? null)
      if (found !== undefined && found !== null && found.isActive && found.isInScope) {
        row.values.set(column.name, found.id)
        continue
      }
      row.values.delete(column.name)
      if (found === undefined) continue
      const named = { value: cell.slice(0, 80), entity: { key: target.title } }
      // A record may go on naming what was put out of use since.
      if (found !== null && this.#sheet.update !== undefined) row.unfit.set(column.name, found.id)
      if (found === null) row.errors.push({ ...cellError(column.name, 'E02', 'cell.unknown', named), suggestions: nearest(cell, await this.#codesOf(target, column)) })
      else row.errors.push(found.isInScope ? cellError(column.name, 'E07', 'cell.inactive', named) : cellError(column.name, 'E08', 'cell.out-of-scope', named))
    }
  }

  /** A file is named as it was sent before, by the same user and for such a record; of two of one name the last. */
  async #resolveFiles(column: ImportColumn, rows: readonly Started[]): Promise<void> {
    const names = [...new Set(rows.flatMap((row) => row.values.get(column.name) ?? []))].filter((name) => typeof name === 'string')
    if (names.length === 0) return
    const found = await this.#queries.rows<{ id: number; name: string }>(sql`
      select id, lower(name) as name from attachment where purpose = 'UPLOAD' and uploaded_by = ${this.#user.id} and doc_type = ${this.#sheet.records[0]?.entity ?? ''} and lower(name) = any(${names.map((name) => name.toLowerCase())}::text[]) order by id`)
    const known = new Map(found.map(({ id, name }) => [name, id]))
    for (const row of rows) {
      const name = row.values.get(column.name)
      if (typeof name !== 'string') continue
      const id = known.get(name.toLowerCase())
      if (id !== undefined) row.values.set(column.name, id)
      else {
        row.values.delete(column.name)
        row.errors.push(cellError(column.name, 'E02', 'cell.file-not-sent', { value: name.slice(0, 80) }))
      }
    }
  }

  async #ask(target: ResolvedEntity, owner: string | undefined, keys: readonly string[], known: Map<string, Found | null>): Promise<void> {
    const code = sql`lower(t.${ident(target.display[0])}::text)`
    const codes = keys.map((key) => key.slice(key.indexOf('\n') + 1))
    const scope = scopeCondition(this.#services.metadata, this.#user, target, 't')
    const active = fieldMap(target).has('is_active') ? sql`t.is_active` : sql`true`
    const rows = await this.#queries.rows<{ id: number; code: string; owner: number | null; active: boolean; scoped: boolean }>(sql`
      select t.id, ${code} as code, ${owner === undefined ? sql`null::bigint` : sql`t.${ident(owner)}`} as owner, ${active} as active, ${scope ? sql`(${scope})` : sql`true`} as scoped
      from ${ident(target.table)} t where ${code} = any(${[...new Set(codes)]}::text[]) order by t.id desc`)
    for (const key of keys) known.set(key, null)
    for (const row of rows) {
      const key = owner === undefined ? row.code : `${row.owner}\n${row.code}`
      const before = known.get(key)
      if (before === undefined) continue
      if (before === null || !before.isActive) known.set(key, { id: row.id, isActive: row.active, isInScope: row.scoped })
    }
  }

  /** Codes one could have meant, of masters small enough to look through. */
  async #codesOf(target: ResolvedEntity, column: ImportColumn): Promise<readonly string[]> {
    const known = this.#choices.get(column.name)
    if (known) return known
    const scope = scopeCondition(this.#services.metadata, this.#user, target, 't')
    const active = fieldMap(target).has('is_active') ? sql`t.is_active` : sql`true`
    const rows = await this.#queries.rows<{ code: string | null }>(sql`
      select t.${ident(target.display[0])}::text as code from ${ident(target.table)} t where ${active} ${scope ? sql`and ${scope}` : sql``} order by 1 limit ${mostSuggested + 1}`)
    const codes = rows.length > mostSuggested ? [] : [...new Set(rows.flatMap((row) => row.code ?? []))]
    this.#choices.set(column.name, codes)
    return codes
  }

  /** Does the row name a document that is there? */
  #usesExisting(row: Started): boolean {
    return (row.cells.get(this.#sheet.existing?.column ?? '') ?? '') !== ''
  }

  /** Does the row change what it names, or does it only make? */
  #mayChange(row: Started): boolean {
    const { updateColumn } = this.#sheet
    return updateColumn === undefined || row.values.get(updateColumn) === true
  }

  /** The records that rows name by their key. */
  async #find(key: readonly string[], rows: readonly Started[]): Promise<void> {
    const [main] = this.#sheet.records
    if (main === undefined) return
    const entity = this.#entityOf(main.id)
    const columns = key.map((name) => this.#sheet.columns.find(({ targets }) => targets.some((target) => target.record === main.id && target.field === name)))
    for (const row of rows) {
      const values = columns.map((column) => (column === undefined ? null : (row.values.get(column.name) ?? row.unfit.get(column.name) ?? null)))
      // A key that is not understood names nothing; its own errors say why.
      const isUnderstood = columns.every((column, i) => column !== undefined && (values[i] !== null || (row.cells.get(column.name) ?? '') === ''))
      if (isUnderstood && values.some((value) => value !== null)) row.key = JSON.stringify(values.map((value) => (value === null ? null : String(value).toLowerCase())))
    }
    const keys = [...new Set(rows.flatMap((row) => row.key ?? []))]
    const scope = scopeCondition(this.#services.metadata, this.#user, entity, 't')
    const found = keys.length === 0 ? [] : await this.#queries.rows<Row & { id: number; import_key: readonly (string | null)[]; import_scoped: boolean }>(sql`
      select t.*, k.key as import_key, ${scope ? sql`coalesce((${scope}), false)` : sql`true`} as import_scoped from ${ident(entity.table)} t
      cross join lateral (select jsonb_build_array(${join(key.map((name) => sql`lower(t.${ident(name)}::text)`))}) as key) k
      where k.key in (select value::jsonb from unnest(${keys}::text[]) as value)`)
    const records = new Map(found.map(({ import_key: own, import_scoped: isInScope, ...record }) => [JSON.stringify(own), { record, isInScope }]))
    const first = columns[0]?.name ?? ''
    const mayMake = isCreatable(this.#services, entity) && hasEntityGuard(this.#services.metadata, this.#user, entity, 'create')
    const mayChange = hasEntityGuard(this.#services.metadata, this.#user, entity, 'edit')
    for (const row of rows) {
      const { record, isInScope } = records.get(row.key ?? '') ?? {}
      const value = (row.cells.get(first) ?? '').slice(0, 80)
      if (isInScope === false) row.errors.push(cellError(first, 'E08', 'cell.out-of-scope', { value, entity: { key: entity.title } }))
      else if (record !== undefined && !mayChange) row.errors.push(cellError(this.#sheet.updateColumn ?? first, 'E10', 'cell.not-changed', { value, entity: { key: entity.title } }))
      else if (record !== undefined) this.#take(row, main.id, record)
      else if (row.key !== undefined && !mayMake) row.errors.push(cellError(first, 'E10', 'cell.not-made', { value, entity: { key: entity.title } }))
    }
  }

  /** The record a row is about; what it names already needs not be fit to be named anew. */
  #take(row: Started, main: string, record: Row): void {
    row.target = record
    for (const [column, id] of row.unfit) {
      const field = this.#sheet.columns.find(({ name }) => name === column)?.targets.find((target) => target.record === main)?.field
      if (field === undefined || record[field] !== id) continue
      row.values.set(column, id)
      row.errors.splice(0, row.errors.length, ...row.errors.filter((error) => error.column !== column))
    }
  }

  /** What a row changes in its record, told at each cell; one that changes nothing is left out. */
  #compare(row: Started, before: Row): void {
    const main = this.#sheet.records[0]?.id ?? ''
    const own = new Map(this.#sheet.columns.flatMap((column) => column.targets.flatMap((target) => (target.record === main ? [[target.field, column] as const] : []))))
    const after: Row = {}
    for (const [field, column] of own) {
      const { field: known } = this.#fieldsOf(column).find((one) => one.field.name === field) ?? {}
      if (known === undefined || !this.#places.has(column.name) || this.#sheet.update?.includes(field) === true) continue
      const value = row.values.get(column.name)
      // Nothing in the cell empties what may be empty; a value that is not understood has its error.
      if (value === undefined || (value === null && !known.nullable)) continue
      const parsed = parseValue(known, value)
      // A file does not tell an empty text from none.
      if (parsed.ok) after[field] = parsed.value === null && before[field] === '' ? '' : parsed.value
    }
    const changes = changesOf(before, after, fieldMap(this.#entityOf(main)))
    row.records.set(main, Object.fromEntries(changes.map(({ field }) => [field, after[field]])))
    for (const column of this.#sheet.columns) {
      if (column.targets.length === 0 || column.targets.some(({ record }) => record === main) || (row.cells.get(column.name) ?? '') === '') continue
      row.errors.push(cellError(column.name, 'E10', 'cell.only-new', {}))
    }
    if (row.errors.length > 0) return
    for (const { field, from } of changes) {
      const column = own.get(field)
      if (column !== undefined && this.#fieldsOf(column).some((one) => one.field.name === field && one.field.approval === true)) {
        row.errors.push({ ...cellError(column.name, 'E00', 'cell.asks', {}), isWarning: true })
        continue
      }
      const shown = from === null || from === undefined || from === '' || column?.entity !== undefined || typeof from === 'object' ? undefined : String(from).slice(0, 80)
      row.errors.push({ ...cellError(column?.name ?? '', 'E00', shown === undefined ? 'cell.changes' : 'cell.changes-from', shown === undefined ? {} : { from: shown }), isWarning: true })
    }
    for (const [column, place] of this.#kept) if (this.#saysOther(column, row.raw[place] ?? '', before)) row.errors.push({ ...cellError('', 'E00', 'cell.kept', { column: { key: column.label }, value: (row.raw[place] ?? '').trim().slice(0, 80) }), isWarning: true })
    if (changes.length === 0) row.errors.push({ ...cellError('', 'E00', 'cell.unchanged', {}), isWarning: true, isSkip: true })
  }

  /** Does the cell of a field that no file changes say something else than the record? An empty one says nothing. */
  #saysOther(column: ImportColumn, cell: string, before: Row): boolean {
    const read = cellValue(column, cell, this.#form, labelsOf)
    if (read.ok && read.value === null) return false
    return column.targets.some(({ record, field: name }) => {
      // Two choices may be called the same in a language: the one that is there is meant.
      const own = column.choices?.find(({ value }) => value === before[name])
      if (own !== undefined && labelsOf(own.label).includes(cell.trim())) return false
      const field = fieldMap(this.#entityOf(record)).get(name)
      const parsed = field === undefined || !read.ok ? undefined : parseValue(field, read.value)
      return parsed?.ok !== true || !isSame(before[name], parsed.value, field)
    })
  }

  /** Whoever takes records off by file is told where they are used before he imports it. */
  async #tellUses(rows: readonly Started[]): Promise<void> {
    const main = this.#sheet.records[0]?.id ?? ''
    const off = rows.filter((row) => row.target?.['is_active'] === true && row.records.get(main)?.['is_active'] === false)
    if (off.length === 0) return
    const uses = await usesOfAll(this.#services, this.#queries, this.#entityOf(main), [...new Set(off.map((row) => Number(row.target?.['id'])))])
    const column = this.#sheet.columns.find(({ targets }) => targets.some((target) => target.record === main && target.field === 'is_active'))
    for (const row of off) {
      const where = uses.get(Number(row.target?.['id'])) ?? []
      if (where.length > 0) row.errors.push({ column: column?.name ?? '', code: 'E00', ...tell('warning.deactivate', { where }), isWarning: true })
    }
  }

  /** Values go where they belong; what is missing is said. */
  #fill(row: Started): void {
    for (const [i, record] of this.#sheet.records.entries()) {
      const values: Row = {}
      for (const column of this.#sheet.columns) {
        const value = row.values.get(column.name)
        if (value === null || value === undefined) continue
        for (const target of column.targets) if (target.record === record.id) values[target.field] = value
      }
      // A record nobody says anything about is not there; the main one always is.
      if (i > 0 && Object.keys(values).length === 0) continue
      if (i > 0 && record.lines === undefined) this.#mayMake(row, record)
      row.records.set(record.id, { ...values, ...record.set, ...Object.fromEntries((record.today ?? []).map((name) => [name, this.#services.clock.today()])) })
    }
    for (const column of this.#sheet.columns) {
      if (row.cells.get(column.name) !== '' || (row.target !== undefined && !this.#places.has(column.name))) continue
      if (this.#sheet.existing?.spares.includes(column.name) === true && this.#usesExisting(row)) continue
      const [target] = column.targets
      const isRequired = column.required || (column.requiredWhen !== undefined && holds(column.requiredWhen, row.records.get(target?.record ?? '') ?? {}, this.#around()))
      if (isRequired) row.errors.push(cellError(column.name, 'E01', 'cell.required', { column: column.name }))
    }
    if (row.target !== undefined) this.#compare(row, row.target)
  }

  /** What belongs to the main record only in some rows asks for its permission there. */
  #mayMake(row: Started, record: ImportRecord): void {
    const entity = this.#entityOf(record.id)
    if (isCreatable(this.#services, entity) && hasEntityGuard(this.#services.metadata, this.#user, entity, 'create')) return
    const column = this.#sheet.columns.find(({ name, targets }) => targets[0]?.record === record.id && (row.cells.get(name) ?? '') !== '')
    row.errors.push(cellError(column?.name ?? '', 'E10', 'cell.not-allowed', { entity: { key: entity.title } }))
  }

  #around(): Parameters<typeof holds>[2] {
    return { user: { id: this.#user.id }, today: this.#services.clock.today(), params: {} }
  }

  async #distinct(column: ImportColumn, rows: readonly Started[]): Promise<void> {
    const [target] = column.targets
    if (target === undefined) return
    const entity = this.#entityOf(target.record)
    const keyOf = (row: Started): string | undefined => {
      const value = row.values.get(column.name)
      return value === null || value === undefined ? undefined : String(value).toLowerCase()
    }
    const values = [...new Set(rows.flatMap((row) => keyOf(row) ?? []))]
    if (values.length === 0) return
    const name = ident(target.field)
    const scope = scopeCondition(this.#services.metadata, this.#user, entity, 't') ?? sql`true`
    const found = await this.#queries.rows<{ value: string; code: string | null }>(sql`
      select lower(t.${name}::text) as value, case when ${scope} then coalesce(t.${ident(entity.display[0])}::text, '#' || t.id) end as code from ${ident(entity.table)} t where lower(t.${name}::text) = any(${values}::text[]) ${entity.base === 'document' ? sql`and t.status not in (6, 7)` : sql``}`)
    const taken = new Map(found.map((row) => [row.value, row.code]))
    for (const row of rows) {
      const code = taken.get(keyOf(row) ?? '')
      if (code === undefined) continue
      const isWarning = column.distinct === 'warn'
      const value = (row.cells.get(column.name) ?? '').slice(0, 80)
      // That it is there must be said; what it is of is not told to whoever does not see it.
      const error = code === null ? cellError(column.name, 'E04', isWarning ? 'cell.shared-unseen' : 'cell.taken-unseen', { value }) : cellError(column.name, 'E04', isWarning ? 'cell.shared' : 'cell.taken', { value, code })
      row.errors.push({ ...error, ...(isWarning ? { isWarning } : {}) })
    }
  }

  #finished(row: Started): CheckedRow {
    const spoken = this.#sheet.columns.flatMap(({ name }) => {
      const value = row.values.get(name) ?? row.cells.get(name)
      return value === null || value === '' || value === undefined ? [] : [[name, String(value)]]
    })
    const distinct: Record<string, string> = Object.fromEntries(
      this.#sheet.columns.flatMap((column) => {
        const value = row.values.get(column.name)
        return column.distinct === undefined || value === null || value === undefined ? [] : [[column.name, String(value).toLowerCase()]]
      }),
    )
    const [key] = this.#sheet.columns.filter(({ name }) => distinct[name] !== undefined)
    // A key of several fields counts whole; one field counts alike for rows that change and rows that make.
    if (row.key !== undefined && key !== undefined && (this.#sheet.update?.length !== 1 || distinct[key.name] === undefined)) distinct[key.name] = row.key
    // A key of several fields of which one cannot be read is no key: two such rows need not be the same.
    else if (row.key === undefined && key !== undefined && (this.#sheet.update?.length ?? 0) > 1) Reflect.deleteProperty(distinct, key.name)
    const existing = row.values.get(this.#sheet.existing?.column ?? '')
    const used = typeof existing === 'number' ? existing : undefined
    const group = this.#sheet.group.map((name) => (row.cells.get(name) ?? '').toLowerCase())
    return {
      rowNo: row.rowNo,
      errors: row.errors,
      records: row.records,
      distinct: group.length === 0 ? distinct : { ...distinct, [headKey]: JSON.stringify([row.records.get(this.#sheet.records[0]?.id ?? '') ?? {}, used ?? null]) },
      groupKey: group.length === 0 ? undefined : JSON.stringify(group),
      fingerprint: createHash('sha256').update(JSON.stringify([this.#screen.id, this.#sheet.id, spoken, ...(row.target === undefined ? [] : [row.target])])).digest('base64url').slice(0, 32),
      target: row.target,
      existing: used,
      isGiven: row.values.get(this.#sheet.given ?? '') === true,
      isAsked: row.values.get(this.#sheet.afterwards?.column ?? '') === true,
    }
  }
}

interface Started {
  readonly rowNo: number
  readonly errors: (CellError & { readonly isSkip?: true })[]
  /** The key of the record it names, where it is understood. */
  key: string | undefined
  target: Row | undefined
  /** References to what is there but not to be named anew, by column. */
  readonly unfit: Map<string, number>
  readonly raw: readonly string[]
  /** Text of each cell, trimmed. */
  readonly cells: Map<string, string>
  /** What it means; absent where that is wrong. */
  readonly values: Map<string, unknown>
  readonly records: Map<string, Row>
}

type CellKey =
  | 'cell.required' | 'cell.unknown' | 'cell.inactive' | 'cell.out-of-scope' | 'cell.choice' | 'cell.flag' | 'cell.number' | 'cell.whole' | 'cell.date' | 'cell.rounded'
  | 'cell.file-not-sent' | 'cell.asks' | 'cell.not-allowed' | 'cell.changes' | 'cell.not-changed' | 'cell.only-new' | 'cell.changes-from' | 'cell.unchanged' | 'cell.kept' | 'cell.not-made' | 'cell.ragged' | 'cell.taken' | 'cell.shared' | 'cell.taken-unseen' | 'cell.shared-unseen'

function cellError(column: string, code: string, key: CellKey, params: SentenceParams): CellError {
  return { column, code, ...said({ key, params }) }
}

const codes: Readonly<Record<string, string>> = { REQUIRED: 'E01', NOT_IN_SCOPE: 'E02', INACTIVE: 'E07', DUPLICATE: 'E04', TOO_SMALL: 'E06', TOO_LARGE: 'E06', TOO_LONG: 'E06', NOT_EQUAL: 'E11', EXCEEDS_AVAILABLE: 'E12' }

/** What saving a record complains about, as an error of a cell. */
export function ofProblem(column: string, { code, text, key, params }: FieldProblem): CellError {
  return { column, code: codes[code] ?? 'E05', text, key, ...(params === undefined ? {} : { params }) }
}

/** Letters of what was typed that are compared: no code is longer, and a cell may hold tens of thousands. */
const mostCompared = 80

/** The few candidates most like what was typed. */
function nearest(value: string, candidates: readonly string[]): readonly string[] {
  const word = value.slice(0, mostCompared).toLowerCase()
  return candidates
    .map((candidate) => ({ candidate, far: candidate.toLowerCase().startsWith(word) ? 0 : distance(word, candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 5)
    .map(({ candidate }) => candidate)
}
