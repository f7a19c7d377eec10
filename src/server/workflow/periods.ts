import { periodOf, type DateText } from '#base/date.ts'
import type { Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, ProblemError, wrong } from '#server/problemError.ts'

export type PeriodModule = 'SD' | 'ST' | 'AR' | 'AP' | 'CB' | 'GL' | 'TX'

/** What is said of each state nobody, or not everybody, posts into. */
export const refusals = {
  CLOSED: { problem: 'PERIOD_CLOSED.unit', field: 'PERIOD_CLOSED' },
  CLOSING: { problem: 'PERIOD_CLOSED.closing', field: 'PERIOD_CLOSED.closing' },
  FUTURE: { problem: 'PERIOD_CLOSED.future', field: 'PERIOD_CLOSED.future' },
} as const

/**
 * Refuses with PERIOD_CLOSED unless the day's period is open for the module in the unit (a unit's own row counts before the company's).
 * While a period is closing only those post who may (`accounting-period-post`). The row stays share-locked: it cannot be closed under a running posting.
 */
export async function assertPeriodOpen(tx: Queries, user: User, module: PeriodModule, operatingUnitId: number, date: DateText): Promise<void> {
  const state = await stateOf(tx, module, operatingUnitId, date)
  if (state === 'OPEN' || (state === 'CLOSING' && user.guards.has('accounting-period-post'))) return
  await refuse(tx, state, module, operatingUnitId, date)
}

/** Refuses with PERIOD_CLOSED what nobody could post any more, before somebody is asked to approve it: who decides may well be one who closes the books. */
export async function assertPeriodNotClosed(tx: Queries, module: PeriodModule, operatingUnitId: number, date: DateText): Promise<void> {
  const state = await stateOf(tx, module, operatingUnitId, date)
  if (state === undefined || state === 'CLOSED') await refuse(tx, state, module, operatingUnitId, date)
}

/** A closed month is told at the field its day was entered in. */
export async function toldAt<T>(field: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.problem.code !== 'PERIOD_CLOSED') throw error
    throw new ProblemError({ ...error.problem, errors: error.problem.errors?.map((one) => ({ ...one, field })) ?? [] })
  })
}

async function stateOf(tx: Queries, module: PeriodModule, operatingUnitId: number, date: DateText): Promise<string | undefined> {
  const row = await tx.first<{ status: string }>(sql`
    select status from accounting_period
    where period = ${periodOf(date)} and module = ${module} and (operating_unit_id = ${operatingUnitId} or operating_unit_id is null)
    order by operating_unit_id nulls last limit 1 for share`)
  return row?.status
}

async function refuse(tx: Queries, state: string | undefined, module: PeriodModule, operatingUnitId: number, date: DateText): Promise<never> {
  const [unit, later] = await Promise.all([
    tx.first<{ code: string }>(sql`select code from operating_unit where id = ${operatingUnitId}`),
    tx.first(sql`select 1 from accounting_period where period > ${periodOf(date)} limit 1`),
  ])
  // A month the calendar does not have lies before it or after it.
  const known = state ?? (later === undefined ? 'FUTURE' : 'CLOSED')
  const { problem, field } = refusals[known === 'CLOSING' || known === 'FUTURE' ? known : 'CLOSED']
  const about = { period: `${date.slice(5, 7)}/${date.slice(0, 4)}`, module: { key: `enum.${module}` } }
  return fail(problem, { ...about, unit: unit?.code ?? '?' }, { errors: [wrong('PostingDate', field, about)] })
}
