import { dayText, type DateText } from '#base/date.ts'
import { exact, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import { isValidOn, type Combo, type ComboPart, type Discount, type DiscountSet, type ListPrice, type PricedItem, type PriceSet, type Promotion, type RoundingRule, type SoldItem } from '#domain/pricing/masters.ts'
import type { TaxRate } from '#domain/tax/vat.ts'
import type { Queries, Row } from '#server/context.ts'
import { Remembered, RememberedTable } from '#server/db/remembered.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'

/** Sets, discounts and promotions of the company, found by whom they are for. */
export interface Schemes {
  readonly priceSets: Scopes<PriceSet>
  readonly discountSets: Scopes<DiscountSet>
  /** By discount set, of all times. */
  readonly discounts: ReadonlyMap<number, readonly DatedDiscount[]>
  readonly promotions: readonly Promotion[]
  /** Combos that explode on the order, of all times, by the item they are sold as. */
  readonly combos: ReadonlyMap<number, Combo>
  /** Sets kept on a pricing group. */
  readonly groups: ReadonlyMap<number, { readonly priceSetId: number | null; readonly discountSetId: number | null }>
  /** Price set kept on a sales channel. */
  readonly channels: ReadonlyMap<number, number | null>
  /** Of orders, by currency. */
  readonly rounding: ReadonlyMap<string, RoundingRule>
}

export type DatedDiscount = Discount & { readonly validFrom: DateText; readonly validTo: DateText | null }

type Scoped = Pick<PriceSet, 'id' | 'scopeKind' | 'refId' | 'validFrom' | 'validTo'>

/** Sets by id and by scope. */
export class Scopes<T extends Scoped> {
  readonly #byId: ReadonlyMap<number, T>
  readonly #byScope = new Map<string, T[]>()

  constructor(sets: readonly T[]) {
    this.#byId = new Map(sets.map((set) => [set.id, set]))
    for (const set of sets) {
      const key = scopeKey(set.scopeKind, set.refId)
      this.#byScope.set(key, [...(this.#byScope.get(key) ?? []), set])
    }
  }

  /** The sets valid on a day that are named by id or belong to one of the scopes. */
  of(date: DateText, ids: readonly (number | null)[], scopes: readonly (readonly [kind: T['scopeKind'], refId: number | null])[]): T[] {
    const named = ids.flatMap((id) => (id === null ? [] : (this.#byId.get(id) ?? [])))
    const scoped = scopes.flatMap(([kind, refId]) => (refId === null && kind !== 'BASE' ? [] : (this.#byScope.get(scopeKey(kind, kind === 'BASE' ? null : refId)) ?? [])))
    return [...new Set([...named, ...scoped])].filter((set) => isValidOn(set, date))
  }
}

function scopeKey(kind: string, refId: number | null): string {
  return kind === 'BASE' ? kind : `${kind} ${refId ?? ''}`
}

const promotionsOf = agg(`'id', p.id, 'code', p.code, 'name', p.name, 'mechanism', p.mechanism, 'priority', p.priority, 'stacking', p.stacking, 'stackGroup', p.stack_group,
  'originId', coalesce(p.version_of_id, p.id), 'budgetId', p.budget_id, 'maxPerCustomer', p.max_per_customer::text, 'maxTotal', p.max_total::text,
  'validFrom', greatest(p.valid_from, p.effective_from), 'validTo', least(p.valid_to, p.effective_to), 'stoppedAt', case when p.status = 6 then p.cancelled_at end,
  'scopes', (select ${text(agg(`'kind', s.kind, 'refId', coalesce(s.sales_channel_id, s.customer_category_id, s.customer_group_id, s.customer_id, s.territory_id, s.sales_area_id), 'include', s.include`, 's.line_no, s.id'))}
    from promotion_scope s where s.promotion_id = p.id),
  'conditions', (select ${text(agg(`'tierNo', c.tier_no, 'kind', c.kind, 'itemId', c.item_id, 'brandId', c.brand_id, 'categoryId', c.category_id, 'uom', c.uom, 'min', c.min::text, 'max', c.max::text, 'isMultiple', c.is_multiple`, 'c.line_no, c.id'))}
    from promotion_condition c where c.promotion_id = p.id),
  'benefits', (select ${text(agg(`'tierNo', b.tier_no, 'kind', b.kind, 'value', b.value::text, 'freeItemId', b.free_item_id, 'freeQty', b.free_qty::text, 'freeUom', b.free_uom,
      'unitFactor', (select (case when i.base_uom = b.free_uom then 1 else coalesce((select u.factor from item_uom u where u.item_id = i.id and u.uom = b.free_uom), case when i.sales_uom = b.free_uom then i.pack_qty end) end)::text from item i where i.id = b.free_item_id), 'maxMultiple', b.max_multiple`, 'b.line_no, b.id'))}
    from promotion_benefit b where b.promotion_id = p.id)`)

/** One promotion with all its lines, whatever its state. */
export async function promotionOf(tx: Queries, id: number): Promise<Promotion> {
  const row = await tx.first<{ found: readonly Promotion[] }>(sql`select ${promotionsOf} as found from promotion p where p.id = ${id}`)
  const [promotion] = row?.found ?? []
  if (promotion === undefined) throw new Error(`Promotion ${id} is gone`)
  return promotion
}

/** Decimal values travel as text inside the JSON, so that none becomes a float. */
export const schemes = new RememberedTable<Schemes>('pricing', async (tx) => {
  const row = await tx.first<{
    price_sets: readonly PriceSet[]; discount_sets: readonly DiscountSet[]; discounts: readonly DatedDiscount[]; promotions: readonly Promotion[]; combos: readonly Combo[]
    groups: readonly { readonly id: number; readonly priceSetId: number | null; readonly discountSetId: number | null }[]; channels: readonly { readonly id: number; readonly priceSetId: number | null }[]
    rounding: readonly (RoundingRule & { readonly currency: string })[]
  }>(sql`
    select
      (select ${agg(`'id', id, 'code', code, 'scopeKind', scope_kind, 'refId', ref_id, 'currency', currency, 'taxIncluded', tax_included, 'validFrom', valid_from, 'validTo', valid_to`)}
        from price_set where is_active and status = 1) as price_sets,
      (select ${agg(`'id', id, 'code', code, 'scopeKind', scope_kind, 'refId', ref_id, 'validFrom', valid_from, 'validTo', valid_to`)} from discount_set where is_active) as discount_sets,
      (select ${agg(`'id', id, 'discountSetId', discount_set_id, 'seq', seq, 'name', name, 'itemId', item_id, 'brandId', brand_id, 'categoryId', category_id, 'principalId', principal_id,
        'minQty', min_qty::text, 'minValue', min_value::text, 'kind', kind, 'value', value::text, 'base', base, 'validFrom', valid_from, 'validTo', valid_to`)} from discount) as discounts,
      (select ${promotionsOf} from promotion p where p.status in (1, 6, 9)) as promotions,
      (select ${agg(`'itemId', c.item_id, 'isActive', c.is_active, 'validFrom', c.valid_from, 'validTo', c.valid_to,
        'parts', (select ${text(agg(`'itemId', k.item_id, 'qty', k.qty::text, 'share', k.cost_share::text`, 'k.line_no, k.id'))} from combo_component k where k.combo_id = c.id)`)}
        from combo c where c.kind = 'VIRTUAL') as combos,
      (select ${agg(`'id', id, 'priceSetId', price_set_id, 'discountSetId', discount_set_id`)} from pricing_group) as groups,
      (select ${agg(`'id', id, 'priceSetId', default_price_set_id`)} from sales_channel) as channels,
      (select ${agg(`'currency', currency, 'unit', unit::text, 'mode', mode`)} from rounding_rule where doc_type = 'sales_order' and is_active) as rounding`)
  if (row === undefined) throw new Error('The pricing masters were not read')
  const discounts = new Map<number, DatedDiscount[]>()
  for (const discount of row.discounts) discounts.set(discount.discountSetId, [...(discounts.get(discount.discountSetId) ?? []), discount])
  return {
    priceSets: new Scopes(row.price_sets),
    discountSets: new Scopes(row.discount_sets),
    discounts,
    promotions: row.promotions,
    combos: new Map(row.combos.map((combo) => [combo.itemId, { ...combo, parts: together(combo.parts) }])),
    groups: new Map(row.groups.map((group) => [group.id, group])),
    channels: new Map(row.channels.map((channel) => [channel.id, channel.priceSetId])),
    rounding: new Map(row.rounding.map(({ currency, ...rule }) => [currency, rule])),
  }
})

/** Parts with each item once. */
function together(parts: readonly ComboPart[]): readonly ComboPart[] {
  const byItem = new Map<number, ComboPart>()
  for (const part of parts) {
    const known = byItem.get(part.itemId)
    byItem.set(part.itemId, known ? { ...part, qty: exact(known.qty).plus(part.qty).toFixed(), share: exact(known.share).plus(part.share).toFixed() } : part)
  }
  return [...byItem.values()]
}

interface ItemRow extends Row {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly base_uom: string
  readonly sales_uom: string
  readonly brand_id: number | null
  readonly category_id: number | null
  readonly principal_id: number | null
  readonly pack_qty: Decimal
  readonly names_tax: boolean
  readonly taxes: readonly DatedTax[] | null
  readonly uoms: readonly { readonly uom: string; readonly factor: Decimal }[]
}

interface DatedTax extends TaxRate {
  readonly validFrom: DateText
  readonly validTo: DateText | null
}

/** An item whatever the day, with its taxes of all times; null: it is sold without. */
export interface ListedItem extends SoldItem {
  readonly taxes: readonly DatedTax[] | null
  readonly namesTax: boolean
}

/** Of the tax codes `t` those that an item `i` may bear: the one it names, else those of goods that name none. At most one of them applies on a day. */
export const taxOf = sql`(t.id = i.tax_code_id or (i.tax_code_id is null and t.is_default))`

/** Items as they are sold, by id: with their taxes and the units they come in. */
export const pricedItems = new Remembered<number, ListedItem>(
  'item',
  async (tx, ids) => {
    const rows = await tx.rows<ItemRow>(sql`
      select i.id, i.code, i.name, i.base_uom, i.sales_uom, i.brand_id, i.category_id, i.principal_id, i.pack_qty, i.tax_code_id is not null as names_tax,
        case when i.is_taxable then (select ${agg(`'code', t.code, 'rate', t.rate::text, 'numerator', t.base_numerator, 'denominator', t.base_denominator, 'validFrom', t.valid_from, 'validTo', t.valid_to`, 't.valid_from')}
          from tax_code t where ${taxOf}) end as taxes,
        (select ${agg(`'uom', u.uom, 'factor', u.factor::text`)} from item_uom u where u.item_id = i.id) as uoms
      from item i where i.id = any(${[...ids]}::bigint[])`)
    return new Map(rows.map((row) => [row.id, pricedItem(row)]))
  },
  50_000,
)

/** Why an item that bears VAT cannot be sold or billed on a day, said at `field`. */
export function untaxedProblem(field: string, item: string, { code }: NonNullable<PricedItem['untaxed']>, date: DateText): FieldProblem {
  const about = { day: dayText(date), item }
  return code === null ? wrong(field, 'TX00.none', about) : wrong(field, 'TX00', { ...about, code })
}

/** The items with the tax each bears on a day. */
export async function itemsOn(tx: Queries, ids: readonly number[], date: DateText): Promise<ReadonlyMap<number, PricedItem>> {
  return new Map([...(await pricedItems.all(tx, ids))].map(([id, item]) => [id, itemOn(item, date)]))
}

function itemOn({ taxes, namesTax, ...item }: ListedItem, date: DateText): PricedItem {
  const tax = taxes?.find((one) => isValidOn(one, date))
  return taxes === null || tax !== undefined ? { ...item, tax: tax ?? null } : { ...item, tax: null, untaxed: { code: namesTax ? (taxes[0]?.code ?? null) : null } }
}

/** Units of the item: its own rows, the base unit as 1, the sales unit by the pack when nothing else is said. */
function pricedItem(row: ItemRow): ListedItem {
  return {
    id: row.id, code: row.code, name: row.name, baseUom: row.base_uom, salesUom: row.sales_uom, brandId: row.brand_id, categoryId: row.category_id, principalId: row.principal_id, taxes: row.taxes, namesTax: row.names_tax,
    factors: new Map<string, Decimal>([[row.sales_uom, row.pack_qty], ...row.uoms.map((unit) => [unit.uom, unit.factor] as const), [row.base_uom, '1']]),
  }
}

/** Key of the prices of an item in a set. */
export function priceKey(priceSetId: number, itemId: number): string {
  return `${priceSetId} ${itemId}`
}

interface PriceRow extends Row {
  readonly id: number
  readonly price_set_id: number
  readonly item_id: number
  readonly uom: string
  readonly min_qty: Decimal
  readonly price: Decimal
  readonly floor_price: Decimal | null
  readonly valid_from: DateText
  readonly valid_to: DateText | null
}

/** Prices of an item in a set, of all times, by `priceKey`. */
export const listPrices = new Remembered<string, readonly ListPrice[]>(
  'price',
  async (tx, keys) => {
    const pairs = keys.map((key) => key.split(' '))
    const rows = await tx.rows<PriceRow>(sql`
      select l.id, l.price_set_id, l.item_id, l.uom, l.min_qty, l.price, l.floor_price, l.valid_from, l.valid_to
      from unnest(${pairs.map(([set]) => set)}::bigint[], ${pairs.map(([, item]) => item)}::bigint[]) k(price_set_id, item_id)
      join list_price l on l.item_id = k.item_id and l.price_set_id = k.price_set_id order by l.id`)
    const prices = new Map<string, ListPrice[]>(keys.map((key) => [key, []]))
    for (const row of rows) prices.get(priceKey(row.price_set_id, row.item_id))?.push(listPrice(row))
    return prices
  },
  300_000,
)

function listPrice(row: PriceRow): ListPrice {
  return { id: row.id, priceSetId: row.price_set_id, itemId: row.item_id, uom: row.uom, minQty: row.min_qty, price: row.price, floorPrice: row.floor_price, validFrom: row.valid_from, validTo: row.valid_to }
}

/** `coalesce(jsonb_agg(jsonb_build_object(…)), '[]')` of our own column list. */
function agg(columns: string, order?: string): ReturnType<typeof trusted> {
  return trusted(`coalesce(jsonb_agg(jsonb_build_object(${columns})${order === undefined ? '' : ` order by ${order}`}), '[]'::jsonb)`)
}

function text(fragment: ReturnType<typeof trusted>): string {
  return fragment.strings.join('')
}
