import { isDate, periodOf } from '#base/date.ts'
import { compare, exact, fixed, quantityText, sum, type Decimal, type Exact } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import { explode } from '#domain/pricing/combos.ts'
import { unitsOf } from '#domain/pricing/masters.ts'
import type { Row } from '#server/context.ts'
import { columnScope } from '#server/access/scope.ts'
import { sql } from '#server/db/sql.ts'
import { withParts } from '#server/pricing/loadPricing.ts'
import { pricedItems, schemes } from '#server/pricing/pricingMasters.ts'
import { assertDayOpen, carryOut, reservedLines, type TakenLine } from '#server/sales/carryOut.ts'
import { freeBatches, splitByBatch } from '#server/inventory/deliveryEffects.ts'
import { reserve } from '#server/inventory/reservation.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import type { ImportChain } from './chains.ts'

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
    const place = await run.tx.first<{ unit: number }>(sql`select operating_unit_id as unit from sales_order where id = ${id}`)
    if (place !== undefined) await assertDayOpen(run, place.unit, run.today)
    const order = await run.transition('sales_order', id, 'execute')
    return carryOut(run, order, await reservedLines(run, id), { date: textOf(order, 'doc_date'), reference: null, source: 'IMPORT' })
  },

  async use(run, id, values, lines) {
    const order = await run.tx.first(sql`select * from sales_order where id = ${id} for update`)
    if (order === undefined) return fail('NOT_FOUND')
    const code = String(order['code'])
    if (order['status'] !== 1 && order['status'] !== 2) fail('ILLEGAL_TRANSITION.order-not-approved', { order: code })
    const reference = textOf(values, 'external_ref')
    const date = textOf(values, 'doc_date')
    const problems: FieldProblem[] = []
    for (const name of ['customer_id', 'ship_to_id', 'warehouse_id', 'salesman_id', 'po_number']) {
      if (values[name] !== undefined && values[name] !== order[name]) problems.push(wrong(wireName(name), 'NOT_A_CHOICE.of-order', { order: code }))
    }
    if (date < textOf(order, 'doc_date')) problems.push(wrong('DocDate', 'TOO_EARLY.order', { order: code, day: textOf(order, 'doc_date') }))
    const seen = columnScope(run.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'd') ?? sql`true`
    const taken = await run.tx.first<{ code: string | null }>(sql`
      select case when ${seen} then d.code end as code from delivery_order d where lower(d.external_ref) = lower(${reference}) and d.status <> 6
      union all select case when ${seen} then coalesce(d.code, '#' || d.id) end from sales_order d where lower(d.external_ref) = lower(${reference}) and d.status not in (6, 7) and d.id <> ${id} limit 1`)
    if (taken !== undefined) problems.push(taken.code === null ? wrong('ExternalRef', 'DUPLICATE') : wrong('ExternalRef', 'DUPLICATE.executed', { document: taken.code }))
    if (problems.length > 0) invalid(problems)
    await assertDayOpen(run, numberOf(order, 'operating_unit_id'), date)
    const delivered = await openLines(run, order, lines)
    return [{ entity: 'sales_order', id, isUsed: true }, ...(await carryOut(run, order, delivered, { date, reference, source: 'IMPORT' }))]
  },

  async undo(run, [order, ...others], reason) {
    if (order === undefined) return
    const input = { reason_text: reason }
    const { tx, today } = run
    const ours = others.filter(({ entity }) => entity === 'delivery_order').map(({ id }) => id)
    const which = order.isUsed === true ? sql`d.id = any(${ours}::bigint[])` : sql`d.sales_order_id = ${order.id}`
    const invoices = await tx.rows<Row & { id: number; code: string; status: number; posting_date: string; pending_transition: string | null; settled: boolean }>(sql`
      select i.id, i.code, i.status, i.posting_date, i.pending_transition, exists (select 1 from ar_allocation a where a.invoice_id = i.id and a.reversed_at is null) as settled
      from invoice i where i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' and i.id in (
        select il.invoice_id from invoice_line il join goods_issue_line gl on gl.id = il.gi_line_id join goods_issue g on g.id = gl.goods_issue_id
        join delivery_order d on d.id = g.delivery_order_id where ${which})
      order by i.id desc for update of i`)
    for (const invoice of invoices) {
      if (invoice.pending_transition !== null) fail('PENDING_TRANSITION.invoice', { invoice: invoice.code })
      if (invoice.settled) fail('ILLEGAL_TRANSITION.invoice-settled', { invoice: invoice.code })
      if (invoice.status !== 1) fail('ILLEGAL_TRANSITION.invoice-not-open', { invoice: invoice.code })
      // In its own month it is as if it had never been; later it is reversed by a document of its own.
      await run.transition('invoice', invoice.id, periodOf(invoice.posting_date) === periodOf(today) ? 'cancel' : 'reverse', input)
    }
    const deliveries = await tx.rows<{ id: number; status: number }>(sql`select d.id, d.status from delivery_order d where ${which} and d.status in (0, 1, 2, 3, 8) order by d.id desc`)
    for (const delivery of deliveries) {
      if (delivery.status === 3) await run.transition('delivery_order', delivery.id, 'undeliver')
      const issues = await tx.rows<{ id: number }>(sql`select id from goods_issue where delivery_order_id = ${delivery.id} and status = 1`)
      for (const issue of issues) await run.transition('goods_issue', issue.id, 'cancel', input)
      await run.transition('delivery_order', delivery.id, 'cancel', input)
    }
    if (order.isUsed !== true) await run.transition('sales_order', order.id, 'cancel', input)
  },
}

