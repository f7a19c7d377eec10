import { exact, money, sum } from '#base/decimal.ts'
import type { Effect } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { textOf } from '#server/workflow/newDocument.ts'
import { invoicedGoods } from './threeWay.ts'

/** Says which receipts an invoice of goods bills, oldest first; what it asks beyond their worth is a difference of price. What has not come stays in 211103. */
export const billReceipts: Effect = async (context) => {
  const { tx, current } = context
  if (current['kind'] !== 'TRADE') return
  const billed = (await invoicedGoods(context)).flatMap((line) => line.billed)
  await tx.run(sql`delete from vendor_invoice_receipt where vendor_invoice_id = ${current.id}`)
  await insertRows(tx, 'vendor_invoice_receipt', billed.map(({ receiptLineId, orderLineId, qty, value }, i) => ({
    vendor_invoice_id: current.id, line_no: i + 1, gr_line_id: receiptLineId, po_line_id: orderLineId, qty, value,
  })))
  // Goods that go back later are claimed at this price.
  await tx.run(sql`
    update goods_receipt_line g set billed_price = x.price from (select v.gr_line_id, max(l.price) as price from vendor_invoice_receipt v
      join vendor_invoice_line l on l.vendor_invoice_id = v.vendor_invoice_id and l.po_line_id = v.po_line_id where v.vendor_invoice_id = ${current.id} group by 1) x where g.id = x.gr_line_id`)
  const grir = money(sum(billed.map(({ value }) => value)))
  context.set({ grir, price_difference: money(exact(textOf(current, 'dpp')).minus(grir)) })
}
