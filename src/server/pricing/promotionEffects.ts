import { addDays, isDate } from '#base/date.ts'
import { exact, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Effect, Precondition, Queries, Row } from '#server/context.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { insertDocument, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'

interface Condition extends Row {
  readonly tier_no: number
  readonly kind: string
  readonly item_id: number | null
  readonly uom: string | null
  readonly min: Decimal
  readonly max: Decimal | null
  readonly knows_uom: boolean
}

interface Benefit extends Row {
  readonly tier_no: number
  readonly kind: string
  readonly value: Decimal
  readonly free_item_id: number | null
  readonly free_qty: Decimal
  readonly free_uom: string | null
  readonly knows_uom: boolean
}

const unitsOf = (item: string, uom: string) => `(${uom} is null or ${item} is null or exists (select 1 from item i left join item_uom u on u.item_id = i.id and u.uom = ${uom} where i.id = ${item} and (u.id is not null or ${uom} in (i.base_uom, i.sales_uom))))`

/** The promotion says what must be bought and what is given for it: tier by tier, each wanting more than the one before, without a gap. */
export const promotionComplete: Precondition = async ({ tx, record }) => {
  const problems = await promotionProblems(tx, record.id)
  if (problems.length > 0) invalid(problems)
}

/** What keeps a promotion from being submitted. */
export async function promotionProblems(tx: Queries, id: number): Promise<readonly FieldProblem[]> {
  const [conditions, benefits] = [
    await tx.rows<Condition>(sql`select tier_no, kind, item_id, uom, min, max, ${trusted(unitsOf('c.item_id', 'c.uom'))} as knows_uom from promotion_condition c where promotion_id = ${id} order by line_no, id`),
    await tx.rows<Benefit>(sql`select tier_no, kind, value, free_item_id, free_qty, free_uom, ${trusted(unitsOf('b.free_item_id', 'b.free_uom'))} as knows_uom from promotion_benefit b where promotion_id = ${id} order by line_no, id`),
  ]
  const problems: FieldProblem[] = []
  if (conditions.length === 0) problems.push(wrong('PromotionCondition', 'REQUIRED.lines'))
  if (benefits.length === 0) problems.push(wrong('Lines', 'REQUIRED.lines'))
  if (problems.length > 0) return problems
  const tiers = new Set(conditions.map((one) => one.tier_no))
  for (const [at, one] of conditions.entries()) {
    const field = (name: string) => `PromotionCondition[${at}].${name}`
    if (one.kind.startsWith('ITEM_') && one.item_id === null) problems.push(wrong(field('ItemID'), 'REQUIRED'))
    if (!one.knows_uom) problems.push(wrong(field('Uom'), 'NOT_IN_SCOPE.unit'))
    if (one.tier_no > 1 && !tiers.has(one.tier_no - 1)) problems.push(wrong(field('TierNo'), 'INVALID.tier-gap', { tier: one.tier_no - 1 }))
    const below = conditions.find((other) => other.tier_no === one.tier_no - 1 && other.kind === one.kind && (!one.kind.startsWith('ITEM_') || other.item_id === one.item_id))
    if (below !== undefined && exact(one.min).lte(below.min)) problems.push(wrong(field('Min'), 'TOO_SMALL.tier-rises', { limit: below.min }))
    if (below?.max != null && exact(one.min).gt(exact(below.max).plus(1))) problems.push(wrong(field('Min'), 'TOO_LARGE.tier-follows', { limit: below.max }))
    if (!benefits.some(({ tier_no }) => tier_no === one.tier_no)) problems.push(wrong(field('TierNo'), 'INVALID.tier-without-benefit'))
  }
  for (const [at, one] of benefits.entries()) {
    const field = (name: string) => `Lines[${at}].${name}`
    if (!tiers.has(one.tier_no)) problems.push(wrong(field('TierNo'), 'INVALID.tier-without-condition'))
    if (one.kind === 'FREE_ITEM' ? exact(one.free_qty).lte(0) : exact(one.value).lte(0)) problems.push(wrong(field(one.kind === 'FREE_ITEM' ? 'FreeQty' : 'Value'), 'TOO_SMALL.above-zero'))
    if (one.kind === 'PCT' && exact(one.value).gt(100)) problems.push(wrong(field('Value'), 'TOO_LARGE.percent'))
    if (!one.knows_uom) problems.push(wrong(field('FreeUom'), 'NOT_IN_SCOPE.unit'))
    if (one.kind === 'SPECIAL_PRICE' && conditions.some((condition) => condition.tier_no === one.tier_no && !condition.kind.endsWith('_QTY'))) problems.push(wrong(field('Kind'), 'INVALID.price-by-quantity'))
  }
  return problems
}

