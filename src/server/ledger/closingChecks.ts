import { addDays, dayText, endOfMonth, type DateText } from '#base/date.ts'
import { grouped, money, type Decimal } from '#base/decimal.ts'
import type { Obstacle } from '#api/problems.ts'
import type { SentenceParams } from '#meta/sentence.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { listPlace, type PlaceTest } from '#server/documents/places.ts'
import { said, tell } from '#server/sentences.ts'
import { setting } from '#server/settings.ts'
import { taxObstacles } from '#server/tax/taxInvoices.ts'
import { unrevalued } from './foreignItems.ts'
import { violations } from './invariants.ts'

/** The month of a module that shall be closed; without a unit the whole company's. */
export interface Closing {
  readonly id: number
  readonly period: string
  readonly module: string
  readonly operating_unit_id: number | null
}

/** What the books must agree in before a module is closed: invariants of the domain by their numbers, under the name they are told by. */
const agreements: Readonly<Record<string, readonly (readonly [name: string, invariants: readonly string[]])[]>> = {
  SD: [['billing', ['I16']]],
  ST: [['stock', ['I10', 'I11', 'I12']]],
  AR: [['receivables', ['I6', 'I7', 'I8', 'I9', 'I15', 'I27']]],
  CB: [['bank', ['I13', 'I14']]],
  TX: [['tax', ['I22']]],
  GL: [['balance', ['I1', 'I2', 'I3', 'I4', 'I5', 'I19']], ['receivables', ['I6', 'I7', 'I8', 'I9', 'I15', 'I27']], ['stock', ['I10', 'I11', 'I12']], ['bank', ['I13', 'I14']], ['tax', ['I22']], ['numbers', ['I20']]],
}
/** So many contradictions are told of each agreement, and so many documents where no list shows them. */
const mostTold = 5

/**
 * Everything that keeps the month from being closed, each with the list that shows it: documents not booked, bank lines not matched, books that
 * disagree, modules still open before the ledger. Deliveries long unbilled only ask for acknowledgement.
 */
export async function closingObstacles(context: CommandContext, closing: Closing): Promise<readonly Obstacle[]> {
  const from = `${closing.period.slice(0, 4)}-${closing.period.slice(4)}-01`
  const month = { from, to: endOfMonth(from) }
  const found = [...(await waitingDocuments(context, closing, month)), ...(await unmatchedLines(context, closing, month)), ...(await disagreements(context, closing, month.to))]
  if (closing.module === 'TX') found.push(...(await taxObstacles(context, closing.period, closing.operating_unit_id)))
  if (closing.module === 'GL') found.push(...(await openModules(context, closing)), ...(await unvalued(context, closing, month.to)))
  if (closing.module === 'SD' && found.length === 0) await warnUnbilled(context, closing, month.to)
  return found
}

interface Month {
  readonly from: DateText
  readonly to: DateText
}

async function waitingDocuments(context: CommandContext, closing: Closing, month: Month): Promise<readonly Obstacle[]> {
  const obstacles: Obstacle[] = []
  for (const { entity: id, books } of Object.values(context.metadata.workflows)) {
    // The ledger closes last: what would book into it is in the way of another module.
    if (books === undefined || closing.module === 'GL' || !books.modules.some((module) => module === closing.module)) continue
    const statuses = books.waiting
    const entity = knownEntity(context.metadata, id)
    const day = entity.fields.some(({ name }) => name === 'posting_date') ? sql`coalesce(d.posting_date, d.doc_date)` : sql`d.doc_date`
    const row = await context.tx.first<{ n: number }>(sql`
      select count(*)::int as n from ${ident(entity.table)} d where d.status = any(${[...statuses]}::int[]) and ${day} between ${month.from}::date and ${month.to}::date ${unitIs(closing, 'd')}`)
    if ((row?.n ?? 0) === 0) continue
    const tests: PlaceTest[] = [{ field: 'status', op: 'in', value: statuses }, ...dates('doc_date', month)]
    const path = listPlace(context, context.user, id, tests) ?? listPlace(context, context.user, id, tests.slice(0, 1))
    obstacles.push(obstacle('closing.unposted', { kind: { key: entity.title }, count: row?.n ?? 0 }, path))
    if (path === undefined) obstacles.push(...(await namedDocuments(context, entity, sql`d.status = any(${[...statuses]}::int[]) and ${day} between ${month.from}::date and ${month.to}::date ${unitIs(closing, 'd')}`)))
  }
  return obstacles
}

/** A few documents that no list of the user shows: account or number, day and amount. */
async function namedDocuments(context: CommandContext, entity: ResolvedEntity, where: Sql): Promise<readonly Obstacle[]> {
  const has = (name: string): boolean => entity.fields.some((field) => field.name === name)
  const amount = ['total', 'amount', 'closing_balance'].find(has)
  const name = has('house_bank_id') ? sql`(select b.code from house_bank b where b.id = d.house_bank_id) || ' ' || coalesce(d.code, '#' || d.id)` : sql`coalesce(d.code, '#' || d.id)`
  const rows = await context.tx.rows<Named>(sql`
    select ${name} as name, d.doc_date as date, ${amount === undefined ? sql`null` : sql`d.${ident(amount)}`} as amount from ${ident(entity.table)} d where ${where} order by d.doc_date, d.id limit ${mostTold}`)
  return rows.map(namedObstacle)
}

interface Named extends Row {
  readonly name: string
  readonly date: DateText
  readonly amount: Decimal | null
}

