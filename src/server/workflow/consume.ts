import { compare, exact, fixed, grouped, money, quantityText, sum, zero, type Exact } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import { holds } from '#meta/evaluate.ts'
import type { Consumption, ResolvedEntity } from '#meta/resolved.ts'
import type { Precondition, Row, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { ident, sql } from '#server/db/sql.ts'
import { fieldMap, isDocument, knownEntity } from '#server/documents/entities.ts'
import { fail, wrong } from '#server/problemError.ts'
import { tolerance } from '#server/settings.ts'
import { linesOf } from './documentLines.ts'
import { logStatusChanges, numberOf, textOf } from './newDocument.ts'
import { refuse } from './settleParts.ts'

/** A line that consumes. */
interface Consuming {
  readonly lineId: number
  readonly qty: Exact
  /** Wire paths of reference and quantity. */
  readonly at: { readonly of: string; readonly qty: string }
}

/** What is consumed: the entity, and the document it belongs to; a document or master is its own. */
interface Consumed {
  readonly line: ResolvedEntity
  readonly header: ResolvedEntity
  /** Column that names the document. */
  readonly column: string
}

/** What the document consumes must be there. Asked when it is submitted and when it is posted. */
export const consumesWhatIsOpen: Precondition = async (context) => {
  for (const consumption of consumptionsOf(context)) await openLines(context, consumption)
}

/** Adds what the document's lines consume to what they consume of. That is locked and checked: two documents never use up more than there is. */
export async function consume(context: TransitionContext): Promise<void> {
  for (const consumption of consumptionsOf(context)) await add(context, consumption, await openLines(context, consumption), consumption.back === true ? -1 : 1)
}

/** Gives back what `consume` has added. */
export async function releaseConsumed(context: TransitionContext): Promise<void> {
  for (const consumption of consumptionsOf(context)) {
    const { consuming } = await consumingLines(context, consumption)
    const rows = await lockLines(context, consumedOf(context, consumption), [...new Set(consuming.map(({ lineId }) => lineId))])
    if (consumption.back !== true) assertStillConsumed(consumption, consuming, rows)
    await add(context, consumption, consuming, consumption.back === true ? 1 : -1)
  }
}

/** What another document has given back of it meanwhile cannot be given back again. */
function assertStillConsumed({ into }: Consumption, consuming: readonly Consuming[], rows: readonly Row[]): void {
  for (const row of rows) {
    const qty = sum(consuming.filter(({ lineId }) => lineId === row['id']).map((one) => one.qty))
    if (qty.gt(textOf(row, into))) fail('ILLEGAL_TRANSITION.given-back', { document: String(row['consumed_code'] ?? '') })
  }
}

function consumptionsOf({ metadata, entity }: TransitionContext): readonly Consumption[] {
  return metadata.workflows[entity.id]?.consumes ?? []
}

function consumedOf({ metadata, entity }: TransitionContext, { lines, of }: Consumption): Consumed {
  const own = knownEntity(metadata, entity.lines.find(({ name }) => name === lines.name)?.entity ?? '')
  const line = knownEntity(metadata, fieldMap(own).get(of)?.entity ?? '')
  if (line.parent === undefined) return { line, header: line, column: 'id' }
  const header = knownEntity(metadata, line.parent)
  return { line, header, column: `${header.id}_id` }
}

/** What is left, as people read it. */
function limitOf({ line }: Consumed, { into }: Consumption, left: Exact): string {
  const rest = left.lt(0) ? zero : left
  return fieldMap(line).get(into)?.type === 'money' ? grouped(money(rest)) : quantityText(rest)
}

async function consumingLines(context: TransitionContext, { lines, of, qty, when }: Consumption): Promise<{ readonly consuming: readonly Consuming[]; readonly problems: readonly FieldProblem[] }> {
  const { user, today } = context
  const problems: FieldProblem[] = []
  const consuming = (await linesOf(context, lines.name)).flatMap(({ row }, i): Consuming[] => {
    if (row[of] == null || (when !== undefined && !holds(when, row, { user: { id: user.id }, today, params: {} }))) return []
    const line = { lineId: numberOf(row, of), qty: exact(textOf(row, qty)), at: { of: `${lines.wire}[${i}].${wireName(of)}`, qty: `${lines.wire}[${i}].${wireName(qty)}` } }
    if (line.qty.lt(0)) problems.push(wrong(line.at.qty, 'NEGATIVE'))
    return line.qty.eq(0) ? [] : [line]
  })
  return { consuming, problems }
}

async function openLines(context: TransitionContext, consumption: Consumption): Promise<readonly Consuming[]> {
  const { consuming, problems } = await consumingLines(context, consumption)
  const consumed = consumedOf(context, consumption)
  const { header } = consumed
  const ids = [...new Set(consuming.map(({ lineId }) => lineId))]
  const rows = new Map((await lockLines(context, consumed, ids)).map((row) => [row.id, row]))
  const taken = new Map<number, Exact>()
  const found = [...problems]
  for (const { lineId, qty, at } of consuming) {
    const row = rows.get(lineId)
    if (row === undefined) {
      found.push(wrong(at.of, 'NOT_IN_SCOPE.line'))
      continue
    }
    if (isDocument(header) && (!consumption.from.includes(numberOf(row, 'consumed_status')) || row['consumed_pending'] !== null)) {
      found.push(wrong(at.of, 'NOT_OPEN.document', { document: String(row['consumed_code'] ?? `${header.id} ${numberOf(row, 'consumed_id')}`) }))
      continue
    }
    if (consumption.back === true) {
      const rest = exact(textOf(row, consumption.into)).minus(textOf(row, consumption.upTo)).minus(taken.get(lineId) ?? zero)
      if (consumption.over !== true && qty.gt(rest)) found.push(wrong(at.qty, 'EXCEEDS_REMAINING.quantity', { limit: limitOf(consumed, consumption, rest) }))
      taken.set(lineId, (taken.get(lineId) ?? zero).plus(qty))
      continue
    }
    const whole = textOf(row, consumption.upTo)
    const more = consumption.tolerance === undefined ? '0' : await tolerance(context.tx, consumption.tolerance, numberOf(context.current, 'operating_unit_id'), whole)
    const left = exact(whole).plus(more).minus(textOf(row, consumption.into)).minus(taken.get(lineId) ?? zero)
    if (consumption.over !== true && qty.gt(left)) found.push(wrong(at.qty, 'EXCEEDS_REMAINING.quantity', { limit: limitOf(consumed, consumption, left) }))
    taken.set(lineId, (taken.get(lineId) ?? zero).plus(qty))
  }
  refuse(found)
  return consuming
}

/** The lines and the documents they belong to, those first: whoever consumes of a document, or moves it, queues for it. */
async function lockLines({ tx }: TransitionContext, { line, header, column }: Consumed, ids: readonly number[]): Promise<readonly (Row & { readonly id: number })[]> {
  if (ids.length === 0) return []
  await tx.run(sql`select id from ${ident(header.table)} where id in (select ${ident(column)} from ${ident(line.table)} where id = any(${[...ids]}::bigint[])) order by id for update`)
  const state = isDocument(header) ? sql`, h.code as consumed_code, h.status as consumed_status, h.pending_transition as consumed_pending` : sql``
  return tx.rows<Row & { readonly id: number }>(sql`
    select l.*, h.id as consumed_id${state}
    from ${ident(line.table)} l join ${ident(header.table)} h on h.id = l.${ident(column)} where l.id = any(${[...ids]}::bigint[]) order by l.id for update of l`)
}

async function add(context: TransitionContext, consumption: Consumption, consuming: readonly Consuming[], sign: 1 | -1): Promise<void> {
  if (consuming.length === 0) return
  const { line, header, column } = consumedOf(context, consumption)
  const ids = [...new Set(consuming.map(({ lineId }) => lineId))]
  const rows = ids.map((id) => ({ id, qty: fixed(sum(consuming.filter(({ lineId }) => lineId === id).map(({ qty }) => qty)).times(sign), 3) }))
  const into = ident(consumption.into)
  await context.tx.run(sql`update ${ident(line.table)} l set ${into} = l.${into} + x.qty from ${recordset(rows, { id: 'bigint', qty: 'numeric' }, 'x')} where l.id = x.id`)
  if (consumption.status !== undefined) await follow(context, consumption, consumption.status, { line, header, column }, ids)
}

/** The documents consumed of stand where their lines put them. */
async function follow(context: TransitionContext, { into, upTo }: Consumption, status: NonNullable<Consumption['status']>, { line, header, column }: Consumed, ids: readonly number[]): Promise<void> {
  const { tx, now, user } = context
  const documents = await tx.rows<Row & { readonly id: number; readonly status: number; readonly used: string; readonly rest: string }>(sql`
    select h.id, h.status, sum(l.${ident(into)})::text as used, sum(greatest(l.${ident(status.of ?? upTo)} - l.${ident(into)}, 0))::text as rest
    from ${ident(header.table)} h join ${ident(line.table)} l on l.${ident(column)} = h.id
    where h.id in (select ${ident(column)} from ${ident(line.table)} where id = any(${ids}::bigint[])) group by h.id, h.status order by h.id`)
  for (const document of documents) {
    const to = compare(document.rest, '0') === 0 ? status.all : compare(document.used, '0') === 0 ? status.none : status.part
    if (to === document.status) continue
    await tx.run(sql`update ${ident(header.table)} set status = ${to}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${document.id}`)
    await logStatusChanges(context, header.id, 'consumed', [{ id: document.id, from: document.status, to }])
  }
}
