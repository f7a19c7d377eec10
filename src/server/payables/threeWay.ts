import { addDays } from '#base/date.ts'
import { exact, fixed, grouped, money, quantityText, sum, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { tolerance } from '#server/settings.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import type { Match } from './matchInvoice.ts'

interface OrderLine extends Row {
  readonly id: number
  readonly price: Decimal
  readonly received_qty: Decimal
  readonly billed_qty: Decimal
  readonly bp_id: number
  readonly operating_unit_id: number
}

interface ReceiptLine extends Row {
  readonly id: number
  readonly po_line_id: number
  readonly qty_received: Decimal
  readonly billed_qty: Decimal
  readonly cost: Decimal
  readonly gr_date: string
}

/** What an invoice line takes of one receipt, or of none: goods that have not come yet. */
export interface Billed {
  readonly receiptLineId: number | null
  readonly orderLineId: number
  readonly qty: Decimal
  readonly value: Decimal
  readonly grDate: string | null
}

interface InvoiceLine {
  readonly no: number
  readonly qty: Exact
  readonly price: Decimal
  readonly order: OrderLine
  /** Received and not billed, less what lines before this one take. */
  readonly open: Exact
  readonly billed: readonly Billed[]
}

/**
 * The lines of an invoice of goods with what they take of receipts, oldest first, as far as received and billed quantities of their order leave
 * it (cumulated: goods billed before they came are not billed again when they do). Receipts and orders are locked, receipts first.
 */
export async function invoicedGoods(context: TransitionContext): Promise<readonly InvoiceLine[]> {
  const { tx, current } = context
  const lines = (await linesOf(context)).map(({ row }) => row)
  const ids = lines.flatMap((line) => numberOrNull(line, 'po_line_id') ?? [])
  await tx.run(sql`select id from goods_receipt where id in (select goods_receipt_id from goods_receipt_line where po_line_id = any(${ids}::bigint[])) order by id for update`)
  await tx.run(sql`select id from purchase_order where id in (select purchase_order_id from purchase_order_line where id = any(${ids}::bigint[])) order by id for update`)
  const orders = new Map((await tx.rows<OrderLine>(sql`
    select l.id, coalesce(l.price, 0) as price, l.received_qty, l.billed_qty, o.bp_id, o.operating_unit_id from purchase_order_line l join purchase_order o on o.id = l.purchase_order_id
    where l.id = any(${ids}::bigint[]) order by l.id for update of l`)).map((line) => [line.id, line]))
  const receipts = await tx.rows<ReceiptLine>(sql`
    select g.id, g.po_line_id, g.qty_received, g.billed_qty, g.cost, r.gr_date from goods_receipt_line g join goods_receipt r on r.id = g.goods_receipt_id
    where g.po_line_id = any(${ids}::bigint[]) and r.status = 1 order by r.gr_date, g.id for update of g`)
  const taken = new Map<number, Exact>()
  const left = new Map(receipts.map((receipt) => [receipt.id, exact(receipt.qty_received).minus(receipt.billed_qty)]))
  const problems: FieldProblem[] = []
  const found = lines.flatMap((line, i): InvoiceLine[] => {
    const order = orders.get(numberOrNull(line, 'po_line_id') ?? 0)
    if (order === undefined || order.bp_id !== current['vendor_id'] || order.operating_unit_id !== current['operating_unit_id']) {
      problems.push(wrong(`Lines[${i}].PoLineID`, 'NOT_IN_SCOPE.order-line'))
      return []
    }
    const qty = exact(textOf(line, 'qty'))
    const before = taken.get(order.id) ?? zero
    const open = exact(order.received_qty).minus(order.billed_qty).minus(before)
    taken.set(order.id, before.plus(qty))
    return [{ no: numberOf(line, 'line_no'), qty, price: textOf(line, 'price'), order, open, billed: take(order, receipts, left, { qty, open }) }]
  })
  if (problems.length > 0) invalid(problems)
  return found
}

/** What is taken of a receipt is worth its part of the receipt's cost, so that all parts come to the whole; what has not come is worth the order's price. */
function take(order: OrderLine, receipts: readonly ReceiptLine[], left: Map<number, Exact>, { qty, open }: { readonly qty: Exact; readonly open: Exact }): readonly Billed[] {
  const found: Billed[] = []
  let received = open.lt(qty) ? open : qty
  for (const receipt of receipts) {
    const there = left.get(receipt.id) ?? zero
    if (receipt.po_line_id !== order.id || !there.gt(0) || !received.gt(0)) continue
    const part = there.lt(received) ? there : received
    const whole = exact(receipt.qty_received)
    const worth = (billed: Exact): Exact => exact(money(exact(receipt.cost).times(billed).div(whole)))
    const value = worth(whole.minus(there).plus(part)).minus(worth(whole.minus(there)))
    found.push({ receiptLineId: receipt.id, orderLineId: order.id, qty: fixed(part, 3), value: money(value), grDate: receipt.gr_date })
    left.set(receipt.id, there.minus(part))
    received = received.minus(part)
  }
  const rest = qty.minus(sum(found.map((one) => one.qty)))
  return rest.gt(0) ? [...found, { receiptLineId: null, orderLineId: order.id, qty: fixed(rest, 3), value: money(rest.times(order.price)), grDate: null }] : found
}

/** Quantity and price of each line against receipts and order, the day against the latest receipt billed. */
export async function goodsMatches(context: TransitionContext): Promise<readonly Match[]> {
  const { tx, current } = context
  const unit = numberOf(current, 'operating_unit_id')
  const lines = await invoicedGoods(context)
  const found: Match[] = []
  for (const { no, qty, price, order, open } of lines) {
    const over = qty.minus(open)
    const mostQty = await tolerance(tx, 'AP_QTY', unit, order.received_qty)
    found.push({ rule: 'AP_QTY', line: no, expected: quantityText(open.lt(0) ? zero : open), actual: quantityText(qty), difference: over.gt(0) ? quantityText(over) : '0', isFine: !over.gt(mostQty) })
    const apart = exact(price).minus(order.price).times(qty)
    const mostPrice = await tolerance(tx, 'AP_PRICE', unit, money(qty.times(order.price)))
    found.push({ rule: 'AP_PRICE', line: no, expected: grouped(money(order.price)), actual: grouped(money(price)), difference: grouped(money(apart)), isFine: !apart.abs().gt(mostPrice) })
  }
  const latest = lines.flatMap(({ billed }) => billed.flatMap(({ grDate }) => grDate ?? [])).toSorted().at(-1)
  const date = textOf(current, 'doc_date')
  return latest === undefined ? found : [...found, { rule: 'AP_DATE', expected: latest, actual: date, difference: '', isFine: date >= addDays(latest, -3) }]
}