function namedObstacle({ name, date, amount }: Named): Obstacle {
  return obstacle('closing.named', { name, date: dayText(date), amount: amount === null ? '' : grouped(money(amount)) }, undefined)
}

/** Movements on approved statements of the month that nobody has said the meaning of. */
async function unmatchedLines(context: CommandContext, closing: Closing, month: Month): Promise<readonly Obstacle[]> {
  if (closing.module !== 'CB') return []
  const open = sql`
    from bank_statement_line l join bank_statement d on d.id = l.bank_statement_id join house_bank b on b.id = d.house_bank_id
    where l.match_type = 'NONE' and d.status not in (5, 6, 7) and l.value_date between ${month.from}::date and ${month.to}::date ${unitIs(closing, 'd')}`
  const row = await context.tx.first<{ n: number }>(sql`select count(*)::int as n ${open}`)
  if ((row?.n ?? 0) === 0) return []
  const path = listPlace(context, context.user, 'bank_statement', dates('doc_date', month)) ?? listPlace(context, context.user, 'bank_statement', [])
  const lines = path !== undefined ? [] : await context.tx.rows<Named>(sql`
    select concat_ws(' ', b.code, l.description) as name, l.value_date as date, l.credit - l.debit as amount ${open} order by l.value_date, l.id limit ${mostTold}`)
  return [obstacle('closing.unmatched', { count: row?.n ?? 0 }, path), ...lines.map(namedObstacle)]
}

async function disagreements(context: CommandContext, closing: Closing, asOf: DateText): Promise<readonly Obstacle[]> {
  const obstacles: Obstacle[] = []
  const path = listPlace(context, context.user, 'journal', [{ field: 'posting_date', op: 'lte', value: asOf }]) ?? listPlace(context, context.user, 'journal', [])
  for (const [name, ids] of agreements[closing.module] ?? []) {
    const told = await violations(context.tx, asOf, new Set(ids))
    for (const { id, text } of told.slice(0, mostTold)) obstacles.push(obstacle('closing.disagree', { check: { key: `closing.books.${name}` }, id, text }, path))
    if (told.length > mostTold) obstacles.push(obstacle('closing.disagree-more', { check: { key: `closing.books.${name}` }, count: told.length - mostTold }, path))
  }
  return obstacles
}

/** What is owed in other currencies is valued at the rate of the last day before the ledger closes. */
async function unvalued(context: CommandContext, { operating_unit_id: unit }: Closing, day: DateText): Promise<readonly Obstacle[]> {
  const path = listPlace(context, context.user, 'fx_revaluation', [{ field: 'doc_date', op: 'eq', value: day }]) ?? listPlace(context, context.user, 'fx_revaluation', [])
  return (await unrevalued(context.tx, day, unit)).map((one) => obstacle('closing.unvalued', { ...one, day: dayText(day) }, path))
}

/** The ledger closes last. */
async function openModules(context: CommandContext, { period, operating_unit_id: unit }: Closing): Promise<readonly Obstacle[]> {
  const rows = await context.tx.rows<{ module: string }>(sql`
    select distinct module from accounting_period where period = ${period} and module <> 'GL' and status <> 'CLOSED'
      and (operating_unit_id is not distinct from ${unit}::bigint or ${unit}::bigint is null) order by module`)
  return rows.map(({ module }) => obstacle('closing.module-open', { module: { key: `enum.${module}` } },
    listPlace(context, context.user, 'accounting_period', [{ field: 'period', op: 'eq', value: period }, { field: 'module', op: 'in', value: [module] }])))
}

async function warnUnbilled(context: CommandContext, closing: Closing, until: DateText): Promise<void> {
  const days = await setting(context.tx, 'gin_unbilled_alert_days', closing.operating_unit_id, 3)
  const before = addDays(context.today, -days)
  const row = await context.tx.first<{ n: number }>(sql`
    select count(*)::int as n from goods_issue d where d.status = 1 and d.posting_date <= ${until < before ? until : before}::date ${unitIs(closing, 'd')}`)
  if ((row?.n ?? 0) === 0) return
  const last: PlaceTest = { field: 'posting_date', op: 'lte', value: until < before ? until : before }
  const path = listPlace(context, context.user, 'goods_issue', [{ field: 'status', op: 'eq', value: 1 }, last]) ?? listPlace(context, context.user, 'billing_due', [last])
  const said = tell('warning.closing-unbilled', { count: row?.n ?? 0, days })
  context.warn(`unbilled-${closing.id}`, 'ILLEGAL_TRANSITION', said, path === undefined ? [] : [obstacle('closing.unbilled', { count: row?.n ?? 0 }, path)])
}

function unitIs({ operating_unit_id: unit }: Closing, alias: string): Sql {
  return unit === null ? sql`` : sql`and ${ident(alias)}.operating_unit_id = ${unit}`
}

function dates(field: string, { from, to }: Month): readonly PlaceTest[] {
  return [{ field, op: 'gte', value: from }, { field, op: 'lte', value: to }]
}

type ObstacleKey = 'closing.named' | 'closing.unbilled' | 'closing.unposted' | 'closing.unmatched' | 'closing.disagree' | 'closing.disagree-more' | 'closing.module-open' | 'closing.unvalued'

function obstacle(key: ObstacleKey, params: SentenceParams, path: string | undefined): Obstacle {
  return { ...said({ key, params }), ...(path === undefined ? {} : { path }) }
}
