import type { EffectName } from '#generated/names.ts'
import { withdrawApproval } from '#server/approval/requestApproval.ts'
import { awaitBuyerConsent, dropTaxInvoice } from '#server/tax/taxInvoices.ts'
import { runBilling } from '#server/billing/billingRun.ts'
import { keepTolerated } from '#server/billing/closeRest.ts'
import { cancelInvoice, freeInvoice, holdInvoice, postInvoice, reverseInvoice, undoInvoice } from '#server/billing/invoiceEffects.ts'
import type { Effect } from '#server/context.ts'
import { applyCreditRequest } from '#server/credit/limitRequests.ts'
import { blockCustomer, unblockCustomer } from '#server/credit/blockCustomer.ts'
import { cancelDelivery, cancelGoodsIssue, cancelPlan, confirmDelivery, correctPicking, issueDelivery, pickDelivery, postGoodsIssue, receiveDelivery, releasePlan, undoReceipt } from '#server/inventory/deliveryEffects.ts'
import { chargeContainer, containerBack, containerEmptied, creditContainer, findContainer, loseContainer } from '#server/inventory/containers.ts'
import { approveLoading, askForAll, compareVan, loadVan, settleVan } from '#server/inventory/canvas.ts'
import { bookFreeVat, reverseFreeVat } from '#server/inventory/freeGoods.ts'
import { freeGoods, holdGoods } from '#server/inventory/holdGoods.ts'
import { freeReserved, holdReserved } from '#server/inventory/manualReservation.ts'
import { enterKit } from '#server/inventory/kitting.ts'
import { closeOrdersAgain, reopenOrders, valueReturned } from '#server/inventory/goodsReturned.ts'
import { enterCount, enterRecount, freezeCount, settleCount } from '#server/inventory/stockCount.ts'
import { postOpeningBalance, reverseOpeningBalance } from '#server/ledger/openingBalances.ts'
import { adjustBudget } from '#server/pricing/promotionBudget.ts'
import { endPromotion, revisePromotion, startPromotion } from '#server/pricing/promotionEffects.ts'
import { applyPriceChange, comparePricesAgain as comparePrices, undoPriceChange } from '#server/pricing/priceChangeEffects.ts'
import { cashMayGo, cashStays } from '#server/receivables/cashBank.ts'
import { depositPayments, takePaymentsBack } from '#server/receivables/cashDeposit.ts'
import { filePayments, unfilePayments } from '#server/payables/paymentFile.ts'
import { freePromotion, holdPromotion, usePromotion } from '#server/pricing/promotionHold.ts'
import { postCreditNote, reverseCreditNote, taxReturned } from '#server/receivables/creditEffects.ts'
import { receiveForClearing, returnFromClearing } from '#server/receivables/clearing.ts'
import { closeCollection } from '#server/receivables/collection.ts'
import { applyExchange, restoreExchange } from '#server/receivables/exchange.ts'
import { giveBackCash, takeOverCash } from '#server/receivables/handover.ts'
import { bounceGiro, clearGiro } from '#server/receivables/giro.ts'
import { billConsumption, validateConsumption } from '#server/billing/cmiConsumption.ts'
import { billConsigned, giveBackConsigned } from '#server/billing/consignmentSales.ts'
import { billReceipts } from '#server/payables/billReceipts.ts'
import { acceptScan, readScanAgain } from '#server/ocr/scanEffects.ts'
import { bookFaktur } from '#server/payables/bookFaktur.ts'
import { landCosts, takeLandedBack } from '#server/payables/landedCost.ts'
import { acceptInvoice, matchInvoice } from '#server/payables/matchInvoice.ts'
import { takeRefundBack } from '#server/payables/depositRefund.ts'
import { postOffsets } from '#server/payables/postOffsets.ts'
import { billShipmentCosts, freeShipmentCosts, spreadShipmentCost } from '#server/payables/shipmentCost.ts'
import { checkPayment, postPayment, reversePayment } from '#server/receivables/paymentEffects.ts'
import { confirmPod, papersBack, reopenPod } from '#server/receivables/pod.ts'
import { authoriseReturn, creditReturn, passTaxReturn, priceReturns, receiveReturn, undoReturn } from '#server/receivables/salesReturn.ts'
import { inspectReturn } from '#server/receivables/inspectReturn.ts'
import { postStatement, reverseStatement } from '#server/receivables/statementEffects.ts'
import { revalue, turnBackWhenDue, undoRevaluation } from '#server/ledger/revaluation.ts'
import { withdrawUnproven } from '#server/receivables/unprovenTax.ts'
import { simulatePromotion } from '#server/pricing/simulatePromotion.ts'
import { checkVanSale } from '#server/sales/checkVanSale.ts'
import { cancelOrderRest, checkCreditAgain, checkOrder, repriceOrder, reserveOrder, returnOrderToEntry } from '#server/sales/orderEffects.ts'
import { countVisits } from '#server/sales/visitCounts.ts'
import { requestApproval, requestReversal } from './askApproval.ts'
import { closeItem, post, reverse } from './bookDocument.ts'
import { make, unmake } from './make.ts'
import { numberLines } from './numberLines.ts'
import { lastStage, nextStage } from './stages.ts'

