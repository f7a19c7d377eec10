import { compare, exact, fixed, isZero, money, sum, type Decimal } from '#base/decimal.ts'
import type { CommandContext, Effect, Precondition, Row, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { dropCalls } from '#server/sales/contractCalls.ts'
import { giftsAhead } from '#server/sales/gifts.ts'
import { ordersOfLines, refreshOrders } from '#server/sales/orderStatus.ts'
import { numberOf } from '#server/workflow/newDocument.ts'
import { release, reserve } from './reservation.ts'

interface BackLine extends Row {
  readonly id: number
  readonly gi_line_id: number
  readonly order_line_id: number
  readonly sales_order_id: number
  readonly order_warehouse_id: number
  readonly order_code: string
  readonly item_id: number
  readonly qty: Decimal
  readonly redelivers: boolean
  readonly issued: Decimal
  readonly issued_cost: Decimal
  readonly billed_qty: Decimal
  readonly returned_qty: Decimal
  readonly returned_cost: Decimal
  readonly open_qty: Decimal
}

/** Lines of a return with the goods issue and the order they are of, those under lock: goods issues first, then order lines, as everybody who bills. */
async function linesBack({ tx, current }: TransitionContext): Promise<BackLine[]> {
  await tx.run(sql`select id from goods_issue where id = ${numberOf(current, 'goods_issue_id')} for update`)
  await tx.run(sql`
    select id from sales_order_line where id in (select g.order_line_id from goods_issue_return_line l join goods_issue_line g on g.id = l.gi_line_id where l.goods_issue_return_id = ${current.id}) order by id for update`)
  return tx.rows<BackLine>(sql`
    select l.id, l.gi_line_id, g.order_line_id, o.id as sales_order_id, o.warehouse_id as order_warehouse_id, o.code as order_code, g.item_id, l.qty, l.redelivers, g.qty as issued, g.cost as issued_cost,
      g.billed_qty, g.returned_qty, g.returned_cost, s.qty_base - s.delivered_qty - s.cancelled_qty - s.planned_qty as open_qty
    from goods_issue_return_line l join goods_issue_line g on g.id = l.gi_line_id join sales_order_line s on s.id = g.order_line_id join sales_order o on o.id = s.sales_order_id
    where l.goods_issue_return_id = ${current.id} order by l.line_no, l.id`)
}

/** Goods come back at what they left at: the share of all that is back by now, less what came back before, so that the parts add up to the issue. */
export const valueReturned: Effect = async (context) => {
  const lines = await linesBack(context)
  if (lines.some((line) => compare(line.billed_qty, '0') > 0)) fail('ILLEGAL_TRANSITION.goods-invoiced')
  const back = new Map<number, { readonly qty: Decimal; readonly cost: Decimal }>()
  const costs = lines.map((line) => {
    const before = back.get(line.gi_line_id) ?? { qty: line.returned_qty, cost: line.returned_cost }
    const qty = exact(before.qty).plus(line.qty)
    const cost = money(exact(line.issued_cost).times(qty).div(line.issued).round(2))
    back.set(line.gi_line_id, { qty: fixed(qty, 3), cost })
    const own = exact(cost).minus(before.cost)
    return { id: line.id, cost: money(own), unit_cost: fixed(own.div(line.qty), 6) }
  })
  await context.tx.run(sql`
    update goods_issue_return_line l set cost = x.cost, unit_cost = x.unit_cost from ${recordset(costs, { id: 'bigint', cost: 'numeric', unit_cost: 'numeric' }, 'x')} where l.id = x.id`)
  const issue = await context.tx.first<{ warehouse_id: number }>(sql`select warehouse_id from goods_issue where id = ${numberOf(context.current, 'goods_issue_id')}`)
  context.set({ cost: money(sum(costs.map(({ cost }) => cost))), warehouse_id: issue?.warehouse_id ?? null })
}

/** What came back was not delivered: the order waits for it again and has it reserved, or does without it, as the reason says. */
export const reopenOrders: Effect = async (context) => {
  const lines = await linesBack(context)
  await changeLines(context, lines, 1)
  const again = lines.filter((line) => line.redelivers)
  for (const warehouse of new Set(again.map((line) => line.order_warehouse_id))) {
    const own = again.filter((line) => line.order_warehouse_id === warehouse)
    await reserve(context, warehouse, own.map((line) => ({ orderId: line.sales_order_id, orderLineId: line.order_line_id, customerId: numberOf(context.current, 'customer_id'), itemId: line.item_id, qty: line.qty })))
  }
  const ahead = await giftsAhead(context.tx, lines.map((line) => line.order_line_id))
  if (ahead.length > 0) fail('ILLEGAL_TRANSITION.gift-not-back', { items: ahead })
  await followLines(context, lines)
}

/** Nothing of the goods issue was invoiced since, and what was to be delivered again still waits for it. */
export const returnedStillOpen: Precondition = async (context) => {
  const lines = await linesBack(context)
  if (lines.some((line) => compare(line.billed_qty, '0') > 0)) fail('ILLEGAL_TRANSITION.goods-invoiced')
  for (const { order_line_id: id, order_code: order, open_qty: open } of lines.filter((line) => line.redelivers)) {
    const needed = sum(lines.filter((line) => line.order_line_id === id && line.redelivers).map((line) => line.qty))
    if (needed.gt(open)) fail('ILLEGAL_TRANSITION.redelivered', { order })
  }
}

/** The goods are at the buyer's after all. What was reserved to be sent again is free to leave. */
export const closeOrdersAgain: Effect = async (context) => {
  await returnedStillOpen(context)
  const lines = await linesBack(context)
  await release(context, lines.filter((line) => line.redelivers).map((line) => ({ orderLineId: line.order_line_id, qty: line.qty })))
  await changeLines(context, lines, -1)
  await followLines(context, lines, true)
}

async function changeLines(context: TransitionContext, lines: readonly BackLine[], sign: 1 | -1): Promise<void> {
  const rows = lines.map((line) => ({ id: line.order_line_id, qty: fixed(exact(line.qty).times(sign), 3), dropped: line.redelivers ? '0' : fixed(exact(line.qty).times(sign), 3) }))
  const dropped = rows.filter((row) => !isZero(row.dropped))
  if (dropped.length > 0) await dropCalls(context, new Map(dropped.map(({ id }) => [id, fixed(sum(dropped.filter((row) => row.id === id).map((row) => row.dropped)), 3)])))
  await context.tx.run(sql`
    update sales_order_line l set delivered_qty = l.delivered_qty - x.qty, cancelled_qty = l.cancelled_qty + x.dropped
    from (select id, sum(qty) as qty, sum(dropped) as dropped from ${recordset(rows, { id: 'bigint', qty: 'numeric', dropped: 'numeric' }, 'y')} group by id) x where l.id = x.id`)
}

/** The goods issue is done once nothing of it is left to be invoiced; its orders stand where their lines put them. */
async function followLines(context: CommandContext & { readonly current: Row }, lines: readonly BackLine[], isBack = false): Promise<void> {
  const issue = await context.tx.first<{ id: number; status: number; is_open: boolean }>(sql`
    select g.id, g.status, exists (select 1 from goods_issue_line l where l.goods_issue_id = g.id and l.billed_qty + l.returned_qty < l.qty) as is_open from goods_issue g where g.id = ${numberOf(context.current, 'goods_issue_id')}`)
  if (issue?.status === 1 && !issue.is_open) await context.transition('goods_issue', issue.id, 'bill')
  if (issue?.status === 3 && isBack) await context.transition('goods_issue', issue.id, 'unbill')
  await refreshOrders(context, await ordersOfLines(context, lines.map((line) => line.order_line_id)))
}
