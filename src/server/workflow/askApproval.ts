import type { ApprovalReason } from '#api/approval.ts'
import { baseOf } from '#domain/ledger/inBooks.ts'
import type { Effect, TransitionContext } from '#server/context.ts'
import { requestApproval as request } from '#server/approval/requestApproval.ts'
import { ident, sql } from '#server/db/sql.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { bookedIn } from './bookedIn.ts'
import { numberOf, textOf, textOrNull } from './newDocument.ts'
import { reasons } from './reasons.ts'
import { assertPeriodNotClosed, dayIsFixed } from './periods.ts'

interface Case {
  /** Amount the matrix measures. */
  readonly amount: string
  readonly reasons: readonly ApprovalReason[]
}

/** Asks for the document's approval; without anybody to ask it is approved at once. */
export const requestApproval: Effect = async (context) => {
  await request(context, await caseOf(context))
}

/** Asks for its reversal; the document stays as it is until that is decided. Whoever asks is told of a closed period, not only whoever decides. */
export const requestReversal: Effect = async (context) => {
  await dayIsFixed(assertPeriodNotClosed(context.tx, bookedIn(context.metadata, context.entity.id), numberOf(context.record, 'operating_unit_id'), context.today))
  const reason = await context.tx.first<{ name: string }>(sql`select name from reason where id = ${context.input['reason_id'] ?? null}::bigint`)
  context.endIn(numberOf(context.record, 'status'))
  if ('reversal_reason_id' in context.record) context.set({ reversal_reason_id: context.input['reason_id'] ?? null })
  const { amount, reasons: why } = await caseOf(context)
  const said = [reason?.name, textOrNull(context.input, 'reason_text'), textOrNull(context.input, 'note')].filter((part) => part != null && part !== '').join(': ')
  await request(context, { amount, reasons: said === '' ? why : [...why, { code: 'REVERSAL', text: said, value: null }], action: 'reverse' })
}

/** What the workflow says of its approval. */
async function caseOf(context: TransitionContext): Promise<Case> {
  const { metadata, entity } = context
  const approval = metadata.workflows[entity.id]?.approval
  if (approval === undefined) throw new Error(`${entity.id} says nothing of its approval`)
  const { measure, reasons: name } = approval
  const asked = Object.entries(reasons).find(([known]) => known === name)?.[1]
  return { amount: await measured(context, measure), reasons: asked === undefined ? [] : await asked(context) }
}

/** The amount without its sign, of the document or of a record it names; limits are in the currency of the books. */
async function measured({ tx, current, entity, metadata }: TransitionContext, measure: string | undefined): Promise<string> {
  if (measure === undefined) return '0'
  const [column = '', beyond] = measure.split('.')
  if (beyond === undefined) return (entity.otherCurrencies !== undefined ? baseOf(textOf(current, column), textOf(current, 'rate')) : textOf(current, column)).replace('-', '')
  const target = fieldMap(entity).get(column)?.entity
  if (target === undefined) throw new Error(`${entity.id}.${column} names no record`)
  const named = knownEntity(metadata, target)
  const worth = named.otherCurrencies !== undefined ? sql`round(${ident(beyond)} * rate, 2)` : ident(beyond)
  const row = await tx.first<{ amount: string | null }>(sql`select ${worth}::text as amount from ${ident(named.table)} where id = ${numberOf(current, column)}`)
  return (row?.amount ?? '0').replace('-', '')
}
