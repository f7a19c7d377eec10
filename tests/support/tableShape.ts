import type { FieldType, ResolvedEntity } from '#meta/resolved.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** A table or view as far as entities speak of it. */
export interface TableShape {
  readonly kind: 'table' | 'view'
  readonly columns: Readonly<Record<string, ColumnShape>>
  /** Columns of each unique key, sorted within and among themselves. */
  readonly unique: readonly string[]
  /** Column → table. */
  readonly references: Readonly<Record<string, string>>
  /** Column → the literals its check names, sorted. */
  readonly checks: Readonly<Record<string, readonly string[]>>
}

export interface ColumnShape {
  readonly type: string
  readonly isNullable: boolean
  /** Literal, `now()`, `identity` or undefined. */
  readonly default: string | undefined
}

const sqlTypes = {
  id: 'bigint', ref: 'bigint', code: 'text', text: 'text', longtext: 'text', email: 'text', enum: 'text', secret: 'text', integer: 'integer', status: 'smallint',
  quantity: 'numeric(18,3)', money: 'numeric(18,2)', percent: 'numeric(7,4)', rate: 'numeric(18,6)', price: 'numeric(18,4)', cost: 'numeric(18,6)',
  date: 'date', datetime: 'timestamp with time zone', period: 'character(6)', boolean: 'boolean', textlist: 'text[]', json: 'jsonb',
} as const satisfies Record<FieldType, string>

/** The tables the entities ask for, by name. Written apart from the generator of the tables, so that each checks the other. */
export function shapesOfEntities(entities: Readonly<Record<string, ResolvedEntity>>): Record<string, TableShape> {
  return Object.fromEntries(Object.values(entities).map((entity) => [entity.table, shapeOfEntity(entity, entities)]))
}

function shapeOfEntity(entity: ResolvedEntity, entities: Readonly<Record<string, ResolvedEntity>>): TableShape {
  if (entity.base === 'view') {
    const columns = entity.fields.map((field) => [field.name, { type: kindOfType(sqlTypes[field.type]), isNullable: true, default: undefined }] as const)
    return { kind: 'view', columns: Object.fromEntries(columns), unique: [], references: {}, checks: {} }
  }
  const columns: Record<string, ColumnShape> = {}
  const references: Record<string, string> = {}
  const checks: Record<string, readonly string[]> = {}
  for (const field of entity.fields) {
    const isKey = field.type === 'integer' && field.name.endsWith('_id')
    const isNumeric = sqlTypes[field.type].startsWith('numeric')
    const isStamp = field.type === 'datetime' && !field.nullable && (field.readOnly || field.name === 'created_at')
    const empty = isNumeric ? '0' : field.type === 'boolean' ? 'false' : field.type === 'textlist' ? '{}' : undefined
    const whenAbsent = field.nullable || field.required ? (isStamp ? 'now()' : undefined) : empty
    columns[field.name] = {
      type: isKey ? 'bigint' : sqlTypes[field.type],
      isNullable: field.nullable,
      default: field.type === 'id' ? 'identity' : field.default === undefined ? whenAbsent : String(field.default),
    }
    // A view has no key of its own to refer to.
    if (field.type === 'ref' && entities[field.entity ?? '']?.base !== 'view') references[field.name] = entities[field.entity ?? '']?.table ?? `no entity ${field.entity ?? ''}`
    if (field.type === 'period') checks[field.name] = ['^[0-9]{6}$']
    else if (field.name === 'status' && entity.base === 'document') checks[field.name] = ['0', '9']
    else if (field.choices && field.type !== 'text' && field.type !== 'textlist') checks[field.name] = field.choices.map((choice) => String(choice.value)).toSorted()
  }
  const unique = [...entity.key.map((key) => keyText(key)), keyText(['id']), ...(entity.base === 'document' ? [keyText(['code'])] : [])]
  return { kind: 'table', columns, unique: [...new Set(unique)].toSorted(), references, checks }
}

