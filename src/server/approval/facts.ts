import { exact, fixed, money, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { ApprovalFact } from '#api/approval.ts'
import { creditLimitOf } from '#domain/credit/creditCheck.ts'
import { PriceBook } from '#domain/pricing/basePrice.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Queries, Row } from '#server/context.ts'
import { creditStanding } from '#server/credit/standing.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { loadPricing } from '#server/pricing/loadPricing.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'

type FactSource = (queries: Queries, document: Row, today: DateText) => Promise<readonly ApprovalFact[]>

/** Numbers each document type shows its approvers; any other of a customer shows the customer's credit. */
const sources: Readonly<Record<string, FactSource>> = {
  sales_order: async (queries, order, today) => [...(await creditFacts(queries, order, today, textOf(order, 'total'))), ...(await floorFacts(queries, order))],
  invoice_cancel_request: async (queries, request) => {
    const invoice = await queries.first<{ total: Decimal; paid: Decimal; remaining: Decimal }>(sql`select total, total - remaining as paid, remaining from invoice where id = ${numberOf(request, 'invoice_id')}`)
    if (!invoice) return []
    const paid = money(invoice.paid)
    return [fact('invoice', 'total', 'money', money(invoice.total)), fact('invoice', 'paid', 'money', paid, exact(paid).gt(0)), fact('invoice', 'remaining', 'money', money(invoice.remaining))]
  },
}

/** The numbers behind a request as they stand. `document`: its header by column name. */
export function factsOf(queries: Queries, docType: string, document: Row, today: DateText): Promise<readonly ApprovalFact[]> {
  const source = Object.hasOwn(sources, docType) ? sources[docType] : undefined
  return (source ?? creditFacts)(queries, document, today)
}

/** As `factsOf`, for the document of a request; [] when it is gone. */
export async function factsNow(queries: Queries, metadata: Metadata, request: { readonly doc_type: string; readonly doc_id: number }, today: DateText): Promise<readonly ApprovalFact[]> {
  const document = await queries.first(sql`select * from ${ident(knownEntity(metadata, request.doc_type).table)} where id = ${request.doc_id}`)
  return document ? factsOf(queries, request.doc_type, document, today) : []
}

async function creditFacts(queries: Queries, document: Row, today: DateText, adding?: Decimal): Promise<readonly ApprovalFact[]> {
  const customerId = numberOrNull(document, 'customer_id')
  if (customerId === null) return []
  const standing = await creditStanding(queries, customerId, today)
  const limit = creditLimitOf(standing.limits)
  const exposure = money(standing.exposure)
  const facts = [fact('credit', 'limit', 'money', limit), fact('credit', 'exposure', 'money', exposure, limit !== null && exact(exposure).gt(limit))]
  if (adding !== undefined) {
    const after = exact(exposure).plus(adding)
    const isOver = limit !== null && after.gt(limit)
    facts.push(fact('credit', 'document', 'money', money(adding)), fact('credit', 'after', 'money', money(after), isOver))
    if (isOver) facts.push(fact('credit', 'excess', 'money', money(after.minus(limit)), true))
  }
  if (standing.group !== null) {
    const after = exact(standing.group.exposure).plus(adding ?? '0')
    facts.push(fact('credit', 'group-limit', 'money', money(standing.group.limit)), fact('credit', 'group-exposure', 'money', money(after), after.gt(standing.group.limit)))
  }
  return [
    ...facts,
    fact('credit', 'overdue', 'money', standing.overdueAmount, exact(standing.overdueAmount).gt(0)),
    fact('credit', 'days-overdue', 'days', String(standing.maxDaysOverdue), standing.maxDaysOverdue > 0),
    fact('credit', 'open-invoices', 'count', String(standing.openInvoices)),
  ]
}

interface SoldLine extends Row {
  readonly item_id: number
  readonly item: string
  readonly uom: string
  readonly qty: Decimal
  readonly net: Decimal
}

/** Lines sold below their floor price: what a unit brings, the floor, and how far it lies from it. */
async function floorFacts(queries: Queries, order: Row): Promise<readonly ApprovalFact[]> {
  const lines = await queries.rows<SoldLine>(sql`
    select l.item_id, i.code || ' ' || i.name as item, l.uom, l.qty, l.gross - l.discount_amount - l.promo_amount as net
    from sales_order_line l join item i on i.id = l.item_id where l.sales_order_id = ${numberOf(order, 'id')} and not l.is_free and l.qty > 0 order by l.line_no, l.id`)
  const loaded = lines.length === 0 ? null : await loadPricing(queries, {
    customerId: numberOf(order, 'customer_id'), priceDate: textOf(order, 'doc_date'), salesChannelId: numberOrNull(order, 'sales_channel_id'),
    operatingUnitId: numberOrNull(order, 'operating_unit_id'), itemIds: lines.map((line) => line.item_id),
  })
  if (loaded === null) return []
  const book = new PriceBook(loaded.context, loaded.masters)
  return lines.flatMap((line) => {
    const item = loaded.masters.items.get(line.item_id)
    const floor = item === undefined ? null : (book.find(item, line.uom, exact(line.qty))?.floor ?? null)
    if (floor === null || floor.lte(0)) return []
    const unit = exact(line.net).div(line.qty)
    const isBelow = unit.lt(floor)
    const margin = fixed(unit.minus(floor).div(floor).times(100), 2)
    return [fact('price', 'unit-price', 'money', money(unit), isBelow, line.item), fact('price', 'floor', 'money', money(floor), false, line.item), fact('price', 'margin', 'percent', margin, isBelow, line.item)]
  })
}

function fact(group: ApprovalFact['group'], name: string, format: ApprovalFact['format'], value: Decimal | null, isOver = false, subject?: string): ApprovalFact {
  return { group, name, format, value, isOver, ...(subject === undefined ? {} : { subject }) }
}
