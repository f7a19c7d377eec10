import type { DateText } from '#base/date.ts'
import type { Decimal } from '#base/decimal.ts'
import { setting } from '#server/settings.ts'
import type { Discount, ListPrice, PricedItem, PriceSet, PricingContext, PricingMasters, Promotion, PromotionTier, DiscountSet, RoundingRule, ScopeKind } from '#domain/pricing/masters.ts'
import type { TaxRate } from '#domain/tax/vat.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql, trusted } from '#server/db/sql.ts'

export interface PricingRequest {
  readonly customerId: number
  readonly priceDate: DateText
  readonly salesChannelId: number | null
  readonly operatingUnitId: number | null
  readonly itemIds: readonly number[]
}

/**
 * Everything pricing needs for one order, in one statement however many lines it has: decimal values travel as text inside the JSON, so that
 * none becomes a float. Null when there is no such customer.
 */
export async function loadPricing(tx: Queries, request: PricingRequest): Promise<{ readonly context: PricingContext; readonly masters: PricingMasters } | null> {
  const row = await tx.first<Loaded>(sql`
    with c as (
      select c.id, c.price_set_id, c.pricing_group_id, c.customer_category_id, c.territory_id, coalesce(${request.salesChannelId}::bigint, c.sales_channel_id) as channel_id,
        coalesce(${request.operatingUnitId}::bigint, c.operating_unit_id) as operating_unit_id, g.price_set_id as group_price_set_id, g.discount_set_id as group_discount_set_id
      from customer c left join pricing_group g on g.id = c.pricing_group_id where c.id = ${request.customerId}
    ), promo as (
      select p.* from promotion p, c where p.is_active and p.status = 1 and p.valid_from <= ${request.priceDate}::date and (p.valid_to is null or p.valid_to >= ${request.priceDate}::date)
        and (p.sales_channel_id is null or p.sales_channel_id = c.channel_id) and (p.customer_category_id is null or p.customer_category_id = c.customer_category_id)
        and (p.territory_id is null or p.territory_id = c.territory_id)
    ), wanted as (
      select unnest(${[...new Set(request.itemIds)]}::bigint[]) as id union select free_item_id from promo where free_item_id is not null
    ), sets as (
      select s.* from price_set s, c left join sales_channel h on h.id = c.channel_id
      where s.is_active and s.status = 1 and s.valid_from <= ${request.priceDate}::date and (s.valid_to is null or s.valid_to >= ${request.priceDate}::date)
        and (s.id in (c.price_set_id, c.group_price_set_id, h.default_price_set_id) or (s.scope_kind = 'CUSTOMER' and s.ref_id = c.id)
          or (s.scope_kind = 'GROUP' and s.ref_id = c.pricing_group_id) or (s.scope_kind = 'CHANNEL' and s.ref_id = c.channel_id)
          or (s.scope_kind = 'TERRITORY' and s.ref_id = c.territory_id) or (s.scope_kind = 'OU' and s.ref_id = c.operating_unit_id) or s.scope_kind = 'BASE')
    ), dsets as (
      select s.* from discount_set s, c where s.is_active and s.valid_from <= ${request.priceDate}::date and (s.valid_to is null or s.valid_to >= ${request.priceDate}::date)
        and (s.id = c.group_discount_set_id or (s.scope_kind = 'CUSTOMER' and s.ref_id = c.id) or (s.scope_kind = 'GROUP' and s.ref_id = c.pricing_group_id)
          or (s.scope_kind = 'CHANNEL' and s.ref_id = c.channel_id) or (s.scope_kind = 'OU' and s.ref_id = c.operating_unit_id) or s.scope_kind = 'BASE')
    ), standard as (
      select * from tax_code where code = 'PPN04' limit 1
    )
    select c.id as customer_id, c.price_set_id, c.pricing_group_id, c.customer_category_id, c.territory_id, c.channel_id, c.operating_unit_id, c.group_price_set_id, c.group_discount_set_id,
      (select h.default_price_set_id from sales_channel h where h.id = c.channel_id) as channel_price_set_id,
      (select ${agg(`'id', i.id, 'code', i.code, 'name', i.name, 'baseUom', i.base_uom, 'salesUom', i.sales_uom, 'brandId', i.brand_id, 'categoryId', i.category_id, 'principalId', i.principal_id,
        'pack', i.pack_qty::text, 'tax', case when i.is_taxable then (select jsonb_build_object('code', t.code, 'rate', t.rate::text, 'numerator', t.base_numerator, 'denominator', t.base_denominator)
          from tax_code t where t.id = coalesce(i.tax_code_id, (select id from standard))) end,
        'uoms', (select ${text(agg(`'uom', u.uom, 'factor', u.factor::text`))} from item_uom u where u.item_id = i.id)`)} from item i join wanted w on w.id = i.id) as items,
      (select ${agg(`'id', id, 'code', code, 'scopeKind', scope_kind, 'refId', ref_id, 'taxIncluded', tax_included, 'validFrom', valid_from, 'validTo', valid_to`)} from sets) as price_sets,
      (select ${agg(`'id', l.id, 'priceSetId', l.price_set_id, 'itemId', l.item_id, 'uom', l.uom, 'minQty', l.min_qty::text, 'price', l.price::text, 'floorPrice', l.floor_price::text,
        'validFrom', l.valid_from, 'validTo', l.valid_to`)} from list_price l join wanted w on w.id = l.item_id where l.price_set_id in (select id from sets)
        and l.valid_from <= ${request.priceDate}::date and (l.valid_to is null or l.valid_to >= ${request.priceDate}::date)) as prices,
      (select ${agg(`'id', id, 'code', code, 'scopeKind', scope_kind, 'refId', ref_id, 'validFrom', valid_from, 'validTo', valid_to`)} from dsets) as discount_sets,
      (select ${agg(`'id', d.id, 'discountSetId', d.discount_set_id, 'seq', d.seq, 'name', d.name, 'itemId', d.item_id, 'brandId', d.brand_id, 'categoryId', d.category_id, 'principalId', d.principal_id,
        'minQty', d.min_qty::text, 'minValue', d.min_value::text, 'kind', d.kind, 'value', d.value::text, 'base', d.base`)} from discount d where d.discount_set_id in (select id from dsets)) as discounts,
      (select ${agg(`'id', p.id, 'code', p.code, 'name', p.name, 'mechanism', p.mechanism, 'priority', p.priority, 'stacking', p.stacking, 'stackGroup', p.stack_group, 'itemId', p.item_id,
        'brandId', p.brand_id, 'categoryId', p.category_id, 'principalId', null, 'channelId', p.sales_channel_id, 'customerCategoryId', p.customer_category_id, 'territoryId', p.territory_id,
        'freeItemId', p.free_item_id, 'maxMultiple', p.max_multiple, 'validFrom', p.valid_from, 'validTo', p.valid_to,
        'tiers', (select ${text(agg(`'minQty', t.min_qty::text, 'minValue', t.min_value::text, 'benefitKind', t.benefit_kind, 'benefitValue', t.benefit_value::text`))} from promotion_tier t where t.promotion_id = p.id)`)}
        from promo p) as promotions,
      (select jsonb_build_object('unit', r.unit::text, 'mode', r.mode) from rounding_rule r where r.doc_type = 'sales_order' and r.currency = 'IDR' and r.is_active limit 1) as rounding
    from c`)
  if (row === undefined) return null
  const manualDiscountPct = String(await setting(tx, 'manual_discount_pct', row.operating_unit_id, 0))
  return {
    context: {
      priceDate: request.priceDate,
      customerId: row.customer_id,
      customerPriceSetId: row.price_set_id,
      pricingGroupId: row.pricing_group_id,
      groupPriceSetId: row.group_price_set_id,
      groupDiscountSetId: row.group_discount_set_id,
      channelId: row.channel_id,
      channelPriceSetId: row.channel_price_set_id,
      customerCategoryId: row.customer_category_id,
      territoryId: row.territory_id,
      operatingUnitId: row.operating_unit_id,
    },
    masters: {
      items: new Map(row.items.map((item) => [item.id, pricedItem(item)])),
      priceSets: row.price_sets,
      prices: row.prices,
      discountSets: row.discount_sets,
      discounts: row.discounts,
      promotions: row.promotions,
      rounding: row.rounding ?? { unit: '1', mode: 'HALF_UP' },
      manualDiscountPct,
    },
  }
}

