import { compare, exact, fixed } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import { explode } from '#domain/pricing/combos.ts'
import { unitCalled, unitsOf } from '#domain/pricing/masters.ts'
import type { DocumentHooks, Saving, SavingLine } from '#server/documents/hooks.ts'
import type { Queries, Row } from '#server/context.ts'
import { standingAhead } from '#server/credit/standing.ts'
import { changeRow } from '#server/db/pendingRows.ts'
import { sql } from '#server/db/sql.ts'
import { consignedPlace } from '#server/inventory/consignedGoods.ts'
import { isConsigned, isInAnyCurrency, pricingFor, withParts } from '#server/pricing/loadPricing.ts'
import { pricedItems, schemes } from '#server/pricing/pricingMasters.ts'
import { fail, wrong } from '#server/problemError.ts'
import { mustRate, rateOn } from '#server/setup/exchangeRates.ts'
import { said } from '#server/sentences.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { comboColumns, comboOf, comboProblem, pricedIds } from './orderCombos.ts'
import { checkContract } from './contractCalls.ts'
import { checkEnteredDate } from './orderDate.ts'
import { orderCustomer, type NamedPlaces, type OrderCustomer } from './orderCustomer.ts'
import { freeColumns, keepPricing, lineColumns, repriced, repriceStored, totalColumns, writeSteps, type Repriced } from './repriceOrder.ts'
import { isVanSale } from './vanSales.ts'

/** Saving an order draft: what the customer implies is filled in, free lines are made anew, prices are the server's. */
export const salesOrderHooks: DocumentHooks = {
  computed: [
    'territory_id', 'gross', 'discount', 'promo', 'dpp', 'dpp_other', 'ppn', 'rounding', 'total', 'block_codes', 'credit_hold', 'credit_snapshot', 'delivery_status', 'billing_status', 'payment_status', 'stage',
    'lines.factor', 'lines.qty_base', 'lines.price', 'lines.price_source', 'lines.gross', 'lines.discount_amount', 'lines.promo_amount', 'lines.dpp', 'lines.dpp_other', 'lines.ppn', 'lines.total', 'lines.tax_included',
    'lines.is_free', 'lines.promotion_id', 'lines.parent_line_id', 'lines.atp_qty', 'lines.reserved_qty', 'lines.planned_qty', 'lines.delivered_qty', 'lines.billed_qty', 'lines.returned_qty',
    'lines.cancelled_qty', 'lines.reject_reason_id', 'lines.price_trace', 'lines.combo_item_id', 'lines.combo_no', 'lines.combo_qty', 'lines.combo_uom', 'lines.combo_price',
  ],

  prepare(context, columns, next) {
    const customerId = columns['customer_id']
    if (typeof customerId !== 'number') return
    void orderCustomer(context.tx, customerId, placesIn(columns))
    if (next === 'submit') standingAhead(context.tx, customerId, context.today)
  },

  async beforeSave(saving) {
    const { header, before, context } = saving
    let isSound = true
    const own: Saving = {
      ...saving,
      problem: (problem) => {
        isSound = false
        saving.problem(problem)
      },
    }
    const type = header['order_type'] ?? before?.['order_type']
    if (type === 'CONSIGN' || type === 'CMI') await mustBeConsignee(own, type)
    else if (type !== 'REG' && type !== 'TRADER' && !(type === 'CANVAS' && isVanSale(context.tx))) own.problem(wrong('OrderType', 'NOT_A_CHOICE.order-type'))
    await checkContract(own)
    const [customer] = await Promise.all([fromCustomer(context.tx, own), checkLines(own)])
    await checkEnteredDate(own)
    // Pricing steps point at lines the generic saving may remove; they are written again with the new prices.
    if (before !== undefined) forgetPricing(context.tx, before.id)
    else if (isSound && customer !== undefined) await priceNew(saving, customer)
  },

  async afterSave(saving, { id, lineIds }) {
    const { context, before } = saving
    if (before === undefined) {
      await writeNewPricing(saving, id, lineIds['Lines'] ?? [])
      return
    }
    const order = await context.tx.first(sql`select * from sales_order where id = ${id}`)
    if (order === undefined) throw new Error(`Order ${id} was not written`)
    const { totals, currency } = await repriceStored(context.tx, order)
    const rate = await mustRate(context.tx, numberOf(order, 'operating_unit_id'), currency, textOf(order, 'doc_date'), 'CustomerID')
    changeRow(context.tx, 'sales_order', id, { ...totalColumns(totals), currency, rate }, (_, value) => value)
  },

  // Goods are free because a promotion gives them; a file that expects more of them than that is wrong about the order.
  async missingGiven({ tx }, id, lines, at) {
    const free = await freeOf(tx, id)
    const { combos } = await schemes.get(tx)
    const items = await pricedItems.all(tx, withParts(lines.map((line) => numberOf(line, 'item_id')), combos))
    return lines.flatMap((line, i): readonly FieldProblem[] => {
      const itemId = numberOf(line, 'item_id')
      const item = items.get(itemId)
      const uom = unitCalled(item, textOf(line, 'uom'))
      const where = `Lines[${at + i}]`
      if (item === undefined || !item.factors.has(uom)) return [wrong(`${where}.Uom`, 'NOT_A_CHOICE.uom', { units: unitsOf(item) })]
      const combo = combos.get(itemId)
      const own = { itemId, uom, qty: textOf(line, 'qty') }
      for (const part of combo === undefined ? [own] : explode(combo, 0, { ...own, manualDiscount: '0' }, items)) {
        const given = items.get(part.itemId)
        const factor = given?.factors.get(part.uom) ?? '1'
        const left = exact(free.get(part.itemId) ?? '0').minus(exact(part.qty).times(factor))
        if (left.lt(0)) return [wrong(`${where}.Qty`, 'TOO_LARGE.given', { item: given?.code ?? '', given: `${fixed(exact(free.get(part.itemId) ?? '0').div(factor), 3)} ${part.uom}` })]
        free.set(part.itemId, fixed(left, 3))
      }
      return []
    })
  },

  async importNotes(tx, id) {
    const order = await tx.first<{ status: number; block_codes: readonly string[] }>(sql`select status, block_codes from sales_order where id = ${id}`)
    if (order === undefined) return []
    if (order.status !== 4) return [said({ key: 'cell.order-approved' })]
    return [said({ key: 'cell.order-waits', params: { reasons: order.block_codes.map((code) => ({ key: `check.${code}` })) } })]
  },

  async beforeDelete({ tx }, record) {
    if (record['code'] !== null) fail('ILLEGAL_TRANSITION.order-numbered')
    forgetPricing(tx, record.id)
  },
}

