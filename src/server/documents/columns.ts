import { referenceNames, wireName } from '#base/wireName.ts'
import type { Metadata } from '#meta/metadata.ts'
import type { EntityField, FieldType, ResolvedEntity } from '#meta/resolved.ts'
import { mayHop } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { ident, join, sql, trusted, type Sql } from '#server/db/sql.ts'
import { fieldMap, isDocument, knownEntity } from './entities.ts'

/** A column of an entity or, over one reference, of the record it points to. */
export interface ColumnRef {
  /** As named in schemas: `customer_id`, `customer_id.name`. */
  readonly name: string
  readonly field: EntityField
  /** Wire key of the value. */
  readonly wire: string
  /** Reference column the value is reached over; of a currency, the whole way. */
  readonly over: string | undefined
  readonly isNullable: boolean
}

/** The column a name means, or undefined. Names come from outside, so only own properties of the metadata count; hidden fields do not exist. */
export function columnRef(metadata: Metadata, entity: ResolvedEntity, name: string): ColumnRef | undefined {
  const [first = '', hop, ...more] = (Object.hasOwn(entity.renamed, name) ? (entity.renamed[name] ?? name) : name).split('.')
  const field = fieldMap(entity).get(first)
  if (field === undefined && name === 'currency') return currencyRef(metadata, entity)
  if (!field || field.hidden || more.length > 0) return undefined
  if (hop === undefined) return { name: first, field, wire: field.wire, over: undefined, isNullable: field.nullable }
  if (field.entity === undefined) return undefined
  const target = fieldMap(knownEntity(metadata, field.entity)).get(hop)
  if (!target || target.hidden) return undefined
  return { name: `${first}.${hop}`, field: target, wire: wireName(first.replace(/_id$/, '')) + target.wire, over: first, isNullable: true }
}

/** In which currency the amounts of a row are, its own or that of what it names: to queries a column `currency` either way. */
export function currencyRef(metadata: Metadata, entity: ResolvedEntity): ColumnRef | undefined {
  const names = entity.currency?.split('.') ?? []
  const over = names.slice(0, -1)
  const target = over.reduce((at, column) => knownEntity(metadata, fieldMap(at).get(column)?.entity ?? ''), entity)
  const field = fieldMap(target).get(names.at(-1) ?? '')
  return field && { name: 'currency', field, wire: 'Currency', over: over.length === 0 ? undefined : over.join('.'), isNullable: over.length > 0 || field.nullable }
}

/** The same for a name a user asks for: what lies behind a reference shows only what he may see of it, as if there were nothing else. */
export function visibleColumn(metadata: Metadata, user: User, entity: ResolvedEntity, name: string): ColumnRef | undefined {
  const column = columnRef(metadata, entity, name)
  const target = column?.over === undefined ? undefined : fieldMap(entity).get(column.over)?.entity
  return column === undefined || target === undefined || mayHop(metadata, user, entity, column.name, knownEntity(metadata, target)) ? column : undefined
}

/**
 * Builds `from` and `select` of a query over one entity: the table under alias `t`, referenced tables joined once each under `r_<column>`.
 */
export class RecordQuery {
  readonly metadata: Metadata
  readonly entity: ResolvedEntity
  /** By the way there, a reference or several with dots between. */
  readonly #joined = new Map<string, ResolvedEntity>()

  constructor(metadata: Metadata, entity: ResolvedEntity) {
    this.metadata = metadata
    this.entity = entity
  }

  /** SQL of the value of a column. */
  value(column: ColumnRef): Sql {
    if (column.over === undefined) return sql`t.${ident(column.field.name)}`
    const target = this.#join(column.over)
    return columnOf(target, joinOf(column.over), column.field.name)
  }

  /** Code and name of the record a reference points to. */
  display(reference: EntityField): { readonly code: Sql; readonly name: Sql } {
    const target = this.#join(reference.name)
    const [code, name] = target.display
    return { code: columnOf(target, joinOf(reference.name), code), name: columnOf(target, joinOf(reference.name), name) }
  }

