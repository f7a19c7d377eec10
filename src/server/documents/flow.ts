import type { FlowNode } from '#api/data.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { hasEntityGuard } from '#server/access/guards.ts'
import { openablePages } from '#server/access/openable.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import type { Services } from '#server/services.ts'
import { fieldMap, knownEntity } from './entities.ts'
import { isGathering, type FlowLink } from './flowLinks.ts'
import { recordPlace } from './places.ts'

const mostDocuments = 300

/**
 * The documents a document came from and led to, all the way from the order to the money: those of kinds the user may view, within his scope. Walks back first and then
 * forward from everything found, so that sister deliveries of one order appear. A document that gathers others (a tour, a receipt) is shown but
 * not walked through, unless it is where the walk starts: the other orders on the same truck are no part of this order's story.
 */
export async function flowOf(services: Services, queries: Queries, user: User, entity: ResolvedEntity, id: number): Promise<readonly FlowNode[]> {
  const start = keyOf(entity.id, id)
  const found = new Set([start])
  const isOpen = (key: string): boolean => key === start || !isGathering(services.metadata, key.split(':')[0] ?? '')
  const walk = async (seed: readonly string[], isForward: boolean): Promise<void> => {
    let frontier = seed
    while (frontier.length > 0 && found.size < mostDocuments) {
      const next: string[] = []
      for (const link of services.flow) {
        const here = isForward ? link.from : link.to
        // A gathering document is not walked through, but what is its alone goes with it.
        const ids = frontier.filter((key) => key.startsWith(`${here}:`) && (isOpen(key) || (isForward && link.isOwn === true))).map((key) => Number(key.split(':')[1]))
        if (ids.length === 0 || !services.metadata.entities[link.from] || !services.metadata.entities[link.to]) continue
        for (const row of await queries.rows<{ a: number; b: number }>(linkSql(services, link, ids, isForward))) {
          const other = isForward ? keyOf(link.to, row.b) : keyOf(link.from, row.a)
          if (!found.has(other)) {
            found.add(other)
            next.push(other)
          }
        }
      }
      frontier = next
    }
  }
  await walk([start], false)
  await walk([...found], true)
  return nodesOf(services, queries, user, found, await edgesAmong(services, queries, found))
}

/** Later document → the earlier ones it names, among those found. */
async function edgesAmong(services: Services, queries: Queries, found: ReadonlySet<string>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const edges = new Map<string, Set<string>>()
  for (const link of services.flow) {
    const ids = [...found].filter((key) => key.startsWith(`${link.to}:`)).map((key) => Number(key.split(':')[1]))
    if (ids.length === 0) continue
    for (const row of await queries.rows<{ a: number; b: number }>(linkSql(services, link, ids, false))) {
      const from = keyOf(link.from, row.a)
      const to = keyOf(link.to, row.b)
      if (found.has(from)) edges.set(to, (edges.get(to) ?? new Set()).add(from))
    }
  }
  return edges
}

function linkSql(services: Services, link: FlowLink, ids: readonly number[], isForward: boolean): Sql {
  const later = ident(knownEntity(services.metadata, link.to).table)
  const list = sql`${[...ids]}::bigint[]`
  switch (link.by.kind) {
    case 'header': {
      const column = ident(link.by.column)
      return sql`select ${column} as a, id as b from ${later} where ${column} is not null and ${isForward ? column : sql`id`} = any(${list}) limit 500`
    }
    case 'lines': {
      const { table, header, column } = link.by
      return sql`select distinct ${ident(column)} as a, ${ident(header)} as b from ${ident(table)}
        where ${ident(column)} is not null and ${isForward ? ident(column) : ident(header)} = any(${list}) limit 500`
    }
    case 'between': {
      const { table, from, to, where, unless } = link.by
      return sql`select distinct ${ident(from)} as a, ${ident(to)} as b from ${ident(table)}
        where ${ident(where[0])} = ${where[1]} and ${ident(unless)} is null and ${ident(from)} is not null and ${isForward ? ident(from) : ident(to)} = any(${list}) limit 500`
    }
    case 'lineToLine': {
      const { table, header, column, fromTable, fromHeader } = link.by
      return sql`select distinct f.${ident(fromHeader)} as a, l.${ident(header)} as b from ${ident(table)} l join ${ident(fromTable)} f on f.id = l.${ident(column)}
        where ${isForward ? sql`f.${ident(fromHeader)}` : sql`l.${ident(header)}`} = any(${list}) limit 500`
    }
  }
}

