import { compare, exact, fixed, quantityText, type Decimal } from '#base/decimal.ts'
import { earnedOf, type EarningLine } from '#domain/pricing/gifts.ts'
import { agreedSource } from '#domain/pricing/priceOrder.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { pricedItems, schemes } from '#server/pricing/pricingMasters.ts'

/** A line of an order with what has become of it, in base units. */
export interface OrderLineState extends Row {
  readonly id: number
  readonly sales_order_id: number
  readonly order_code: string
  readonly item_id: number
  readonly item_code: string
  readonly qty_base: Decimal
  readonly value: Decimal
  readonly price_source: string | null
  readonly is_free: boolean
  readonly promotion_id: number | null
  readonly parent_line_id: number | null
  readonly planned_qty: Decimal
  readonly delivered_qty: Decimal
}

/** A gift and how much of it goes with the goods that count. */
export interface EarnedGift {
  readonly line: OrderLineState
  readonly earned: Decimal
}

/**
 * Gifts of the orders that have the lines named, with what `counted` of each paid line earns of them. Gifts go out with the goods they are given for, never
 * before them: what is cut or cancelled of these afterwards takes nothing with it that has left.
 */
export async function earnedGifts(tx: Queries, lineIds: readonly number[], counted: (line: OrderLineState) => Decimal): Promise<readonly EarnedGift[]> {
  const lines = await tx.rows<OrderLineState>(sql`
    select l.id, l.sales_order_id, o.code as order_code, l.item_id, i.code as item_code, l.qty_base, l.gross - l.discount_amount as value, l.price_source, l.is_free, l.promotion_id, l.parent_line_id, l.planned_qty, l.delivered_qty
    from sales_order_line l join sales_order o on o.id = l.sales_order_id join item i on i.id = l.item_id
    where l.sales_order_id in (select sales_order_id from sales_order_line where id = any(${[...lineIds]}::bigint[]))
      and exists (select 1 from sales_order_line f where f.sales_order_id = l.sales_order_id and f.is_free) order by l.id`)
  const gifts = lines.filter((line) => line.is_free)
  if (gifts.length === 0) return []
  const paid = lines.filter((line) => !line.is_free && line.price_source !== agreedSource)
  const [items, { promotions }] = await Promise.all([pricedItems.all(tx, [...new Set(paid.map((line) => line.item_id))]), schemes.get(tx)])
  return gifts.map((line) => {
    const earning = paid.filter((one) => one.sales_order_id === line.sales_order_id).flatMap((one): EarningLine[] => {
      const item = items.get(one.item_id)
      return item === undefined ? [] : [{ id: one.id, item, ordered: one.qty_base, counted: counted(one), value: one.value }]
    })
    return { line, earned: earnedOf({ given: line.qty_base, itemId: line.item_id, parentId: line.parent_line_id, promotion: promotions.find(({ id }) => id === line.promotion_id) }, earning) }
  })
}

/** Gifts of which more has left than the goods that have left earn, as said to whoever would have it so. */
export async function giftsAhead(tx: Queries, lineIds: readonly number[]): Promise<readonly string[]> {
  const gifts = await earnedGifts(tx, lineIds, (line) => line.delivered_qty)
  return gifts.filter(({ line, earned }) => compare(line.delivered_qty, earned) > 0).map(({ line, earned }) => `${line.item_code} ${quantityText(fixed(exact(line.delivered_qty).minus(earned), 3))}`)
}