/** What promotions give, by item, in base units. */
async function freeOf(tx: Queries, orderId: number): Promise<Map<number, string>> {
  const rows = await tx.rows<{ item_id: number; qty: string }>(sql`select item_id, sum(qty_base) as qty from sales_order_line where sales_order_id = ${orderId} and is_free group by item_id`)
  return new Map(rows.map((row) => [row.item_id, row.qty]))
}

function forgetPricing(tx: Queries, orderId: number): void {
  tx.later(sql`delete from sales_order_discount where line_id in (select id from sales_order_line where sales_order_id = ${orderId})`)
  tx.later(sql`delete from sales_order_line where sales_order_id = ${orderId} and is_free`)
}

/** Goods may only stand at a customer who has agreed to it and has a warehouse for them. */
async function mustBeConsignee({ context: { tx }, header, before, problem }: Saving, type: 'CONSIGN' | 'CMI'): Promise<void> {
  const customerId = numberOrNull({ ...before, ...header }, 'customer_id')
  if (customerId === null) return
  const customer = await tx.first<{ agrees: boolean }>(sql`select case when ${type}::text = 'CMI' then is_cmi else is_consignment end as agrees from customer where id = ${customerId}`)
  if (customer?.agrees !== true || (await consignedPlace(tx, customerId)) === undefined) problem(wrong('CustomerID', 'NOT_A_CHOICE.no-consignment'))
}

function placesIn(columns: Row): NamedPlaces {
  return { shipTo: numberOrNull(columns, 'ship_to_id'), billTo: numberOrNull(columns, 'bill_to_id'), warehouse: numberOrNull(columns, 'warehouse_id') }
}

