import type { ImportSheet } from '#meta/resolved.ts'
import type { Queries } from '#server/context.ts'
import { join, sql } from '#server/db/sql.ts'
import type { Batch } from './batches.ts'

/** Documents of a file that bear on each other, in its order. */
export interface Related {
  readonly units: readonly number[]
  readonly rows: number
}

/**
 * The documents of a file, those that name the same thing in one of the columns that make them bear on each other put together, each lot where its
 * first stands; none where nothing does. `isOpen`: only of rows that are right so far.
 */
export async function relatedUnits(queries: Queries, batch: Batch, sheet: ImportSheet, isOpen: boolean): Promise<readonly Related[]> {
  const places = sheet.together.map((name) => batch.mapping.indexOf(name)).filter((place) => place >= 0)
  if (places.length === 0) return []
  const named = places.map((place, i) => sql`(${i}::int, lower(trim(r.raw->>${place}::int)))`)
  const rows = await queries.rows<{ unit_no: number; rows: number; keys: readonly string[] | null }>(sql`
    select r.unit_no, count(distinct r.row_no)::int as rows, array_agg(distinct k.at || ' ' || k.said) filter (where k.said <> '') as keys
    from import_row r cross join lateral (values ${join(named)}) k(at, said)
    where r.import_batch_id = ${batch.id} and ${isOpen ? sql`r.state in ('VALID', 'WARNING')` : sql`r.state <> 'COMMITTED'`} group by r.unit_no order by r.unit_no`)
  const above = new Map<number, number>()
  const firstOf = (unit: number): number => {
    let top = unit
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next
    // Whoever asks again has a shorter way.
    if (top !== unit) above.set(unit, top)
    return top
  }
  const byKey = new Map<string, number>()
  for (const { unit_no: unit, keys } of rows) {
    for (const key of keys ?? []) {
      const [one, other] = [firstOf(byKey.get(key) ?? unit), firstOf(unit)]
      if (one !== other) above.set(Math.max(one, other), Math.min(one, other))
      byKey.set(key, Math.min(one, other))
    }
  }
  const lots = new Map<number, { readonly units: number[]; rows: number }>()
  for (const { unit_no: unit, rows: count } of rows) {
    const first = firstOf(unit)
    const lot = lots.get(first)
    if (lot === undefined) lots.set(first, { units: [unit], rows: count })
    else {
      lot.units.push(unit)
      lot.rows += count
    }
  }
  return [...lots.values()]
}

/** Rows and those of the documents they bear on or that bear on them. */
export async function relatedRows(queries: Queries, batchId: number, rows: readonly number[], lots: readonly Related[]): Promise<readonly number[]> {
  if (lots.length === 0) return rows
  const wanted = new Set(await unitsOf(queries, batchId, rows))
  const units = lots.filter((lot) => lot.units.some((unit) => wanted.has(unit))).flatMap((lot) => lot.units)
  const found = await queries.rows<{ row_no: number }>(sql`select row_no from import_row where import_batch_id = ${batchId} and state <> 'COMMITTED' and unit_no = any(${units}::int[]) order by row_no`)
  return [...new Set([...rows, ...found.map((row) => row.row_no)])].sort((a, b) => a - b)
}

/** The documents of these rows. */
export async function unitsOf(queries: Queries, batchId: number, rows: readonly number[]): Promise<readonly number[]> {
  const found = await queries.rows<{ unit_no: number }>(sql`select distinct unit_no from import_row where import_batch_id = ${batchId} and row_no = any(${[...rows]}::int[])`)
  return found.map((row) => row.unit_no)
}

/** Lots put together as long as they stay within so many documents and rows; one that is larger stands by itself. */
export function packed(lots: readonly Related[], most: { readonly units: number; readonly rows: number }): readonly (readonly number[])[] {
  const packs: { readonly units: number[]; rows: number }[] = []
  for (const lot of lots) {
    const last = packs.at(-1)
    if (last !== undefined && last.units.length + lot.units.length <= most.units && last.rows + lot.rows <= most.rows) {
      last.units.push(...lot.units)
      last.rows += lot.rows
    } else packs.push({ units: [...lot.units], rows: lot.rows })
  }
  return packs.map(({ units }) => units)
}
