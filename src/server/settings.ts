import type { Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** A switch or number of setting_oms: the operating unit's own value, else the general one, else `otherwise`. */
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: boolean): Promise<boolean>
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: number): Promise<number>
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: string): Promise<string>
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: boolean | number | string): Promise<boolean | number | string> {
  const row = await tx.first<{ value: unknown }>(sql`
    select value from setting_oms where key = ${key} and (operating_unit_id is null or operating_unit_id = ${operatingUnitId}::bigint)
    order by operating_unit_id nulls last limit 1`)
  const value = row?.value
  return isLike(value, otherwise) ? value : otherwise
}

function isLike<T>(value: unknown, example: T): value is T {
  return typeof value === typeof example
}

/** Amount of a tolerance; none is zero. The unit's own row wins. */
export async function tolerance(tx: Queries, usage: string, operatingUnitId: number): Promise<Decimal> {
  const row = await tx.first<{ amount: string }>(sql`
    select amount from tolerance where usage = ${usage} and is_active and (operating_unit_id is null or operating_unit_id = ${operatingUnitId})
    order by operating_unit_id nulls last limit 1`)
  return row?.amount ?? '0'
}
