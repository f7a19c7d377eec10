import { isDeepStrictEqual } from 'node:util'
import type { DateText } from '#base/date.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { PricingContext, Promotion } from '#domain/pricing/masters.ts'
import type { OrderLine, OrderTotals, PricedLine } from '#domain/pricing/priceOrder.ts'
import type { Queries, Row } from '#server/context.ts'
import { insertRows, insertRowsLater } from '#server/db/insertRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { pendingRow } from '#server/db/pendingRows.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { isSame } from '#server/documents/audit.ts'
import { isConsigned, isInAnyCurrency, pricingFor, sentAt, type LoadedMasters } from '#server/pricing/loadPricing.ts'
import { priceWithin } from '#server/pricing/priceWithin.ts'
import { untaxedProblem } from '#server/pricing/pricingMasters.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { wrong } from '#server/problemError.ts'
import { comboColumns, comboOf, enteredPlaces, pricedIds } from './orderCombos.ts'
import { customerOfOrder } from './orderCustomer.ts'

interface StoredLine extends Row {
  readonly id: number
  readonly line_no: number
  readonly item_id: number
  readonly uom: string
  readonly qty: string
  readonly manual_discount: string
  readonly agreed_price: string | null
  readonly contract_line_id: number | null
  readonly promotion_choice: string | null
  readonly is_free: boolean
  readonly parent_line_id: number | null
}

export interface Repriced {
  readonly totals: OrderTotals
  /** What they are in. */
  readonly currency: string
  readonly lines: readonly PricedLine[]
  /** Place of each line among those entered, by its key. */
  readonly places: ReadonlyMap<number, number>
  /** Lines without a price, by their place among those entered. */
  readonly problems: readonly FieldProblem[]
  /** Of a stored draft: something comes out otherwise than it stood there. */
  readonly isChanged?: boolean
  /** Promotions that were open to it, and those it would earn were enough left of them. */
  readonly promotions: readonly Promotion[]
  readonly exhausted: readonly Promotion[]
  /** Line ids by key, once the lines are written. */
  readonly idOf?: ReadonlyMap<number, number>
}

/** Prices entered lines; those given free come after them. `isNew`: parts of a combo were entered as one. */
export async function repriced(tx: Queries, context: PricingContext, masters: LoadedMasters, entered: readonly OrderLine[], isNew = false): Promise<Repriced> {
  const { order: { lines, ...totals }, promotions, exhausted } = await priceWithin(tx, context, masters, entered)
  const at = isNew ? enteredPlaces(entered.map((line) => line.combo?.no)) : [...entered.keys()]
  const places = new Map(entered.map((line, i) => [line.key, at[i] ?? i]))
  return { totals, currency: masters.currency, lines, places, promotions, exhausted, problems: lines.flatMap((line) => unpriced(line, places.get(line.key) ?? 0, masters, context.priceDate)) }
}

/** A line without a price, or without the tax it must bear, said where it was entered. */
export function unpriced(line: PricedLine, at: number, { items, foreign }: Pick<LoadedMasters, 'items' | 'foreign'>, date: DateText): FieldProblem[] {
  const field = `Lines[${at}].ItemID`
  const item = items.get(line.itemId)
  if (item?.untaxed !== undefined) return [untaxedProblem(field, item.code, item.untaxed, date)]
  if (!line.blocks.some((block) => block.code === 'PR00')) return []
  if (foreign !== null) return [wrong(field, 'PR00.currency', { ...foreign })]
  return [line.combo === null ? wrong(field, 'PR00') : wrong(field, 'PR00.part', { item: item?.code ?? '' })]
}

const kept = new WeakMap<object, Map<number, Repriced>>()

/** What a new order came to, for the action that follows in the same transaction. */
export function keepPricing(tx: Queries, orderId: number, result: Repriced): void {
  const own = kept.get(tx.unit) ?? new Map<number, Repriced>()
  kept.set(tx.unit, own)
  own.set(orderId, result)
}

/** Was the order made in this transaction? Then nobody has seen its lines yet, only what was entered. */
export function isMadeHere(tx: Queries, orderId: number): boolean {
  return kept.get(tx.unit)?.has(orderId) === true
}

