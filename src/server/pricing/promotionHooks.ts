import { exact } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { CommandContext, Queries, Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import type { DocumentHooks, Saving, SavingLine } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { homeUnit } from './priceChangeHooks.ts'
import { promotionProblems } from './promotionEffects.ts'

const scopes = {
  CHANNEL: ['sales_channel_id', 'sales_channel', 'SalesChannelID'],
  CATEGORY: ['customer_category_id', 'customer_category', 'CustomerCategoryID'],
  GROUP: ['customer_group_id', 'customer_group', 'CustomerGroupID'],
  CUSTOMER: ['customer_id', 'customer', 'CustomerID'],
  TERRITORY: ['territory_id', 'territory', 'TerritoryID'],
  AREA: ['sales_area_id', 'sales_area', 'SalesAreaID'],
} as const

const trialled = ['trial_at', 'trial_from', 'trial_to', 'trial_orders', 'trial_earning', 'trial_cost', 'trial_left'] as const

/** Where the lines of a file stood before those said again were left out. */
const places = new WeakMap<Saving, Readonly<Record<string, readonly number[]>>>()

/** Promotions are the company's: their unit is that of who enters them. Versions are numbered by the server. */
export const promotionHooks: DocumentHooks = {
  computed: ['operating_unit_id', 'territory_id', ...trialled, 'current_version', 'version_of_id', 'effective_from', 'effective_to', 'posting_date', 'currency', 'rate'],

  async beforeSave(saving) {
    const { context, header, before } = saving
    if (before === undefined) header['operating_unit_id'] = await homeUnit(context)
    // What was tried is not what it says now.
    else Object.assign(header, Object.fromEntries(trialled.map((column) => [column, null])))
    if (context.source === 'IMPORT') fromFile(saving)
    await nameScopes(saving)
    for (const [at, { columns }] of linesOf(saving, 'PromotionCondition').entries()) {
      const { min, max, tier_no: tier } = columns
      if (typeof tier === 'number' && tier < 1) saving.problem(wrong(`PromotionCondition[${at}].TierNo`, 'TOO_SMALL.tier'))
      if (typeof min === 'string' && typeof max === 'string' && exact(max).lt(min)) saving.problem(wrong(`PromotionCondition[${at}].Max`, 'TOO_SMALL.max-below-min'))
    }
    for (const [at, { columns }] of linesOf(saving, 'Lines').entries())
      if (typeof columns['tier_no'] === 'number' && columns['tier_no'] < 1) saving.problem(wrong(`Lines[${at}].TierNo`, 'TOO_SMALL.tier'))
  },

  async afterSave(saving, { id }) {
    if (saving.before !== undefined) await saving.context.tx.run(sql`delete from promotion_trial where promotion_id = ${id}`)
    if (saving.context.source !== 'IMPORT') return
    const problems = [...(await promotionProblems(saving.context.tx, id)), ...(await outsideBudget(saving.context.tx, saving.header))]
    const standing = places.get(saving) ?? {}
    if (problems.length > 0) invalid(problems.map((problem) => ({ ...problem, field: placed(problem.field, standing) })))
  },
}

function linesOf(saving: Saving, wire: string): SavingLine[] {
  return saving.lines?.[wire] ?? []
}

/** Each line of the scope names one thing: by its reference, or by kind and code. */
async function nameScopes(saving: Saving): Promise<void> {
  for (const [at, { columns }] of linesOf(saving, 'PromotionScope').entries()) {
    const problem = await nameScope(saving.context, columns, at)
    if (problem !== undefined) saving.problem(problem)
  }
}

async function nameScope({ tx }: CommandContext, columns: Row, at: number): Promise<FieldProblem | undefined> {
  const { kind, ref_code: code } = columns
  const named = Object.entries(scopes).filter(([, [column]]) => columns[column] != null)
  const [first] = named
  if (named.length > 1) return wrong(`PromotionScope[${at}].${first?.[1][2] ?? 'SalesChannelID'}`, 'INVALID.one-scope')
  if (first !== undefined) {
    Object.assign(columns, { kind: first[0] })
    return undefined
  }
  const [, of] = Object.entries(scopes).find(([name]) => name === kind) ?? []
  if (of === undefined || typeof code !== 'string' || code === '') return wrong(`PromotionScope[${at}].${of?.[2] ?? 'SalesChannelID'}`, 'INVALID.one-scope')
  const [column, table] = of
  const found = await tx.first<{ id: number }>(sql`select id from ${ident(table)} where lower(code) = lower(${code})`)
  if (found === undefined) return wrong(`PromotionScope[${at}].RefCode`, 'NOT_IN_SCOPE.scope', { code })
  columns[column] = found.id
  return undefined
}

/** Rows of a file say the same again and again: each thing counts once. Free goods are given for every multiple, unless the file says otherwise. */
function fromFile(saving: Saving): void {
  const gifts = new Set(linesOf(saving, 'Lines').flatMap(({ columns }) => (columns['kind'] === 'FREE_ITEM' ? [columns['tier_no']] : [])))
  for (const { columns } of linesOf(saving, 'PromotionCondition')) columns['is_multiple'] ??= gifts.has(columns['tier_no'])
  const kept: Record<string, number[]> = {}
  for (const wire of ['PromotionScope', 'PromotionCondition', 'Lines']) {
    const lines = linesOf(saving, wire)
    const seen = new Set<string>()
    const own: number[] = []
    const left = lines.filter(({ columns }, at) => {
      const { line_no: _, ...said } = columns
      const key = JSON.stringify(Object.entries(said).toSorted(([a], [b]) => a.localeCompare(b)))
      if (seen.has(key)) return false
      seen.add(key)
      own.push(at)
      return true
    })
    lines.splice(0, lines.length, ...left)
    kept[wire] = own
  }
  places.set(saving, kept)
}

function placed(field: string, standing: Readonly<Record<string, readonly number[]>>): string {
  return field.replace(/^(\w+)\[(\d+)\]/, (_, wire: string, at: string) => `${wire}[${standing[wire]?.[Number(at)] ?? at}]`)
}

async function outsideBudget(tx: Queries, { budget_id: budget, valid_from: from, valid_to: to }: Row): Promise<readonly FieldProblem[]> {
  if (typeof budget !== 'number') return []
  const outside = await tx.first(sql`select 1 from promotion_budget where id = ${budget} and (period_from > ${String(from)}::date or period_to < ${typeof to === 'string' ? to : null}::date or ${typeof to !== 'string'})`)
  return outside === undefined ? [] : [wrong('ValidTo', 'TOO_LARGE.budget-period')]
}
