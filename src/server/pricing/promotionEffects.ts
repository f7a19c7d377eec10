import { addDays, isDate } from '#base/date.ts'
import { exact, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Effect, Precondition, Queries, Row } from '#server/context.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOrNull, textOf } from '#server/workflow/newDocument.ts'

const scopeKinds = {
  CHANNEL: 'sales_channel_id', CATEGORY: 'customer_category_id', GROUP: 'customer_group_id', CUSTOMER: 'customer_id', TERRITORY: 'territory_id', AREA: 'sales_area_id',
} as const

/** Of whom a line of the scope speaks follows from what it names; it names one. Versions are numbered by the server. */
export const promotionHooks: DocumentHooks = {
  computed: ['current_version', 'version_of_id', 'effective_from', 'effective_to', 'posting_date', 'currency', 'rate'],

  beforeSave(saving) {
    for (const [at, { columns }] of (saving.lines?.['PromotionScope'] ?? []).entries()) {
      const named = Object.entries(scopeKinds).filter(([, column]) => columns[column] != null)
      const [first] = named
      if (first === undefined || named.length > 1) saving.problem(wrong(`PromotionScope[${at}].SalesChannelID`, 'INVALID.one-scope'))
      else [columns['kind']] = first
    }
    for (const [at, { columns }] of (saving.lines?.['PromotionCondition'] ?? []).entries()) {
      const { min, max, tier_no: tier } = columns
      if (typeof tier === 'number' && tier < 1) saving.problem(wrong(`PromotionCondition[${at}].TierNo`, 'OUT_OF_RANGE.tier'))
      if (typeof min === 'string' && typeof max === 'string' && exact(max).lt(min)) saving.problem(wrong(`PromotionCondition[${at}].Max`, 'OUT_OF_RANGE.max-below-min'))
    }
    for (const [at, { columns }] of (saving.lines?.['Lines'] ?? []).entries())
      if (typeof columns['tier_no'] === 'number' && columns['tier_no'] < 1) saving.problem(wrong(`Lines[${at}].TierNo`, 'OUT_OF_RANGE.tier'))
    return Promise.resolve()
  },
}

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
    if (!one.knows_uom) problems.push(wrong(field('Uom'), 'NOT_FOUND.unit'))
    if (one.tier_no > 1 && !tiers.has(one.tier_no - 1)) problems.push(wrong(field('TierNo'), 'INVALID.tier-gap', { tier: one.tier_no - 1 }))
    const below = conditions.find((other) => other.tier_no === one.tier_no - 1 && other.kind === one.kind && (!one.kind.startsWith('ITEM_') || other.item_id === one.item_id))
    if (below !== undefined && exact(one.min).lte(below.min)) problems.push(wrong(field('Min'), 'OUT_OF_RANGE.tier-rises', { limit: below.min }))
    if (below?.max != null && exact(one.min).gt(exact(below.max).plus(1))) problems.push(wrong(field('Min'), 'OUT_OF_RANGE.tier-follows', { limit: below.max }))
    if (!benefits.some(({ tier_no }) => tier_no === one.tier_no)) problems.push(wrong(field('TierNo'), 'INVALID.tier-without-benefit'))
  }
  for (const [at, one] of benefits.entries()) {
    const field = (name: string) => `Lines[${at}].${name}`
    if (!tiers.has(one.tier_no)) problems.push(wrong(field('TierNo'), 'INVALID.tier-without-condition'))
    if (one.kind === 'FREE_ITEM' ? exact(one.free_qty).lte(0) : exact(one.value).lte(0)) problems.push(wrong(field(one.kind === 'FREE_ITEM' ? 'FreeQty' : 'Value'), 'OUT_OF_RANGE.above-zero'))
    if (one.kind === 'PCT' && exact(one.value).gt(100)) problems.push(wrong(field('Value'), 'OUT_OF_RANGE.percent'))
    if (!one.knows_uom) problems.push(wrong(field('FreeUom'), 'NOT_FOUND.unit'))
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

/** Orders of today on have it no longer; those of the days before keep it. */
export const stopPromotion: Effect = (context) => {
  context.set({ effective_to: addDays(context.today, -1) })
  return Promise.resolve()
}
