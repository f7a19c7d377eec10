import { dayText } from '#base/date.ts'
import { compare, type Decimal, exact, grouped, isZero, money, sum } from '#base/decimal.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import type { PostingEvent } from '#generated/names.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post, reverse } from '#server/ledger/post.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { toleranceIn } from '#server/settings.ts'
import { mustRate } from '#server/setup/exchangeRates.ts'
import { homeCurrency } from '#server/setup/homeCurrency.ts'
import { logStatusChanges, numberOf, textOf } from '#server/workflow/newDocument.ts'
import { assertNoneClosed, dayIsFixed } from '#server/workflow/periods.ts'
import { isGiro } from './giro.ts'
import { returnGiro } from './returnedGiro.ts'
import { statementBefore } from './matchStatement.ts'
import { confirmCashBank, confirmSlip, unconfirmCash } from './statementCash.ts'
import { confirmParts, partProblems, unconfirmParts } from './statementParts.ts'
import { statementOfNumber } from './statementNumber.ts'
import { confirmSupplierReceipt, confirmVendorPayment, unconfirmSupplierReceipts, unconfirmVendorPayments } from './statementVendors.ts'
import { assertUnused } from './unidentified.ts'

export interface StatementLine extends Row {
  readonly id: number
  readonly line_no: number
  readonly value_date: string
  readonly description: string | null
  readonly debit: Decimal
  readonly credit: Decimal
  readonly match_type: 'NONE' | 'PAYMENT' | 'PARTS' | 'DEPOSIT' | 'CASH_DEPOSIT' | 'CB_DOC' | 'AP_PAYMENT' | 'SUPPLIER_RECEIPT' | 'CHARGE' | 'INTEREST' | 'UNIDENTIFIED'
  readonly ar_payment_id: number | null
  readonly customer_deposit_id: number | null
  readonly cash_deposit_id: number | null
  readonly cash_bank_document_id: number | null
  readonly ap_payment_id: number | null
  readonly supplier_receipt_id: number | null
}

function linesOf(tx: Queries, id: number): Promise<StatementLine[]> {
  return tx.rows<StatementLine>(sql`
    select id, line_no, value_date, description, debit, credit, match_type, ar_payment_id, customer_deposit_id, cash_deposit_id, cash_bank_document_id, ap_payment_id, supplier_receipt_id from bank_statement_line where bank_statement_id = ${id} order by line_no, id`)
}

/** It continues the statement before it, adds up, and every line is explained. */
export const statementIsComplete: Precondition = async ({ tx, record }) => {
  const lines = await linesOf(tx, record.id)
  const opening = textOf(record, 'opening_balance')
  const before = await statementBefore(tx, numberOf(record, 'house_bank_id'), record.id, record['status'] === 4 ? [3] : [3, 4])
  if (before !== undefined && textOf(record, 'doc_date') < before.doc_date) invalid([wrong('DocDate', 'TOO_EARLY.statement', { day: dayText(before.doc_date) })])
  if (before !== undefined && compare(before.closing_balance, opening) !== 0) invalid([wrong('OpeningBalance', 'INVALID.opening', { amount: grouped(before.closing_balance) })])
  const closing = exact(opening).plus(sum(lines.map((line) => line.credit))).minus(sum(lines.map((line) => line.debit)))
  if (!closing.eq(textOf(record, 'closing_balance'))) invalid([wrong('ClosingBalance', 'INVALID.closing', { amount: grouped(money(closing)) })])
  lines.forEach((line, at) => {
    if (compare(line.debit, '0') < 0 || compare(line.credit, '0') < 0) invalid([wrong(`Lines[${at}].${compare(line.debit, '0') < 0 ? 'Debit' : 'Credit'}`, 'NEGATIVE')])
    const oneSide = isZero(line.debit) !== isZero(line.credit)
    const expected = ['PAYMENT', 'CB_DOC', 'AP_PAYMENT'].includes(line.match_type) || (line.match_type === 'CHARGE' ? !isZero(line.debit) : !isZero(line.credit))
    if (line.match_type === 'NONE' || !oneSide || !expected) invalid([wrong(`Lines[${at}].MatchType`, 'REQUIRED.match')])
  })
  const parts = await partProblems(tx, record.id, lines)
  if (parts.length > 0) invalid(parts)
  await assertNoneClosed(tx, modules, numberOf(record, 'operating_unit_id'), lines.map((line, at) => ({ field: `Lines[${at}].ValueDate`, date: line.value_date })))
}

