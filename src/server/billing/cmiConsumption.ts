import { endOfMonth, isDate, periodOf, type DateText } from '#base/date.ts'
import { compare, exact, fixed, quantityText, type Decimal } from '#base/decimal.ts'
import type { Effect, Queries, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { bookConsignedCount, findConsigned, missConsigned } from '#server/inventory/consignedCount.ts'
import { consignedPlace, issueConsigned } from '#server/inventory/consignedGoods.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { consignedPrices, invoiceConsigned, type ConsignedPrices } from './consignedInvoice.ts'

/** What a customer reports to have used of our stock at his warehouse in a month. A report of the same month takes the place of one that is not billed yet. */
export const cmiConsumptionHooks: DocumentHooks = {
  computed: ['warehouse_id', 'territory_id', 'gross', 'discount', 'dpp', 'dpp_other', 'ppn', 'rounding', 'total', 'invoice_id', ...['item_id', 'uom', 'price', 'price_uom', 'qty', 'gross', 'discount', 'dpp', 'dpp_other', 'ppn', 'total', 'cost'].map((column) => `lines.${column}`)],
  async beforeSave(saving) {
    const { context: { tx }, before, header, problem } = saving
    const row: Row = { ...before, ...header }
    const [customerId, period] = [numberOrNull(row, 'customer_id'), row['sales_period']]
    if (customerId === null || typeof period !== 'string') return
    const [place, customer] = [await consignedPlace(tx, customerId), await tx.first<{ territory_id: number; is_cmi: boolean }>(sql`select territory_id, is_cmi from customer where id = ${customerId}`)]
    if (place === undefined || customer?.is_cmi !== true) return problem(wrong('CustomerID', 'NOT_A_CHOICE.no-consignment'))
    Object.assign(header, { warehouse_id: place.id, operating_unit_id: place.operatingUnitId, territory_id: customer.territory_id })
    const billed = await tx.first<{ code: string }>(sql`select code from cmi_consumption where customer_id = ${customerId} and sales_period = ${period} and status = 3 and id <> ${before?.id ?? 0}`)
    if (billed !== undefined) fail('ILLEGAL_TRANSITION.period-billed', { document: billed.code, period: `${period.slice(4)}/${period.slice(0, 4)}` })
    await checkLines(saving, customerId, period)
  },
  async afterSave({ context, before }, { id }) {
    const { tx } = context
    const document = await headerOf(tx, id)
    await reckon(tx, document)
    if (before !== undefined) return
    const others = await tx.rows<{ id: number }>(sql`
      select id from cmi_consumption where customer_id = ${numberOf(document, 'customer_id')} and sales_period = ${textOf(document, 'sales_period')} and status in (0, 1) and id <> ${id} order by id`)
    for (const other of others) await context.transition('cmi_consumption', other.id, 'replace')
  },
}

async function headerOf(tx: Queries, id: number): Promise<Row & { readonly id: number }> {
  const row = await tx.first<Row & { readonly id: number }>(sql`select * from cmi_consumption where id = ${id}`)
  if (row === undefined) throw new Error(`Consumption ${id} was not written`)
  return row
}

/** Items by the customer's own codes, or ours; the closing follows from the rest, and the opening is the closing of the month before. */
async function checkLines({ context: { tx }, lines, problem }: Saving, customerId: number, period: string): Promise<void> {
  const rows = lines?.['Lines'] ?? []
  const codes = rows.map(({ columns }) => String(columns['customer_item_code'] ?? '').trim().toUpperCase())
  const known = new Map((await tx.rows<{ code: string; item: number }>(sql`
    select distinct on (x.code) x.code, x.item from (
      select upper(customer_item_code) as code, item_id as item, 1 as rank from customer_item where customer_id = ${customerId} and is_active
      union all select upper(code), id, 2 from item union all select upper(barcode), id, 3 from item where barcode is not null
    ) x where x.code = any(${codes}::text[]) order by x.code, x.rank, x.item`)).map((row) => [row.code, row.item]))
  const before = await tx.first<{ id: number }>(sql`select id from cmi_consumption where customer_id = ${customerId} and sales_period < ${period} and status in (1, 3) order by sales_period desc, id desc limit 1`)
  const closings = new Map((before === undefined ? [] : await tx.rows<{ item_id: number; closing: Decimal }>(sql`select item_id, closing from cmi_consumption_line where cmi_consumption_id = ${before.id}`)).map((row) => [row.item_id, row.closing]))
  for (const [i, { columns }] of rows.entries()) {
    const item = known.get(codes[i] ?? '')
    if (item === undefined) {
      problem(wrong(`Lines[${i}].CustomerItemCode`, 'NOT_IN_SCOPE.customer-item', { code: codes[i] ?? '' }))
      continue
    }
    columns['item_id'] = item
    if (codes.findIndex((code) => known.get(code) === item) < i) problem(wrong(`Lines[${i}].CustomerItemCode`, 'DUPLICATE.line'))
    const value = (name: string): Decimal => fixed(String(columns[name] ?? '0'), 3)
    const closing = fixed(exact(value('opening')).plus(value('receipt')).minus(value('usage')).plus(value('adjustment')), 3)
    if (compare(closing, value('closing')) !== 0) problem(wrong(`Lines[${i}].Closing`, 'NOT_EQUAL.closing', { expected: quantityText(closing) }))
    const opening = closings.get(item)
    if (opening !== undefined && compare(opening, value('opening')) !== 0) problem(wrong(`Lines[${i}].Opening`, 'NOT_EQUAL.opening', { expected: quantityText(opening) }))
  }
}

function lastDay(document: Row): DateText {
  const period = textOf(document, 'sales_period')
  const first = `${period.slice(0, 4)}-${period.slice(4)}-01`
  return isDate(first) ? endOfMonth(first) : textOf(document, 'doc_date')
}

interface UsedLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly item_code: string
  readonly base_uom: string
  readonly usage: Decimal
  readonly adjustment: Decimal
}

