import { compare, isZero, type Decimal } from '#base/decimal.ts'
import type { Effect, Precondition, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { bookingDate } from '#server/workflow/bookingDate.ts'
import { insertDocument, logStatusChanges, numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { settledItems } from '#server/workflow/settle.ts'
import { assertUnidentified } from './unidentified.ts'
import { unitAccountProblems } from './unitAccounts.ts'
import { assertTolerated, withholdingFits } from './withholding.ts'

interface Money {
  readonly amount: Decimal
  readonly isUnidentified: boolean
  /** Wire name of the amount. */
  readonly field: string
}

function moneyOf({ current, entity }: TransitionContext): Money {
  return entity.id === 'ar_clearing'
    ? { amount: textOf(current, 'unidentified'), isUnidentified: true, field: 'Unidentified' }
    : { amount: textOf(current, 'money_amount'), isUnidentified: current['money_source'] === 'UNIDENTIFIED', field: 'MoneyAmount' }
}

/** A difference keeps to the tolerance of its reason, over the whole document. */
export const clearingWithinTolerance: Precondition = async ({ tx, current }: TransitionContext) => {
  const difference = textOf(current, 'difference')
  if (isZero(difference)) return
  const reason = await tx.first<{ tolerance_usage: string | null }>(sql`select tolerance_usage from reason where id = ${numberOrNull(current, 'diff_reason_id')}::bigint`)
  await assertTolerated(tx, reason?.tolerance_usage ?? 'AR_SHORT', numberOf(current, 'operating_unit_id'), textOf(current, 'total'), difference)
}

/** Money of unknown payers is used as far as it is there; money of a bank goes to a bank of the unit. */
export const unidentifiedIsThere: Precondition = async (context) => {
  const { tx, current } = context
  const { amount, isUnidentified, field } = moneyOf(context)
  if (isZero(amount)) return
  if (compare(amount, '0') < 0) invalid([wrong(field, 'NEGATIVE')])
  const operatingUnitId = numberOf(current, 'operating_unit_id')
  if (isUnidentified) return assertUnidentified(tx, { operatingUnitId, date: bookingDate(current), amount }, field)
  const misplaced = await unitAccountProblems(tx, { operatingUnitId, houseBankId: numberOrNull(current, 'house_bank_id'), cashAccountId: null, currency: textOf(current, 'currency') })
  if (misplaced.length > 0) invalid(misplaced)
}

/** The money of a clearing is a receipt: the bank's statement confirms it, or it is taken of what nobody was found for. The clearing books it. */
export const receiveForClearing: Effect = async (context) => {
  const { current, action, entity } = context
  const asked: readonly Precondition[] = entity.id === 'ar_clearing' ? [clearingWithinTolerance, unidentifiedIsThere] : [withholdingFits, unidentifiedIsThere]
  for (const precondition of asked) await precondition(context)
  const { amount, isUnidentified } = moneyOf(context)
  if (isZero(amount)) return
  const date = bookingDate(current)
  const unit = numberOf(current, 'operating_unit_id')
  const paid = (await settledItems(context)).filter(({ sourceType }) => sourceType === 'PAYMENT')
  const { id } = await insertDocument(context, 'ar_payment', {
    code: await context.nextNumber('PAY', unit, date), status: 1, operating_unit_id: unit, territory_id: numberOrNull(current, 'territory_id'), doc_date: date, posting_date: date, payment_date: date,
    customer_id: numberOf(current, 'customer_id'), method: isUnidentified ? 'UNIDENTIFIED' : 'TRANSFER', amount, allocated: amount, house_bank_id: isUnidentified ? null : numberOrNull(current, 'house_bank_id'),
    reference_no: textOrNull(current, 'reference_no'),
  }, { table: 'ar_payment_line', rows: paid.map((part) => ({ invoice_id: part.invoiceId, paid: part.amount, money_amount: part.amount })) })
  context.set({ ar_payment_id: id })
  await logStatusChanges(context, 'ar_payment', action.action, [{ id, from: 0, to: 1 }])
}

/** What the bank's statement shows of a clearing is there, and stays. */
export const clearingUnconfirmed: Precondition = async ({ tx, record }) => {
  const receipt = await tx.first<{ code: string; bank_statement_line_id: number | null }>(sql`select code, bank_statement_line_id from ar_payment where id = ${numberOrNull(record, 'ar_payment_id')}::bigint for update`)
  if (receipt !== undefined && receipt.bank_statement_line_id !== null) fail('ILLEGAL_TRANSITION.clearing-confirmed', { receipt: receipt.code })
}

export const returnFromClearing: Effect = async (context) => {
  const { tx, record, now, user } = context
  const id = numberOrNull(record, 'ar_payment_id')
  if (id === null) return
  await clearingUnconfirmed(context)
  const at = now.toISOString()
  await tx.run(sql`update ar_payment set status = 7, version = version + 1, updated_at = ${at}, updated_by = ${user.id}, cancelled_at = ${at}, cancelled_by = ${user.id} where id = ${id}`)
  await logStatusChanges(context, 'ar_payment', 'reverse', [{ id, from: 1, to: 7 }])
}
