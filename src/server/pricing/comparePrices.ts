import { compare, exact, fixed } from '#base/decimal.ts'
import { addDays, dayText, isDate, type DateText } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import { unitsOf } from '#domain/pricing/masters.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { pricedItems } from './pricingMasters.ts'

/** What a change is about, by column name: the header of a price_change. */
export interface ChangeFacts {
  readonly kind: string
  readonly isPartial: boolean
  /** Price set or discount set whose rows change; null: a new set. */
  readonly setId: number | null
  readonly from: DateText
}

/** A row that is valid on the day of the change or later. */
export interface LiveRow extends Row {
  readonly id: number
  readonly item_id: number | null
  readonly brand_id: number | null
  readonly category_id: number | null
  readonly principal_id: number | null
  readonly uom: string | null
  readonly min_qty: string
  readonly min_value: string
  readonly seq: number | null
  readonly name: string | null
  readonly kind: string | null
  readonly base: string | null
  readonly value: string
  readonly funding: string | null
  readonly floor_price: string | null
  readonly valid_from: DateText
  readonly valid_to: DateText | null
}

export type Outcome = 'NEW' | 'CHANGED' | 'SAME' | 'ENDED'

/** One line beside the row it replaces. */
export interface Compared {
  readonly line: Row
  /** The row of the same item, unit and quantity (or step and selector) valid on the day of the change. */
  readonly live: LiveRow | undefined
  /** Undefined: the line is not complete yet. */
  readonly effect: Outcome | undefined
  /** Percent by which the value moves, four places; null where nothing stood before. */
  readonly changePct: string | null
}

export interface Comparison {
  readonly lines: readonly Compared[]
  /** Rows valid on the day that no line speaks of. */
  readonly untouched: readonly LiveRow[]
  readonly problems: readonly FieldProblem[]
}

/** List prices, as against discounts. */
export function isPriceKind(kind: string): boolean {
  return kind === 'LIST_PRICE' || kind === 'PRICE_SET'
}

/** Column of the header that names the set a change is about. */
export function setColumn(kind: string): 'price_set_id' | 'discount_set_id' {
  return isPriceKind(kind) ? 'price_set_id' : 'discount_set_id'
}

export function factsOf(header: Row): ChangeFacts | null {
  const { kind, effective_from: from } = header
  if (typeof kind !== 'string' || !isDate(from)) return null
  const setId = header[setColumn(kind)]
  return { kind, isPartial: header['is_partial'] === true, setId: typeof setId === 'number' ? setId : null, from }
}

/** Rows of the set that are valid on the day or later, those of the day first. Partial changes look at their own items only. */
export async function liveRows(tx: Queries, facts: ChangeFacts, lines: readonly Row[]): Promise<readonly LiveRow[]> {
  if (facts.setId === null) return []
  if (!isPriceKind(facts.kind)) {
    return tx.rows<LiveRow>(sql`
      select id, seq, name, item_id, brand_id, category_id, principal_id, null as uom, min_qty, min_value, kind, base, value, funding, null as floor_price, valid_from, valid_to
      from discount where discount_set_id = ${facts.setId} and (valid_to is null or valid_to >= ${facts.from}::date) order by seq, valid_from, id`)
  }
  const items = facts.isPartial ? [...new Set(lines.flatMap((line) => (typeof line['item_id'] === 'number' ? [line['item_id']] : [])))] : null
  return tx.rows<LiveRow>(sql`
    select l.id, null as seq, null as name, l.item_id, null as brand_id, null as category_id, null as principal_id, l.uom, l.min_qty, '0' as min_value, null as kind, null as base, l.price as value, null as funding,
      l.floor_price, l.valid_from, l.valid_to
    from list_price l join item i on i.id = l.item_id
    where l.price_set_id = ${facts.setId} and (l.valid_to is null or l.valid_to >= ${facts.from}::date) and (${items}::bigint[] is null or l.item_id = any(${items}::bigint[]))
    order by i.code, l.uom, l.min_qty, l.valid_from, l.id`)
}

