import { compare, exact, money } from '#base/decimal.ts'
import type { Clock, Database, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Desk } from './desk.ts'

interface Drop extends Row {
  readonly delivery: number
  readonly plan: number
  readonly unit: string
  readonly customer_id: number
  readonly invoice_id: number
  readonly remaining: string
}

/** What drivers were paid on the spot, those of Jakarta first: one trip counted a little short, one far too short and waiting, the rest still with them. */
export async function cashOnDelivery(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const drops = await database.rows<Drop>(sql`
    select distinct on (u.code <> 'JKT', d.delivery_plan_id) d.id as delivery, u.code as unit, d.delivery_plan_id as plan, d.customer_id, i.id as invoice_id, i.remaining
    from delivery_order d join operating_unit u on u.id = d.operating_unit_id join goods_issue g on g.delivery_order_id = d.id and g.status <> 7
    join goods_issue_line gl on gl.goods_issue_id = g.id join invoice_line l on l.gi_line_id = gl.id join invoice i on i.id = l.invoice_id
    where d.cod_amount > 0 and d.status = 3 and i.status in (1, 2) and i.pending_transition is null and i.posting_date <= ${today}::date
      and not exists (select 1 from delivery_order o where o.delivery_plan_id = d.delivery_plan_id and o.cod_amount > 0 and o.status not in (3, 6))
      and not exists (select 1 from collection_list_line x where x.invoice_id = i.id)
    order by u.code <> 'JKT', d.delivery_plan_id desc, d.id limit 5`)
  const reason = await database.first<{ id: number }>(sql`select id from reason where code = 'A01'`)
  for (const [i, drop] of drops.entries()) {
    const who = drop.unit === 'JKT' ? 'cashier' : 'admin'
    const till = await database.first<{ id: number }>(sql`select c.id from cash_account c join operating_unit u on u.id = c.operating_unit_id where u.code = ${drop.unit} and c.kind = 'CASHIER' order by c.id limit 1`)
    const payment = await desk.enter(who, 'ar_payment', {
      CustomerID: drop.customer_id, PaymentDate: today, DocDate: today, Method: 'COD', DeliveryOrderID: drop.delivery, Amount: drop.remaining, Lines: [{ InvoiceID: drop.invoice_id, Paid: drop.remaining, Credits: [], Deductions: [] }],
    }, false)
    await desk.act(who, 'ar_payment', payment, 'post')
    const short = ['400', '12500'][i]
    if (short === undefined || compare(drop.remaining, short) <= 0) continue
    const isFar = i === 1
    const made = await desk.enter(who, 'cod_reconciliation', {
      DeliveryPlanID: drop.plan, CashAccountID: till?.id, DocDate: today, Counted: money(exact(drop.remaining).minus(short)), DiffReasonID: isFar ? reason?.id : null, Note: isFar ? 'Sopir kurang setor' : null, Lines: [{ ArPaymentID: payment }],
    }, isFar)
    if (!isFar) await desk.act(who, 'cod_reconciliation', made, 'post')
  }
}
