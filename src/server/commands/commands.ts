import type { CommandName } from '#generated/names.ts'
import { billDeliveries } from '#server/billing/billDeliveries.ts'
import { billCustomers } from '#server/billing/billingRun.ts'
import type { Command } from '#server/context.ts'
import { overrideCredit } from '#server/credit/overrideCredit.ts'
import { planDelivery } from '#server/inventory/planDelivery.ts'
import { changeTrip } from '#server/inventory/trip.ts'
import { beginClosing, closePeriod, openPeriod, reopenPeriod } from '#server/ledger/periodStates.ts'
import { comparePricesCommand } from '#server/pricing/priceChangeHooks.ts'
import { matchStatement } from '#server/receivables/matchStatement.ts'
import { proposePayment } from '#server/receivables/proposePayment.ts'
import { releaseMatch, takeMatch } from '#server/receivables/bankMatch.ts'
import { collectionPapersBack, collectionResult } from '#server/receivables/collection.ts'
import { exchangeReceived, exchangeReturned } from '#server/receivables/exchange.ts'
import { enterTaxProof } from '#server/receivables/taxProof.ts'
import { proposeWithholding } from '#server/receivables/withholding.ts'
import { menuDown, menuUp, orderMenu } from '#server/setup/menuOrder.ts'
import { previewNumber, previewPosting, whoApproves } from '#server/setup/previews.ts'
import { setPricingGroup } from '#server/setup/pricingGroup.ts'
import { askTaxCancellation, confirmTaxCancellation, draftTaxInvoices, exportTaxInvoices, keepTaxInvoice, releaseTaxInvoices, replaceTaxInvoice } from '#server/tax/taxInvoices.ts'
import { collectCash } from '#server/sales/visitCollection.ts'
import { vanSale } from '#server/sales/vanSale.ts'
import { visitDay } from '#server/sales/visitDay.ts'
import { visitPrices } from '#server/sales/visitPrices.ts'
import { checkIn, checkOut } from '#server/sales/visits.ts'
import { priceOrderCommand } from '#server/sales/priceOrderCommand.ts'

/** What `POST /api/v1/command/<name>` runs, by the name the schemas use. */
export const commands = {
  'ask-tax-cancellation': askTaxCancellation,
  'bill-customers': billCustomers,
  'bill-deliveries': billDeliveries,
  'begin-closing': beginClosing,
  'change-trip': changeTrip,
  'check-in': checkIn,
  'check-out': checkOut,
  'collect-cash': collectCash,
  'close-period': closePeriod,
  'collection-papers-back': collectionPapersBack,
  'collection-result': collectionResult,
  'take-match': takeMatch,
  'release-match': releaseMatch,
  'compare-prices': comparePricesCommand,
  'confirm-tax-cancellation': confirmTaxCancellation,
  'draft-tax-invoices': draftTaxInvoices,
  'enter-tax-proof': enterTaxProof,
  'exchange-received': exchangeReceived,
  'exchange-returned': exchangeReturned,
  'export-tax-invoices': exportTaxInvoices,
  'keep-tax-invoice': keepTaxInvoice,
  'match-statement': matchStatement,
  'menu-down': menuDown,
  'menu-up': menuUp,
  'open-period': openPeriod,
  'order-menu': orderMenu,
  'override-credit': overrideCredit,
  'plan-delivery': planDelivery,
  'preview-number': previewNumber,
  'preview-posting': previewPosting,
  'price-order': priceOrderCommand,
  'propose-payment': proposePayment,
  'propose-withholding': proposeWithholding,
  'release-tax-invoices': releaseTaxInvoices,
  'reopen-period': reopenPeriod,
  'replace-tax-invoice': replaceTaxInvoice,
  'set-pricing-group': setPricingGroup,
  'van-sale': vanSale,
  'visit-day': visitDay,
  'visit-prices': visitPrices,
  'who-approves': whoApproves,
} satisfies Record<CommandName, Command>
