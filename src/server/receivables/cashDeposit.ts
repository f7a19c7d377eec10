import { dayText } from '#base/date.ts'
import { compare, exact, grouped, money, sum, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { CommandContext, Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { logStatusChanges, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { assertCash } from './cashOnHand.ts'

/** What the bank shows of it is not typed. */
export const cashDepositHooks: DocumentHooks = { computed: ['territory_id', 'posting_date', 'returned', 'expected', 'bank_statement_line_id'] }

/** Methods of money that somebody carries to the bank. */
const carried = ['CASH', 'CIT', 'COD', 'GIRO', 'CHEQUE']

/** Account of the cashier's money. */
const cashier = '111102'

interface SlipLine extends Row {
  readonly ar_payment_id: number
  readonly amount: Decimal
}

interface CarriedPayment extends Row {
  readonly id: number
  readonly code: string
  readonly method: string
  readonly status: number
  readonly operating_unit_id: number
  readonly payment_date: string
  readonly amount: Decimal
  readonly pending_transition: string | null
  readonly handed_over_on: string | null
  /** What other slips that wait or hold take of it. */
  readonly elsewhere: Decimal
}

function linesOf(tx: Queries, id: number): Promise<SlipLine[]> {
  return tx.rows<SlipLine>(sql`select ar_payment_id, amount from cash_deposit_line where cash_deposit_id = ${id} order by line_no, id`)
}

/** Every payment is money in hand of the unit, and on no other slip as far as this one takes it. */
export const paymentsMayBeDeposited: Precondition = async (context) => {
  const { tx, current } = context
  const lines = await linesOf(tx, current.id)
  const payments = new Map((await tx.rows<CarriedPayment>(sql`
    select p.id, p.code, p.method, p.status, p.operating_unit_id, p.payment_date, p.amount, p.pending_transition, p.handed_over_on, coalesce((
      select sum(l.amount) from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id where l.ar_payment_id = p.id and d.status in (1, 3, 4) and d.id <> ${current.id}), 0)::numeric(18, 2) as elsewhere
    from ar_payment p where p.id = any(${lines.map((line) => line.ar_payment_id)}::bigint[]) order by p.id for update of p`)).map((payment) => [payment.id, payment]))
  const seen = new Set<number>()
  const problems = lines.flatMap((line, at): FieldProblem[] => {
    const found = refusal(current, line, payments.get(line.ar_payment_id), seen.has(line.ar_payment_id), `Lines[${at}].`)
    seen.add(line.ar_payment_id)
    return found === undefined ? [] : [found]
  })
  if (problems.length > 0) invalid(problems)
  const isHere = (payment?: CarriedPayment): boolean => payment !== undefined && (payment.method === 'CASH' || payment.handed_over_on !== null)
  const cash = sum(lines.filter((line) => isHere(payments.get(line.ar_payment_id))).map((line) => line.amount))
  await assertCash(tx, { account: cashier, operatingUnitId: numberOf(current, 'operating_unit_id'), date: textOf(current, 'doc_date'), amount: money(cash), field: 'Total' })
}

function refusal(slip: Row, { amount }: SlipLine, payment: CarriedPayment | undefined, isSecond: boolean, at: string): FieldProblem | undefined {
  if (payment === undefined || !carried.includes(payment.method) || payment.operating_unit_id !== slip['operating_unit_id']) return wrong(`${at}ArPaymentID`, 'NOT_A_CHOICE.deposit')
  if (isSecond) return wrong(`${at}ArPaymentID`, 'DUPLICATE.line')
  if (payment.pending_transition !== null || ![1, 2].includes(payment.status)) return wrong(`${at}ArPaymentID`, 'NOT_A_CHOICE.deposit-closed', { payment: payment.code })
  if (payment.payment_date > textOf(slip, 'doc_date')) return wrong(`${at}ArPaymentID`, 'TOO_LATE.deposit', { payment: payment.code, day: dayText(payment.payment_date) })
  if (compare(amount, '0') <= 0) return wrong(`${at}Amount`, 'REQUIRED.amount')
  const left = exact(payment.amount).minus(payment.elsewhere)
  return left.lt(amount) ? wrong(`${at}Amount`, 'EXCEEDS_REMAINING.most', { limit: grouped(money(left)) }) : undefined
}

/** The slip is on its way: the bank is expected to show what stands on it. */
export const depositPayments: Effect = async (context) => {
  await paymentsMayBeDeposited(context)
  // Where the money lies is asked now: it may have been handed over since the slip was written.
  await context.tx.run(sql`update cash_deposit_line l set handed_over_on = p.handed_over_on from ar_payment p where p.id = l.ar_payment_id and l.cash_deposit_id = ${context.current.id}`)
  context.set({ expected: context.current['total'], returned: '0.00' })
  const lines = await linesOf(context.tx, context.current.id)
  await move(context, lines.map((line) => line.ar_payment_id), 'deposit', { only: [1], to: 2 })
}

/** The slip never reached the bank: its payments are in hand again, but for those another slip holds. */
export const takePaymentsBack: Effect = async (context) => {
  const lines = await linesOf(context.tx, context.current.id)
  const held = await context.tx.rows<{ id: number }>(sql`
    select distinct l.ar_payment_id as id from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id
    where l.ar_payment_id = any(${lines.map((line) => line.ar_payment_id)}::bigint[]) and d.status in (1, 3) and d.id <> ${context.current.id}`)
  const stay = new Set(held.map(({ id }) => id))
  await move(context, lines.map((line) => line.ar_payment_id).filter((id) => !stay.has(id)), 'reopen', { only: [2], to: 1 })
  context.set({ expected: '0.00' })
}

async function move(context: CommandContext, ids: readonly number[], action: string, { only, to, line = null }: { readonly only: readonly number[]; readonly to: number; readonly line?: number | null }): Promise<void> {
  const moved = await context.tx.rows<{ id: number; before: number }>(sql`
    update ar_payment p set status = ${to}, bank_statement_line_id = ${line}::bigint, version = p.version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id}
    from (select id, status as before from ar_payment where id = any(${[...ids]}::bigint[]) and status = any(${[...only]}::smallint[]) order by id for update) x where p.id = x.id returning p.id, x.before`)
  await logStatusChanges(context, 'ar_payment', action, moved.map(({ id, before }) => ({ id, from: before, to })))
}

/** The bank has shown a slip: payments that are wholly in the bank by now are closed. `lineId`: the line of the statement. */
export async function confirmSlipPayments(context: CommandContext, slipId: number, lineId: number): Promise<void> {
  const whole = await context.tx.rows<{ id: number }>(sql`
    select p.id from ar_payment p where p.status = 2 and exists (select 1 from cash_deposit_line l where l.ar_payment_id = p.id and l.cash_deposit_id = ${slipId})
      and p.amount = (select sum(l.amount) from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id where l.ar_payment_id = p.id and (d.status = 3 or d.id = ${slipId}))`)
  await move(context, whole.map(({ id }) => id), 'reconcile', { only: [2], to: 3, line: lineId })
}

/** The bank never showed it after all. */
export async function unconfirmSlipPayments(context: CommandContext, slipIds: readonly number[]): Promise<void> {
  const rows = await context.tx.rows<{ id: number }>(sql`select distinct ar_payment_id as id from cash_deposit_line where cash_deposit_id = any(${[...slipIds]}::bigint[])`)
  await move(context, rows.map(({ id }) => id), 'deposit', { only: [3], to: 2 })
}

/** A payment on a slip somebody is asked about stays as it is until he has decided. */
export async function assertOnNoWaitingSlip(tx: Queries, paymentId: number): Promise<void> {
  const slip = await tx.first<{ code: string }>(sql`
    select d.code from cash_deposit d join cash_deposit_line l on l.cash_deposit_id = d.id where l.ar_payment_id = ${paymentId} and d.status = 4 order by d.id limit 1`)
  if (slip !== undefined) fail('ILLEGAL_TRANSITION.payment-on-slip', { slip: slip.code })
}

/** A giro came back that was on its way to the bank: the slip will bring less by it, and it is in hand again as far as the books go. */
export async function giroLeavesSlip(context: TransitionContext, payment: Row & { readonly id: number }): Promise<void> {
  const { tx, today, now, user } = context
  const lines = await tx.rows<{ id: number; slip: number; code: string; unit: number; amount: Decimal }>(sql`
    select l.id, d.id as slip, d.code, d.operating_unit_id as unit, l.amount from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id
    where l.ar_payment_id = ${payment.id} and d.status = 1 order by d.id for update of d`)
  for (const line of lines) {
    const slips = await tx.rows<{ status: number }>(sql`
      update cash_deposit set returned = returned + ${line.amount}, expected = expected - ${line.amount}, status = case when expected = ${line.amount} then 3 else 1 end,
        version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${line.slip} returning status`)
    await logStatusChanges(context, 'cash_deposit', 'reconcile', slips.map(({ status }) => ({ id: line.slip, from: 1, to: status })))
    await post(context, {
      event: 'DEP_RETURN', source: { type: 'cash_deposit_line', id: line.id, code: line.code }, operatingUnitId: line.unit, date: today, description: `Giro of receipt ${textOf(payment, 'code')} returned from slip ${line.code}`,
      amounts: [{ key: 'giro', amount: line.amount, partnerKind: 'CUSTOMER', partnerId: numberOf(payment, 'customer_id'), territoryId: numberOrNull(payment, 'territory_id') }, { key: 'total', amount: line.amount }],
    })
  }
}
