import { compare, exact, fixed, isDecimal, quantityText, sum, type Decimal, type Exact } from '#base/decimal.ts'
import { isDate, type DateText } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import type { OrderHint } from '#api/order.ts'
import type { FieldProblem } from '#api/problems.ts'
import { unitCalled, unitsOf, type PricingMasters } from '#domain/pricing/masters.ts'
import { creditBlocks, type CreditStanding } from '#domain/credit/creditCheck.ts'
import { baseOf } from '#domain/ledger/inBooks.ts'
import { stockPromises } from '#domain/sales/stockPromise.ts'
import { explode, type ComboOf } from '#domain/pricing/combos.ts'
import type { OrderLine, OrderTotals, PricedLine } from '#domain/pricing/priceOrder.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { creditStanding } from '#server/credit/standing.ts'
import { isRow } from '#server/documents/bodyColumns.ts'
import { deriveCommand } from '#server/documents/deriveCommand.ts'
import { foreignMoney } from '#server/documents/bookMoney.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { sql } from '#server/db/sql.ts'
import { nextTurn } from '#server/nextTurn.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { rateOn } from '#server/setup/exchangeRates.ts'
import { said, tell } from '#server/sentences.ts'
import { isInAnyCurrency, pricingFor, sentAt, type BuyerRow } from '#server/pricing/loadPricing.ts'
import { competingPromotions } from '#server/pricing/competingPromotions.ts'
import { priceWithin } from '#server/pricing/priceWithin.ts'
import { setting } from '#server/settings.ts'
import { textOf } from '#server/workflow/newDocument.ts'
import { calledAsTyped } from './typedCalls.ts'
import { comboOf, comboProblem } from './orderCombos.ts'
import { mainWarehouse } from './orderCustomer.ts'
import { exhaustedCode } from './exhausted.ts'
import { isLate, lateCode, lateDelivery } from './lateDelivery.ts'
import { minimumsBroken, minimumSentence, quotaHints } from './orderLimits.ts'
import { partCode, partsOfPieces } from './partsOfPieces.ts'
import { totalColumns, unpriced } from './repriceOrder.ts'

const mostLines = 2_000

/** One line of the body with what can be priced of it; its key is its place in the body. */
interface TypedLine {
  readonly sent: Row
  readonly lineNo: number
  readonly line: OrderLine | null
}

/** Lines to be priced, and what each came of. */
interface Unpacked {
  readonly lines: readonly OrderLine[]
  /** Place of the typed line by key. */
  readonly owners: ReadonlyMap<number, number>
  readonly errors: readonly FieldProblem[]
}

