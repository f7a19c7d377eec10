import { compare, grouped, isZero, type Decimal } from '#base/decimal.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import type { CommandContext, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { logStatusChanges } from '#server/workflow/newDocument.ts'
import { confirmSlipPayments, unconfirmSlipPayments } from './cashDeposit.ts'

/** A line of a statement, as far as slips and cash documents go. */
interface ShownLine {
  readonly id: number
  readonly line_no: number
  readonly debit: Decimal
  readonly credit: Decimal
  readonly cash_deposit_id: number | null
  readonly cash_bank_document_id: number | null
}

/** The bank shows what was carried there: the slip is closed. */
export async function confirmSlip(context: TransitionContext, line: ShownLine, bank: string): Promise<readonly EventAmount[]> {
  const { tx, current, now, user } = context
  const slip = await tx.first<Row & { id: number; code: string; status: number; pending_transition: string | null; house_bank_id: number; expected: Decimal }>(sql`
    select id, code, status, pending_transition, house_bank_id, expected from cash_deposit where id = ${line.cash_deposit_id}::bigint for update`)
  if (slip === undefined) return fail('VALIDATION_FAILED.no-slip', { line: line.line_no })
  if (slip.status !== 1 || slip.pending_transition !== null) fail('ILLEGAL_TRANSITION.payment-unconfirmable', { line: line.line_no, payment: slip.code })
  if (slip.house_bank_id !== current['house_bank_id']) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: slip.code })
  assertSame(line, slip.code, slip.expected, line.credit)
  await tx.run(sql`update cash_deposit set status = 3, bank_statement_line_id = ${line.id}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${slip.id}`)
  await logStatusChanges(context, 'cash_deposit', 'reconcile', [{ id: slip.id, from: 1, to: 3 }])
  await confirmSlipPayments(context, slip.id, line.id)
  return [{ key: 'bank', amount: line.credit, account: bank }]
}

function assertSame(line: ShownLine, code: string, expected: Decimal, shown: Decimal): void {
  if (compare(expected, shown) !== 0) fail('VALIDATION_FAILED.bank-difference', { line: line.line_no, bank: grouped(shown), payment: code, amount: grouped(expected), most: '0.00' })
}

/** The bank shows one side of a cash and bank document; once all its bank sides are shown it is closed. */
export async function confirmCashBank(context: TransitionContext, line: ShownLine, bank: string): Promise<readonly EventAmount[]> {
  const { tx, current, now, user } = context
  const isIn = !isZero(line.credit)
  const document = await tx.first<Row & { id: number; code: string; kind: string; status: number; pending_transition: string | null; amount: Decimal }>(sql`
    select id, code, kind, status, pending_transition, amount, from_house_bank_id, to_house_bank_id, from_statement_line_id, to_statement_line_id from cash_bank_document where id = ${line.cash_bank_document_id}::bigint for update`)
  if (document === undefined) return fail('VALIDATION_FAILED.no-cash-document', { line: line.line_no })
  const [here, other] = isIn ? (['to', 'from'] as const) : (['from', 'to'] as const)
  if (document.status !== 1 || document.pending_transition !== null || document[`${here}_statement_line_id`] !== null) fail('ILLEGAL_TRANSITION.payment-unconfirmable', { line: line.line_no, payment: document.code })
  if (document[`${here}_house_bank_id`] !== current['house_bank_id']) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: document.code })
  assertSame(line, document.code, document.amount, isIn ? line.credit : line.debit)
  const isWhole = document[`${other}_house_bank_id`] === null || document[`${other}_statement_line_id`] !== null
  await tx.run(sql`
    update cash_bank_document set ${isIn ? sql`to_statement_line_id` : sql`from_statement_line_id`} = ${line.id}, status = ${isWhole ? 3 : 1}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    where id = ${document.id}`)
  await logStatusChanges(context, 'cash_bank_document', 'reconcile', [{ id: document.id, from: 1, to: isWhole ? 3 : 1 }])
  if (!isIn) return [{ key: 'bank_out', amount: line.debit, account: bank }, { key: 'paid_out', amount: line.debit }]
  const key = document.kind === 'TRANSFER' || document.kind === 'PETTY_REFILL' ? 'moved' : 'received'
  return [{ key: 'bank_in', amount: line.credit, account: bank }, { key, amount: line.credit }]
}

/** The statement is undone: what its lines confirmed is on its way again. */
export async function unconfirmCash(context: CommandContext, lineIds: readonly number[]): Promise<void> {
  const { tx, now, user } = context
  const ids = [...lineIds]
  const stamp = sql`version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}`
  const slips = await tx.rows<{ id: number }>(sql`update cash_deposit set status = 1, bank_statement_line_id = null, ${stamp} where bank_statement_line_id = any(${ids}::bigint[]) returning id`)
  await logStatusChanges(context, 'cash_deposit', 'unreconcile', slips.map(({ id }) => ({ id, from: 3, to: 1 })))
  await unconfirmSlipPayments(context, slips.map(({ id }) => id))
  const documents = await tx.rows<{ id: number; before: number }>(sql`
    update cash_bank_document d set status = 1, from_statement_line_id = case when from_statement_line_id = any(${ids}::bigint[]) then null else from_statement_line_id end,
      to_statement_line_id = case when to_statement_line_id = any(${ids}::bigint[]) then null else to_statement_line_id end, version = d.version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    from (select id, status as before from cash_bank_document where from_statement_line_id = any(${ids}::bigint[]) or to_statement_line_id = any(${ids}::bigint[]) for update) x
    where d.id = x.id returning d.id, x.before`)
  await logStatusChanges(context, 'cash_bank_document', 'unreconcile', documents.map(({ id, before }) => ({ id, from: before, to: 1 })))
}
