import type { EffectName } from '#generated/names.ts'
import { withdrawApproval } from '#server/approval/requestApproval.ts'
import { awaitBuyerConsent } from '#server/tax/taxInvoices.ts'
import { cancelInvoice, freeInvoice, holdInvoice, postInvoice, reverseInvoice, undoInvoice } from '#server/billing/invoiceEffects.ts'
import type { Effect } from '#server/context.ts'
import { blockCustomer, unblockCustomer } from '#server/credit/blockCustomer.ts'
import { cancelDelivery, cancelGoodsIssue, cancelPlan, confirmDelivery, correctPicking, issueDelivery, pickDelivery, postGoodsIssue, releasePlan, undoReceipt } from '#server/inventory/deliveryEffects.ts'
import { postOpeningBalance, reverseOpeningBalance } from '#server/ledger/openingBalances.ts'
import { applyPriceChange, comparePricesAgain as comparePrices, undoPriceChange } from '#server/pricing/priceChangeEffects.ts'
import { postCreditNote, postDeposit, postTemporaryCredit, reverseCreditNote, reverseDeposit, reverseTemporaryCredit } from '#server/receivables/creditEffects.ts'
import { bounceGiro, clearGiro } from '#server/receivables/giro.ts'
import { checkPayment, postPayment, reversePayment } from '#server/receivables/paymentEffects.ts'
import { postStatement, reverseStatement } from '#server/receivables/statementEffects.ts'
import { cancelOrderRest, checkCreditAgain, checkOrder, repriceOrder, reserveOrder, returnOrderToEntry } from '#server/sales/orderEffects.ts'
import { requestApproval, requestReversal } from './askApproval.ts'

/** What moving a document brings about, by the name the schemas use. */
export const effects = {
  applyPriceChange,
  blockCustomer,
  bounceGiro,
  cancelDelivery,
  cancelGoodsIssue,
  cancelInvoice,
  cancelOrderRest,
  cancelPlan,
  checkCreditAgain,
  checkOrder,
  checkPayment,
  clearGiro,
  comparePrices,
  confirmDelivery,
  freeInvoice,
  holdInvoice,
  issueDelivery,
  pickDelivery,
  correctPicking,
  postCreditNote,
  postDeposit,
  postGoodsIssue,
  postInvoice,
  postOpeningBalance,
  postPayment,
  postStatement,
  postTemporaryCredit,
  releasePlan,
  repriceOrder,
  requestApproval,
  requestReversal,
  reserveOrder,
  returnOrderToEntry,
  reverseCreditNote,
  reverseDeposit,
  reverseInvoice,
  reverseOpeningBalance,
  reversePayment,
  reverseStatement,
  reverseTemporaryCredit,
  unblockCustomer,
  undoInvoice,
  awaitBuyerConsent,
  undoPriceChange,
  undoReceipt,
  withdrawApproval,
} satisfies Record<EffectName, Effect>
