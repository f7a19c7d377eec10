import { addDays, daysBetween, isDate } from '#base/date.ts'
import { fixed, isDecimal, sum } from '#base/decimal.ts'
import { computed, type Compute } from '#meta/compute.ts'
import { decimalPlaces } from '#meta/ddl.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Derivation, ResolvedEntity } from '#meta/resolved.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { fieldMap, knownEntity } from './entities.ts'
import { readersOf, type Reached, type Reader, type Reading } from './reach.ts'

/** A line about to be saved: what it brings, and the row it changes. */
export interface DerivedLine {
  readonly columns: Row
  readonly stored: Row | undefined
}

/**
 * Works out what entity and lines derive, into `header` and the columns of the lines: first what the header has from records it names, then the
 * lines, then what is added up over them. `lines`: by wire name, as far as they are saved. `user`: only what he may see is
 * reached, for records that are typed and whose references nobody has checked.
 */
export async function deriveValues({ tx, metadata }: Reading, entity: ResolvedEntity, before: Row | undefined, header: Row, lines: Readonly<Record<string, readonly DerivedLine[]>>, user?: User): Promise<void> {
  if (entity.derive === undefined && entity.lines.every((line) => metadata.entities[line.entity]?.derive === undefined)) return
  const derive = Object.entries(entity.derive ?? {})
  for (const round of roundsOf(derive)) {
    const [read] = await readersOf({ tx, metadata }, [{ entity, row: { ...before, ...header } }], round.flatMap(([, source]) => pathsOf(source)), user)
    for (const [name, source] of round) if (!isReckoned(source) && read !== undefined) header[name] = valueOf(source, read)
  }
  const whole = { entity, row: { ...before, ...header } }
  for (const line of entity.lines) {
    const rows = lines[line.wire] ?? []
    const lineEntity = knownEntity(metadata, line.entity)
    const derived = Object.entries(lineEntity.derive ?? {})
    if (rows.length === 0 || derived.length === 0) continue
    for (const round of roundsOf(derived)) {
      const reached = rows.map(({ columns, stored }): Reached => ({ entity: lineEntity, row: { ...stored, ...columns }, header: whole }))
      const readers = await readersOf({ tx, metadata }, reached, round.flatMap(([, source]) => pathsOf(source)), user)
      for (const [i, { columns }] of rows.entries()) {
        const reader = readers[i]
        for (const [name, source] of round) if (!isReckoned(source) && reader !== undefined) columns[name] = valueOf(source, reader)
      }
    }
    for (const { columns, stored } of rows) reckon(lineEntity, derived, stored, columns)
  }
  for (const [name, source] of derive) if (isReckoned(source) && 'sum' in source) header[name] = await added(tx, metadata, entity, before, name, source.sum, lines)
  reckon(entity, derive, before, header)
}

type Derived = readonly (readonly [string, Derivation])[]

/** What is read at once: first what rests on nothing derived, then what a reference that is derived itself leads to. */
function roundsOf(derived: Derived): readonly Derived[] {
  const names = new Set(derived.map(([name]) => name))
  const rests = (source: Derivation): boolean => pathsOf(source).some((path) => path.includes('.') && names.has(path.split('.')[0] ?? ''))
  const later = derived.filter(([, source]) => rests(source))
  return later.length === 0 ? [derived] : [derived.filter(([, source]) => !rests(source)), later]
}

/** Numbers worked out from others of the record, in their order: once those are there. */
function reckon(entity: ResolvedEntity, derive: Derived, before: Row | undefined, columns: Row): void {
  for (const [name, source] of derive) {
    if (!isReckoned(source) || !('compute' in source)) continue
    columns[name] = computed(source.compute, (column) => columns[column] ?? before?.[column], decimalPlaces(fieldMap(entity).get(name)?.type ?? 'money'))
  }
}

function isReckoned(source: Derivation): source is Extract<Derivation, { readonly sum: string } | { readonly compute: Compute }> {
  return typeof source === 'object' && ('sum' in source || 'compute' in source)
}

function pathsOf(source: Derivation): readonly string[] {
  if (typeof source === 'string') return [source]
  if (isReckoned(source)) return []
  return 'daysFrom' in source ? [source.daysFrom, source.to] : [source.daysBefore, ...(typeof source.days === 'string' ? [source.days] : [])]
}

function valueOf(source: Derivation, read: Reader): unknown {
  if (typeof source === 'string') return read(source) ?? null
  if (isReckoned(source)) return null
  if ('daysBefore' in source) {
    const day = read(source.daysBefore)
    const days = typeof source.days === 'number' ? source.days : read(source.days)
    return isDate(day) && typeof days === 'number' ? addDays(day, -days) : null
  }
  const from = read(source.daysFrom)
  const to = read(source.to)
  return isDate(from) && isDate(to) ? daysBetween(from, to) : null
}

/** The column added up over the lines that are saved, or over those that stay as they are. */
async function added(tx: Queries, metadata: Metadata, entity: ResolvedEntity, before: Row | undefined, name: string, path: string, lines: Readonly<Record<string, readonly DerivedLine[]>>): Promise<string> {
  const [lineName, column = ''] = path.split('.')
  const line = entity.lines.find((candidate) => candidate.name === lineName)
  if (line === undefined) throw new Error(`${entity.id} has no lines ${lineName}`)
  const places = decimalPlaces(fieldMap(entity).get(name)?.type ?? 'money')
  const sent = lines[line.wire]
  if (sent !== undefined) {
    const amounts = sent.map(({ columns, stored }) => columns[column] ?? stored?.[column])
    return fixed(sum(amounts.filter((amount): amount is string => isDecimal(amount, 12))), places)
  }
  if (before === undefined) return fixed('0', places)
  const row = await tx.first<{ total: string }>(sql`select coalesce(sum(${ident(column)}), 0)::text as total from ${ident(knownEntity(metadata, line.entity).table)} where ${ident(line.column)} = ${before['id']}`)
  return fixed(row?.total ?? '0', places)
}
