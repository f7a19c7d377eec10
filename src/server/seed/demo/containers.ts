import type { Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

const steps = [[], ['load'], ['load', 'depart'], ['load', 'depart', 'hand-over'], ['load', 'depart', 'hand-over', 'return'], ['load', 'depart', 'hand-over', 'lose'], ['load', 'depart', 'hand-over']] as const

/** Crates of two warehouses: empty, loaded, under way, at a customer, back again and lost. */
export async function containers(database: Database, desk: Desk): Promise<void> {
  const places = await database.rows<{ warehouse: number; unit: number; code: string; customer: number; item: number }>(sql`
    select w.id as warehouse, u.id as unit, u.code, (select min(c.id) from customer c where c.operating_unit_id = u.id and c.status = 1) as customer,
      (select min(b.item_id) from stock_balance b where b.warehouse_id = w.id) as item
    from operating_unit u join warehouse w on w.operating_unit_id = u.id and w.kind = 'MAIN' where u.code in ('JKT', 'BDG') order by u.code desc, w.id`)
  for (const { warehouse, unit, code, customer, item } of places) {
    for (const [n, actions] of (code === 'JKT' ? steps : steps.slice(0, 2)).entries()) {
      const made = await desk.enter('admin', 'inventory_container', {
        Code: `KRAT-${code}-${n + 1}`, Kind: n === 2 ? 'PALLET' : 'CRATE', OperatingUnitID: unit, WarehouseID: warehouse, DepositValue: '75000', Lines: [{ ItemID: item, Qty: '12' }],
      }, false)
      for (const action of actions) {
        await desk.act('admin', 'inventory_container', made, action, action === 'hand-over' ? { customer_id: customer } : action === 'return' ? { warehouse_id: warehouse } : action === 'lose' ? { reason_text: 'Tidak ditemukan saat hitung ulang' } : {})
      }
    }
  }
}