/** The pricing of an order made in this transaction and not written yet: nothing can have changed it. */
export function keptPricing(tx: Queries, orderId: number): Repriced | undefined {
  return pendingRow(tx, 'sales_order', orderId) === undefined ? undefined : kept.get(tx.unit)?.get(orderId)
}

/**
 * Prices a stored draft anew: entered lines get their amounts, free lines are made afresh, every pricing step is kept. Nothing is written when
 * everything comes out as it stands. The header is the caller's to write.
 */
export async function repriceStored(tx: Queries, order: Row): Promise<Repriced> {
  const orderId = numberOf(order, 'id')
  const [all, steps, buyer] = await Promise.all([
    tx.rows<StoredLine>(sql`
      select id, line_no, item_id, uom, qty, is_free, parent_line_id, agreed_price, contract_line_id, promotion_choice, ${columnList} from sales_order_line where sales_order_id = ${orderId} order by line_no, id`),
    tx.rows<StoredStep>(sql`
      select d.line_id, d.seq, d.source, d.name, d.rate, d.amount from sales_order_discount d join sales_order_line l on l.id = d.line_id where l.sales_order_id = ${orderId} order by d.id`),
    customerOfOrder(tx, numberOf(order, 'customer_id')),
  ])
  if (buyer === undefined) throw new Error(`Customer of order ${orderId} is gone`)
  const stored = all.filter((line) => !line.is_free)
  const { context, masters } = await pricingFor(tx, {
    customerId: buyer.id,
    priceDate: textOf(order, 'doc_date'),
    salesChannelId: numberOrNull(order, 'sales_channel_id'),
    operatingUnitId: numberOrNull(order, 'operating_unit_id'),
    itemIds: stored.flatMap(pricedIds),
    contractLineIds: stored.flatMap((line) => line.contract_line_id ?? []),
    isConsigned: isConsigned(order),
    inAnyCurrency: isInAnyCurrency(order),
    sentAt: sentAt(order),
  }, buyer)
  const result = await repriced(tx, context, masters, stored.map((line) => ({
    key: line.id, itemId: line.item_id, uom: line.uom, qty: line.qty, manualDiscount: line.manual_discount, agreedPrice: line.agreed_price, contractLineId: line.contract_line_id, combo: comboOf(line), choice: line.promotion_choice,
  })))
  const isChanged = !stands(all, steps, result.lines)
  const idOf = isChanged ? await writeLines(tx, orderId, stored, result.lines) : idsOf(result.lines, all.filter((line) => line.is_free).map(({ id }) => id))
  return { ...result, isChanged, idOf }
}

interface StoredStep extends Row {
  readonly line_id: number
}

/** Are lines and steps already what pricing makes of them? */
function stands(stored: readonly StoredLine[], steps: readonly StoredStep[], lines: readonly PricedLine[]): boolean {
  const freeLines = stored.filter((line) => line.is_free)
  const free = lines.filter((line) => line.isFree)
  const paid = lines.filter((line) => !line.isFree)
  if (stored.length !== lines.length || freeLines.length !== free.length) return false
  const byId = new Map(stored.map((line) => [line.id, line]))
  const idOf = idsOf(lines, freeLines.map(({ id }) => id))
  const isSameLine = (line: PricedLine, columns: Row): boolean => {
    const old = byId.get(idOf.get(line.key) ?? 0)
    return old !== undefined && Object.entries(columns).every(([name, value]) => isAlike(name, old[name], value))
  }
  if (!paid.every((line) => isSameLine(line, { ...lineColumns(line), ...comboColumns(line.combo) }))) return false
  if (!free.every((line) => isSameLine(line, { ...freeColumns(line), parent_line_id: line.parentKey }))) return false
  const wanted = stepRows(lines, idOf)
  return steps.length === wanted.length && wanted.every((step, i) => Object.entries(step).every(([name, value]) => isAlike(name, steps[i]?.[name], value)))
}

/** Columns that are texts: of them `1` and `1.0` are two. */
const texts: ReadonlySet<string> = new Set(['uom', 'combo_uom', 'price_source', 'source', 'name'])

function isAlike(column: string, stored: unknown, value: unknown): boolean {
  if (isSame(stored, value, { type: texts.has(column) ? 'text' : 'rate' })) return true
  return typeof stored === 'object' && typeof value === 'object' && isDeepStrictEqual(stored, JSON.parse(JSON.stringify(value)))
}