interface LoadedItem {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly baseUom: string
  readonly salesUom: string
  readonly brandId: number | null
  readonly categoryId: number | null
  readonly principalId: number | null
  readonly pack: Decimal
  readonly tax: TaxRate | null
  readonly uoms: readonly { readonly uom: string; readonly factor: Decimal }[]
}

interface Loaded extends Row {
  readonly customer_id: number
  readonly price_set_id: number | null
  readonly pricing_group_id: number | null
  readonly customer_category_id: number | null
  readonly territory_id: number | null
  readonly channel_id: number | null
  readonly operating_unit_id: number
  readonly group_price_set_id: number | null
  readonly group_discount_set_id: number | null
  readonly channel_price_set_id: number | null
  readonly items: readonly LoadedItem[]
  readonly price_sets: readonly (PriceSet & { readonly scopeKind: ScopeKind })[]
  readonly prices: readonly ListPrice[]
  readonly discount_sets: readonly DiscountSet[]
  readonly discounts: readonly Discount[]
  readonly promotions: readonly (Promotion & { readonly tiers: readonly PromotionTier[] })[]
  readonly rounding: RoundingRule | null
}

/** Units of the item: its own rows, the base unit as 1, the sales unit by the pack when nothing else is said. */
function pricedItem({ pack, uoms, ...item }: LoadedItem): PricedItem {
  const factors = new Map<string, Decimal>([[item.salesUom, pack], ...uoms.map((unit) => [unit.uom, unit.factor] as const), [item.baseUom, '1']])
  return { ...item, factors }
}

/** `coalesce(jsonb_agg(jsonb_build_object(…)), '[]')` of our own column list. */
function agg(columns: string): ReturnType<typeof trusted> {
  return trusted(`coalesce(jsonb_agg(jsonb_build_object(${columns})), '[]'::jsonb)`)
}

function text(fragment: ReturnType<typeof trusted>): string {
  return fragment.strings.join('')
}
