import type { Decimal } from '#base/decimal.ts'
import type { EntityId } from '#generated/names.ts'
import type { Precondition, Queries } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import type { ItemKey, Side } from './openItems.ts'

/**
 * What documents waiting for their approval, or made of one that was approved, hold of open items: they are to settle it, or use it up. `own`: the
 * document that asks, whose part is its own. Only of items held; those are under lock, so that nobody holds more meanwhile.
 */
export async function heldItems(tx: Queries, type: string, ids: readonly number[], own: ItemKey, side: Side = 'settled'): Promise<ReadonlyMap<number, Decimal>> {
  if (ids.length === 0) return new Map()
  // What is paid before it may be used is held for the one or the other; of everything else there is one amount.
  const bySide = type === 'vendor_advance' ? sql`and h.side = ${side}` : sql``
  const rows = await tx.rows<{ id: number; amount: Decimal }>(sql`
    select h.item_id as id, sum(h.amount) as amount from held_item h
    where h.item_type = ${type} and h.item_id = any(${[...new Set(ids)]}::bigint[]) ${bySide} and not (h.document_type = ${own.type} and h.document_id = ${own.id}) group by h.item_id`)
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}

/** Asked when an open item is to be taken back: nothing that waits may be about to settle it or to use it up. */
export const itemIsFree: Precondition = async ({ tx, entity, current }) => {
  const holder = await tx.first<{ type: EntityId; id: number }>(sql`select document_type as type, document_id as id from held_item where item_type = ${entity.id} and item_id = ${current.id} order by 1, 2 limit 1`)
  if (holder === undefined) return
  const named = await tx.first<{ code: string }>(sql`select coalesce(code, 'DRAFT-' || id) as code from ${ident(holder.type)} where id = ${holder.id}`)
  fail('ILLEGAL_TRANSITION.held', { document: named?.code ?? '' })
}
