import { addDays, dayText, isDate } from '#base/date.ts'
import type { ApprovalReason } from '#api/approval.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { forgetMarks } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { comparedColumns, comparePrices, factsOf, isPriceKind, tally, type ChangeFacts, type Comparison } from './comparePrices.ts'
import { besideOthers, scopeColumn } from './priceChangeHooks.ts'

/** Before anybody is asked: the lines are set beside what is valid now, and there must be something to decide. */
export const comparePricesAgain: Effect = async (context) => {
  const facts = currentFacts(context)
  if (facts.from < context.today) invalid([wrong('EffectiveFrom', 'TOO_EARLY.today', { day: dayText(context.today) })])
  const { lines } = await compared(context, facts)
  const { added_count: added, changed_count: changed, ended_count: ended } = tally(lines)
  if (added + changed + ended === 0 && !changesSet(context.current)) invalid([wrong('Lines', 'REQUIRED.change')])
}

/**
 * The change takes effect: rows it replaces end the day before, its own begin. Approved late, it begins on the day of approval. What another
 * change has done meanwhile is found here, under lock, and named.
 */
export const applyPriceChange: Effect = async (context) => {
  const { tx, record, today, current } = context
  const asked = currentFacts(context)
  const facts = asked.from < today ? { ...asked, from: today } : asked
  if (facts.from !== asked.from) context.set({ effective_from: facts.from })
  await lockSet(tx, facts)
  const problems: FieldProblem[] = []
  if (facts.setId === null) await besideOthers(tx, current, facts, (problem) => void problems.push(problem))
  if (problems.length > 0) invalid(problems)
  const { lines } = await compared(context, facts)
  const setId = facts.setId ?? (await newSet(context, facts))
  if (facts.setId !== null && changesSet(current)) await changeSet(tx, facts, current)

  const replaced = lines.flatMap(({ effect, live }) => ((effect === 'CHANGED' || effect === 'ENDED') && live !== undefined ? [live.id] : []))
  const last = addDays(facts.from, -1)
  const isPrice = isPriceKind(facts.kind)
  const table = isPrice ? sql`list_price` : sql`discount`
  await tx.run(sql`update ${table} set ended_valid_to = valid_to, valid_to = ${last}, ended_by_id = ${record.id} where id = any(${replaced}::bigint[])`)
  const fresh = lines.filter(({ effect }) => effect === 'NEW' || effect === 'CHANGED').map(({ line, live }): Row => ({
    item_id: line['item_id'] ?? null, min_qty: line['min_qty'] ?? '0', valid_from: facts.from, valid_to: line['valid_to'] ?? null, price_change_id: record.id,
    ...(isPrice
      ? { price_set_id: setId, uom: line['uom'], price: line['value'], floor_price: line['floor_price'] ?? null }
      : {
          discount_set_id: setId, seq: line['seq'], name: line['name'] ?? live?.name ?? String(line['seq']), brand_id: line['brand_id'] ?? null, category_id: line['category_id'] ?? null,
          principal_id: line['principal_id'] ?? null, min_value: line['min_value'] ?? '0', kind: line['kind'], value: line['value'], base: line['base'] ?? 'RUNNING', funding: live?.funding ?? 'COMPANY',
        }),
  }))
  await insertRows(tx, isPrice ? 'list_price' : 'discount', fresh)
  forgetMarks(tx)
}

/** What is already valid stays; only a change still ahead is taken back. */
export const priceChangeIsAhead: Precondition = ({ record, today }) => {
  const from = record['effective_from']
  if (!isDate(from) || from <= today) fail('ILLEGAL_TRANSITION.price-in-effect', { day: isDate(from) ? dayText(from) : '' })
}

/** Takes the rows of a change back that is not valid yet; those it was to replace go on. */
export const undoPriceChange: Effect = async ({ tx, record }) => {
  for (const table of [sql`list_price`, sql`discount`]) {
    await tx.run(sql`delete from ${table} where price_change_id = ${record.id}`)
    await tx.run(sql`update ${table} set valid_to = ended_valid_to, ended_valid_to = null, ended_by_id = null where ended_by_id = ${record.id}`)
  }
  for (const [table, column] of [[sql`price_set`, 'price_set_id'], [sql`discount_set`, 'discount_set_id']] as const) {
    if (record[column] === null || !changesSet(record)) continue
    await tx.run(sql`update ${table} set name = coalesce(${record['old_set_name']}, name), valid_to = ${record['old_set_valid_to']}::date, is_active = is_active and price_change_id is distinct from ${record.id}::bigint,
      version = version + 1 where id = ${record[column]}::bigint`)
  }
  forgetMarks(tx)
}

