import { didYouMean, type Finding } from '#meta/check/finding.ts'
import type { LocatedFile } from '#meta/check/locate.ts'
import { type MadeColumn, type MadeTable, tablesMadeBy } from '#meta/check/madeTables.ts'
import { addColumnSql, changesOfColumn } from '#meta/ddl.ts'
import type { Entities } from '#meta/fieldOf.ts'
import type { EntityField, ResolvedEntity } from '#meta/resolved.ts'
import type { SchemaFile } from '#meta/schemaFiles.ts'
import type { Sources } from '#meta/sources.ts'

/** Tables and views that only services read: no entity tells of them. */
export const tablesOfServices: ReadonlySet<string> = new Set(['schema_migration', 'v_customer_exposure', 'report_draft', 'report_draft_reader', 'report_proposal', 'shipped_grant', 'vendor_invoice_ocr_reading', 'held_item', 'proposal_under_way', 'proposed_offset', 'vendor_credit'])

/** The statements that make the table of an entity what it says; none where it is, or where there is no such table yet. */
export function statementsFor(entity: ResolvedEntity | undefined, entities: Entities, tables: ReadonlyMap<string, MadeTable>): readonly string[] {
  const table = tables.get(entity?.table ?? '')
  if (entity === undefined || entity.base === 'view' || table?.kind !== 'table') return []
  const strays = new Set(straysOf(entity, table))
  const statements = entity.fields.flatMap((field) => {
    const made = table.columns.get(field.name)
    if (made !== undefined) return changesOfColumn(entity, field, entities, made)
    const before = formerName(entity, field, strays)
    const kept = table.columns.get(before ?? '')
    if (before === undefined || kept === undefined) return addColumnSql(entity, field, entities)
    strays.delete(before)
    return [renameSql(entity, before, field.name), ...changesOfColumn(entity, field, entities, kept)]
  })
  return [...statements, ...[...strays].map((name) => `-- No field has it any longer; what stands in it would be gone for good: ${dropSql(entity, name)}`)]
}

/** Compares the tables that the migrations make with those the entities ask for: each difference with the line of SQL that ends it. Keys and defaults are left to the database itself. */
export function migrationFindings(migrations: readonly SchemaFile[], entities: Entities, sources: Sources, located: ReadonlyMap<string, LocatedFile>): readonly Finding[] {
  const made = tablesMadeBy(migrations)
  const findings: Finding[] = []
  const asked = new Set<string>()
  for (const { path, value } of sources.entity) {
    const entity = entities[value.id]
    if (entity === undefined) continue
    asked.add(entity.table)
    const at = (...keys: readonly string[]) => located.get(path)?.position(keys, true) ?? { line: 1, column: 1 }
    const say = (code: string, place: { line: number; column: number }, message: string): void => void findings.push({ path, ...place, severity: 'error', code, message })
    const table = made.get(entity.table)
    if (table === undefined || (table.kind === 'view') !== (entity.base === 'view')) {
      const what = entity.base === 'view' ? 'view' : 'table'
      say('no-table', at('id'), `no migration makes the ${what} "${entity.table}"${what === 'view' ? `: CREATE VIEW "${entity.table}" AS …` : '; npm run new -- document writes one that does'}`)
    } else if (table.kind === 'table') compareColumns(entity, entities, table, (field) => (Object.hasOwn(value.fields, field) ? at('fields', field) : at('base')), say)
  }
  for (const [name, { place, kind }] of made) {
    if (asked.has(name) || tablesOfServices.has(name)) continue
    const [path = '', line = '1'] = place.split(':')
    findings.push({ path, line: Number(line), column: 1, severity: 'error', code: 'stray-table', message: `no entity has the ${kind} "${name}"${didYouMean(name, [...asked].filter((table) => !made.has(table)))}: DROP ${kind.toUpperCase()} "${name}";` })
  }
  return findings
}

function compareColumns(entity: ResolvedEntity, entities: Entities, table: MadeTable, place: (field: string) => { line: number; column: number }, say: (code: string, place: { line: number; column: number }, message: string) => void): void {
  const strays = straysOf(entity, table)
  for (const field of entity.fields) {
    const made = table.columns.get(field.name)
    if (made === undefined) {
      say('no-column', place(field.name), `no migration makes the column "${field.name}" of ${entity.table}${renamed(entity, field, strays)}: ${addColumnSql(entity, field, entities).join(' ')}`)
      continue
    }
    const sql = changesOfColumn(entity, field, entities, made)
    if (sql.length > 0) say('other-column', place(field.name), `the column "${field.name}" of ${entity.table} is ${spoken(made)} in ${made.place}: ${sql.join(' ')}`)
  }
  for (const name of strays) {
    const { place: made } = table.columns.get(name) ?? table
    say('stray-column', place(name), `the entity has no field for the column "${name}" of ${entity.table}, made in ${made}${didYouMean(name, entity.fields.flatMap((field) => (table.columns.has(field.name) ? [] : [field.name])))}: ${dropSql(entity, name)}`)
  }
}

/** A field that was called otherwise: its column is renamed, not made anew. */
function renamed(entity: ResolvedEntity, field: EntityField, strays: readonly string[]): string {
  const before = formerName(entity, field, new Set(strays))
  return before === undefined ? '' : ` (${renameSql(entity, before, field.name)} keeps what stands in it)`
}

function formerName({ renamed: names }: ResolvedEntity, { name }: EntityField, strays: ReadonlySet<string>): string | undefined {
  return Object.entries(names).find(([from, to]) => to === name && strays.has(from))?.[0]
}

function straysOf(entity: ResolvedEntity, table: MadeTable): readonly string[] {
  return [...table.columns.keys()].filter((name) => !entity.fields.some((field) => field.name === name))
}

const renameSql = ({ table }: ResolvedEntity, from: string, to: string): string => `ALTER TABLE "${table}" RENAME COLUMN "${from}" TO "${to}";`
const dropSql = ({ table }: ResolvedEntity, column: string): string => `ALTER TABLE "${table}" DROP COLUMN "${column}";`

function spoken({ type, isNullable, references, choices }: MadeColumn): string {
  return [type, ...(isNullable ? [] : ['not null']), ...(references === undefined ? [] : [`references ${references}`]), ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`])].join(' ')
}
