import { dayText } from '#base/date.ts'
import { compare, exact, grouped, isZero, money, sum, type Decimal, type Exact } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import { holds } from '#meta/evaluate.ts'
import type { Settlement, SettlementSource } from '#meta/resolved.ts'
import type { TransitionContext } from '#server/context.ts'
import { wrong } from '#server/problemError.ts'
import { isAllocationSource, leastOpenSince, lockCreditNotes, lockDeposits, receiptsBeingReversed, type AllocationSource, type CreditRow, type DepositRow, type NewAllocation } from '#server/receivables/allocations.ts'
import { bookingDate } from './bookingDate.ts'
import { numberOrNull, textOf } from './newDocument.ts'
import { entityUsedAs, inLockOrder } from './openItems.ts'
import { refusedItems } from './settleItems.ts'
import { partsOf, refuse, type Taken } from './settleParts.ts'

/** What a document settles items with. */
interface Used {
  readonly as: AllocationSource
  /** Null: the document itself. */
  readonly itemId: number | null
  readonly amount: Decimal
  /** Line it stands in. */
  readonly lineId: number | undefined
  readonly lines: string | undefined
  readonly at: { readonly item: string; readonly amount: string }
}

/** What it uses, in the order it is used up. */
export async function usedBy(context: TransitionContext, sources: readonly SettlementSource[]): Promise<readonly Used[]> {
  const { user, today } = context
  const found: Used[] = []
  for (const { lines, item, amount, as, when } of sources) {
    if (!isAllocationSource(context.metadata, as)) throw new Error(`No allocation is called ${as}`)
    for (const { row, lineId, prefix } of await partsOf(context, lines)) {
      const itemId = item === undefined ? null : numberOrNull(row, item)
      const isCredit = as === 'CREDIT_NOTE' || as === 'DEPOSIT' || entityUsedAs(as) !== undefined
      const isTaken = !(isCredit && item !== undefined && itemId === null) && (when === undefined || holds(when, row, { user: { id: user.id }, today, params: {} }))
      if (isTaken) found.push({ as, itemId, amount: textOf(row, amount), lineId, lines: lines?.name, at: { item: prefix + wireName(item ?? amount), amount: prefix + wireName(amount) } })
    }
  }
  return found
}

/** Credit notes and deposits are open, the partner's and there since the day of the document; they are locked after the items. */
export async function checkCredits(context: TransitionContext, used: readonly Used[]): Promise<readonly FieldProblem[]> {
  const { tx, current } = context
  const date = bookingDate(current)
  const idsOf = (as: AllocationSource): readonly number[] => used.flatMap((one) => (one.as === as && one.itemId !== null ? [one.itemId] : []))
  const notes = await lockCreditNotes(tx, idsOf('CREDIT_NOTE'), { type: context.entity.id, id: current.id })
  const deposits = await lockDeposits(tx, idsOf('DEPOSIT'), { type: context.entity.id, id: current.id })
  const reversing = await receiptsBeingReversed(tx, deposits)
  const least = { CREDIT_NOTE: await leastOpenSince(tx, date, idsOf('CREDIT_NOTE'), 'CREDIT_NOTE'), DEPOSIT: await leastOpenSince(tx, date, idsOf('DEPOSIT'), 'DEPOSIT') }
  const rows = { CREDIT_NOTE: new Map<number, CreditRow>(notes.map((row) => [row.id, row])), DEPOSIT: new Map<number, DepositRow>(deposits.map((row) => [row.id, row])) }
  const seen = new Set<string>()
  const problemOf = ({ as, itemId, amount, at }: Used): FieldProblem | undefined => {
    if (compare(amount, '0') < 0) return wrong(at.amount, 'NEGATIVE')
    if ((as !== 'CREDIT_NOTE' && as !== 'DEPOSIT') || itemId === null) return undefined
    const row = rows[as].get(itemId)
    const deposit = as === 'DEPOSIT' ? rows.DEPOSIT.get(itemId) : undefined
    const isSecond = seen.has(`${as} ${itemId}`)
    seen.add(`${as} ${itemId}`)
    if (row === undefined || row.customer_id !== current['customer_id'] || ![1, 2, 3].includes(row.status)) return wrong(at.item, 'NOT_IN_SCOPE.credit')
    if (isSecond) return wrong(at.item, 'DUPLICATE.line')
    if (row.currency !== current['currency']) return wrong(at.item, 'NOT_A_CHOICE.other-currency', { document: row.code, own: row.currency, currency: textOf(current, 'currency') })
    if (row.pending_transition !== null) return wrong(at.item, 'PENDING_TRANSITION.credit', { document: row.code })
    const receipt = reversing.get(deposit?.receipt_id ?? 0)
    if (receipt !== undefined) return wrong(at.item, 'PENDING_TRANSITION.receipt', { deposit: row.code, receipt })
    if (isZero(amount)) return wrong(at.amount, 'REQUIRED.amount')
    if (compare(amount, row.remaining) > 0) return wrong(at.amount, 'EXCEEDS_REMAINING.most', { limit: grouped(row.remaining) })
    if (row.posting_date !== null && row.posting_date > date) return wrong(at.item, 'TOO_EARLY.credit', { document: row.code })
    const then = least[as].get(itemId)
    return then !== undefined && compare(amount, then.open) > 0 ? wrong(at.amount, 'EXCEEDS_REMAINING.then', { day: dayText(then.day), open: grouped(then.open) }) : undefined
  }
  return [...used.flatMap((one) => problemOf(one) ?? []), ...(await refusedSources(context, used))]
}

