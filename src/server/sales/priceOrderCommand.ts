import { exact, isDecimal, type Decimal } from '#base/decimal.ts'
import { isDate } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { PricedItem } from '#domain/pricing/masters.ts'
import { creditBlocks } from '#domain/credit/creditCheck.ts'
import { priceOrder, type OrderLine, type OrderTotals, type PricedLine } from '#domain/pricing/priceOrder.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { creditStanding } from '#server/credit/standing.ts'
import { sql } from '#server/db/sql.ts'
import { invalid } from '#server/problemError.ts'
import { loadPricing } from '#server/pricing/loadPricing.ts'
import { lineColumns, totalColumns } from './repriceOrder.ts'

const mostLines = 2_000

/** One line of the body with what can be priced of it. */
interface TypedLine {
  readonly sent: Row
  readonly lineNo: number
  readonly line: OrderLine | null
}

/** Prices an order as typed; nothing is saved. Lines that cannot be priced yet come back as they were sent. */
export const priceOrderCommand: Command = async (context, { body }) => {
  const typed = typedLines(body)
  const customerId = idOf(body['CustomerID'])
  const customer = customerId === null ? undefined : await customerOf(context, customerId)
  if (customer === undefined) return answer(noTotals, typed, [], new Map(), [], [])
  const docDate = body['DocDate']
  const loaded = await loadPricing(context.tx, {
    customerId: customer.id,
    priceDate: isDate(docDate) ? docDate : context.today,
    salesChannelId: idOf(body['SalesChannelID']),
    operatingUnitId: customer.operating_unit_id,
    itemIds: typed.flatMap((entry) => entry.line?.itemId ?? []),
  })
  if (loaded === null) return answer(noTotals, typed, [], new Map(), [], [])
  const { items } = loaded.masters
  const errors = typed.flatMap((entry, at) => lineProblems(entry, at, items))
  const priceable = typed.flatMap((entry) => (entry.line !== null && items.get(entry.line.itemId)?.factors.has(entry.line.uom) === true ? [entry.line] : []))
  const { lines, ...totals } = priceOrder(loaded.context, loaded.masters, priceable)
  const stock = await freeStock(context, lines.map((line) => line.itemId), idOf(body['WarehouseID']) ?? customer.warehouse_id)
  const unpriced = lines.flatMap((line) => {
    const at = typed.findIndex((entry) => entry.lineNo === line.key)
    return line.blocks.some((block) => block.code === 'PR00') ? [{ field: `Lines[${at}].ItemID`, code: 'PR00', text: 'This item has no price for the customer on this day.' }] : []
  })
  return answer(totals, typed, lines, stock, [...errors, ...unpriced], await hints(context, customer, totals, lines, idOf(body['PaymentTermID'])), items)
}

function typedLines(body: Row): TypedLine[] {
  const lines = body['Lines'] ?? []
  if (!Array.isArray(lines)) return invalid([{ field: 'Lines', code: 'WRONG_TYPE', text: 'Lines must be a list.' }])
  if (lines.length > mostLines) return invalid([{ field: 'Lines', code: 'TOO_LONG', text: `An order has at most ${mostLines} lines.` }])
  return lines.filter(isRow).filter((sent) => sent['IsFree'] !== true).map((sent, at) => {
    const lineNo = typeof sent['LineNo'] === 'number' && Number.isInteger(sent['LineNo']) ? sent['LineNo'] : at + 1
    const itemId = idOf(sent['ItemID'])
    const uom = sent['Uom']
    const qty = decimalOf(sent['Qty'], 3)
    const isReady = itemId !== null && typeof uom === 'string' && qty !== null && exact(qty).gt(0)
    const discount = decimalOf(sent['ManualDiscount'], 2)
    return { sent, lineNo, line: isReady ? { key: lineNo, itemId, uom, qty, manualDiscount: discount === null || exact(discount).lt(0) ? '0' : discount } : null }
  })
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function idOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}

function decimalOf(value: unknown, places: number): Decimal | null {
  const text = typeof value === 'number' ? String(value) : value
  return isDecimal(text, places) ? text : null
}

interface CustomerFacts extends Row {
  readonly id: number
  readonly operating_unit_id: number
  readonly payment_term_id: number
  readonly warehouse_id: number | null
}

function customerOf(context: CommandContext, id: number): Promise<CustomerFacts | undefined> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'c')
  return context.tx.first<CustomerFacts>(sql`
    select c.id, c.operating_unit_id, c.payment_term_id, (select w.id from warehouse w where w.operating_unit_id = c.operating_unit_id and w.kind = 'MAIN' order by w.id limit 1) as warehouse_id
    from customer c where c.id = ${id} and ${scope ?? sql`true`}`)
}

