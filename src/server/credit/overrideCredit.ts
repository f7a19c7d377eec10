import { addDays, dayText, type DateText } from '#base/date.ts'
import type { Decimal } from '#base/decimal.ts'
import type { RowResult } from '#api/data.ts'
import type { Problem } from '#api/problems.ts'
import { creditBlocks, overridableCodes, type CreditBlock } from '#domain/credit/creditCheck.ts'
import { columnScope } from '#server/access/scope.ts'
import { isApprover, makersOf, namesOfSteps, voicesOf } from '#server/approval/deputies.ts'
import { approvalLevels } from '#server/approval/matrix.ts'
import type { Command, CommandContext, Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { problem, refusedRow } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import { approvedExcess, hasGrown } from './approvedExcess.ts'
import { holdOrders } from './creditHold.ts'
import { creditStanding } from './standing.ts'

/** How long an override lasts. */
const days = 7

interface OrderRow extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly makers: readonly number[]
  readonly customer_id: number
  readonly operating_unit_id: number
  readonly territory_id: number | null
  readonly customer_category_id: number | null
  readonly total: Decimal
  readonly block_codes: readonly string[]
  readonly is_cash: boolean
}

/** What live overrides clear of an order; one that has grown past the amount it was given for clears nothing. */
export async function overriddenCodes(tx: Queries, orderId: number, total: Decimal, today: DateText): Promise<readonly string[]> {
  const rows = await tx.rows<{ block_codes: readonly string[] }>(sql`select block_codes from credit_override where sales_order_id = ${orderId} and expires_on >= ${today}::date and amount >= ${total}::numeric`)
  return rows.flatMap((row) => row.block_codes)
}

/** Clears the credit blocks of single orders for a week, at submission and at delivery planning. Not of one's own orders. */
export const overrideCredit: Command = async (context, input) => {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'o')
  const orders = await context.tx.rows<OrderRow>(sql`
    select o.id, coalesce(o.code, 'DRAFT-' || o.id) as code, o.status, ${makersOf({ docType: sql`'sales_order'`, docId: sql`o.id`, isWhole: sql`true`, requestedBy: sql`coalesce(o.submitted_by, o.created_by)` })} as makers, o.customer_id, o.operating_unit_id, o.territory_id, c.customer_category_id, round(o.total * o.rate, 2) as total, o.block_codes,
      exists (select 1 from payment_term p where p.id = coalesce(o.payment_term_id, c.payment_term_id) and (p.is_cash or p.is_cod)) as is_cash
    from sales_order o join customer c on c.id = o.customer_id
    where o.id = any(${[...input.ids]}::bigint[]) and ${scope ?? sql`true`} order by o.id for update of o`)
  const results: RowResult[] = input.ids.filter((id) => !orders.some((order) => order.id === id)).map((id) => refusedRow(id, problem('NOT_IN_SCOPE.record', { record: { key: 'entity.sales_order' } })))
  for (const order of orders) results.push(await override(context, order, String(input.params['ReasonText'])))
  return { results }
}

async function override(context: CommandContext, order: OrderRow, reason: string): Promise<RowResult> {
  if (order.makers.includes(context.user.id)) return refusedRow(order.id, problem('SELF_APPROVAL.override', { order: order.code }))
  if (![0, 1, 2, 5].includes(order.status)) return refusedRow(order.id, problem('ILLEGAL_TRANSITION.override', { order: order.code }))
  const blocks = await blocksOf(context, order)
  const level = await levelAbove(context, order, blocks)
  if (level !== undefined) return refusedRow(order.id, level)
  const expires = addDays(context.today, days)
  await insertRows(context.tx, 'credit_override', [{
    sales_order_id: order.id, approved_by: context.user.id, approved_at: context.now.toISOString(), expires_on: expires, amount: order.total, block_codes: blocks.map((block) => block.code),
  }])
  await writeLog(context.tx, { docType: 'sales_order', docId: order.id, at: context.now.toISOString(), actorId: context.user.id, action: 'override-credit', note: reason })
  await holdOrders(context, [order.id], false)
  return { ID: order.id, ok: true, ...tell('done.overridden', { order: order.code, date: dayText(expires) }) }
}

/** What stands against the order now, is not decided and an override clears. */
async function blocksOf({ tx, today }: CommandContext, order: OrderRow): Promise<readonly CreditBlock[]> {
  // An approved order is part of the exposure already, and what it was approved with is decided.
  const isApproved = order.status === 1 || order.status === 2
  const standing = await creditStanding(tx, order.customer_id, today)
  const blocks = creditBlocks(standing, { total: isApproved ? '0' : order.total, isCash: order.is_cash, termDiffers: false }, today).filter((block) => overridableCodes.includes(block.code))
  if (!isApproved) return blocks
  const isMore = hasGrown(standing, (await approvedExcess(tx, [order.id])).get(order.id))
  return blocks.filter(({ code }) => (code === 'CL01' ? isMore : !order.block_codes.includes(code)))
}

/** Whose word the matrix wants last for these blocks, if not the user's: an override goes no further than an approval by the same person. */
async function levelAbove({ tx, user, today }: CommandContext, order: OrderRow, blocks: readonly CreditBlock[]): Promise<Problem | undefined> {
  const levels = await approvalLevels(tx, {
    docType: 'sales_order', transition: 'approve', amount: order.total, operatingUnitId: order.operating_unit_id, territoryId: order.territory_id, customerCategoryId: order.customer_category_id,
    reasons: blocks.map(({ code, sentence, value }) => ({ code, ...said(sentence), value })),
  }, today)
  const last = levels.at(-1)
  if (blocks.length === 0 || last === undefined) return undefined
  const [own] = await voicesOf(tx, user, today)
  if (own !== undefined && last.steps.some((step) => isApprover(own.user, own.positions, step))) return undefined
  return problem('NOT_YOUR_LEVEL.level', { level: last.level, levels: levels.length, roles: await namesOfSteps(tx, last.steps) })
}
