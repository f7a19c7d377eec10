import { periodOf, type DateText } from '#base/date.ts'
import type { Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, wrong } from '#server/problemError.ts'

export type PeriodModule = 'SD' | 'ST' | 'AR' | 'AP' | 'CB' | 'GL' | 'TX'

/**
 * Refuses with PERIOD_CLOSED unless the day's period is open for the module in the unit (a unit's own row counts before the company's).
 * While a period is closing only those post who may (`accounting-period-post`). The row stays share-locked: it cannot be closed under a running posting.
 */
export async function assertPeriodOpen(tx: Queries, user: User, module: PeriodModule, operatingUnitId: number, date: DateText): Promise<void> {
  const period = periodOf(date)
  const row = await tx.first<{ status: string }>(sql`
    select status from accounting_period
    where period = ${period} and module = ${module} and (operating_unit_id = ${operatingUnitId} or operating_unit_id is null)
    order by operating_unit_id nulls last limit 1 for share`)
  if (row?.status === 'OPEN') return
  if (row?.status === 'CLOSING' && user.guards.has('accounting-period-post')) return
  const unit = await tx.first<{ code: string }>(sql`select code from operating_unit where id = ${operatingUnitId}`)
  const month = `${date.slice(5, 7)}/${date.slice(0, 4)}`
  const name = { key: `enum.${module}` }
  fail('PERIOD_CLOSED.unit', { period: month, module: name, unit: unit?.code ?? '?' }, { errors: [wrong('PostingDate', 'PERIOD_CLOSED', { period: month, module: name })] })
}