/** The bank does not send a movement twice; a file taken in a second time does. A receipt is confirmed once anyhow. */
export const statementIsNew: Precondition = async (context) => {
  const { tx, record } = context
  const twins = await tx.rows<{ line_no: number; code: string }>(sql`
    select l.line_no, min(coalesce(s.code, s.statement_no)) as code
    from bank_statement_line l join bank_statement_line o on o.value_date = l.value_date and o.debit = l.debit and o.credit = l.credit
      and lower(coalesce(o.description, '')) = lower(coalesce(l.description, '')) and lower(coalesce(o.reference, '')) = lower(coalesce(l.reference, ''))
    join bank_statement s on s.id = o.bank_statement_id
    where l.bank_statement_id = ${record.id} and s.house_bank_id = ${numberOf(record, 'house_bank_id')} and s.status in (3, 4) and s.id <> ${record.id} and l.match_type = 'UNIDENTIFIED'
    group by l.line_no order by l.line_no`)
  const [first] = twins
  if (first !== undefined) context.warn('STATEMENT_TWICE', 'DUPLICATE_DOCUMENT', tell('warning.STATEMENT_TWICE', { count: twins.length, line: first.line_no, statement: first.code }))
}

/** While it was refused, its number may have been entered anew. */
export const statementNumberIsFree: Precondition = async ({ tx, record }) => {
  const twin = await statementOfNumber(tx, record, record.id)
  if (twin !== undefined) invalid([wrong('StatementNo', 'DUPLICATE.statement', { code: twin })])
}

const modules = ['CB', 'GL'] as const

/** What an account in another currency than the books may show: documents of all other kinds are in that of the books. */
const inOwnCurrency: ReadonlySet<string> = new Set(['PAYMENT', 'DEPOSIT', 'AP_PAYMENT', 'CHARGE', 'INTEREST'])

/** Each line is booked by itself; money that was on its way is now in the bank. */
export const postStatement: Effect = async (context) => {
  const { tx, current } = context
  // Statements of one account are posted one after another: each continues the balance of the one before.
  await tx.run(sql`select 1 from house_bank where id = ${numberOf(current, 'house_bank_id')} for update`)
  await statementIsComplete(context)
  const unit = numberOf(current, 'operating_unit_id')
  const bank = await tx.first<{ code: string; currency: string }>(sql`select a.code, b.currency from house_bank b join account a on a.id = b.gl_account_id where b.id = ${numberOf(current, 'house_bank_id')}`)
  const isForeign = bank !== undefined && bank.currency !== (await homeCurrency(tx.ahead, unit))
  for (const [at, line] of (await linesOf(tx, current.id)).entries()) {
    await context.assertPeriodOpen(modules, unit, line.value_date)
    if (isForeign && !inOwnCurrency.has(line.match_type)) fail('VALIDATION_FAILED.statement-currency', { line: line.line_no, currency: bank.currency })
    const { event, amounts, rate } = await bookingOf(context, line, bank?.code ?? '')
    const money = isForeign ? { currency: bank.currency, rate: rate ?? (await mustRate(tx, unit, bank.currency, line.value_date, `Lines[${at}].ValueDate`)) } : undefined
    await post(context, {
      event, source: { type: 'bank_statement_line', id: line.id, code: textOf(current, 'code') }, operatingUnitId: unit, date: line.value_date,
      description: `Bank statement ${textOf(current, 'statement_no')}, line ${line.line_no}`, amounts, money,
    })
  }
}

/** What came after it continues its balance: only the last statement of an account can be undone, and what it began with where that was taken over. */
export const statementIsLast: Precondition = async ({ tx, record }) => {
  const opening = await tx.first<{ code: string }>(sql`select code from opening_balance where section = 'BANK' and made_id = ${record.id} and status <> 7`)
  if (opening !== undefined) fail('ILLEGAL_TRANSITION.statement-taken-over', { opening: opening.code })
  const next = await tx.first<{ code: string }>(sql`
    select coalesce(code, statement_no) as code from bank_statement
    where house_bank_id = ${numberOf(record, 'house_bank_id')} and status in (3, 4) and (doc_date, id) > (${textOf(record, 'doc_date')}::date, ${record.id}) order by doc_date, id limit 1`)
  if (next !== undefined) fail('ILLEGAL_TRANSITION.statement-continued', { statement: next.code })
}

