import { dayText } from '#base/date.ts'
import { compare, grouped, type Decimal } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import { holds } from '#meta/evaluate.ts'
import type { Settlement } from '#meta/resolved.ts'
import type { Precondition, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { wrong } from '#server/problemError.ts'
import { allocate, deallocate, isAllocationSource, leastOpenSince, lockCreditNotes, lockDeposits, lockInvoices, type NewAllocation, type OpenInvoiceRow } from '#server/receivables/allocations.ts'
import { bookingDate } from './bookingDate.ts'
import { numberOf, textOf } from './newDocument.ts'
import { lockItemKeys, sourceItem } from './openItems.ts'
import { refusedItems } from './settleItems.ts'
import { partsOf, refuse, type Taken } from './settleParts.ts'
import { checkCredits, settledWith, usedBy } from './settleWith.ts'

/** What the document settles must be open, the partner's, and there since its day. Asked when it is submitted and when it is posted. */
export const settlesWhatIsOpen: Precondition = async (context) => {
  await settledItems(context)
}

/** What it allocates to the items it settles, which are locked and checked; [] for a document that settles nothing. */
export async function settledItems(context: TransitionContext): Promise<readonly NewAllocation[]> {
  const settles = context.metadata.workflows[context.entity.id]?.settles ?? []
  const found: NewAllocation[] = []
  for (const settlement of settles) found.push(...(await settled(context, settlement)))
  return found
}

async function settled(context: TransitionContext, settlement: Settlement): Promise<readonly NewAllocation[]> {
  const { user, today, current } = context
  if (settlement.when !== undefined && !holds(settlement.when, current, { user: { id: user.id }, today, params: {} })) return []
  if (settlement.item === undefined) return leaving(context, settlement)
  const taken = await takenBy(context, settlement, settlement.item)
  if (taken.length === 0) return []
  const target = targetOf(context, settlement, settlement.item)
  const problems = target === 'invoice' ? await refusedInvoices(context, taken) : await refusedItems(context, target, taken)
  const used = settlement.with === undefined ? undefined : await usedBy(context, settlement.with)
  if (used !== undefined) problems.push(...(await checkCredits(context, used)))
  refuse(problems)
  const keyOf = (id: number): Pick<NewAllocation, 'invoiceId' | 'item'> => (target === 'invoice' ? { invoiceId: id } : { invoiceId: null, item: { type: target, id } })
  if (used !== undefined) return settledWith(context, settlement, taken, used, keyOf)
  const { as = '' } = settlement
  if (!isAllocationSource(context.metadata, as)) throw new Error(`No allocation is called ${as}`)
  return taken.map(({ itemId, amount, lineId }) => ({ ...keyOf(itemId), sourceType: as, sourceId: context.current.id, amount, ...(lineId === undefined ? {} : { sourceLineId: lineId }) }))
}

/** The entity of the open items a settlement names. */
function targetOf({ metadata, entity }: TransitionContext, { lines }: Settlement, item: string): string {
  const line = lines === undefined ? undefined : entity.lines.find(({ name }) => name === lines.name)
  return fieldMap(line === undefined ? entity : knownEntity(metadata, line.entity)).get(item)?.entity ?? 'invoice'
}

async function refusedInvoices(context: TransitionContext, taken: readonly Taken[]): Promise<FieldProblem[]> {
  const items = new Map((await lockInvoices(context.tx, taken.map(({ itemId }) => itemId))).map((item) => [item.id, item]))
  const least = await leastOpenSince(context.tx, bookingDate(context.current), [...items.keys()])
  const seen = new Set<number>()
  return taken.flatMap((one): readonly FieldProblem[] => {
    const found = refusal(context, one, items.get(one.itemId), least.get(one.itemId), seen.has(one.itemId))
    seen.add(one.itemId)
    return found === undefined ? [] : [found]
  })
}

/** Credits that leave: paid out, or handed to somebody else. */
async function leaving(context: TransitionContext, settlement: Settlement): Promise<readonly NewAllocation[]> {
  const used = await usedBy(context, settlement.with ?? [])
  refuse(await checkCredits(context, used))
  return used.flatMap(({ as, itemId, amount, lineId }) => (itemId === null ? [] : [{ invoiceId: null, sourceType: as, sourceId: itemId, amount, ...(lineId === undefined ? {} : { sourceLineId: lineId }) }]))
}

async function takenBy(context: TransitionContext, { lines, amount }: Settlement, item: string): Promise<readonly Taken[]> {
  return (await partsOf(context, lines)).map(({ row, lineId, prefix }) => ({ itemId: numberOf(row, item), amount: textOf(row, amount), lineId, at: { item: prefix + wireName(item), amount: prefix + wireName(amount) } }))
}

function refusal({ current }: TransitionContext, { amount, at }: Taken, item: OpenInvoiceRow | undefined, least: { readonly open: Decimal; readonly day: string } | undefined, isSecond: boolean): FieldProblem | undefined {
  if (item === undefined || item.customer_id !== current['customer_id']) return wrong(at.item, 'NOT_IN_SCOPE.invoice')
  if (isSecond) return wrong(at.item, 'DUPLICATE.line')
  if (item.currency !== current['currency']) return wrong(at.item, 'NOT_A_CHOICE.other-currency', { document: item.code, own: item.currency, currency: textOf(current, 'currency') })
  if (item.pending_transition !== null) return wrong(at.item, 'PENDING_TRANSITION', { invoice: item.code })
  if (compare(amount, '0') <= 0) return wrong(at.amount, 'REQUIRED.amount')
  if (compare(amount, item.remaining) > 0) return wrong(at.amount, 'EXCEEDS_REMAINING.most', { limit: grouped(item.remaining) })
  if (bookingDate(current) < item.posting_date) return wrong('DocDate', 'TOO_EARLY.order', { day: dayText(item.posting_date), order: item.code })
  if (least !== undefined && compare(amount, least.open) > 0) return wrong(at.amount, 'EXCEEDS_REMAINING.then', { day: dayText(least.day), open: grouped(least.open) })
  return undefined
}

/** Writes what the document settles and brings the items up to date. */
export async function settleItems(context: TransitionContext, allocations: readonly NewAllocation[], booked: { readonly date: string; readonly journalId: number | null }): Promise<void> {
  if (allocations.length > 0) await allocate(context, { type: context.entity.id, id: context.current.id, ...booked }, allocations)
}

/** Opens again what the document has settled, and what it has settled it with. */
export async function releaseSettled(context: TransitionContext, date: string): Promise<void> {
  const { tx, entity, current, metadata } = context
  if (metadata.workflows[entity.id]?.settles === undefined) return
  const rows = await tx.rows<{ invoice_id: number | null; item_type: string | null; item_id: number | null; source_type: string; source_id: number }>(sql`
    select distinct invoice_id, item_type, item_id, source_type, source_id from ar_allocation where document_type = ${entity.id} and document_id = ${current.id} and reversed_at is null`)
  const usedAs = (source: string): readonly number[] => rows.filter((row) => row.source_type === source).map((row) => row.source_id)
  await lockInvoices(tx, rows.flatMap((row) => row.invoice_id ?? []))
  await lockItemKeys(context, rows.flatMap((row) => [...(row.item_type === null || row.item_id === null ? [] : [{ type: row.item_type, id: row.item_id }]), ...sourceItem(row.source_type, row.source_id)]))
  await lockCreditNotes(tx, usedAs('CREDIT_NOTE'))
  await lockDeposits(tx, usedAs('DEPOSIT'))
  await deallocate(context, { type: entity.id, id: current.id }, date)
}
