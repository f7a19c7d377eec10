import { compare, exact, grouped, isZero, money, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { CommandContext, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, wrong } from '#server/problemError.ts'
import { toleranceIn } from '#server/settings.ts'
import { logStatusChanges, numberOf } from '#server/workflow/newDocument.ts'

/** A line of a statement that is money of several receipts, or only a part of one. */
interface PartedLine {
  readonly id: number
  readonly line_no: number
  readonly credit: Decimal
}

interface Part extends Row {
  readonly id: number
  readonly at: number
  readonly statement_line: number
  readonly ar_payment_id: number
  readonly amount: Decimal
}

interface Receipt extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly method: string
  readonly amount: Decimal
  readonly bank_confirmed: Decimal
  readonly rate: Decimal
  readonly customer_id: number
  readonly territory_id: number | null
  readonly house_bank_id: number | null
  readonly bank_statement_line_id: number | null
  readonly pending_transition: string | null
}

/** Parts of a statement in their order, or those of one of its lines; `at`: place among all. */
function partsOf(tx: Queries, statementId: number, line?: number): Promise<Part[]> {
  return tx.rows<Part>(sql`
    select * from (select id, (row_number() over (order by line_no, id) - 1)::int as at, statement_line, ar_payment_id, amount from bank_statement_part where bank_statement_id = ${statementId}) p
    where ${line ?? null}::int is null or statement_line = ${line ?? null}::int order by at`)
}

/** Parts that no line has, lines that have none, receipts twice at a line, and more than a line shows. */
export async function partProblems(tx: Queries, statementId: number, lines: readonly (PartedLine & { readonly match_type: string })[]): Promise<FieldProblem[]> {
  const parts = await partsOf(tx, statementId)
  const parted = new Map(lines.flatMap((line) => (line.match_type === 'PARTS' ? [[line.line_no, line] as const] : [])))
  const seen = new Map<number, { taken: Exact; readonly receipts: Set<number> }>()
  const problems = parts.flatMap((part): readonly FieldProblem[] => {
    const line = parted.get(part.statement_line)
    if (line === undefined) return [wrong(`BankStatementPart[${part.at}].StatementLine`, 'NOT_A_CHOICE.parted-line')]
    const own = seen.get(part.statement_line) ?? { taken: zero, receipts: new Set<number>() }
    seen.set(part.statement_line, own)
    const left = exact(line.credit).minus(own.taken)
    own.taken = own.taken.plus(part.amount)
    if (own.receipts.has(part.ar_payment_id)) return [wrong(`BankStatementPart[${part.at}].ArPaymentID`, 'DUPLICATE.line')]
    own.receipts.add(part.ar_payment_id)
    return left.lt(part.amount) ? [wrong(`BankStatementPart[${part.at}].Amount`, 'EXCEEDS_REMAINING.most', { limit: grouped(money(left)) })] : []
  })
  const bare = [...parted.keys()].find((no) => !seen.has(no))
  const at = lines.findIndex((line) => line.line_no === bare)
  return bare === undefined ? problems : [...problems, wrong(`Lines[${at}].MatchType`, 'REQUIRED.match')]
}

/**
 * Money of several receipts, or a part of one, is there. A receipt is confirmed once all of it has come, or all but what the bank may keep; until then the
 * rest of it stays on its way.
 */
export async function confirmParts(context: TransitionContext, line: PartedLine, bank: string): Promise<readonly EventAmount[]> {
  const { tx, current, now, user } = context
  const unit = numberOf(current, 'operating_unit_id')
  const parts = await partsOf(tx, current.id, line.line_no)
  const receipts = new Map((await tx.rows<Receipt>(sql`
    select id, code, status, method, amount, bank_confirmed, rate, customer_id, territory_id, house_bank_id, bank_statement_line_id, pending_transition
    from ar_payment where id = any(${parts.map((part) => part.ar_payment_id)}::bigint[]) order by id for update`)).map((receipt) => [receipt.id, receipt]))
  const over = exact(line.credit).minus(sum(parts.map((part) => part.amount)))
  const most = await toleranceIn(tx, 'BANK_MATCH', unit, line.credit, '1')
  if (over.lt(0) || over.gt(most)) fail('VALIDATION_FAILED.parts-difference', { line: line.line_no, bank: grouped(line.credit), amount: grouped(money(sum(parts.map((part) => part.amount)))), most: grouped(most) })
  const amounts: EventAmount[] = [{ key: 'bank', amount: line.credit, account: bank }]
  const closed: { id: number; from: number; to: number }[] = []
  for (const part of parts) {
    const receipt = receipts.get(part.ar_payment_id)
    if (receipt === undefined || !['TRANSFER', 'VA'].includes(receipt.method)) return fail('VALIDATION_FAILED.no-transfer', { line: line.line_no })
    if (receipt.status !== 1 || receipt.bank_statement_line_id !== null || receipt.pending_transition !== null) fail('ILLEGAL_TRANSITION.payment-unconfirmable', { line: line.line_no, payment: receipt.code })
    if (receipt.house_bank_id !== current['house_bank_id']) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: receipt.code })
    const left = exact(receipt.amount).minus(receipt.bank_confirmed)
    if (compare(part.amount, money(left)) > 0) fail('EXCEEDS_REMAINING.part', { line: line.line_no, payment: receipt.code, limit: grouped(money(left)) })
    const rest = left.minus(part.amount)
    const isDone = !rest.gt(await toleranceIn(tx, 'BANK_MATCH', unit, receipt.amount, receipt.rate))
    const short = isDone ? money(rest) : '0.00'
    await tx.run(sql`update bank_statement_part set short = ${short} where id = ${part.id}`)
    await tx.run(sql`
      update ar_payment set bank_confirmed = bank_confirmed + ${part.amount}::numeric, status = ${isDone ? 3 : 1}, bank_statement_line_id = ${isDone ? line.id : null}::bigint, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${receipt.id}`)
    if (isDone) closed.push({ id: receipt.id, from: 1, to: 3 })
    const partner = { partnerKind: 'CUSTOMER', partnerId: receipt.customer_id, territoryId: receipt.territory_id } as const
    amounts.push({ key: 'payment', amount: money(exact(part.amount).plus(short)), ...partner }, ...(isZero(short) ? [] : [{ key: 'short' as const, amount: short, ...partner }]))
  }
  if (over.gt(0)) amounts.push({ key: 'over', amount: money(over) })
  await tx.run(sql`update bank_statement_line set diff_amount = ${money(over.minus(sum(amounts.flatMap((one) => (one.key === 'short' ? [one.amount] : [])))))} where id = ${line.id}`)
  await logStatusChanges(context, 'ar_payment', 'reconcile', closed)
  return amounts
}

/** The statement is undone: what it showed of receipts is on its way again. Those it confirmed whole are opened with all others of the statement. */
export async function unconfirmParts({ tx, now, user }: CommandContext, statementId: number): Promise<void> {
  await tx.run(sql`select id from ar_payment where id in (select ar_payment_id from bank_statement_part where bank_statement_id = ${statementId}) order by id for update`)
  await tx.run(sql`
    update ar_payment p set bank_confirmed = p.bank_confirmed - x.amount, version = p.version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    from (select ar_payment_id, sum(amount) as amount from bank_statement_part where bank_statement_id = ${statementId} group by 1) x where p.id = x.ar_payment_id`)
  await tx.run(sql`update bank_statement_part set short = 0 where bank_statement_id = ${statementId}`)
}
