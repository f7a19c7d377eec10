import type { PreconditionName } from '#generated/names.ts'
import type { Precondition } from '#server/context.ts'
import { invoiceMayBeUndone } from '#server/billing/invoiceEffects.ts'
import { taxInvoiceMayBeCancelled } from '#server/tax/taxInvoices.ts'
import { goodsIssueIsUnbilled, planIsDelivered, planIsIssued, planNotIssued } from '#server/inventory/deliveryEffects.ts'
import { openingBalanceIsUntouched } from '#server/ledger/openingBalances.ts'
import { priceChangeIsAhead } from '#server/pricing/priceChangeEffects.ts'
import { creditNoteIsComplete, creditNoteUnused, depositIsComplete, depositUnused, temporaryCreditFits } from '#server/receivables/creditEffects.ts'
import { paymentIsUnconfirmed } from '#server/receivables/giro.ts'
import { paymentMayBeReversed, paymentNeedsNoApproval } from '#server/receivables/paymentEffects.ts'
import { statementIsComplete, statementIsLast, statementIsNew, statementNumberIsFree } from '#server/receivables/statementEffects.ts'
import { customerNotBlocked, orderHasNoOpenDelivery } from '#server/sales/orderEffects.ts'
import { pendingRows } from '#server/db/pendingRows.ts'
import { ident, sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'

const hasLines: Precondition = async ({ tx, entity, record }) => {
  const [lines] = entity.lines
  if (lines === undefined) throw new Error(`${entity.id} has no lines`)
  if (pendingRows(tx, lines.entity).some((row) => row[`${entity.id}_id`] === record.id)) return
  const found = await tx.first(sql`select 1 from ${ident(lines.entity)} where ${ident(`${entity.id}_id`)} = ${record.id} limit 1`)
  if (found === undefined) invalid([wrong(lines.wire, 'REQUIRED.lines')])
}

/** What the workflows ask before a document moves, by the name the schemas use. */
export const preconditions = {
  creditNoteIsComplete,
  creditNoteUnused,
  customerNotBlocked,
  depositIsComplete,
  depositUnused,
  goodsIssueIsUnbilled,
  hasLines,
  invoiceMayBeUndone,
  taxInvoiceMayBeCancelled,
  openingBalanceIsUntouched,
  orderHasNoOpenDelivery,
  paymentIsUnconfirmed,
  paymentMayBeReversed,
  paymentNeedsNoApproval,
  planIsDelivered,
  planIsIssued,
  planNotIssued,
  priceChangeIsAhead,
  statementIsComplete,
  statementIsLast,
  statementIsNew,
  statementNumberIsFree,
  temporaryCreditFits,
} satisfies Record<PreconditionName, Precondition>
