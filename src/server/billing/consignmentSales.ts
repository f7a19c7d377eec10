import { addDays, endOfMonth, isDate, periodOf, type DateText } from '#base/date.ts'
import { exact, fixed, type Decimal } from '#base/decimal.ts'
import type { CommandContext, Effect, Precondition, Queries, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { undoConsignedCount } from '#server/inventory/consignedCount.ts'
import { consignedPlace, issueConsigned, takeBackConsigned } from '#server/inventory/consignedGoods.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { consignedPrices, invoiceConsigned, type ConsignedPrices } from './consignedInvoice.ts'

/** What was counted at a customer's against what was brought there: the numbers of the book and the prices are the server's. */
export const consignmentSalesHooks: DocumentHooks = {
  computed: ['warehouse_id', 'territory_id', 'gross', 'discount', 'dpp', 'dpp_other', 'ppn', 'rounding', 'total', 'invoice_id', 'due_date', 'bill_to_id', ...['opening', 'filled', 'picked_up', 'sold', 'uom', 'price', 'price_uom', 'qty', 'gross', 'discount', 'dpp', 'dpp_other', 'ppn', 'total', 'cost'].map((column) => `lines.${column}`)],
  async beforeSave({ context: { tx }, before, header, lines, problem }) {
    const customerId = numberOrNull({ ...before, ...header }, 'customer_id')
    if (customerId === null) return
    const place = await consignedPlace(tx, customerId)
    const customer = await tx.first<{ territory_id: number }>(sql`select territory_id from customer where id = ${customerId}`)
    if (place === undefined) return problem(wrong('CustomerID', 'NOT_A_CHOICE.no-consignment'))
    Object.assign(header, { warehouse_id: place.id, operating_unit_id: place.operatingUnitId, territory_id: customer?.territory_id ?? null })
    const rows = lines?.['Lines'] ?? []
    for (const [i, { columns }] of rows.entries()) {
      if (rows.findIndex((other) => other.columns['item_id'] === columns['item_id']) < i) problem(wrong(`Lines[${i}].ItemID`, 'DUPLICATE.line'))
    }
  },
  async afterSave({ context: { tx } }, { id }) {
    await reckon(tx, await headerOf(tx, id))
  },
}

async function headerOf(tx: Queries, id: number): Promise<Row & { readonly id: number }> {
  const row = await tx.first<Row & { readonly id: number }>(sql`select * from consignment_sales where id = ${id}`)
  if (row === undefined) throw new Error(`Settlement ${id} was not written`)
  return row
}

interface BookLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly item_code: string
  readonly counted: Decimal
  readonly book: Decimal
  readonly filled: Decimal
  readonly picked_up: Decimal
  readonly base_uom: string
}

/** The last day of its month: the price of that day counts. */
function priceDay(document: Row): DateText {
  const period = textOf(document, 'sales_period')
  const first = `${period.slice(0, 4)}-${period.slice(4)}-01`
  return isDate(first) ? endOfMonth(first) : textOf(document, 'count_date')
}

interface Reckoned {
  readonly lines: readonly BookLine[]
  readonly prices: ConsignedPrices
}

/**
 * Works out what is sold: stock at the customer on the day of the count less what was counted. Of that stock `filled` and `picked_up` are what moved since the
 * last settlement; the opening is the rest, corrections of stock included.
 */
async function reckon(tx: Queries, document: Row & { readonly id: number }): Promise<Reckoned> {
  const [warehouse, day] = [numberOf(document, 'warehouse_id'), textOf(document, 'count_date')]
  const last = await tx.first<{ day: DateText }>(sql`select max(count_date) as day from consignment_sales where warehouse_id = ${warehouse} and status = 1 and id <> ${document.id} having max(count_date) is not null`)
  const since = last === undefined ? '0001-01-01' : addDays(last.day, 1)
  const lines = await tx.rows<BookLine>(sql`
    select l.id, l.item_id, i.code as item_code, i.base_uom, l.counted, coalesce(m.book, 0) as book, coalesce(m.filled, 0) as filled, coalesce(m.picked_up, 0) as picked_up
    from consignment_sales_line l join item i on i.id = l.item_id
    left join lateral (
      select sum(qty) as book, sum(qty) filter (where movement_type = '631' and posting_date >= ${since}::date) as filled, -sum(qty) filter (where movement_type = '632' and posting_date >= ${since}::date) as picked_up
      from stock_movement where warehouse_id = ${warehouse} and item_id = l.item_id and posting_date <= ${day}::date
    ) m on true
    where l.consignment_sales_id = ${document.id} order by l.line_no, l.id`)
  const soldOf = (line: BookLine): Decimal => fixed(exact(line.book).minus(line.counted), 3)
  const sold = lines.filter((line) => exact(soldOf(line)).gt(0))
  const prices = await consignedPrices(tx, { id: numberOf(document, 'customer_id'), unit: numberOf(document, 'operating_unit_id') }, priceDay(document), sold.map((line) => ({ key: line.id, itemId: line.item_id, qty: soldOf(line) })))
  if (prices.problems.length > 0) {
    invalid(prices.problems.map((problem) => ({ ...problem, field: problem.field.replace(/\d+/, (place) => String(lines.indexOf(sold[Number(place)] as BookLine))) })))
  }
  const priced = new Map(prices.lines.map((line) => [line.key, line]))
  const rows = lines.map((line) => {
    const own = priced.get(line.id)
    return {
      id: line.id, uom: line.base_uom, opening: fixed(exact(line.book).minus(line.filled).plus(line.picked_up), 3), filled: line.filled, picked_up: line.picked_up, sold: soldOf(line), price: own?.price ?? null, price_uom: own?.uom ?? null, qty: own?.qty ?? '0',
      gross: own?.gross ?? '0', discount: own?.discount ?? '0', dpp: own?.dpp ?? '0', dpp_other: own?.dppOther ?? '0', ppn: own?.ppn ?? '0', total: own?.total ?? '0',
    }
  })
  await tx.run(sql`
    update consignment_sales_line l set uom = x.uom, opening = x.opening, filled = x.filled, picked_up = x.picked_up, sold = x.sold, price = x.price, price_uom = x.price_uom, qty = x.qty, gross = x.gross, discount = x.discount, dpp = x.dpp, dpp_other = x.dpp_other, ppn = x.ppn, total = x.total
    from ${recordset(rows, { id: 'bigint', uom: 'text', opening: 'numeric', filled: 'numeric', picked_up: 'numeric', sold: 'numeric', price: 'numeric', price_uom: 'text', qty: 'numeric', gross: 'numeric', discount: 'numeric', dpp: 'numeric', dpp_other: 'numeric', ppn: 'numeric', total: 'numeric' }, 'x')} where l.id = x.id`)
  const { gross, discount, dpp, dppOther, ppn, rounding, total } = prices.totals
  await tx.run(sql`update consignment_sales set gross = ${gross}, discount = ${discount}, dpp = ${dpp}, dpp_other = ${dppOther}, ppn = ${ppn}, rounding = ${rounding}, total = ${total} where id = ${document.id}`)
  return { lines, prices }
}

