import type { CommandContext, Queries, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { settlePromotions } from '#server/pricing/promotionUses.ts'
import { logStatusChanges } from '#server/workflow/newDocument.ts'

interface Progress extends Row {
  readonly id: number
  readonly from_status: number
  readonly status: number
  readonly delivery_status: number
  readonly billing_status: number
  readonly payment_status: number
  readonly stage: string
  /** It takes something of a promotion there is only so much of. */
  readonly has_promotions: boolean
}

/** What orders should say about themselves by their lines and invoices; locks them. Orders that are not approved, or cancelled, are not in the answer. */
export function orderProgress(tx: Queries, orderIds: readonly number[]): Promise<Progress[]> {
  return progressOf(tx, sql`id = any(${[...orderIds]}::bigint[])`)
}

/** As `orderProgress`, for the orders of some lines that are being invoiced: `isOpen` says that of the new invoice something is to be paid. */
export function progressOfLines(tx: Queries, lineIds: readonly number[], isOpen: boolean): Promise<Progress[]> {
  return progressOf(tx, sql`id in (select sales_order_id from sales_order_line where id = any(${[...lineIds]}::bigint[]))`, isOpen)
}

/** `isOpen`: an invoice that is not written yet is open, so nothing is paid to the end. */
function progressOf(tx: Queries, which: Sql, isOpen = false): Promise<Progress[]> {
  return tx.rows<Progress>(sql`
    with locked as (
      select id, status from sales_order where ${which} and status in (1, 2, 3) order by id for update
    ), facts as (
      select o.id, o.status as from_status,
        bool_or(l.delivered_qty > 0) as some_delivered, bool_and(l.delivered_qty + l.cancelled_qty >= l.qty_base) as all_delivered, bool_and(l.cancelled_qty >= l.qty_base) and sum(l.cancelled_qty) > 0 as all_cancelled,
        bool_or(l.billed_qty > 0) as some_billed, bool_and(l.billed_qty >= l.delivered_qty) as all_billed, bool_or(l.planned_qty > 0) as some_planned
      from locked o join sales_order_line l on l.sales_order_id = o.id group by o.id, o.status
    ), money as (
      select f.id, coalesce(bool_and(i.remaining = 0), false) and not ${isOpen}::boolean as all_paid, coalesce(bool_or(i.remaining < i.total), false) as some_paid
      from facts f left join lateral (
        select distinct i.id, i.remaining, i.total from sales_order_line l join invoice_line il on il.order_line_id = l.id join invoice i on i.id = il.invoice_id
        where l.sales_order_id = f.id and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL'
      ) i on true group by f.id
    ), result as (
      select f.*, case when f.some_billed and f.all_delivered and f.all_billed and m.all_paid then 3 when m.some_paid then 2 else 0 end as payment_status,
        case when not f.some_delivered then 0 when f.all_delivered then 3 else 2 end as delivery_status,
        case when not f.some_billed then 0 when f.all_delivered and f.all_billed then 3 else 2 end as billing_status
      from facts f join money m on m.id = f.id
    )
    select id, from_status, case when all_cancelled or (some_delivered and all_delivered and all_billed) then 3 when some_delivered then 2 else 1 end as status, delivery_status, billing_status, payment_status,
      case when payment_status = 3 then 'PAID' when billing_status = 3 then 'BILLED' when some_delivered then 'SHIPPED' when some_planned then 'PLANNED' else 'ALLOCATED' end as stage,
      exists (select 1 from promotion_use u where u.sales_order_id = result.id) as has_promotions
    from result order by id`)
}

/** Brings orders up to their deliveries, invoices and payments, with history. */
export async function refreshOrders(context: CommandContext, orderIds: readonly number[]): Promise<void> {
  const ids = [...new Set(orderIds)].sort((a, b) => a - b)
  if (ids.length === 0) return
  await writeProgress(context, await orderProgress(context.tx, ids))
}

/** Writes what orders should say about themselves, with history. */
export async function writeProgress(context: CommandContext, rows: readonly Progress[]): Promise<void> {
  if (rows.length === 0) return
  context.tx.later(sql`
    update sales_order o set status = r.status, delivery_status = r.delivery_status, billing_status = r.billing_status, payment_status = r.payment_status, stage = r.stage,
      version = o.version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id}
    from ${recordset(rows, { id: 'bigint', status: 'integer', delivery_status: 'integer', billing_status: 'integer', payment_status: 'integer', stage: 'text' }, 'r')} where o.id = r.id
      and (o.status, o.delivery_status, o.billing_status, o.payment_status, o.stage) is distinct from (r.status::smallint, r.delivery_status::smallint, r.billing_status::smallint, r.payment_status::smallint, r.stage)`)
  settlePromotions(context.tx, rows.filter((row) => row.has_promotions).map(({ id }) => id))
  await logStatusChanges(context, 'sales_order', 'progress', rows.map((row) => ({ id: row.id, from: row.from_status, to: row.status })))
}

/** Orders of some order lines. */
export async function ordersOfLines(context: CommandContext, lineIds: readonly number[]): Promise<number[]> {
  const rows = await context.tx.rows<{ id: number }>(sql`select distinct sales_order_id as id from sales_order_line where id = any(${[...lineIds]}::bigint[]) order by 1`)
  return rows.map((row) => row.id)
}