/** Sets the lines beside what is valid on the day: what is new, changed, ended, and what is wrong, at its cell. */
export async function comparePrices(tx: Queries, facts: ChangeFacts, lines: readonly Row[], wire = 'Lines'): Promise<Comparison> {
  const isPrice = isPriceKind(facts.kind)
  const rows = await liveRows(tx, facts, lines)
  const names = await namesOf(tx, lines)
  const now = new Map<string, LiveRow>()
  const later = new Map<string, LiveRow>()
  for (const row of rows) {
    const key = rowKey(row)
    if (row.valid_from <= facts.from) now.set(key, row)
    else if (!later.has(key)) later.set(key, row)
  }
  const units = isPrice ? await pricedItems.all(tx, [...names.keys()]) : new Map()
  const problems: FieldProblem[] = []
  const seen = new Set<string>()
  const compared = lines.map((line, i): Compared => {
    const at = (column: string): string => `${wire}[${i}].${wireName(column)}`
    const complain = (problem: FieldProblem): void => void problems.push(problem)
    const keyColumn = isPrice ? 'item_id' : 'seq'
    const isComplete = isPrice ? typeof line['item_id'] === 'number' && typeof line['uom'] === 'string' && line['uom'] !== '' : typeof line['seq'] === 'number'
    if (!isComplete) {
      complain(wrong(at(isPrice && typeof line['item_id'] === 'number' ? 'uom' : keyColumn), 'REQUIRED'))
      return { line, live: undefined, effect: undefined, changePct: null }
    }
    const key = rowKey(line)
    const live = now.get(key)
    if (seen.has(key)) complain(wrong(at(keyColumn), 'DUPLICATE.line'))
    seen.add(key)
    const item = typeof line['item_id'] === 'number' ? units.get(line['item_id']) : undefined
    if (isPrice && item !== undefined && !item.factors.has(String(line['uom']))) complain(wrong(at('uom'), 'NOT_A_CHOICE.uom', { units: unitsOf(item) }))
    if (line['action'] === 'END') {
      if (live === undefined) complain(wrong(at(keyColumn), 'NOT_FOUND.live', { day: dayText(facts.from) }))
      else if (live.valid_from === facts.from) complain(sameDay(at(keyColumn), live, facts.from))
      return { line, live, effect: live === undefined ? undefined : 'ENDED', changePct: null }
    }
    const value = decimal(line['value'])
    const kept = keep(line, live, value)
    const floor = decimal(kept['floor_price'])
    if (value === null) {
      complain(wrong(at('value'), 'REQUIRED'))
      return { line, live, effect: undefined, changePct: null }
    }
    if (!isPrice && typeof kept['kind'] !== 'string') complain(wrong(at('kind'), 'REQUIRED'))
    if (!isPrice && kept['kind'] === 'PCT' && compare(value, '100') > 0) complain(wrong(at('value'), 'TOO_LARGE', { limit: 100 }))
    if (isPrice && floor !== null && compare(floor, value) > 0) complain(wrong(at('floor_price'), 'TOO_LARGE', { limit: value }))
    const validTo = isDate(kept['valid_to']) ? kept['valid_to'] : null
    if (live !== undefined && isUnchanged(live, kept, value, floor, validTo)) return { line: kept, live, effect: 'SAME', changePct: '0.0000' }
    if (validTo !== null && validTo < facts.from) complain(wrong(at('valid_to'), 'TOO_EARLY.effective', { day: dayText(facts.from) }))
    if (live?.valid_from === facts.from) complain(sameDay(at(keyColumn), live, facts.from))
    const next = later.get(key)
    if (next !== undefined && (validTo === null || validTo >= next.valid_from)) {
      complain(wrong(at('valid_to'), 'OVERLAPS.row', {
        row: nameOf(next, names), value: shown(next.value), from: dayText(next.valid_from), to: next.valid_to === null ? '…' : dayText(next.valid_to), last: dayText(addDays(next.valid_from, -1)),
      }))
    }
    return { line: kept, live, effect: live === undefined ? 'NEW' : 'CHANGED', changePct: live === undefined ? null : percent(live.value, value) }
  })
  return { lines: compared, untouched: [...now.entries()].filter(([key]) => !seen.has(key)).map(([, row]) => row), problems }
}

const keepable = ['name', 'kind', 'base', 'floor_price', 'valid_to'] as const

