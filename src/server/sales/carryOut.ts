import type { DateText } from '#base/date.ts'
import { exact, quantityText, sum, type Decimal } from '#base/decimal.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { billIssues } from '#server/billing/billDeliveries.ts'
import { sql } from '#server/db/sql.ts'
import { addPlanned } from '#server/inventory/planDelivery.ts'
import { pricedItems } from '#server/pricing/pricingMasters.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { insertDocument, numberOf, numberOrNull } from '#server/workflow/newDocument.ts'
import { toldAt } from '#server/workflow/periods.ts'
import { enteredPlaces } from './orderCombos.ts'

/** How an order is carried out that went without a plan: as of a day, under the number of elsewhere where the order has another. */
interface Done {
  readonly date: DateText
  readonly reference: string | null
  readonly source: 'IMPORT' | 'SYSTEM'
}

/** A document that came of it. */
interface Made {
  readonly entity: 'delivery_order' | 'invoice'
  readonly id: number
  readonly name: string
}

interface OrderLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly qty_base: Decimal
  readonly is_free: boolean
  readonly combo_no: number | null
}

interface Reserved extends Row {
  readonly order_line_id: number
  readonly batch: string
  readonly qty: Decimal
}

/** All that is done on the day is done in one go: its month is told as closed for every module at once, where the day stands. */
export function assertDayOpen(run: CommandContext, unit: number, date: DateText): Promise<void> {
  return toldAt('DocDate', run.assertPeriodOpen(['SD', 'ST', 'AR', 'GL'], unit, date))
}

/** Delivers, issues and bills lines of an order as of a day; `reference`: the number of elsewhere, where the order has another. */
export async function carryOut(run: CommandContext, order: Row, lines: readonly TakenLine[], done: Done): Promise<readonly Made[]> {
  await addPlanned(run, lines.map((line) => ({ id: line.id, qty: line.qty })))
  const delivery = await deliver(run, order, lines, done)
  await run.transition('delivery_order', delivery.id, 'issue', { posting_date: done.date })
  await run.transition('delivery_order', delivery.id, 'deliver')
  const issues = await run.tx.rows<{ id: number; code: string }>(sql`select id, code from goods_issue where delivery_order_id = ${delivery.id} and status = 1`)
  const invoices = await billIssues(run, issues.map((issue) => issue.id), done.date)
  return [{ entity: 'delivery_order', ...delivery, name: delivery.code }, ...invoices.map((invoice): Made => ({ entity: 'invoice', id: invoice.id, name: invoice.code }))]
}

export interface TakenLine {
  readonly id: number
  readonly itemId: number
  readonly batch: string
  readonly qty: Decimal
}

/** What each order line got of which batch; a line that did not get all is refused where it was entered. */
export async function reservedLines(context: CommandContext, orderId: number): Promise<readonly TakenLine[]> {
  const lines = await context.tx.rows<OrderLine>(sql`select id, item_id, qty_base, is_free, combo_no from sales_order_line where sales_order_id = ${orderId} order by line_no, id`)
  const ids = lines.map((line) => line.id)
  const taken = await context.tx.rows<Reserved>(sql`
    select order_line_id, batch, open_qty as qty from stock_reservation where order_line_id = any(${ids}::bigint[]) and open_qty > 0 order by id`)
  const ofLine = new Map<number, Reserved[]>(ids.map((id) => [id, []]))
  for (const row of taken) ofLine.get(row.order_line_id)?.push(row)
  const places = enteredPlaces(lines.map((line) => line.combo_no))
  const short = lines.flatMap((line, i) => {
    const at = places[i] ?? i
    const got = sum((ofLine.get(line.id) ?? []).map((row) => row.qty))
    return got.gte(line.qty_base) ? [] : [{ at, line, got: quantityText(got) }]
  })
  if (short.length > 0) {
    const items = await pricedItems.all(context.tx, short.map(({ line }) => line.item_id))
    invalid(short.map(({ at, line, got }) => wrong(line.is_free ? 'Lines' : `Lines[${at}].Qty`, 'TOO_LARGE.stock', { item: items.get(line.item_id)?.code ?? '', stock: got })))
  }
  return lines.flatMap((line) => (ofLine.get(line.id) ?? []).map((row) => ({ id: line.id, itemId: line.item_id, batch: row.batch, qty: row.qty })))
}

/** A delivery of its own, picked already: it went without a plan. */
async function deliver(context: CommandContext, order: Row, lines: readonly TakenLine[], { date, reference, source }: Done): Promise<{ readonly id: number; readonly code: string }> {
  const unit = numberOf(order, 'operating_unit_id')
  const code = await context.nextNumber('DO', unit, date)
  const { id } = await insertDocument(
    context,
    'delivery_order',
    {
      code, status: 1, operating_unit_id: unit, territory_id: numberOrNull(order, 'territory_id'), doc_date: date, customer_id: numberOf(order, 'customer_id'),
      ship_to_id: numberOf(order, 'ship_to_id'), sales_order_id: numberOf(order, 'id'), warehouse_id: numberOf(order, 'warehouse_id'), cod_amount: null, external_ref: reference, source,
    },
    { table: 'delivery_order_line', rows: lines.map((line) => ({ order_line_id: line.id, item_id: line.itemId, batch: line.batch, qty_planned: line.qty, qty_picked: exact(line.qty).toFixed(3) })) },
  )
  return { id, code }
}
