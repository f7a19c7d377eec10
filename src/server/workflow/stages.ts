import { compare, type Decimal } from '#base/decimal.ts'
import type { ResolvedWorkflow } from '#meta/resolved.ts'
import type { Effect, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { partsOf } from '#server/inventory/countedUnits.ts'
import { enteredQuantities } from '#server/inventory/enteredQuantities.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { linesOf } from './documentLines.ts'
import { numberOf, textOf } from './newDocument.ts'

type Stage = NonNullable<ResolvedWorkflow['stages']>[number]

/**
 * Goes on to the next stage of the workflow. `quantities`, `{ "<line id>": "<quantity>" }`, are kept where the stage that ends may change them; a line nothing is said
 * of takes what the transition begins with.
 */
export const nextStage: Effect = async (context) => {
  const stages = stagesOf(context)
  const at = stages.findIndex(({ stage }) => stage === context.current['stage'])
  await enter(context, stages[at]?.edits ?? [])
  const next = stages[at + 1]
  if (next === undefined) throw new Error(`${context.entity.id} has no stage after ${String(context.current['stage'])}`)
  context.set({ stage: next.stage })
}

/** Back to the stage before; what was entered stays until it is entered anew. */
export const lastStage: Effect = (context) => {
  const stages = stagesOf(context)
  const last = stages[stages.findIndex(({ stage }) => stage === context.current['stage']) - 1]
  if (last === undefined) throw new Error(`${context.entity.id} has no stage before ${String(context.current['stage'])}`)
  context.set({ stage: last.stage })
  return Promise.resolve()
}

function stagesOf({ metadata, entity }: TransitionContext): readonly Stage[] {
  return metadata.workflows[entity.id]?.stages ?? []
}

async function enter(context: TransitionContext, edits: readonly string[]): Promise<void> {
  const each = context.action.params.find(({ each: one }) => one !== undefined)?.each
  const path = edits.find((name) => name.split('.')[1] === each?.field.name)
  if (each === undefined || path === undefined) return
  const [lines = ''] = path.split('.')
  const known = await linesOf(context, lines)
  const entered = context.input['quantities'] == null ? new Map<number, Decimal>() : enteredQuantities(context)
  const foreign = [...entered.keys()].find((id) => !known.some(({ row }) => row['id'] === id))
  if (foreign !== undefined) invalid([wrong(`Quantities.${foreign}`, 'NOT_IN_SCOPE.line')])
  const begins = (each.begins ?? each.field).name
  const rows = known.map(({ row }) => ({ id: numberOf(row, 'id'), itemId: numberOf(row, 'item_id'), most: textOf(row, begins), qtyBase: entered.get(numberOf(row, 'id')) ?? textOf(row, begins) }))
  // Nobody takes on more than the stage before handed over; a count is what it is.
  const over = begins === each.field.name ? [] : rows.filter(({ qtyBase, most }) => compare(qtyBase, most) > 0)
  const parts = await partsOf(context.tx, rows)
  const problems = [...over.map(({ id, most }) => wrong(`Quantities.${id}`, 'TOO_LARGE.stage', { most })), ...parts.map(({ id, item, qty }) => wrong(`Quantities.${id}`, 'INVALID.part-of-piece', { item, qty }))]
  if (problems.length > 0) invalid(problems)
  const table = ident(knownEntity(context.metadata, context.entity.lines.find(({ name }) => name === lines)?.entity ?? '').table)
  await context.tx.run(sql`update ${table} l set ${ident(each.field.name)} = x.qty from ${recordset(rows.map(({ id, qtyBase }) => ({ id, qty: qtyBase })), { id: 'bigint', qty: 'numeric' }, 'x')} where l.id = x.id`)
}