interface OpenLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly uom: string
  readonly open: Decimal
  readonly held: Decimal
  readonly price: Decimal
  readonly gross: Decimal
  readonly manual_discount: Decimal
  readonly combo_item_id: number | null
  readonly combo_no: number | null
  readonly combo_qty: Decimal | null
}

/** A row of a file, or a part of the combo it names. */
interface NamedLine {
  readonly at: number
  readonly row: Row
}

/** Rows that name a combo the order had name its parts; what they say of its price must be what the order says. */
async function unpacked(run: CommandRun, code: string, lines: readonly OpenLine[], rows: readonly Row[], problem: (at: number, field: string, what: FieldProblem) => void): Promise<readonly NamedLine[]> {
  const { combos } = await schemes.get(run.tx)
  const items = await pricedItems.all(run.tx, withParts(rows.map((row) => numberOf(row, 'item_id')), combos))
  return rows.flatMap((row, at): NamedLine[] => {
    const combo = combos.get(numberOf(row, 'item_id'))
    const own = lines.filter((line) => line.combo_item_id !== null && line.combo_item_id === combo?.itemId)
    const [first] = own
    if (combo === undefined || first === undefined || items.get(combo.itemId)?.factors.has(textOf(row, 'uom')) !== true) return [{ at, row }]
    const together = own.filter((line) => line.combo_no === first.combo_no)
    const agreed = { agreed_price: fixed(sum(together.map((line) => line.gross)).div(first.combo_qty ?? '1'), 4), manual_discount: sum(together.map((line) => line.manual_discount)).toFixed(2) }
    for (const [name, value] of Object.entries(agreed)) {
      const given = row[name]
      if (given !== undefined && given !== null && compare(String(given), value) !== 0) problem(at, wireName(name), wrong('', 'NOT_A_CHOICE.order-price', { order: code, value }))
    }
    const parts = explode(combo, 0, { uom: textOf(row, 'uom'), qty: textOf(row, 'qty'), manualDiscount: '0' }, items)
    return parts.map((part) => ({ at, row: { item_id: part.itemId, uom: part.uom, qty: part.qty } }))
  })
}

