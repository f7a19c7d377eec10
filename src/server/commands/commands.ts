import type { CommandName } from '#generated/names.ts'
import { billDeliveries } from '#server/billing/billDeliveries.ts'
import type { Command } from '#server/context.ts'
import { overrideCredit } from '#server/credit/overrideCredit.ts'
import { planDelivery } from '#server/inventory/planDelivery.ts'
import { closePeriod, openPeriod, reopenPeriod } from '#server/ledger/periodStates.ts'
import { comparePricesCommand } from '#server/pricing/priceChangeHooks.ts'
import { proposePayment } from '#server/receivables/proposePayment.ts'
import { menuDown, menuUp } from '#server/setup/menuOrder.ts'
import { previewNumber, previewPosting, whoApproves } from '#server/setup/previews.ts'
import { setPricingGroup } from '#server/setup/pricingGroup.ts'
import { priceOrderCommand } from '#server/sales/priceOrderCommand.ts'

/** What `POST /api/v1/command/<name>` runs, by the name the schemas use. */
export const commands = {
  'bill-deliveries': billDeliveries,
  'close-period': closePeriod,
  'compare-prices': comparePricesCommand,
  'menu-down': menuDown,
  'menu-up': menuUp,
  'open-period': openPeriod,
  'override-credit': overrideCredit,
  'plan-delivery': planDelivery,
  'preview-number': previewNumber,
  'preview-posting': previewPosting,
  'price-order': priceOrderCommand,
  'propose-payment': proposePayment,
  'reopen-period': reopenPeriod,
  'set-pricing-group': setPricingGroup,
  'who-approves': whoApproves,
} satisfies Record<CommandName, Command>
