import type { DateText } from '#base/date.ts'
import { exact, type Exact } from '#base/decimal.ts'
import { isValidOn, type ContractPrice, type ListPrice, type PricedItem, type PriceSet, type PricingContext, type PricingMasters } from './masters.ts'
import { withoutVat } from '#domain/tax/vat.ts'

export interface BasePrice {
  /** Null for a price that is in no list. */
  readonly listPriceId: number | null
  /** Per unit of the line, without VAT, four places. */
  readonly price: Exact
  /** As it is listed, where the list includes VAT: what is to be paid for it. */
  readonly withTax: Exact | null
  readonly floor: Exact | null
  /** `GROUP:SILVER`. */
  readonly source: string
  /** What the list says where another price was agreed; null: nothing. */
  readonly listed?: Exact | null
  /** The line of a contract it was agreed in, and the list price that takes something off. */
  readonly contract?: { readonly lineId: number; readonly list: BasePrice | null }
}

/** Finds prices for one order: sets in order of nearness, rows by item. Built once, asked per line. */
export class PriceBook {
  readonly #sets: readonly PriceSet[]
  readonly #rows: ReadonlyMap<string, readonly ListPrice[]>
  readonly #contractSets: readonly PriceSet[]
  readonly #found = new Map<string, BasePrice | null>()

  constructor(context: PricingContext, masters: PricingMasters) {
    this.#sets = priceSetsInOrder(context, masters.priceSets)
    this.#rows = byUnit(masters.prices, context.priceDate)
    this.#contractSets = (masters.contractSets ?? []).filter((set) => isValidOn(set, context.priceDate))
  }

  /** What a contract says, before any list: its own price, or that of a list less what it takes off; null where that list has none. */
  ofContract(contract: ContractPrice, item: PricedItem, qty: Exact): BasePrice | null {
    const source = `CONTRACT:${contract.code}`
    if (contract.price !== null) return { listPriceId: null, price: exact(contract.price).round(4), withTax: null, floor: null, source, contract: { lineId: contract.lineId, list: null } }
    const list = contract.priceSetId === null ? this.find(item, contract.uom, qty) : this.#search(item, contract.uom, qty, this.#contractSets.filter(({ id }) => id === contract.priceSetId))
    const price = list?.price.minus(contract.minus).round(4)
    if (list === null || price === undefined || price.lte(0)) return null
    return { listPriceId: null, price, withTax: null, floor: null, source, contract: { lineId: contract.lineId, list } }
  }

  /** The first set that has the item wins; null when none has. */
  find(item: PricedItem, uom: string, qty: Exact): BasePrice | null {
    const key = `${item.id} ${uom} ${qty.toString()}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const price = this.#search(item, uom, qty, this.#sets)
    this.#found.set(key, price)
    return price
  }

  #search(item: PricedItem, uom: string, qty: Exact, sets: readonly PriceSet[]): BasePrice | null {
    const factor = exact(item.factors.get(uom) ?? '1')
    for (const set of sets) {
      const inUnit = this.#best(set, item, uom, qty)
      if (inUnit) return priceOf(inUnit, set, item, exact(1))
      const inBase = this.#best(set, item, item.baseUom, qty.times(factor))
      if (inBase) return priceOf(inBase, set, item, factor)
    }
    return null
  }

  #best(set: PriceSet, item: PricedItem, uom: string, qty: Exact): ListPrice | undefined {
    return this.#rows.get(rowKey(set.id, item.id, uom))?.find((row) => qty.gte(row.minQty))
  }
}

function priceOf(row: ListPrice, set: PriceSet, item: PricedItem, factor: Exact): BasePrice {
  const net = (value: Exact): Exact => (set.taxIncluded ? withoutVat(value, item.tax) : value).round(4)
  return {
    listPriceId: row.id,
    price: net(exact(row.price).times(factor)),
    withTax: set.taxIncluded ? exact(row.price).times(factor) : null,
    floor: row.floorPrice === null ? null : net(exact(row.floorPrice).times(factor)),
    source: `${set.scopeKind}:${set.code}`,
  }
}

/** The sets that may price this customer's order, nearest first; each scope has at most one valid set. */
export function priceSetsInOrder(context: PricingContext, sets: readonly PriceSet[]): PriceSet[] {
  const valid = sets.filter((set) => isValidOn(set, context.priceDate))
  const named = (id: number | null, scopeKind: PriceSet['scopeKind']): PriceSet[] =>
    valid.filter((set) => id !== null && set.id === id).map((set) => ({ ...set, scopeKind }))
  const scoped = (scopeKind: PriceSet['scopeKind'], refId: number | null): PriceSet[] =>
    valid.filter((set) => set.scopeKind === scopeKind && set.refId === refId && (refId !== null || scopeKind === 'BASE')).sort((a, b) => a.id - b.id)
  const all = [
    ...named(context.customerPriceSetId, 'CUSTOMER'),
    ...scoped('CUSTOMER', context.customerId),
    ...named(context.groupPriceSetId, 'GROUP'),
    ...scoped('GROUP', context.pricingGroupId),
    ...named(context.channelPriceSetId, 'CHANNEL'),
    ...scoped('CHANNEL', context.channelId),
    ...scoped('TERRITORY', context.territoryId),
    ...scoped('OU', context.operatingUnitId),
    ...scoped('BASE', null),
  ]
  return all.filter((set, at) => all.findIndex((other) => other.id === set.id) === at)
}

/** Rows of each set, item and unit: greatest minimum quantity first, then the latest start. */
function byUnit(prices: readonly ListPrice[], date: DateText): ReadonlyMap<string, readonly ListPrice[]> {
  const rows = new Map<string, ListPrice[]>()
  for (const row of prices) {
    if (!isValidOn(row, date)) continue
    const key = rowKey(row.priceSetId, row.itemId, row.uom)
    const list = rows.get(key)
    if (list) list.push(row)
    else rows.set(key, [row])
  }
  for (const list of rows.values()) {
    list.sort((a, b) => exact(b.minQty).cmp(a.minQty) || b.validFrom.localeCompare(a.validFrom) || a.id - b.id)
  }
  return rows
}

function rowKey(setId: number, itemId: number, uom: string): string {
  return `${setId} ${itemId} ${uom}`
}
