import { exact, fixed, money, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { ApprovalFact } from '#api/approval.ts'
import { baseOf } from '#domain/ledger/inBooks.ts'
import { basePrices } from '#domain/pricing/priceOrder.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Queries, Row } from '#server/context.ts'
import { creditStanding } from '#server/credit/standing.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { isInAnyCurrency, loadPricing } from '#server/pricing/loadPricing.ts'
import { comboOf, pricedIds } from '#server/sales/orderCombos.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { creditFacts, fact, type Adding } from './creditFacts.ts'

type FactSource = (queries: Queries, document: Row, today: DateText) => Promise<readonly ApprovalFact[]>

/** Numbers each document type shows its approvers; any other of a customer shows the customer's credit. */
const sources: Readonly<Record<string, FactSource>> = {
  sales_order: orderFacts,
  customer: (queries, customer, today) => customerFacts(queries, { customer_id: customer['id'] }, today),
  invoice_cancel_request: invoiceFacts,
  invoice_close_request: invoiceFacts,
  price_change: changeFacts,
  bank_statement: statementFacts,
}

/** The numbers behind a request as they stand. `document`: its header by column name. */
export function factsOf(queries: Queries, docType: string, document: Row, today: DateText): Promise<readonly ApprovalFact[]> {
  const source = Object.hasOwn(sources, docType) ? sources[docType] : undefined
  return (source ?? customerFacts)(queries, document, today)
}

/** As `factsOf`, for the document of a request; [] when it is gone. */
export async function factsNow(queries: Queries, metadata: Metadata, request: { readonly doc_type: string; readonly doc_id: number }, today: DateText): Promise<readonly ApprovalFact[]> {
  const document = await queries.first(sql`select * from ${ident(knownEntity(metadata, request.doc_type).table)} where id = ${request.doc_id}`)
  return document ? factsOf(queries, request.doc_type, document, today) : []
}

/** The invoice a request is about. */
async function invoiceFacts(queries: Queries, request: Row): Promise<readonly ApprovalFact[]> {
  const invoice = await queries.first<{ total: Decimal; paid: Decimal; remaining: Decimal }>(sql`select total, total - remaining as paid, remaining from invoice where id = ${numberOf(request, 'invoice_id')}`)
  if (!invoice) return []
  const paid = money(invoice.paid)
  return [fact('invoice', 'total', 'money', money(invoice.total)), fact('invoice', 'paid', 'money', paid, request['mode'] !== undefined && exact(paid).gt(0)), fact('invoice', 'remaining', 'money', money(invoice.remaining))]
}

async function customerFacts(queries: Queries, document: Row, today: DateText, adding?: Adding): Promise<readonly ApprovalFact[]> {
  const customerId = numberOrNull(document, 'customer_id')
  return customerId === null ? [] : creditFacts(await creditStanding(queries, customerId, today), adding)
}

async function orderFacts(queries: Queries, order: Row, today: DateText): Promise<readonly ApprovalFact[]> {
  const term = await queries.first<{ is_cash: boolean }>(sql`
    select coalesce(p.is_cash or p.is_cod, false) as is_cash from customer c left join payment_term p on p.id = coalesce(${numberOrNull(order, 'payment_term_id')}::bigint, c.payment_term_id)
    where c.id = ${numberOf(order, 'customer_id')}`)
  return [...(await customerFacts(queries, order, today, { total: baseOf(textOf(order, 'total'), textOf(order, 'rate')), isCash: term?.is_cash === true })), ...(await floorFacts(queries, order))]
}

/** Of a long order those lines are told that bring least. */
const mostLines = 20

interface SoldLine extends Row {
  readonly item_id: number
  readonly item: string
  readonly uom: string
  readonly qty: Decimal
  readonly agreed_price: Decimal | null
  readonly contract_line_id: number | null
  readonly net: Decimal
}

/** What a unit of each line brings, the floor price it is held against when the order is priced, and how far it lies from it; least first. */
async function floorFacts(queries: Queries, order: Row): Promise<readonly ApprovalFact[]> {
  const lines = await queries.rows<SoldLine>(sql`
    select l.item_id, i.code || ' ' || i.name as item, l.uom, l.qty, l.agreed_price, l.contract_line_id, l.combo_item_id, l.combo_no, l.combo_qty, l.combo_uom, l.combo_price, l.gross - l.discount_amount - l.promo_amount as net
    from sales_order_line l join item i on i.id = l.item_id where l.sales_order_id = ${numberOf(order, 'id')} and not l.is_free and l.qty > 0 order by l.line_no, l.id`)
  const loaded = lines.length === 0 ? null : await loadPricing(queries, {
    customerId: numberOf(order, 'customer_id'), priceDate: textOf(order, 'doc_date'), salesChannelId: numberOrNull(order, 'sales_channel_id'),
    operatingUnitId: numberOrNull(order, 'operating_unit_id'), itemIds: lines.flatMap(pricedIds), contractLineIds: lines.flatMap((line) => line.contract_line_id ?? []),
    inAnyCurrency: isInAnyCurrency(order),
  })
  if (loaded === null) return []
  const priced = lines.map((row) => ({ row, itemId: row.item_id, uom: row.uom, qty: row.qty, agreedPrice: row.agreed_price, contractLineId: row.contract_line_id, combo: comboOf(row) }))
  const bases = basePrices(loaded.context, loaded.masters, priced)
  const sold = priced.flatMap((line) => {
    const { row } = line
    const floor = bases.get(line)?.floor ?? null
    if (floor === null || floor.lte(0)) return []
    const unit = exact(row.net).div(row.qty)
    return [{ item: row.item, unit, floor, margin: unit.minus(floor).div(floor).times(100) }]
  })
  return sold
    .toSorted((a, b) => a.margin.cmp(b.margin))
    .slice(0, mostLines)
    .flatMap(({ item, unit, floor, margin }) => {
      const isBelow = unit.lt(floor)
      return [
        fact('price', 'unit-price', 'money', money(unit), isBelow, item), fact('price', 'floor', 'money', money(floor), false, item), fact('price', 'margin', 'percent', fixed(margin, 2), isBelow, item),
      ]
    })
}

/** How much a price change touches: rows by what becomes of them, the largest step, customers the set is for, prices under their own floor. */
async function changeFacts(queries: Queries, change: Row): Promise<readonly ApprovalFact[]> {
  const count = (column: string): string => String(change[column] ?? 0)
  const lines = await queries.first<{ below: number; raised: number; lowered: number }>(sql`
    select count(*) filter (where floor_price > 0 and value < floor_price) as below, count(*) filter (where effect = 'CHANGED' and change_pct > 0) as raised,
      count(*) filter (where effect = 'CHANGED' and change_pct < 0) as lowered
    from price_change_line where price_change_id = ${numberOf(change, 'id')} and action = 'SET'`)
  const largest = textOrNull(change, 'largest_pct')
  const below = lines?.below ?? 0
  return [
    fact('change', 'added', 'count', count('added_count')),
    fact('change', 'changed', 'count', count('changed_count')),
    fact('change', 'raised', 'count', String(lines?.raised ?? 0)),
    fact('change', 'lowered', 'count', String(lines?.lowered ?? 0)),
    fact('change', 'ended', 'count', count('ended_count'), Number(change['ended_count'] ?? 0) > 0),
    ...(largest === null ? [] : [fact('change', 'largest', 'percent', largest)]),
    ...(below === 0 ? [] : [fact('change', 'below-floor', 'count', String(below), true)]),
  ]
}

/** What a bank statement brings in and takes out, whether that leads from its opening to its closing balance, and what of it nobody could place. */
async function statementFacts(queries: Queries, statement: Row): Promise<readonly ApprovalFact[]> {
  const sums = await queries.first<{ lines: number; credit: Decimal; debit: Decimal; open_lines: number; open_amount: Decimal }>(sql`
    select count(*) as lines, coalesce(sum(credit), 0) as credit, coalesce(sum(debit), 0) as debit, count(*) filter (where match_type in ('NONE', 'UNIDENTIFIED')) as open_lines,
      coalesce(sum(credit + debit) filter (where match_type in ('NONE', 'UNIDENTIFIED')), 0) as open_amount
    from bank_statement_line where bank_statement_id = ${numberOf(statement, 'id')}`)
  if (!sums) return []
  const opening = textOf(statement, 'opening_balance')
  const closing = textOf(statement, 'closing_balance')
  const difference = money(exact(opening).plus(sums.credit).minus(sums.debit).minus(closing))
  return [
    fact('statement', 'opening', 'money', money(opening)),
    fact('statement', 'money-in', 'money', money(sums.credit)),
    fact('statement', 'money-out', 'money', money(sums.debit)),
    fact('statement', 'closing', 'money', money(closing)),
    fact('statement', 'difference', 'money', difference, !exact(difference).eq(0)),
    fact('statement', 'lines', 'count', String(sums.lines)),
    fact('statement', 'open-lines', 'count', String(sums.open_lines), sums.open_lines > 0),
    ...(sums.open_lines > 0 ? [fact('statement', 'open-amount', 'money', money(sums.open_amount), true)] : []),
  ]
}