async function writeLines(tx: Queries, orderId: number, stored: readonly StoredLine[], lines: readonly PricedLine[]): Promise<ReadonlyMap<number, number>> {
  tx.later(sql`delete from sales_order_discount d using sales_order_line l where l.sales_order_id = ${orderId} and d.line_id = l.id`)
  tx.later(sql`delete from sales_order_line where sales_order_id = ${orderId} and is_free`)
  const paid = lines.filter((line) => !line.isFree)
  if (paid.length > 0) {
    const rows = paid.map((line) => ({ id: line.key, ...lineColumns(line), ...comboColumns(line.combo) }))
    tx.later(sql`
      update sales_order_line l set factor = x.factor, qty_base = x.qty_base, list_price = x.list_price, price = x.price, price_source = x.price_source, gross = x.gross, discount_amount = x.discount_amount,
        promo_amount = x.promo_amount, manual_discount = x.manual_discount, dpp = x.dpp, dpp_other = x.dpp_other, ppn = x.ppn, total = x.total, tax_included = x.tax_included, promotion_id = x.promotion_id, price_trace = x.price_trace,
        combo_item_id = x.combo_item_id, combo_no = x.combo_no, combo_qty = x.combo_qty, combo_uom = x.combo_uom, combo_price = x.combo_price
      from ${recordset(rows, lineShape, 'x')} where l.id = x.id`)
  }
  const last = Math.max(0, ...stored.map((line) => line.line_no))
  const free = lines.filter((line) => line.isFree)
  const freeIds = await insertRows(tx, 'sales_order_line', free.map((line, i) => ({ sales_order_id: orderId, line_no: last + 1 + i, parent_line_id: line.parentKey, ...freeColumns(line) })))
  const idOf = idsOf(lines, freeIds)
  await writeSteps(tx, lines, idOf)
  return idOf
}

/** Stored lines are priced under their ids; those given free follow in their order. */
function idsOf(lines: readonly PricedLine[], freeIds: readonly number[]): ReadonlyMap<number, number> {
  const free = lines.filter((line) => line.isFree)
  return new Map([...lines.filter((line) => !line.isFree).map((line) => [line.key, line.key] as const), ...free.map((line, i) => [line.key, freeIds[i] ?? 0] as const)])
}

/** Keeps how each line came to its price. */
export async function writeSteps(tx: Queries, lines: readonly PricedLine[], idOf: ReadonlyMap<number, number>): Promise<void> {
  await insertRowsLater(tx, 'sales_order_discount', stepRows(lines, idOf))
}

function stepRows(lines: readonly PricedLine[], idOf: ReadonlyMap<number, number>): Row[] {
  return lines.flatMap((line) => line.steps.map((step) => ({ line_id: idOf.get(line.key) ?? 0, seq: step.seq, source: step.source, name: step.name, rate: step.rate, amount: step.amount })))
}

const lineShape = {
  id: 'bigint', factor: 'numeric', qty_base: 'numeric', list_price: 'numeric', price: 'numeric', price_source: 'text', gross: 'numeric', discount_amount: 'numeric', promo_amount: 'numeric',
  manual_discount: 'numeric', dpp: 'numeric', dpp_other: 'numeric', ppn: 'numeric', total: 'numeric', tax_included: 'boolean', promotion_id: 'bigint', price_trace: 'jsonb',
  combo_item_id: 'bigint', combo_no: 'integer', combo_qty: 'numeric', combo_uom: 'text', combo_price: 'numeric',
} as const

const columnList = join(Object.keys(lineShape).filter((name) => name !== 'id').map(ident))

/** Amounts of a priced line by column name. */
export function lineColumns(line: PricedLine): Row {
  return {
    factor: line.factor,
    qty_base: line.qtyBase,
    list_price: line.listPrice,
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
    tax_included: line.taxIncluded,
    promotion_id: line.promotionId,
    price_trace: line.trace,
  }
}

/** Columns of a line given free, but for its place and what it belongs to. */
export function freeColumns(line: PricedLine): Row {
  return { item_id: line.itemId, uom: line.uom, qty: line.qty, is_free: true, ...lineColumns(line) }
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
