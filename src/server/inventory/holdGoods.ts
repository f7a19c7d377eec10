import { fixed } from '#base/decimal.ts'
import type { Effect } from '#server/context.ts'
import { insertRowsLater } from '#server/db/insertRows.ts'
import { goodsLeaving } from './moveGoods.ts'
import { releaseHeld } from './reservation.ts'
import { changeBalances, lockBalances } from './stock.ts'

/** What will leave by the document is held for it until it leaves or the document is cancelled. */
export const holdGoods: Effect = async (context) => {
  const { tx, entity, current, now } = context
  const goods = await goodsLeaving(context)
  const kind = entity.id === 'canvas_request' ? 'CANVAS' : 'KITTING'
  const warehouses = [...new Set(goods.flatMap(({ from }) => from ?? []))].sort((a, b) => a - b)
  for (const warehouse of warehouses) {
    const own = goods.filter(({ from }) => from === warehouse)
    const balances = await lockBalances(tx, warehouse, own.map(({ itemId }) => itemId))
    const idOf = (itemId: number, batch: string): number => balances.find((row) => row.item_id === itemId && row.batch === batch)?.id ?? 0
    await changeBalances(tx, own.map(({ itemId, batch, qty }) => ({ id: idOf(itemId, batch), on_hand: '0', reserved: fixed(qty, 3) })))
    await insertRowsLater(tx, 'stock_reservation', own.map(({ itemId, batch, qty }) => ({
      item_id: itemId, warehouse_id: warehouse, batch, qty: fixed(qty, 3), open_qty: fixed(qty, 3), kind, doc_type: entity.id, doc_id: current.id, created_at: now.toISOString(),
    })))
  }
}

/** What the document still holds is free again. */
export const freeGoods: Effect = (context) => releaseHeld(context, { type: context.entity.id, id: context.current.id })
