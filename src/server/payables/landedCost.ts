import { isDate } from '#base/date.ts'
import { exact, isZero, money, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import { basisOf, landCost, landedBases, landedSince, type LandedBasis, type ReceivedGoods } from '#domain/payables/landedCost.ts'
import type { CommandContext, Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { moveStock, type Move } from '#server/inventory/stock.ts'
import { post } from '#server/ledger/post.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { bookingDate } from '#server/workflow/bookingDate.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { dayIsFixed } from '#server/workflow/periods.ts'

/** Goods are received into the class sales are made from. */
const stockClass = 'UNRESTRICTED'

interface GoodsRow extends ReceivedGoods, Row {
  readonly id: number
  readonly receipt: number
  readonly code: string
  readonly batch: string
  readonly warehouse: number
  readonly day: string
}

interface Landing {
  readonly by: LandedBasis
  readonly goods: readonly GoodsRow[]
}

/** What a bill that is to be borne by goods names can bear it. */
export const landedGoodsAreNamed: Precondition = async (context) => {
  await landingOf(context)
}

/** Goods still there take their share of the bill into their value, with no quantity moved; what goods that have left would bear is a difference of purchase prices. */
export const landCosts: Effect = async (context) => {
  const { tx, current, entity } = context
  const landing = await landingOf(context)
  if (landing === undefined) return
  const { by, goods } = landing
  const unit = numberOf(current, 'operating_unit_id')
  // Nothing is worth more before it has come.
  const date = goods.reduce((latest, { day }) => (day > latest ? day : latest), bookingDate(current))
  if (isDate(date)) context.set({ posting_date: date })
  await context.assertPeriodOpen(['ST'], unit, date)
  const shares = landCost(textOf(current, 'dpp'), by, goods, await onHand(tx, unit, goods))
  await tx.run(sql`delete from vendor_invoice_share where vendor_invoice_id = ${current.id}`)
  const ids = await insertRows(tx, 'vendor_invoice_share', goods.map(({ id, receipt, itemId, qty }, i) => ({
    vendor_invoice_id: current.id, line_no: i + 1, goods_receipt_id: receipt, gr_line_id: id, item_id: itemId, qty, qty_left: shares[i]?.qtyLeft, share: shares[i]?.share, in_stock: shares[i]?.inStock, gone: shares[i]?.gone,
  })))
  await bear(tx, goods.map(({ id }, i) => ({ id, cost: shares[i]?.share ?? '0' })))
  for (const warehouseId of new Set(goods.map(({ warehouse }) => warehouse))) {
    const moves = goods.flatMap(({ itemId, batch, warehouse }, i): Move[] => {
      const cost = shares[i]?.inStock ?? '0.00'
      return warehouse !== warehouseId || isZero(cost) ? [] : [{ itemId, batch, qty: '0', cost, lineId: ids[i] ?? null, reversalOf: null }]
    })
    if (moves.length > 0) await moveStock(context, { type: 'L01', date, operatingUnitId: unit, warehouseId, stockClass, docType: entity.id, docId: current.id, moves })
  }
}

/** The value goes out of the stock as it came in. What goods took along that have left since the stock cannot give: it stays, against the differences of purchase prices. */
export const takeLandedBack: Effect = async (context) => {
  const { tx, current, entity, today } = context
  if (basis(current) === undefined) return
  const unit = numberOf(current, 'operating_unit_id')
  await dayIsFixed(context.assertPeriodOpen(['ST'], unit, today))
  const landed = await tx.rows<Landed>(sql`
    select l.gr_line_id as "lineId", l.share, l.item_id as "itemId", l.qty_left as "qtyLeft", l.in_stock as "inStock", m.id as movement, m.warehouse_id as warehouse, m.batch
    from vendor_invoice_share l left join stock_movement m on m.doc_type = ${entity.id} and m.doc_id = ${current.id} and m.doc_line_id = l.id and m.movement_type = 'L01'
    where l.vendor_invoice_id = ${current.id} order by l.line_no`)
  const stays = landedSince(landed, await onHand(tx, unit, landed))
  await bear(tx, landed.map(({ lineId, share }) => ({ id: lineId, cost: money(exact(share).times(-1)) })))
  const rests: { readonly itemId: number; readonly amount: Decimal }[] = []
  for (const warehouseId of new Set(landed.flatMap(({ warehouse }) => warehouse ?? []))) {
    const own = landed.flatMap((one, i) => (one.warehouse === warehouseId ? [{ ...one, stays: stays[i] ?? '0.00' }] : []))
    const move = (one: (typeof own)[number], cost: Decimal, reversalOf: number | null): Move => ({ itemId: one.itemId, batch: one.batch ?? '', qty: '0', cost, lineId: null, reversalOf })
    const moves = [...own.map((one) => move(one, money(exact(one.inStock).times(-1)), one.movement)), ...own.filter((one) => !isZero(one.stays)).map((one) => move(one, one.stays, null))]
    const moved = await moveStock(context, { type: 'L02', date: today, operatingUnitId: unit, warehouseId, stockClass, docType: entity.id, docId: current.id, levels: true, moves })
    rests.push(...moved.slice(own.length).map(({ itemId, movement }) => ({ itemId, amount: movement.cost })))
  }
  if (rests.length === 0) return
  const code = textOf(current, 'code')
  await post(context, {
    event: 'STOCK_REST', source: { type: entity.id, id: current.id, code }, operatingUnitId: unit, date: today, description: `Reversal of ${entity.id.replaceAll('_', ' ')} ${code}`,
    amounts: rests.map(({ itemId, amount }) => ({ key: 'rest', amount, itemId, account: '113101' })),
  })
}

interface Landed extends Row {
  readonly lineId: number
  readonly share: Decimal
  readonly itemId: number
  readonly qtyLeft: Decimal
  readonly inStock: Decimal
  readonly movement: number | null
  readonly warehouse: number | null
  readonly batch: string | null
}

function basis(invoice: Row): LandedBasis | undefined {
  return landedBases.find((one) => one === invoice['landed_by'])
}

async function landingOf(context: TransitionContext): Promise<Landing | undefined> {
  const { tx, current } = context
  const by = basis(current)
  if (by === undefined) return undefined
  await receiptsAreIn(context)
  const goods = await tx.rows<GoodsRow>(sql`
    select l.id, r.id as receipt, l.item_id as "itemId", i.code, coalesce(l.batch, '') as batch, r.warehouse_id as warehouse, r.gr_date as day, l.qty_received as qty, greatest(l.qty_received - l.returned_qty, 0) as kept,
      l.cost as value, (l.qty_received * coalesce(i.weight_kg, 0))::numeric(18, 3) as weight
    from goods_receipt_line l join goods_receipt r on r.id = l.goods_receipt_id join item i on i.id = l.item_id
    where l.qty_received > 0 and r.id in (select goods_receipt_id from vendor_invoice_named_receipt where vendor_invoice_id = ${current.id}) order by r.gr_date, l.id`)
  const weightless = by === 'WEIGHT' ? goods.find((one) => isZero(one.weight)) : undefined
  if (weightless !== undefined) invalid([wrong('LandedBy', 'INVALID.landed-weight', { item: weightless.code })])
  if (goods.every((one) => isZero(basisOf(one, by)))) invalid([wrong('LandedBy', 'INVALID.landed-nothing')])
  return { by, goods }
}

/** Each receipt once, and none that is not in: locked, so that none is taken back meanwhile. */
async function receiptsAreIn({ tx, current }: TransitionContext): Promise<void> {
  const named = await tx.rows<{ id: number; status: number; unit: number }>(sql`
    select r.id, r.status, r.operating_unit_id as unit from goods_receipt r where r.id in (select goods_receipt_id from vendor_invoice_named_receipt where vendor_invoice_id = ${current.id}) order by r.id for update of r`)
  const lines = await tx.rows<{ receipt: number }>(sql`select goods_receipt_id as receipt from vendor_invoice_named_receipt where vendor_invoice_id = ${current.id} order by line_no, id`)
  if (lines.length === 0) invalid([wrong('VendorInvoiceNamedReceipt', 'REQUIRED.landed-goods')])
  const problems = lines.flatMap(({ receipt }, i): FieldProblem[] => {
    const field = `VendorInvoiceNamedReceipt[${i}].GoodsReceiptID`
    const known = named.find(({ id }) => id === receipt)
    if (lines.findIndex((line) => line.receipt === receipt) < i) return [wrong(field, 'DUPLICATE.line')]
    if (known?.status !== 1) return [wrong(field, 'INVALID.receipt-not-posted')]
    return known.unit === current['operating_unit_id'] ? [] : [wrong(field, 'NOT_A_CHOICE.receipt-unit')]
  })
  if (problems.length > 0) invalid(problems)
}

/** What there is of the items in the unit, whose stock has one average price, wherever in it they stand; locked. */
async function onHand(tx: Queries, unit: number, goods: readonly { readonly itemId: number }[]): Promise<ReadonlyMap<number, Decimal>> {
  const rows = await tx.rows<{ item_id: number; qty: Decimal }>(sql`
    select item_id, qty from stock_cost where operating_unit_id = ${unit} and stock_class = ${stockClass} and item_id = any(${goods.map(({ itemId }) => itemId)}::bigint[]) order by id for update`)
  return new Map(rows.map((row) => [row.item_id, row.qty]))
}

async function bear(tx: CommandContext['tx'], costs: readonly { readonly id: number; readonly cost: Decimal }[]): Promise<void> {
  await tx.run(sql`
    update goods_receipt_line l set landed_cost = coalesce(l.landed_cost, 0) + x.cost from ${recordset(costs, { id: 'bigint', cost: 'numeric' }, 'x')} where l.id = x.id`)
}
