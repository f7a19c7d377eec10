import type { Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'

const settings = new RememberedTable('setup', (tx) => tx.rows<{ key: string; value: unknown; operating_unit_id: number | null }>(sql`select key, value, operating_unit_id from setting_oms`))

/** The value of setting_oms as it is kept: the operating unit's own, else the general one. */
export async function settingValue(tx: Queries, key: string, operatingUnitId: number | null): Promise<unknown> {
  const rows = (await settings.get(tx)).filter((row) => row.key === key)
  const own = operatingUnitId === null ? undefined : rows.find((row) => row.operating_unit_id === operatingUnitId)
  return (own ?? rows.find((row) => row.operating_unit_id === null))?.value
}

/** A switch or number of setting_oms: the operating unit's own value, else the general one, else `otherwise`. */
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: boolean): Promise<boolean>
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: number): Promise<number>
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: string): Promise<string>
export async function setting(tx: Queries, key: string, operatingUnitId: number | null, otherwise: boolean | number | string): Promise<boolean | number | string> {
  const value = await settingValue(tx, key, operatingUnitId)
  return isLike(value, otherwise) ? value : otherwise
}

function isLike<T>(value: unknown, example: T): value is T {
  return typeof value === typeof example
}

const tolerances = new RememberedTable('setup', (tx) => tx.rows<{ usage: string; amount: Decimal; operating_unit_id: number | null }>(sql`select usage, amount, operating_unit_id from tolerance where is_active`))

/** Amount of a tolerance; none is zero. The unit's own row wins. */
export async function tolerance(tx: Queries, usage: string, operatingUnitId: number): Promise<Decimal> {
  const rows = (await tolerances.get(tx)).filter((row) => row.usage === usage)
  return (rows.find((row) => row.operating_unit_id === operatingUnitId) ?? rows.find((row) => row.operating_unit_id === null))?.amount ?? '0'
}
