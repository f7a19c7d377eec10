import { exact, type Exact } from '#base/decimal.ts'
import type { Promotion, PromotionBenefit, PromotionCondition, SoldItem } from './masters.ts'

/** What a promotion looks at: a paid line and its value so far. */
export interface PromotedLine {
  readonly item: SoldItem
  readonly qtyBase: Exact
  readonly value: Exact
}

/** The tier an order has reached. */
export interface ReachedTier {
  readonly tierNo: number
  readonly benefits: readonly PromotionBenefit[]
  /** Which lines brought it about. */
  readonly qualifies: readonly boolean[]
  /** How often the least was bought, at least once. */
  readonly multiples: Exact
  /** Unit its quantities are counted in; null: base units. */
  readonly uom: string | null
}

/** The highest tier whose conditions all hold; of the lines only those `counts` says. */
export function reachedTier(promotion: Promotion, lines: readonly PromotedLine[], counts: (line: PromotedLine) => boolean): ReachedTier | null {
  const tiers = [...new Set(promotion.conditions.map(({ tierNo }) => tierNo))].toSorted((a, b) => b - a)
  for (const tierNo of tiers) {
    const groups = groupsOf(promotion.conditions.filter((condition) => condition.tierNo === tierNo)).map((group) => measured(group, lines, counts))
    if (!groups.every(({ holds }) => holds)) continue
    const multiples = groups.flatMap(({ times }) => times ?? [])
    return {
      tierNo,
      benefits: promotion.benefits.filter((benefit) => benefit.tierNo === tierNo),
      qualifies: lines.map((_, i) => groups.some(({ selected }) => selected.has(i))),
      multiples: multiples.reduce((least, one) => (one.lt(least) ? one : least), multiples[0] ?? exact(1)),
      uom: promotion.conditions.find((condition) => condition.tierNo === tierNo && condition.uom !== null)?.uom ?? null,
    }
  }
  return null
}

/** Conditions that are tested together: goods of one mix or order value, each item by itself. */
function groupsOf(conditions: readonly PromotionCondition[]): readonly (readonly PromotionCondition[])[] {
  const groups = new Map<string, PromotionCondition[]>()
  for (const [i, condition] of conditions.entries()) {
    const key = condition.kind === 'ITEM_QTY' || condition.kind === 'ITEM_VALUE' ? `${i}` : condition.kind
    groups.set(key, [...(groups.get(key) ?? []), condition])
  }
  return [...groups.values()]
}

function measured(group: readonly PromotionCondition[], lines: readonly PromotedLine[], counts: (line: PromotedLine) => boolean) {
  const byQty = group[0]?.kind === 'ITEM_QTY' || group[0]?.kind === 'MIX_QTY'
  const selected = new Set<number>()
  let measure = exact(0)
  for (const i of placesOf(group, lines)) {
    const line = lines[i]
    const condition = line === undefined ? undefined : group.find((one) => selects(one, line.item))
    if (line === undefined || condition === undefined || !counts(line)) continue
    const part = byQty ? inUnit(line, condition.uom) : line.value
    if (part === null) continue
    selected.add(i)
    measure = measure.plus(part)
  }
  if (selected.size === 0) return { holds: false, selected, times: undefined }
  // Thirds of a unit make a whole one.
  measure = measure.round(6)
  const min = group.map((condition) => exact(condition.min)).reduce((most, one) => (one.gt(most) ? one : most), exact(0))
  const max = group.flatMap((condition) => condition.max ?? []).map((one) => exact(one)).reduce<Exact | null>((least, one) => (least === null || one.lt(least) ? one : least), null)
  const holds = measure.gte(min) && (max === null || measure.lte(max))
  const times = group.some(({ isMultiple }) => isMultiple) ? (min.gt(0) ? measure.div(min).round(0, 'DOWN') : exact(0)) : undefined
  return { holds, selected, times }
}

interface Places {
  readonly all: readonly number[]
  readonly items: ReadonlyMap<number | null, readonly number[]>
  readonly brands: ReadonlyMap<number | null, readonly number[]>
  readonly categories: ReadonlyMap<number | null, readonly number[]>
}

/** Where the goods of an order stand; hundreds of promotions ask the same lines. */
const places = new WeakMap<readonly PromotedLine[], Places>()

function placesIn(lines: readonly PromotedLine[]): Places {
  const known = places.get(lines)
  if (known !== undefined) return known
  const by = (key: (item: SoldItem) => number | null): ReadonlyMap<number | null, readonly number[]> => {
    const found = new Map<number | null, number[]>()
    for (const [i, { item }] of lines.entries()) {
      const at = found.get(key(item))
      if (at === undefined) found.set(key(item), [i])
      else at.push(i)
    }
    return found
  }
  const made: Places = { all: [...lines.keys()], items: by(({ id }) => id), brands: by(({ brandId }) => brandId), categories: by(({ categoryId }) => categoryId) }
  places.set(lines, made)
  return made
}

/** The lines that may be of a group of conditions, in their order. */
function placesOf(group: readonly PromotionCondition[], lines: readonly PromotedLine[]): readonly number[] {
  const { all, items, brands, categories } = placesIn(lines)
  const of = ({ itemId, brandId, categoryId }: PromotionCondition): readonly number[] => (itemId !== null ? items.get(itemId) : brandId !== null ? brands.get(brandId) : categoryId !== null ? categories.get(categoryId) : all) ?? []
  const [first] = group
  return first !== undefined && group.length === 1 ? of(first) : [...new Set(group.flatMap(of))].toSorted((a, b) => a - b)
}

function selects({ itemId, brandId, categoryId }: PromotionCondition, item: SoldItem): boolean {
  return (itemId === null || itemId === item.id) && (brandId === null || brandId === item.brandId) && (categoryId === null || categoryId === item.categoryId)
}

/** The promotions that look at something of an order: of hundreds that run, an order knows a few. */
export function touching(promotions: readonly Promotion[], items: readonly SoldItem[]): Promotion[] {
  const [ids, brands, categories] = [new Set(items.map(({ id }) => id)), new Set(items.map(({ brandId }) => brandId)), new Set(items.map(({ categoryId }) => categoryId))]
  const may = ({ itemId, brandId, categoryId }: PromotionCondition): boolean => (itemId === null || ids.has(itemId)) && (brandId === null || brands.has(brandId)) && (categoryId === null || categories.has(categoryId))
  return promotions.filter(({ conditions }) => conditions.some(may))
}

/** Do goods of the item count for the promotion, in any of its tiers? */
export function selectsItem(promotion: Promotion, item: SoldItem): boolean {
  return promotion.conditions.some((condition) => selects(condition, item))
}

/** How much of a line there is in a unit, unrounded; null where the item does not come in it. */
export function inUnit({ item, qtyBase }: PromotedLine, uom: string | null): Exact | null {
  if (uom === null) return qtyBase
  const factor = item.factors.get(uom)
  return factor === undefined ? null : qtyBase.div(factor)
}

/** Does the promotion look at the value of the order as a whole? */
export function isOfOrder(promotion: Promotion): boolean {
  return promotion.conditions.some(({ kind }) => kind === 'ORDER_VALUE')
}
