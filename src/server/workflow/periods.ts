import { periodOf, type DateText } from '#base/date.ts'
import type { Problem } from '#api/problems.ts'
import type { PeriodModule } from '#meta/resolved.ts'
import type { Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, problem, ProblemError, raise, wrong } from '#server/problemError.ts'

/** What is said of each state nobody, or not everybody, posts into. */
export const refusals = {
  CLOSED: { problem: 'PERIOD_CLOSED.unit', field: 'PERIOD_CLOSED' },
  CLOSING: { problem: 'PERIOD_CLOSED.closing', field: 'PERIOD_CLOSED.closing' },
  FUTURE: { problem: 'PERIOD_CLOSED.future', field: 'PERIOD_CLOSED.future' },
} as const

/** A module of a month, and what it is in a unit; undefined: the calendar does not have that month. */
export interface ModuleState {
  readonly module: PeriodModule
  readonly state: string | undefined
}

/**
 * Refuses with PERIOD_CLOSED unless the day's period is open for all the modules in the unit: those that are not are told together, for whoever is told of one
 * would have it opened and meet the next. While a period is closing only those post who may (`accounting-period-post`).
 */
export async function assertPeriodOpen(tx: Queries, user: User, states: readonly ModuleState[], operatingUnitId: number, date: DateText): Promise<void> {
  await refuse(tx, states.filter(({ state }) => state !== 'OPEN' && !(state === 'CLOSING' && user.guards.has('accounting-period-post'))), operatingUnitId, date)
}

/** Refuses with PERIOD_CLOSED what nobody could post any more, before somebody is asked to approve it: who decides may well be one who closes the books. */
export async function assertPeriodNotClosed(tx: Queries, modules: readonly PeriodModule[], operatingUnitId: number, date: DateText): Promise<void> {
  const states = await periodStates(tx, modules, operatingUnitId, date)
  await refuse(tx, states.filter(({ state }) => state === undefined || state === 'CLOSED'), operatingUnitId, date)
}

/** A closed month is told at the field its day was entered in. */
export async function toldAt<T>(field: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const told = closedOnly(error)
    return raise({ ...told, errors: told.errors?.map((one) => ({ ...one, field })) ?? [] })
  })
}

/** Days of several lines, each told where it was entered and all of them at once. */
export async function assertNoneClosed(tx: Queries, modules: readonly PeriodModule[], operatingUnitId: number, days: readonly { readonly field: string; readonly date: DateText }[]): Promise<void> {
  const refused: Problem[] = []
  for (const month of new Set(days.map(({ date }) => periodOf(date)))) {
    const own = days.filter(({ date }) => periodOf(date) === month)
    const told = await assertPeriodNotClosed(tx, modules, operatingUnitId, own[0]?.date ?? '').then(() => undefined, closedOnly)
    if (told !== undefined) refused.push({ ...told, errors: own.flatMap(({ field }) => (told.errors ?? []).map((error) => ({ ...error, field }))) })
  }
  const [first] = refused
  if (first !== undefined) raise({ ...first, errors: refused.flatMap(({ errors = [] }) => errors) })
}

function closedOnly(error: unknown): Problem {
  if (error instanceof ProblemError && error.problem.code === 'PERIOD_CLOSED') return error.problem
  throw error
}

/** What is undone is booked today or on the day it was booked: no other is to be chosen. */
export async function dayIsFixed<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const { key, params } = closedOnly(error)
    if (key !== 'problem.PERIOD_CLOSED.unit') throw error
    return raise({ ...problem('PERIOD_CLOSED.fixed', params), errors: [] })
  })
}

/** What a day's period is for each module in a unit, whose own row counts before the company's. The rows stay share-locked: they cannot be closed under a running posting. */
export async function periodStates(tx: Queries, modules: readonly PeriodModule[], operatingUnitId: number, date: DateText): Promise<readonly ModuleState[]> {
  const rows = await tx.rows<{ module: string; status: string }>(sql`
    select module, status from accounting_period
    where period = ${periodOf(date)} and module = any(${modules}::text[]) and (operating_unit_id = ${operatingUnitId} or operating_unit_id is null)
    order by module, operating_unit_id nulls last for share`)
  return modules.map((module) => ({ module, state: rows.find((row) => row.module === module)?.status }))
}

/** Modules in the same state share a sentence; the one nobody can get round comes first. */
async function refuse(tx: Queries, refused: readonly ModuleState[], operatingUnitId: number, date: DateText): Promise<void> {
  if (refused.length === 0) return
  const [unit, later] = await Promise.all([
    tx.first<{ code: string }>(sql`select code from operating_unit where id = ${operatingUnitId}`),
    tx.first(sql`select 1 from accounting_period where period > ${periodOf(date)} limit 1`),
  ])
  // A month the calendar does not have lies before it or after it.
  const unknown = later === undefined ? 'FUTURE' : 'CLOSED'
  const told = (['CLOSED', 'FUTURE', 'CLOSING'] as const).flatMap((state) => {
    const modules = refused.filter((one) => (one.state ?? unknown) === state).map(({ module }) => ({ key: `enum.${module}` }))
    return modules.length === 0 ? [] : [{ ...refusals[state], about: { period: `${date.slice(5, 7)}/${date.slice(0, 4)}`, module: modules } }]
  })
  const [first] = told
  if (first === undefined) throw new Error(`Unknown states of periods: ${refused.map(({ state }) => state).join(', ')}`)
  fail(first.problem, { ...first.about, unit: unit?.code ?? '?' }, { errors: told.map(({ field, about }) => wrong('PostingDate', field, about)) })
}