function usedLines(tx: Queries, id: number): Promise<UsedLine[]> {
  return tx.rows<UsedLine>(sql`
    select l.id, l.item_id, i.code as item_code, i.base_uom, l.usage, l.adjustment from cmi_consumption_line l join item i on i.id = l.item_id where l.cmi_consumption_id = ${id} order by l.line_no, l.id`)
}

interface Reckoned {
  readonly lines: readonly UsedLine[]
  readonly prices: ConsignedPrices
}

/** What was used, at the prices of the last day of the month. */
async function reckon(tx: Queries, document: Row & { readonly id: number }): Promise<Reckoned> {
  const lines = await usedLines(tx, document.id)
  const used = lines.filter((line) => exact(line.usage).gt(0))
  const prices = await consignedPrices(tx, { id: numberOf(document, 'customer_id'), unit: numberOf(document, 'operating_unit_id') }, lastDay(document), used.map((line) => ({ key: line.id, itemId: line.item_id, qty: line.usage })))
  if (prices.problems.length > 0) {
    invalid(prices.problems.map((problem) => ({ ...problem, field: problem.field.replace(/\d+/, (place) => String(lines.indexOf(used[Number(place)] as UsedLine))).replace('ItemID', 'CustomerItemCode') })))
  }
  const priced = new Map(prices.lines.map((line) => [line.key, line]))
  const rows = lines.map((line) => {
    const own = priced.get(line.id)
    return {
      id: line.id, uom: line.base_uom, price: own?.price ?? null, price_uom: own?.uom ?? null, qty: own?.qty ?? '0', gross: own?.gross ?? '0', discount: own?.discount ?? '0', dpp: own?.dpp ?? '0', dpp_other: own?.dppOther ?? '0', ppn: own?.ppn ?? '0', total: own?.total ?? '0',
    }
  })
  await tx.run(sql`
    update cmi_consumption_line l set uom = x.uom, price = x.price, price_uom = x.price_uom, qty = x.qty, gross = x.gross, discount = x.discount, dpp = x.dpp, dpp_other = x.dpp_other, ppn = x.ppn, total = x.total
    from ${recordset(rows, { id: 'bigint', uom: 'text', price: 'numeric', price_uom: 'text', qty: 'numeric', gross: 'numeric', discount: 'numeric', dpp: 'numeric', dpp_other: 'numeric', ppn: 'numeric', total: 'numeric' }, 'x')} where l.id = x.id`)
  const { gross, discount, dpp, dppOther, ppn, rounding, total } = prices.totals
  await tx.run(sql`update cmi_consumption set gross = ${gross}, discount = ${discount}, dpp = ${dpp}, dpp_other = ${dppOther}, ppn = ${ppn}, rounding = ${rounding}, total = ${total} where id = ${document.id}`)
  return { lines, prices }
}