/** Prices an order as typed; nothing is saved. Lines that cannot be priced yet come back as they were sent. */
export const priceOrderCommand: Command = async (context, input) => {
  const { body, params } = input
  // Lines brought along are priced when they stand in the form.
  if (typeof params['Brought'] === 'string') return deriveCommand(knownEntity(context.metadata, 'sales_order'))(context, input)
  const entered = typedLines(body)
  const customerId = idOf(body['CustomerID'])
  const [customer, kept, sent] = await Promise.all([customerId === null ? undefined : customerOf(context, customerId), keptCombos(context, idOf(body['ID']), entered), sentBefore(context, idOf(body['ID']))])
  if (customer === undefined) return answer(noTotals, entered, [], noMasters, new Map(), new Map(), [], [])
  const docDate = body['DocDate']
  const loaded = await pricingFor(
    context.tx,
    {
      customerId: customer.id,
      priceDate: isDate(docDate) ? docDate : context.today,
      salesChannelId: idOf(body['SalesChannelID']),
      operatingUnitId: customer.operating_unit_id,
      itemIds: [...entered.flatMap(({ sent }) => idOf(sent['ItemID']) ?? []), ...[...kept.values()].map((combo) => combo.itemId)],
      contractLineIds: entered.flatMap(({ line }) => line?.contractLineId ?? []),
      inAnyCurrency: isInAnyCurrency({ order_type: body['OrderType'], contract_id: body['ContractID'] }),
      sentAt: sent,
    },
    customer,
  )
  const { masters } = loaded
  const typed = entered.map((entry) => withUnit(entry, masters))
  // The database looks for these while the order is priced here.
  const warehouseId = idOf(body['WarehouseID']) ?? customer.warehouse_id
  const asked = Promise.all([freeStock(context, [...masters.items.keys()], warehouseId), orderingFacts(context, customer, idOf(body['PaymentTermID']), body['OrderType'] === 'TRADER'), notSold(context, idOf(body['ID']), typed)])
  asked.catch(() => undefined)
  await nextTurn()
  const unpacked = unpack(typed, kept, masters, loaded.context.priceDate)
  const { order: { lines, ...totals }, exhausted } = await priceWithin(context.tx, loaded.context, masters, unpacked.lines)
  // The desk on which promotions are chosen shows what there is to choose.
  const rivals = body['FormVersion'] === 2 ? await competingPromotions(context.tx, loaded.context, masters, unpacked.lines) : undefined
  const [stock, facts, unsold] = await asked
  const money = await foreignMoney(context.tx, knownEntity(context.metadata, 'sales_order'), { currency: body['Currency'], rate: decimalOf(body['Rate'], 8) }, customer.operating_unit_id, masters.currency)
  const rate = await rateOn(context.tx, customer.operating_unit_id, masters.currency, loaded.context.priceDate, 'CustomerID')
  if (typeof rate !== 'string') money.push(rate)
  const short = warehouseId !== null ? await shortage(context, customer.operating_unit_id, lines, stock, masters) : []
  const requested = body['RequestedDate']
  const late = isLate(requested, isDate(docDate) ? docDate : context.today) ? [{ code: lateCode, ...lateDelivery(requested), isWarning: true as const }] : []
  const spent = exhausted.length === 0 ? [] : [{ code: exhaustedCode, ...tell('warning.promotion-exhausted', { promotions: exhausted.map(({ code }) => code) }), isWarning: true as const }]
  const found = [...spent, ...(rivals?.sentences ?? []).map((sentence) => ({ code: 'PROMO_CHOICE', ...sentence, isNote: true as const })), ...brokenCombos(typed, lines, kept, masters), ...late, ...(await hints(context, customer, facts, totals, lines, loaded.context.priceDate, typeof rate === 'string' ? rate : '1')), ...short]
  // On the desk of several days each line says what is there for it.
  const dayOf = (key: number): DateText | null => {
    const day = typed[unpacked.owners.get(key) ?? -1]?.sent['RequestedDate'] ?? requested
    return isDate(day) ? day : null
  }
  const promised = body['FormVersion'] === 3 ? stockPromises(lines.map((line) => ({ key: line.key, itemId: line.itemId, qtyBase: line.qtyBase, day: dayOf(line.parentKey ?? line.key) })), stock) : undefined
  const called = await calledAsTyped(context.tx, idOf(body['ContractID']), customer.id, loaded.context.priceDate, typed, lines)
  const withoutPrice = lines.flatMap((line) => unpriced(line, unpacked.owners.get(line.key) ?? 0, masters, loaded.context.priceDate))
  return answer(totals, typed, lines, masters, unpacked.owners, stock, [...money, ...unpacked.errors, ...withoutPrice, ...unsold, ...called.problems], found, kept, params['Trace'] === true, rivals?.codes, called.offers, promised)
}

/** Combo that a stored line came out of, and what the line costs in it. */
interface KeptPart extends ComboOf {
  readonly price: Decimal
}

/** Combos of which something was changed: what is left of them is at prices of its own, which whoever typed it is told. */
function brokenCombos(typed: readonly TypedLine[], lines: readonly PricedLine[], kept: ReadonlyMap<number, KeptPart>, { items }: PricingMasters): OrderHint[] {
  const changes = new Map<number, Set<string>>()
  for (const line of lines) {
    const part = kept.get(idOf(typed[line.key]?.sent['ID']) ?? 0)
    if (part === undefined || line.combo !== null || line.isFree) continue
    const known = changes.get(part.itemId) ?? new Set()
    known.add(`${items.get(line.itemId)?.code ?? ''} ${quantityText(line.price)} (${quantityText(part.price)})`)
    changes.set(part.itemId, known)
  }
  return [...changes].map(([itemId, parts]) => ({ code: 'COMBO_CHANGED', ...tell('warning.combo-changed', { combo: items.get(itemId)?.code ?? '', items: [...parts] }), isNote: true }))
}

/** When a stored order was sent, if it has been. */
async function sentBefore(context: CommandContext, orderId: number | null): Promise<string | null> {
  if (orderId === null) return null
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'o')
  const row = await context.tx.first(sql`select o.submitted_at from sales_order o where o.id = ${orderId} and ${scope ?? sql`true`}`)
  return row === undefined ? null : sentAt(row)
}