/** What the approver is told first. */
export function priceChangeReasons(change: Row): readonly ApprovalReason[] {
  const of = (column: string): string => String(change[column] ?? 0)
  const from = change['effective_from']
  const largest = change['largest_pct']
  return [{
    code: String(change['kind']), ...tell('block.PRICES', { added: of('added_count'), changed: of('changed_count'), ended: of('ended_count'), day: isDate(from) ? dayText(from) : '' }),
    // How far prices move at most, up or down: the matrix may ask more people for large steps.
    value: typeof largest === 'string' ? largest.replace('-', '') : null, unit: 'percent',
  }]
}

function currentFacts({ current }: TransitionContext): ChangeFacts {
  const facts = factsOf(current)
  if (facts === null) throw new Error('A price change without kind or day')
  return facts
}

/** Name or end of the set differ from what they were. */
function changesSet(change: Row): boolean {
  if (change['kind'] !== 'PRICE_SET' && change['kind'] !== 'DISCOUNT_SET') return false
  return change['set_name'] !== change['old_set_name'] || (change['set_valid_to'] ?? null) !== (change['old_set_valid_to'] ?? null)
}

/** Compares the stored lines and keeps the outcome with them; what is wrong refuses. */
async function compared(context: TransitionContext, facts: ChangeFacts): Promise<Comparison> {
  const { tx, record } = context
  const lines = await tx.rows(sql`select * from price_change_line where price_change_id = ${record.id} order by line_no`)
  const comparison = await comparePrices(tx, facts, lines)
  if (comparison.problems.length > 0) invalid(comparison.problems)
  const found = comparison.lines.map((line) => ({ id: line.line['id'], ...comparedColumns(line) }))
  await tx.run(sql`
    update price_change_line l set effect = r.effect, old_value = r.old_value, change_pct = r.change_pct, old_floor = r.old_floor, old_valid_from = r.old_valid_from, live_id = r.live_id
    from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as r(id bigint, effect text, old_value numeric, change_pct numeric, old_floor numeric, old_valid_from date, live_id bigint) where l.id = r.id`)
  context.set(tally(comparison.lines))
  return comparison
}

async function lockSet(tx: Queries, facts: ChangeFacts): Promise<void> {
  if (facts.setId === null) return
  await tx.rows(isPriceKind(facts.kind) ? sql`select id from price_set where id = ${facts.setId} for update` : sql`select id from discount_set where id = ${facts.setId} for update`)
}

async function newSet(context: TransitionContext, facts: ChangeFacts): Promise<number> {
  const { tx, current, record, user, now } = context
  const named = scopeColumn(current['scope_kind'])
  const isPrice = isPriceKind(facts.kind)
  const [id] = await insertRows(tx, isPrice ? 'price_set' : 'discount_set', [{
    code: current['set_code'], name: current['set_name'], scheme: current['scheme'], scope_kind: current['scope_kind'], ref_id: named === null ? null : current[named], valid_from: facts.from,
    valid_to: current['set_valid_to'] ?? null, price_change_id: record.id, created_by: user.id, updated_by: user.id, created_at: now.toISOString(), updated_at: now.toISOString(), is_active: true, version: 1,
    ...(isPrice ? { currency: current['currency'], tax_included: current['tax_included'], status: 1 } : {}),
  }])
  if (id === undefined) throw new Error('The set was not written')
  context.set({ [isPrice ? 'price_set_id' : 'discount_set_id']: id })
  return id
}

async function changeSet(tx: Queries, facts: ChangeFacts, change: Row): Promise<void> {
  const table = isPriceKind(facts.kind) ? sql`price_set` : sql`discount_set`
  await tx.run(sql`update ${table} set name = ${change['set_name']}, valid_to = ${change['set_valid_to'] ?? null}::date, version = version + 1, updated_at = now() where id = ${facts.setId}`)
}
