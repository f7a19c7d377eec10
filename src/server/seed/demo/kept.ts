import { addDays } from '#base/date.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

const projects = ['Hotel Nusantara', 'Bazar akhir tahun', 'Kantin pabrik'] as const

/** Goods kept without an order: in Jakarta one held, one waiting, one in draft; in Bandung one held and one released. */
export async function reservations(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const places = await database.rows<{ warehouse: number; code: string }>(sql`
    select w.id as warehouse, u.code from operating_unit u join warehouse w on w.operating_unit_id = u.id and w.kind = 'MAIN' where u.code in ('JKT', 'BDG') order by u.code desc, w.id`)
  const reason = await database.first<{ id: number }>(sql`select id from reason where usage = 'CANCEL' and is_active order by code limit 1`)
  for (const { warehouse, code } of places) {
    const [item] = await database.rows<{ id: number }>(sql`
      select b.item_id as id from stock_balance b join item i on i.id = b.item_id where b.warehouse_id = ${warehouse} and b.batch = '' and b.on_hand - b.reserved > 60 and not i.is_combo order by i.code desc limit 1`)
    if (item === undefined) continue
    for (const [n, project] of (code === 'JKT' ? projects : projects.slice(0, 2)).entries()) {
      const made = await desk.enter('admin', 'reservation', {
        WarehouseID: warehouse, DocDate: clock.today(), ExpiresOn: addDays(clock.today(), 14 + n), Project: project, Lines: [{ ItemID: item.id, Qty: '6' }],
      }, code === 'BDG' || n < 2)
      if (code === 'JKT' && n > 0) continue
      await desk.approve(['manager'], 'reservation', made)
      if (n === 1) await desk.act('admin', 'reservation', made, 'release', { reason_id: reason?.id })
    }
  }
}
