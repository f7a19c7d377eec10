import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

const requests = [
  { purpose: 'SAMPLE', event: 'Pameran Jakarta Fair', note: 'Sampel untuk pengunjung' },
  { purpose: 'DONATION', event: 'Panti asuhan Kasih Bunda', note: 'Sumbangan akhir tahun' },
  { purpose: 'DISPLAY', event: 'Pembukaan toko', note: 'Pajangan rak depan' },
] as const

/** Goods given away: in Jakarta one issued, one approved, one waiting; in Bandung one issued and taken back. */
export async function gifts(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const places = await database.rows<{ warehouse: number; code: string }>(sql`
    select w.id as warehouse, u.code from operating_unit u join warehouse w on w.operating_unit_id = u.id and w.kind = 'MAIN' where u.code in ('JKT', 'BDG') order by u.code desc, w.id`)
  for (const { warehouse, code } of places) {
    const [item] = await database.rows<{ id: number }>(sql`
      select b.item_id as id from stock_balance b join item i on i.id = b.item_id where b.warehouse_id = ${warehouse} and b.batch = '' and b.on_hand - b.reserved > 60 and not i.is_combo order by i.code desc limit 1`)
    if (item === undefined) continue
    for (const [n, { purpose, event, note }] of (code === 'JKT' ? requests : requests.slice(0, 1)).entries()) {
      const made = await desk.enter('admin', 'free_goods_request', { WarehouseID: warehouse, DocDate: clock.today(), Purpose: purpose, Event: event, Note: note, Lines: [{ ItemID: item.id, Qty: '3' }] })
      if (n === 2) continue
      await desk.approve(['manager', 'finance'], 'free_goods_request', made)
      if (n === 1) continue
      await desk.act('admin', 'free_goods_request', made, 'issue')
      const reason = await database.first<{ id: number }>(sql`select id from reason where usage = 'REVERSAL' and is_active order by code limit 1`)
      if (code === 'BDG') await desk.act('admin', 'free_goods_request', made, 'reverse', { reason_id: reason?.id })
    }
  }
}
