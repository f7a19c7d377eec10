import { compare, exact, fixed, quantityText } from '#base/decimal.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { PriceOrderAnswer } from '#api/order.ts'
import { accept } from '#base/result.ts'
import type { Answer } from '../../data/http.ts'
import { askCommand, listRecords, runCommand } from '../../data/records.ts'

/** Goods of one item that are on a van; quantities in base units. */
export interface VanGoods {
  readonly trip: number
  readonly van: number
  readonly vanName: string
  readonly seller: number | null
  readonly item: number
  readonly code: string
  readonly name: string
  /** Unit it is sold in, and how many base units that is. */
  readonly uom: string
  readonly factor: string
  readonly baseUom: string
  readonly left: string
}

/** How much of an item is to be sold, in which unit. */
export interface Wanted {
  readonly qty: string
  readonly uom: string
}

export interface SoldInvoice {
  readonly ID: number
  readonly Code: string
  readonly Total: string
}

export interface Sold {
  readonly OrderID: number
  readonly Invoices: readonly SoldInvoice[]
  readonly Total: string
  readonly PaymentID: number | null
}

/** Goods on the vans that are out selling: his own where the user has one. */
export async function readVans(userId: number, signal: AbortSignal): Promise<Answer<readonly VanGoods[]>> {
  const answer = await listRecords('van-stock', { length: 1_000, order: 'item_code', sort: 'asc' }, signal)
  if (!answer.ok) return answer
  const all = answer.value.rows.map(goodsOf)
  const own = all.filter(({ seller }) => seller === userId)
  return accept(own.length > 0 ? own : all)
}

function goodsOf(row: WireRecord): VanGoods {
  const text = (name: string): string => String(row[name] ?? '')
  return {
    trip: Number(row['CanvasRequestID']), van: Number(row['VanWarehouseID']), vanName: text('VanWarehouseName') || text('VanWarehouseCode'), seller: typeof row['SellerID'] === 'number' ? row['SellerID'] : null,
    item: Number(row['ItemID']), code: text('ItemCode'), name: text('ItemName'), uom: text('Uom'), factor: text('Factor'), baseUom: text('BaseUom'), left: text('QtyLeft'),
  }
}

/** How much of it there is in a unit, whole units only unless it is the base one. */
export function leftIn(goods: VanGoods, uom: string): string {
  return uom === goods.baseUom ? quantityText(goods.left) : quantityText(exact(goods.left).div(goods.factor).round(0, 'DOWN'))
}

/** Unit it is offered in: the one it is sold in, as long as there is a whole one. */
export function firstUnit(goods: VanGoods): string {
  return compare(leftIn(goods, goods.uom), '0') > 0 ? goods.uom : goods.baseUom
}

export function stepped(goods: VanGoods, { qty, uom }: Wanted, by: 1 | -1): Wanted {
  const next = exact(qty).plus(by)
  const most = leftIn(goods, uom)
  return { uom, qty: next.lt(0) ? '0' : next.gt(most) ? most : quantityText(next) }
}

function linesOf(wanted: ReadonlyMap<number, Wanted>) {
  return [...wanted].filter(([, { qty }]) => compare(qty, '0') > 0).map(([item, { qty, uom }]) => ({ ItemID: item, Uom: uom, Qty: fixed(qty, 3) }))
}

export function isEmpty(wanted: ReadonlyMap<number, Wanted>): boolean {
  return linesOf(wanted).length === 0
}

/** What the goods come to for the customer. */
export function priceSale(van: number, customer: number, wanted: ReadonlyMap<number, Wanted>, signal: AbortSignal): Promise<Answer<PriceOrderAnswer>> {
  return askCommand('price-order', { OrderType: 'CANVAS', WarehouseID: van, CustomerID: customer, Lines: linesOf(wanted).map((line, i) => ({ LineNo: i + 1, ...line })) }, signal)
}

export async function sellGoods(trip: number, customer: number, wanted: ReadonlyMap<number, Wanted>, received: string, sending: { readonly key: string; readonly acknowledge?: readonly string[] | undefined }): Promise<Answer<Sold>> {
  const answer = await runCommand('van-sale', { IDs: [trip], CustomerID: customer, Lines: linesOf(wanted), Received: received }, sending)
  // What the command answers, beside what every command may.
  return answer.ok ? accept(answer.value as unknown as Sold) : answer
}
