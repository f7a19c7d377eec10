import type { SchemaFile } from '#meta/schemaFiles.ts'

/** A table as the migrations leave it. */
export interface MadeTable {
  readonly kind: 'table' | 'view'
  /** Where it was made: `path:line`. */
  readonly place: string
  readonly columns: Map<string, MadeColumn>
}

export interface MadeColumn {
  readonly place: string
  readonly type: string
  readonly isNullable: boolean
  readonly references?: string
  /** The literals its check allows, sorted; undefined without such a check. */
  readonly choices?: readonly string[]
  /** Name of that check. */
  readonly check?: string
}

/** The tables and views that the statements of these migrations make, in their order. What a function or a `do` block does is not read. */
export function tablesMadeBy(migrations: readonly SchemaFile[]): ReadonlyMap<string, MadeTable> {
  const tables = new Map<string, MadeTable>()
  for (const { path, text } of migrations) {
    for (const { sql, line } of statementsOf(text)) take(tables, sql, `${path}:${line}`)
  }
  return tables
}

const name = String.raw`"?(\w+)"?`
const matching = (pattern: string, flags = 'i'): RegExp => new RegExp(pattern.replaceAll('NAME', name), flags)
const creates = matching(String.raw`^create table (?:if not exists )?NAME\s*\(`)
const views = matching(String.raw`^create (?:or replace )?view NAME`)
const drops = matching(String.raw`^drop (?:table|view) (?:if exists )?NAME`)
const definitions = matching(String.raw`^NAME\s+(.+)$`, 'is')
const referring = matching(String.raw`\breferences NAME`)
const keys = matching(String.raw`foreign key \(\s*NAME\s*\) references NAME`)
const checks = matching(String.raw`\bcheck \(+\s*NAME\s+in \(`)
const named = matching('^constraint NAME')
const actions = {
  add: /^add (?:column )?(?:if not exists )?(?=["\w])/i,
  dropConstraint: matching('^drop constraint (?:if exists )?NAME'),
  drop: matching('^drop (?:column )?(?:if exists )?NAME'),
  type: matching('^alter (?:column )?NAME (?:set data )?type (.+?)(?: using .*)?$'),
  empty: matching('^alter (?:column )?NAME (set|drop) not null'),
  renameColumn: matching('^rename (?:column )?NAME to NAME'),
  rename: matching('^rename to NAME'),
}
const alters = matching(String.raw`^alter (?:table|view) (?:if exists )?(?:only )?NAME\s+`)

function take(tables: Map<string, MadeTable>, sql: string, place: string): void {
  const [created, view, dropped, altered] = [creates, views, drops, alters].map((pattern) => pattern.exec(sql))
  if (created?.[1] !== undefined) {
    const table: MadeTable = { kind: 'table', place, columns: new Map() }
    tables.set(created[1], table)
    // The columns first: a check or key below may speak of any of them.
    const parts = partsOf(sql.slice(created[0].length, sql.lastIndexOf(')')))
    for (const part of parts.filter((one) => !isConstraint(one))) addColumn(created[1], table, part, place)
    for (const part of parts.filter(isConstraint)) constrain(created[1], table, part)
  } else if (view?.[1] !== undefined) tables.set(view[1], { kind: 'view', place, columns: new Map() })
  else if (dropped?.[1] !== undefined) tables.delete(dropped[1])
  else if (altered?.[1] !== undefined) {
    const table = tables.get(altered[1])
    for (const action of partsOf(sql.slice(altered[0].length))) if (table !== undefined) alter(tables, altered[1], table, action, place)
  }
}

const isConstraint = (part: string): boolean => /^(constraint|primary key|unique|check|foreign key|exclude)\b/i.test(part)

function alter(tables: Map<string, MadeTable>, id: string, table: MadeTable, action: string, place: string): void {
  const change = (column: string, changed: Partial<MadeColumn>): void => {
    const known = table.columns.get(column)
    if (known !== undefined) table.columns.set(column, { ...known, ...changed, place })
  }
  let found: RegExpExecArray | null
  if ((found = actions.add.exec(action)) !== null && !isConstraint(action.slice(found[0].length)) && !isConstraint(action.slice(4))) addColumn(id, table, action.slice(found[0].length), place)
  else if (/^add /i.test(action)) constrain(id, table, action.slice(4))
  else if ((found = actions.dropConstraint.exec(action)) !== null) dropCheck(table, found[1] ?? '')
  else if ((found = actions.drop.exec(action)) !== null) table.columns.delete(found[1] ?? '')
  else if ((found = actions.type.exec(action)) !== null) change(found[1] ?? '', { type: typeOf(found[2] ?? '') })
  else if ((found = actions.empty.exec(action)) !== null) change(found[1] ?? '', { isNullable: found[2]?.toLowerCase() === 'drop' })
  else if ((found = actions.renameColumn.exec(action)) !== null) renameColumn(table, found[1] ?? '', found[2] ?? '', place)
  else if ((found = actions.rename.exec(action)) !== null) {
    tables.delete(id)
    tables.set(found[1] ?? '', table)
  }
}

function addColumn(table: string, made: MadeTable, definition: string, place: string): void {
  const found = definitions.exec(definition)
  if (found?.[1] === undefined || found[2] === undefined) return
  const [, column, rest] = found
  const references = referring.exec(rest)?.[1]
  const choices = choicesIn(rest, column)
  made.columns.set(column, {
    place,
    type: typeOf(rest),
    isNullable: !/\b(not null|primary key)\b/i.test(rest.replaceAll(/'(?:[^']|'')*'/g, '')),
    ...(references === undefined ? {} : { references }),
    ...(choices === undefined ? {} : { choices, check: `${table}_${column}_check` }),
  })
}

/** A reference or a list of words said apart from its column. */
function constrain(table: string, made: MadeTable, constraint: string): void {
  const key = keys.exec(constraint)
  const known = made.columns.get(key?.[1] ?? '')
  if (key?.[1] !== undefined && key[2] !== undefined && known !== undefined) made.columns.set(key[1], { ...known, references: key[2] })
  const column = checks.exec(constraint)?.[1]
  const checked = made.columns.get(column ?? '')
  if (column === undefined || checked === undefined) return
  const choices = choicesIn(constraint, column)
  if (choices !== undefined) made.columns.set(column, { ...checked, choices, check: named.exec(constraint)?.[1] ?? `${table}_${column}_check` })
}

function dropCheck(table: MadeTable, check: string): void {
  for (const [column, { choices: _, check: own, ...rest }] of table.columns) if (own === check) table.columns.set(column, rest)
}

function renameColumn(table: MadeTable, from: string, to: string, place: string): void {
  const known = table.columns.get(from)
  table.columns.delete(from)
  if (known !== undefined) table.columns.set(to, { ...known, place })
}

function choicesIn(text: string, column: string): readonly string[] | undefined {
  if (!/\bcheck \(/i.test(text)) return undefined
  const list = new RegExp(String.raw`\bcheck \(.*?"?\b${column}"?\s+in \(([^)]*)\)`, 'i').exec(text)?.[1]
  return list === undefined ? undefined : partsOf(list).map((word) => word.replace(/^'(.*)'$/s, '$1').replaceAll("''", "'")).sort()
}

/** The type at the head of a definition, as PostgreSQL's short names have it. */
function typeOf(definition: string): string {
  const type = /^(.+?)(?=\s+(?:not|null|default|references|check|generated|primary|unique|constraint|collate|deferrable)\b|$)/is.exec(definition.trim())?.[1] ?? ''
  const plain = type.toLowerCase().replace(/\s*([(),])\s*/g, '$1')
  return plain.replace('timestamp with time zone', 'timestamptz').replace('character(', 'char(').replace('decimal(', 'numeric(').replace(/^int$/, 'integer')
}

/** Parts between the commas that stand in no parentheses and no quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: found, index } of text.matchAll(/'(?:[^']|'')*'|[(),]/g)) {
    if (found === '(') depth++
    else if (found === ')') depth--
    else if (found === ',' && depth === 0) {
      parts.push(text.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== '')
}

/** The statements of a migration without comments, their white space made one, each with the line it begins in. */
function statementsOf(text: string): readonly { readonly sql: string; readonly line: number }[] {
  const statements: { sql: string; line: number }[] = []
  let sql = ''
  let line = 1
  let begun = 1
  for (const [piece] of text.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|;|[^'$;/-]+|[\s\S]/g)) {
    if (piece === ';') {
      statements.push({ sql: sql.trim(), line: begun })
      sql = ''
    } else if (!piece.startsWith('--') && !piece.startsWith('/*')) {
      const spoken = piece.startsWith("'") ? piece : piece.replace(/\s+/g, ' ')
      if (sql.trim() === '' && spoken.trim() !== '') begun = line + (/^\s*/.exec(piece)?.[0].split('\n').length ?? 1) - 1
      sql += sql.endsWith(' ') ? spoken.trimStart() : spoken
    }
    line += piece.split('\n').length - 1
  }
  return [...statements, { sql: sql.trim(), line: begun }].filter((statement) => statement.sql !== '')
}