/** Open items of other kinds that are used: debit notes, advances, what suppliers have paid or credited. */
async function refusedSources(context: TransitionContext, used: readonly Used[]): Promise<readonly FieldProblem[]> {
  const taken = used.flatMap(({ as, itemId, amount, lineId, at }) => {
    const type = entityUsedAs(as)
    return type === undefined || itemId === null || isZero(amount) ? [] : [{ type, itemId, amount, lineId, at }]
  })
  const found: FieldProblem[] = []
  for (const type of [...new Set(taken.map((one) => one.type))].sort(inLockOrder)) found.push(...(await refusedItems(context, type, taken.filter((one) => one.type === type), 'used')))
  return found
}

/** Each item with what stands in its own line, then with the others in their order. */
export function settledWith({ current }: TransitionContext, settlement: Settlement, taken: readonly Taken[], used: readonly Used[], keyOf: (id: number) => Pick<NewAllocation, 'invoiceId' | 'item'>): readonly NewAllocation[] {
  const own = used.filter(({ lines }) => lines !== undefined && lines === settlement.lines?.name)
  const others = used.filter((one) => !own.includes(one)).map((one) => ({ ...one, left: exact(one.amount) }))
  const ownOf = new Map<number | undefined, Used[]>()
  for (const one of own) ownOf.set(one.lineId, [...(ownOf.get(one.lineId) ?? []), one])
  const found: NewAllocation[] = []
  const add = ({ itemId, lineId }: Taken, source: Used, amount: Exact): void => {
    if (amount.gt(0)) found.push({ ...keyOf(itemId), sourceType: source.as, sourceId: source.itemId ?? current.id, amount: money(amount), ...(lineId === undefined ? {} : { sourceLineId: lineId }) })
  }
  let at = 0
  for (const one of taken) {
    const inLine = ownOf.get(one.lineId) ?? []
    for (const source of inLine) add(one, source, exact(source.amount))
    let open = exact(one.amount).minus(sum(inLine.map(({ amount }) => amount)))
    if (open.lt(0)) refuse([wrong(one.at.amount, 'EXCEEDS_REMAINING.most', { limit: grouped(one.amount) })])
    for (; open.gt(0) && at < others.length; at += 1) {
      const source = others[at]
      if (source === undefined) break
      const part = source.left.lt(open) ? source.left : open
      add(one, source, part)
      source.left = source.left.minus(part)
      open = open.minus(part)
      if (source.left.gt(0)) break
    }
    if (open.gt(0)) throw new Error(`What ${current.id} settles with is less than what it settles`)
  }
  if (others.some(({ left }) => left.gt(0))) throw new Error(`What ${current.id} settles with is more than what it settles`)
  return found
}
