import type { RowResult } from '#api/data.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'

interface Entry extends Row {
  readonly id: number
  readonly name: string
  readonly parent_id: number | null
  readonly sort_order: number
}

export const menuUp: Command = (context, { ids }) => move(context, ids, -1)
export const menuDown: Command = (context, { ids }) => move(context, ids, 1)

/** Puts the entries of one group in the order they are named; those not named follow in theirs. */
export const orderMenu: Command = async (context, { ids }) => {
  const entries = await context.tx.rows<Entry>(sql`select id, name, parent_id, sort_order from menu order by sort_order, id for update`)
  const chosen = ids.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
  const [first] = chosen
  if (first === undefined || chosen.length !== ids.length || new Set(ids).size !== ids.length || chosen.some((entry) => entry.parent_id !== first.parent_id)) return fail('VALIDATION_FAILED.menu-group')
  const rest = entries.filter((entry) => entry.parent_id === first.parent_id && !ids.includes(entry.id)).map((entry) => entry.id)
  await keep(context, entries, [...ids, ...rest])
  return { results: chosen.map((entry): RowResult => ({ ID: entry.id, ok: true, ...tell('done.menu-moved', { entry: entry.name }) })) }
}

async function keep({ tx, now, user }: CommandContext, entries: readonly Entry[], group: readonly number[]): Promise<void> {
  for (const [place, id] of group.entries()) {
    const before = entries.find((entry) => entry.id === id)
    if (before === undefined || before.sort_order === place) continue
    await tx.run(sql`update menu set sort_order = ${place}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${id}`)
    await writeLog(tx, { docType: 'menu', docId: id, at: now.toISOString(), actorId: user.id, action: 'edit', diff: [{ field: 'sort_order', from: before.sort_order, to: place }] })
  }
}

/** Moves entries one place among their neighbours. Several move together: those in front first, so that they keep their order. */
async function move(context: CommandContext, ids: readonly number[], step: -1 | 1): Promise<Row> {
  const { tx } = context
  const entries = await tx.rows<Entry>(sql`select id, name, parent_id, sort_order from menu order by sort_order, id for update`)
  const chosen = entries.filter((entry) => ids.includes(entry.id))
  const moved = new Set<number>()
  const order = new Map<number | null, number[]>()
  for (const entry of entries) order.set(entry.parent_id, [...(order.get(entry.parent_id) ?? []), entry.id])
  for (const entry of step < 0 ? chosen : chosen.toReversed()) {
    const group = order.get(entry.parent_id) ?? []
    const at = group.indexOf(entry.id)
    const other = group[at + step]
    // At the end, or behind one that is there already.
    if (other === undefined || (ids.includes(other) && !moved.has(other))) continue
    group[at] = other
    group[at + step] = entry.id
    moved.add(entry.id)
  }
  for (const group of order.values()) await keep(context, entries, group)
  return { results: chosen.map((entry): RowResult => ({ ID: entry.id, ok: true, ...(moved.has(entry.id) ? tell('done.menu-moved', { entry: entry.name }) : tell('done.menu-end', { entry: entry.name })) })) }
}
