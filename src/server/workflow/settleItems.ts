import { dayText } from '#base/date.ts'
import { compare, exact, grouped, money, zero, type Decimal, type Exact } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { TransitionContext } from '#server/context.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { wrong } from '#server/problemError.ts'
import { bookingDate } from './bookingDate.ts'
import { heldItems } from './heldItems.ts'
import { textOf } from './newDocument.ts'
import { leastOpenItems, lockOpenItems, type OpenItemRow, type Side } from './openItems.ts'
import type { Taken } from './settleParts.ts'

/**
 * What cannot be taken of open items of one kind, which are locked: not the partner's or the unit's, about to be reversed, not there yet, or less
 * than is asked of them together now or on any day since. One item may stand in several lines. What waits for its approval holds its part against
 * whatever is asked for later; once it is approved it takes it.
 */
export async function refusedItems(context: TransitionContext, type: string, taken: readonly Taken[], side: Side = 'settled'): Promise<FieldProblem[]> {
  const entity = knownEntity(context.metadata, type)
  const ids = taken.map(({ itemId }) => itemId)
  const items = new Map((await lockOpenItems(context.tx, entity, ids, side)).map((item) => [item.id, item]))
  const least = await leastOpenItems(context.tx, bookingDate(context.current), entity, ids, side)
  const held = context.action.system === true ? new Map<number, Decimal>() : await heldItems(context.tx, type, ids, { type: context.entity.id, id: context.current.id }, side)
  const partner = context.current[entity.openItem?.partner ?? '']
  const before = new Map<number, Decimal>()
  return taken.flatMap((one) => {
    const earlier = before.get(one.itemId) ?? '0'
    before.set(one.itemId, money(exact(earlier).plus(one.amount)))
    return refusal(context, one, items.get(one.itemId), earlier, { partner, least: least.get(one.itemId), held: held.get(one.itemId) ?? '0' }) ?? []
  })
}

interface Known {
  readonly partner: unknown
  readonly held: Decimal
  readonly least: { readonly open: Decimal; readonly day: string } | undefined
}

function refusal({ current }: TransitionContext, { amount, at }: Taken, item: OpenItemRow | undefined, earlier: Decimal, { partner, least, held }: Known): FieldProblem | undefined {
  if (item === undefined || item.partner_id !== partner || item.operating_unit_id !== current['operating_unit_id'] || ![1, 2, 3].includes(item.status)) return wrong(at.item, 'NOT_IN_SCOPE.open-item')
  if (item.pending_transition !== null) return wrong(at.item, 'PENDING_TRANSITION.credit', { document: item.code })
  if (item.currency !== current['currency']) return wrong(at.item, 'NOT_A_CHOICE.other-currency', { document: item.code, own: item.currency, currency: textOf(current, 'currency') })
  if (compare(amount, '0') <= 0) return wrong(at.amount, 'REQUIRED.amount')
  const asked = exact(earlier).plus(amount)
  if (asked.gt(item.remaining)) return wrong(at.amount, 'EXCEEDS_REMAINING.most', { limit: grouped(money(exact(item.remaining).minus(earlier))) })
  if (asked.gt(exact(item.remaining).minus(held))) return wrong(at.amount, 'EXCEEDS_REMAINING.held', { limit: grouped(money(free(item.remaining, earlier, held))), held: grouped(held) })
  if (item.posting_date !== null && bookingDate(current) < item.posting_date) return wrong('DocDate', 'TOO_EARLY.order', { day: dayText(item.posting_date), order: item.code })
  if (least !== undefined && asked.gt(least.open)) return wrong(at.amount, 'EXCEEDS_REMAINING.then', { day: dayText(least.day), open: grouped(least.open) })
  return undefined
}

function free(remaining: Decimal, earlier: Decimal, held: Decimal): Exact {
  const left = exact(remaining).minus(earlier).minus(held)
  return left.lt(0) ? zero : left
}
