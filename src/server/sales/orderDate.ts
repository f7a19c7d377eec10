import { periodOf, type DateText } from '#base/date.ts'
import type { CommandContext, Row, TransitionContext } from '#server/context.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'
import { dayAt } from '#server/clock.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { refusals } from '#server/workflow/periods.ts'

interface Month extends Row {
  readonly period: string
  readonly operating_unit_id: number | null
  readonly status: string
}

/** Months of sales. An order books nothing: it need not keep the month from being closed meanwhile, as a posting does. */
const months = new RememberedTable('setup', (tx) => tx.rows<Month>(sql`select period, operating_unit_id, status from accounting_period where module = 'SD'`))

/**
 * The day of an order decides its prices, promotions, quotas and its number. Entered by hand it is today; an earlier day of an open month is for
 * those who may set prices by hand. Orders from files bring their day along.
 */
export async function checkEnteredDate({ context, header, before, problem }: Saving): Promise<void> {
  const date = header['doc_date']
  if (typeof date !== 'string' || date === before?.['doc_date']) return
  const order = { ...before, ...header }
  if (date > context.today) problem(wrong('DocDate', 'TOO_LATE.sales-order'))
  else if (order['source'] === 'IMPORT') return
  else if (date < context.today && !context.user.guards.has('sales-order-override')) problem(wrong('DocDate', 'TOO_EARLY.sales-order'))
  else {
    const unit = numberOrNull(order, 'operating_unit_id')
    const refusal = unit === null ? undefined : await closedMonth(context, unit, date)
    if (refusal !== undefined) problem(refusal.field)
  }
}

/**
 * An order is of the day it is sent: a draft left lying gets the prices, promotions, quotas and the number of that day. A day somebody has entered on
 * purpose stays, as does that of a file and that of an order which has its number already.
 */
export function dateOrder(context: TransitionContext): void {
  const { action, current, today } = context
  if (action.action !== 'submit' || current['code'] !== null || current['source'] === 'IMPORT') return
  const created = current['created_at']
  if (textOf(current, 'doc_date') < today && (typeof created === 'string' || created instanceof Date) && dayAt(new Date(created)) === current['doc_date']) context.set({ doc_date: today })
}

/** At submission the day has come and its month is open still. */
export async function assertOrderDate(context: TransitionContext): Promise<void> {
  const { tx, current, today } = context
  const unit = numberOf(current, 'operating_unit_id')
  const date = textOf(current, 'doc_date')
  if (date > today) invalid([wrong('DocDate', 'TOO_LATE.sales-order')])
  const refusal = await closedMonth(context, unit, date)
  if (refusal === undefined) return
  const row = await tx.first<{ code: string }>(sql`select code from operating_unit where id = ${unit}`)
  fail(refusal.problem, { ...refusal.about, unit: row?.code ?? '?' }, { errors: [refusal.field] })
}

/** Why nobody, or not this user, enters orders of a day; undefined: he does. */
async function closedMonth({ tx, user }: CommandContext, unit: number, date: DateText) {
  const all = await months.get(tx.ahead)
  const known = all.filter(({ period }) => period === periodOf(date))
  const month = known.find((row) => row.operating_unit_id === unit) ?? known.find((row) => row.operating_unit_id === null)
  if (month?.status === 'OPEN' || (month?.status === 'CLOSING' && user.guards.has('accounting-period-post'))) return undefined
  // A month the calendar does not have lies before it or after it.
  const state = month?.status ?? (all.some(({ period }) => period > periodOf(date)) ? 'CLOSED' : 'FUTURE')
  const { problem, field } = refusals[state === 'CLOSING' || state === 'FUTURE' ? state : 'CLOSED']
  const about = { period: `${date.slice(5, 7)}/${date.slice(0, 4)}`, module: { key: 'enum.SD' } }
  return { problem, about, field: wrong('DocDate', field, about) }
}
