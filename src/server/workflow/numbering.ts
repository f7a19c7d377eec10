import type { DateText } from '#base/date.ts'
import type { Queries, Row } from '#server/context.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { onlyOnce, remember } from './once.ts'

/** What a number is made of. */
export interface Series {
  readonly id: number
  readonly prefix: string
  /** Tokens {PREFIX} {OU} {YY} {YYYY} {MM} {SEQ:n}. */
  readonly pattern: string
  readonly reset: 'NEVER' | 'YEARLY' | 'MONTHLY'
}

/** Name of the counter a number is drawn from: one a unit where the pattern names it, one a year or month as the series restarts. */
export function bucketOf(series: Series, unitCode: string, date: DateText): string {
  const unit = series.pattern.includes('{OU}') ? unitCode : ''
  const span = series.reset === 'NEVER' ? '' : series.reset === 'YEARLY' ? date.slice(0, 4) : date.slice(0, 7).replace('-', '')
  return [unit, span].filter((part) => part !== '').join('/')
}

/** The number as people read it: `SO/JKT/2511/00042`. */
export function formatNumber(series: Series, unitCode: string, date: DateText, value: number): string {
  return series.pattern
    .replaceAll('{PREFIX}', series.prefix)
    .replaceAll('{OU}', unitCode)
    .replaceAll('{YYYY}', date.slice(0, 4))
    .replaceAll('{YY}', date.slice(2, 4))
    .replaceAll('{MM}', date.slice(5, 7))
    .replace(/\{SEQ:(\d+)\}/g, (_, digits: string) => String(value).padStart(Number(digits), '0'))
}

interface SeriesRow extends Series {
  readonly code: string
}

const seriesByCode = new RememberedTable('setup', async (tx) => {
  const rows = await tx.rows<SeriesRow & Row>(sql`select id, code, prefix, pattern, reset from number_series where is_active`)
  return new Map(rows.map((row) => [row.code, row]))
})

const unitCodes = new RememberedTable('setup', async (tx) => {
  const rows = await tx.rows<{ id: number; code: string }>(sql`select id, code from operating_unit`)
  return new Map(rows.map((row) => [row.id, row.code]))
})

/** Code of an operating unit; empty for none. */
export async function unitCode(tx: Queries, id: number): Promise<string> {
  return (await unitCodes.get(tx)).get(id) ?? ''
}

/**
 * Draws the next number of a gapless series. The counter row stays locked until the transaction ends: whoever rolls back gives the number
 * back, and nobody else gets it meanwhile.
 */
export async function drawNumber(tx: Queries, code: string, operatingUnitId: number, date: DateText): Promise<string> {
  const draw = await counterOf(tx, code, operatingUnitId, date)
  return draw()
}

/** As `drawNumber`; the number is drawn when the answer is called: ahead of what waits, or in its turn on the queries given. */
export async function counterOf(tx: Queries, code: string, operatingUnitId: number, date: DateText): Promise<(queries?: Queries) => Promise<string>> {
  const [all, unit] = await Promise.all([seriesByCode.get(tx.ahead), unitCode(tx.ahead, operatingUnitId)])
  const series = all.get(code)
  if (!series) fail('VALIDATION_FAILED.series', { series: code })
  const bucket = bucketOf(series, unit, date)
  return async (queries = tx.ahead) => formatNumber(series, unit, date, (await foreseen(queries, series.id, bucket)) ?? (await drawn(queries, series.id, bucket)))
}

/** Last numbers of counters as transactions of this process that are under way will leave them. */
const expected = new WeakMap<object, Map<string, number>>()

function expectedOf({ home }: Queries): Map<string, number> {
  const known = expected.get(home) ?? new Map<string, number>()
  expected.set(home, known)
  return known
}

async function drawn(queries: Queries, seriesId: number, bucket: string): Promise<number> {
  expectedOf(queries).delete(`${seriesId} ${bucket}`)
  const counter = await queries.first<{ last_value: number }>(sql`
    insert into number_counter (series_id, bucket, last_value) values (${seriesId}, ${bucket}, 1)
    on conflict (series_id, bucket) do update set last_value = number_counter.last_value + 1
    returning last_value`)
  return Number(counter?.last_value)
}

/** The number that comes next when all transactions under way are committed in the order in which they drew; the database refuses it otherwise. */
async function foreseen(queries: Queries, seriesId: number, bucket: string): Promise<number | undefined> {
  if (!queries.foresees()) return undefined
  const counters = expectedOf(queries)
  const key = `${seriesId} ${bucket}`
  if (!counters.has(key)) {
    const counter = await queries.ahead.first<{ last_value: number }>(sql`select last_value from number_counter where series_id = ${seriesId} and bucket = ${bucket}`)
    if (counter === undefined || !queries.foresees()) return undefined
    // Another may have asked at the same time.
    if (!counters.has(key)) counters.set(key, counter.last_value)
  }
  const number = (counters.get(key) ?? 0) + 1
  counters.set(key, number)
  // Neither left out nor given twice: where the one before it is missing, or this one is taken, the column may not be null.
  queries.later(sql`
    insert into number_counter as c (series_id, bucket, last_value) values (${seriesId}, ${bucket}, ${number})
    on conflict (series_id, bucket) do update set last_value = case when c.last_value = excluded.last_value - 1 then excluded.last_value end`)
  return number
}

/** Has a document made in this transaction get a number that has been drawn already, instead of one of its own. */
export function keepNumber(tx: Queries, entity: string, id: number, number: string): void {
  remember(tx, numberKey(entity, id), Promise.resolve(number))
}

/** The number kept for a document, or one drawn now. */
export function numberFor(tx: Queries, entity: string, id: number, draw: () => Promise<string>): Promise<string> {
  return onlyOnce(tx, numberKey(entity, id), draw)
}

function numberKey(entity: string, id: number): string {
  return `number of ${entity} ${id}`
}