function lineProblems({ line, sent }: TypedLine, at: number, items: ReadonlyMap<number, PricedItem>): FieldProblem[] {
  if (line === null) {
    const qty = sent['Qty']
    const wrong = qty !== undefined && qty !== null && qty !== '' && (decimalOf(qty, 3) === null || exact(decimalOf(qty, 3) ?? '0').lte(0))
    return wrong ? [{ field: `Lines[${at}].Qty`, code: 'INVALID', text: 'Enter a quantity above zero.' }] : []
  }
  const item = items.get(line.itemId)
  if (item === undefined) return [{ field: `Lines[${at}].ItemID`, code: 'NOT_IN_SCOPE', text: 'There is no such item.' }]
  if (!item.factors.has(line.uom)) return [{ field: `Lines[${at}].Uom`, code: 'NOT_A_CHOICE', text: `The item is sold by ${[...item.factors.keys()].join(', ')}.` }]
  return []
}

async function freeStock(context: CommandContext, itemIds: readonly number[], warehouseId: number | null): Promise<ReadonlyMap<number, Decimal>> {
  if (warehouseId === null || itemIds.length === 0) return new Map()
  const rows = await context.tx.rows<Row & { item_id: number; free: Decimal }>(sql`
    select item_id, sum(on_hand - reserved) as free from stock_balance where warehouse_id = ${warehouseId} and item_id = any(${[...new Set(itemIds)]}::bigint[]) group by 1`)
  return new Map(rows.map((row) => [row.item_id, row.free]))
}

interface Hint {
  readonly code: string
  readonly text: string
}

/** What would make this order wait for a person, told while it is still typed. */
async function hints(context: CommandContext, customer: CustomerFacts, totals: OrderTotals, lines: readonly PricedLine[], termId: number | null): Promise<Hint[]> {
  const term = await context.tx.first<{ is_cash: boolean }>(sql`select is_cash or is_cod as is_cash from payment_term where id = ${termId ?? customer.payment_term_id}`)
  const standing = await creditStanding(context.tx, customer.id, context.today)
  const order = { total: totals.total, isCash: term?.is_cash ?? false, termDiffers: termId !== null && termId !== customer.payment_term_id }
  const texts = { PR01: 'A line is below its floor price.', PR02: 'A manual discount is above the authority.' } as const
  const codes = new Set(lines.flatMap((line) => line.blocks.map((block) => block.code)))
  return [
    ...creditBlocks(standing, order, context.today).map(({ code, text }) => ({ code, text })),
    ...(['PR01', 'PR02'] as const).filter((code) => codes.has(code)).map((code) => ({ code, text: texts[code] })),
  ]
}

const noTotals: OrderTotals = { gross: '0.00', discount: '0.00', promo: '0.00', dpp: '0.00', dppOther: '0.00', ppn: '0.00', rounding: '0.00', total: '0.00' }

function answer(
  totals: OrderTotals,
  typed: readonly TypedLine[],
  lines: readonly PricedLine[],
  stock: ReadonlyMap<number, Decimal>,
  errors: readonly FieldProblem[],
  found: readonly Hint[],
  items: ReadonlyMap<number, PricedItem> = new Map(),
): Row {
  const byKey = new Map(lines.filter((line) => !line.isFree).map((line) => [line.key, line]))
  const entered = typed.map(({ sent, lineNo }) => {
    const line = byKey.get(lineNo)
    return line === undefined ? { ...sent, LineNo: lineNo } : { ...sent, LineNo: lineNo, ...wireLine(line, stock, items) }
  })
  const free = lines.filter((line) => line.isFree).map((line) => ({ LineNo: null, ParentLineNo: line.parentKey, ...wireLine(line, stock, items) }))
  return { record: { ...wire(totalColumns(totals)), Lines: [...entered, ...free] }, errors, Hints: found }
}

function wireLine(line: PricedLine, stock: ReadonlyMap<number, Decimal>, items: ReadonlyMap<number, PricedItem>): Row {
  const item = items.get(line.itemId)
  return {
    ItemID: line.itemId, ItemCode: item?.code ?? '', ItemName: item?.name ?? '', Uom: line.uom, Qty: line.qty, IsFree: line.isFree, AtpQty: stock.get(line.itemId) ?? '0.000',
    ...wire(lineColumns(line)), Blocks: line.blocks.map((block) => block.code),
  }
}

function wire(columns: Row): Row {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [wireName(name), value]))
}
