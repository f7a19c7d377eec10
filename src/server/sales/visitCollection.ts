import { compare, grouped, money, sum } from '#base/decimal.ts'
import { dayAt } from '#server/clock.ts'
import type { Command, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { textOf } from '#server/workflow/newDocument.ts'
import { receiveCash, type OpenInvoice } from './receiveCash.ts'
import { momentOf, ownVisit } from './visits.ts'

/** Cash a salesman is given at a visit: it pays the oldest invoices in the currency of the books first, and stays with him until he hands it over. */
export const collectCash: Command = async (context, { params }) => {
  if (!(context instanceof CommandRun)) throw new Error('Cash is collected by a command of its own')
  const { tx } = context
  const visit = await ownVisit(context, textOf(params, 'VisitKey'))
  const at = momentOf(context, params['At'])
  if (visit.status !== 8) return fail('ILLEGAL_TRANSITION.visit-ended', { visit: visit.code })
  const received = money(String(params['Amount']))
  if (compare(received, '0') <= 0) invalid([wrong('Amount', 'TOO_SMALL.above-zero')])
  const invoices = await tx.rows<Row & OpenInvoice>(sql`
    with open as (
      select id, remaining, due_date, doc_date from invoice where customer_id = ${visit.customer_id} and operating_unit_id = ${visit.operating_unit_id} and status in (1, 2) and remaining > 0 and rate = 1 and pending_transition is null
      order by id for update
    ) select id, remaining from open order by due_date, doc_date, id`)
  const open = money(sum(invoices.map(({ remaining }) => remaining)))
  if (compare(received, open) > 0) invalid([wrong('Amount', 'EXCEEDS_REMAINING', { paid: grouped(received), open: grouped(open) })])
  const id = await receiveCash(context, { customerId: visit.customer_id, collectorId: visit.salesman_id, unitId: visit.operating_unit_id, received, date: dayAt(at), invoices }, () => Promise.resolve())
  const payment = await tx.first<{ code: string | null }>(sql`select code from ar_payment where id = ${id}`)
  return { ID: id, Code: payment?.code ?? null, Amount: received }
}
