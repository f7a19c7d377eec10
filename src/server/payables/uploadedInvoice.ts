import { exact, fixed, grouped, money, sum } from '#base/decimal.ts'
import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Saving, SavingLine } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'
import { numberOrNull, textOf } from '#server/workflow/newDocument.ts'

interface Billable extends Row {
  readonly id: number
  readonly qty: string
  readonly price: string
}

/**
 * An invoice registered from a list states its price without VAT and what it is for; its lines follow: what is open of the order or the receipt it names,
 * or one of an expense. Of one line the vendor's own price is taken; several must come to what he states.
 */
export async function linesOfUpload(saving: Saving): Promise<void> {
  const { before, header, lines, problem } = saving
  const rows = lines?.['Lines']
  if (before !== undefined || header['stated_dpp'] == null || rows === undefined || rows.length > 0) return
  const stated = exact(textOf(header, 'stated_dpp'))
  const [order, receipt, expense] = [numberOrNull(header, 'purchase_order_id'), numberOrNull(header, 'goods_receipt_id'), numberOrNull(header, 'expense_type_id')]
  if (order === null && receipt === null) {
    if (expense === null) return problem(wrong('PurchaseOrderID', 'REQUIRED.order-or-expense'))
    header['kind'] = 'NON_TRADE'
    rows.push(lineOf(1, { expense_type_id: expense, description: textOf(header, 'vendor_invoice_no'), qty: '1', price: fixed(stated, 6) }))
    return undefined
  }
  header['kind'] = 'TRADE'
  const open = await billable(saving, order, receipt)
  if (open === undefined) return undefined
  if (open.length === 0) return problem(wrong(receipt === null ? 'PurchaseOrderID' : 'GoodsReceiptID', 'INVALID.nothing-to-bill'))
  const [only] = open
  const priced = open.length === 1 && only !== undefined ? [{ ...only, price: fixed(stated.div(only.qty), 6) }] : open
  const total = sum(priced.map(({ qty, price }) => exact(money(exact(qty).times(price)))))
  if (!total.eq(stated)) return problem(wrong('StatedDpp', 'NOT_EQUAL.order-open', { open: grouped(money(total)) }))
  rows.push(...priced.map(({ id, qty, price }, i) => lineOf(i + 1, { po_line_id: id, qty, price })))
  return undefined
}

function lineOf(line_no: number, columns: Row): SavingLine {
  return { id: undefined, columns: { line_no, ...columns }, extra: {} }
}

/** What has come of an order, or by one receipt of it, and was not billed yet; undefined: it is another vendor's or unit's, which is told. */
async function billable({ context: { tx }, header, problem }: Saving, order: number | null, receipt: number | null): Promise<readonly Billable[] | undefined> {
  const [vendor, unit] = [numberOrNull(header, 'vendor_id'), numberOrNull(header, 'operating_unit_id')]
  const asked = { purchase_order: order, goods_receipt: receipt }
  const owned = await tx.rows<{ of: string }>(sql`
    select 'purchase_order' as of from purchase_order where id = ${order}::bigint and bp_id = ${vendor} and operating_unit_id = ${unit}
    union all select 'goods_receipt' from goods_receipt where id = ${receipt}::bigint and bp_id = ${vendor} and operating_unit_id = ${unit}`)
  const foreign = Object.entries(asked).filter(([of, id]) => id !== null && !owned.some((one) => one.of === of))
  for (const [of] of foreign) problem(wrong(of === 'purchase_order' ? 'PurchaseOrderID' : 'GoodsReceiptID', 'INVALID.other-vendor-or-unit'))
  if (foreign.length > 0) return undefined
  return receipt === null
    ? tx.rows<Billable>(sql`
        select b.id, b.open_qty as qty, b.price from billable_order_line b join purchase_order_line l on l.id = b.id where l.purchase_order_id = ${order} and b.open_qty > 0 order by b.line_no`)
    : tx.rows<Billable>(sql`
        select l.id, sum(g.qty_received - g.billed_qty) as qty, l.price from goods_receipt_line g join purchase_order_line l on l.id = g.po_line_id
        where g.goods_receipt_id = ${receipt} and (${order}::bigint is null or l.purchase_order_id = ${order}) and l.item_id is not null and g.qty_received > g.billed_qty group by l.id, l.price, l.line_no order by l.line_no`)
}
