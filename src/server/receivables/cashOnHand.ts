import { dayText } from '#base/date.ts'
import { exact, grouped, isZero, money, type Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'

interface Taking {
  readonly account: string
  readonly operatingUnitId: number
  readonly date: string
  readonly amount: Decimal
  /** Wire name of the amount. */
  readonly field: string
}

/** Cash can be paid out only as far as it is there, on the day and on every day since. */
export async function assertCash(tx: Queries, { account, operatingUnitId, date, amount, field }: Taking): Promise<void> {
  if (isZero(amount)) return
  const least = await tx.exclusive(`cash of account ${account} in unit ${operatingUnitId}`, () =>
    tx.first<{ balance: Decimal; day: string }>(sql`
      with moved as (
        select ${date}::date as day, 0 as amount union all
        select greatest(j.posting_date, ${date}::date), sum(l.debit - l.credit) from journal_line l join journal j on j.id = l.journal_id join account k on k.id = l.account_id
        where k.code = ${account} and j.operating_unit_id = ${operatingUnitId} group by 1)
      select balance::numeric(18, 2) as balance, day from (select day, sum(amount) over (order by day) as balance from moved) running order by balance, day limit 1`))
  const there = least?.balance ?? '0.00'
  if (exact(there).lt(amount)) invalid([wrong(field, 'EXCEEDS_AVAILABLE.cash', { account, amount: grouped(money(exact(there))), day: dayText(least?.day ?? date) })])
}
