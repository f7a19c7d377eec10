import { exact, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { TaxRate } from '#domain/tax/vat.ts'

/** Whose price or discount a set is, from the nearest to the farthest. */
export const scopeKinds = ['CUSTOMER', 'GROUP', 'CHANNEL', 'TERRITORY', 'OU', 'BASE'] as const
export type ScopeKind = (typeof scopeKinds)[number]

/** An item whatever the day. */
export interface SoldItem {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly baseUom: string
  readonly salesUom: string
  readonly brandId: number | null
  readonly categoryId: number | null
  readonly principalId: number | null
  /** Base units in one of each unit the item is sold in; the base unit itself is 1. */
  readonly factors: ReadonlyMap<string, Decimal>
}

/** An item with the tax it bears on a day. */
export interface PricedItem extends SoldItem {
  /** Null for goods without VAT, and where none applies on the day. */
  readonly tax: TaxRate | null
  /** The goods bear VAT, but none applies on the day: neither the code they name nor, where they name none, that of such goods. */
  readonly untaxed?: { readonly code: string | null }
}

/** The unit of an item that somebody calls so (`ctn` is CTN), as the item writes it; what was said where it has none of that name. */
export function unitCalled(item: Pick<PricedItem, 'factors'> | undefined, said: string): string {
  if (item === undefined || item.factors.has(said)) return said
  const name = said.trim().toUpperCase()
  return [...item.factors.keys()].find((unit) => unit.toUpperCase() === name) ?? said
}

/** The units an item is counted in, its base unit first; none where the item is not known. */
export function unitsOf(item: Pick<PricedItem, 'baseUom' | 'factors'> | undefined): readonly string[] {
  return item === undefined ? [] : [...new Set([item.baseUom, ...item.factors.keys()])]
}

interface Scoped {
  readonly id: number
  readonly code: string
  readonly scopeKind: ScopeKind
  /** Customer, pricing group, channel, territory or operating unit; null for BASE. */
  readonly refId: number | null
  readonly validFrom: DateText
  readonly validTo: DateText | null
}

export interface PriceSet extends Scoped {
  /** Currency of its prices; rupiah unless said. */
  readonly currency?: string
  readonly taxIncluded: boolean
}

export interface ListPrice {
  readonly id: number
  readonly priceSetId: number
  readonly itemId: number
  readonly uom: string
  /** In `uom`. */
  readonly minQty: Decimal
  readonly price: Decimal
  readonly floorPrice: Decimal | null
  readonly validFrom: DateText
  readonly validTo: DateText | null
}

export type DiscountSet = Scoped

/** What a discount applies to; all null: everything. */
export interface ItemSelector {
  readonly itemId: number | null
  readonly brandId: number | null
  readonly categoryId: number | null
  readonly principalId: number | null
}

export interface Discount extends ItemSelector {
  readonly id: number
  readonly discountSetId: number
  readonly seq: number
  readonly name: string
  /** In base units of the line. */
  readonly minQty: Decimal
  readonly minValue: Decimal
  readonly kind: 'PCT' | 'AMOUNT_PER_UOM' | 'AMOUNT'
  readonly value: Decimal
  readonly base: 'GROSS' | 'RUNNING'
}

/** Whom a promotion is for: customers of any value of a kind, and that of every kind it names; those left out never. */
export interface PromotionScope {
  readonly kind: 'CHANNEL' | 'CATEGORY' | 'GROUP' | 'CUSTOMER' | 'TERRITORY' | 'AREA'
  readonly refId: number
  readonly include: boolean
}

/**
 * What must be bought for a tier. Each `ITEM_*` condition must hold by itself; those of one `MIX_*` kind, or of `ORDER_VALUE`, name goods that count
 * together. Quantities are in `uom`, base units unless said.
 */
export interface PromotionCondition extends Omit<ItemSelector, 'principalId'> {
  readonly tierNo: number
  readonly kind: 'ITEM_QTY' | 'ITEM_VALUE' | 'MIX_QTY' | 'MIX_VALUE' | 'ORDER_VALUE'
  readonly uom: string | null
  readonly min: Decimal
  readonly max: Decimal | null
  /** The benefit is given once for each whole `min`. */
  readonly isMultiple: boolean
}

/** What a tier gives. */
export interface PromotionBenefit {
  readonly tierNo: number
  readonly kind: 'PCT' | 'AMOUNT' | 'AMOUNT_PER_UOM' | 'FREE_ITEM' | 'SPECIAL_PRICE'
  readonly value: Decimal
  /** What is given; null: the item bought. */
  readonly freeItemId: number | null
  readonly freeQty: Decimal
  /** Unit of what is given, of a special price and of an amount per unit; null: that of the condition, else the base unit. */
  readonly freeUom: string | null
  /** Base units of the item given in one `freeUom`, where that item is named. */
  readonly unitFactor?: Decimal | null
  readonly maxMultiple: number | null
}

export interface Promotion {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly mechanism: 'ON_INVOICE' | 'OFF_INVOICE'
  readonly priority: number
  readonly stacking: 'EXCLUSIVE' | 'BEST_OF_GROUP' | 'STACK'
  readonly stackGroup: string | null
  /** The promotion whose version this is: itself unless another one. */
  readonly originId: number
  readonly budgetId: number | null
  /** Rupiah of benefit. */
  readonly maxPerCustomer: Decimal | null
  readonly maxTotal: Decimal | null
  /** Days of orders it is for, of this version. */
  readonly validFrom: DateText
  readonly validTo: DateText | null
  /** When somebody stopped it. */
  readonly stoppedAt?: string | null
  readonly scopes: readonly PromotionScope[]
  readonly conditions: readonly PromotionCondition[]
  readonly benefits: readonly PromotionBenefit[]
}

/** One part of a combo. */
export interface ComboPart {
  readonly itemId: number
  /** Base units of the part in one base unit of the combo. */
  readonly qty: Decimal
  /** Percent of the price of the combo that is this part's. */
  readonly share: Decimal
}

/** A combo that is not stocked: an order has its parts, never the item it is sold as. */
export interface Combo {
  /** Item it is sold as. */
  readonly itemId: number
  readonly isActive: boolean
  readonly validFrom: DateText
  readonly validTo: DateText | null
  /** Each item once. */
  readonly parts: readonly ComboPart[]
}

/** What a line of a contract says of the price of the item it is of. */
export interface ContractPrice {
  readonly lineId: number
  /** Number of the contract. */
  readonly code: string
  readonly itemId: number
  /** The unit it is agreed in: lines in another one do not call on it. */
  readonly uom: string
  /** Agreed per `uom`; null: the list counts, less `minus`. */
  readonly price: Decimal | null
  readonly minus: Decimal
  /** List the price is taken off of; null: whichever is the customer's. */
  readonly priceSetId: number | null
}

export interface RoundingRule {
  readonly unit: Decimal
  readonly mode: 'HALF_UP' | 'UP' | 'DOWN'
  /** Decimals of the base of tax and of the tax; none, as of the rupiah, unless said. */
  readonly places?: number
}

/** Everything pricing reads. Rows out of date may be present; they are passed over. */
export interface PricingMasters {
  readonly items: ReadonlyMap<number, PricedItem>
  readonly priceSets: readonly PriceSet[]
  readonly prices: readonly ListPrice[]
  readonly discountSets: readonly DiscountSet[]
  readonly discounts: readonly Discount[]
  readonly promotions: readonly Promotion[]
  /** Combos that explode on the order, by the item they are sold as. */
  readonly combos?: ReadonlyMap<number, Combo>
  /** Lines of contracts that may be called on this day, by id. */
  readonly contracts?: ReadonlyMap<number, ContractPrice>
  /** Price lists that contracts name, whoever's they are. */
  readonly contractSets?: readonly PriceSet[]
  readonly rounding: RoundingRule
  /** Percent of the gross value a clerk may give by hand without block PR02. */
  readonly manualDiscountPct: Decimal
  /** Free lines count in gross and promotion of the order. */
  readonly freeLineGrossUp: boolean
}

/** Who buys, and on which day prices are looked up. */
export interface PricingContext {
  readonly priceDate: DateText
  readonly customerId: number
  /** Set kept on the customer, on his pricing group, on his channel: as good as a set of that scope. */
  readonly customerPriceSetId: number | null
  readonly pricingGroupId: number | null
  readonly groupPriceSetId: number | null
  readonly groupDiscountSetId: number | null
  readonly channelId: number | null
  readonly channelPriceSetId: number | null
  readonly customerCategoryId: number | null
  readonly customerGroupId?: number | null
  readonly territoryId: number | null
  readonly salesAreaId?: number | null
  readonly operatingUnitId: number | null
  /** When the order was sent, if it has been: it keeps what was stopped later that day. */
  readonly sentAt?: string | null
}

export function isValidOn(row: { readonly validFrom: DateText; readonly validTo: DateText | null }, date: DateText): boolean {
  return row.validFrom <= date && (row.validTo === null || date <= row.validTo)
}

/** Orders tiers for a search of the highest one reached: quantity first, then value. */
export function highestFirst(a: Pick<Discount, 'minQty' | 'minValue'>, b: Pick<Discount, 'minQty' | 'minValue'>): number {
  return exact(b.minQty).cmp(a.minQty) || exact(b.minValue).cmp(a.minValue)
}

/** How closely a selector names the item: the item itself goes before its brand, that before its category, that before its principal, and two of them before one; 0: everything, null: it does not apply. */
export function closeness(selector: ItemSelector, item: SoldItem): number | null {
  const tests: readonly (readonly [wanted: number | null, has: number | null])[] = [
    [selector.itemId, item.id],
    [selector.brandId, item.brandId],
    [selector.categoryId, item.categoryId],
    [selector.principalId, item.principalId],
  ]
  if (tests.some(([wanted, has]) => wanted !== null && wanted !== has)) return null
  return tests.reduce((near, [wanted]) => near * 2 + (wanted === null ? 0 : 1), 0)
}
