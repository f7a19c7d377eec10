import { exact, fixed } from '#base/decimal.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Signed papers of Jakarta's drivers: one delivery whole with its papers back, one of which something was rejected, one being entered. */
export async function proofsOfDelivery(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const due = await database.rows<{ id: number }>(sql`
    select d.id from pod_due d join operating_unit u on u.id = d.operating_unit_id
    where u.code = 'JKT' and d.issued_on <= ${today}::date and exists (select 1 from pod_due_line l where l.delivery_order_id = d.id and l.qty_issued >= 2) order by d.issued_on, d.id limit 3`)
  const reason = await database.first<{ id: number }>(sql`select id from reason where code = 'P03'`)
  for (const [i, { id }] of due.entries()) {
    const lines = await database.rows<{ id: number; qty_issued: string }>(sql`select id, qty_issued from pod_due_line where delivery_order_id = ${id} order by line_no, id`)
    const at = i === 1 ? lines.findIndex((line) => exact(line.qty_issued).gte(2)) : -1
    const Lines = lines.map((line, n) => (n === at
      ? { DeliveryOrderLineID: line.id, QtyReceived: fixed(exact(line.qty_issued).minus(1), 3), QtyRejected: '1', ReasonID: reason?.id, Note: 'Kemasan rusak' }
      : { DeliveryOrderLineID: line.id, QtyReceived: line.qty_issued, QtyRejected: '0' }))
    const made = await desk.enter('billing', 'pod', { DeliveryOrderID: id, DocDate: today, ReceivedDate: today, ReceiverName: ['Ibu Sri', 'Pak Hendra', 'Bagian gudang'][i], DocumentsReturned: i === 0, ReturnedDate: i === 0 ? today : null, Lines }, false)
    if (i < 2) await desk.act('billing', 'pod', made, 'confirm')
  }
}
