import { exact, fixed, isZero, money, sum, type Decimal } from '#base/decimal.ts'
import { periodOf, type DateText } from '#base/date.ts'
import { costAmounts, freeVatAmounts, invoiceAmounts, type RevenueKey, type SoldFrom } from '#domain/ledger/invoiceAmounts.ts'
import { freeGoodsVat } from '#domain/tax/vat.ts'
import type { CommandContext, Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { pendingRow, pendingRows } from '#server/db/pendingRows.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { keepLocked } from '#server/documents/readRecord.ts'
import { accountCode, postAll, reverse, type PostingRequest, type PostingSource } from '#server/ledger/post.ts'
import { itemsOn } from '#server/pricing/pricingMasters.ts'
import { fail } from '#server/problemError.ts'
import { undoConsigned } from './consignmentSales.ts'
import { fitClaims } from '#server/receivables/claims.ts'
import { takeBackVanSale } from '#server/sales/takeBackVanSale.ts'
import { ordersOfLines, progressOfLines, refreshOrders, writeProgress } from '#server/sales/orderStatus.ts'
import { setting } from '#server/settings.ts'
import { foreignOf } from '#server/setup/exchangeRates.ts'
import { dropTaxDrafts, sentTaxInvoice } from '#server/tax/taxInvoices.ts'
import { insertDocument, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { assertPeriodNotClosed, dayIsFixed } from '#server/workflow/periods.ts'

interface InvoiceLineRow extends Row {
  readonly gi_line_id: number | null
  readonly order_line_id: number | null
  readonly item_id: number
  readonly cogs: Decimal
  readonly is_free: boolean
}

function linesOf(tx: Queries, invoiceId: number): Promise<InvoiceLineRow[]> {
  return tx.rows<InvoiceLineRow>(sql`select gi_line_id, order_line_id, item_id, cogs, is_free from invoice_line where invoice_id = ${invoiceId} order by line_no, id`)
}

/** Where an invoice is booked, and where it is undone. */
const invoiceModules = ['SD', 'AR', 'GL'] as const

/** Posts an invoice just made: goods are billed, revenue, tax and cost are booked. */
export const postInvoice: Effect = Object.assign(postMade, {
  ahead: (context: TransitionContext) => {
    const { unit, date } = placeOf(context)
    void context.assertPeriodOpen(invoiceModules, unit, date)
  },
})

function placeOf({ current }: TransitionContext): { readonly unit: number; readonly date: DateText } {
  return { unit: numberOf(current, 'operating_unit_id'), date: textOf(current, 'posting_date') }
}

async function postMade(context: TransitionContext): Promise<void> {
  const { tx, current } = context
  const { unit, date } = placeOf(context)
  await context.assertPeriodOpen(invoiceModules, unit, date)
  // An invoice made by this command is not written yet, its order lines are locked, and nothing asked for here looks at it.
  const isNew = pendingRow(tx, 'invoice', current.id) !== undefined
  const lines = isNew ? madeLines(tx, current.id) : await linesOf(tx, current.id)
  context.set({ period: periodOf(date) })
  if (isZero(textOf(current, 'total'))) context.endIn(3)
  const source = { type: 'invoice', id: current.id, code: textOf(current, 'code') }
  const territoryId = numberOrNull(current, 'territory_id')
  const customerId = numberOf(current, 'customer_id')
  const common = { source, operatingUnitId: unit, date, isNew }
  const [revenue, goods] = accountsOf(current['invoice_type'])
  const arAccount = await accountCode(tx.ahead, numberOf(current, 'ar_account_id'))
  const events: PostingRequest[] = [
    {
      ...common,
      money: await foreignOf(tx, current),
      event: 'INV',
      description: `Invoice ${source.code}`,
      amounts: invoiceAmounts({
        id: current.id, customerId, territoryId, arAccount, dueDate: textOf(current, 'due_date'),
        collector: current['ppn_collector'] === 'WAPU' ? 'WAPU' : 'SELLER', gross: textOf(current, 'gross'), discount: textOf(current, 'discount'), promo: textOf(current, 'promo'),
        ppn: textOf(current, 'ppn'), rounding: textOf(current, 'rounding'), total: textOf(current, 'total'),
      }, revenue),
    },
    {
      ...common, event: 'COGS', description: `Cost of invoice ${source.code}`,
      amounts: costAmounts(lines.map((line) => ({ itemId: line.item_id, cost: line.cogs, isFree: line.is_free })), territoryId, goods),
    },
  ]
  const gifts = lines.filter((line) => line.is_free && !isZero(line.cogs))
  if (gifts.length > 0 && (await setting(tx.ahead, 'vat_on_free_goods', unit, true))) {
    const ppn = await vatOf(tx, gifts, textOf(current, 'posting_date'))
    if (!isZero(ppn)) events.push({ ...common, event: 'FREE_VAT', description: `VAT on free goods of invoice ${source.code}`, amounts: freeVatAmounts(ppn, customerId, territoryId) })
  }
  const queries = isNew ? tx.ahead : tx
  const [issues, progress] = await Promise.all([
    markBilled(queries, lines, 1, isNew), progressOfLines(queries, lines.flatMap((line) => line.order_line_id ?? []), !isZero(textOf(current, 'total'))), postAll(context, events),
  ])
  await moveIssues(context, issues)
  await writeProgress(context, progress)
}

/** Goods that stood at the customer, and those of a van, have accounts of their own, as goods and as revenue. */
function accountsOf(type: unknown): readonly [RevenueKey, SoldFrom] {
  if (type === 'CONSIGNMENT' || type === 'CMI') return ['gross_consignment', 'stock_consigned']
  return type === 'CANVAS' ? ['gross_canvas', 'stock_canvas'] : ['gross', 'stock']
}

/** VAT of goods given away, by the tax each bears; what is sold without VAT is given without. */
/** VAT on goods given away, by their cost and the tax codes of their items on a day. */
export async function vatOf(tx: Queries, gifts: readonly Pick<InvoiceLineRow, 'item_id' | 'cogs'>[], date: DateText): Promise<Decimal> {
  const items = await itemsOn(tx, [...new Set(gifts.map((line) => line.item_id))], date)
  const taxes = new Map([...items.values()].flatMap(({ tax }) => (tax === null ? [] : [[tax.code, tax] as const])))
  const costs = (code: string) => gifts.filter((line) => items.get(line.item_id)?.tax?.code === code).map((line) => line.cogs)
  return money(sum([...taxes.values()].map((tax) => freeGoodsVat(sum(costs(tax.code)), tax))))
}

function madeLines(tx: Queries, invoiceId: number): InvoiceLineRow[] {
  return pendingRows(tx, 'invoice_line').filter((row) => row['invoice_id'] === invoiceId).map((row) => ({
    gi_line_id: numberOrNull(row, 'gi_line_id'), order_line_id: numberOrNull(row, 'order_line_id'), item_id: numberOf(row, 'item_id'), cogs: textOf(row, 'cogs'), is_free: row['is_free'] === true,
  }))
}

interface BilledIssue {
  readonly issue: Row & { readonly id: number; readonly status: number }
  /** Something of it is left to be billed. */
  readonly isOpen: boolean
}

/** Goods issue lines and order lines of an invoice become billed (+1) or billable again (−1). Answers the goods issues they are of. `isLocked`: the order lines are locked already. */
async function markBilled(queries: Queries, lines: readonly InvoiceLineRow[], sign: 1 | -1, isLocked = false): Promise<BilledIssue[]> {
  const ids = lines.flatMap((line) => line.gi_line_id ?? [])
  const lock = isLocked ? undefined : queries.run(sql`select l.id from sales_order_line l where l.id in (select order_line_id from goods_issue_line where id = any(${ids}::bigint[])) order by l.id for update`)
  const marked = queries.run(sql`update goods_issue_line set billed_qty = case when ${sign} = 1 then qty - returned_qty else 0 end where id = any(${ids}::bigint[])`)
  const counted = queries.run(sql`
    update sales_order_line l set billed_qty = l.billed_qty + ${sign} * x.qty
    from (select order_line_id, sum(qty - returned_qty) as qty from goods_issue_line where id = any(${ids}::bigint[]) group by 1) x where l.id = x.order_line_id`)
  const issues = queries.rows<BilledIssue['issue'] & { is_open: boolean }>(sql`
    select g.*, exists (select 1 from goods_issue_line l where l.goods_issue_id = g.id and l.billed_qty + l.returned_qty < l.qty) as is_open
    from goods_issue g where g.id in (select goods_issue_id from goods_issue_line where id = any(${ids}::bigint[])) order by g.id for update of g`)
  const [found] = await Promise.all([issues, lock, marked, counted])
  return found.map(({ is_open: isOpen, ...issue }) => ({ issue, isOpen }))
}

/** Goods issues close and open with their lines. */
async function moveIssues(context: CommandContext, issues: readonly BilledIssue[]): Promise<void> {
  for (const { issue, isOpen } of issues) {
    const action = issue.status === 1 && !isOpen ? 'bill' : issue.status === 3 && isOpen ? 'unbill' : undefined
    if (action === undefined) continue
    keepLocked(context.tx, knownEntity(context.metadata, 'goods_issue'), issue)
    await context.transition('goods_issue', issue.id, action)
  }
}

export const invoiceMayBeUndone: Precondition = async (context) => {
  const { tx, record, today } = context
  const invoice = await tx.first<Row & { id: number }>(sql`select * from invoice where id = ${numberOf(record, 'invoice_id')} for update`)
  if (invoice === undefined) fail('NOT_IN_SCOPE.record', { record: { key: 'entity.invoice' } })
  const code = textOf(invoice, 'code')
  if (invoice['pending_transition'] !== null) fail('PENDING_TRANSITION.invoice', { invoice: code })
  const settled = await tx.first(sql`select 1 from ar_allocation where invoice_id = ${invoice.id} and reversed_at is null limit 1`)
  if (settled !== undefined) fail('ILLEGAL_TRANSITION.invoice-settled', { invoice: code })
  const back = await tx.first<{ code: string }>(sql`select coalesce(code, 'DRAFT-' || id) as code from sales_return where invoice_id = ${invoice.id} and status in (1, 3, 4, 8) order by id limit 1`)
  if (back !== undefined) fail('ILLEGAL_TRANSITION.invoice-returned', { invoice: code, document: back.code })
  if (invoice['cn_temporary_id'] !== null) fail('ILLEGAL_TRANSITION.invoice-of-claim', { invoice: code })
  if (invoice['container_move_id'] !== null) fail('ILLEGAL_TRANSITION.invoice-of-container', { invoice: code })
  // One of nothing but gifts is settled from the start: no payment stands in its way.
  const isOpen = invoice['status'] === 1 || (invoice['status'] === 3 && isZero(textOf(invoice, 'total')))
  if (!isOpen || invoice['invoice_type'] === 'REVERSAL') fail('ILLEGAL_TRANSITION.invoice-not-open', { invoice: code })
  const date = textOf(invoice, 'posting_date')
  const unit = numberOf(invoice, 'operating_unit_id')
  if (record['mode'] === 'CANCEL') {
    if (periodOf(date) !== periodOf(today)) fail('PERIOD_CLOSED.earlier', { invoice: code })
    await assertCancellable(tx, invoice.id, code, date)
  }
  const day = record['mode'] === 'CANCEL' ? date : later(date, today)
  await dayIsFixed(assertPeriodNotClosed(tx, invoiceModules, unit, day))
}

/** On its own day an invoice can only go as if it had never been: nobody has paid it since, and its buyer's tax invoice has not left the house. */
async function assertCancellable(tx: Queries, id: number, code: string, date: DateText): Promise<void> {
  const paid = await tx.first(sql`select 1 from ar_allocation where invoice_id = ${id} and reversed_at > ${date}::date limit 1`)
  if (paid !== undefined) fail('ILLEGAL_TRANSITION.invoice-was-settled', { invoice: code })
  const faktur = await sentTaxInvoice(tx, id)
  if (faktur !== undefined) fail('ILLEGAL_TRANSITION.invoice-taxed', { invoice: code, faktur: faktur.code, state: { key: `enum.${faktur.status}` } })
  const [exchange] = await tx.rows<{ code: string }>(sql`
    select x.code from invoice_exchange_line l join invoice_exchange x on x.id = l.invoice_exchange_id
    where l.invoice_id = ${id} and x.status in (1, 2) and l.result <> 'RETURNED'
    union all select x.code from customer_invoice_exchange_line l join customer_invoice_exchange x on x.id = l.customer_invoice_exchange_id
    where l.invoice_id = ${id} and l.accepted and x.status = 4 limit 1`)
  if (exchange !== undefined) fail('ILLEGAL_TRANSITION.invoice-exchanged', { invoice: code, exchange: exchange.code })
}

/** An invoice dated ahead is undone on its own day: before, there is nothing to be undone. */
function later(date: DateText, today: DateText): DateText {
  return date > today ? date : today
}

/** Nothing else may happen to the invoice until the request is decided. */
export const holdInvoice: Effect = async (context) => {
  await setPending(context, numberOf(context.record, 'invoice_id'), context.record['mode'] === 'CANCEL' ? 'cancel' : 'reverse')
}

export const freeInvoice: Effect = async (context) => {
  await setPending(context, numberOf(context.record, 'invoice_id'), null)
}

async function setPending(context: CommandContext, invoiceId: number, action: string | null): Promise<void> {
  await context.tx.run(sql`
    update invoice set pending_transition = ${action}, version = version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id} where id = ${invoiceId}`)
}

/** The request is approved: the invoice is cancelled on its own day, or reversed today by a document of its own. */
export const undoInvoice: Effect = async (context) => {
  const { record } = context
  const action = record['mode'] === 'CANCEL' ? 'cancel' : 'reverse'
  await context.transition('invoice', numberOf(record, 'invoice_id'), action, { reason_id: record['reason_id'] ?? null, reason_text: record['reason_text'] ?? null })
}

export const cancelInvoice: Effect = async (context) => {
  const { record } = context
  const date = textOf(record, 'posting_date')
  const code = textOf(record, 'code')
  await assertCancellable(context.tx, record.id, code, date)
  await undo(context, { type: 'invoice', id: record.id, code }, date, `Cancellation of invoice ${code}`)
}

/** A REVERSAL invoice with a number of its own and every amount negative; nothing of it is ever open. */
export const reverseInvoice: Effect = async (context) => {
  const { tx, record } = context
  const day = later(textOf(record, 'posting_date'), context.today)
  const unit = numberOf(record, 'operating_unit_id')
  const negative = (column: string): Decimal => money(exact(textOf(record, column)).times(-1))
  const lines = await tx.rows<Row>(sql`
    select order_line_id, gi_line_id, item_id, uom, -qty as qty, price, -gross as gross, -discount as discount, -promo as promo, -dpp as dpp, -dpp_other as dpp_other, -ppn as ppn, -total as total,
      ppn_rate, -cogs as cogs, is_free, description from invoice_line where invoice_id = ${record.id} order by line_no, id`)
  const code = await context.nextNumber('INR', unit, day)
  const { id } = await insertDocument(
    context,
    'invoice',
    {
      ...Object.fromEntries(
        ['territory_id', 'customer_id', 'bill_to_id', 'ship_to_id', 'sales_order_id', 'payment_term_id', 'net_days', 'baseline', 'po_number', 'ar_account_id', 'salesman_id', 'collector_id', 'ppn_collector', 'trx_code', 'currency', 'rate'].map((column) => [column, record[column]]),
      ),
      territory_id: numberOrNull(record, 'territory_id'), operating_unit_id: unit, code, status: 3, invoice_type: 'REVERSAL', doc_date: day, posting_date: day, baseline_date: day, due_date: day,
      closed_on: day, reversal_of_id: record.id, remaining: '0.00',
      ...Object.fromEntries(['gross', 'discount', 'promo', 'dpp', 'dpp_other', 'ppn', 'rounding', 'total'].map((column) => [column, negative(column)])),
    },
    { table: 'invoice_line', rows: lines },
  )
  context.set({ reversed_by_id: id })
  await undo(context, { type: 'invoice', id, code }, day, `Reversal of invoice ${textOf(record, 'code')}`)
}

/** What both ways of undoing share: nothing stays open, the goods may be billed again, the books are mirrored. */
async function undo(context: Parameters<Effect>[0], by: PostingSource, date: DateText, description: string): Promise<void> {
  const { tx, record } = context
  const unit = numberOf(record, 'operating_unit_id')
  await dayIsFixed(context.assertPeriodOpen(invoiceModules, unit, date))
  const lines = await linesOf(tx, record.id)
  context.set({ remaining: '0.00', pending_transition: null, closed_on: date })
  const source = { type: 'invoice', id: record.id, code: textOf(record, 'code') }
  await dropTaxDrafts(context, record.id)
  await undoConsigned(context, record.id, date)
  await moveIssues(context, await markBilled(tx, lines, -1))
  const reversal = { source: by, date, description }
  const journalId = await reverse(context, { source, event: record['invoice_type'] === 'BEGBAL' ? 'OB_AR' : 'INV' }, reversal)
  await reverse(context, { source, event: 'COGS' }, reversal)
  await reverse(context, { source, event: 'FREE_VAT' }, reversal)
  const open = textOf(record, 'remaining')
  if (!isZero(open)) {
    await insertRows(tx, 'ar_allocation', [{
      invoice_id: record.id, source_type: 'REVERSAL', source_id: by.id, amount: fixed(open, 2), base_amount: textOf(record, 'base_remaining'), posting_date: date, journal_id: journalId, document_type: 'invoice', document_id: by.id,
      created_at: context.now.toISOString(),
    }])
  }
  await tx.run(sql`update invoice set status = 6, remaining = 0 where id = ${record.id}`)
  await fitClaims(context, [record.id])
  await refreshOrders(context, await ordersOfLines(context, lines.flatMap((line) => line.order_line_id ?? [])))
  if (record['invoice_type'] === 'CANVAS') await takeBackVanSale(context, date)
}
