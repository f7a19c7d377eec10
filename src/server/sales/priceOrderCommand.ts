import { exact, isDecimal, type Decimal } from '#base/decimal.ts'
import { isDate } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import type { OrderHint } from '#api/order.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { PricedItem } from '#domain/pricing/masters.ts'
import { creditBlocks } from '#domain/credit/creditCheck.ts'
import { priceOrder, type OrderLine, type OrderTotals, type PricedLine } from '#domain/pricing/priceOrder.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { creditStanding } from '#server/credit/standing.ts'
import { sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import { pricingFor, type BuyerRow } from '#server/pricing/loadPricing.ts'
import { mainWarehouse } from './orderCustomer.ts'
import { minimumsBroken, minimumSentence } from './orderLimits.ts'
import { totalColumns } from './repriceOrder.ts'

const mostLines = 2_000

/** One line of the body with what can be priced of it. */
interface TypedLine {
  readonly sent: Row
  readonly lineNo: number
  readonly line: OrderLine | null
}

/** Prices an order as typed; nothing is saved. Lines that cannot be priced yet come back as they were sent. */
export const priceOrderCommand: Command = async (context, { body, params }) => {
  const typed = typedLines(body)
  const customerId = idOf(body['CustomerID'])
  const customer = customerId === null ? undefined : await customerOf(context, customerId)
  if (customer === undefined) return answer(noTotals, typed, [], new Map(), [], [])
  const docDate = body['DocDate']
  const loaded = await pricingFor(
    context.tx,
    {
      customerId: customer.id,
      priceDate: isDate(docDate) ? docDate : context.today,
      salesChannelId: idOf(body['SalesChannelID']),
      operatingUnitId: customer.operating_unit_id,
      itemIds: typed.flatMap((entry) => entry.line?.itemId ?? []),
    },
    customer,
  )
  const { items } = loaded.masters
  const errors = typed.flatMap((entry, at) => lineProblems(entry, at, items))
  const priceable = typed.flatMap((entry) => (entry.line !== null && items.get(entry.line.itemId)?.factors.has(entry.line.uom) === true ? [entry.line] : []))
  const { lines, ...totals } = priceOrder(loaded.context, loaded.masters, priceable)
  const [stock, found] = await Promise.all([
    freeStock(context, lines.map((line) => line.itemId), idOf(body['WarehouseID']) ?? customer.warehouse_id),
    hints(context, customer, totals, lines, idOf(body['PaymentTermID'])),
  ])
  const at = new Map(typed.map((entry, i) => [entry.lineNo, i] as const).reverse())
  const unpriced = lines.flatMap((line) => (line.blocks.some((block) => block.code === 'PR00') ? [wrong(`Lines[${at.get(line.key) ?? 0}].ItemID`, 'PR00')] : []))
  return answer(totals, typed, lines, stock, [...errors, ...unpriced], found, items, params['Trace'] === true)
}

function typedLines(body: Row): TypedLine[] {
  const lines = body['Lines'] ?? []
  if (!Array.isArray(lines)) return invalid([wrong('Lines', 'WRONG_TYPE.lines')])
  if (lines.length > mostLines) return invalid([wrong('Lines', 'TOO_LONG.lines', { limit: mostLines })])
  return lines.filter(isRow).filter((sent) => sent['IsFree'] !== true).map((sent, at) => {
    const lineNo = typeof sent['LineNo'] === 'number' && Number.isInteger(sent['LineNo']) ? sent['LineNo'] : at + 1
    const itemId = idOf(sent['ItemID'])
    const uom = sent['Uom']
    const qty = decimalOf(sent['Qty'], 3)
    const isReady = itemId !== null && typeof uom === 'string' && qty !== null && exact(qty).gt(0)
    const discount = decimalOf(sent['ManualDiscount'], 2)
    const agreed = decimalOf(sent['AgreedPrice'], 4)
    return { sent, lineNo, line: isReady ? { key: lineNo, itemId, uom, qty, manualDiscount: discount === null || exact(discount).lt(0) ? '0' : discount, agreedPrice: agreed === null || exact(agreed).lt(0) ? null : agreed } : null }
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

interface CustomerFacts extends BuyerRow {
  readonly id: number
  readonly payment_term_id: number
  readonly warehouse_id: number | null
}

function customerOf(context: CommandContext, id: number): Promise<CustomerFacts | undefined> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'c')
  return context.tx.first<CustomerFacts>(sql`
    select c.id, c.price_set_id, c.pricing_group_id, c.customer_category_id, c.territory_id, c.sales_channel_id, c.operating_unit_id, c.payment_term_id, ${mainWarehouse} as warehouse_id
    from customer c where c.id = ${id} and ${scope ?? sql`true`}`)
}

function lineProblems({ line, sent }: TypedLine, at: number, items: ReadonlyMap<number, PricedItem>): FieldProblem[] {
  if (line === null) {
    const qty = sent['Qty']
    const isWrong = qty !== undefined && qty !== null && qty !== '' && (decimalOf(qty, 3) === null || exact(decimalOf(qty, 3) ?? '0').lte(0))
    return isWrong ? [wrong(`Lines[${at}].Qty`, 'INVALID.quantity')] : []
  }
  const item = items.get(line.itemId)
  if (item === undefined) return [wrong(`Lines[${at}].ItemID`, 'NOT_IN_SCOPE.item')]
  if (!item.factors.has(line.uom)) return [wrong(`Lines[${at}].Uom`, 'NOT_A_CHOICE.uom', { units: [...item.factors.keys()] })]
  return []
}

async function freeStock(context: CommandContext, itemIds: readonly number[], warehouseId: number | null): Promise<ReadonlyMap<number, Decimal>> {
  if (warehouseId === null || itemIds.length === 0) return new Map()
  const rows = await context.tx.rows<Row & { item_id: number; free: Decimal }>(sql`
    select item_id, sum(on_hand - reserved) as free from stock_balance where warehouse_id = ${warehouseId} and item_id = any(${[...new Set(itemIds)]}::bigint[]) group by 1`)
  return new Map(rows.map((row) => [row.item_id, row.free]))
}

/** What would make this order wait for a person, told while it is still typed. */
async function hints(context: CommandContext, customer: CustomerFacts, totals: OrderTotals, lines: readonly PricedLine[], termId: number | null): Promise<OrderHint[]> {
  const [term, standing] = await Promise.all([
    context.tx.first<{ is_cash: boolean }>(sql`select is_cash or is_cod as is_cash from payment_term where id = ${termId ?? customer.payment_term_id}`),
    creditStanding(context.tx, customer.id, context.today),
  ])
  const order = { total: totals.total, isCash: term?.is_cash ?? false, termDiffers: termId !== null && termId !== customer.payment_term_id }
  const codes = new Set(lines.flatMap((line) => line.blocks.map((block) => block.code)))
  const orderer = { customerId: customer.id, channelId: customer.sales_channel_id, categoryId: customer.customer_category_id, territoryId: customer.territory_id }
  const below = await minimumsBroken(context.tx, orderer, lines.map((line) => ({ itemId: line.itemId, qty: line.qtyBase, value: line.dpp, isFree: line.isFree })))
  return [
    ...(await Promise.all(below.map(async (broken) => ({ code: broken.code, ...(await minimumSentence(context.tx, broken)), ...(broken.action === 'WARN' ? { isWarning: true as const } : {}) })))),
    ...creditBlocks(standing, order, context.today).map(({ code, sentence }) => ({ code, ...said(sentence) })),
    ...(['PR01', 'PR02'] as const).filter((code) => codes.has(code)).map((code) => ({ code, ...tell(`block.${code}.hint`) })),
  ]
}

const noTotals: OrderTotals = { gross: '0.00', discount: '0.00', promo: '0.00', dpp: '0.00', dppOther: '0.00', ppn: '0.00', rounding: '0.00', total: '0.00' }

function answer(
  totals: OrderTotals,
  typed: readonly TypedLine[],
  lines: readonly PricedLine[],
  stock: ReadonlyMap<number, Decimal>,
  errors: readonly FieldProblem[],
  found: readonly OrderHint[],
  items: ReadonlyMap<number, PricedItem> = new Map(),
  isTraced = false,
): Row {
  const byKey = new Map(lines.filter((line) => !line.isFree).map((line) => [line.key, line]))
  const entered = typed.map(({ sent, lineNo }): Row => {
    const line = byKey.get(lineNo)
    if (line === undefined) return { ...sent, LineNo: lineNo }
    const row = pricedAnswer(line, stock, items, isTraced)
    row['LineNo'] = lineNo
    // What else was sent comes back. The other way round (the answer spread over what was sent) takes a hundred times as long.
    for (const key of Object.keys(sent)) if (!Object.hasOwn(row, key)) row[key] = sent[key]
    return row
  })
  const free = lines.filter((line) => line.isFree).map((line): Row => {
    const row = pricedAnswer(line, stock, items, isTraced)
    row['LineNo'] = null
    row['ParentLineNo'] = line.parentKey
    return row
  })
  return { record: { ...wireOf(totalColumns(totals)), Lines: [...entered, ...free] }, errors, Hints: found }
}

/**
 * What pricing found of a line. Written out, though the columns' names would give the same (a test holds the two together): hundreds of lines are
 * answered at every pause of typing, and an object that is built key by key costs several times as much.
 */
function pricedAnswer(line: PricedLine, stock: ReadonlyMap<number, Decimal>, items: ReadonlyMap<number, PricedItem>, isTraced: boolean): Row {
  const item = items.get(line.itemId)
  const row: Row = {
    ItemID: line.itemId,
    ItemCode: item?.code ?? '',
    ItemName: item?.name ?? '',
    Uom: line.uom,
    Qty: line.qty,
    IsFree: line.isFree,
    AtpQty: stock.get(line.itemId) ?? '0.000',
    Factor: line.factor,
    QtyBase: line.qtyBase,
    Price: line.price,
    PriceSource: line.priceSource,
    Gross: line.gross,
    DiscountAmount: line.discount,
    PromoAmount: line.promo,
    ManualDiscount: line.manualDiscount,
    Dpp: line.dpp,
    DppOther: line.dppOther,
    Ppn: line.ppn,
    Total: line.total,
    PromotionID: line.promotionId,
    Blocks: line.blocks.map((block) => block.code),
  }
  if (isTraced) row['PriceTrace'] = line.trace
  return row
}

function wireOf(columns: Row): Row {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [wireName(name), value]))
}
