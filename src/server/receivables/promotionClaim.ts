import { dayText } from '#base/date.ts'
import { exact, grouped, money, sum } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Precondition, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOrNull, textOrNull } from '#server/workflow/newDocument.ts'
import { claimEntitlement } from './claimEntitlement.ts'

/** A claim of what a promotion promises: its base follows from its lines, and it is held to what the customer has earned. */
export async function claimOfPromotion({ context, before, header, lines, problem }: Saving): Promise<void> {
  const { tx, source } = context
  const row: Row = { ...before, ...header }
  const own = lines?.['Lines'] ?? []
  for (const { columns } of own) if (columns['item_id'] == null && columns['description'] == null) columns['description'] = textOrNull(row, 'claim_no')
  if (source === 'IMPORT' && own.length > 0) {
    header['dpp'] = money(sum(own.map(({ columns }) => exact(String(columns['amount'] ?? '0')))))
    row['dpp'] = header['dpp']
    for (const found of await ofTheFile(tx, row)) problem(found)
    await invoicesOf(tx, row, own.map(({ columns }) => numberOrNull(columns, 'invoice_id')), problem)
  }
  if (numberOrNull(row, 'promotion_id') === null) return
  // What a file claims is judged row by row before anything is made; what is entered may stay unfinished until it is submitted.
  if (source === 'IMPORT') for (const found of await claimProblems(tx, { ...row, id: before?.id ?? 0 })) problem(found)
}

async function ofTheFile(tx: Queries, row: Row): Promise<FieldProblem[]> {
  const [customer, claim] = [numberOrNull(row, 'customer_id'), textOrNull(row, 'claim_no')]
  if (customer === null || claim === null) return []
  const twin = await tx.first<{ code: string }>(sql`
    select coalesce(code, 'DRAFT-' || id) as code from credit_note where customer_id = ${customer} and lower(claim_no) = lower(${claim}) and status in (0, 1, 2, 3, 4) limit 1`)
  return twin === undefined ? [] : [wrong('ClaimNo', 'DUPLICATE.claim', { document: twin.code })]
}

async function invoicesOf(tx: Queries, row: Row, ids: readonly (number | null)[], problem: (found: FieldProblem) => void): Promise<void> {
  const named = ids.filter((id) => id !== null)
  if (named.length === 0) return
  const own = new Set((await tx.rows<{ id: number }>(sql`select id from invoice where id = any(${named}::bigint[]) and customer_id = ${numberOrNull(row, 'customer_id')}::bigint`)).map(({ id }) => id))
  for (const [i, id] of ids.entries()) if (id !== null && !own.has(id)) problem(wrong(`Lines[${i}].InvoiceID`, 'NOT_IN_SCOPE.invoice'))
}

async function claimProblems(tx: Queries, row: Row & { readonly id: number }): Promise<FieldProblem[]> {
  const [promotionId, customerId, unitId] = [numberOrNull(row, 'promotion_id'), numberOrNull(row, 'customer_id'), numberOrNull(row, 'operating_unit_id')]
  if (promotionId === null || customerId === null || unitId === null) return []
  const period = textOrNull(row, 'claim_period')
  if (period === null) return [wrong('ClaimPeriod', 'REQUIRED')]
  const found = await claimEntitlement(tx, { promotionId, customerId, period, unitId, noteId: row.id })
  if (!found.isOpen) return found.why === 'period' ? [wrong('ClaimPeriod', 'NOT_A_CHOICE.claim-period')] : [wrong('PromotionID', found.why === 'customer' ? 'NOT_A_CHOICE.claim-customer' : 'NOT_A_CHOICE.claim-promotion')]
  const problems: FieldProblem[] = []
  if (exact(String(row['dpp'] ?? '0')).gt(found.left)) problems.push(wrong('Dpp', 'EXCEEDS_AVAILABLE.entitlement', { promotion: found.code, left: grouped(found.left) }))
  const day = textOrNull(row, 'claim_date')
  if (found.deadline !== null && day !== null && day > found.deadline) problems.push(wrong('ClaimDate', 'TOO_LATE.claim', { day: dayText(found.deadline) }))
  return problems
}

/** What is claimed of a promotion has been earned by what was invoiced. */
export const claimIsEarned: Precondition = async ({ tx, record }) => {
  const problems = await claimProblems(tx, record)
  if (problems.length > 0) invalid(problems)
}