/** What a front does not ask for stays as it is; a floor price never stands above the price. */
function keep(line: Row, live: LiveRow | undefined, value: string | null): Row {
  const kept: Row = { ...line }
  for (const column of keepable) if (line[column] === undefined) kept[column] = live?.[column] ?? (column === 'base' && line['seq'] != null ? 'RUNNING' : null)
  if (line['floor_price'] === undefined && value !== null && live?.floor_price != null && compare(live.floor_price, value) > 0) kept['floor_price'] = value
  return kept
}

/** Columns of a line the comparison fills in. */
export function comparedColumns({ line, live, effect, changePct }: Compared): Row {
  return {
    ...(effect === 'ENDED' ? {} : Object.fromEntries(keepable.flatMap((column) => (line[column] === undefined ? [] : [[column, line[column]]])))),
    effect: effect ?? null, old_value: live?.value ?? null, change_pct: changePct, old_floor: live?.floor_price ?? null, old_valid_from: live?.valid_from ?? null, live_id: live?.id ?? null,
  }
}

/** A line that says what a row says. */
export function lineOf(row: LiveRow, action: 'SET' | 'END'): Row {
  return {
    action, item_id: row.item_id, brand_id: row.brand_id, category_id: row.category_id, principal_id: row.principal_id, uom: row.uom, min_qty: row.min_qty, min_value: row.min_value, seq: row.seq,
    name: row.name, kind: row.kind, base: row.base, value: action === 'SET' ? row.value : null, floor_price: action === 'SET' ? row.floor_price : null,
    valid_to: action === 'SET' ? row.valid_to : null,
  }
}

/** How many rows are new, changed and ended, and the largest move in percent, up or down. */
export function tally(lines: readonly Compared[]): { readonly added_count: number; readonly changed_count: number; readonly ended_count: number; readonly largest_pct: string | null } {
  const count = (effect: Outcome): number => lines.filter((line) => line.effect === effect).length
  const moves = lines.flatMap((line) => (line.effect === 'CHANGED' && line.changePct !== null ? [line.changePct] : []))
  const largest = moves.reduce<string | null>((most, move) => (most === null || compare(size(move), size(most)) > 0 ? move : most), null)
  return { added_count: count('NEW'), changed_count: count('CHANGED'), ended_count: count('ENDED'), largest_pct: largest }
}

function size(value: string): string {
  return value.replace('-', '')
}

function rowKey(row: Row): string {
  const ids = ['seq', 'item_id', 'brand_id', 'category_id', 'principal_id', 'uom'].map((column) => String(row[column] ?? ''))
  return [...ids, fixed(decimal(row['min_qty']) ?? '0', 3), fixed(decimal(row['min_value']) ?? '0', 2)].join('|')
}

function isUnchanged(live: LiveRow, line: Row, value: string, floor: string | null, validTo: DateText | null): boolean {
  const same = (a: string | null, b: string | null): boolean => (a === null || b === null ? a === b : compare(a, b) === 0)
  return same(live.value, value) && same(live.floor_price, floor) && live.valid_to === validTo && (live.kind ?? null) === (line['kind'] ?? null)
    && (live.base === null || live.base === (line['base'] ?? 'RUNNING')) && (live.name === null || line['name'] == null || live.name === line['name'])
}

function percent(before: string, after: string): string | null {
  if (compare(before, '0') === 0) return null
  const moved = fixed(exact(after).minus(before).times(100).div(before), 4)
  return compare(size(moved), '999.9999') > 0 ? (moved.startsWith('-') ? '-999.9999' : '999.9999') : moved
}

function decimal(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? text : null
}

function shown(value: string): string {
  return value.replace(/\.?0+$/, '')
}

function sameDay(field: string, live: LiveRow, from: DateText): FieldProblem {
  return wrong(field, 'OVERLAPS.same-day', { value: shown(live.value), day: dayText(from) })
}

/** Code of each item named by the lines. */
async function namesOf(tx: Queries, lines: readonly Row[]): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(lines.flatMap((line) => (typeof line['item_id'] === 'number' ? [line['item_id']] : [])))]
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: number; code: string }>(sql`select id, code from item where id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row.code]))
}

function nameOf(row: LiveRow, names: ReadonlyMap<number, string>): string {
  const item = row.item_id === null ? null : (names.get(row.item_id) ?? String(row.item_id))
  const rest = row.uom ?? row.name
  return [item, rest].filter((part) => part !== null && part !== '').join(' ')
}
