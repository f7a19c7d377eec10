import { compare, exact, isZero, money, type Decimal } from '#base/decimal.ts'
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

const tolerances = new RememberedTable('setup', (tx) =>
  tx.rows<{ usage: string; amount: Decimal; percent: Decimal; operating_unit_id: number | null }>(sql`select usage, amount, percent, operating_unit_id from tolerance where is_active`))

/**
 * Most that is tolerated, the unit's own row first: the smaller of its amount and its percentage of `of`. A limit of 0 is no limit of its own; where both
 * are 0, or there is no row, nothing is tolerated.
 */
export async function tolerance(tx: Queries, usage: string, operatingUnitId: number, of: Decimal): Promise<Decimal> {
  const rows = (await tolerances.get(tx)).filter((row) => row.usage === usage)
  const row = rows.find((one) => one.operating_unit_id === operatingUnitId) ?? rows.find((one) => one.operating_unit_id === null)
  if (row === undefined) return '0'
  const share = money(exact(of).abs().times(row.percent).div(100))
  if (isZero(row.percent)) return row.amount
  return isZero(row.amount) || compare(share, row.amount) < 0 ? share : row.amount
}
