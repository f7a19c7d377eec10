import { compare, type Decimal, exact, grouped, money } from '#base/decimal.ts'
import { dayText, periodOf } from '#base/date.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import { itemStatus } from '#domain/receivables/itemStatus.ts'
import type { PostingEvent } from '#generated/names.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { accountCode, post, reverse } from '#server/ledger/post.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { financeSettings } from '#server/settings.ts'
import { logStatusChanges, numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { assertPeriodNotClosed, dayIsFixed, toldAt } from '#server/workflow/periods.ts'
import { allocate, deallocate, leastOpenSince, lockInvoices } from './allocations.ts'
import { bookedIn } from './bookedIn.ts'

/** Receivables account of a customer's credit items: the one his invoices go to. */
export async function arAccountOf(tx: Queries, customerId: number): Promise<{ readonly id: number; readonly code: string }> {
  const row = await tx.first<{ operating_unit_id: number; is_collector: boolean }>(sql`
    select c.operating_unit_id, k.is_government or c.wapu_kind <> 'NONE' as is_collector from customer c join customer_category k on k.id = c.customer_category_id where c.id = ${customerId}`)
  if (row === undefined) throw new Error(`Customer ${customerId} has no receivables account`)
  const finance = await financeSettings(tx, row.operating_unit_id)
  return row.is_collector ? { id: finance.collector_account_id, code: finance.collector_account } : { id: finance.receivable_account_id, code: finance.receivable_account }
}

/** Day a document is booked on: its own, so that what it settles and its journal agree. */
function bookingDate(document: Row): string {
  return textOrNull(document, 'posting_date') ?? textOf(document, 'doc_date')
}

/** Where that day was entered. */
function bookingField(document: Row): 'DocDate' | 'PostingDate' {
  return textOrNull(document, 'posting_date') === null ? 'DocDate' : 'PostingDate'
}

interface Booked {
  readonly unit: number
  readonly date: string
  readonly source: { readonly type: string; readonly id: number; readonly code: string }
  readonly partner: { readonly partnerKind: 'CUSTOMER'; readonly partnerId: number; readonly territoryId: number | null }
}

async function bookingOf(context: TransitionContext, fixed?: string): Promise<Booked> {
  const { current, entity } = context
  const unit = numberOf(current, 'operating_unit_id')
  const date = fixed ?? bookingDate(context.current)
  const asked = context.assertPeriodOpen(bookedIn(entity.id), unit, date)
  await (fixed === undefined ? asked : dayIsFixed(asked))
  return {
    unit, date, source: { type: entity.id, id: current.id, code: textOf(current, 'code') },
    partner: { partnerKind: 'CUSTOMER', partnerId: numberOf(current, 'customer_id'), territoryId: numberOrNull(current, 'territory_id') },
  }
}

/** What settles another document is booked on its day or later: on the days between, ledger and open items would differ. */
function notBefore(record: Row, settled: { readonly code: string; readonly posting_date: string }): void {
  if (bookingDate(record) >= settled.posting_date) return
  invalid([wrong(bookingField(record), 'TOO_EARLY.order', { day: dayText(settled.posting_date), order: settled.code })])
}

/** Nobody is asked to approve what could not be posted any more. */
async function periodsNotClosed({ tx, record, entity }: TransitionContext): Promise<void> {
  await toldAt(bookingField(record), assertPeriodNotClosed(tx, bookedIn(entity.id), numberOf(record, 'operating_unit_id'), bookingDate(record)))
}

export const creditNoteIsComplete: Precondition = async (context) => {
  const { tx, record } = context
  const value = (column: string): Decimal => textOf(record, column)
  if (record['kind'] === 'BEGBAL') invalid([wrong('Kind', 'NOT_A_CHOICE.opening')])
  if (record['kind'] === 'RETURN') invalid([wrong('Kind', 'NOT_A_CHOICE.return')])
  const negative = (['dpp', 'ppn', 'pph'] as const).find((column) => compare(value(column), '0') < 0)
  if (negative !== undefined) invalid([wrong({ dpp: 'Dpp', ppn: 'Ppn', pph: 'Pph' }[negative], 'NEGATIVE')])
  await accountIsFree(tx, numberOrNull(record, 'account_id'))
  if (!exact(value('dpp')).plus(value('ppn')).minus(value('pph')).eq(value('total')) || compare(value('total'), '0') <= 0) {
    invalid([wrong('Total', 'INVALID.credit-total')])
  }
  if (compare(value('principal_share'), '0') < 0 || compare(value('principal_share'), value('dpp')) > 0) invalid([wrong('PrincipalShare', 'INVALID.principal-share')])
  await periodsNotClosed(context)
  const temporary = numberOrNull(record, 'cn_temporary_id')
  const settled = temporary === null ? undefined : await tx.first<{ code: string; posting_date: string }>(sql`select code, posting_date from cn_temporary where id = ${temporary} and posting_date is not null`)
  if (settled !== undefined) notBefore(record, settled)
  const claim = textOrNull(record, 'claim_no')
  const customer = numberOf(record, 'customer_id')
  const twin = claim === null ? undefined : await tx.exclusive(`claims of customer ${customer}`, () => tx.first<{ code: string }>(sql`
    select coalesce(code, 'DRAFT-' || id) as code from credit_note where customer_id = ${customer} and claim_no = ${claim} and id <> ${record.id} and status in (1, 2, 3, 4) limit 1`))
  if (twin !== undefined) fail('DUPLICATE_DOCUMENT.claim', { claim: String(claim), document: twin.code })
}

/** Accounts kept by documents take no amounts of anybody's choice. */
async function accountIsFree(tx: Queries, id: number | null): Promise<void> {
  const account = id === null ? undefined : await tx.first<{ code: string; is_control: boolean; is_postable: boolean }>(sql`select code, is_control, is_postable from account where id = ${id}`)
  if (account !== undefined && (account.is_control || !account.is_postable)) invalid([wrong('AccountID', 'NOT_A_CHOICE.kept-account', { account: account.code })])
}

const creditNoteEvents = { CLAIM: 'CN_CLAIM', MANUAL: 'CN_MANUAL', RETURN: 'CN_RETURN', CASH_DISCOUNT: 'CN_CASHDISC', BEGBAL: 'OB_CN' } as const satisfies Record<string, PostingEvent>

/** Booked against receivables, or against the temporary credit note it settles. */
export const postCreditNote: Effect = async (context) => {
  const { tx, current } = context
  const { unit, date, source, partner } = await bookingOf(context)
  const total = textOf(current, 'total')
  const temporary = numberOrNull(current, 'cn_temporary_id')
  const account = await arAccountOf(tx, partner.partnerId)
  const kind = creditNoteKind(current)
  context.set({ posting_date: date, period: periodOf(date), remaining: temporary === null ? total : '0.00', ar_account_id: account.id })
  if (temporary !== null) {
    await convertTemporary(context, temporary, total)
    context.endIn(3)
  }
  const dpp = textOf(current, 'dpp')
  const shares: EventAmount[] =
    kind === 'CLAIM' || temporary !== null
      ? [
          { key: 'company', amount: money(exact(dpp).minus(textOf(current, 'principal_share'))), ...partner },
          { key: 'principal', amount: textOf(current, 'principal_share'), ...partner },
        ]
      : [{ ...(await expenseOf(tx, current)), amount: dpp, ...partner }]
  await post(context, {
    event: temporary === null ? creditNoteEvents[kind] : 'TCN_CONVERT', source, operatingUnitId: unit, date, description: `Credit note ${source.code}`,
    amounts: [
      ...shares,
      { key: 'ppn', amount: textOf(current, 'ppn'), ...partner },
      { key: 'pph', amount: textOf(current, 'pph'), ...partner },
      { key: 'total', amount: total, account: account.code, openItemType: temporary === null ? 'credit_note' : 'cn_temporary', openItemId: temporary ?? current.id, ...partner },
    ],
  })
}

function creditNoteKind(record: Row): keyof typeof creditNoteEvents {
  const kind = Object.keys(creditNoteEvents).find((known): known is keyof typeof creditNoteEvents => known === record['kind'])
  if (kind === undefined) throw new Error(`Unknown credit note kind ${String(record['kind'])}`)
  return kind
}

/** The account a credit note names; without one, what the posting rule books as unassigned. */
async function expenseOf(tx: Queries, record: Row): Promise<{ readonly key: string; readonly account?: string }> {
  const id = numberOrNull(record, 'account_id')
  if (id !== null) return { key: 'dpp', account: await accountCode(tx, id) }
  return { key: record['kind'] === 'MANUAL' ? 'unassigned' : 'dpp' }
}

async function convertTemporary(context: TransitionContext, id: number, amount: Decimal): Promise<void> {
  const row = await context.tx.first<Row & { code: string; posting_date: string; status: number; customer_id: number; amount: Decimal; remaining: Decimal; ar_payment_id: number | null }>(sql`
    select code, posting_date, status, customer_id, amount, remaining, ar_payment_id from cn_temporary where id = ${id} for update`)
  if (row === undefined || row.customer_id !== context.current['customer_id'] || (row.status !== 1 && row.status !== 2)) fail('ILLEGAL_TRANSITION.temporary-not-open')
  notBefore(context.record, row)
  const reversing = row.ar_payment_id === null ? undefined : await context.tx.first<{ code: string }>(sql`select code from ar_payment where id = ${row.ar_payment_id} and pending_transition is not null`)
  if (reversing !== undefined) fail('PENDING_TRANSITION.receipt', { receipt: reversing.code })
  if (compare(amount, row.remaining) > 0) fail('EXCEEDS_REMAINING.temporary', { amount: grouped(row.remaining) })
  const remaining = money(exact(row.remaining).minus(amount))
  const status = itemStatus(row.amount, remaining)
  await context.tx.run(sql`update cn_temporary set remaining = ${remaining}, status = ${status}, version = version + 1, updated_at = ${context.now.toISOString()} where id = ${id}`)
  await logStatusChanges(context, 'cn_temporary', 'convert', [{ id, from: row.status, to: status }])
}

export const creditNoteUnused: Precondition = ({ record }) => {
  if (compare(textOf(record, 'remaining'), textOf(record, 'total')) !== 0) fail('ILLEGAL_TRANSITION.credit-note-used')
}

export const reverseCreditNote: Effect = async (context) => {
  await creditNoteUnused(context)
  const { date, source } = await bookingOf(context, context.today)
  context.set({ remaining: '0.00' })
  await reverse(context, { source, event: creditNoteEvents[creditNoteKind(context.record)] }, { source, date, description: `Reversal of credit note ${source.code}` })
}

export const temporaryCreditFits: Precondition = async (context) => {
  const { tx, record } = context
  await periodsNotClosed(context)
  const [invoice] = await lockInvoices(tx, [numberOf(record, 'invoice_id')])
  if (invoice === undefined || invoice.customer_id !== record['customer_id']) invalid([wrong('InvoiceID', 'NOT_IN_SCOPE.invoice')])
  if (invoice.pending_transition !== null) fail('PENDING_TRANSITION.invoice', { invoice: invoice.code })
  notBefore(record, invoice)
  if (compare(textOf(record, 'amount'), invoice.remaining) > 0) {
    fail('EXCEEDS_REMAINING.invoice', { invoice: invoice.code, amount: grouped(invoice.remaining) }, { errors: [wrong('Amount', 'EXCEEDS_REMAINING.most', { limit: grouped(invoice.remaining) })] })
  }
  const least = (await leastOpenSince(tx, bookingDate(record), [invoice.id])).get(invoice.id)
  if (least !== undefined && compare(textOf(record, 'amount'), least.open) > 0) invalid([wrong('Amount', 'EXCEEDS_REMAINING.then', { day: dayText(least.day), open: grouped(least.open) })])
}

/** The claim stands in for the money until its credit note comes: the invoice is settled, the claim is open. */
export const postTemporaryCredit: Effect = async (context) => {
  await temporaryCreditFits(context)
  const { current } = context
  const { unit, date, source, partner } = await bookingOf(context)
  const amount = textOf(current, 'amount')
  const [invoice] = await lockInvoices(context.tx, [numberOf(current, 'invoice_id')])
  context.set({ posting_date: date, period: periodOf(date), remaining: amount })
  const journalId = await post(context, {
    event: 'TCN', source, operatingUnitId: unit, date, description: `Temporary credit note ${source.code}`,
    amounts: [{ key: 'amount', amount, ...(invoice === undefined ? {} : { account: invoice.ar_account }), openItemType: 'invoice', openItemId: numberOf(current, 'invoice_id'), ...partner }],
  })
  await allocate(context, { type: 'cn_temporary', id: current.id, date, journalId }, [{ invoiceId: numberOf(current, 'invoice_id'), sourceType: 'TEMP_CN', sourceId: current.id, amount }])
}

export const reverseTemporaryCredit: Effect = async (context) => {
  const { date, source } = await bookingOf(context, context.today)
  await lockInvoices(context.tx, [numberOf(context.record, 'invoice_id')])
  context.set({ remaining: '0.00' })
  await deallocate(context, { type: 'cn_temporary', id: context.record.id }, date)
  await reverse(context, { source, event: 'TCN' }, { source, date, description: `Reversal of temporary credit note ${source.code}` })
}

export const depositIsComplete: Precondition = async (context) => {
  const { record, today } = context
  if (bookingDate(record) > today) invalid([wrong('DocDate', 'TOO_LATE.payment')])
  if (compare(textOf(record, 'amount'), '0') <= 0) invalid([wrong('Amount', 'REQUIRED.amount')])
  if (record['origin'] !== 'RECEIPT') invalid([wrong('Origin', 'INVALID.origin')])
  await periodsNotClosed(context)
}

export const postDeposit: Effect = async (context) => {
  const { current } = context
  const { unit, date, source, partner } = await bookingOf(context)
  const amount = textOf(current, 'amount')
  context.set({ posting_date: date, period: periodOf(date), remaining: amount })
  const item = { amount, openItemType: 'customer_deposit', openItemId: current.id, ...partner }
  await post(context, {
    event: 'DEP_RECV', source, operatingUnitId: unit, date, description: `Deposit ${source.code}`,
    amounts: [
      { key: current['method'] === 'CASH' ? 'cash' : 'money', ...item },
      { key: 'amount', ...item },
    ],
  })
}

export const depositUnused: Precondition = ({ record }) => {
  if (compare(textOf(record, 'remaining'), textOf(record, 'amount')) !== 0) fail('ILLEGAL_TRANSITION.deposit-partly-used')
  if (record['origin'] !== 'RECEIPT') fail('ILLEGAL_TRANSITION.deposit-of-payment')
  if (record['bank_statement_line_id'] !== null) fail('ILLEGAL_TRANSITION.deposit-confirmed')
}

export const reverseDeposit: Effect = async (context) => {
  await depositUnused(context)
  const { date, source } = await bookingOf(context, context.today)
  context.set({ remaining: '0.00' })
  await reverse(context, { source, event: 'DEP_RECV' }, { source, date, description: `Reversal of deposit ${source.code}` })
}