/** Every line is mirrored on its day; what it confirmed is on its way to the bank again, a giro it cleared uncleared. */
export const reverseStatement: Effect = async (context) => {
  const { tx, record, user } = context
  // Nobody posts the next one meanwhile.
  await tx.run(sql`select 1 from house_bank where id = ${numberOf(record, 'house_bank_id')} for update`)
  await statementIsLast(context)
  const unit = numberOf(record, 'operating_unit_id')
  const code = textOf(record, 'code')
  const lines = await linesOf(tx, record.id)
  const returned = lines.find((line) => line.match_type === 'PAYMENT' && isZero(line.credit))
  if (returned !== undefined) fail('ILLEGAL_TRANSITION.statement-took-giro', { line: returned.line_no })
  const booked = await tx.rows<{ line: number; event: PostingEvent }>(sql`
    select source_doc_id as line, source_event as event from journal
    where source_doc_type = 'bank_statement_line' and source_doc_id = any(${lines.map(({ id }) => id)}::bigint[]) and reversal_of_id is null order by id`)
  for (const line of lines) {
    await dayIsFixed(context.assertPeriodOpen(modules, unit, line.value_date))
    const source = { type: 'bank_statement_line', id: line.id, code }
    const description = `Reversal of bank statement ${textOf(record, 'statement_no')}, line ${line.line_no}`
    for (const { event } of booked.filter((one) => one.line === line.id)) await reverse(context, { source, event }, { source, date: line.value_date, description })
  }
  const unknown = lines.filter((line) => line.match_type === 'UNIDENTIFIED')
  if (unknown.length > 0) await assertUnused(tx, unit, unknown.map((line) => line.id))
  const now = context.now.toISOString()
  const ids = lines.map((line) => line.id)
  await unconfirmCash(context, ids)
  await unconfirmParts(context, record.id)
  await unconfirmVendorPayments(context, ids)
  await unconfirmSupplierReceipts(context, ids)
  const freed = await tx.rows<{ id: number; status: number }>(sql`
    update ar_payment p set bank_statement_line_id = null, version = p.version + 1, updated_at = ${now}, updated_by = ${user.id},
      status = case when x.by_hand then 3 else 1 end, clearing_date = case when x.by_hand then p.clearing_date end,
      house_bank_id = case when p.method in ('GIRO', 'CHEQUE') and not x.by_hand then null else p.house_bank_id end
    from (select q.id, exists (select 1 from journal j where j.source_doc_type = 'ar_payment' and j.source_doc_id = q.id and j.source_event = 'GIRO_CLEAR' and j.status = 'POSTED') as by_hand
      from ar_payment q where q.bank_statement_line_id = any(${ids}::bigint[]) order by q.id for update) x
    where p.id = x.id returning p.id, p.status`)
  await logStatusChanges(context, 'ar_payment', 'unreconcile', freed.map(({ id, status }) => ({ id, from: 3, to: status })))
  await tx.run(sql`update customer_deposit set bank_statement_line_id = null, version = version + 1, updated_at = ${now}, updated_by = ${user.id} where bank_statement_line_id = any(${ids}::bigint[])`)
}

export interface Booking {
  readonly event: PostingEvent
  readonly amounts: readonly EventAmount[]
  /** What was on its way was booked at this rate, and arrives at it; the day's where nothing was. */
  readonly rate?: Decimal
}

async function bookingOf(context: TransitionContext, line: StatementLine, bank: string): Promise<Booking> {
  switch (line.match_type) {
    case 'PAYMENT':
      return isZero(line.credit) ? returnGiro(context, line, bank) : confirmPayment(context, line, bank)
    case 'PARTS':
      return { event: 'BS_PAYMENT', amounts: await confirmParts(context, line, bank) }
    case 'DEPOSIT':
      return confirmDeposit(context, line, bank)
    case 'CASH_DEPOSIT':
      return { event: 'BS_CASHDEP', amounts: await confirmSlip(context, line, bank) }
    case 'CB_DOC':
      return { event: 'BS_CB', amounts: await confirmCashBank(context, line, bank) }
    case 'AP_PAYMENT':
      return confirmVendorPayment(context, line, bank)
    case 'SUPPLIER_RECEIPT':
      return { event: 'BS_SUPPLIER', amounts: await confirmSupplierReceipt(context, line, bank) }
    case 'CHARGE':
      return { event: 'BS_CHARGE', amounts: [{ key: 'charge', amount: line.debit, account: bank }] }
    case 'INTEREST':
      return { event: 'BS_INTEREST', amounts: [{ key: 'interest', amount: line.credit, account: bank }] }
    case 'UNIDENTIFIED':
      return { event: 'BS_UNIDENT', amounts: [{ key: 'bank', amount: line.credit, account: bank }] }
    case 'NONE':
      throw new Error('A line without a match cannot be booked')
  }
}

