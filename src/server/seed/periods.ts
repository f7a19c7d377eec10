import type { Clock, Queries } from '#server/context.ts'
import { addMonths, type DateText } from '#base/date.ts'
import { insertMissing } from './insertMissing.ts'

export const periodModules = ['SD', 'ST', 'AR', 'AP', 'CB', 'GL', 'TX'] as const

/**
 * Opens every month of the current and the previous year for all modules and units. Months already known keep their state, so a closed
 * month stays closed; called at each start it opens the new year by itself.
 */
export async function openPeriods(tx: Queries, clock: Clock): Promise<void> {
  const year = Number(clock.today().slice(0, 4))
  await addPeriods(tx, `${year - 1}-01-01`, `${year}-12-31`, () => 'OPEN')
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
