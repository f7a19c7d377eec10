import type { DateText } from '#base/date.ts'
import { compare, exact, money, sum, type Decimal } from '#base/decimal.ts'
import type { EventAmount } from './entries.ts'

export interface PostedInvoice {
  readonly id: number
  readonly customerId: number
  readonly territoryId: number | null
  readonly arAccount: string
  readonly dueDate: DateText
  readonly collector: 'SELLER' | 'WAPU'
  readonly gross: Decimal
  readonly discount: Decimal
  readonly promo: Decimal
  readonly ppn: Decimal
  readonly rounding: Decimal
  readonly total: Decimal
}

export interface PostedCost {
  readonly itemId: number
  readonly cost: Decimal
  readonly isFree: boolean
}

/** Which revenue account the gross value goes to. */
export type RevenueKey = 'gross' | 'gross_canvas' | 'gross_consignment'

/** Amounts of event INV. */
export function invoiceAmounts(invoice: PostedInvoice, revenue: RevenueKey = 'gross'): EventAmount[] {
  const territory = { territoryId: invoice.territoryId }
  const loses = compare(invoice.rounding, '0') < 0
  return [
    {
      key: 'total', amount: invoice.total, account: invoice.arAccount, partnerKind: 'CUSTOMER', partnerId: invoice.customerId,
      openItemType: 'invoice', openItemId: invoice.id, dueDate: invoice.dueDate, ...territory,
    },
    { key: 'discount', amount: invoice.discount, ...territory },
    { key: 'promo', amount: invoice.promo, ...territory },
    { key: revenue, amount: invoice.gross, ...territory },
    { key: invoice.collector === 'WAPU' ? 'ppn_wapu' : 'ppn', amount: invoice.ppn, partnerKind: 'CUSTOMER', partnerId: invoice.customerId, ...territory },
    { key: loses ? 'rounding_loss' : 'rounding_gain', amount: money(exact(invoice.rounding).abs()), ...territory },
  ]
}

/** Where goods that are invoiced come from: issued but not invoiced, at the customer, or on a van. */
export type SoldFrom = 'stock' | 'stock_consigned' | 'stock_canvas'

/** Amounts of event COGS: paid and free goods by item. */
export function costAmounts(lines: readonly PostedCost[], territoryId: number | null, from: SoldFrom = 'stock'): EventAmount[] {
  const stock = totalByItem(lines)
  return [
    ...totalByItem(lines.filter((line) => !line.isFree)).map(([itemId, amount]): EventAmount => ({ key: 'cost', amount, itemId, territoryId })),
    ...totalByItem(lines.filter((line) => line.isFree)).map(([itemId, amount]): EventAmount => ({ key: 'cost_free', amount, itemId, territoryId })),
    ...stock.map(([itemId, amount]): EventAmount => ({ key: from, amount, itemId, territoryId })),
  ]
}

/** Amounts of event FREE_VAT. */
export function freeVatAmounts(ppn: Decimal, customerId: number, territoryId: number | null): EventAmount[] {
  return [{ key: 'ppn', amount: ppn, partnerKind: 'CUSTOMER', partnerId: customerId, territoryId }]
}

/** Amounts of event GI_SALE: cost by item. */
export function issueAmounts(lines: readonly Omit<PostedCost, 'isFree'>[], territoryId: number | null): EventAmount[] {
  return totalByItem(lines).map(([itemId, amount]): EventAmount => ({ key: 'cost', amount, itemId, territoryId }))
}

function totalByItem(lines: readonly Omit<PostedCost, 'isFree'>[]): (readonly [itemId: number, amount: Decimal])[] {
  const items = new Map<number, Decimal[]>()
  for (const line of lines) items.set(line.itemId, [...(items.get(line.itemId) ?? []), line.cost])
  return [...items].map(([itemId, costs]) => [itemId, money(sum(costs))] as const)
}
