import type { Obstacle } from '#api/problems.ts'
import { paymentMethods, receiptEvents } from '#domain/ledger/receiptAmounts.ts'
import type { PostingEvent } from '#generated/names.ts'
import type { Condition } from '#meta/condition.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { Sentence } from '#meta/sentence.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'
import { isRow } from '#server/documents/bodyColumns.ts'
import { conditionSql } from '#server/documents/conditionSql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { scopeOf } from '#server/documents/fitting.ts'
import { listPlace, recordPlace, type PlaceTest } from '#server/documents/places.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { fail } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'

/** So many documents of a kind are named; the list beside them shows them all. */
const mostNamed = 3

/** Documents that cannot go on without a rule: in these statuses, of this kind. */
interface Waiting {
  readonly entity: string
  readonly statuses: readonly number[]
  readonly of?: Condition
}

const toDeliver: readonly Waiting[] = [{ entity: 'sales_order', statuses: [1, 2, 4] }, { entity: 'delivery_order', statuses: [0, 1, 4, 8] }]
const toBill: readonly Waiting[] = [...toDeliver, { entity: 'goods_issue', statuses: [1] }]
const statements: readonly Waiting[] = [{ entity: 'bank_statement', statuses: [0, 4] }]
const temporaryToClose: readonly Waiting[] = [{ entity: 'cn_temporary', statuses: [1, 2] }]
const opening = (...sections: string[]): readonly Waiting[] => [{ entity: 'opening_balance', statuses: [0], of: { section: { in: sections } } }]
const receipts = (event: PostingEvent): readonly Waiting[] => [{ entity: 'ar_payment', statuses: [0, 4], of: { method: { in: paymentMethods.filter((method) => receiptEvents[method] === event) } } }]

/** What will book an event once it goes on, where code books it and no workflow says so. Events booked in one step wait for nothing. */
const bookedByCode: Readonly<Partial<Record<PostingEvent, readonly Waiting[]>>> = {
  INV: toBill, COGS: toBill, FREE_VAT: toBill, GI_SALE: toDeliver,
  RCPT_CASH: receipts('RCPT_CASH'), RCPT_TRANSFER: receipts('RCPT_TRANSFER'), RCPT_GIRO: receipts('RCPT_GIRO'), RCPT_CIT: receipts('RCPT_CIT'), RCPT_UNIDENT: receipts('RCPT_UNIDENT'),
  TCN_CONVERT: temporaryToClose, TCN_REFUSE: temporaryToClose, COD_HANDOVER: [{ entity: 'collection_list', statuses: [1, 8] }],
  GIRO_CLEAR: [{ entity: 'ar_payment', statuses: [0, 1, 4], of: { method: { in: ['GIRO', 'CHEQUE'] } } }],
  BS_PAYMENT: statements, BS_DEPOSIT: statements, BS_UNIDENT: statements, BS_CHARGE: statements, BS_INTEREST: statements, BS_AP: statements, BS_RETURN: statements, BS_SUPPLIER: statements,
  OB_AR: opening('AR'), OB_CN: opening('CN'), OB_DEP: opening('DEPOSIT'), OB_AP: opening('AP'), OB_DN: opening('DN', 'ADVANCE'), OB_STOCK: opening('STOCK'), OB_BANK: opening('BANK', 'CASH'), OB_GL: opening('GL'),
}

/** Documents that will book this event, or any, once they go on: as their workflows say, and as code does. */
function waitingFor({ workflows }: Metadata, event?: string): readonly Waiting[] {
  const said = Object.values(workflows).flatMap(({ entity, books }) =>
    (books?.events ?? []).flatMap((one): readonly Waiting[] => (event !== undefined && one.event !== event ? [] : [{ entity, statuses: books?.waiting ?? [], ...(one.when === undefined ? {} : { of: one.when }) }])))
  const byCode = Object.entries(bookedByCode).flatMap(([name, waiting]) => (event === undefined || name === event ? waiting : []))
  return [...new Map([...said, ...byCode].map((one) => [JSON.stringify(one), one])).values()]
}