/** What moving a document brings about, by the name the schemas use. */
export const effects = {
  acceptInvoice,
  acceptScan,
  adjustBudget,
  endPromotion,
  revisePromotion,
  simulatePromotion,
  withdrawUnproven,
  revalue,
  turnBackWhenDue,
  undoRevaluation,
  startPromotion,
  applyCreditRequest,
  applyExchange,
  applyPriceChange,
  billConsigned,
  billConsumption,
  authoriseReturn,
  billReceipts,
  billShipmentCosts,
  blockCustomer,
  bookFaktur,
  bookFreeVat,
  bounceGiro,
  cancelDelivery,
  cancelGoodsIssue,
  cancelInvoice,
  keepTolerated,
  cancelOrderRest,
  cancelPlan,
  checkCreditAgain,
  checkOrder,
  cashMayGo,
  cashStays,
  checkPayment,
  checkVanSale,
  clearGiro,
  comparePrices,
  chargeContainer,
  containerBack,
  containerEmptied,
  creditContainer,
  findContainer,
  loseContainer,
  confirmDelivery,
  confirmPod,
  creditReturn,
  depositPayments,
  approveLoading,
  askForAll,
  closeCollection,
  compareVan,
  lastStage,
  loadVan,
  nextStage,
  settleVan,
  closeOrdersAgain,
  closeItem,
  enterCount,
  enterKit,
  enterRecount,
  freeGoods,
  freeReserved,
  freezeCount,
  holdGoods,
  holdReserved,
  settleCount,
  spreadShipmentCost,
  freeInvoice,
  freeShipmentCosts,
  giveBackCash,
  giveBackConsigned,
  holdInvoice,
  inspectReturn,
  issueDelivery,
  landCosts,
  make,
  matchInvoice,
  numberLines,
  papersBack,
  passTaxReturn,
  pickDelivery,
  correctPicking,
  countVisits,
  post,
  freePromotion,
  holdPromotion,
  postCreditNote,
  usePromotion,
  postGoodsIssue,
  postInvoice,
  postOpeningBalance,
  postOffsets,
  postPayment,
  postStatement,
  priceReturns,
  readScanAgain,
  receiveDelivery,
  receiveForClearing,
  receiveReturn,
  releasePlan,
  reopenOrders,
  reopenPod,
  repriceOrder,
  requestApproval,
  requestReversal,
  reserveOrder,
  restoreExchange,
  returnFromClearing,
  returnOrderToEntry,
  reverse,
  reverseCreditNote,
  reverseFreeVat,
  reverseInvoice,
  reverseOpeningBalance,
  reversePayment,
  reverseStatement,
  runBilling,
  takeLandedBack,
  takeOverCash,
  takeRefundBack,
  takePaymentsBack,
  filePayments,
  unfilePayments,
  taxReturned,
  unblockCustomer,
  valueReturned,
  undoInvoice,
  unmake,
  validateConsumption,
  awaitBuyerConsent,
  dropTaxInvoice,
  undoPriceChange,
  undoReceipt,
  undoReturn,
  withdrawApproval,
} satisfies Record<EffectName, Effect>