/** Unit and territory are always the customer's; the rest is his unless entered. */
async function fromCustomer(tx: Queries, saving: Saving): Promise<OrderCustomer | undefined> {
  const { header, before } = saving
  const customerId = header['customer_id'] ?? before?.['customer_id']
  if (typeof customerId !== 'number') return undefined
  const customer = await orderCustomer(tx, customerId, placesIn(header))
  if (customer === undefined) return undefined
  const isNewCustomer = before !== undefined && before['customer_id'] !== customerId
  header['operating_unit_id'] = customer.operating_unit_id
  header['territory_id'] = customer.territory_id
  for (const column of ['sales_channel_id', 'payment_term_id', 'salesman_id', 'ship_to_id', 'bill_to_id', 'warehouse_id'] as const) {
    const entered = Object.hasOwn(header, column) ? header[column] : isNewCustomer ? null : before?.[column]
    if (entered === null || entered === undefined) header[column] = customer[column]
  }
  header['requested_date'] ??= before?.['requested_date'] ?? header['doc_date'] ?? before?.['doc_date'] ?? null
  if (!customer.owns_ship_to) saving.problem(wrong('ShipToID', 'NOT_IN_SCOPE.address'))
  if (!customer.owns_bill_to) saving.problem(wrong('BillToID', 'NOT_IN_SCOPE.address'))
  if (!customer.owns_warehouse) saving.problem(wrong('WarehouseID', 'NOT_IN_SCOPE.warehouse'))
  else if (!customer.sells_warehouse && !isVanSale(tx)) saving.problem(wrong('WarehouseID', 'NOT_A_CHOICE.warehouse-for-sale'))
  return customer
}

/** Quantities above zero, in a unit the item has; combos become their parts. Base quantity and factor are known before the row is written. */
async function checkLines(saving: Saving): Promise<void> {
  const lines = saving.lines?.['Lines']
  if (lines === undefined) return
  const { before, header, context: { tx } } = saving
  const stored = new Map((before === undefined ? [] : await storedLines(tx, before.id)).map((row) => [row.id, row]))
  const kept = lines.filter((line) => line.id === undefined || stored.get(line.id)?.is_free !== true)
  lines.splice(0, lines.length, ...kept)
  const { combos } = await schemes.get(tx)
  const itemIds = [...lines.flatMap((line) => (typeof line.columns['item_id'] === 'number' ? [line.columns['item_id']] : [])), ...[...stored.values()].map((row) => row.item_id)]
  const known = await pricedItems.all(tx, withParts(itemIds, combos))
  const date = textOf({ ...before, ...header }, 'doc_date')
  let combosSoFar = Math.max(0, ...[...stored.values()].map((row) => row.combo_no ?? 0))
  const made = lines.flatMap((line, at): SavingLine[] => {
    const old = line.id === undefined ? undefined : stored.get(line.id)
    const itemId = Number(line.columns['item_id'] ?? old?.item_id)
    const item = known.get(itemId)
    const uom = unitCalled(item, String(line.columns['uom'] ?? old?.uom ?? ''))
    const qty = String(line.columns['qty'] ?? old?.qty ?? '0')
    const factor = item?.factors.get(uom)
    if (item !== undefined && factor === undefined) saving.problem(wrong(`Lines[${at}].Uom`, 'NOT_A_CHOICE.uom', { units: unitsOf(item) }))
    if (compare(qty, '0') <= 0) saving.problem(wrong(`Lines[${at}].Qty`, 'TOO_SMALL.quantity'))
    if (compare(String(line.columns['agreed_price'] ?? '0'), '0') < 0) saving.problem(wrong(`Lines[${at}].AgreedPrice`, 'TOO_SMALL', { limit: '0' }))
    if (compare(String(line.columns['manual_discount'] ?? '0'), '0') < 0) saving.problem(wrong(`Lines[${at}].ManualDiscount`, 'TOO_SMALL.discount'))
    // As pricing will work it out: the history compares what is stored with this.
    Object.assign(line.columns, { ...(line.columns['uom'] === undefined ? {} : { uom }), factor: fixed(factor ?? '1', 6), qty_base: fixed(exact(qty).times(factor ?? '1'), 3) })
    const combo = combos.get(itemId)
    if (combo === undefined || item === undefined || factor === undefined || compare(qty, '0') <= 0) return [line]
    const problem = comboProblem(`Lines[${at}].ItemID`, item, combo, date, combos)
    if (problem !== null) saving.problem(problem)
    const entered = { ...old, ...line.columns }
    combosSoFar += 1
    return explode(combo, combosSoFar, { uom, qty, manualDiscount: fixed(String(entered['manual_discount'] ?? '0'), 2), agreedPrice: textOrNull(entered, 'agreed_price') }, known).map((part) => {
      if (compare(part.qty, '0') <= 0) saving.problem(wrong(`Lines[${at}].Qty`, 'TOO_SMALL.quantity'))
      const columns = { item_id: part.itemId, uom: part.uom, qty: part.qty, manual_discount: part.manualDiscount, agreed_price: null, factor: fixed('1', 6), qty_base: part.qty, ...comboColumns(part.combo) }
      return { id: undefined, columns: { ...line.columns, ...columns }, extra: line.extra }
    })
  })
  if (combosSoFar > 0) lines.splice(0, lines.length, ...made)
}