/** A posting rule is not taken off while documents wait that will book by it; the refusal says which. */
export async function keepPostingRule({ context, header, before }: Saving): Promise<void> {
  if (header['is_active'] !== false || before === undefined) return
  await refuseFor(context, waitingFor(context.metadata, String(before['event'])).map((one) => waitingIn(context, one)))
}

/** A series is not taken off while documents wait for their number; the refusal says which. Whatever will be booked waits for the number of its journal. */
export async function keepSeries({ context, header, before }: Saving): Promise<void> {
  if (header['is_active'] !== false || before === undefined) return
  const drafts = Object.values(context.metadata.entities).flatMap((entity): readonly Found[] =>
    entity.series !== before['code'] || entity.base !== 'document' ? [] : [{ entity: entity.id, where: sql`d.code is null and d.status not in (5, 6)`, tests: [{ field: 'status', op: 'eq', value: 0 }] }])
  const booked = before['code'] === 'JV' ? waitingFor(context.metadata) : []
  await refuseFor(context, [...drafts, ...booked.map((one) => waitingIn(context, one))])
}

interface Found {
  readonly entity: string
  readonly where: Sql
  /** The same for the list that shows them. */
  readonly tests: readonly PlaceTest[]
}

function waitingIn(context: CommandContext, { entity, statuses, of }: Waiting): Found {
  const known = knownEntity(context.metadata, entity)
  return {
    entity,
    where: sql`d.status = any(${[...statuses]}::int[]) ${of === undefined ? sql`` : sql`and ${conditionSql(of, scopeOf(context, known, 'd'))}`}`,
    tests: [{ field: 'status', op: 'in', value: statuses }, ...Object.entries(of ?? {}).flatMap(([field, test]): PlaceTest[] => placeTest(field, test))],
  }
}

/** A test a list's filter can show; others narrow only what is counted. */
function placeTest(field: string, test: unknown): PlaceTest[] {
  if (typeof test === 'string') return [{ field, op: 'in', value: [test] }]
  return isRow(test) && Array.isArray(test['in']) ? [{ field, op: 'in', value: test['in'] }] : []
}

async function refuseFor(context: CommandContext, all: readonly Found[]): Promise<void> {
  const sentences: Sentence[] = []
  const obstacles: Obstacle[] = []
  for (const entity of new Set(all.map((one) => one.entity))) {
    const told = await documentsOf(context, entity, all.filter((one) => one.entity === entity))
    if (told === undefined) continue
    sentences.push(told.sentence)
    obstacles.push(...told.obstacles)
  }
  if (sentences.length > 0) fail('IN_USE.relied', { where: sentences }, { obstacles })
}

/** How many there are, with the list that shows them, and the latest of them as far as the user may see them. */
async function documentsOf(context: CommandContext, id: string, found: readonly Found[]): Promise<{ readonly sentence: Sentence; readonly obstacles: readonly Obstacle[] } | undefined> {
  const { tx, user, metadata } = context
  const entity = knownEntity(metadata, id)
  const where = sql`(${join(found.map((one) => sql`(${one.where})`), ' or ')})`
  const count = await tx.first<{ n: number }>(sql`select count(*)::int as n from ${ident(entity.table)} d where ${where}`)
  if ((count?.n ?? 0) === 0) return undefined
  const scope = scopeCondition(metadata, user, entity, 'd')
  const rows = await tx.rows<Row & { id: number }>(sql`select d.id, d.code from ${ident(entity.table)} d where ${where} ${scope ? sql`and ${scope}` : sql``} order by d.id desc limit ${mostNamed}`)
  const sentence: Sentence = { key: 'problem.IN_USE.use', params: { what: { key: entity.title }, count: count?.n ?? 0 } }
  const tests = found[0]?.tests ?? []
  const list = (found.length === 1 ? listPlace(context, user, id, tests) : undefined) ?? listPlace(context, user, id, tests.slice(0, 1)) ?? listPlace(context, user, id, [])
  return { sentence, obstacles: [placed(sentence, list), ...rows.map((row) => placed({ key: 'problem.IN_USE.record', params: { what: { key: entity.title }, name: String(row['code'] ?? `#${row.id}`) } }, recordPlace(context, user, entity, row.id)))] }
}

function placed(sentence: Sentence, path: string | undefined): Obstacle {
  return { ...said(sentence), ...(path === undefined ? {} : { path }) }
}