/** One settlement of a customer after the other: none waits beside it, and none is of a later count. */
export const settlementIsNext: Precondition = async ({ tx, record }) => {
  const warehouse = numberOf(record, 'warehouse_id')
  await tx.exclusive(`settlements of warehouse ${warehouse}`, async () => {
    const other = await tx.first<{ code: string }>(sql`
      select code from consignment_sales where warehouse_id = ${warehouse} and id <> ${record.id} and (status = 4 or (status = 1 and count_date >= ${textOf(record, 'count_date')}::date)) order by id limit 1`)
    if (other !== undefined) fail('ILLEGAL_TRANSITION.settlement-before', { document: other.code })
  })
}

/** Approved: what was sold leaves the stock at the customer and is invoiced, with the numbers of this moment. */
export const billConsigned: Effect = async (context) => {
  const { tx, current, record } = context
  const date = textOf(current, 'doc_date')
  const unit = numberOf(current, 'operating_unit_id')
  await context.assertPeriodOpen(['SD', 'ST', 'AR', 'GL'], unit, date)
  const { lines, prices } = await reckon(tx, await headerOf(tx, record.id))
  const short = lines.flatMap((line, i) => (exact(line.book).lt(line.counted) ? [wrong(`Lines[${i}].Counted`, 'TOO_LARGE.counted', { book: line.book })] : []))
  if (short.length > 0) invalid(short)
  const sold = lines.filter((line) => exact(line.book).gt(line.counted))
  if (sold.length === 0) fail('VALIDATION_FAILED.nothing-sold')
  const doc = { type: 'consignment_sales', id: record.id, date }
  const costs = await issueConsigned(context, { id: numberOf(current, 'warehouse_id'), operatingUnitId: unit }, doc, sold.map((line) => ({
    lineId: line.id, itemId: line.item_id, itemCode: line.item_code, qty: fixed(exact(line.book).minus(line.counted), 3), at: `Lines[${lines.indexOf(line)}].Counted`,
  })))
  await keepCosts(context, costs)
  const invoice = await invoiceConsigned(context, {
    type: 'CONSIGNMENT', customerId: numberOf(current, 'customer_id'), operatingUnitId: unit, territoryId: numberOrNull(current, 'territory_id'), date, poNumber: null, prices, costs,
  })
  const { gross, discount, dpp, dppOther, ppn, rounding, total } = prices.totals
  context.set({ posting_date: date, period: periodOf(date), invoice_id: invoice.id, due_date: invoice.due, bill_to_id: invoice.billTo, gross, discount, dpp, dpp_other: dppOther, ppn, rounding, total })
}

async function keepCosts({ tx }: CommandContext, costs: ReadonlyMap<number, Decimal>): Promise<void> {
  const rows = [...costs].map(([id, cost]) => ({ id, cost }))
  await tx.run(sql`update consignment_sales_line l set cost = x.cost from ${recordset(rows, { id: 'bigint', cost: 'numeric' }, 'x')} where l.id = x.id`)
}

/** Its invoice is undone, on the day given: the goods stand at the customer again. */
export const giveBackConsigned: Effect = async (context) => {
  const { input, record, today } = context
  const date = isDate(input['date']) ? input['date'] : today
  await context.assertPeriodOpen(['ST', 'GL'], numberOf(record, 'operating_unit_id'), date)
  await takeBackConsigned(context, { type: context.entity.id, id: record.id, date })
  await undoConsignedCount(context, { source: { type: context.entity.id, id: record.id, code: textOf(record, 'code') }, date })
}

/** What an invoice of goods sold at a customer's takes with it when it is undone. */
export async function undoConsigned(context: CommandContext, invoiceId: number, date: DateText): Promise<void> {
  const [settlement] = await context.tx.rows<{ id: number }>(sql`select id from consignment_sales where invoice_id = ${invoiceId} and status = 1`)
  if (settlement !== undefined) await context.transition('consignment_sales', settlement.id, 'give-back', { date })
  const [consumption] = await context.tx.rows<{ id: number }>(sql`select id from cmi_consumption where invoice_id = ${invoiceId} and status = 3`)
  if (consumption !== undefined) await context.transition('cmi_consumption', consumption.id, 'give-back', { date })
}
