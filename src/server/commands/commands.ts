import type { CommandName } from '#generated/names.ts'
import { billDeliveries } from '#server/billing/billDeliveries.ts'
import type { Command } from '#server/context.ts'
import { overrideCredit } from '#server/credit/overrideCredit.ts'
import { planDelivery } from '#server/inventory/planDelivery.ts'
import { closePeriod, openPeriod, reopenPeriod } from '#server/ledger/periodStates.ts'
import { comparePricesCommand } from '#server/pricing/priceChangeHooks.ts'
import { proposePayment } from '#server/receivables/proposePayment.ts'
import { priceOrderCommand } from '#server/sales/priceOrderCommand.ts'

/** What `POST /api/v1/command/<name>` runs, by the name the schemas use. */
export const commands = {
  'bill-deliveries': billDeliveries,
  'close-period': closePeriod,
  'compare-prices': comparePricesCommand,
  'open-period': openPeriod,
  'override-credit': overrideCredit,
  'plan-delivery': planDelivery,
  'price-order': priceOrderCommand,
  'propose-payment': proposePayment,
  'reopen-period': reopenPeriod,
} satisfies Record<CommandName, Command>
