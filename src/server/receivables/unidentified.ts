import type { DateText } from '#base/date.ts'
import { compare, grouped, type Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { fail, wrong } from '#server/problemError.ts'

/** Refuses to use more unidentified money than came in and nobody has used. The banks stay locked: two receipts do not use the same money. */
export async function assertUnidentified(tx: Queries, receipt: { readonly operatingUnitId: number; readonly date: DateText; readonly amount: Decimal }, field = 'Amount'): Promise<void> {
  await tx.run(sql`select 1 from house_bank where operating_unit_id = ${receipt.operatingUnitId} order by id for no key update`)
  const unused = await unusedFrom(tx, receipt.operatingUnitId, receipt.date)
  if (compare(receipt.amount, unused) <= 0) return
  fail('EXCEEDS_AVAILABLE.unidentified', { amount: grouped(unused) }, { errors: [wrong(field, 'EXCEEDS_REMAINING.most', { limit: grouped(unused) })] })
}

/** The least that is unused of a unit's unidentified money on the day and on every day after it: a receipt of an earlier day takes from what later ones used. */
async function unusedFrom(tx: Queries, unit: number, day: DateText): Promise<Decimal> {
  const row = await tx.first<{ unused: Decimal }>(sql`
    with moved as (${movedOf(unit)})
    select greatest(least((select coalesce(sum(amount), 0) from moved where day <= ${day}::date), (select min(balance) from (select day, sum(amount) over (order by day) as balance from moved) x where day >= ${day}::date)), 0)::numeric(18, 2) as unused`)
  return row?.unused ?? '0.00'
}

/** Refuses to take these lines of a statement out of a unit's unidentified money where receipts have used it. */
export async function assertUnused(tx: Queries, unit: number, lineIds: readonly number[]): Promise<void> {
  const row = await tx.first<{ least: Decimal | null }>(sql`select min(balance)::numeric(18, 2) as least from (select sum(amount) over (order by day) as balance from (${movedOf(unit, lineIds)}) moved) x`)
  if (compare(row?.least ?? '0.00', '0') < 0) fail('ILLEGAL_TRANSITION.unidentified-used')
}

/** What came in and was used of a unit's unidentified money, by day; as if these lines of statements were not there. */
function movedOf(unit: number, without: readonly number[] = []): Sql {
  return sql`
    select day, sum(amount) as amount from (
      select l.value_date as day, l.credit as amount from bank_statement_line l join bank_statement s on s.id = l.bank_statement_id
      where s.operating_unit_id = ${unit} and s.status = 3 and l.match_type = 'UNIDENTIFIED' and l.id <> all(${[...without]}::bigint[])
      union all select payment_date, -amount from ar_payment where operating_unit_id = ${unit} and status in (1, 2, 3) and method = 'UNIDENTIFIED'
    ) x group by day`
}
