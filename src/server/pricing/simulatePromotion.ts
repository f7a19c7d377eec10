import { addDays, addMonths, type DateText } from '#base/date.ts'
import { compare, exact, money, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { Promotion } from '#domain/pricing/masters.ts'
import type { PromotedBuyer } from '#domain/pricing/promotions.ts'
import { asIfRunning, triedOn, type TriedLine } from '#domain/pricing/promotionTrial.ts'
import type { Effect, Queries, Row } from '#server/context.ts'
import { insertRowsLater } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { nextTurn } from '#server/nextTurn.ts'
import { pricedItems, promotionOf, schemes } from './pricingMasters.ts'
import { standardCosts } from './promotionUses.ts'

const chunk = 250

interface OrderRow extends Row {
  readonly id: number
  readonly operating_unit_id: number
  readonly doc_date: DateText
  readonly customer_id: number
  readonly sales_channel_id: number | null
  readonly customer_category_id: number | null
  readonly customer_group_id: number | null
  readonly territory_id: number | null
  readonly sales_area_id: number | null
  readonly lines: readonly { readonly itemId: number; readonly uom: string; readonly qty: Decimal; readonly price: Decimal; readonly value: Decimal }[]
}

/**
 * Tries a promotion on the orders of the month before today: which would have earned it beside the promotions of their day, what that would
 * have cost, and what would be left of its budget. Each order takes its benefit whole or, beyond a limit of the promotion, not at all.
 */
export const simulatePromotion: Effect = async (context) => {
  const { tx, current, today, now } = context
  const [from, to] = [addMonths(today, -1), addDays(today, -1)]
  const own = await promotionOf(tx, current.id)
  const promotion = asIfRunning(own)
  const others = own.mechanism === 'OFF_INVOICE' ? [] : (await schemes.get(tx)).promotions.filter(({ originId, validFrom, validTo }) => originId !== own.originId && validFrom <= to && (validTo === null || validTo >= from))
  const budget = own.budgetId === null ? undefined : await tx.first<{ available: Decimal }>(sql`select available::text from promotion_budget where id = ${own.budgetId}`)
  await tx.run(sql`delete from promotion_trial where promotion_id = ${current.id}`)
  let [orders, earning, cost] = [0, 0, zero]
  const ofCustomer = new Map<number, Exact>()
  for (let after: readonly [DateText, number] = [from, 0]; ; ) {
    const rows = await ordersAfter(tx, after, to)
    const last = rows.at(-1)
    if (last === undefined) break
    after = [last.doc_date, last.id]
    orders += rows.length
    const found: Row[] = []
    for (const { row, benefit } of await earnedIn(tx, promotion, others, rows)) {
      const had = ofCustomer.get(row.customer_id) ?? zero
      if (isOver(own.maxTotal, cost.plus(benefit)) || isOver(own.maxPerCustomer, had.plus(benefit))) continue
      ofCustomer.set(row.customer_id, had.plus(benefit))
      cost = cost.plus(benefit)
      earning += 1
      found.push({
        promotion_id: current.id, operating_unit_id: row.operating_unit_id, territory_id: row.territory_id, sales_order_id: row.id, customer_id: row.customer_id, doc_date: row.doc_date, benefit: money(benefit),
        budget_left: budget === undefined ? null : money(exact(budget.available).minus(cost)),
      })
    }
    await insertRowsLater(tx, 'promotion_trial', found)
  }
  context.set({
    trial_at: now.toISOString(), trial_from: from, trial_to: to, trial_orders: orders, trial_earning: earning, trial_cost: money(cost), trial_left: budget === undefined ? null : money(exact(budget.available).minus(cost)),
  })
}

function isOver(most: Decimal | null, amount: Exact): boolean {
  return most !== null && amount.gt(most)
}

async function earnedIn(tx: Queries, promotion: Promotion, others: readonly Promotion[], rows: readonly OrderRow[]): Promise<readonly { readonly row: OrderRow; readonly benefit: Exact }[]> {
  const ids = [...new Set(rows.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)))]
  const gifts = [promotion, ...others].flatMap(({ benefits }) => benefits.flatMap(({ freeItemId }) => freeItemId ?? []))
  const [items, costs] = [await pricedItems.all(tx, ids), await standardCosts(tx, [...new Set([...ids, ...gifts])])]
  const earned: { row: OrderRow; benefit: Exact }[] = []
  for (const [at, row] of rows.entries()) {
    if (at % 25 === 24) await nextTurn()
    const lines = row.lines.flatMap(({ itemId, uom, qty, price, value }): TriedLine[] => {
      const item = items.get(itemId)
      return item === undefined ? [] : [{ item, uom, qtyBase: exact(qty), price: exact(price), value: exact(value) }]
    })
    const benefit = triedOn(buyerOf(row), promotion, others, lines, (id) => costs.get(id) ?? '0')
    if (compare(benefit, '0') > 0) earned.push({ row, benefit })
  }
  return earned
}

function buyerOf(row: OrderRow): PromotedBuyer {
  return {
    priceDate: row.doc_date, customerId: row.customer_id, channelId: row.sales_channel_id, customerCategoryId: row.customer_category_id, customerGroupId: row.customer_group_id, territoryId: row.territory_id,
    salesAreaId: row.sales_area_id,
  }
}

/** Orders that stand, with the lines whose price was not agreed beforehand, at their value before any promotion. */
function ordersAfter(tx: Queries, [day, id]: readonly [DateText, number], to: DateText): Promise<readonly OrderRow[]> {
  return tx.rows<OrderRow>(sql`
    select o.id, o.operating_unit_id, o.doc_date, o.customer_id, coalesce(o.sales_channel_id, c.sales_channel_id) as sales_channel_id, c.customer_category_id, c.customer_group_id, c.territory_id, c.sales_area_id,
      coalesce((select jsonb_agg(jsonb_build_object('itemId', l.item_id, 'uom', l.uom, 'qty', l.qty_base::text, 'price', l.price::text, 'value', (l.gross - l.discount_amount + l.manual_discount)::text) order by l.line_no, l.id)
        from sales_order_line l where l.sales_order_id = o.id and not l.is_free and l.agreed_price is null and l.qty_base > 0), '[]'::jsonb) as lines
    from sales_order o join customer c on c.id = o.customer_id
    where (o.doc_date, o.id) > (${day}::date, ${id}::bigint) and o.doc_date <= ${to}::date and o.status in (1, 2, 3, 4) and o.order_type not in ('CONSIGN', 'CMI')
    order by o.doc_date, o.id limit ${chunk}`)
}
