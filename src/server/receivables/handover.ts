import { compare, exact, money, sum, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { CommandContext, Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { post } from '#server/ledger/post.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tolerance } from '#server/settings.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { dayIsFixed } from '#server/workflow/periods.ts'
import { assertCash } from './cashOnHand.ts'

/** Where a count belongs follows from its trip, of deliveries or of a van; what is booked of it is worked out when it is posted. */
export const codReconciliationHooks: DocumentHooks = {
  computed: ['operating_unit_id', 'territory_id', 'driver_id', 'posting_date', 'short', 'owed', 'over'],
  async beforeSave({ context: { tx }, before, header }) {
    const row: Row = { ...before, ...header }
    const trip = await tx.first(sql`
      select operating_unit_id, territory_id, driver_id from delivery_plan where id = ${row['delivery_plan_id'] ?? null}::bigint
      union all select operating_unit_id, territory_id, canvasser_id from canvas_request where id = ${row['canvas_request_id'] ?? null}::bigint limit 1`)
    if (trip !== undefined) Object.assign(header, trip)
  },
}

/** Account of the cashier's money. */
const cashier = '111102'

interface CarriedCash extends Row {
  readonly id: number
  readonly code: string
  readonly delivery_plan_id: number | null
  readonly canvas_request_id: number | null
  readonly collection_list_id: number | null
  readonly payment_date: string
  readonly amount: Decimal
  readonly pending_transition: string | null
  readonly is_here: boolean
}

/** Payments under lock; `is_here`: the money is out there, wholly, and with nobody else. */
function locked(tx: Queries, ids: readonly number[]): Promise<CarriedCash[]> {
  return tx.rows<CarriedCash>(sql`
    select p.id, p.code, p.delivery_plan_id, p.canvas_request_id, p.collection_list_id, p.payment_date, p.amount, p.pending_transition,
      p.status = 1 and p.method in ('CIT', 'COD') and p.handed_over_on is null and not exists (
        select 1 from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id where l.ar_payment_id = p.id and d.status in (1, 3, 4)) as is_here
    from ar_payment p where p.id = any(${[...ids]}::bigint[]) order by p.id for update of p`)
}

async function paymentsOf(context: TransitionContext): Promise<readonly number[]> {
  return (await linesOf(context)).map(({ row }) => numberOf(row, 'ar_payment_id'))
}

/** Every payment is cash the driver or canvasser of the trip still has, once on the count. */
export const paymentsInField: Precondition = async (context) => {
  const { current } = context
  const ids = await paymentsOf(context)
  const payments = new Map((await locked(context.tx, ids)).map((payment) => [payment.id, payment]))
  const problems = ids.flatMap((id, i): readonly FieldProblem[] => {
    const at = `Lines[${i}].ArPaymentID`
    const payment = payments.get(id)
    if (payment === undefined || payment.delivery_plan_id !== current['delivery_plan_id'] || payment.canvas_request_id !== current['canvas_request_id']) return [wrong(at, 'NOT_A_CHOICE.trip-payment')]
    if (ids.indexOf(id) < i) return [wrong(at, 'DUPLICATE.line')]
    if (!payment.is_here || payment.pending_transition !== null) return [wrong(at, 'NOT_A_CHOICE.handed-over', { payment: payment.code })]
    return payment.payment_date > textOf(current, 'doc_date') ? [wrong(at, 'TOO_LATE.handed-over', { payment: payment.code })] : []
  })
  if (problems.length > 0) invalid(problems)
}

/** What a driver was paid is known once every delivery of his trip paid on the spot is confirmed. */
export const tripIsDelivered: Precondition = async ({ tx, current }) => {
  // A van is paid at each sale.
  if (numberOrNull(current, 'delivery_plan_id') === null) return
  const open = await tx.rows<{ code: string }>(sql`
    select code from delivery_order where delivery_plan_id = ${numberOf(current, 'delivery_plan_id')} and cod_amount > 0 and status not in (3, 6) order by code`)
  if (open.length > 0) fail('ILLEGAL_TRANSITION.trip-under-way', { deliveries: open.map(({ code }) => code) })
}

/** Money counted, less what the payments come to. */
async function counted(context: TransitionContext): Promise<{ readonly diff: Decimal; readonly isWithin: boolean }> {
  const { tx, current } = context
  const expected = money(sum((await locked(tx, await paymentsOf(context))).map(({ amount }) => amount)))
  const diff = money(exact(textOf(current, 'counted')).minus(expected))
  const allowed = await tolerance(tx, 'CASH_COUNT', numberOf(current, 'operating_unit_id'), expected)
  return { diff, isWithin: exact(diff).abs().lte(allowed) }
}

/** A difference beyond the tolerance is decided by somebody else than the cashier. */
export const countWithinTolerance: Precondition = async (context) => {
  if (!(await counted(context)).isWithin) fail('ILLEGAL_TRANSITION.cash-difference')
}

/** And it has a reason. */
export const differenceIsExplained: Precondition = async (context) => {
  if (!(await counted(context)).isWithin && numberOrNull(context.current, 'diff_reason_id') === null) invalid([wrong('DiffReasonID', 'REQUIRED.difference')])
}

/** The cashier has the money: what is short within the tolerance is a cost, beyond it whoever had it owes it. */
export const takeOverCash: Effect = async (context) => {
  await paymentsInField(context)
  const { diff, isWithin } = await counted(context)
  const missing = money(exact(diff).times(-1))
  const part = (amount: Decimal, when: boolean): Decimal => (when && compare(amount, '0') > 0 ? amount : '0.00')
  const ids = await paymentsOf(context)
  const expected = money(sum((await locked(context.tx, ids)).map(({ amount }) => amount)))
  context.set({ expected, diff, short: part(missing, isWithin), owed: part(missing, !isWithin), over: part(diff, true) })
  await mark(context, ids, textOf(context.current, 'doc_date'))
}

async function mark(context: CommandContext, ids: readonly number[], day: string | null): Promise<void> {
  const { tx, now, user } = context
  const at = now.toISOString()
  const before = new Map((await tx.rows<{ id: number; day: string | null }>(sql`select id, handed_over_on as day from ar_payment where id = any(${[...ids]}::bigint[])`)).map((row) => [row.id, row.day]))
  await tx.run(sql`update ar_payment set handed_over_on = ${day}::date, version = version + 1, updated_at = ${at}, updated_by = ${user.id} where id = any(${[...ids]}::bigint[])`)
  for (const id of ids) await writeLog(tx, { docType: 'ar_payment', docId: id, at, actorId: user.id, action: 'edit', diff: [{ field: 'handed_over_on', from: before.get(id) ?? null, to: day }] })
}

/** A count is taken back as long as its money is with the cashier: neither deposited nor given back. */
export const handedOverCashIsThere: Precondition = async (context) => {
  const { tx, current } = context
  const ids = await paymentsOf(context)
  const gone = await tx.first<{ code: string }>(sql`
    select p.code from ar_payment p where p.id = any(${[...ids]}::bigint[]) and (p.status <> 1 or p.pending_transition is not null or p.handed_over_on is null
      or exists (select 1 from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id where l.ar_payment_id = p.id and d.status in (1, 3, 4))) order by p.id limit 1`)
  if (gone !== undefined) fail('ILLEGAL_TRANSITION.cash-moved-on', { payment: gone.code })
  await assertCash(tx, { account: cashier, operatingUnitId: numberOf(current, 'operating_unit_id'), date: context.today, amount: textOf(current, 'counted'), field: 'Counted' })
}

/** The driver has the money again. */
export const giveBackCash: Effect = async (context) => {
  await locked(context.tx, await paymentsOf(context))
  await handedOverCashIsThere(context)
  await mark(context, await paymentsOf(context), null)
}

/** What the collector brought in cash on a list goes to the cashier when the list is closed; answers how much. */
export async function handOverOfList(context: TransitionContext): Promise<void> {
  const { tx, current, today } = context
  const rows = await tx.rows<{ id: number }>(sql`select id from ar_payment where collection_list_id = ${current.id} and method = 'CIT' and status = 1 and handed_over_on is null order by id`)
  const payments = (await locked(tx, rows.map(({ id }) => id))).filter((payment) => payment.is_here)
  const waiting = payments.find((payment) => payment.pending_transition !== null)
  if (waiting !== undefined) fail('ILLEGAL_TRANSITION.payment-in-question', { payment: waiting.code })
  if (payments.length === 0) return
  const unit = numberOf(current, 'operating_unit_id')
  await context.assertPeriodOpen(['CB', 'GL'], unit, today)
  const total = money(sum(payments.map(({ amount }) => amount)))
  context.set({ handed_over: total })
  await mark(context, payments.map(({ id }) => id), today)
  const code = textOf(current, 'code')
  await post(context, {
    event: 'COD_HANDOVER', source: { type: 'collection_list', id: current.id, code }, operatingUnitId: unit, date: today, description: `Cash of collection list ${code}`,
    amounts: [{ key: 'handed', amount: total }],
  })
}

/** A receipt that is undone after its money was handed over: the cashier gives it out again first. */
export async function backToTheField(context: TransitionContext): Promise<void> {
  const { tx, record, today } = context
  if (record['handed_over_on'] == null) return
  const unit = numberOf(record, 'operating_unit_id')
  await dayIsFixed(assertCash(tx, { account: cashier, operatingUnitId: unit, date: today, amount: textOf(record, 'amount'), field: 'Amount' }))
  context.set({ handed_over_on: null })
  const code = textOf(record, 'code')
  await post(context, {
    event: 'COD_RETURN', source: { type: 'ar_payment', id: record.id, code }, operatingUnitId: unit, date: today, description: `Cash of receipt ${code} given back`,
    amounts: [{ key: 'handed', amount: textOf(record, 'amount') }],
  })
}
