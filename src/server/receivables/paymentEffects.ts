import { addDays, dayText, periodOf, type DateText } from '#base/date.ts'
import { compare, exact, grouped, isZero, money, type Decimal } from '#base/decimal.ts'
import type { ProblemCode } from '#api/problems.ts'
import { paymentMethods, receiptAmounts, receiptEvents, splitUnapplied, type PaymentMethod } from '#domain/ledger/receiptAmounts.ts'
import type { DeductionKind } from '#domain/receivables/receipt.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { post, reverse } from '#server/ledger/post.ts'
import { fail, invalid, raise, summaryOf, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { setting, toleranceIn } from '#server/settings.ts'
import { foreignOf, mustRate } from '#server/setup/exchangeRates.ts'
import { insertDocument, logStatusChanges, numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { assertPeriodNotClosed, dayIsFixed, toldAt } from '#server/workflow/periods.ts'
import { allocate, deallocate, lockCreditNotes, lockDeposits, lockInvoices, type AllocationSource, type NewAllocation } from './allocations.ts'
import { basesOf } from './basesOf.ts'
import { bookedIn } from '#server/workflow/bookedIn.ts'
import { checkReceipt, isBackdated, paidOn, type CheckedReceipt, type Receipt } from './checkReceipt.ts'
import { unclaimed } from './claims.ts'
import { clearingOf } from './clearingReceipt.ts'
import { forgetCollected, noteCollected } from './collection.ts'
import { backToTheField } from './handover.ts'
import { readPaymentLines, type PaymentLineRow } from './readPayment.ts'
import { assertUnidentified } from './unidentified.ts'
import { readRecoveries, recoveredOf } from './recoveries.ts'
import { unitAccountProblems } from './unitAccounts.ts'

export const paymentNeedsNoApproval: Precondition = async ({ tx, record, today, source }) => {
  const unit = numberOf(record, 'operating_unit_id')
  if (await setting(tx, 'payment_needs_approval', unit, false)) fail('ILLEGAL_TRANSITION.payment-approval')
  const date = textOf(record, 'payment_date')
  if ((await isBackdated(tx, unit, date, today)) && !(source === 'IMPORT' && (await isTakenOver(tx, unit, date)))) {
    fail('VALIDATION_FAILED.backdated', { date: dayText(date) }, { errors: [wrong('PaymentDate', 'BACKDATED')] })
  }
}

/** Is it of a day before a company began that is just being taken over? */
async function isTakenOver(tx: Queries, unit: number, date: DateText): Promise<boolean> {
  return (await setting(tx, 'begbal_open', unit, false)) && date <= (await setting(tx, 'cut_over_date', unit, ''))
}

/** The same checks as posting, without its effects: nobody is asked to approve what could not be posted. */
export const checkPayment: Effect = async (context) => {
  await toldAt('PaymentDate', assertPeriodNotClosed(context.tx, bookedIn(context.metadata, 'ar_payment'), numberOf(context.record, 'operating_unit_id'), textOf(context.record, 'payment_date')))
  const lines = await readPaymentLines(context.tx, context.record.id)
  const { check } = await checked(context, lines)
  const { deposited } = await unappliedOf(context, check)
  if (!isZero(deposited)) await askAboutDeposit(context, lines, deposited)
}

/** Money arrives: invoices are settled, credits and deposits used, small differences booked, what is left becomes a deposit. */
export const postPayment: Effect = async (context) => {
  const { tx, current } = context
  const unit = numberOf(current, 'operating_unit_id')
  const date = textOf(current, 'payment_date')
  await toldAt('PaymentDate', context.assertPeriodOpen(bookedIn(context.metadata, 'ar_payment'), unit, date))
  const lines = await readPaymentLines(tx, current.id)
  await atDaysRate(context)
  const { check, receipt } = await checked(context, lines)
  const { totals } = check
  const { deposited, overpaid, overLimit } = await unappliedOf(context, check)
  context.set({
    posting_date: date, period: periodOf(date), allocated: totals.allocated, credit_used: totals.creditUsed, deposit_used: totals.depositUsed, deducted: totals.deducted, unapplied: totals.unapplied, over_limit: overLimit,
    bank_charge: money(lines.flatMap((line) => line.deductions).filter((deduction) => deduction.kind === 'BANK').reduce((all, deduction) => all.plus(deduction.amount), exact(0))),
  })
  await freezeLines(context, lines, check)
  if (!isZero(deposited)) {
    await askAboutDeposit(context, lines, deposited)
    await depositRest(context, deposited, date)
  }
  const code = textOf(current, 'code')
  const booked = await basesOf(tx, await foreignOf(tx, context.current), lines.flatMap((line, at) => allocationsOf(current.id, line, totals.money[at] ?? '0')))
  const journalId = await post(context, {
    event: receiptEvents[methodOf(current)], source: { type: 'ar_payment', id: current.id, code }, operatingUnitId: unit, date, description: `Receipt ${code}`, money: booked.money,
    amounts: receiptAmounts({
      customerId: numberOf(current, 'customer_id'), territoryId: numberOrNull(current, 'territory_id'), amount: textOf(current, 'amount'), lines, deposited, overpaid, recovered: recoveredOf(receipt.recoveries),
      invoiceAccounts: new Map([...check.invoices].map(([id, invoice]) => [id, invoice.ar_account])), creditNoteAccounts: new Map([...check.creditNotes].flatMap(([id, note]) => (note.ar_account === null ? [] : [[id, note.ar_account] as const]))),
    }),
  })
  await allocate(context, { type: 'ar_payment', id: current.id, date, journalId }, booked.allocations)
  await claimShortfalls(context, lines, check)
  if (byCollectors.has(methodOf(current))) await noteCollected(tx, current.id, lines.map((line) => line.invoiceId))
  await markDisputes(context, lines.map((line) => line.invoiceId))
}

/** Money in another currency than the books is worth what it is on the day it came. */
async function atDaysRate(context: TransitionContext): Promise<void> {
  const { tx, current } = context
  const rate = await mustRate(tx, numberOf(current, 'operating_unit_id'), textOf(current, 'currency'), textOf(current, 'payment_date'), 'PaymentDate')
  if (compare(rate, textOf(current, 'rate')) !== 0) context.set({ rate })
}

async function unappliedOf({ tx, current }: TransitionContext, { totals }: CheckedReceipt): Promise<{ readonly deposited: Decimal; readonly overpaid: Decimal; readonly overLimit: Decimal }> {
  const overLimit = await toleranceIn(tx, 'AR_OVER', numberOf(current, 'operating_unit_id'), textOf(current, 'amount'), textOf(current, 'rate'))
  return { ...splitUnapplied(totals.unapplied, overLimit), overLimit }
}

/** Money beyond the invoices it pays is seldom meant, nor is a receipt that pays none of what is owed; a file has said so row by row. */
async function askAboutDeposit(context: TransitionContext, lines: readonly PaymentLineRow[], deposited: Decimal): Promise<void> {
  const { tx, current, action } = context
  if (!['post', 'submit'].includes(action.action) || textOf(current, 'source') === 'IMPORT') return
  const open = await tx.first<{ invoices: number; amount: Decimal | null }>(sql`
    select count(*)::int as invoices, sum(remaining)::numeric(18, 2) as amount from invoice
    where customer_id = ${numberOf(current, 'customer_id')} and operating_unit_id = ${numberOf(current, 'operating_unit_id')} and status in (1, 2) and currency = ${textOf(current, 'currency')} and doc_date <= ${textOf(current, 'payment_date')}::date and remaining > 0
      and id <> all(${lines.map(({ invoiceId }) => invoiceId)}::bigint[])`)
  const others = { count: open?.invoices ?? 0, open: grouped(open?.amount ?? '0') }
  const amount = grouped(money(exact(textOf(current, 'amount'))))
  if (lines.length > 0) {
    const rest = grouped(deposited)
    context.warn('PAYS_LESS', 'PAYS_LESS', others.count === 0 ? tell('warning.PAYS_LESS', { rest, amount }) : tell('warning.PAYS_LESS.others', { rest, amount, ...others }))
  } else if (others.count > 0) {
    context.warn('PAYS_NOTHING', 'PAYS_NOTHING', tell('warning.PAYS_NOTHING', { amount, ...others }))
  }
}

/** Methods of what collectors bring along; cash at the counter and transfers come past them. */
const byCollectors: ReadonlySet<PaymentMethod> = new Set(['CIT', 'GIRO', 'CHEQUE'])

function methodOf(payment: Row): PaymentMethod {
  const method = paymentMethods.find((known) => known === payment['method'])
  if (method === undefined) throw new Error(`Unknown payment method ${String(payment['method'])}`)
  return method
}

async function checked(context: TransitionContext, lines: readonly PaymentLineRow[]): Promise<{ readonly receipt: Receipt; readonly check: CheckedReceipt }> {
  const { current } = context
  const receipt: Receipt = {
    customerId: numberOf(current, 'customer_id'), operatingUnitId: numberOf(current, 'operating_unit_id'), date: textOf(current, 'payment_date'), paidOn: paidOn(current), amount: textOf(current, 'amount'), currency: textOf(current, 'currency'), rate: textOf(current, 'rate'), lines, recoveries: await readRecoveries(context.tx, current.id),
  }
  if (receipt.date > context.today) invalid([wrong('PaymentDate', 'TOO_LATE.payment')])
  if (compare(receipt.amount, '0') < 0 || (isZero(receipt.amount) && lines.length === 0)) invalid([wrong('Amount', 'REQUIRED.amount')])
  const misplaced = await unitAccountProblems(context.tx, { operatingUnitId: receipt.operatingUnitId, houseBankId: numberOrNull(current, 'house_bank_id'), cashAccountId: numberOrNull(current, 'cash_account_id'), currency: receipt.currency })
  if (misplaced.length > 0) invalid(misplaced)
  const check = await checkReceipt(context, receipt)
  if (check.problems.length > 0) raise({ code: problemCode(check), ...summaryOf(check.problems), errors: check.problems })
  if (methodOf(current) === 'UNIDENTIFIED') await assertUnidentified(context.tx, receipt)
  return { receipt, check }
}

/** Taking more than is open has its own code: two cashiers met at one invoice. */
function problemCode(check: CheckedReceipt): ProblemCode {
  const codes = new Set(check.problems.map((problem) => problem.code))
  if (codes.has('EXCEEDS_REMAINING')) return 'EXCEEDS_REMAINING'
  return codes.has('EXCEEDS_SOURCE') ? 'EXCEEDS_AVAILABLE' : 'VALIDATION_FAILED'
}

/** What was open, what was left open and what was tolerated at this moment stays on the line. */
async function freezeLines(context: TransitionContext, lines: readonly PaymentLineRow[], check: CheckedReceipt): Promise<void> {
  for (const [at, line] of lines.entries()) {
    const open = check.invoices.get(line.invoiceId)?.remaining ?? '0'
    const reason = line.reasonId === null ? undefined : check.reasons.get(line.reasonId)
    await context.tx.run(sql`
      update ar_payment_line set remaining_before = ${open}, money_amount = ${check.totals.money[at] ?? '0'}, diff_amount = ${money(exact(open).minus(line.paid))}, diff_action = ${reason?.action ?? null}
      where id = ${line.id}`)
    const limits = check.limits.get(at)?.filter(({ kind }) => line.deductions.some((deduction) => deduction.kind === kind)) ?? []
    for (const { kind, usage = null, ofLine = null, ofInvoice, ofReceipt = null } of limits) {
      await context.tx.run(sql`
        update ar_payment_deduction set tolerance = ${usage}, line_limit = ${ofLine}, invoice_limit = ${ofLine === null ? null : ofInvoice}, receipt_limit = ${ofReceipt} where ar_payment_line_id = ${line.id} and kind = ${kind}`)
    }
  }
}

async function depositRest(context: TransitionContext, amount: Decimal, date: string): Promise<void> {
  const { current } = context
  const unit = numberOf(current, 'operating_unit_id')
  const method = methodOf(current)
  await insertDocument(context, 'customer_deposit', {
    code: await context.nextNumber('CD', unit, date), status: 1, operating_unit_id: unit, territory_id: numberOrNull(current, 'territory_id'), doc_date: date, posting_date: date,
    currency: textOf(current, 'currency'), rate: textOf(current, 'rate'), customer_id: numberOf(current, 'customer_id'), origin: 'OVERPAYMENT', deposit_source_id: current.id, method: method === 'TRANSFER' || method === 'VA' ? method : 'CASH', amount, remaining: amount,
    reference_no: textOrNull(current, 'reference_no'),
  })
}

const deductionSources = {
  PPH22: 'WITHHOLDING', PPH23: 'WITHHOLDING', PPN_WAPU: 'WITHHOLDING', BANK: 'PAYMENT_DIFF', DIFF: 'PAYMENT_DIFF', CASH_DISCOUNT: 'PAYMENT_DIFF',
} as const satisfies Record<DeductionKind, AllocationSource>

function allocationsOf(paymentId: number, line: PaymentLineRow, moneyPart: Decimal): NewAllocation[] {
  const common = { invoiceId: line.invoiceId, sourceLineId: line.id }
  return [
    { ...common, sourceType: 'PAYMENT' as const, sourceId: paymentId, amount: moneyPart },
    ...line.credits.map((credit) => ({ ...common, sourceType: credit.source, sourceId: credit.sourceId, amount: credit.amount })),
    ...line.deductions.map((deduction) => ({ ...common, sourceType: deductionSources[deduction.kind], sourceId: paymentId, amount: deduction.amount })),
  ].filter((allocation) => !isZero(allocation.amount))
}

/**
 * An invoice is disputed as long as a receipt that holds left some of it open for a reason that says so: what a line left open stands in it from posting on.
 * `except`: the receipt being undone.
 */
async function markDisputes({ tx, now, user }: TransitionContext, invoiceIds: readonly number[], except = 0): Promise<void> {
  const changed = await tx.rows<{ id: number; dispute: boolean }>(sql`
    update invoice i set dispute = x.dispute from (
      select v.id, exists (select 1 from ar_payment_line l join ar_payment p on p.id = l.ar_payment_id join reason r on r.id = l.reason_id
        where l.invoice_id = v.id and r.is_dispute and l.diff_amount > 0 and p.id <> ${except} and p.status <> 7) as dispute
      from invoice v where v.id = any(${[...new Set(invoiceIds)]}::bigint[])
    ) x where i.id = x.id and i.dispute <> x.dispute returning i.id, i.dispute`)
  for (const { id, dispute } of changed) await writeLog(tx, { docType: 'invoice', docId: id, at: now.toISOString(), actorId: user.id, action: 'edit', diff: [{ field: 'dispute', from: !dispute, to: dispute }] })
}

/** A claim without its credit note yet: a temporary credit note is drafted for what stays open and no other claim is for. */
async function claimShortfalls(context: TransitionContext, lines: readonly PaymentLineRow[], check: CheckedReceipt): Promise<void> {
  const { current } = context
  const days = await setting(context.tx, 'temp_cn_max_days', numberOf(current, 'operating_unit_id'), 30)
  for (const line of lines) {
    const open = exact(check.invoices.get(line.invoiceId)?.remaining ?? '0').minus(line.paid)
    if (open.lte(0) || line.reasonId === null || check.reasons.get(line.reasonId)?.action !== 'TEMP_CN') continue
    const amount = await unclaimed(context, line.invoiceId)
    if (compare(amount, '0') <= 0) continue
    await insertDocument(context, 'cn_temporary', {
      operating_unit_id: numberOf(current, 'operating_unit_id'), territory_id: numberOrNull(current, 'territory_id'), doc_date: textOf(current, 'payment_date'),
      customer_id: numberOf(current, 'customer_id'), invoice_id: line.invoiceId, ar_payment_id: current.id, amount, remaining: '0.00', expected_doc: line.reasonText,
      deadline: addDays(textOf(current, 'payment_date'), days), reason_id: line.reasonId, reason_text: line.reasonText,
    })
  }
}

/** Money of a clearing goes back with it. */
export const paymentIsNoClearing: Precondition = async ({ tx, record }) => {
  const clearing = await clearingOf(tx, record.id)
  if (clearing !== undefined) fail('ILLEGAL_TRANSITION.payment-of-clearing', { clearing })
}

export const paymentMayBeReversed: Precondition = async (context) => {
  const { tx, record } = context
  await paymentIsNoClearing(context)
  // Locked, so that nobody settles the claim or uses the deposit at the same moment: from here on he is told that the reversal waits.
  const claims = await tx.rows<{ code: string; status: number }>(sql`select code, status from cn_temporary where ar_payment_id = ${record.id} order by id for update`)
  const converted = claims.find(({ status }) => status === 2 || status === 3)
  if (converted !== undefined) fail('ILLEGAL_TRANSITION.claim-settled', { claim: converted.code })
  const deposits = await tx.rows<{ code: string; status: number }>(sql`select code, status from customer_deposit where origin = 'OVERPAYMENT' and deposit_source_id = ${record.id} order by id for update`)
  const used = deposits.find(({ status }) => status === 2 || status === 3)
  if (used !== undefined) fail('ILLEGAL_TRANSITION.deposit-used', { deposit: used.code })
}

/** Everything the payment did is undone today: allocations, credits, deposit, claims, journal. */
export const reversePayment: Effect = (context) => undoPayment(context, paymentMayBeReversed)

/** As `reversePayment`, where `may` lets it: what was paid too much and used since stays used. */
export async function undoPayment(context: TransitionContext, may: Precondition): Promise<void> {
  const { tx, record, today } = context
  const unit = numberOf(record, 'operating_unit_id')
  await dayIsFixed(context.assertPeriodOpen(bookedIn(context.metadata, 'ar_payment'), unit, today))
  const lines = await readPaymentLines(tx, record.id)
  await checkLocks(context, lines)
  await may(context)
  const claims = await tx.rows<{ id: number; status: number }>(sql`select id, status from cn_temporary where ar_payment_id = ${record.id} and status in (0, 1, 4, 5) order by id`)
  for (const claim of claims) await context.transition('cn_temporary', claim.id, claim.status === 1 ? 'reverse' : 'drop')
  await deallocate(context, { type: 'ar_payment', id: record.id }, today)
  await forgetCollected(tx, record.id)
  await markDisputes(context, lines.map((line) => line.invoiceId), record.id)
  const at = context.now.toISOString()
  const deposits = await tx.rows<{ id: number }>(sql`
    update customer_deposit set status = 7, remaining = 0, version = version + 1, updated_at = ${at}, updated_by = ${context.user.id}, cancelled_at = ${at}, cancelled_by = ${context.user.id}
    where origin = 'OVERPAYMENT' and deposit_source_id = ${record.id} and status = 1 returning id`)
  await logStatusChanges(context, 'customer_deposit', 'reverse', deposits.map(({ id }) => ({ id, from: 1, to: 7 })))
  const code = textOf(record, 'code')
  const source = { type: 'ar_payment', id: record.id, code }
  context.set({ clearing_date: null })
  await backToTheField(context)
  await reverse(context, { source, event: 'WHT_UNPROVEN' }, { source, date: today, description: `Reversal of receipt ${code}` })
  await reverse(context, { source, event: 'GIRO_CLEAR' }, { source, date: today, description: `Reversal of the clearing of receipt ${code}` })
  await reverse(context, { source, event: receiptEvents[methodOf(record)] }, { source, date: today, description: `Reversal of receipt ${code}` })
}

/** Locks in the order posting does. */
async function checkLocks(context: TransitionContext, lines: readonly PaymentLineRow[]): Promise<void> {
  const credits = lines.flatMap((line) => line.credits)
  await lockInvoices(context.tx, lines.map((line) => line.invoiceId))
  await lockCreditNotes(context.tx, credits.filter((credit) => credit.source === 'CREDIT_NOTE').map((credit) => credit.sourceId))
  await lockDeposits(context.tx, credits.filter((credit) => credit.source === 'DEPOSIT').map((credit) => credit.sourceId))
}