async function nodesOf(services: Services, queries: Queries, user: User, found: ReadonlySet<string>, edges: ReadonlyMap<string, ReadonlySet<string>>): Promise<readonly FlowNode[]> {
  const groups = new Map<string, number[]>()
  for (const key of found) {
    const [type = '', id] = key.split(':')
    groups.set(type, [...(groups.get(type) ?? []), Number(id)])
  }
  const rows: { readonly type: string; readonly row: Row }[] = []
  for (const [type, ids] of groups) {
    const entity = knownEntity(services.metadata, type)
    if (!hasEntityGuard(services.metadata, user, entity, 'view')) continue
    const scope = scopeCondition(services.metadata, user, entity, 't')
    const list = await queries.rows(sql`${entity.base === 'line' ? lineSelect(services, entity) : documentSelect(entity)} where t.id = any(${ids}::bigint[]) ${scope ? sql`and ${scope}` : sql``}`)
    for (const row of list) rows.push({ type, row })
  }
  const visible = new Set(rows.map(({ type, row }) => keyOf(type, Number(row['id']))))
  const parents = (key: string): string[] => [...(edges.get(key) ?? [])].filter((parent) => visible.has(parent) && parent !== key)
  const levels = new Map<string, number>()
  const children = new Map<string, string[]>()
  for (const key of visible) for (const parent of parents(key)) children.set(parent, [...(children.get(parent) ?? []), key])
  const levelOf = (key: string, path: ReadonlySet<string>): number => {
    const known = levels.get(key)
    if (known !== undefined) return known
    if (path.has(key)) return 0
    const level = Math.max(-1, ...parents(key).map((parent) => levelOf(parent, new Set([...path, key])))) + 1
    levels.set(key, level)
    return level
  }
  // What came from nowhere stands beside what it met: a credit note next to the receipt it went into, not next to the order.
  const placed = (key: string): number => {
    const led = parents(key).length > 0 || key.startsWith('sales_order:') ? [] : (children.get(key) ?? [])
    return led.length === 0 ? levelOf(key, new Set()) : Math.max(0, Math.min(...led.map((child) => levelOf(child, new Set()))) - 1)
  }
  const mayOpen = openablePages(services.metadata, user)
  const placeOf = (type: string, id: number): string | null => {
    const place = recordPlace(services, user, knownEntity(services.metadata, type), id)
    return place !== undefined && mayOpen(place) ? place : null
  }
  return rows
    .map(({ type, row }): FlowNode => {
      const key = keyOf(type, Number(row['id']))
      return {
        DocType: type, ID: Number(row['id']), Code: String(row['code']), Date: String(row['doc_date']), Status: Number(row['status']),
        Amount: row['amount'] === null ? null : String(row['amount']), Level: placed(key), Parents: parents(key), Key: key, IsReversal: row['is_reversal'] === true,
        Url: placeOf(type, Number(row['id'])),
      }
    })
    .toSorted((a, b) => a.Level - b.Level || a.Date.localeCompare(b.Date) || a.ID - b.ID)
}

/** States that go by names, as documents count theirs. */
const named = { DRAFT: 0, APPROVED: 1, WAITING_CANCEL: 4, CANCELLED: 6, REPLACED: 7, EXPORTED: 8 }

function documentSelect(entity: ResolvedEntity): Sql {
  const has = (name: string): boolean => fieldMap(entity).get(name)?.hidden === false
  const amount = ['total', 'amount', 'cost', 'ppn'].find(has)
  const status = fieldMap(entity).get('status')?.type === 'enum' ? sql`(${JSON.stringify(named)}::jsonb ->> t.status)::int as status` : sql`t.status`
  return sql`
    select t.id, coalesce(t.code, 'DRAFT-' || t.id) as code, t.doc_date, ${status}, ${amount === undefined ? sql`null` : sql`t.${ident(amount)}::text`} as amount,
      ${has('reversal_of_id') ? sql`t.reversal_of_id is not null` : sql`false`} as is_reversal
    from ${ident(entity.table)} t`
}

/** A line that stands for itself: number and status are those of its document, the amount what came in less what went out. */
function lineSelect(services: Services, entity: ResolvedEntity): Sql {
  const header = knownEntity(services.metadata, entity.parent ?? '')
  return sql`
    select t.id, coalesce(h.code, 'DRAFT-' || h.id) || ' / ' || t.line_no as code, t.value_date as doc_date, h.status, (t.credit - t.debit)::text as amount, false as is_reversal
    from ${ident(entity.table)} t join ${ident(header.table)} h on h.id = t.${ident(`${header.id}_id`)}`
}

function keyOf(type: string, id: number): string {
  return `${type}:${id}`
}
