import { compare, exact, isZero, money, type Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { financeAccounts, financeBehaviour } from './seed/settings.ts'

const settings = new RememberedTable('setup', (tx) => tx.rows<{ key: string; value: unknown; operating_unit_id: number | null }>(sql`select key, value, operating_unit_id from setting_oms`))

/** The value of setting_oms as it is kept: the operating unit's own, else its company's finance setting where there is one, else the general one. */
export async function settingValue(tx: Queries, key: string, operatingUnitId: number | null): Promise<unknown> {
  const rows = (await settings.get(tx)).filter((row) => row.key === key)
  const own = operatingUnitId === null ? undefined : rows.find((row) => row.operating_unit_id === operatingUnitId)
  if (own !== undefined) return own.value
  const ofCompany = financeBehaviour.find((one) => one === key)
  const company = operatingUnitId === null || ofCompany === undefined ? undefined : (await financeOf(tx, operatingUnitId))?.[ofCompany]
  return company ?? rows.find((row) => row.operating_unit_id === null)?.value
}

/** What finance has settled for the company of an operating unit; its behaviour is null as long as no settings have been made for it. */
interface FinanceSettings extends Readonly<Record<(typeof financeBehaviour)[number], number | null>> {
  readonly operating_unit_id: number
  readonly receivable_account_id: number
  readonly collector_account_id: number
  readonly receivable_account: string
  readonly collector_account: string
  readonly payable_account: string
  readonly other_payable_account: string
  /** Invoices up to these totals (VAT included) are not collected by the buyer although he is a collector. */
  readonly collected_above_government: Decimal
  readonly collected_above_other: Decimal
  /** Advances have a tax invoice of their own. */
  readonly deposit_vat: boolean
  /** Sales up to this base are free of the income tax buyers withhold. */
  readonly withheld_above: Decimal
}

const finance = new RememberedTable('setup', (tx) =>
  tx.rows<FinanceSettings & Record<string, unknown>>(sql`
    select u.id as operating_unit_id, ${join(financeBehaviour.map((column) => ident(`f.${column}`)))}, r.id as receivable_account_id, c.id as collector_account_id, r.code as receivable_account,
      c.code as collector_account, p.code as payable_account, o.code as other_payable_account, coalesce(f.collected_above_government, 2000000) as collected_above_government,
      coalesce(f.collected_above_other, 10000000) as collected_above_other, coalesce(f.withheld_above, 2000000) as withheld_above, coalesce(f.deposit_vat, false) as deposit_vat
    from operating_unit u left join setting_finance f on f.company_id = u.company_id
    join account r on ${isAccount(sql`r`, sql`f.receivable_account_id`, financeAccounts.receivable_account_id)} join account c on ${isAccount(sql`c`, sql`f.collector_account_id`, financeAccounts.collector_account_id)}
    join account p on ${isAccount(sql`p`, sql`f.payable_account_id`, financeAccounts.payable_account_id)} join account o on ${isAccount(sql`o`, sql`f.other_payable_account_id`, financeAccounts.other_payable_account_id)}`))

/** The account chosen, else the one every installation starts with: a company whose settings have not been made yet can work. */
function isAccount(account: Sql, chosen: Sql, otherwise: string): Sql {
  return sql`case when ${chosen} is null then ${account}.code = ${otherwise} else ${account}.id = ${chosen} end`
}

async function financeOf(tx: Queries, operatingUnitId: number): Promise<FinanceSettings | undefined> {
  return (await finance.get(tx)).find((row) => row.operating_unit_id === operatingUnitId)
}

/** The same for whoever cannot go on without. */
export async function financeSettings(tx: Queries, operatingUnitId: number): Promise<FinanceSettings> {
  return (await financeOf(tx, operatingUnitId)) ?? fail('VALIDATION_FAILED.finance')
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

/** As `tolerance`, for an amount in a currency of which one is worth `rate` in the books: amounts are kept in that of the books. */
export async function toleranceIn(tx: Queries, usage: string, operatingUnitId: number, of: Decimal, rate: Decimal): Promise<Decimal> {
  if (compare(rate, '1') === 0) return tolerance(tx, usage, operatingUnitId, of)
  return money(exact(await tolerance(tx, usage, operatingUnitId, money(exact(of).times(rate)))).div(rate))
}
