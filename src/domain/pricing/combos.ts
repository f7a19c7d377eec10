import { exact, fixed, money, spread, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { BasePrice, PriceBook } from './basePrice.ts'
import { isValidOn, type Combo, type PricedItem, type SoldItem, type PricingContext, type PricingMasters } from './masters.ts'

/** The combo a line came out of, as it was entered. Lines of one `no` came out together. */
export interface ComboOf {
  readonly no: number
  /** Item the combo is sold as. */
  readonly itemId: number
  readonly uom: string
  /** In `uom`. */
  readonly qty: Decimal
  /** Price of one `uom` agreed beforehand. */
  readonly agreedPrice: Decimal | null
}

/** Why a combo cannot be ordered. */
export type ComboFault = 'inactive' | 'period' | 'empty' | 'nested'

/** What stands against ordering a combo on a day; null: nothing. */
export function comboFault(combo: Combo, date: DateText, combos: ReadonlyMap<number, Combo>): ComboFault | null {
  if (!combo.isActive) return 'inactive'
  if (!isValidOn(combo, date)) return 'period'
  if (combo.parts.length === 0) return 'empty'
  return combo.parts.some((part) => combos.has(part.itemId)) ? 'nested' : null
}

/** What is entered of a combo. */
export interface EnteredCombo {
  readonly uom: string
  readonly qty: Decimal
  readonly manualDiscount: Decimal
  readonly agreedPrice?: Decimal | null
}

/** A line that a combo becomes. */
export interface ComboLine {
  readonly itemId: number
  readonly uom: string
  readonly qty: Decimal
  readonly manualDiscount: Decimal
  readonly combo: ComboOf
}

/** The lines of a combo, in the order of its parts and in their base units. A discount given by hand is shared as the cost is. */
export function explode(combo: Combo, no: number, entered: EnteredCombo, items: ReadonlyMap<number, SoldItem>): ComboLine[] {
  const sold = soldBase(items.get(combo.itemId), entered.uom, exact(entered.qty))
  const discounts = spread(exact(entered.manualDiscount).round(2), combo.parts.map((part) => exact(part.share)), 2)
  const of: ComboOf = { no, itemId: combo.itemId, uom: entered.uom, qty: fixed(entered.qty, 3), agreedPrice: entered.agreedPrice ?? null }
  return combo.parts.map((part, i) => ({
    itemId: part.itemId, uom: items.get(part.itemId)?.baseUom ?? '', qty: fixed(sold.times(part.qty), 3), manualDiscount: money(discounts[i] ?? zero), combo: of,
  }))
}

/** A line that says which combo it came out of. */
interface PartLine {
  readonly itemId: number
  readonly uom: string
  readonly qty: Decimal
  readonly combo?: ComboOf | null
}

/** What a line has of the combo it belongs to. */
export interface PartPrice {
  /** How many of the combo the lines make now. */
  readonly combo: ComboOf
  /** Null: the combo has no price, each part has its own. */
  readonly price: { readonly base: BasePrice; readonly gross: Exact; readonly listed: Exact | null; readonly whole: Exact; readonly from: string; readonly share: Decimal } | null
}

/** Where the price of a part comes from. */
export const comboSource = 'COMBO'

/**
 * Lines that stand for a combo: all its parts and no more, each in the quantity that goes with the others, on a day on which the combo is sold.
 * Lines that do not are lines like any other, so that nobody gets one part at the price of the whole. Where the combo has a price its parts share
 * it by their cost shares, to the cent, in the order of the parts: the order of the lines does not matter.
 */
export function partPrices<L extends PartLine>(book: PriceBook, context: PricingContext, { combos, items }: PricingMasters, lines: readonly L[], agreedSource: string): ReadonlyMap<L, PartPrice> {
  const found = new Map<L, PartPrice>()
  if (combos === undefined || combos.size === 0) return found
  const groups = new Map<string, L[]>()
  for (const line of lines) {
    if (!line.combo) continue
    const key = `${line.combo.no} ${line.combo.itemId}`
    const group = groups.get(key)
    if (group) group.push(line)
    else groups.set(key, [line])
  }
  for (const group of groups.values()) {
    const of = group[0]?.combo
    const combo = of ? combos.get(of.itemId) : undefined
    if (!of || combo === undefined || group.length !== combo.parts.length || comboFault(combo, context.priceDate, combos) !== null) continue
    const byItem = new Map(group.map((line) => [line.itemId, line]))
    const inOrder = combo.parts.flatMap((part) => byItem.get(part.itemId) ?? [])
    const item = items.get(combo.itemId)
    const qty = item && inOrder.length === combo.parts.length ? soldBy(combo, of, item, inOrder.map((line) => baseQty(line, items)), items) : null
    if (qty === null || item === undefined) continue
    const sold: ComboOf = { ...of, qty: fixed(qty, 3) }
    const base = of.agreedPrice === null ? book.find(item, of.uom, qty) : { listPriceId: null, price: exact(of.agreedPrice).round(4), withTax: null, floor: null, source: agreedSource }
    if (base === null) {
      for (const line of inOrder) found.set(line, { combo: sold, price: null })
      continue
    }
    const shares = combo.parts.map((part) => exact(part.share))
    const whole = qty.times(base.price).round(2)
    const parts = spread(whole, shares, 2)
    // Parts that bear another tax than the combo have no share of a price with its tax in it.
    const isAlike = inOrder.every((line) => bearsAlike(items.get(line.itemId), item))
    const listed = isAlike && base.withTax ? spread(qty.times(base.withTax).round(2), shares, 2) : null
    const floors = base.floor && spread(qty.times(base.floor).round(2), shares, 2)
    const all = sum(shares)
    for (const [i, line] of inOrder.entries()) {
      const share = all.eq(0) ? zero : (shares[i] ?? zero).div(all)
      found.set(line, {
        combo: sold,
        price: {
          base: {
            listPriceId: base.listPriceId,
            price: base.price.times(qty).times(share).div(line.qty).round(4),
            withTax: null,
            // Shared like the price: a price that is the floor is not below it in any part.
            floor: floors && (floors[i] ?? zero).div(line.qty).round(4, 'DOWN'),
            source: of.agreedPrice === null ? `${comboSource}:${item.code}` : base.source,
          },
          gross: parts[i] ?? zero, listed: listed?.[i] ?? null, whole, from: `${item.code} ${base.source}`, share: combo.parts[i]?.share ?? '0',
        },
      })
    }
  }
  return found
}

/** How many of a combo its parts make: as entered, else as many as the first part is of; null when they do not go together. */
function soldBy(combo: Combo, of: ComboOf, item: SoldItem, parts: readonly Decimal[], items: ReadonlyMap<number, SoldItem>): Exact | null {
  const [first] = combo.parts
  const factor = exact(item.factors.get(of.uom) ?? '1')
  if (first === undefined) return null
  const fits = (qty: Exact): boolean =>
    qty.gt(0) && explode(combo, of.no, { uom: of.uom, qty: qty.toFixed(3), manualDiscount: '0' }, items).every((part, i) => exact(part.qty).eq(parts[i] ?? zero))
  const entered = exact(of.qty).round(3)
  if (fits(entered)) return entered
  const counted = exact(parts[0] ?? zero).div(first.qty).div(factor).round(3)
  return fits(counted) ? counted : null
}

function bearsAlike(one: PricedItem | undefined, other: PricedItem): boolean {
  const [a, b] = [one?.tax ?? null, other.tax]
  return a === null || b === null ? a === b : exact(a.rate).eq(b.rate) && a.numerator * b.denominator === b.numerator * a.denominator
}

function baseQty(line: PartLine, items: ReadonlyMap<number, SoldItem>): Decimal {
  return fixed(exact(line.qty).times(items.get(line.itemId)?.factors.get(line.uom) ?? '1'), 3)
}

function soldBase(item: SoldItem | undefined, uom: string, qty: Exact): Exact {
  return qty.times(item?.factors.get(uom) ?? '1')
}
