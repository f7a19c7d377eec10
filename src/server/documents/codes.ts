import { wireName } from '#base/wireName.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Row } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { problem, raise, wrong } from '#server/problemError.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { knownEntity } from './entities.ts'
import type { SavingLine } from './hooks.ts'

interface CodedLines {
  readonly entity: ResolvedEntity
  readonly wire: string
  readonly rows: readonly SavingLine[]
  /** As stored, by id. */
  readonly stored: ReadonlyMap<number, Row>
}

/** Codes of masters are told apart whatever their capitals: nobody knows `abc` from `ABC` when he hears it. What is stored already stays. */
export async function assertCodesFree(context: CommandRun, entity: ResolvedEntity, before: (Row & { readonly id: number }) | undefined, header: Row, lines: readonly CodedLines[]): Promise<void> {
  const errors = [...(await takenCode(context, entity, before, header)), ...lines.flatMap(repeatedCodes)]
  if (errors.length > 0) raise({ ...problem('DUPLICATE_DOCUMENT'), errors })
}

/** The key that ends with its code: what stands before it says within what codes are told apart. */
function codeKey({ base, key }: ResolvedEntity): readonly string[] | undefined {
  return base === 'master' ? key.find((columns) => columns.at(-1) === 'code') : undefined
}

async function takenCode(context: CommandRun, entity: ResolvedEntity, before: (Row & { readonly id: number }) | undefined, header: Row): Promise<readonly FieldProblem[]> {
  const key = codeKey(entity)
  const { code } = header
  if (key === undefined || typeof code !== 'string' || code === before?.['code']) return []
  const record: Row = { ...before, ...header }
  const within = key.slice(0, -1).map((column) => sql`t.${ident(column)} is not distinct from ${record[column] ?? null}::bigint`)
  const scope = scopeCondition(context.metadata, context.user, entity, 't')
  // Two who take codes that differ in nothing but capitals wait for one another: no key of the table would stop the second.
  const twin = await context.tx.exclusive(`code ${entity.table} ${code.toLowerCase()}`, () => context.tx.first<{ code: string; name: string | null }>(sql`
    select t.code, case when ${scope ?? sql`true`} then t.${ident(entity.display[1])}::text end as name from ${ident(entity.table)} t
    where lower(t.code) = lower(${code}) and t.id is distinct from ${before?.id ?? null}::bigint and ${join([...within, sql`true`], ' and ')} limit 1`))
  return twin === undefined ? [] : [wrong('Code', 'DUPLICATE.code', { record: nameOf(twin) })]
}

/** Lines that are masters of their own (addresses): what is not sent is taken away, so that they need only be told from one another. */
function repeatedCodes({ entity, wire, rows, stored }: CodedLines): readonly FieldProblem[] {
  if (codeKey(entity) === undefined) return []
  const seen = new Map<string, { readonly row: Row; readonly isOld: boolean }>()
  return rows.flatMap(({ id, columns }, at): readonly FieldProblem[] => {
    const old = id === undefined ? undefined : stored.get(id)
    const row: Row = { ...old, ...columns }
    const { code } = row
    if (typeof code !== 'string') return []
    const isOld = old !== undefined && old['code'] === code
    const twin = seen.get(code.toLowerCase())
    seen.set(code.toLowerCase(), { row, isOld })
    const name = twin?.row[entity.display[1]]
    return twin === undefined || (twin.isOld && isOld) ? [] : [wrong(`${wire}[${at}].${wireName('code')}`, 'DUPLICATE.code', { record: nameOf({ code: String(twin.row['code']), name: typeof name === 'string' ? name : null }) })]
  })
}

function nameOf({ code, name }: { readonly code: string; readonly name: string | null }): string {
  return name === null || name === code ? code : `${code} ${name}`
}

/** The lines of a record that may have codes, as they are to be saved. */
export function codedLines(context: CommandRun, entity: ResolvedEntity, lines: Readonly<Record<string, readonly SavingLine[]>>, stored: ReadonlyMap<string, ReadonlyMap<number, Row>>): readonly CodedLines[] {
  return entity.lines.flatMap(({ entity: line, wire, owned }) => {
    const rows = lines[wire]
    return rows === undefined || !owned ? [] : [{ entity: knownEntity(context.metadata, line), wire, rows, stored: stored.get(wire) ?? new Map<number, Row>() }]
  })
}
