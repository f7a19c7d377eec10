import type { Clock, Queries } from '#server/context.ts'
import { addDays, addMonths, type DateText } from '#base/date.ts'
import { insertMissing } from './insertMissing.ts'

export const periodModules = ['SD', 'ST', 'AR', 'AP', 'CB', 'GL', 'TX'] as const

/** So long before it begins a year is open: nobody waits for its first posting until the server has started anew. */
const daysAhead = 7

/**
 * Opens every month of the current and the previous year, and of the next in its last days, for all modules and units. Months already known
 * keep their state, so a closed month stays closed. Called at each start and, as a server may run for years, by its housekeeping.
 */
export async function openPeriods(tx: Queries, clock: Clock): Promise<void> {
  const today = clock.today()
  await addPeriods(tx, `${Number(today.slice(0, 4)) - 1}-01-01`, `${addDays(today, daysAhead).slice(0, 4)}-12-31`, () => 'OPEN')
}

/** One row per month and module from the month of `from` to that of `to`; `state` says how a month starts. */
export async function addPeriods(tx: Queries, from: DateText, to: DateText, state: (period: string) => 'FUTURE' | 'OPEN' | 'CLOSED'): Promise<void> {
  const rows = []
  for (let month = `${from.slice(0, 7)}-01`; month <= to; month = addMonths(month, 1)) {
    const period = month.slice(0, 4) + month.slice(5, 7)
    for (const module of periodModules)
      rows.push({ period, year: Number(month.slice(0, 4)), month: Number(month.slice(5, 7)), module, operating_unit_id: null, status: state(period), version: 1 })
  }
  await insertMissing(tx, 'accounting_period', ['year', 'month', 'module', 'operating_unit_id'], rows)
}