/** An approved version is for orders from today on; the one before it for those until the day before. */
export const startPromotion: Effect = async (context) => {
  const { tx, current, today, now } = context
  const from = textOf(current, 'valid_from')
  const start = isDate(from) && from > today ? from : today
  const origin = numberOrNull(current, 'version_of_id')
  context.set({ effective_from: start })
  if (origin === null) return
  await tx.run(sql`
    update promotion set effective_to = ${addDays(start, -1)}, version = version + 1, updated_at = ${now.toISOString()}
    where id <> ${current.id} and status = 1 and (id = ${origin} or version_of_id = ${origin}) and (effective_to is null or effective_to >= ${start}::date)`)
  await writeLog(tx, { docType: 'promotion', docId: origin, at: now.toISOString(), actorId: context.user.id, action: 'edit', note: textOf(current, 'code') })
}

/** It is for no order after today: stopped, for those of today alone that were sent before; its budget used up, whatever comes back to the budget. */
export const endPromotion: Effect = (context) => {
  const last = textOrNull(context.current, 'effective_to')
  if (last === null || last > context.today) context.set({ effective_to: context.today })
  return Promise.resolve()
}

/** An approved promotion stays as it is: changes are made in a draft that is its next version. One at a time. */
export const revisePromotion: Effect = async (context) => {
  const { tx, current } = context
  const origin = numberOrNull(current, 'version_of_id') ?? current.id
  await tx.run(sql`select 1 from promotion where id = ${origin} for update`)
  const open = await tx.first<{ code: string }>(sql`select code from promotion where (id = ${origin} or version_of_id = ${origin}) and status in (0, 4, 5) order by id limit 1`)
  if (open !== undefined) return fail('ILLEGAL_TRANSITION.version-open', { code: open.code })
  const last = await tx.first<{ code: string; number: number }>(sql`
    select o.code, (select max(current_version) from promotion p where p.id = o.id or p.version_of_id = o.id) as number from promotion o where o.id = ${origin}`)
  const number = (last?.number ?? 0) + 1
  const { id } = await insertDocument(context, 'promotion', {
    ...Object.fromEntries(copied.map((column) => [column, current[column] ?? null])), operating_unit_id: Number(current['operating_unit_id']), doc_date: context.today, territory_id: null,
    code: `${last?.code ?? ''}-V${number}`, current_version: number, version_of_id: origin, source: 'WEB',
  })
  await tx.run(sql`insert into promotion_scope (promotion_id, line_no, kind, sales_channel_id, customer_category_id, customer_group_id, customer_id, territory_id, sales_area_id, include, note)
    select ${id}::bigint, line_no, kind, sales_channel_id, customer_category_id, customer_group_id, customer_id, territory_id, sales_area_id, include, note from promotion_scope where promotion_id = ${current.id}`)
  await tx.run(sql`insert into promotion_condition (promotion_id, line_no, tier_no, kind, item_id, brand_id, category_id, uom, min, max, is_multiple, note)
    select ${id}::bigint, line_no, tier_no, kind, item_id, brand_id, category_id, uom, min, max, is_multiple, note from promotion_condition where promotion_id = ${current.id}`)
  await tx.run(sql`insert into promotion_benefit (promotion_id, line_no, tier_no, kind, value, free_item_id, free_qty, free_uom, max_multiple, note)
    select ${id}::bigint, line_no, tier_no, kind, value, free_item_id, free_qty, free_uom, max_multiple, note from promotion_benefit where promotion_id = ${current.id}`)
  await writeLog(tx, { docType: 'promotion', docId: id, at: context.now.toISOString(), actorId: context.user.id, action: 'create', toStatus: 0 })
}

const copied = [
  'name', 'promotion_type_id', 'principal_id', 'funding', 'principal_share', 'mechanism', 'valid_from', 'valid_to', 'priority', 'stacking', 'stack_group', 'budget_id', 'max_per_customer', 'max_total',
  'claim_deadline_days', 'estimated_cost', 'note',
] as const
