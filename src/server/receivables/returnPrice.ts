import { addMonths } from '#base/date.ts'
import { compare, exact, fixed, money, sum, type Decimal } from '#base/decimal.ts'
import { returnedDpp, returnedPpn, type TaxedPart } from '#domain/billing/returned.ts'
import { PriceBook } from '#domain/pricing/basePrice.ts'
import { decimalsOf } from '#domain/pricing/currency.ts'
import { lineVat, type TaxRate } from '#domain/tax/vat.ts'
import type { Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { loadPricing } from '#server/pricing/loadPricing.ts'
import { itemsOn } from '#server/pricing/pricingMasters.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { keptGifts, type KeptGift } from './returnGifts.ts'

/** Which quantity is priced: what is asked for, or what is credited once it was looked at. */
export type ReturnStage = 'asked' | 'credited'

interface PricedLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly invoice_line_id: number | null
  readonly order_line_id: number | null
  readonly qty: Decimal
  readonly whole_qty: Decimal
  readonly whole_dpp: Decimal
  readonly ppn_rate: Decimal
  readonly is_free: boolean
  readonly back_qty: Decimal
  readonly back_dpp: Decimal
}

/** What is credited of a return. */
export interface ReturnAmounts {
  readonly dpp: Decimal
  readonly ppn: Decimal
  readonly total: Decimal
  readonly gift_deduction: Decimal
  readonly gift_ppn: Decimal
}

/** Prices a return by the invoice it is of, or without one by what the customer has paid least (D24); writes its lines and answers its sums, which are the caller's to keep. */
export async function priceReturn(tx: Queries, document: Row & { readonly id: number }, stage: ReturnStage): Promise<ReturnAmounts> {
  const invoiceId = numberOrNull(document, 'invoice_id')
  const day = textOf(document, 'return_date')
  const places = decimalsOf(textOf(document, 'currency'))
  const lines = await linesOf(tx, document.id, stage)
  const invoice = invoiceId === null ? undefined : await tx.first<{ doc_date: string; dpp: Decimal; ppn: Decimal; credited_dpp: Decimal; credited_ppn: Decimal }>(sql`
    select i.doc_date, i.dpp, i.ppn, coalesce(r.dpp, 0) + coalesce(n.dpp, 0) as credited_dpp, coalesce(r.ppn, 0) + coalesce(n.ppn, 0) as credited_ppn from invoice i
    left join lateral (select sum(s.dpp + s.gift_deduction) as dpp, sum(s.ppn + s.gift_ppn) as ppn from sales_return s where s.invoice_id = i.id and s.status = 3 and s.id <> ${document.id}) r on true
    left join lateral (select sum(c.dpp) as dpp, sum(c.ppn) as ppn from credit_note c where c.invoice_id = i.id and c.kind = 'MANUAL' and c.status in (1, 2, 3)) n on true where i.id = ${invoiceId}`)
  const items = await itemsOn(tx, lines.map((line) => line.item_id), invoice?.doc_date ?? day)
  const taxOf = (line: PricedLine): TaxRate | null => (invoice !== undefined && exact(line.ppn_rate).eq(0) ? null : (items.get(line.item_id)?.tax ?? null))
  const prices = invoice === undefined ? await pricesWithout(tx, document, lines) : new Map<number, Decimal>()
  let room = invoice === undefined ? undefined : exact(invoice.dpp).minus(invoice.credited_dpp)
  const back = new Map<number, { readonly qty: Decimal; readonly dpp: Decimal }>()
  const priced = lines.map((line) => {
    if (invoice === undefined) {
      const price = prices.get(line.item_id) ?? '0'
      return { line, price, dpp: money(exact(price).times(line.qty).round(places)) }
    }
    const before = back.get(line.invoice_line_id ?? 0) ?? { qty: line.back_qty, dpp: line.back_dpp }
    const most = exact(line.whole_qty).minus(before.qty)
    // Asked for too much, it is refused elsewhere: the estimate stays within the line.
    const qty = exact(line.qty).gt(most) ? fixed(most.lt(0) ? exact('0') : most, 3) : line.qty
    const share = exact(line.whole_qty).eq(0) ? '0.00' : returnedDpp({ qty: line.whole_qty, dpp: line.whole_dpp }, before, qty, places)
    // What other credit notes have taken off the invoice is not credited again.
    const dpp = room !== undefined && exact(share).gt(room) ? money(room.gt(0) ? room : exact('0')) : share
    room = room?.minus(dpp)
    back.set(line.invoice_line_id ?? 0, { qty: fixed(exact(before.qty).plus(qty), 3), dpp: money(sum([before.dpp, share])) })
    return { line, price: exact(line.whole_qty).eq(0) ? '0' : fixed(exact(line.whole_dpp).div(line.whole_qty), 4), dpp }
  })
  const gifts = invoice === undefined ? [] : await keptGifts(tx, lines.flatMap(({ order_line_id: id, qty }) => (id === null ? [] : [{ id, qty }])))
  await keepGifts(tx, document.id, gifts)
  const giftItems = await itemsOn(tx, gifts.map((gift) => gift.itemId), invoice?.doc_date ?? day)
  const parts: readonly TaxedPart[] = priced.map(({ line, dpp }) => ({ dpp, tax: taxOf(line) }))
  const deducted: readonly TaxedPart[] = gifts.map((gift) => ({ dpp: money(exact(gift.amount).times(-1)), tax: giftItems.get(gift.itemId)?.tax ?? null }))
  const isLast = invoice !== undefined && (await leavesNothing(tx, invoiceId, lines))
  const rest = isLast ? money(exact(invoice.ppn).minus(invoice.credited_ppn)) : undefined
  const dpp = money(sum([...parts, ...deducted].map((part) => part.dpp)))
  const ppn = returnedPpn([...parts, ...deducted], rest, places)
  const giftPpn = money(exact(returnedPpn(deducted, undefined, places)).times(-1))
  await tx.run(sql`
    update sales_return_line l set price = x.price, dpp = x.dpp, ppn = x.ppn, is_free = x.is_free
    from ${recordset(priced.map(({ line, price, dpp: own }) => ({ id: line.id, price, dpp: own, ppn: money(lineVat(exact(own), taxOf(line)).ppn), is_free: line.is_free })), { id: 'bigint', price: 'numeric', dpp: 'numeric', ppn: 'numeric', is_free: 'boolean' }, 'x')} where l.id = x.id`)
  return { dpp, ppn, total: money(sum([dpp, ppn])), gift_deduction: money(sum(gifts.map((gift) => gift.amount))), gift_ppn: giftPpn }
}

