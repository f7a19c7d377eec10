import { metadata } from '#generated/metadata.ts'
import { ident, join, sql, type Sql } from '#server/db/sql.ts'

/** A document, by entity and id. */
export interface Holder {
  readonly type: string
  readonly id: number
}

const waiting = 4

/** Columns in which documents name a credit they use, and the amount of it. A document names one with several settlements once. */
const uses = [
  ...new Map(
    Object.values(metadata.workflows).flatMap(({ entity, settles = [] }) =>
      settles.flatMap((settlement) =>
        (settlement.with ?? []).flatMap(({ as, item, amount, lines }) => (item === undefined ? [] : [[`${entity} ${as} ${lines?.name ?? ''} ${item}`, { entity, as, item, amount, lines: lines?.name }] as const])),
      ),
    ),
  ).values(),
]

/** What documents that wait for a decision will take of a credit: it is theirs meanwhile. */
export function heldOf(source: 'CREDIT_NOTE' | 'DEPOSIT', id: Sql, except: Holder = { type: '', id: 0 }): Sql {
  const parts = uses.filter(({ as }) => as === source).map(({ entity, item, amount, lines }) => {
    const of = metadata.entities[entity]
    const line = of?.lines.find(({ name }) => name === lines)
    const other = except.type === entity ? sql`and h.id <> ${except.id}` : sql``
    const header = sql`${ident(of?.table ?? entity)} h`
    if (line === undefined) return sql`coalesce((select sum(h.${ident(amount)}) from ${header} where h.${ident(item)} = ${id} and h.status = ${waiting} ${other}), 0)`
    return sql`coalesce((select sum(l.${ident(amount)}) from ${header} join ${ident(metadata.entities[line.entity]?.table ?? line.entity)} l on l.${ident(line.column)} = h.id where l.${ident(item)} = ${id} and h.status = ${waiting} ${other}), 0)`
  })
  return parts.length === 0 ? sql`0` : sql`(${join(parts, ' + ')})`
}