interface StoredLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly uom: string
  readonly qty: string
  readonly is_free: boolean
  readonly combo_no: number | null
}

function storedLines(tx: Queries, orderId: number): Promise<StoredLine[]> {
  return tx.rows(sql`select id, item_id, uom, qty, manual_discount, agreed_price, is_free, combo_no from sales_order_line where sales_order_id = ${orderId}`)
}

const priced = new WeakMap<Row, Repriced>()

/** Prices a new order before it is written: its lines come with their amounts and those given free, the header with its totals. */
async function priceNew({ context: { tx }, header, lines = {}, problem }: Saving, customer: OrderCustomer): Promise<void> {
  const entered = lines['Lines'] ?? []
  const { context, masters } = await pricingFor(tx, {
    customerId: customer.id,
    priceDate: textOf(header, 'doc_date'),
    salesChannelId: numberOrNull(header, 'sales_channel_id'),
    operatingUnitId: numberOrNull(header, 'operating_unit_id'),
    itemIds: entered.flatMap(({ columns }) => pricedIds(columns)),
    contractLineIds: entered.flatMap(({ columns }) => numberOrNull(columns, 'contract_line_id') ?? []),
    isConsigned: isConsigned(header),
    inAnyCurrency: isInAnyCurrency(header),
  }, customer)
  const result = await repriced(tx, context, masters, entered.map(({ columns }, at) => ({
    key: at, itemId: numberOf(columns, 'item_id'), uom: textOf(columns, 'uom'), qty: fixed(String(columns['qty']), 3), manualDiscount: fixed(String(columns['manual_discount'] ?? '0'), 2), agreedPrice: textOrNull(columns, 'agreed_price'), contractLineId: numberOrNull(columns, 'contract_line_id'), combo: comboOf(columns), choice: textOrNull(columns, 'promotion_choice'),
  })), true)
  // Rows of one insert have the same columns; orders without combos, nearly all, do without those of combos.
  const hasCombos = entered.some(({ columns }) => numberOrNull(columns, 'combo_item_id') !== null)
  for (const line of result.lines) {
    const at = entered[line.key]
    const combo = hasCombos ? comboColumns(line.combo) : undefined
    if (line.isFree) lines['Lines']?.push({ id: undefined, columns: { ...freeColumns(line), ...combo }, extra: {} })
    // Made anew: a row that grows by so many columns one after another is slow to read ever after.
    else if (at !== undefined) entered[line.key] = { ...at, columns: { ...at.columns, ...lineColumns(line), ...combo } }
  }
  const rate = await rateOn(tx, numberOf(header, 'operating_unit_id'), result.currency, textOf(header, 'doc_date'), 'CustomerID')
  if (typeof rate !== 'string') problem(rate)
  Object.assign(header, totalColumns(result.totals), typeof rate === 'string' ? { currency: result.currency, rate } : {})
  priced.set(header, result)
}

/** The pricing steps of a new order, now that its lines have ids. */
async function writeNewPricing({ context: { tx }, header }: Saving, id: number, lineIds: readonly number[]): Promise<void> {
  const result = priced.get(header)
  if (result === undefined) throw new Error(`Order ${id} was not priced`)
  const paid = result.lines.filter((line) => !line.isFree)
  const free = result.lines.filter((line) => line.isFree)
  const idOf = new Map([...paid.map((line) => [line.key, lineIds[line.key] ?? 0] as const), ...free.map((line, i) => [line.key, lineIds[paid.length + i] ?? 0] as const)])
  for (const line of free) changeRow(tx, 'sales_order_line', idOf.get(line.key) ?? 0, { parent_line_id: line.parentKey === null ? null : (idOf.get(line.parentKey) ?? null) }, (_, value) => value)
  await writeSteps(tx, result.lines, idOf)
  keepPricing(tx, id, { ...result, idOf })
}