  /** What is read first of the record a reference points to: its name, its code where it has none. */
  shown(reference: EntityField): { readonly value: Sql; readonly type: 'text' | 'code' } {
    const { code, name } = this.display(reference)
    const [codeName, shownName] = this.#join(reference.name).display
    return codeName === shownName ? { value: sql`${code}::text`, type: 'code' } : { value: sql`coalesce(nullif(${name}::text, ''), ${code}::text)`, type: 'text' }
  }

  /** `value as "Wire"`, for a reference with its code and name. */
  select(column: ColumnRef): readonly Sql[] {
    const value = column.name === 'code' && column.over === undefined && isDocument(this.entity) ? columnOf(this.entity, sql`t`, 'code') : this.value(column)
    const parts = [as(value, column.wire)]
    if (column.field.type === 'ref' && column.over === undefined) {
      const names = referenceNames(column.name)
      const display = this.display(column.field)
      parts.push(as(display.code, names.code), as(display.name, names.name))
    }
    return parts
  }

  /** The from clause with every join asked for so far; `rows` stands in for the table itself. */
  from(rows: Sql = ident(this.entity.table)): Sql {
    const joins = [...this.#joined].map(([way, target]) => {
      const before = way.split('.').slice(0, -1).join('.')
      return sql` left join ${ident(target.table)} ${joinOf(way)} on ${joinOf(way)}.id = ${before === '' ? sql`t` : joinOf(before)}.${ident(way.slice(before === '' ? 0 : before.length + 1))}`
    })
    return sql`${rows} t${join(joins, '')}`
  }

  #join(way: string): ResolvedEntity {
    const known = this.#joined.get(way)
    if (known) return known
    const end = way.lastIndexOf('.')
    const from = end < 0 ? this.entity : this.#join(way.slice(0, end))
    const id = fieldMap(from).get(way.slice(end + 1))?.entity
    if (id === undefined) throw new Error(`${this.entity.id}.${way} is no reference`)
    const target = knownEntity(this.metadata, id)
    this.#joined.set(way, target)
    return target
  }
}

/** A document without a number yet shows as DRAFT-<id>. */
function columnOf(entity: ResolvedEntity, table: Sql, column: string): Sql {
  const value = sql`${table}.${ident(column)}`
  return column === 'code' && isDocument(entity) ? sql`coalesce(${value}, 'DRAFT-' || ${table}.id)` : value
}

/** Alias of the table a way leads to. */
function joinOf(way: string): Sql {
  return ident(`r_${way.replaceAll('.', '__')}`)
}

/** Output name of a column: PascalCase from our own metadata. */
export function as(value: Sql, wire: string): Sql {
  if (!/^\w+$/.test(wire)) throw new Error(`Not a wire name: ${wire}`)
  return sql`${value} as ${trusted(`"${wire}"`)}`
}

const sqlTypes: Readonly<Record<FieldType, string>> = {
  id: 'bigint', ref: 'bigint', integer: 'bigint', status: 'bigint',
  quantity: 'numeric', money: 'numeric', percent: 'numeric', rate: 'numeric', price: 'numeric', cost: 'numeric',
  date: 'date', datetime: 'timestamptz', boolean: 'boolean',
  code: 'text', text: 'text', longtext: 'text', email: 'text', period: 'text', enum: 'text', textlist: 'text', json: 'text', secret: 'text',
}

/** Type a value for this field is cast to in a statement; decided by the metadata alone. */
export function sqlType(type: FieldType): Sql {
  return trusted(sqlTypes[type])
}

const decimals = new Set<FieldType>(['quantity', 'money', 'percent', 'rate', 'price', 'cost'])

export function isDecimalType(type: FieldType): boolean {
  return decimals.has(type)
}

/** Does the column hold words, which a search may look through? */
export function isTextType(type: FieldType | undefined): boolean {
  return type !== undefined && ['code', 'text', 'longtext', 'email'].includes(type)
}

/** How values sort: codes byte by byte, words as people expect, the same on every installation. */
export function sortable(value: Sql, type: FieldType): Sql {
  switch (sqlTypes[type]) {
    case 'text':
      return type === 'code' || type === 'enum' || type === 'period' ? sql`${value} collate "C"` : sql`${value} collate "und-x-icu"`
    default:
      return value
  }
}