function linesOf(tx: Queries, id: number, stage: ReturnStage): Promise<PricedLine[]> {
  const qty: Sql = stage === 'asked' ? sql`l.qty_requested` : sql`l.qty_good + l.qty_bad`
  return tx.rows<PricedLine>(sql`
    select l.id, l.item_id, l.invoice_line_id, v.order_line_id, ${qty} as qty, coalesce(v.qty_base, 0) as whole_qty, coalesce(v.dpp, 0) as whole_dpp, coalesce(v.ppn_rate, 0) as ppn_rate, coalesce(v.is_free, false) as is_free,
      coalesce(b.qty, 0) as back_qty, coalesce(b.dpp, 0) as back_dpp
    from sales_return_line l left join invoice_line v on v.id = l.invoice_line_id
    left join lateral (
      select sum(o.qty_good + o.qty_bad) as qty, sum(o.dpp) as dpp from sales_return_line o join sales_return h on h.id = o.sales_return_id
      where o.invoice_line_id = l.invoice_line_id and h.status = 3 and h.id <> ${id}
    ) b on true
    where l.sales_return_id = ${id} order by l.line_no, l.id`)
}

/** Does this return bring back the last of its invoice? */
async function leavesNothing(tx: Queries, invoiceId: number | null, lines: readonly PricedLine[]): Promise<boolean> {
  const rows = await tx.rows<{ id: number; left: Decimal }>(sql`
    select v.id, v.qty_base - coalesce((select sum(o.qty_good + o.qty_bad) from sales_return_line o join sales_return h on h.id = o.sales_return_id where o.invoice_line_id = v.id and h.status = 3), 0) as left
    from invoice_line v where v.invoice_id = ${invoiceId}`)
  return rows.every((row) => sum(lines.filter((line) => line.invoice_line_id === row.id).map((line) => line.qty)).gte(row.left))
}

/** Lowest net price of each item in the six months up to the return, both days included; else the floor of today's list. An item without either is not in the answer. */
async function pricesWithout(tx: Queries, document: Row, lines: readonly PricedLine[]): Promise<ReadonlyMap<number, Decimal>> {
  const day = textOf(document, 'return_date')
  const ids = [...new Set(lines.map((line) => line.item_id))]
  const sold = await tx.rows<{ item_id: number; price: Decimal }>(sql`
    select v.item_id, min(round(v.dpp / v.qty_base, 4)) as price from invoice_line v join invoice i on i.id = v.invoice_id
    where i.customer_id = ${numberOf(document, 'customer_id')} and i.status in (1, 2, 3) and i.invoice_type <> 'REVERSAL' and not v.is_free and v.qty_base > 0 and v.item_id = any(${ids}::bigint[])
      and i.currency = ${textOf(document, 'currency')} and i.doc_date between ${addMonths(day, -6)}::date and ${day}::date group by 1`)
  const prices = new Map(sold.map((row) => [row.item_id, row.price]))
  const unknown = ids.filter((id) => !prices.has(id))
  const pricing = unknown.length === 0 ? null : await loadPricing(tx, { customerId: numberOf(document, 'customer_id'), priceDate: day, salesChannelId: null, operatingUnitId: numberOf(document, 'operating_unit_id'), itemIds: unknown })
  if (pricing === null) return prices
  const book = new PriceBook(pricing.context, pricing.masters)
  for (const id of unknown) {
    const item = pricing.masters.items.get(id)
    const floor = item === undefined ? null : (book.find(item, item.baseUom, exact('1'))?.floor ?? null)
    if (floor !== null && compare(floor, '0') > 0) prices.set(id, fixed(floor, 4))
  }
  return prices
}

async function keepGifts(tx: Queries, id: number, gifts: readonly KeptGift[]): Promise<void> {
  await tx.run(sql`delete from sales_return_open_gift where sales_return_id = ${id}`)
  if (gifts.length === 0) return
  await insertRows(tx, 'sales_return_open_gift', gifts.map((gift, i) => ({ sales_return_id: id, line_no: i + 1, order_line_id: gift.orderLineId, item_id: gift.itemId, qty: gift.qty, price: gift.price, amount: gift.amount })))
}
