import { exact, fixed, money, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { earnedGifts, type OrderLineState } from '#server/sales/gifts.ts'

/** A gift a customer keeps though what he keeps of the goods does not earn it any more. */
export interface KeptGift {
  readonly orderLineId: number
  readonly itemId: number
  /** Base units. */
  readonly qty: Decimal
  /** Of a base unit, on the order. */
  readonly price: Decimal
  /** Whole rupiah. */
  readonly amount: Decimal
}

interface OrderLine extends Row {
  readonly id: number
  readonly kept: Decimal
  readonly price: Decimal
}

/**
 * Gifts that goods coming back were given for and that neither come back themselves nor have been paid for before (D6): what is kept of the goods earns fewer.
 * `back`: base quantities by order line.
 */
export async function keptGifts(tx: Queries, back: readonly { readonly id: number; readonly qty: Decimal }[]): Promise<readonly KeptGift[]> {
  if (back.length === 0) return []
  const rows = await tx.rows<OrderLine>(sql`
    select l.id, l.billed_qty - l.returned_qty as kept, round(l.price / l.factor, 4) as price from sales_order_line l
    where l.sales_order_id in (select sales_order_id from sales_order_line where id = any(${back.map(({ id }) => id)}::bigint[]))`)
  const states = new Map(rows.map((row) => [row.id, row]))
  const keptOf = (id: number, isAfter: boolean): Exact => exact(states.get(id)?.kept ?? '0').minus(isAfter ? sum(back.filter((one) => one.id === id).map(({ qty }) => qty)) : zero)
  const tooMany = async (isAfter: boolean): Promise<ReadonlyMap<number, { readonly line: OrderLineState; readonly qty: Exact }>> => {
    const gifts = await earnedGifts(tx, back.map(({ id }) => id), (line) => fixed(keptOf(line.id, isAfter), 3))
    return new Map(gifts.map(({ line, earned }) => {
      const over = keptOf(line.id, isAfter).minus(earned)
      return [line.id, { line, qty: over.gt(0) ? over : zero }]
    }))
  }
  const before = await tooMany(false)
  const after = await tooMany(true)
  return [...after].flatMap(([id, { line, qty }]) => {
    const own = qty.minus(before.get(id)?.qty ?? zero)
    const price = states.get(id)?.price ?? '0'
    return own.gt(0) ? [{ orderLineId: id, itemId: line.item_id, qty: fixed(own, 3), price, amount: money(own.times(price).round(0)) }] : []
  })
}
