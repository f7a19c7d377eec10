import type { DateText } from '#base/date.ts'
import { exact, fixed, money, sum } from '#base/decimal.ts'
import { nothingBilled, portionOf } from '#domain/billing/portion.ts'
import { costAmounts, freeVatAmounts, invoiceAmounts } from '#domain/ledger/invoiceAmounts.ts'
import { orderTotals } from '#domain/pricing/priceOrder.ts'
import { dueDate } from '#domain/receivables/dueDate.ts'
import { freeGoodsVat, ordinaryVat, taxTreatment } from '#domain/tax/vat.ts'
import { must } from '../insertMissing.ts'
import { behaviour } from '../settings.ts'
import type { OpenInvoice } from './accountsOfBuyers.ts'
import type { TradeDelivery, TradeIssue } from './deliveries.ts'
import { refreshOrder } from './orders.ts'
import { advance, dated, header, log, type Trade } from './trade.ts'

/** Invoices one goods issue at the prices of its order: receivable, tax, revenue and cost of goods. */
export function bill(trade: Trade, delivery: TradeDelivery, issue: TradeIssue, day: DateText, at: string): OpenInvoice {
  const { order } = delivery
  const { buyer } = order
  const { unit } = buyer
  const by = unit.users.billing
  const portions = issue.lines.map((each) => {
    const { priced } = each.line
    const agreed = { qtyBase: priced.qtyBase, gross: priced.gross, discount: priced.discount, promo: priced.promo, dpp: priced.dpp, isFree: priced.isFree, tax: ordinaryVat }
    return { ...each, priced, amounts: portionOf(agreed, nothingBilled, fixed(each.qty, 3)) }
  })
  const totals = orderTotals(portions.filter(({ priced }) => !priced.isFree).map(({ amounts }) => amounts), { unit: '1', mode: 'HALF_UP' })
  const treatment = taxTreatment({ trxCode: null, collector: buyer.isGovernment ? 'GOV' : 'NONE' }, exact(totals.total), '04')
  const { baseline, due } = dueDate({ netDays: buyer.term.days, baseline: buyer.term.baseline }, day)
  const arAccount = buyer.isGovernment ? '112102' : '112101'
  const row = trade.book.add('invoice', {
    ...header({ unit, territoryId: buyer.territory.id, day, by, at, source: 'SYSTEM' }), invoice_type: 'SALES', customer_id: buyer.id, bill_to_id: buyer.billToId, ship_to_id: order.shipToId,
    sales_order_id: order.row.id, payment_term_id: buyer.termId, po_number: order.row['po_number'], baseline_date: baseline, due_date: due, pod_date: null, ttf_date: null, gross: totals.gross,
    discount: totals.discount, promo: totals.promo, dpp: totals.dpp, dpp_other: totals.dppOther, ppn: totals.ppn, ppn_collector: treatment.collector, rounding: totals.rounding,
    total: totals.total, remaining: totals.total, paid: '0.00', ar_account_id: must(trade.accounts, arAccount), salesman_id: buyer.salesmanId, collector_id: buyer.collectorId,
    reversal_of_id: null as number | null, reversed_by_id: null as number | null, closed_on: null as DateText | null, printed_count: trade.chance.chance(0.8) ? 1 : 0, dispute: false,
    trx_code: treatment.trxCode,
  })
  dated(row, day)
  for (const [i, { row: issueLine, line, priced, qty, cost, amounts }] of portions.entries()) {
    const inOrderUnit = fixed(qty.div(priced.factor), 3)
    const isWhole = exact(inOrderUnit).times(priced.factor).eq(qty)
    trade.book.add('invoice_line', {
      invoice_id: row.id, line_no: i + 1, order_line_id: line.row.id, gi_line_id: issueLine.id, item_id: priced.itemId, uom: isWhole ? priced.uom : 'PCS',
      qty: isWhole ? inOrderUnit : fixed(qty, 3), price: isWhole ? priced.price : fixed(exact(priced.price).div(priced.factor), 4),
      gross: amounts.gross, discount: amounts.discount, promo: amounts.promo, dpp: amounts.dpp, dpp_other: amounts.dppOther, ppn: amounts.ppn, total: amounts.total, cogs: cost,
      is_free: priced.isFree, description: null, note: null,
    })
    issueLine['billed_qty'] = fixed(qty, 3)
    line.billed = line.billed.plus(qty)
  }
  row.code = trade.numbers.next('INV', unit, day)
  advance(trade, 'invoice', row, 'post', 1, by, at)
  issue.isBilled = true
  advance(trade, 'goods_issue', issue.row, 'bill', 3, by, at)
  refreshOrder(trade, order, by, at)
  const source = { type: 'invoice', id: row.id, code: row.code }
  const booking = { source, unit, date: day, by, at }
  const territoryId = buyer.territory.id
  trade.ledger.post(
    { ...booking, event: 'INV', description: `Invoice ${row.code}` },
    invoiceAmounts({ id: row.id, customerId: buyer.id, territoryId, arAccount, dueDate: due, collector: treatment.collector, ...totals }),
  )
  const costs = portions.map(({ priced, cost }) => ({ itemId: priced.itemId, cost, isFree: priced.isFree }))
  trade.ledger.post({ ...booking, event: 'COGS', description: `Cost of invoice ${row.code}` }, costAmounts(costs, territoryId))
  const gifts = sum(costs.filter((line) => line.isFree).map((line) => line.cost))
  if (behaviour['vat_on_free_goods'] === true && gifts.gt(0))
    trade.ledger.post({ ...booking, event: 'FREE_VAT', description: `VAT on free goods of invoice ${row.code}` }, freeVatAmounts(money(freeGoodsVat(gifts)), buyer.id, territoryId))
  order.standing.gini = order.standing.gini.minus(sum(issue.lines.map(({ line, qty }) => exact(line.priced.total).times(qty).div(line.qty))))
  order.unpaid++
  const invoice: OpenInvoice = {
    row, buyer, total: exact(totals.total), ppn: exact(totals.ppn), dpp: exact(totals.dpp), isCollected: treatment.collector === 'WAPU', arAccount, dueDate: due, remaining: exact(totals.total),
    payOn: due,
    order: {
      /** The order is paid when its last invoice is. */
      settle: (isPaid: boolean, userId: number, when: string) => {
        if (isPaid) order.unpaid--
        const isComplete = order.unpaid === 0 && order.row['billing_status'] === 3
        Object.assign(order.row, { payment_status: isComplete ? 3 : 2, stage: isComplete ? 'PAID' : order.row['stage'], updated_at: when, updated_by: userId })
        order.row.version++
      },
    },
  }
  order.standing.invoices.add(invoice)
  return invoice
}

/** Status of an invoice after something was taken off or given back, with history. */
export function restate(trade: Trade, invoice: OpenInvoice, day: DateText, by: number, at: string): void {
  const { row } = invoice
  const from = row.status
  const to = invoice.remaining.eq(0) ? 3 : invoice.remaining.eq(invoice.total) ? 1 : 2
  Object.assign(row, { remaining: money(invoice.remaining), closed_on: to === 3 ? day : null, updated_at: at, updated_by: by })
  row.version++
  row.status = to
  if (from !== to) log(trade, 'invoice', row.id, 'allocate', from, to, by, at)
}