async function confirmPayment(context: TransitionContext, line: StatementLine, bank: string): Promise<Booking> {
  const payment = await context.tx.first<Row & { id: number; code: string; status: number; method: string; amount: Decimal; customer_id: number; territory_id: number | null; operating_unit_id: number; house_bank_id: number | null; bank_statement_line_id: number | null; pending_transition: string | null; rate: Decimal }>(
    sql`select id, code, status, method, amount - bank_confirmed as amount, customer_id, territory_id, operating_unit_id, house_bank_id, bank_statement_line_id, pending_transition, rate from ar_payment where id = ${line.ar_payment_id}::bigint for update`,
  )
  if (payment === undefined || !(['TRANSFER', 'VA'].includes(payment.method) || isGiro(payment))) fail('VALIDATION_FAILED.no-transfer', { line: line.line_no })
  // A giro that was cleared by hand is closed, and its money on its way all the same.
  const isOpen = payment.status === 1 || (isGiro(payment) && payment.status === 3 && payment.bank_statement_line_id === null)
  if (!isOpen || payment.pending_transition !== null) fail('ILLEGAL_TRANSITION.payment-unconfirmable', { line: line.line_no, payment: payment.code })
  // One that was not goes to the bank it turns up at.
  const isPaper = isGiro(payment) && payment.status === 1
  const [has, wants] = isPaper ? [payment.operating_unit_id, context.current['operating_unit_id']] : [payment.house_bank_id, context.current['house_bank_id']]
  if (has !== wants) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: payment.code })
  const diff = exact(line.credit).minus(payment.amount)
  const most = isPaper ? '0.00' : await toleranceIn(context.tx, 'BANK_MATCH', numberOf(context.current, 'operating_unit_id'), payment.amount, payment.rate)
  if (diff.abs().gt(most)) {
    fail('VALIDATION_FAILED.bank-difference', { line: line.line_no, bank: grouped(line.credit), payment: payment.code, amount: grouped(payment.amount), most: grouped(most) })
  }
  await context.tx.run(sql`update bank_statement_line set diff_amount = ${money(diff)} where id = ${line.id}`)
  await context.tx.run(sql`
    update ar_payment set status = 3, clearing_date = ${isPaper ? sql`${line.value_date}::date` : sql`clearing_date`}, bank_statement_line_id = ${line.id}, house_bank_id = ${numberOf(context.current, 'house_bank_id')}, version = version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id} where id = ${payment.id}`)
  await logStatusChanges(context, 'ar_payment', 'reconcile', [{ id: payment.id, from: payment.status, to: 3 }])
  const partner = { partnerKind: 'CUSTOMER', partnerId: payment.customer_id, territoryId: payment.territory_id } as const
  if (isPaper) return { event: 'GIRO_CLEAR', amounts: [{ key: 'bank', amount: line.credit, account: bank }, { key: 'giro', amount: payment.amount, ...partner }] }
  const amounts: readonly EventAmount[] = [
    { key: 'bank', amount: line.credit, account: bank },
    { key: 'short', amount: diff.lt(0) ? money(diff.abs()) : '0', ...partner },
    { key: 'payment', amount: payment.amount, ...partner },
    { key: 'over', amount: diff.gt(0) ? money(diff) : '0', ...partner },
  ]
  return { event: 'BS_PAYMENT', amounts, rate: payment.rate }
}

async function confirmDeposit(context: TransitionContext, line: StatementLine, bank: string): Promise<Booking> {
  const deposit = await context.tx.first<Row & { id: number; code: string; amount: Decimal; origin: string; method: string; customer_id: number; territory_id: number | null; status: number; house_bank_id: number | null; bank_statement_line_id: number | null; rate: Decimal }>(
    sql`select id, code, amount, origin, method, customer_id, territory_id, status, house_bank_id, bank_statement_line_id, rate from customer_deposit where id = ${line.customer_deposit_id}::bigint for update`,
  )
  const isOpen = deposit !== undefined && deposit.origin === 'RECEIPT' && deposit.method !== 'CASH' && [1, 2, 3].includes(deposit.status) && deposit.bank_statement_line_id === null
  if (deposit === undefined || !isOpen || compare(deposit.amount, line.credit) !== 0) return fail('VALIDATION_FAILED.no-deposit', { line: line.line_no, amount: grouped(line.credit) })
  if (deposit.house_bank_id !== null && deposit.house_bank_id !== context.current['house_bank_id']) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: deposit.code })
  await context.tx.run(sql`update customer_deposit set bank_statement_line_id = ${line.id}, version = version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id} where id = ${deposit.id}`)
  const partner = { partnerKind: 'CUSTOMER', partnerId: deposit.customer_id, territoryId: deposit.territory_id } as const
  return { event: 'BS_DEPOSIT', amounts: [{ key: 'bank', amount: line.credit, account: bank, ...partner }], rate: deposit.rate }
}