/** Lines of an approved order that rows of a file name, with what each takes of which batch; what does not fit the order is refused at its row. */
async function openLines(run: CommandRun, order: Row, rows: readonly Row[]): Promise<readonly TakenLine[]> {
  const [orderId, warehouse] = [numberOf(order, 'id'), numberOf(order, 'warehouse_id')]
  const code = String(order['code'])
  const lines = await run.tx.rows<OpenLine>(sql`
    select id, item_id, uom, qty_base - delivered_qty - cancelled_qty - planned_qty as open, reserved_qty - planned_qty as held, price, gross, manual_discount, combo_item_id, combo_no, combo_qty
    from sales_order_line where sales_order_id = ${orderId} order by is_free, line_no, id for update`)
  const taken = new Map<number, Exact>()
  const problems: FieldProblem[] = []
  const named = await unpacked(run, code, lines, rows, (at, field, what) => problems.push({ ...what, field: `Lines[${at}].${field}` }))
  const items = await pricedItems.all(run.tx, named.map(({ row }) => numberOf(row, 'item_id')))
  for (const { at, row } of named) {
    const item = items.get(numberOf(row, 'item_id'))
    const uom = textOf(row, 'uom')
    const factor = item?.factors.get(uom)
    const own = lines.filter((line) => line.item_id === row['item_id']).toSorted((a, b) => Number(b.uom === uom) - Number(a.uom === uom))
    const problem = (field: string, what: FieldProblem): void => void problems.push({ ...what, field: `Lines[${at}].${field}` })
    const [first] = own
    if (item === undefined || first === undefined) {
      problem('ItemID', wrong('', 'NOT_IN_SCOPE.order-item', { order: code }))
      continue
    }
    if (factor === undefined) {
      problem('Uom', wrong('', 'NOT_A_CHOICE.uom', { units: unitsOf(item) }))
      continue
    }
    // The order says what it costs.
    for (const [name, agreed] of [['agreed_price', first.price], ['manual_discount', first.manual_discount]] as const) {
      const given = row[name]
      if (given !== undefined && given !== null && compare(String(given), agreed) !== 0) problem(wireName(name), wrong('', 'NOT_A_CHOICE.order-price', { order: code, value: agreed }))
    }
    if (compare(textOf(row, 'qty'), '0') <= 0) problem('Qty', wrong('', 'TOO_SMALL.quantity'))
    let left = exact(textOf(row, 'qty')).times(factor)
    for (const line of own) {
      const open = exact(line.open).minus(taken.get(line.id) ?? '0')
      const part = left.lt(open) ? left : open
      if (part.lte(0)) continue
      taken.set(line.id, (taken.get(line.id) ?? exact(0)).plus(part))
      left = left.minus(part)
    }
    if (left.gt(0)) problem('Qty', wrong('', 'TOO_LARGE.order-open', { order: code, item: item.code, open: quantityText(sum(own.map((line) => line.open))) }))
  }
  if (problems.length > 0) invalid(problems)
  const wanted = lines.flatMap((line) => {
    const qty = taken.get(line.id)
    return qty === undefined ? [] : [{ line, qty, short: qty.minus(line.held) }]
  })
  const more = await reserve(run, warehouse, wanted.filter(({ short }) => short.gt(0)).map(({ line, short }) => ({
    orderId, orderLineId: line.id, customerId: numberOf(order, 'customer_id'), itemId: line.item_id, qty: fixed(short, 3),
  })))
  for (const { line, qty, short } of wanted) {
    const got = exact(more.get(line.id)?.reserved ?? '0')
    if (short.lte(0) || got.gte(short)) continue
    const at = named.find(({ row }) => row['item_id'] === line.item_id)?.at ?? 0
    problems.push(wrong(`Lines[${at}].Qty`, 'TOO_LARGE.stock', { item: items.get(line.item_id)?.code ?? '', stock: quantityText(qty.minus(short).plus(got)) }))
  }
  if (problems.length > 0) invalid(problems)
  const batches = await freeBatches(run.tx, wanted.map(({ line }) => line.id))
  return wanted.flatMap(({ line, qty }) => splitByBatch({ order_line_id: line.id, qty: fixed(qty, 3) }, batches).map((part) => ({ id: line.id, itemId: line.item_id, batch: part.batch, qty: part.qty })))
}
