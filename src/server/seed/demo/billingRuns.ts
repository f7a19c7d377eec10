import { addDays } from '#base/date.ts'
import { billDeliveries } from '#server/billing/billDeliveries.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** Deliveries forgotten some days ago: one run to bill them with an earlier date is agreed to, one waits for the finance manager. */
export async function billingRuns(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const date = addDays(clock.today(), -1)
  const due = await database.rows<{ id: number }>(sql`
    select d.id from billing_due d join operating_unit u on u.id = d.operating_unit_id where u.code = 'JKT' and d.is_ready and d.posting_date <= ${date}::date order by d.posting_date, d.id limit 3`)
  const ids = due.map(({ id }) => id)
  const open = await database.first(sql`select 1 from accounting_period where period = to_char(${date}::date, 'YYYYMM') and module in ('SD', 'AR', 'GL') and status <> 'OPEN' limit 1`)
  if (open !== undefined || ids.length < 3) return
  await desk.command('billing', billDeliveries, ids.slice(0, 1), { InvoiceDate: date })
  const run = await database.first<{ id: number }>(sql`select id from billing_run where status = 4 order by id limit 1`)
  if (run !== undefined) await desk.approve(['finance'], 'billing_run', run.id)
  await desk.command('billing', billDeliveries, ids.slice(1), { InvoiceDate: date })
}
