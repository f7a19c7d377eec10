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
import { decide, requestApproval } from './approvals.ts'
import { valueOf, type TradeDelivery, type TradeIssue } from './deliveries.ts'
import { refreshOrder } from './orders.ts'
import { advance, dated, header, log, moment, type Header, type Trade } from './trade.ts'
import { tell } from '#server/sentences.ts'

/** Invoices one goods issue at the prices of its order: receivable, tax, revenue and cost of goods. */
export function bill(trade: Trade, delivery: TradeDelivery, issue: TradeIssue, day: DateText, at: string): OpenInvoice {
  const { order } = delivery
  const { buyer } = order
  const { unit } = buyer
  const by = unit.users.billing
  const portions = issue.lines.map((each) => {
    const { priced } = each.line
    const agreed = { qtyBase: priced.qtyBase, gross: priced.gross, discount: priced.discount, promo: priced.promo, dpp: priced.dpp, ppn: priced.ppn, total: priced.total, taxIncluded: priced.taxIncluded, isFree: priced.isFree, tax: ordinaryVat }
    return { ...each, priced, amounts: portionOf(agreed, nothingBilled, fixed(each.qty, 3)) }
  })
  const totals = orderTotals(portions.filter(({ priced }) => !priced.isFree).map(({ amounts }) => amounts), { unit: '1', mode: 'HALF_UP' })
  const treatment = taxTreatment({ trxCode: null, collector: buyer.isGovernment ? 'GOV' : 'NONE' }, exact(totals.total), { ofGoods: '04', ofCompany: '04' })
  const { baseline, due } = dueDate({ netDays: buyer.term.days, baseline: buyer.term.baseline }, day)
  const arAccount = buyer.isGovernment ? '112102' : '112101'
  const row = trade.book.add('invoice', {
    ...header({ unit, territoryId: buyer.territory.id, day, by, at, source: 'SYSTEM' }), invoice_type: 'SALES', customer_id: buyer.id, bill_to_id: buyer.billToId, ship_to_id: order.shipToId,
    sales_order_id: order.row.id, payment_term_id: buyer.termId, net_days: buyer.term.days, baseline: buyer.term.baseline, cash_discount_pct: '0', cash_discount_days: null, po_number: order.row['po_number'], baseline_date: baseline, due_date: due, pod_date: null, ttf_date: null, gross: totals.gross,
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
      qty: isWhole ? inOrderUnit : fixed(qty, 3), qty_base: fixed(qty, 3), returned_qty: '0', price: isWhole ? priced.price : fixed(exact(priced.price).div(priced.factor), 4),
      gross: amounts.gross, discount: amounts.discount, promo: amounts.promo, dpp: amounts.dpp, dpp_other: amounts.dppOther, ppn: amounts.ppn, total: amounts.total, cogs: cost,
      is_free: priced.isFree, description: null, note: null, ppn_rate: ordinaryVat.rate,
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
    trade.ledger.post({ ...booking, event: 'FREE_VAT', description: `VAT on free goods of invoice ${row.code}` }, freeVatAmounts(money(freeGoodsVat(gifts, ordinaryVat)), buyer.id, territoryId))
  order.standing.gini = order.standing.gini.minus(valueOf(issue.lines))
  order.unpaid++
  const invoice: OpenInvoice = {
    row, buyer, delivery, issue, total: exact(totals.total), ppn: exact(totals.ppn), dpp: exact(totals.dpp), isCollected: treatment.collector === 'WAPU', arAccount, dueDate: due, remaining: exact(totals.total),
    payOn: due,
    order: {
      /** The order is paid when its last invoice is. */
      settle: (isPaid: boolean, userId: number, when: string) => {
        if (isPaid) order.unpaid--
        const isComplete = order.unpaid === 0 && order.row['billing_status'] === 3
        Object.assign(order.row, { payment_status: isComplete ? 3 : 2, stage: isComplete ? 'PAID' : order.row['stage'], updated_at: when, updated_by: userId })
        order.row.version++
      },
      /** A payment was taken back: the invoice is open again. */
      reopen: (userId: number, when: string) => {
        order.unpaid++
        Object.assign(order.row, { payment_status: 0, stage: order.row['billing_status'] === 3 ? 'BILLED' : 'SHIPPED', updated_at: when, updated_by: userId })
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
  if (from !== to) log(trade, 'invoice', row.id, 'settle', from, to, by, at)
  if (to === 3) dropClaim(trade, invoice, by, at)
}

/** What no approver has seen yet of a claim ends with its invoice, as in the living program. */
function dropClaim(trade: Trade, invoice: OpenInvoice, by: number, at: string): void {
  if (invoice.claim === undefined) return
  const { row, request } = invoice.claim
  if (request !== undefined) Object.assign(request, { status: 6, decided_at: at, version: 2 })
  advance(trade, 'cn_temporary', row, 'drop', 6, by, at)
  invoice.claim = undefined
}

/** Takes an invoice back by a request that is approved: cancelled on its own day within its month, else reversed by a document of its own. */
export function undoInvoice(trade: Trade, invoice: OpenInvoice, mode: 'CANCEL' | 'REVERSAL', day: DateText, isDecided: boolean): void {
  const { row, buyer, delivery, issue } = invoice
  const { unit } = buyer
  const { users } = unit
  const at = moment(trade, day, 10, 20)
  const amount = money(invoice.total)
  const request = trade.book.add('invoice_cancel_request', {
    ...header({ unit, territoryId: buyer.territory.id, day, by: users.billing, at }), invoice_id: row.id, mode, customer_id: buyer.id, amount,
  })
  Object.assign(request, { reason_id: trade.reasons.get('C05') ?? null, reason_text: 'Diskon promo belum masuk' })
  request.code = trade.numbers.next('ICR', unit, day)
  advance(trade, 'invoice_cancel_request', request, 'submit', 4, users.billing, at, 'Diskon promo belum masuk')
  const approval = requestApproval(trade, {
    docType: 'invoice_cancel_request', document: request, transition: 'approve', amount, buyer, by: users.billing, at, reasons: [{ code: mode, ...tell('block.INVOICE', { invoice: row.code ?? '' }), value: amount }],
  })
  row['pending_transition'] = mode === 'CANCEL' ? 'cancel' : 'reverse'
  if (!isDecided) return
  const decidedAt = moment(trade, day, 14, 5)
  const by = decide(trade, approval, 'APPROVE', users, decidedAt)
  advance(trade, 'invoice_cancel_request', request, 'approve', 3, by, decidedAt)
  const on = mode === 'CANCEL' ? (row.posting_date ?? day) : day
  const undo = mode === 'CANCEL' ? row : reversalOf(trade, invoice, day, by, decidedAt)
  advance(trade, 'invoice', row, mode === 'CANCEL' ? 'cancel' : 'reverse', mode === 'CANCEL' ? 6 : 7, by, decidedAt)
  Object.assign(row, { remaining: '0.00', pending_transition: null, closed_on: on, reversed_by_id: mode === 'CANCEL' ? null : undo.id, reason_id: request.reason_id })
  for (const each of issue.lines) {
    each.row['billed_qty'] = '0'
    each.line.billed = each.line.billed.minus(each.qty)
  }
  issue.isBilled = false
  advance(trade, 'goods_issue', issue.row, 'unbill', 1, by, decidedAt)
  const booking = {
    source: { type: 'invoice', id: undo.id, code: undo.code ?? '' }, unit, date: on, by, at: decidedAt, description: `${mode === 'CANCEL' ? 'Cancellation' : 'Reversal'} of invoice ${row.code ?? ''}`,
  }
  const source = { type: 'invoice', id: row.id, code: row.code ?? '' }
  const journalId = trade.ledger.reverse({ ...booking, event: 'INV' }, source)
  trade.ledger.reverse({ ...booking, event: 'COGS' }, source)
  trade.ledger.reverse({ ...booking, event: 'FREE_VAT' }, source)
  trade.book.add('ar_allocation', {
    invoice_id: row.id, source_type: 'REVERSAL', source_id: undo.id, source_line_id: null, amount, posting_date: on, reversed_at: null, reversal_of_id: null, journal_id: journalId,
    document_type: 'invoice', document_id: undo.id, created_at: decidedAt,
  })
  delivery.order.unpaid--
  delivery.order.standing.invoices.delete(invoice)
  delivery.order.standing.gini = delivery.order.standing.gini.plus(valueOf(issue.lines))
  refreshOrder(trade, delivery.order, by, decidedAt)
}

/** The document that undoes an invoice of an earlier month: every amount negative, nothing of it ever open. */
function reversalOf(trade: Trade, invoice: OpenInvoice, day: DateText, by: number, at: string): Header & { id: number } {
  const { row, buyer } = invoice
  const negative = (value: unknown): string => money(exact(String(value)).times(-1))
  const amounts = ['gross', 'discount', 'promo', 'dpp', 'dpp_other', 'ppn', 'rounding', 'total']
  const { id: invoiceId, ...columns } = row
  const undo = trade.book.add('invoice', {
    ...columns, ...header({ unit: buyer.unit, territoryId: buyer.territory.id, day, by, at, source: 'SYSTEM' }), invoice_type: 'REVERSAL', baseline_date: day, due_date: day, closed_on: day,
    reversal_of_id: invoiceId, reversed_by_id: null, remaining: '0.00', paid: '0.00', ...Object.fromEntries(amounts.map((name) => [name, negative(row[name])])),
  })
  dated(undo, day)
  undo.code = trade.numbers.next('INR', buyer.unit, day)
  undo.status = 3
  const lines = trade.book.rows('invoice_line').filter((line) => line['invoice_id'] === invoiceId)
  for (const { id: _, ...line } of lines)
    trade.book.add('invoice_line', {
      ...line, invoice_id: undo.id, qty_base: '0', returned_qty: '0',
      ...Object.fromEntries(['qty', 'gross', 'discount', 'promo', 'dpp', 'dpp_other', 'ppn', 'total', 'cogs'].map((name) => [name, name === 'qty' ? fixed(exact(String(line[name])).times(-1), 3) : negative(line[name])])),
    })
  return undo
}
