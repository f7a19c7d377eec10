import { exact, grouped, money, type Decimal } from '#base/decimal.ts'
import { dayText } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { Precondition, TransitionContext } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { fieldMap, knownEntity } from '#server/documents/entities.ts'
import { wrong } from '#server/problemError.ts'
import { bookingDate } from './bookingDate.ts'
import { numberOf, textOf } from './newDocument.ts'
import { leastOpenItems, lockOpenItems, refreshOpenItems } from './openItems.ts'
import { refuse } from './settleParts.ts'

interface Adjusted {
  readonly entity: ResolvedEntity
  readonly id: number
  readonly amount: Decimal
  /** Columns added to. */
  readonly columns: readonly string[]
  readonly at: { readonly item: string; readonly amount: string }
}

/** The open item the document adjusts keeps at least what was taken of it. Asked when it is submitted and when it is posted. */
export const adjustsWithinTaken: Precondition = async (context) => {
  const adjusted = adjustedBy(context)
  if (adjusted !== undefined) refuse(await refused(context, adjusted))
}

/** Changes the whole amount of the open item the document adjusts, and what is left of it. */
export async function adjustItem(context: TransitionContext): Promise<void> {
  const adjusted = adjustedBy(context)
  if (adjusted === undefined) return
  refuse(await refused(context, adjusted))
  await add(context, adjusted, adjusted.amount)
}

/** Takes `adjustItem` back, as far as nobody has taken what it had added. */
export async function adjustItemBack(context: TransitionContext): Promise<void> {
  const adjusted = adjustedBy(context)
  if (adjusted === undefined) return
  const back = { ...adjusted, amount: money(exact(adjusted.amount).times(-1)) }
  refuse(await refused(context, back, true))
  await add(context, back, back.amount)
}

function adjustedBy({ metadata, entity, current }: TransitionContext): Adjusted | undefined {
  const adjusts = metadata.workflows[entity.id]?.adjusts
  if (adjusts === undefined) return undefined
  const target = knownEntity(metadata, fieldMap(entity).get(adjusts.item)?.entity ?? '')
  if (target.openItem === undefined) throw new Error(`${entity.id} adjusts ${target.id}, which is no open item`)
  return {
    entity: target, id: numberOf(current, adjusts.item), amount: textOf(current, adjusts.amount), columns: [adjusts.into, target.openItem.whole],
    at: { item: wireName(adjusts.item), amount: wireName(adjusts.amount) },
  }
}

async function refused(context: TransitionContext, { entity, id, amount, at }: Adjusted, isBack = false): Promise<readonly FieldProblem[]> {
  const { tx, current, today } = context
  const day = isBack ? today : bookingDate(current)
  const [item] = await lockOpenItems(tx, entity, [id])
  if (item === undefined || item.operating_unit_id !== current['operating_unit_id'] || ![1, 2, 3].includes(item.status)) return [wrong(at.item, 'NOT_IN_SCOPE.open-item')]
  if (item.pending_transition !== null) return [wrong(at.item, 'PENDING_TRANSITION.credit', { document: item.code })]
  if (item.posting_date !== null && day < item.posting_date) return [wrong('DocDate', 'TOO_EARLY.order', { day: dayText(item.posting_date), order: item.code })]
  if (exact(item.remaining).plus(amount).lt(0)) return [wrong(at.amount, 'EXCEEDS_REMAINING.adjustment', { limit: grouped(item.remaining) })]
  const then = (await leastOpenItems(tx, day, entity, [id])).get(id)
  return then !== undefined && exact(then.open).plus(amount).lt(0) ? [wrong(at.amount, 'EXCEEDS_REMAINING.then', { day: dayText(then.day), open: grouped(then.open) })] : []
}

async function add(context: TransitionContext, { entity, id, columns: [into = '', whole = ''] }: Adjusted, amount: Decimal): Promise<void> {
  await context.tx.run(sql`update ${ident(entity.table)} set ${ident(into)} = ${ident(into)} + ${amount}::numeric, ${ident(whole)} = ${ident(whole)} + ${amount}::numeric where id = ${id}`)
  await refreshOpenItems(context, [{ type: entity.id, id }])
}
