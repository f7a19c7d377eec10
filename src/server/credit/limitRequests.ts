import { addDays } from '#base/date.ts'
import { exact, type Decimal } from '#base/decimal.ts'
import { overridableCodes } from '#domain/credit/creditCheck.ts'
import type { Clock, Database, Effect, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { fail, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { holdOrders } from './creditHold.ts'

/** Days a blocked order stays released. */
const releaseDays = 7

interface Scorecard extends Row {
  readonly limit_amount: Decimal | null
  readonly avg_monthly_sales: Decimal
  readonly avg_days_late: number
  readonly max_days_overdue: number
  readonly overdue_amount: Decimal
  readonly ar_turnover: Decimal | null
  readonly bounced_giros: number
  readonly recommended_limit: Decimal
}

/** What is known of the customer stands on the request as it was when it was written. */
export const limitRequestHooks: DocumentHooks = {
  async beforeSave({ context: { tx }, header, before, problem }) {
    const customerId = header['customer_id'] ?? before?.['customer_id']
    const card = await tx.first<Scorecard>(sql`
      select limit_amount, avg_monthly_sales, avg_days_late, max_days_overdue, overdue_amount, ar_turnover, bounced_giros, recommended_limit from customer_scorecard where id = ${customerId}::bigint`)
    if (card !== undefined) {
      const { limit_amount: limit, ar_turnover: turnover, ...known } = card
      Object.assign(header, { ...known, current_limit: limit ?? '0.00', ar_turnover: turnover ?? '0' })
    }
    const asked = header['requested_limit'] ?? before?.['requested_limit']
    if (typeof asked === 'string' && !exact(asked).div(1000).eq(exact(exact(asked).div(1000).toFixed(0)))) problem(wrong('RequestedLimit', 'INVALID.thousands'))
  },
}

/** What was asked for holds: a limit, a limit for a time, one order, another term. */
export const applyCreditRequest: Effect = async (context) => {
  const { current } = context
  const type = current['type']
  if (type === 'REGULER') await changeLimit(context)
  else if (type === 'TEMPORARY') await addLimit(context, 'TEMPORARY', textOrNull(current, 'valid_to'), {})
  else if (type === 'ONE_TIME') await releaseOrder(context)
  else await changeTerm(context)
  context.set({ approved_limit: textOf(current, 'requested_limit') })
}

async function changeLimit(context: TransitionContext): Promise<void> {
  const { tx, current, today, now, user } = context
  const from = textOrNull(current, 'valid_from') ?? today
  const customer = numberOf(current, 'customer_id')
  const [old] = await tx.rows<Row & { id: number; valid_from: string }>(sql`
    select id, valid_from, overdue_grace_days, max_overdue_amount, max_open_invoices, review_date, risk_class from credit_limit
    where customer_id = ${customer} and kind = 'REGULER' and is_active and (valid_to is null or valid_to >= ${from}::date) order by valid_from desc, id desc for update`)
  // The one before ends the day before; one of the same day or later never came into force beside it.
  const ended = await tx.rows<{ id: number }>(sql`
    update credit_limit set valid_to = case when valid_from < ${from}::date then ${from}::date - 1 else valid_to end, is_active = valid_from < ${from}::date, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    where customer_id = ${customer} and kind = 'REGULER' and is_active and (valid_to is null or valid_to >= ${from}::date) returning id`)
  for (const { id } of ended) await writeLog(tx, { docType: 'credit_limit', docId: id, at: now.toISOString(), actorId: user.id, action: 'edit', note: textOf(current, 'code') })
  await addLimit(context, 'REGULER', null, {
    overdue_grace_days: current['overdue_grace_days'] ?? old?.['overdue_grace_days'] ?? 0, max_overdue_amount: old?.['max_overdue_amount'] ?? '0', max_open_invoices: old?.['max_open_invoices'] ?? null,
    review_date: current['review_date'] ?? addDays(from, 365), risk_class: current['risk_class'] ?? old?.['risk_class'] ?? null,
  })
}

async function addLimit({ tx, current, today, now, user }: TransitionContext, kind: 'REGULER' | 'TEMPORARY', until: string | null, more: Row): Promise<void> {
  const [id = 0] = await insertRows(tx, 'credit_limit', [{
    customer_id: numberOf(current, 'customer_id'), kind, amount: textOf(current, 'requested_limit'), valid_from: textOrNull(current, 'valid_from') ?? today, valid_to: until, overdue_grace_days: 0, max_overdue_amount: '0', ...more,
  }])
  await writeLog(tx, { docType: 'credit_limit', docId: id, at: now.toISOString(), actorId: user.id, action: 'create', note: textOf(current, 'code') })
}

/** The order goes on once, for what it comes to now. */
async function releaseOrder(context: TransitionContext): Promise<void> {
  const { tx, current, today, now, user } = context
  const order = await tx.first<{ id: number; code: string | null; status: number; total: Decimal }>(sql`select id, code, status, round(total * rate, 2) as total from sales_order where id = ${numberOrNull(current, 'sales_order_id')}::bigint for update`)
  if (order === undefined || ![0, 1, 2, 4, 5].includes(order.status)) return fail('ILLEGAL_TRANSITION.override', { order: order?.code ?? '' })
  await insertRows(tx, 'credit_override', [{ sales_order_id: order.id, approved_by: user.id, approved_at: now.toISOString(), expires_on: addDays(today, releaseDays), amount: order.total, block_codes: [...overridableCodes] }])
  await writeLog(tx, { docType: 'sales_order', docId: order.id, at: now.toISOString(), actorId: user.id, action: 'override-credit', note: textOf(current, 'code') })
  await holdOrders(context, [order.id], false)
}

async function changeTerm({ tx, current, now, user }: TransitionContext): Promise<void> {
  const id = numberOf(current, 'customer_id')
  const term = numberOf(current, 'new_payment_term_id')
  const before = await tx.first<{ payment_term_id: number | null }>(sql`select payment_term_id from customer where id = ${id} for update`)
  await tx.run(sql`update customer set payment_term_id = ${term}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${id}`)
  await writeLog(tx, { docType: 'customer', docId: id, at: now.toISOString(), actorId: user.id, action: 'edit', note: textOf(current, 'code'), diff: [{ field: 'payment_term_id', from: before?.payment_term_id ?? null, to: term }] })
}

/** Requests whose time is over end with it: limits for a time, and orders released for some days. */
export async function endCreditRequests(database: Database, clock: Clock): Promise<void> {
  await database.transaction(async (tx) => {
    const at = clock.now().toISOString()
    const today = clock.today()
    const ended = await tx.rows<{ id: number }>(sql`
      update credit_limit_request set status = 9, version = version + 1, updated_at = ${at} where status = 1
        and ((type = 'TEMPORARY' and valid_to < ${today}::date) or (type = 'ONE_TIME' and approved_at < ${today}::date - ${releaseDays}::int)) returning id`)
    for (const { id } of ended) await writeLog(tx, { docType: 'credit_limit_request', docId: id, at, actorId: null, action: 'expire', fromStatus: 1, toStatus: 9 })
  })
}
