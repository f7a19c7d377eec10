import type { DateText } from '#base/date.ts'
import { compare, type Decimal } from '#base/decimal.ts'
import { metadata } from '#generated/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import type { CommandContext, Precondition, Queries, Row } from '#server/context.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { fail } from '#server/problemError.ts'
import { logStatusChanges } from './newDocument.ts'

/** An open item other than a customer's invoice, as allocations name it. */
export interface ItemKey {
  readonly type: string
  readonly id: number
}

/** Open items of vendors that are used up as the source of an allocation, by its kind, as workflows settle with them. Credit notes and deposits of customers have rules of their own. */
const usedAs: ReadonlyMap<string, string> = new Map(Object.values(metadata.workflows).flatMap(({ entity, settles = [] }) =>
  settles.flatMap(({ with: sources = [] }) => sources.flatMap(({ lines, item, as }): [string, string][] => {
    const owner = metadata.entities[lines === undefined ? entity : (metadata.entities[entity]?.lines.find(({ name }) => name === lines.name)?.entity ?? '')]
    const used = metadata.entities[owner?.fields.find(({ name }) => name === item)?.entity ?? '']
    return used?.openItem !== undefined && used.fields.find(({ name }) => name === used.openItem?.partner)?.entity === 'business_partner' ? [[as, used.id]] : []
  })),
))

/** The entity whose records are used up under this kind of allocation. */
export function entityUsedAs(source: string): string | undefined {
  return usedAs.get(source)
}

/** The open item an allocation uses up; [] where its source is none. */
export function sourceItem(source: string, id: number): readonly ItemKey[] {
  const type = entityUsedAs(source)
  return type === undefined ? [] : [{ type, id }]
}

/** Kinds of open items in the order they are locked in: what is only settled comes before what is used up. */
export function inLockOrder(a: string, b: string): number {
  const isUsed = (type: string): number => Number([...usedAs.values()].includes(type))
  return isUsed(a) - isUsed(b) || (a < b ? -1 : 1)
}

/** What settling asks of an open item. */
export interface OpenItemRow extends Row {
  readonly id: number
  readonly code: string
  readonly partner_id: number
  readonly operating_unit_id: number
  readonly status: number
  readonly remaining: Decimal
  readonly posting_date: DateText | null
  readonly pending_transition: string | null
  readonly currency: string
}

/** What is asked of an item: that it is settled, or that it is used to settle another. They differ where it is paid before it may be used. */
export type Side = 'settled' | 'used'

/** Open items under lock, in id order. `remaining`: what may still be settled, or used. */
export async function lockOpenItems(tx: Queries, entity: ResolvedEntity, ids: readonly number[], side: Side = 'settled'): Promise<readonly OpenItemRow[]> {
  const { partner, remaining: left, paid } = openItemOf(entity)
  const remaining = side === 'settled' && paid !== undefined ? paid.remaining : left
  if (ids.length === 0) return []
  return tx.rows<OpenItemRow>(sql`
    select t.id, coalesce(t.code, ${'DRAFT-'} || t.id) as code, t.${ident(partner)} as partner_id, t.operating_unit_id, t.status, t.${ident(remaining)} as remaining, t.posting_date, t.pending_transition, t.currency
    from ${ident(entity.table)} t where t.id = any(${[...new Set(ids)]}::bigint[]) order by t.id for update of t`)
}

/** Locks items of several kinds, kind after kind: what is settled before what is used up. */
export async function lockItemKeys(context: CommandContext, keys: readonly ItemKey[]): Promise<void> {
  const types = [...new Set(keys.map(({ type }) => type))].sort(inLockOrder)
  for (const type of types) await lockOpenItems(context.tx, knownEntity(context.metadata, type), keys.flatMap((key) => (key.type === type ? [key.id] : [])))
}

