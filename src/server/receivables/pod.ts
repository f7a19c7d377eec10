import { dayText, type DateText } from '#base/date.ts'
import { exact, isZero, quantityText, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { lockInvoices } from './allocations.ts'

/** Which invoice the goods are on is found when the proof is confirmed. */
export const podHooks: DocumentHooks = { computed: ['posting_date', 'invoice_id'] }

interface Issued extends Row {
  readonly id: number
  readonly qty_issued: Decimal
}

/** The delivery is out, and what came of each of its lines is what was issued: taken or rejected, for a reason. */
export const podAddsUp: Precondition = async (context) => {
  const { tx, current } = context
  const id = numberOf(current, 'delivery_order_id')
  const delivery = await tx.first<{ code: string; status: number; issued_on: DateText | null }>(sql`
    select d.code, d.status, (select max(g.posting_date) from goods_issue g where g.delivery_order_id = d.id and g.status <> 7) as issued_on from delivery_order d where d.id = ${id} for update of d`)
  if (delivery === undefined || delivery.status !== 2) invalid([wrong('DeliveryOrderID', 'NOT_A_CHOICE.pod-delivery')])
  if (delivery.issued_on !== null && textOf(current, 'received_date') < delivery.issued_on) invalid([wrong('ReceivedDate', 'TOO_EARLY.pod', { day: dayText(delivery.issued_on) })])
  const issued = await tx.rows<Issued>(sql`select id, qty_issued from delivery_order_line where delivery_order_id = ${id} and qty_issued > 0 order by line_no, id`)
  const lines = (await linesOf(context)).map(({ row }) => row)
  const problems = lines.flatMap((line, i) => lineProblems(line, i, issued, lines))
  if (problems.length > 0) invalid(problems)
  if (lines.length < issued.length) invalid([wrong('Lines', 'REQUIRED.pod-lines')])
}

function lineProblems(line: Row, i: number, issued: readonly Issued[], lines: readonly Row[]): readonly FieldProblem[] {
  const at = `Lines[${i}].`
  const of = issued.find(({ id }) => id === line['delivery_order_line_id'])
  if (of === undefined) return [wrong(`${at}DeliveryOrderLineID`, 'NOT_A_CHOICE.pod-line')]
  if (lines.findIndex((other) => other['delivery_order_line_id'] === of.id) < i) return [wrong(`${at}DeliveryOrderLineID`, 'DUPLICATE.line')]
  const received = textOf(line, 'qty_received')
  const rejected = textOf(line, 'qty_rejected')
  if (exact(received).lt(0)) return [wrong(`${at}QtyReceived`, 'TOO_SMALL.quantity')]
  if (exact(rejected).lt(0)) return [wrong(`${at}QtyRejected`, 'TOO_SMALL.quantity')]
  if (!exact(received).plus(rejected).eq(of.qty_issued)) return [wrong(`${at}QtyReceived`, 'INVALID.pod-quantity', { issued: quantityText(of.qty_issued) })]
  return !isZero(rejected) && numberOrNull(line, 'reason_id') === null ? [wrong(`${at}ReasonID`, 'REQUIRED.rejected')] : []
}

/** Invoices that hold goods of a delivery, under lock. */
async function invoicesOf(tx: Queries, delivery: number): Promise<readonly number[]> {
  const rows = await tx.rows<{ id: number }>(sql`
    select distinct l.invoice_id as id from invoice_line l join goods_issue_line g on g.id = l.gi_line_id join goods_issue h on h.id = g.goods_issue_id join invoice i on i.id = l.invoice_id
    where h.delivery_order_id = ${delivery} and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' order by 1`)
  await lockInvoices(tx, rows.map(({ id }) => id))
  return rows.map(({ id }) => id)
}

/** The buyer has signed: the delivery is done, terms that count from delivery count from that day. */
export const confirmPod: Effect = async (context) => {
  const { tx, current } = context
  await podAddsUp(context)
  const delivery = numberOf(current, 'delivery_order_id')
  const invoices = await invoicesOf(tx, delivery)
  const [only] = invoices
  context.set({ invoice_id: invoices.length === 1 ? (only ?? null) : null })
  await context.transition('delivery_order', delivery, 'receive', { received_date: current['received_date'] })
  await tx.run(sql`
    update delivery_order_line d set qty_received = l.qty_received, qty_rejected = l.qty_rejected from pod_line l where l.pod_id = ${current.id} and l.delivery_order_line_id = d.id`)
  // What was not taken and has not come back yet comes back by a return of its own: of the goods issue, or of the invoice they are on.
  await tx.run(sql`
    update pod_line l set gi_line_id = g.id, warehouse_id = h.warehouse_id, invoice_line_id = v.id, qty_back = greatest(l.qty_rejected - case when g.billed_qty > 0 then coalesce(v.returned_qty, 0) else g.returned_qty end, 0)
    from goods_issue_line g join goods_issue h on h.id = g.goods_issue_id
    left join (invoice_line v join invoice i on i.id = v.invoice_id and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL') on v.gi_line_id = g.id and g.billed_qty > 0
    where l.pod_id = ${current.id} and g.delivery_order_line_id = l.delivery_order_line_id and h.status in (1, 3)`)
}

/** A proof may be taken back as long as nothing of its invoices is settled and its delivery is not taken back itself. */
export const podIsFree: Precondition = async ({ tx, current }) => {
  const delivery = numberOf(current, 'delivery_order_id')
  const settled = await tx.first<{ code: string }>(sql`
    select i.code from invoice i where i.id = any(${await invoicesOf(tx, delivery)}::bigint[]) and exists (select 1 from ar_allocation a where a.invoice_id = i.id and a.reversed_at is null) order by i.id limit 1`)
  if (settled !== undefined) fail('ILLEGAL_TRANSITION.invoice-settled', { invoice: settled.code })
}

/** The delivery waits for its proof again; invoices due from it have their provisional day until then. */
export const reopenPod: Effect = async (context: TransitionContext) => {
  const { tx, current, now, user } = context
  await podIsFree(context)
  const id = numberOf(current, 'delivery_order_id')
  const delivery = await tx.first<{ status: number; plan: number | null; plan_status: number | null }>(sql`
    select d.status, p.id as plan, p.status as plan_status from delivery_order d left join delivery_plan p on p.id = d.delivery_plan_id where d.id = ${id}`)
  if (delivery?.status === 3) await context.transition('delivery_order', id, 'undeliver')
  if (delivery?.plan != null && delivery.plan_status === 3) await context.transition('delivery_plan', delivery.plan, 'resume')
  const changed = await tx.rows<{ id: number; before: DateText; after: DateText }>(sql`
    update invoice i set pod_date = null, baseline_date = i.doc_date, due_date = i.doc_date + i.net_days, version = i.version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    from invoice b where b.id = i.id and i.baseline = 'POD' and i.id = any(${await invoicesOf(tx, id)}::bigint[]) returning i.id, b.due_date as before, i.due_date as after`)
  for (const { id: invoice, before, after } of changed) {
    await writeLog(tx, { docType: 'invoice', docId: invoice, at: now.toISOString(), actorId: user.id, action: 'edit', diff: [{ field: 'due_date', from: before, to: after }] })
  }
}

/** The signed papers are back at the office. */
export const papersBack: Effect = (context) => {
  const day = context.input['returned_date'] ?? context.today
  if (String(day) > context.today) invalid([wrong('ReturnedDate', 'TOO_LATE.papers')])
  if (String(day) < textOf(context.current, 'received_date')) invalid([wrong('ReturnedDate', 'TOO_EARLY.papers')])
  context.set({ documents_returned: true, returned_date: day })
  return Promise.resolve()
}
