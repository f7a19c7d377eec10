import type { Discount, ListPrice, PricedItem, PriceSet, PricingContext, PricingMasters, Promotion, PromotionBenefit, PromotionCondition } from '#domain/pricing/masters.ts'
import { ordinaryVat } from '#domain/tax/vat.ts'

/** Toko Makmur buys soap (A) and biscuits (B): general trade, pricing group SILVER. */
export const makmur: PricingContext = {
  priceDate: '2025-06-02',
  customerId: 17,
  customerPriceSetId: null,
  pricingGroupId: 2,
  groupPriceSetId: 12,
  groupDiscountSetId: 21,
  channelId: 5,
  channelPriceSetId: null,
  customerCategoryId: null,
  territoryId: 3,
  operatingUnitId: 1,
}

export const itemA: PricedItem = {
  id: 101, code: 'SKU-A', name: 'Sabun A', baseUom: 'CTN', salesUom: 'CTN', brandId: 1, categoryId: 1, principalId: 1, tax: ordinaryVat,
  factors: new Map([['CTN', '1'], ['PAL', '40']]),
}
export const itemB: PricedItem = { ...itemA, id: 102, code: 'SKU-B', name: 'Biskuit B', brandId: 2, categoryId: 2, factors: new Map([['CTN', '1']]) }

const valid = { validFrom: '2025-01-01', validTo: null }
const anything = { itemId: null, brandId: null, categoryId: null, principalId: null }
const set = (id: number, code: string, scopeKind: PriceSet['scopeKind'], refId: number | null): PriceSet => ({ id, code, scopeKind, refId, taxIncluded: false, ...valid })
const price = (id: number, priceSetId: number, itemId: number, value: string, more: Partial<ListPrice> = {}): ListPrice => ({
  id, priceSetId, itemId, uom: 'CTN', minQty: '0', price: value, floorPrice: null, ...valid, ...more,
})
const percent = (id: number, seq: number, itemId: number, value: string): Discount => ({
  ...anything, id, discountSetId: 21, seq, itemId, name: `Discount ${seq}`, minQty: '0', minValue: '0', kind: 'PCT', value, base: 'RUNNING',
})
const open = { mechanism: 'ON_INVOICE', stackGroup: null, budgetId: null, maxPerCustomer: null, maxTotal: null, originId: 0, scopes: [], priority: 100, stacking: 'STACK', ...valid } as const
const condition = (kind: PromotionCondition['kind'], min: string, more: Partial<PromotionCondition> = {}): PromotionCondition => ({ tierNo: 1, kind, itemId: null, brandId: null, categoryId: null, uom: null, min, max: null, isMultiple: false, ...more })
const benefit = (kind: PromotionBenefit['kind'], value: string, more: Partial<PromotionBenefit> = {}): PromotionBenefit => ({ tierNo: 1, kind, value, freeItemId: null, freeQty: '0', freeUom: null, maxMultiple: null, ...more })

export const buyTenGetOne: Promotion = {
  ...open, id: 31, code: 'P1', name: 'Buy 10 A get 1 A',
  conditions: [condition('ITEM_QTY', '10', { itemId: 101, isMultiple: true })], benefits: [benefit('FREE_ITEM', '0', { freeQty: '1', maxMultiple: 3 })],
}
export const orderValue: Promotion = {
  ...open, id: 32, code: 'P2', name: 'Order value',
  conditions: [condition('ORDER_VALUE', '3000000'), condition('ORDER_VALUE', '5000000', { tierNo: 2 })], benefits: [benefit('PCT', '1.5'), benefit('PCT', '2.5', { tierNo: 2 })],
}

export const masters: PricingMasters = {
  items: new Map([[101, itemA], [102, itemB]]),
  priceSets: [set(11, 'BASE', 'BASE', null), set(12, 'SILVER', 'GROUP', 2)],
  prices: [price(1, 11, 101, '120000'), price(2, 11, 102, '250000'), price(3, 12, 101, '118000')],
  discountSets: [{ id: 21, code: 'SILVER', scopeKind: 'GROUP', refId: 2, ...valid }],
  discounts: [percent(1, 1, 101, '3'), percent(2, 1, 102, '1'), percent(3, 2, 101, '2')],
  promotions: [buyTenGetOne, orderValue],
  rounding: { unit: '1', mode: 'HALF_UP' },
  manualDiscountPct: '0',
  freeLineGrossUp: false,
}

export const priceRow = price
export const priceSetRow = set
export const openPromotion = open
export const conditionOf = condition
export const benefitOf = benefit
