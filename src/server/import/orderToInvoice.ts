import { isDate, periodOf } from '#base/date.ts'
import { exact, fixed, sum, type Decimal } from '#base/decimal.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { billIssues } from '#server/billing/billDeliveries.ts'
import { sql } from '#server/db/sql.ts'
import { pricedItems } from '#server/pricing/pricingMasters.ts'
import { addPlanned } from '#server/inventory/planDelivery.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { insertDocument, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import type { MadeRecord } from './batches.ts'
import type { ImportChain } from './chains.ts'

interface OrderLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly qty_base: Decimal
  readonly is_free: boolean
}

interface Reserved extends Row {
  readonly order_line_id: number
  readonly batch: string
  readonly qty: Decimal
}

/**
 * Orders that were carried out elsewhere (a marketplace, an earlier system): reserved, delivered, issued and invoiced on their own day, without
 * asking for approval or credit, because the goods have gone. Stock must suffice and the periods of the day must be open.
 */
export const orderToInvoice: ImportChain = {
  guards: { COMMIT: ['goods-issue-post', 'billing-post'], UNDO: ['goods-issue-cancel', 'sales-order-cancel', 'invoice-cancel-request-create'] },

  dayOf(values, today) {
    const date = values['doc_date']
    if (!isDate(date)) return invalid([wrong('DocDate', 'REQUIRED')])
    return date > today ? invalid([wrong('DocDate', 'TOO_LATE.executed')]) : date
  },

  async make(run, id) {
    const order = await run.transition('sales_order', id, 'execute')
    const date = textOf(order, 'doc_date')
    const lines = await reservedLines(run, id)
    await addPlanned(run, lines.map((line) => ({ id: line.id, qty: line.qty })))
    const deliveryId = await deliver(run, order, lines)
    await run.transition('delivery_order', deliveryId, 'issue', { posting_date: date })
    await run.transition('delivery_order', deliveryId, 'deliver')
    const issues = await run.tx.rows<{ id: number; code: string }>(sql`select id, code from goods_issue where delivery_order_id = ${deliveryId} and status = 1`)
    const invoices = await billIssues(run, issues.map((issue) => issue.id), date)
    return invoices.map((invoice): MadeRecord => ({ entity: 'invoice', id: invoice.id, name: invoice.code }))
  },

  async undo(run, id, reason) {
    const input = { reason_text: reason }
    const { tx, today } = run
    const invoices = await tx.rows<Row & { id: number; code: string; status: number; posting_date: string; pending_transition: string | null; settled: boolean }>(sql`
      select i.id, i.code, i.status, i.posting_date, i.pending_transition, exists (select 1 from ar_allocation a where a.invoice_id = i.id and a.reversed_at is null) as settled
      from invoice i where i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' and i.id in (
        select il.invoice_id from invoice_line il join sales_order_line l on l.id = il.order_line_id where l.sales_order_id = ${id})
      order by i.id desc for update of i`)
    for (const invoice of invoices) {
      if (invoice.pending_transition !== null) fail('PENDING_TRANSITION.invoice', { invoice: invoice.code })
      if (invoice.settled) fail('ILLEGAL_TRANSITION.invoice-settled', { invoice: invoice.code })
      if (invoice.status !== 1) fail('ILLEGAL_TRANSITION.invoice-not-open', { invoice: invoice.code })
      // In its own month it is as if it had never been; later it is reversed by a document of its own.
      await run.transition('invoice', invoice.id, periodOf(invoice.posting_date) === periodOf(today) ? 'cancel' : 'reverse', input)
    }
    const deliveries = await tx.rows<{ id: number; status: number }>(sql`select id, status from delivery_order where sales_order_id = ${id} and status in (0, 1, 2, 3, 8) order by id desc`)
    for (const delivery of deliveries) {
      if (delivery.status === 3) await run.transition('delivery_order', delivery.id, 'undeliver')
      const issues = await tx.rows<{ id: number }>(sql`select id from goods_issue where delivery_order_id = ${delivery.id} and status = 1`)
      for (const issue of issues) await run.transition('goods_issue', issue.id, 'cancel', input)
      await run.transition('delivery_order', delivery.id, 'cancel', input)
    }
    await run.transition('sales_order', id, 'cancel', input)
  },
}

interface TakenLine {
  readonly id: number
  readonly itemId: number
  readonly batch: string
  readonly qty: Decimal
}

/** What each order line got of which batch; a line that did not get all is refused where it was entered. */
async function reservedLines(context: CommandContext, orderId: number): Promise<readonly TakenLine[]> {
  const lines = await context.tx.rows<OrderLine>(sql`select id, item_id, qty_base, is_free from sales_order_line where sales_order_id = ${orderId} order by line_no, id`)
  const ids = lines.map((line) => line.id)
  const taken = await context.tx.rows<Reserved>(sql`
    select order_line_id, batch, open_qty as qty from stock_reservation where order_line_id = any(${ids}::bigint[]) and open_qty > 0 order by id`)
  const ofLine = new Map<number, Reserved[]>(ids.map((id) => [id, []]))
  for (const row of taken) ofLine.get(row.order_line_id)?.push(row)
  const short = lines.flatMap((line, at) => {
    const got = sum((ofLine.get(line.id) ?? []).map((row) => row.qty))
    return got.gte(line.qty_base) ? [] : [{ at, line, got: fixed(got, 3) }]
  })
  if (short.length > 0) {
    const items = await pricedItems.all(context.tx, short.map(({ line }) => line.item_id))
    invalid(short.map(({ at, line, got }) => wrong(line.is_free ? 'Lines' : `Lines[${at}].Qty`, 'TOO_LARGE.stock', { item: items.get(line.item_id)?.code ?? '', stock: got })))
  }
  return lines.flatMap((line) => (ofLine.get(line.id) ?? []).map((row) => ({ id: line.id, itemId: line.item_id, batch: row.batch, qty: row.qty })))
}

/** A delivery of its own, picked already: it went without a plan. */
async function deliver(context: CommandContext, order: Row, lines: readonly TakenLine[]): Promise<number> {
  const unit = numberOf(order, 'operating_unit_id')
  const date = textOf(order, 'doc_date')
  const { id } = await insertDocument(
    context,
    'delivery_order',
    {
      code: await context.nextNumber('DO', unit, date), status: 1, operating_unit_id: unit, territory_id: numberOrNull(order, 'territory_id'), doc_date: date, customer_id: numberOf(order, 'customer_id'),
      ship_to_id: numberOf(order, 'ship_to_id'), sales_order_id: numberOf(order, 'id'), warehouse_id: numberOf(order, 'warehouse_id'), cod_amount: null, source: 'IMPORT',
    },
    { table: 'delivery_order_line', rows: lines.map((line) => ({ order_line_id: line.id, item_id: line.itemId, batch: line.batch, qty_planned: line.qty, qty_picked: exact(line.qty).toFixed(3) })) },
  )
  return id
}
