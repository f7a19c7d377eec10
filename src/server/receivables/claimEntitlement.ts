import { addDays, endOfMonth, isDate, type DateText } from '#base/date.ts'
import { exact, money, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import { candidates, freeGoods, valueBenefits } from '#domain/pricing/promotions.ts'
import type { PromotedLine } from '#domain/pricing/promotionTiers.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { loadPricing } from '#server/pricing/loadPricing.ts'
import { pricedItems, schemes } from '#server/pricing/pricingMasters.ts'
import { standardCosts } from '#server/pricing/promotionUses.ts'
import { tolerance } from '#server/settings.ts'

export interface Claimed {
  readonly promotionId: number
  readonly customerId: number
  /** YYYYMM. */
  readonly period: string
  readonly unitId: number
  /** The claim itself, which does not count among those before it. */
  readonly noteId: number
}

export type Entitlement =
  | { readonly isOpen: false; readonly why: 'unknown' | 'mechanism' | 'period' | 'customer' }
  /** `left`: what may still be claimed, with the tolerance for claims. */
  | { readonly isOpen: true; readonly code: string; readonly left: Decimal; readonly deadline: DateText | null }

/** What a customer may claim of a promotion for what was invoiced to him in a month, less what has been claimed already. */
export async function claimEntitlement(tx: Queries, { promotionId, customerId, period, unitId, noteId }: Claimed): Promise<Entitlement> {
  const promotion = (await schemes.get(tx)).promotions.find(({ id }) => id === promotionId)
  if (promotion === undefined) return { isOpen: false, why: 'unknown' }
  if (promotion.mechanism !== 'OFF_INVOICE') return { isOpen: false, why: 'mechanism' }
  const first = `${period.slice(0, 4)}-${period.slice(4)}-01`
  if (!isDate(first)) return { isOpen: false, why: 'period' }
  const last = endOfMonth(first)
  const from = promotion.validFrom > first ? promotion.validFrom : first
  const to = promotion.validTo !== null && promotion.validTo < last ? promotion.validTo : last
  if (from > to) return { isOpen: false, why: 'period' }
  const pricing = await loadPricing(tx, { customerId, priceDate: to, salesChannelId: null, operatingUnitId: null, itemIds: [] })
  if (pricing === null || candidates(pricing.context, [promotion], 'OFF_INVOICE').length === 0) return { isOpen: false, why: 'customer' }
  const lines = await bought(tx, customerId, from, to)
  const earned = sum(valueBenefits([promotion], lines).flatMap(({ parts }) => parts)).plus(await costOfGoods(tx, freeGoods(promotion, lines)))
  const before = await tx.first<{ claimed: Decimal; days: number | null }>(sql`
    select p.claim_deadline_days as days, coalesce((select sum(n.dpp) from credit_note n join promotion v on v.id = n.promotion_id
      where coalesce(v.version_of_id, v.id) = coalesce(p.version_of_id, p.id) and n.customer_id = ${customerId} and n.claim_period = ${period} and n.status in (1, 2, 3, 4) and n.id <> ${noteId}), 0)::text as claimed
    from promotion p where p.id = ${promotionId}`)
  const most = earned.plus(await tolerance(tx, 'CLAIM', unitId, money(earned)))
  const left = most.minus(before?.claimed ?? '0')
  return { isOpen: true, code: promotion.code, left: money(left.lt(0) ? zero : left), deadline: before?.days == null ? null : addDays(last, before.days) }
}

/** What was invoiced and kept, line by line, before VAT. */
async function bought(tx: Queries, customerId: number, from: DateText, to: DateText): Promise<PromotedLine[]> {
  const rows = await tx.rows<{ item_id: number; qty: Decimal; value: Decimal }>(sql`
    select l.item_id, sum(l.qty_base - l.returned_qty)::text as qty, sum(round(l.dpp * (l.qty_base - l.returned_qty) / nullif(l.qty_base, 0), 2))::text as value
    from invoice_line l join invoice i on i.id = l.invoice_id
    where i.customer_id = ${customerId} and i.doc_date between ${from}::date and ${to}::date and i.status in (1, 2, 3) and i.invoice_type in ('SALES', 'CONSIGNMENT', 'CMI', 'CANVAS') and not l.is_free and l.item_id is not null
    group by l.item_id having sum(l.qty_base - l.returned_qty) > 0 order by l.item_id`)
  const items = await pricedItems.all(tx, rows.map((row) => row.item_id))
  return rows.flatMap(({ item_id: id, qty, value }): PromotedLine[] => {
    const item = items.get(id)
    return item === undefined ? [] : [{ item, qtyBase: exact(qty), value: exact(value ?? '0') }]
  })
}

async function costOfGoods(tx: Queries, goods: readonly { readonly itemId: number; readonly qtyBase: Exact }[]): Promise<Exact> {
  const costs = await standardCosts(tx, goods.map(({ itemId }) => itemId))
  return sum(goods.map(({ itemId, qtyBase }) => qtyBase.times(costs.get(itemId) ?? '0')))
}
