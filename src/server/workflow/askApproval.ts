import type { ApprovalReason } from '#api/approval.ts'
import type { Effect, Row, TransitionContext } from '#server/context.ts'
import { requestApproval as request } from '#server/approval/requestApproval.ts'
import { priceChangeReasons } from '#server/pricing/priceChangeEffects.ts'
import { sql } from '#server/db/sql.ts'
import { bookedIn } from '#server/receivables/bookedIn.ts'
import { tell } from '#server/sentences.ts'
import { numberOf, textOf, textOrNull } from './newDocument.ts'
import { assertPeriodNotClosed, dayIsFixed } from './periods.ts'

interface Case {
  /** Amount the matrix measures. */
  readonly amount: string
  readonly reasons: readonly ApprovalReason[]
}

/** What each document type tells its approvers. */
const cases: Readonly<Record<string, (context: TransitionContext) => Promise<Case>>> = {
  sales_order: async ({ current }) => ({ amount: textOf(current, 'total'), reasons: orderReasons(current) }),
  invoice_cancel_request: async ({ tx, current }) => {
    const invoice = await tx.first<{ total: string; code: string }>(sql`select total, code from invoice where id = ${numberOf(current, 'invoice_id')}`)
    return { amount: invoice?.total ?? '0', reasons: [{ code: String(current['mode']), ...tell('block.INVOICE', { invoice: invoice?.code ?? '' }), value: null }] }
  },
  tax_invoice_cancel_request: async ({ tx, current }) => {
    const faktur = await tx.first<{ code: string; number: string | null; ppn: string }>(sql`select code, faktur_number as number, ppn from tax_invoice where id = ${numberOf(current, 'tax_invoice_id')}`)
    return { amount: faktur?.ppn ?? '0', reasons: [{ code: 'FAKTUR', ...tell('block.FAKTUR', { number: faktur?.number ?? faktur?.code ?? '', reason: textOf(current, 'reason_text') }), value: null }] }
  },
  ar_payment: async ({ current }) => ({ amount: textOf(current, 'amount'), reasons: [] }),
  credit_note: async ({ current }) => ({ amount: textOf(current, 'total'), reasons: [] }),
  customer_deposit: async ({ current }) => ({ amount: textOf(current, 'amount'), reasons: [] }),
  cn_temporary: async ({ current }) => ({ amount: textOf(current, 'amount'), reasons: claimReasons(current) }),
  price_change: async ({ current }) => ({ amount: '0', reasons: priceChangeReasons(current) }),
  bank_statement: async ({ current }) => ({ amount: textOf(current, 'closing_balance').replace('-', ''), reasons: [] }),
}

/** Asks for the document's approval; without anybody to ask it is approved at once. */
export const requestApproval: Effect = async (context) => {
  await request(context, await caseOf(context))
}

/** Asks for its reversal; the document stays as it is until that is decided. Whoever asks is told of a closed period, not only whoever decides. */
export const requestReversal: Effect = async (context) => {
  await dayIsFixed(assertPeriodNotClosed(context.tx, bookedIn(context.entity.id), numberOf(context.record, 'operating_unit_id'), context.today))
  const reason = await context.tx.first<{ name: string }>(sql`select name from reason where id = ${context.input['reason_id'] ?? null}::bigint`)
  if ('reversal_reason_id' in context.record) context.set({ reversal_reason_id: context.input['reason_id'] ?? null })
  const { amount, reasons } = await caseOf(context)
  const why = [reason?.name, textOrNull(context.input, 'reason_text'), textOrNull(context.input, 'note')].filter((part) => part != null && part !== '').join(': ')
  await request(context, { amount, reasons: why === '' ? reasons : [...reasons, { code: 'REVERSAL', text: why, value: null }], action: 'reverse' })
}

function caseOf(context: TransitionContext): Promise<Case> {
  const facts = cases[context.entity.id]
  if (facts === undefined) throw new Error(`${context.entity.id} says nothing to its approvers`)
  return facts(context)
}

function orderReasons(order: Row): readonly ApprovalReason[] {
  const snapshot = order['credit_snapshot']
  const blocks: unknown = typeof snapshot === 'object' && snapshot !== null && 'blocks' in snapshot ? snapshot.blocks : []
  return Array.isArray(blocks) ? blocks.filter(isReason) : []
}

function isReason(value: unknown): value is ApprovalReason {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string' && 'text' in value && typeof value.text === 'string'
}

function claimReasons(claim: Row): readonly ApprovalReason[] {
  const text = textOrNull(claim, 'reason_text')
  return text === null ? [] : [{ code: 'CLAIM', text, value: null }]
}
