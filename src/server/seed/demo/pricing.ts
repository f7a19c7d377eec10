import type { DateText } from '#base/date.ts'
import { explode, type ComboLine } from '#domain/pricing/combos.ts'
import type { Combo, Discount, ListPrice, PricedItem, PricingMasters } from '#domain/pricing/masters.ts'
import { priceOrder, type OrderLine, type PricedOrder } from '#domain/pricing/priceOrder.ts'
import { ordinaryVat } from '#domain/tax/vat.ts'
import type { Row } from '#server/context.ts'
import type { Book } from './book.ts'
import type { Buyer } from './customers.ts'
import { promotionsOf } from './promotionsOf.ts'

/** Prices orders from the masters in the book, by the same engine as the running system. */
export class Pricer {
  readonly #items: ReadonlyMap<number, PricedItem>
  readonly #prices: ReadonlyMap<number, readonly ListPrice[]>
  readonly #common: Omit<PricingMasters, 'items' | 'prices'>
  readonly #groups: ReadonlyMap<number, Row>
  readonly #channels: ReadonlyMap<number, Row>

  constructor(book: Book) {
    this.#items = new Map(book.rows('item').map((row) => [number(row, 'id'), itemOf(row, book.rows('item_uom'))]))
    this.#prices = byItem(book.rows('list_price'))
    this.#groups = byId(book.rows('pricing_group'))
    this.#channels = byId(book.rows('sales_channel'))
    this.#common = {
      priceSets: book.rows('price_set').map((row) => ({
        id: number(row, 'id'), code: text(row, 'code'), scopeKind: row['scope_kind'] as 'BASE', refId: null, validFrom: text(row, 'valid_from'), validTo: textOrNull(row, 'valid_to'), taxIncluded: false,
      })),
      discountSets: book.rows('discount_set').map((row) => ({
        id: number(row, 'id'), code: text(row, 'code'), scopeKind: row['scope_kind'] as 'BASE', refId: null, validFrom: text(row, 'valid_from'), validTo: textOrNull(row, 'valid_to'),
      })),
      discounts: book.rows('discount').map((row): Discount => ({
        id: number(row, 'id'), discountSetId: number(row, 'discount_set_id'), seq: number(row, 'seq'), name: text(row, 'name'), itemId: numberOrNull(row, 'item_id'), brandId: numberOrNull(row, 'brand_id'),
        categoryId: null, principalId: null, minQty: '0', minValue: '0', kind: 'PCT', value: text(row, 'value'), base: 'RUNNING',
      })),
      promotions: promotionsOf(book),
      combos: new Map(combosOf(book).map((combo) => [combo.itemId, combo])),
      rounding: { unit: '1', mode: 'HALF_UP' },
      manualDiscountPct: '2',
      freeLineGrossUp: false,
    }
  }

  /** One of a combo as the lines it becomes: of those that explode on orders the `n`th, round and round. */
  package(n: number): readonly ComboLine[] {
    const combos = [...(this.#common.combos?.values() ?? [])]
    const combo = combos[n % combos.length]
    return combo === undefined ? [] : explode(combo, 1, { uom: this.#items.get(combo.itemId)?.salesUom ?? '', qty: '1', manualDiscount: '0' }, this.#items)
  }

  price(buyer: Buyer, day: DateText, lines: readonly OrderLine[]): PricedOrder {
    const group = buyer.pricingGroupId === null ? undefined : this.#groups.get(buyer.pricingGroupId)
    const gifts = this.#common.promotions.flatMap(({ benefits }) => benefits.flatMap((benefit) => benefit.freeItemId ?? []))
    const wanted = new Set([...lines.flatMap((line) => (line.combo ? [line.itemId, line.combo.itemId] : [line.itemId])), ...gifts])
    return priceOrder(
      {
        priceDate: day, customerId: buyer.id, customerPriceSetId: null, pricingGroupId: buyer.pricingGroupId, groupPriceSetId: group === undefined ? null : numberOrNull(group, 'price_set_id'),
        groupDiscountSetId: group === undefined ? null : numberOrNull(group, 'discount_set_id'), channelId: buyer.channelId,
        channelPriceSetId: numberOrNull(this.#channels.get(buyer.channelId) ?? {}, 'default_price_set_id'), customerCategoryId: buyer.categoryId, customerGroupId: buyer.groupId, territoryId: buyer.territory.id,
        operatingUnitId: buyer.unit.id,
      },
      { ...this.#common, items: this.#items, prices: [...wanted].flatMap((id) => this.#prices.get(id) ?? []) },
      lines,
    )
  }
}

function combosOf(book: Book): readonly Combo[] {
  const parts = book.rows('combo_component')
  return book.rows('combo').filter((row) => row['kind'] === 'VIRTUAL').map((row) => ({
    itemId: number(row, 'item_id'), isActive: true, validFrom: text(row, 'valid_from'), validTo: textOrNull(row, 'valid_to'),
    parts: parts.filter((part) => part['combo_id'] === row['id']).map((part) => ({ itemId: number(part, 'item_id'), qty: text(part, 'qty'), share: text(part, 'cost_share') })),
  }))
}

function itemOf(row: Row, uoms: readonly Row[]): PricedItem {
  const own = uoms.filter((uom) => uom['item_id'] === row['id'])
  return {
    id: number(row, 'id'), code: text(row, 'code'), name: text(row, 'name'), baseUom: text(row, 'base_uom'), salesUom: text(row, 'sales_uom'), brandId: numberOrNull(row, 'brand_id'),
    categoryId: numberOrNull(row, 'category_id'), principalId: numberOrNull(row, 'principal_id'), tax: ordinaryVat, factors: new Map(own.map((uom) => [text(uom, 'uom'), text(uom, 'factor')])),
  }
}

function byItem(rows: readonly Row[]): ReadonlyMap<number, readonly ListPrice[]> {
  const found = new Map<number, ListPrice[]>()
  for (const row of rows) {
    const price: ListPrice = {
      id: number(row, 'id'), priceSetId: number(row, 'price_set_id'), itemId: number(row, 'item_id'), uom: text(row, 'uom'), minQty: text(row, 'min_qty'), price: text(row, 'price'),
      floorPrice: textOrNull(row, 'floor_price'), validFrom: text(row, 'valid_from'), validTo: textOrNull(row, 'valid_to'),
    }
    const list = found.get(price.itemId)
    if (list === undefined) found.set(price.itemId, [price])
    else list.push(price)
  }
  return found
}

function byId(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [number(row, 'id'), row]))
}

function number(row: Row, key: string): number {
  const value = row[key]
  if (typeof value !== 'number') throw new Error(`${key} holds no number`)
  return value
}

function numberOrNull(row: Row, key: string): number | null {
  return row[key] == null ? null : number(row, key)
}

function text(row: Row, key: string): string {
  const value = row[key]
  if (typeof value !== 'string') throw new Error(`${key} holds no text`)
  return value
}

function textOrNull(row: Row, key: string): string | null {
  return row[key] == null ? null : text(row, key)
}
