import { nothingRecovered } from '#server/receivables/recoveries.ts'
import type { PreconditionName } from '#generated/names.ts'
import type { Precondition } from '#server/context.ts'
import { restMayBeClosed } from '#server/billing/closeRest.ts'
import { invoiceMayBeUndone } from '#server/billing/invoiceEffects.ts'
import { taxInvoiceMayBeCancelled, taxInvoiceUnsent } from '#server/tax/taxInvoices.ts'
import { containerIsFilled } from '#server/inventory/containers.ts'
import { goodsIssueIsUnbilled, planIsDelivered, planIsIssued, planNotIssued } from '#server/inventory/deliveryEffects.ts'
import { returnedStillOpen } from '#server/inventory/goodsReturned.ts'
import { openingBalanceIsUntouched } from '#server/ledger/openingBalances.ts'
import { priceChangeIsAhead } from '#server/pricing/priceChangeEffects.ts'
import { promotionComplete } from '#server/pricing/promotionEffects.ts'
import { cashIsThere } from '#server/receivables/cashBank.ts'
import { paymentsMayBeDeposited } from '#server/receivables/cashDeposit.ts'
import { clearingUnconfirmed, clearingWithinTolerance, unidentifiedIsThere } from '#server/receivables/clearing.ts'
import { collectionIsDone, invoicesUncollected } from '#server/receivables/collection.ts'
import { invoicesAreFree, ttfIsNew } from '#server/receivables/exchange.ts'
import { countWithinTolerance, differenceIsExplained, handedOverCashIsThere, paymentsInField, tripIsDelivered } from '#server/receivables/handover.ts'
import { withholdingFits } from '#server/receivables/withholding.ts'
import { refundMayReturn } from '#server/payables/depositRefund.ts'
import { comesAlone } from '#server/payables/postOffsets.ts'
import { landedGoodsAreNamed } from '#server/payables/landedCost.ts'
import { proposalFits } from '#server/payables/proposal.ts'
import { advanceStaysTaxed } from '#server/receivables/depositVat.ts'
import { creditNoteIsComplete, creditNoteUnused, taxReturnIsNew } from '#server/receivables/creditEffects.ts'
import { settlementIsNext } from '#server/billing/consignmentSales.ts'
import { shipmentCostIsNew } from '#server/payables/shipmentCost.ts'
import { vendorNumberIsFree } from '#server/payables/vendorInvoice.ts'
import { paymentIsUnconfirmed } from '#server/receivables/giro.ts'
import { paymentIsNoClearing, paymentMayBeReversed, paymentNeedsNoApproval } from '#server/receivables/paymentEffects.ts'
import { podAddsUp, podIsFree } from '#server/receivables/pod.ts'
import { returnCreditUnused, returnIsComplete } from '#server/receivables/salesReturn.ts'
import { statementIsComplete, statementIsLast, statementIsNew, statementNumberIsFree } from '#server/receivables/statementEffects.ts'
import { contractHasNoOpenCall } from '#server/sales/contractCalls.ts'
import { customerNotBlocked, orderHasNoOpenDelivery } from '#server/sales/orderEffects.ts'
import { pendingRows } from '#server/db/pendingRows.ts'
import { ident, sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { countIsWhole } from '#server/inventory/stockCount.ts'
import { reservationFits } from '#server/inventory/manualReservation.ts'
import { vanIsBack } from '#server/inventory/canvas.ts'
import { onlyPlanOfMonth } from '#server/sales/visitPlans.ts'
import { claimIsEarned } from '#server/receivables/promotionClaim.ts'
import { goodsAreThere } from '#server/inventory/moveGoods.ts'
import { adjustsWithinTaken } from './adjustItem.ts'
import { consumesWhatIsOpen } from './consume.ts'
import { madeIsUnused } from './make.ts'
import { itemIsFree } from './heldItems.ts'
import { periodNotClosed } from './periodNotClosed.ts'
import { settledIsUnused } from './openItems.ts'
import { settlesWhatIsOpen } from './settle.ts'

const hasLines: Precondition = async ({ tx, entity, record }) => {
  const [lines] = entity.lines
  if (lines === undefined) throw new Error(`${entity.id} has no lines`)
  if (pendingRows(tx, lines.entity).some((row) => row[`${entity.id}_id`] === record.id)) return
  const found = await tx.first(sql`select 1 from ${ident(lines.entity)} where ${ident(`${entity.id}_id`)} = ${record.id} limit 1`)
  if (found === undefined) invalid([wrong(lines.wire, 'REQUIRED.lines')])
}

/** What the workflows ask before a document moves, by the name the schemas use. */
export const preconditions = {
  advanceStaysTaxed,
  taxInvoiceUnsent,
  nothingRecovered,
  adjustsWithinTaken,
  cashIsThere,
  containerIsFilled,
  clearingUnconfirmed,
  clearingWithinTolerance,
  contractHasNoOpenCall,
  countWithinTolerance,
  creditNoteIsComplete,
  creditNoteUnused,
  taxReturnIsNew,
  customerNotBlocked,
  differenceIsExplained,
  goodsIssueIsUnbilled,
  handedOverCashIsThere,
  hasLines,
  landedGoodsAreNamed,
  promotionComplete,
  comesAlone,
  consumesWhatIsOpen,
  countIsWhole,
  claimIsEarned,
  goodsAreThere,
  reservationFits,
  vanIsBack,
  itemIsFree,
  madeIsUnused,
  onlyPlanOfMonth,
  periodNotClosed,
  settledIsUnused,
  settlementIsNext,
  shipmentCostIsNew,
  settlesWhatIsOpen,
  invoiceMayBeUndone,
  invoicesAreFree,
  invoicesUncollected,
  collectionIsDone,
  restMayBeClosed,
  returnCreditUnused,
  returnIsComplete,
  returnedStillOpen,
  taxInvoiceMayBeCancelled,
  tripIsDelivered,
  ttfIsNew,
  unidentifiedIsThere,
  withholdingFits,
  openingBalanceIsUntouched,
  orderHasNoOpenDelivery,
  paymentIsUnconfirmed,
  paymentIsNoClearing,
  paymentMayBeReversed,
  paymentNeedsNoApproval,
  paymentsInField,
  paymentsMayBeDeposited,
  planIsDelivered,
  planIsIssued,
  planNotIssued,
  podAddsUp,
  podIsFree,
  priceChangeIsAhead,
  refundMayReturn,
  proposalFits,
  statementIsComplete,
  statementIsLast,
  statementIsNew,
  statementNumberIsFree,
  vendorNumberIsFree,
} satisfies Record<PreconditionName, Precondition>