/** No more is used than stood there at the end of the month, less what other months not billed yet have used. */
export const validateConsumption: Effect = async ({ tx, current, today }) => {
  const lines = await usedLines(tx, current.id)
  const warehouse = numberOf(current, 'warehouse_id')
  const end = lastDay(current)
  const stock = new Map((await tx.rows<{ item_id: number; qty: Decimal }>(sql`
    select n.item_id, coalesce((select sum(m.qty) from stock_movement m where m.warehouse_id = ${warehouse} and m.item_id = n.item_id and m.posting_date <= ${end < today ? end : today}::date), 0)
      - coalesce((select sum(l.usage) from cmi_consumption h join cmi_consumption_line l on l.cmi_consumption_id = h.id where h.warehouse_id = ${warehouse} and h.status = 1 and h.id <> ${current.id} and l.item_id = n.item_id), 0) as qty
    from unnest(${lines.map((line) => line.item_id)}::bigint[]) n(item_id)`)).map((row) => [row.item_id, row.qty]))
  const problems = lines.flatMap((line, i) => (exact(line.usage).gt(stock.get(line.item_id) ?? '0') ? [wrong(`Lines[${i}].Usage`, 'EXCEEDS_AVAILABLE.stock', { stock: quantityText(stock.get(line.item_id) ?? '0') })] : []))
  if (problems.length > 0) invalid(problems)
}

/** One invoice of the customer and month: what was used leaves the stock at the customer, and the stock there becomes what he counted. */
export const billConsumption: Effect = async (context) => {
  const { tx, current, record, today } = context
  const unit = numberOf(current, 'operating_unit_id')
  await context.assertPeriodOpen(['SD', 'ST', 'AR', 'GL'], unit, today)
  const { lines, prices } = await reckon(tx, await headerOf(tx, record.id))
  const used = lines.filter((line) => exact(line.usage).gt(0))
  const place = { id: numberOf(current, 'warehouse_id'), operatingUnitId: unit }
  const count = { source: { type: 'cmi_consumption', id: record.id, code: textOf(current, 'code') }, date: today, territoryId: numberOrNull(current, 'territory_id') }
  const adjusted = lines.map((line, i) => ({ lineId: line.id, itemId: line.item_id, itemCode: line.item_code, qty: line.adjustment, at: `Lines[${i}].Adjustment` }))
  const found = await findConsigned(context, place, count, adjusted)
  const costs = await issueConsigned(context, place, { type: 'cmi_consumption', id: record.id, date: today }, used.map((line) => ({
    lineId: line.id, itemId: line.item_id, itemCode: line.item_code, qty: line.usage, at: `Lines[${lines.indexOf(line)}].Usage`,
  })))
  const missed = await missConsigned(context, place, count, adjusted)
  const rows = [...costs].map(([id, cost]) => ({ id, cost }))
  await tx.run(sql`update cmi_consumption_line l set cost = x.cost from ${recordset(rows, { id: 'bigint', cost: 'numeric' }, 'x')} where l.id = x.id`)
  const { id } = await invoiceConsigned(context, {
    type: 'CMI', customerId: numberOf(current, 'customer_id'), operatingUnitId: unit, territoryId: numberOrNull(current, 'territory_id'), date: today, poNumber: null, prices, costs,
  })
  await bookConsignedCount(context, count, unit, [...found, ...missed])
  const { gross, discount, dpp, dppOther, ppn, rounding, total } = prices.totals
  context.set({ posting_date: today, period: periodOf(today), invoice_id: id, gross, discount, dpp, dpp_other: dppOther, ppn, rounding, total })
}