/** Tables and views as the catalogue of the database has them. Constraints and indexes named in `handWritten` are left out. */
export async function shapesOfDatabase(queries: Queries, handWritten: ReadonlySet<string>): Promise<Record<string, TableShape>> {
  const relations = await queries.rows<{ name: string; kind: string }>(sql`
    select relname as name, relkind::text as kind from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v')`)
  const columns = await queries.rows<{ relation: string; name: string; type: string; is_required: boolean; value: string | null; identity: string }>(sql`
    select c.relname as relation, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as is_required,
      case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as value, a.attidentity::text as identity
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped`)
  const constraints = await queries.rows<{ relation: string; name: string; kind: string; columns: readonly string[]; target: string | null; text: string }>(sql`
    select t.relname as relation, k.conname as name, k.contype::text as kind, f.relname as target, pg_get_constraintdef(k.oid) as text,
      array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(k.conkey)) as columns
    from pg_constraint k join pg_class t on t.oid = k.conrelid left join pg_class f on f.oid = k.confrelid
    where k.connamespace = current_schema()::regnamespace and k.contype in ('c', 'f', 'p', 'u')`)
  const indexes = await queries.rows<{ relation: string; name: string; columns: readonly string[] }>(sql`
    select t.relname as relation, i.relname as name, array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey::int2[])) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = current_schema()::regnamespace and x.indisunique and not exists (select 1 from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u'))`)

  return Object.fromEntries(
    relations.map(({ name, kind }): readonly [string, TableShape] => {
      const isView = kind === 'v'
      const own = constraints.filter((constraint) => constraint.relation === name && !handWritten.has(constraint.name))
      const keys = [...own.filter((constraint) => constraint.kind === 'p' || constraint.kind === 'u'), ...indexes.filter((index) => index.relation === name && !handWritten.has(index.name))]
      return [
        name,
        {
          kind: isView ? 'view' : 'table',
          columns: Object.fromEntries(
            columns
              .filter((column) => column.relation === name)
              .map((column) => [
                column.name,
                isView
                  ? { type: kindOfType(column.type), isNullable: true, default: undefined }
                  : { type: column.type, isNullable: !column.is_required, default: column.identity === '' ? literalOf(column.value) : 'identity' },
              ]),
          ),
          unique: keys.map((key) => keyText(key.columns)).toSorted(),
          references: Object.fromEntries(own.flatMap((constraint) => (constraint.kind === 'f' ? [[constraint.columns.join(), constraint.target ?? '']] : []))),
          checks: Object.fromEntries(own.flatMap((constraint) => (constraint.kind === 'c' ? [[constraint.columns.join(), literalsOf(constraint.text, constraint.columns)]] : []))),
        },
      ]
    }),
  )
}

/** Every way in which two sets of tables differ, one sentence each; empty: none. Tables beside `expected` that are named in `others` are let be. */
export function differences(expected: Readonly<Record<string, TableShape>>, actual: Readonly<Record<string, TableShape>>, others: ReadonlySet<string> = new Set()): string[] {
  const found: string[] = []
  for (const name of Object.keys(actual)) if (!Object.hasOwn(expected, name) && !others.has(name)) found.push(`${name}: no entity has this table`)
  for (const [name, wanted] of Object.entries(expected)) {
    const table = actual[name]
    if (!table) found.push(`${name}: missing`)
    else if (table.kind !== wanted.kind) found.push(`${name}: is a ${table.kind}, not a ${wanted.kind}`)
    else {
      compare(found, `${name} column`, mapped(wanted.columns, columnText), mapped(table.columns, columnText))
      compare(found, `${name} reference`, wanted.references, table.references)
      compare(found, `${name} check`, mapped(wanted.checks, (literals) => literals.join('|')), mapped(table.checks, (literals) => literals.join('|')))
      compare(found, `${name} unique key`, keyed(wanted.unique), keyed(table.unique))
    }
  }
  return found
}

function compare(found: string[], what: string, expected: Readonly<Record<string, string>>, actual: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(expected)) {
    if (!Object.hasOwn(actual, name)) found.push(`${what} ${name}: missing`)
    else if (actual[name] !== text) found.push(`${what} ${name}: is ${actual[name] ?? ''}, not ${text}`)
  }
  for (const name of Object.keys(actual)) if (!Object.hasOwn(expected, name)) found.push(`${what} ${name}: no entity asks for it`)
}

function mapped<T>(record: Readonly<Record<string, T>>, text: (value: T) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, text(value)]))
}

function keyed(keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, key]))
}

function columnText(column: ColumnShape): string {
  return `${column.type}${column.isNullable ? '' : ' not null'}${column.default === undefined ? '' : ` default ${column.default}`}`
}

function keyText(columns: readonly string[]): string {
  return columns.toSorted().join(' + ')
}

/** Views compute: their columns carry no precision, and whole numbers of any width are one kind. */
function kindOfType(type: string): string {
  const bare = type.replace(/\(.*\)/, '')
  return bare === 'integer' || bare === 'smallint' ? 'bigint' : bare === 'character' ? 'text' : bare
}

/** `'IDR'::text` → `IDR`, `'0'::numeric` → `0`. */
function literalOf(value: string | null): string | undefined {
  if (value === null) return undefined
  const quoted = /^\(?'((?:[^']|'')*)'\)?(?:::[\w .()[\]]+)?$/.exec(value)
  return quoted ? (quoted[1] ?? '').replaceAll("''", "'") : value
}

/** Texts and numbers a check compares with, columns left aside. */
function literalsOf(text: string, columns: readonly string[]): string[] {
  const bare = text.replaceAll(/::[a-z]+( [a-z]+)*(\(\d+\))?(\[\])?/g, '')
  const quoted = [...bare.matchAll(/'((?:[^']|'')*)'/g)].map((match) => (match[1] ?? '').replaceAll("''", "'"))
  const numbers = [...bare.replaceAll(/'(?:[^']|'')*'/g, '').replaceAll(new RegExp(`\\b(${columns.join('|')})\\b`, 'g'), '').matchAll(/(?<!\w)-?\d+/g)].map((match) => match[0])
  return [...quoted, ...numbers].toSorted()
}
