import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Gift boxes of the warehouses: one packed, one under way, one waiting; in Bandung one packed and taken apart again. */
export async function kits(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const places = await database.rows<{ warehouse: number; code: string }>(sql`
    select w.id as warehouse, u.code from operating_unit u join warehouse w on w.operating_unit_id = u.id and w.kind = 'MAIN' where u.code in ('JKT', 'BDG') order by u.code desc, w.id`)
  for (const { warehouse, code } of places) {
    const combo = await giftBox(database, warehouse)
    if (combo === undefined) continue
    const head = code === 'BDG' ? 'warehouse.bdg' : 'warehouse'
    const entered = async (kind: string, qty: string): Promise<number> => desk.enter('admin', 'kitting_order', { ComboID: combo, Kind: kind, Qty: qty, WarehouseID: warehouse, DocDate: clock.today(), Note: 'Paket bingkisan' })
    const packed = await entered('ASSEMBLE', '6')
    await desk.approve([head], 'kitting_order', packed)
    await desk.act(head, 'kitting_order', packed, 'start')
    await desk.act(head, 'kitting_order', packed, 'finish')
    const reversal = await database.first<{ id: number }>(sql`select id from reason where usage = 'REVERSAL' and is_active order by code limit 1`)
    if (code === 'BDG') {
      await desk.act(head, 'kitting_order', packed, 'reverse', { reason_id: reversal?.id })
      continue
    }
    const under = await entered('ASSEMBLE', '4')
    await desk.approve([head], 'kitting_order', under)
    await desk.act(head, 'kitting_order', under, 'start')
    await entered('DISASSEMBLE', '2')
  }
}

/** A combo kept in stock of which there is enough for a dozen. */
async function giftBox(database: Database, warehouse: number): Promise<number | undefined> {
  const combo = await database.first<{ id: number }>(sql`
    select c.id from combo c where c.kind = 'KIT' and c.is_active and not exists (
      select 1 from combo_component p where p.combo_id = c.id and coalesce((select sum(b.on_hand - b.reserved) from stock_balance b where b.item_id = p.item_id and b.warehouse_id = ${warehouse}), 0) < 12 * p.qty)
    order by c.code limit 1`)
  return combo?.id
}