/** The combos that lines of a stored order came out of, by line. */
async function keptCombos(context: CommandContext, orderId: number | null, typed: readonly TypedLine[]): Promise<ReadonlyMap<number, KeptPart>> {
  const ids = typed.flatMap(({ sent }) => idOf(sent['ID']) ?? [])
  if (orderId === null || ids.length === 0) return new Map()
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'o')
  const rows = await context.tx.rows<Row & { id: number }>(sql`
    select l.id, l.combo_item_id, l.combo_no, l.combo_qty, l.combo_uom, l.combo_price, l.price from sales_order_line l join sales_order o on o.id = l.sales_order_id
    where o.id = ${orderId} and l.id = any(${ids}::bigint[]) and l.combo_item_id is not null and ${scope ?? sql`true`}`)
  return new Map(rows.flatMap((row) => {
    const combo = comboOf(row)
    return combo === null ? [] : [[row.id, { ...combo, price: textOf(row, 'price') }] as const]
  }))
}

/** Lines that name anew what is not active any more (of a duplicate, say): saving will refuse them. On the line where it stood before it may stay. */
async function notSold(context: CommandContext, orderId: number | null, typed: readonly TypedLine[]): Promise<readonly FieldProblem[]> {
  const ids = [...new Set(typed.flatMap(({ sent }) => idOf(sent['ItemID']) ?? []))]
  if (ids.length === 0) return []
  const rows = await context.tx.rows<Row & { id: number; stays: number[] }>(sql`
    select i.id, array(select l.id from sales_order_line l where l.sales_order_id = ${orderId}::bigint and l.item_id = i.id) as stays from item i where i.id = any(${ids}::bigint[]) and not i.is_active`)
  const unsold = new Map(rows.map(({ id, stays }) => [id, stays]))
  return typed.flatMap(({ sent }, at) => {
    const stays = unsold.get(idOf(sent['ItemID']) ?? 0)
    return stays === undefined || stays.includes(idOf(sent['ID']) ?? 0) ? [] : [wrong(`Lines[${at}].ItemID`, 'INACTIVE')]
  })
}

/** Combos as their parts, other lines as they are; what cannot be priced is left out and said. */
function unpack(typed: readonly TypedLine[], kept: ReadonlyMap<number, KeptPart>, masters: PricingMasters, date: string): Unpacked {
  const { items, combos = new Map() } = masters
  const lines: OrderLine[] = []
  const owners = new Map<number, number>()
  const errors: FieldProblem[] = []
  let combosSoFar = Math.max(0, ...[...kept.values()].map(({ no }) => no))
  for (const [at, entry] of typed.entries()) {
    const problems = lineProblems(entry, at, masters, date)
    errors.push(...problems)
    if (entry.line === null || problems.length > 0) continue
    const combo = combos.get(entry.line.itemId)
    if (combo === undefined) {
      lines.push({ ...entry.line, combo: kept.get(idOf(entry.sent['ID']) ?? 0) ?? null })
      owners.set(at, at)
      continue
    }
    combosSoFar += 1
    for (const part of explode(combo, combosSoFar, entry.line, items)) {
      const key = typed.length + owners.size
      lines.push({ ...part, key })
      owners.set(key, at)
    }
  }
  return { lines, owners, errors }
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
    return { sent, lineNo, line: isReady ? { key: at, itemId, uom, qty, manualDiscount: discount === null || exact(discount).lt(0) ? '0' : discount, agreedPrice: agreed === null || exact(agreed).lt(0) ? null : agreed, contractLineId: idOf(sent['ContractLineID']), choice: typeof sent['PromotionChoice'] === 'string' && sent['PromotionChoice'] !== '' ? sent['PromotionChoice'] : null } : null }
  })
}