/** The least there was of open items on a day and on all days since. */
export async function leastOpenItems(tx: Queries, date: DateText, entity: ResolvedEntity, ids: readonly number[], side: Side = 'settled'): Promise<ReadonlyMap<number, { readonly open: Decimal; readonly day: DateText }>> {
  if (ids.length === 0) return new Map()
  const taken = (a: Sql): Sql => sql`select sum(a.amount) from ar_allocation a where ${a} and a.posting_date <= d.day and (a.reversed_at is null or a.reversed_at > d.day)`
  const { whole, paid } = openItemOf(entity)
  const all = sql`i.${ident(whole)}`
  const open =
    paid === undefined ? sql`${all} - coalesce((${taken(takenOf(entity))}), 0)`
    : side === 'settled' ? sql`i.${ident(paid.whole)} - coalesce((${taken(settledOf(entity))}), 0)`
    : sql`${paidOf(all, sql`i.${ident(paid.whole)}`, sql`coalesce((${taken(settledOf(entity))}), 0)`)} - coalesce((${taken(usedOf(entity))}), 0)`
  const rows = await tx.rows<{ id: number; open: Decimal; day: DateText }>(sql`
    select distinct on (i.id) i.id, d.day, ${open} as open
    from ${ident(entity.table)} i cross join lateral (select ${date}::date as day union select x.day from ar_allocation a cross join lateral (values (a.posting_date), (a.reversed_at)) x(day) where ${takenOf(entity)} and x.day > ${date}::date) d
    where i.id = any(${[...new Set(ids)]}::bigint[]) order by i.id, open, d.day`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Remaining and status of open items by their live allocations. The rows are locked by whoever allocates. */
export async function refreshOpenItems(context: CommandContext, keys: readonly ItemKey[]): Promise<void> {
  for (const type of [...new Set(keys.map((key) => key.type))]) {
    const entity = knownEntity(context.metadata, type)
    const { whole, remaining, paid } = openItemOf(entity)
    const ids = [...new Set(keys.flatMap((key) => (key.type === type ? [key.id] : [])))]
    const hasBase = entity.otherCurrencies !== undefined
    const live = (a: Sql): Sql => sql`coalesce((select sum(a.amount) from ar_allocation a where ${a} and a.reversed_at is null), 0)`
    const counted = paid === undefined
      ? sql`select i.id, i.status as before, i.${ident(whole)} - ${live(takenOf(entity))} as remaining, 0 as settled, 0 as used ${hasBase ? sql`, coalesce((select sum(coalesce(a.base_amount, a.amount)) from ar_allocation a where ${takenOf(entity)} and a.reversed_at is null), 0) as base, exists (select 1 from ar_allocation a where ${takenOf(entity)} and a.reversed_at is null and a.base_amount is null) and i.rate <> 1 as is_unbooked` : sql``} from ${ident(entity.table)} i`
      : sql`
        select i.id, i.status as before, ${paidOf(sql`i.${ident(whole)}`, sql`i.${ident(paid.whole)}`, sql`s.settled`)} - s.used as remaining, s.settled, s.used
        from ${ident(entity.table)} i cross join lateral (select ${live(settledOf(entity))} as settled, ${live(usedOf(entity))} as used) s`
    const status = paid === undefined
      ? sql`case when x.remaining = 0 then 3 when x.remaining = t.${ident(whole)} then 1 else 2 end`
      : sql`case when x.used = t.${ident(whole)} then 3 when x.settled = 0 then 1 else 2 end`
    const parts = paid === undefined ? sql`` : sql`, ${ident(paid.remaining)} = t.${ident(paid.whole)} - x.settled, ${ident(paid.amount)} = x.remaining + x.used, ${ident(paid.used)} = x.used`
    const books = hasBase ? sql`, base_settled = x.base` : sql``
    const rows = await context.tx.rows<{ id: number; before: number; after: number; remaining: Decimal; code: string; is_unbooked?: boolean }>(sql`
      update ${ident(entity.table)} t set ${ident(remaining)} = x.remaining, status = ${status} ${parts} ${books},
        version = t.version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id}
      from (${counted} where i.id = any(${ids}::bigint[])) x where t.id = x.id returning t.id, x.before, t.status as after, x.remaining, coalesce(t.code, '') as code ${hasBase ? sql`, x.is_unbooked` : sql``}`)
    if (rows.some((row) => row.is_unbooked === true)) fail('VALIDATION_FAILED.other-currency')
    // What was paid is taken back although it has been used.
    const short = rows.find((row) => compare(row.remaining, '0') < 0)
    if (short !== undefined) fail('ILLEGAL_TRANSITION.advance-used', { document: short.code })
    await logStatusChanges(context, entity.id, 'settle', rows.map((row) => ({ id: row.id, from: row.before, to: row.after })))
  }
}

/** What the document has paid of others may be taken back only as far as it is not used. Asked when its reversal is asked for. */
export const settledIsUnused: Precondition = async ({ metadata, tx, entity: own, current }) => {
  const keys = await tx.rows<{ type: string; id: number; amount: Decimal }>(sql`
    select item_type as type, item_id as id, sum(amount) as amount from ar_allocation where document_type = ${own.id} and document_id = ${current.id} and reversed_at is null and item_id is not null group by 1, 2 order by 1, 2`)
  for (const { type, id, amount } of keys) {
    const entity = knownEntity(metadata, type)
    const { whole, paid } = openItemOf(entity)
    if (paid === undefined) continue
    const settled = sql`(i.${ident(paid.whole)} - i.${ident(paid.remaining)} - ${amount}::numeric)`
    const short = await tx.first<{ code: string }>(sql`select coalesce(i.code, '') as code from ${ident(entity.table)} i where i.id = ${id} and ${paidOf(sql`i.${ident(whole)}`, sql`i.${ident(paid.whole)}`, settled)} < i.${ident(paid.used)}`)
    if (short !== undefined) fail('ILLEGAL_TRANSITION.advance-used', { document: short.code })
  }
}

/** Where a document begins to be open, and where nothing of it is open any more: the columns and what they become. */
export function openingColumns(entity: ResolvedEntity, current: Row): Row {
  const { openItem } = entity
  if (openItem === undefined) return {}
  const { paid } = openItem
  return paid === undefined ? { [openItem.remaining]: current[openItem.whole] } : { [openItem.remaining]: '0.00', [paid.remaining]: current[paid.whole] }
}

/** Nothing of it is open any more. */
export function closedColumns({ openItem }: ResolvedEntity): Row {
  return openItem === undefined ? {} : { [openItem.remaining]: '0.00', ...(openItem.paid === undefined ? {} : { [openItem.paid.remaining]: '0.00' }) }
}

/** The part of `whole` that is paid where `settled` of `total` is; the last payment brings what rounding kept back. */
function paidOf(whole: Sql, total: Sql, settled: Sql): Sql {
  return sql`case when ${settled} >= ${total} then ${whole} else round(${whole} * ${settled} / ${total}, 2) end`
}

/** Allocations `a` that settle an item `i`. */
function settledOf(entity: ResolvedEntity): Sql {
  return sql`(a.item_type = ${entity.id} and a.item_id = i.id)`
}

/** Allocations `a` that use an item `i` up. */
function usedOf(entity: ResolvedEntity): Sql {
  const source = [...usedAs].find(([, used]) => used === entity.id)?.[0]
  return source === undefined ? sql`false` : sql`(a.source_type = ${source} and a.source_id = i.id)`
}

/** Either of them. */
function takenOf(entity: ResolvedEntity): Sql {
  return sql`(${settledOf(entity)} or ${usedOf(entity)})`
}

function openItemOf(entity: ResolvedEntity): NonNullable<ResolvedEntity['openItem']> {
  if (entity.openItem === undefined) throw new Error(`${entity.id} is no open item`)
  return entity.openItem
}
