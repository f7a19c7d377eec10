import type { FieldProblem } from '#api/problems.ts'
import { priceOrder, type OrderTotals, type PricedLine } from '#domain/pricing/priceOrder.ts'
import type { Queries, Row } from '#server/context.ts'
import { insertRows, insertRowsLater } from '#server/db/insertRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { loadPricing } from '#server/pricing/loadPricing.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { wrong } from '#server/problemError.ts'

export interface StoredLine extends Row {
  readonly id: number
  readonly line_no: number
  readonly item_id: number
  readonly uom: string
  readonly qty: string
  readonly manual_discount: string
  readonly note: string | null
}

export interface Repriced {
  readonly totals: OrderTotals
  readonly lines: readonly PricedLine[]
  readonly problems: readonly FieldProblem[]
}

/**
 * Prices a stored draft anew: entered lines get their amounts, free lines are made afresh, every pricing step is kept.
 * The header is the caller's to write.
 */
export async function repriceStored(tx: Queries, order: Row): Promise<Repriced> {
  const orderId = numberOf(order, 'id')
  const stored = await tx.rows<StoredLine>(sql`
    select id, line_no, item_id, uom, qty, manual_discount, note from sales_order_line where sales_order_id = ${orderId} and not is_free order by line_no, id`)
  const loaded = await loadPricing(tx, {
    customerId: numberOf(order, 'customer_id'),
    priceDate: textOf(order, 'doc_date'),
    salesChannelId: numberOrNull(order, 'sales_channel_id'),
    operatingUnitId: numberOrNull(order, 'operating_unit_id'),
    itemIds: stored.map((line) => line.item_id),
  })
  if (loaded === null) throw new Error(`Customer of order ${orderId} is gone`)
  const { lines, ...totals } = priceOrder(
    loaded.context,
    loaded.masters,
    stored.map((line) => ({ key: line.id, itemId: line.item_id, uom: line.uom, qty: line.qty, manualDiscount: line.manual_discount })),
  )
  await writeLines(tx, orderId, stored, lines)
  const at = new Map(stored.map((line, i) => [line.id, i]))
  const problems = lines.flatMap((line) =>
    line.blocks.filter((block) => block.code === 'PR00').map((): FieldProblem => wrong(`Lines[${at.get(line.key) ?? 0}].ItemID`, 'PR00')),
  )
  return { totals, lines, problems }
}

async function writeLines(tx: Queries, orderId: number, stored: readonly StoredLine[], lines: readonly PricedLine[]): Promise<void> {
  tx.later(sql`delete from sales_order_discount d using sales_order_line l where l.sales_order_id = ${orderId} and d.line_id = l.id`)
  tx.later(sql`delete from sales_order_line where sales_order_id = ${orderId} and is_free`)
  const paid = lines.filter((line) => !line.isFree)
  if (paid.length > 0) {
    const rows = paid.map((line) => ({ id: line.key, ...lineColumns(line) }))
    tx.later(sql`
      update sales_order_line l set factor = x.factor, qty_base = x.qty_base, price = x.price, price_source = x.price_source, gross = x.gross, discount_amount = x.discount_amount,
        promo_amount = x.promo_amount, manual_discount = x.manual_discount, dpp = x.dpp, dpp_other = x.dpp_other, ppn = x.ppn, total = x.total, promotion_id = x.promotion_id, price_trace = x.price_trace
      from ${recordset(rows, lineShape, 'x')} where l.id = x.id`)
  }
  const last = Math.max(0, ...stored.map((line) => line.line_no))
  const free = lines.filter((line) => line.isFree)
  const freeIds = await insertRows(tx, 'sales_order_line', free.map((line, i) => freeRow(orderId, last + 1 + i, line)))
  const idOf = new Map([...paid.map((line) => [line.key, line.key] as const), ...free.map((line, i) => [line.key, freeIds[i] ?? 0] as const)])
  await insertRowsLater(tx, 'sales_order_discount', lines.flatMap((line) => line.steps.map((step) => ({ line_id: idOf.get(line.key) ?? 0, seq: step.seq, source: step.source, name: step.name, rate: step.rate, amount: step.amount }))))
}

const lineShape = {
  id: 'bigint', factor: 'numeric', qty_base: 'numeric', price: 'numeric', price_source: 'text', gross: 'numeric', discount_amount: 'numeric', promo_amount: 'numeric',
  manual_discount: 'numeric', dpp: 'numeric', dpp_other: 'numeric', ppn: 'numeric', total: 'numeric', promotion_id: 'bigint', price_trace: 'jsonb',
} as const

/** Amounts of a priced line by column name. */
export function lineColumns(line: PricedLine): Row {
  return {
    factor: line.factor,
    qty_base: line.qtyBase,
    price: line.price,
    price_source: line.priceSource,
    gross: line.gross,
    discount_amount: line.discount,
    promo_amount: line.promo,
    manual_discount: line.manualDiscount,
    dpp: line.dpp,
    dpp_other: line.dppOther,
    ppn: line.ppn,
    total: line.total,
    promotion_id: line.promotionId,
    price_trace: line.trace,
  }
}

function freeRow(orderId: number, lineNo: number, line: PricedLine): Row {
  return { sales_order_id: orderId, line_no: lineNo, item_id: line.itemId, uom: line.uom, qty: line.qty, is_free: true, parent_line_id: line.parentKey, ...lineColumns(line) }
}

/** Header columns of the totals. */
export function totalColumns(totals: OrderTotals): Row {
  return {
    gross: totals.gross,
    discount: totals.discount,
    promo: totals.promo,
    dpp: totals.dpp,
    dpp_other: totals.dppOther,
    ppn: totals.ppn,
    rounding: totals.rounding,
    total: totals.total,
  }
}