function withUnit(entry: TypedLine, { items }: PricingMasters): TypedLine {
  const { line, sent } = entry
  if (line === null) return entry
  const uom = unitCalled(items.get(line.itemId), line.uom)
  return uom === line.uom ? entry : { ...entry, line: { ...line, uom }, sent: { ...sent, Uom: uom } }
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
    select c.id, c.price_set_id, c.pricing_group_id, c.customer_category_id, c.customer_group_id, c.sales_area_id, c.territory_id, c.sales_channel_id, c.operating_unit_id, c.payment_term_id, ${mainWarehouse} as warehouse_id
    from customer c where c.id = ${id} and ${scope ?? sql`true`}`)
}

function lineProblems({ line, sent }: TypedLine, at: number, { items, combos }: PricingMasters, date: string): FieldProblem[] {
  if (line === null) {
    const qty = sent['Qty']
    const isWrong = qty !== undefined && qty !== null && qty !== '' && (decimalOf(qty, 3) === null || exact(decimalOf(qty, 3) ?? '0').lte(0))
    return isWrong ? [wrong(`Lines[${at}].Qty`, 'INVALID.quantity')] : []
  }
  const item = items.get(line.itemId)
  if (item === undefined) return [wrong(`Lines[${at}].ItemID`, 'NOT_IN_SCOPE.item')]
  if (!item.factors.has(line.uom)) return [wrong(`Lines[${at}].Uom`, 'NOT_A_CHOICE.uom', { units: unitsOf(item) })]
  const combo = combos?.get(item.id)
  if (combo === undefined || combos === undefined) return []
  const problem = comboProblem(`Lines[${at}].ItemID`, item, combo, date, combos)
  if (problem !== null) return [problem]
  return explode(combo, 0, line, items).some((part) => compare(part.qty, '0') <= 0) ? [wrong(`Lines[${at}].Qty`, 'TOO_SMALL.quantity')] : []
}

async function freeStock(context: CommandContext, itemIds: readonly number[], warehouseId: number | null): Promise<ReadonlyMap<number, Decimal>> {
  if (warehouseId === null || itemIds.length === 0) return new Map()
  // The warehouse comes as sent: what another unit has in stock is not told.
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id' }, 'w')
  const own = scope ? sql`and exists (select 1 from warehouse w where w.id = ${warehouseId} and ${scope})` : sql``
  const rows = await context.tx.rows<Row & { item_id: number; free: Decimal }>(sql`
    select item_id, sum(on_hand - reserved) as free from stock_balance where warehouse_id = ${warehouseId} and item_id = any(${[...new Set(itemIds)]}::bigint[]) ${own} group by 1`)
  return new Map(rows.map((row) => [row.item_id, row.free]))
}

/** More than there is to be had, of all lines of an item together: what becomes of the rest is the company's decision. */
async function shortage(context: CommandContext, operatingUnitId: number, lines: readonly PricedLine[], stock: ReadonlyMap<number, Decimal>, { items }: PricingMasters): Promise<OrderHint[]> {
  const ordered = new Map<number, Exact>()
  for (const line of lines) ordered.set(line.itemId, (ordered.get(line.itemId) ?? exact('0')).plus(line.qtyBase))
  const short = [...ordered].flatMap(([itemId, qty]) => {
    const item = items.get(itemId)
    return item === undefined || qty.lte(stock.get(itemId) ?? '0') ? [] : [item]
  })
  if (short.length === 0) return []
  const policy = await setting(context.tx, 'backorder', operatingUnitId, 'KEEP')
  if (policy === 'BLOCK') return [{ code: 'ST01', ...tell('block.ST01', { items: short.map(({ code }) => code) }) }]
  const few = short.map(({ id, code, baseUom }) => `${code} ${quantityText(stock.get(id) ?? '0')} ${baseUom}`)
  return [{ code: 'ST01', ...tell(policy === 'CUT' ? 'warning.short-cut' : 'warning.short', { items: few }), isNote: true }]
}

/** What decides, beside the prices, whether an order waits for a person. */
interface OrderingFacts {
  readonly standing: CreditStanding
  readonly isCash: boolean
  /** The term of the order is not the customer's. */
  readonly termDiffers: boolean
  readonly isWithoutCredit: boolean
}

async function orderingFacts(context: CommandContext, customer: CustomerFacts, termId: number | null, isWithoutCredit: boolean): Promise<OrderingFacts> {
  const [term, standing] = await Promise.all([
    context.tx.first<{ is_cash: boolean }>(sql`select is_cash or is_cod as is_cash from payment_term where id = ${termId ?? customer.payment_term_id}`),
    creditStanding(context.tx, customer.id, context.today),
  ])
  return { standing, isCash: term?.is_cash ?? false, termDiffers: termId !== null && termId !== customer.payment_term_id, isWithoutCredit }
}

/** What would make this order wait for a person, told while it is still typed. */
async function hints(context: CommandContext, customer: CustomerFacts, { standing, ...terms }: OrderingFacts, totals: OrderTotals, lines: readonly PricedLine[], date: DateText, rate: Decimal): Promise<OrderHint[]> {
  const order = { total: baseOf(totals.total, rate), ...terms }
  const codes = new Set(lines.flatMap((line) => line.blocks.map((block) => block.code)))
  const orderer = { customerId: customer.id, channelId: customer.sales_channel_id, categoryId: customer.customer_category_id, territoryId: customer.territory_id }
  const ordered = lines.map((line) => ({ itemId: line.itemId, qty: line.qtyBase, value: baseOf(line.dpp, rate), isFree: line.isFree }))
  const [below, over, parts] = await Promise.all([
    minimumsBroken(context.tx, orderer, ordered), quotaHints(context.tx, orderer, date, customer.operating_unit_id, ordered), partsOfPieces(context.tx, lines),
  ])
  return [
    ...(parts === undefined ? [] : [{ code: partCode, ...parts.sentence, isWarning: true as const }]),
    ...(await Promise.all(below.map(async (broken) => ({ code: broken.code, ...(await minimumSentence(context.tx, broken)), ...(broken.action === 'WARN' ? { isWarning: true as const } : {}) })))),
    ...over,
    ...creditBlocks(standing, order, context.today).map(({ code, sentence }) => ({ code, ...said(sentence) })),
    ...(['PR01', 'PR02'] as const).filter((code) => codes.has(code)).map((code) => ({ code, ...tell(`block.${code}.hint`) })),
  ]
}

const noTotals: OrderTotals = { gross: '0.00', discount: '0.00', promo: '0.00', dpp: '0.00', dppOther: '0.00', ppn: '0.00', rounding: '0.00', total: '0.00' }

const noMasters: Pick<PricingMasters, 'items' | 'combos'> = { items: new Map() }

function answer(
  totals: OrderTotals,
  typed: readonly TypedLine[],
  lines: readonly PricedLine[],
  masters: Pick<PricingMasters, 'items' | 'combos'>,
  owners: ReadonlyMap<number, number>,
  stock: ReadonlyMap<number, Decimal>,
  errors: readonly FieldProblem[],
  found: readonly OrderHint[],
  kept: ReadonlyMap<number, KeptPart> = new Map(),
  isTraced = false,
  choices: ReadonlyMap<number, readonly string[]> = new Map(),
  calls: ReadonlyMap<number, Row> = new Map(),
  promised: ReadonlyMap<number, Decimal> = new Map(),
): Row {
  const freeFor = (line: PricedLine): Decimal => promised.get(line.key) ?? stock.get(line.itemId) ?? '0'
  const byKey = new Map(lines.filter((line) => !line.isFree).map((line) => [line.key, line]))
  const parts = new Map<number, PricedLine[]>()
  for (const line of lines) {
    const at = owners.get(line.key) ?? -1
    if (line.key >= typed.length && at >= 0) parts.set(at, [...(parts.get(at) ?? []), line])
  }
  const offered = new Map<number, Row>()
  const entered = typed.map(({ sent, lineNo }, at): Row => {
    const own = parts.get(at)
    const line = byKey.get(at)
    const offers = unitOffers(idOf(sent['ItemID']), masters, offered)
    if (line === undefined && own === undefined) return { ...noFigures, ...sent, LineNo: lineNo, ...offers }
    const row = line === undefined ? comboAnswer(sent, own ?? [], stock, masters) : pricedAnswer(line, freeFor(line), masters, isTraced)
    row['LineNo'] = lineNo
    Object.assign(row, offers)
    const codes = choices.get(at)
    if (codes !== undefined) row['Offers'] = { ...(isRow(row['Offers']) ? row['Offers'] : {}), PromotionChoice: codes }
    const { Beside: left, ...call } = calls.get(at) ?? {}
    Object.assign(row, call)
    if (isRow(left)) row['Beside'] = { ...(isRow(row['Beside']) ? row['Beside'] : {}), ...left }
    // A part that does not go with the others any more is no part.
    if (line?.combo === null && kept.has(idOf(sent['ID']) ?? 0)) Object.assign(row, comboAnswerOf(null, masters))
    // What else was sent comes back. The other way round (the answer spread over what was sent) takes a hundred times as long.
    for (const key of Object.keys(sent)) if (!Object.hasOwn(row, key)) row[key] = sent[key]
    return row
  })
  const under = (line: PricedLine, key: number | null): Row => {
    const row = pricedAnswer(line, freeFor(line), masters, isTraced)
    row['LineNo'] = null
    row['ParentLineNo'] = typed[owners.get(key ?? 0) ?? 0]?.lineNo ?? null
    return row
  }
  const made = [...parts.values()].flat().map((line) => under(line, line.key))
  const free = lines.filter((line) => line.isFree).map((line) => under(line, line.parentKey))
  return { record: { ...wireOf(totalColumns(totals)), Lines: [...entered, ...made, ...free] }, errors, Hints: found }
}

/** The units of the line's item, for its cell; worked out once for all lines of an item. */
function unitOffers(itemId: number | null, { items }: Pick<PricingMasters, 'items'>, known: Map<number, Row>): Row | undefined {
  const item = itemId === null ? undefined : items.get(itemId)
  if (item === undefined) return undefined
  const before = known.get(item.id)
  if (before !== undefined) return before
  const offers = { Offers: { Uom: unitsOf(item) } }
  known.set(item.id, offers)
  return offers
}

/** A combo as it was typed: what one costs and how many can be had. Its amounts stand with its parts. */
function comboAnswer(sent: Row, parts: readonly PricedLine[], stock: ReadonlyMap<number, Decimal>, { items, combos }: Pick<PricingMasters, 'items' | 'combos'>): Row {
  const itemId = idOf(sent['ItemID']) ?? 0
  const item = items.get(itemId)
  const factor = item?.factors.get(String(sent['Uom'])) ?? '1'
  const most = (combos?.get(itemId)?.parts ?? []).map((part) => exact(stock.get(part.itemId) ?? '0').div(part.qty).div(factor).round(0, 'DOWN'))
  return {
    ItemID: itemId, ItemCode: item?.code ?? '', ItemName: item?.name ?? '', IsFree: false, AtpQty: fixed(most.reduce((least, qty) => (qty.lt(least) ? qty : least)), 3),
    Price: fixed(sum(parts.map((line) => line.gross)).div(decimalOf(sent['Qty'], 3) ?? '1'), 4),
    ListPrice: null, PriceSource: null, Gross: null, DiscountAmount: null, PromoAmount: null, Dpp: null, DppOther: null, Ppn: null, Total: null, PromotionID: null, Blocks: [],
  }
}

function comboAnswerOf(combo: ComboOf | null, { items }: Pick<PricingMasters, 'items'>): Row {
  const item = combo === null ? undefined : items.get(combo.itemId)
  return { ComboItemID: combo?.itemId ?? null, ComboItemCode: item?.code ?? null, ComboItemName: item?.name ?? null, ComboNo: combo?.no ?? null, ComboQty: combo?.qty ?? null, ComboUom: combo?.uom ?? null }
}

/**
 * What pricing found of a line. Written out, though the columns' names would give the same (a test holds the two together): hundreds of lines are
 * answered at every pause of typing, and an object that is built key by key costs several times as much.
 */
/** Of a line that is not complete: what it cost while it was must not stand beside it. */
const noFigures: Row = {
  AtpQty: null, QtyBase: null, ListPrice: null, Price: null, PriceSource: null, Gross: null, DiscountAmount: null, PromoAmount: null, Dpp: null, DppOther: null, Ppn: null, Total: null, PromotionID: null,
}

function pricedAnswer(line: PricedLine, free: Decimal, masters: Pick<PricingMasters, 'items'>, isTraced: boolean): Row {
  const item = masters.items.get(line.itemId)
  const row: Row = {
    ItemID: line.itemId,
    ItemCode: item?.code ?? '',
    ItemName: item?.name ?? '',
    Uom: line.uom,
    Qty: line.qty,
    IsFree: line.isFree,
    AtpQty: inUnit(free, line.factor),
    Factor: line.factor,
    QtyBase: line.qtyBase,
    ListPrice: line.listPrice,
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
    TaxIncluded: line.taxIncluded,
    PromotionID: line.promotionId,
    Blocks: line.blocks.map((block) => block.code),
  }
  if (compare(line.factor, '1') !== 0) row['Beside'] = { AtpQty: `${quantityText(free)} ${item?.baseUom ?? ''}` }
  if (line.combo !== null) Object.assign(row, comboAnswerOf(line.combo, masters))
  if (isTraced) row['PriceTrace'] = line.trace
  return row
}

/** What there is, counted in the unit of the line: never more than there is. */
function inUnit(free: Decimal, factor: Decimal): Decimal {
  return exact(free).div(factor).round(3, 'DOWN').toFixed(3)
}

function wireOf(columns: Row): Row {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [wireName(name), value]))
}
