import { compare, type Decimal, exact, grouped, money } from '#base/decimal.ts'
import { dayText } from '#base/date.ts'
import { itemStatus } from '#domain/receivables/itemStatus.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { reverse as unbook } from '#server/ledger/post.ts'
import { post, reverse } from '#server/workflow/bookDocument.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { financeSettings } from '#server/settings.ts'
import { logStatusChanges, numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { periodNotClosed } from '#server/workflow/periodNotClosed.ts'
import { dayIsFixed } from '#server/workflow/periods.ts'
import { bookingDate, bookingField } from '#server/workflow/bookingDate.ts'
import { bookedIn } from '#server/workflow/bookedIn.ts'

/** Receivables account of a customer's credit items: the one his invoices go to. */
export async function arAccountOf(tx: Queries, customerId: number): Promise<{ readonly id: number; readonly code: string }> {
  const row = await tx.first<{ operating_unit_id: number; is_collector: boolean }>(sql`
    select c.operating_unit_id, k.is_government or c.wapu_kind <> 'NONE' as is_collector from customer c join customer_category k on k.id = c.customer_category_id where c.id = ${customerId}`)
  if (row === undefined) throw new Error(`Customer ${customerId} has no receivables account`)
  const finance = await financeSettings(tx, row.operating_unit_id)
  return row.is_collector ? { id: finance.collector_account_id, code: finance.collector_account } : { id: finance.receivable_account_id, code: finance.receivable_account }
}

/** What settles another document is booked on its day or later: on the days between, ledger and open items would differ. */
function notBefore(record: Row, settled: { readonly code: string; readonly posting_date: string }): void {
  if (bookingDate(record) >= settled.posting_date) return
  invalid([wrong(bookingField(record), 'TOO_EARLY.order', { day: dayText(settled.posting_date), order: settled.code })])
}

export const creditNoteIsComplete: Precondition = async (context) => {
  const { tx, record } = context
  const value = (column: string): Decimal => textOf(record, column)
  if (record['kind'] === 'BEGBAL') invalid([wrong('Kind', 'NOT_A_CHOICE.opening')])
  if (record['kind'] === 'RETURN') invalid([wrong('Kind', 'NOT_A_CHOICE.return')])
  const negative = (['dpp', 'ppn'] as const).find((column) => compare(value(column), '0') < 0)
  if (negative !== undefined) invalid([wrong({ dpp: 'Dpp', ppn: 'Ppn' }[negative], 'NEGATIVE')])
  await accountIsFree(tx, numberOrNull(record, 'account_id'))
  if (!exact(value('dpp')).plus(value('ppn')).minus(value('pph')).eq(value('total')) || compare(value('total'), '0') <= 0) {
    invalid([wrong('Total', 'INVALID.credit-total')])
  }
  await periodNotClosed(context)
  const temporary = numberOrNull(record, 'cn_temporary_id')
  const settled = temporary === null ? undefined : await tx.first<{ code: string; posting_date: string }>(sql`select code, posting_date from cn_temporary where id = ${temporary} and posting_date is not null`)
  if (settled !== undefined) notBefore(record, settled)
  const claim = textOrNull(record, 'claim_no')
  const customer = numberOf(record, 'customer_id')
  const twin = claim === null ? undefined : await tx.exclusive(`claims of customer ${customer}`, () => tx.first<{ code: string }>(sql`
    select coalesce(code, 'DRAFT-' || id) as code from credit_note where customer_id = ${customer} and lower(claim_no) = lower(${claim}) and id <> ${record.id} and status in (1, 2, 3, 4) limit 1`))
  if (twin !== undefined) fail('DUPLICATE_DOCUMENT.claim', { claim: String(claim), document: twin.code })
}

/** Accounts kept by documents take no amounts of anybody's choice. */
async function accountIsFree(tx: Queries, id: number | null): Promise<void> {
  const account = id === null ? undefined : await tx.first<{ code: string; is_control: boolean; is_postable: boolean }>(sql`select code, is_control, is_postable from account where id = ${id}`)
  if (account !== undefined && (account.is_control || !account.is_postable)) invalid([wrong('AccountID', 'NOT_A_CHOICE.kept-account', { account: account.code })])
}

/** Booked against receivables, or against the temporary credit note it settles: then nothing of it is open (D10). */
export const postCreditNote: Effect = async (context) => {
  const { tx, current } = context
  const temporary = numberOrNull(current, 'cn_temporary_id')
  const account = await arAccountOf(tx, numberOf(current, 'customer_id'))
  context.set({ ar_account_id: account.id, ppn_pending: current['kind'] === 'RETURN' && compare(textOf(current, 'ppn'), '0') > 0 })
  if (temporary !== null) await convertTemporary(context, temporary, textOf(current, 'total'))
  await post(context)
  if (temporary === null) return
  context.set({ remaining: '0.00' })
  context.endIn(3)
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
  if (context.record['kind'] === 'BEGBAL') return reverseOpening(context)
  await reverse(context)
}

/** Booked by the opening balance it came with. */
async function reverseOpening(context: TransitionContext): Promise<void> {
  const { current, entity, metadata, today } = context
  await dayIsFixed(context.assertPeriodOpen(bookedIn(metadata, entity.id), numberOf(current, 'operating_unit_id'), today))
  const source = { type: entity.id, id: current.id, code: textOf(current, 'code') }
  context.set({ remaining: '0.00' })
  await unbook(context, { source, event: 'OB_CN' }, { source, date: today, description: `Reversal of credit note ${source.code}` })
}

/** The buyer's nota retur: its number stands on one credit note of his, and it is not older than what it corrects nor dated ahead (D8). */
export const taxReturnIsNew: Precondition = async ({ tx, current, record, today }) => {
  const day = textOf(current, 'nota_retur_date')
  const posted = textOrNull(record, 'posting_date')
  if (day > today) invalid([wrong('NotaReturDate', 'TOO_LATE.payment')])
  if (posted !== null && day < posted) invalid([wrong('NotaReturDate', 'TOO_EARLY.order', { day: dayText(posted), order: textOf(record, 'code') })])
  const number = textOf(current, 'nota_retur_number')
  const customer = numberOf(record, 'customer_id')
  const twin = await tx.exclusive(`tax returns of customer ${customer}`, () => tx.first<{ code: string }>(sql`
    select code from credit_note where customer_id = ${customer} and lower(nota_retur_number) = lower(${number}) and id <> ${record.id} and status in (1, 2, 3) limit 1`))
  if (twin !== undefined) fail('DUPLICATE_DOCUMENT.tax-return', { number, document: twin.code }, { errors: [wrong('NotaReturNumber', 'DUPLICATE')] })
}

/** The VAT waits for no paper any more. */
export const taxReturned: Effect = async (context) => {
  const { nota_retur_number: number, nota_retur_date: day } = context.current
  context.set({ ppn_pending: false })
  await context.tx.run(sql`update sales_return set nota_retur_number = ${number}, nota_retur_date = ${day}::date, ppn_pending = false where credit_note_id = ${context.current.id}`)
}
