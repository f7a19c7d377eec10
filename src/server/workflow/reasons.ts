import { grouped, isZero } from '#base/decimal.ts'
import type { ApprovalReason } from '#api/approval.ts'
import type { ReasonsName } from '#generated/names.ts'
import type { Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { matchReasons } from '#server/payables/matchInvoice.ts'
import { priceChangeReasons } from '#server/pricing/priceChangeEffects.ts'
import { tell } from '#server/sentences.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from './newDocument.ts'

/** Why approvers are asked, where the document alone does not say; by the names the workflows use. */
export const reasons = {
  claim: ({ current }) => {
    const text = textOrNull(current, 'reason_text')
    return text === null ? [] : [{ code: 'CLAIM', text, value: null }]
  },
  clearingDifference: async ({ tx, current }) => {
    const difference = textOf(current, 'difference')
    const reason = await tx.first<{ name: string }>(sql`select name from reason where id = ${numberOrNull(current, 'diff_reason_id')}::bigint`)
    return isZero(difference) ? [] : [{ code: 'DIFF', ...tell('block.DIFF', { amount: grouped(difference), reason: reason?.name ?? '' }), value: difference }]
  },
  invoiceCancel: async ({ tx, current }) => {
    const invoice = await tx.first<{ code: string }>(sql`select code from invoice where id = ${numberOf(current, 'invoice_id')}`)
    return [{ code: String(current['mode']), ...tell('block.INVOICE', { invoice: invoice?.code ?? '' }), value: null }]
  },
  invoiceMatch: matchReasons,
  orderBlocks: ({ current }) => orderReasons(current),
  priceChange: ({ current }) => priceChangeReasons(current),
  taxInvoiceCancel: async ({ tx, current }) => {
    const faktur = await tx.first<{ code: string; number: string | null }>(sql`select code, faktur_number as number from tax_invoice where id = ${numberOf(current, 'tax_invoice_id')}`)
    return [{ code: 'FAKTUR', ...tell('block.FAKTUR', { number: faktur?.number ?? faktur?.code ?? '', reason: textOf(current, 'reason_text') }), value: null }]
  },
} satisfies Record<ReasonsName, (context: TransitionContext) => readonly ApprovalReason[] | Promise<readonly ApprovalReason[]>>

function orderReasons(order: Row): readonly ApprovalReason[] {
  const snapshot = order['credit_snapshot']
  const blocks: unknown = typeof snapshot === 'object' && snapshot !== null && 'blocks' in snapshot ? snapshot.blocks : []
  return Array.isArray(blocks) ? blocks.filter(isReason) : []
}

function isReason(value: unknown): value is ApprovalReason {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string' && 'text' in value && typeof value.text === 'string'
}
