import { addDays } from '#base/date.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

/** What is asked of credit: a limit raised, one for the season, another term, and a blocked order let go once. */
export async function creditRequests(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const customers = await database.rows<{ id: number; asked: string }>(sql`
    select s.id, floor(s.limit_amount / 1000000) * 1000000 + 20000000 as asked from customer_scorecard s join operating_unit u on u.id = s.operating_unit_id
    where u.code = 'JKT' and s.limit_amount between 1000000 and 100000000 and s.avg_days_late <= 3 order by s.avg_monthly_sales desc, s.id limit 3`)
  const [raised, seasonal, term] = customers
  if (raised !== undefined) {
    const made = await desk.enter('claims', 'credit_limit_request', { CustomerID: raised.id, Type: 'REGULER', DocDate: today, ValidFrom: today, RequestedLimit: raised.asked, ReviewDate: addDays(today, 180), Justification: 'Penjualan naik, bayar tepat waktu' })
    await desk.approve(['finance'], 'credit_limit_request', made)
  }
  if (seasonal !== undefined) await desk.enter('claims', 'credit_limit_request', { CustomerID: seasonal.id, Type: 'TEMPORARY', DocDate: today, ValidFrom: today, ValidTo: addDays(today, 45), RequestedLimit: '25000000', Justification: 'Stok akhir tahun' })
  const longer = await database.first<{ id: number }>(sql`select id from payment_term where is_active and net_days >= 30 and not is_cod order by net_days, id limit 1`)
  if (term !== undefined && longer !== undefined) await desk.enter('claims', 'credit_limit_request', { CustomerID: term.id, Type: 'PAYMENT_TERM', DocDate: today, NewPaymentTermID: longer.id, Justification: 'Diminta pembeli, sama dengan pemasok lain' })
  const blocked = await database.first<{ id: number; customer_id: number }>(sql`
    select o.id, o.customer_id from sales_order o join operating_unit u on u.id = o.operating_unit_id where u.code = 'JKT' and o.status = 4 and o.block_codes && array['CL01', 'CL02'] order by o.id limit 1`)
  if (blocked !== undefined) await desk.enter('claims', 'credit_limit_request', { CustomerID: blocked.customer_id, Type: 'ONE_TIME', DocDate: today, SalesOrderID: blocked.id, Justification: 'Pelunasan dijanjikan minggu ini' })
}
