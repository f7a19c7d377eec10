import type { CommandName } from '#generated/names.ts'
import { billDeliveries } from '#server/billing/billDeliveries.ts'
import type { Command } from '#server/context.ts'
import { overrideCredit } from '#server/credit/overrideCredit.ts'
import { planDelivery } from '#server/inventory/planDelivery.ts'
import { changeTrip } from '#server/inventory/trip.ts'
import { beginClosing, closePeriod, openPeriod, reopenPeriod } from '#server/ledger/periodStates.ts'
import { comparePricesCommand } from '#server/pricing/priceChangeHooks.ts'
import { matchStatement } from '#server/receivables/matchStatement.ts'
import { proposePayment } from '#server/receivables/proposePayment.ts'
import { menuDown, menuUp, orderMenu } from '#server/setup/menuOrder.ts'
import { previewNumber, previewPosting, whoApproves } from '#server/setup/previews.ts'
import { setPricingGroup } from '#server/setup/pricingGroup.ts'
import { askTaxCancellation, confirmTaxCancellation, draftTaxInvoices, exportTaxInvoices, keepTaxInvoice, releaseTaxInvoices, replaceTaxInvoice } from '#server/tax/taxInvoices.ts'
import { priceOrderCommand } from '#server/sales/priceOrderCommand.ts'

/** What `POST /api/v1/command/<name>` runs, by the name the schemas use. */
export const commands = {
  'ask-tax-cancellation': askTaxCancellation,
  'bill-deliveries': billDeliveries,
  'begin-closing': beginClosing,
  'change-trip': changeTrip,
  'close-period': closePeriod,
  'compare-prices': comparePricesCommand,
  'confirm-tax-cancellation': confirmTaxCancellation,
  'draft-tax-invoices': draftTaxInvoices,
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
  'release-tax-invoices': releaseTaxInvoices,
  'reopen-period': reopenPeriod,
  'replace-tax-invoice': replaceTaxInvoice,
  'set-pricing-group': setPricingGroup,
  'who-approves': whoApproves,
} satisfies Record<CommandName, Command>
