import { dayText, isDate } from '#base/date.ts'
import { isZero } from '#base/decimal.ts'
import type { Effect, Precondition, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { assertOnNoWaitingSlip, giroLeavesSlip } from './cashDeposit.ts'
import { claimUsed } from './bouncedDeposit.ts'
import { paymentIsNoClearing, undoPayment } from './paymentEffects.ts'
import { unitAccountProblems } from './unitAccounts.ts'

/** Account of money on its way into a bank: the statement takes it from there. */
const incoming = '111302'

/** Reason of a receipt whose giro came back: credit control asks about it for 90 days. */
const bounced = 'V04'

/** Is the receipt a paper the bank has still to pay? */
export function isGiro(payment: Row): boolean {
  return payment['method'] === 'GIRO' || payment['method'] === 'CHEQUE'
}

/** Money the bank's statement shows is there: what undoes the receipt would have the books contradict the bank. */
export const paymentIsUnconfirmed: Precondition = async ({ tx, record }) => {
  await assertOnNoWaitingSlip(tx, record.id)
  if (!isZero(textOf(record, 'bank_confirmed')) && Number(record['status']) !== 3) {
    const part = await tx.first<{ code: string }>(sql`
      select coalesce(s.code, s.statement_no) as code from bank_statement_part p join bank_statement s on s.id = p.bank_statement_id where p.ar_payment_id = ${record.id} and s.status = 3 order by p.id limit 1`)
    fail('ILLEGAL_TRANSITION.payment-confirmed', { statement: part?.code ?? '' })
  }
  const byHand = isGiro(record) && record['bank_statement_line_id'] === null
  if (Number(record['status']) === 3 && !byHand) {
    const line = await tx.first<{ code: string }>(sql`
      select coalesce(s.code, s.statement_no) as code from bank_statement_line l join bank_statement s on s.id = l.bank_statement_id where l.id = ${numberOrNull(record, 'bank_statement_line_id')}::bigint`)
    if (line === undefined) fail('ILLEGAL_TRANSITION.payment-closed')
    fail('ILLEGAL_TRANSITION.payment-confirmed', { statement: line.code })
  }
}

/** The bank has paid the giro: the money is on its way into the account until the statement shows it. */
export const clearGiro: Effect = async (context) => {
  const { tx, record, today, input } = context
  const unit = numberOf(record, 'operating_unit_id')
  const bank = numberOrNull(input, 'house_bank_id')
  const date = isDate(input['clearing_date']) ? input['clearing_date'] : today
  if (bank === null) invalid([wrong('HouseBankID', 'REQUIRED.bank')])
  const misplaced = await unitAccountProblems(tx, { operatingUnitId: unit, houseBankId: bank, cashAccountId: null, currency: textOf(record, 'currency') })
  if (misplaced.length > 0) invalid(misplaced)
  const received = textOf(record, 'payment_date')
  const due = textOrNull(record, 'giro_due_date')
  const first = due !== null && due > received ? due : received
  if (date < first) invalid([wrong('ClearingDate', 'TOO_EARLY.giro', { day: dayText(first) })])
  if (date > today) invalid([wrong('ClearingDate', 'TOO_LATE.payment')])
  await context.assertPeriodOpen(['CB', 'GL'], unit, date)
  const code = textOf(record, 'code')
  const partner = { partnerKind: 'CUSTOMER', partnerId: numberOf(record, 'customer_id'), territoryId: numberOrNull(record, 'territory_id') } as const
  context.set({ house_bank_id: bank, clearing_date: date })
  await post(context, {
    event: 'GIRO_CLEAR', source: { type: 'ar_payment', id: record.id, code }, operatingUnitId: unit, date, description: `Giro of receipt ${code} cleared`,
    amounts: [{ key: 'bank', amount: textOf(record, 'amount'), account: incoming, ...partner }, { key: 'giro', amount: textOf(record, 'amount'), ...partner }],
  })
}

/** The giro came back unpaid, which is a fact: everything its receipt did is undone, and of what it paid too much that which has been used since is owed (D20). */
export const bounceGiro: Effect = async (context: TransitionContext) => {
  const reason = await context.tx.first<{ id: number }>(sql`select id from reason where code = ${bounced}`)
  context.set({ reversal_reason_id: reason?.id ?? null })
  await giroLeavesSlip(context, context.record)
  await undoPayment(context, paymentIsNoClearing)
  await claimUsed(context)
}
