import { compare, type Decimal } from '#base/decimal.ts'
import type { Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { accountCode } from '#server/ledger/post.ts'
import { fail } from '#server/problemError.ts'
import { isGiro } from './giro.ts'
import type { Booking, StatementLine } from './statementEffects.ts'

interface ClearedGiro extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly method: string
  readonly amount: Decimal
  readonly customer_id: number
  readonly territory_id: number | null
  readonly house_bank_id: number | null
  readonly bank_statement_line_id: number | null
  readonly pending_transition: string | null
}

/**
 * The bank takes back what it had credited for a giro (D55): the receipt is undone as of any giro that comes back, and the bank's money goes the way it
 * came: from the giros in hand, or from what was on its way where the cashier had cleared it.
 */
export async function returnGiro(context: TransitionContext, line: StatementLine, bank: string): Promise<Booking> {
  const { tx, current } = context
  const giro = await tx.first<ClearedGiro>(sql`
    select id, code, status, method, amount, customer_id, territory_id, house_bank_id, bank_statement_line_id, pending_transition from ar_payment where id = ${line.ar_payment_id}::bigint for update`)
  const isCredited = giro !== undefined && isGiro(giro) && giro.status === 3 && giro.bank_statement_line_id !== null && giro.pending_transition === null
  if (giro === undefined || !isCredited || compare(giro.amount, line.debit) !== 0) return fail('VALIDATION_FAILED.no-returned-giro', { line: line.line_no })
  if (giro.house_bank_id !== current['house_bank_id']) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: giro.code })
  // The account that the line which showed it had emptied.
  const way = await tx.first<{ account_id: number }>(sql`
    select l.account_id from journal j join journal_line l on l.journal_id = j.id join account a on a.id = l.account_id
    where j.source_doc_type = 'bank_statement_line' and j.source_doc_id = ${giro.bank_statement_line_id} and j.reversal_of_id is null and a.code <> ${bank} and l.credit = ${giro.amount} order by j.id, l.line_no limit 1`)
  if (way === undefined) return fail('VALIDATION_FAILED.no-returned-giro', { line: line.line_no })
  await context.transition('ar_payment', giro.id, 'return-by-bank')
  const partner = { partnerKind: 'CUSTOMER', partnerId: giro.customer_id, territoryId: giro.territory_id } as const
  return { event: 'GIRO_RETURN', amounts: [{ key: 'giro', amount: line.debit, account: await accountCode(tx, way.account_id), ...partner }, { key: 'bank', amount: line.debit, account: bank }] }
}
