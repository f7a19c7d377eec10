import type { FieldProblem } from '#api/problems.ts'
import { compare, fixed, grouped, isDecimal, sum } from '#base/decimal.ts'
import { wireName } from '#base/wireName.ts'
import { holds, type Surroundings } from '#meta/evaluate.ts'
import type { ResolvedEntity, Rule } from '#meta/resolved.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { ident, sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import { knownEntity } from './entities.ts'
import type { SavingLine } from './hooks.ts'

/** What the record, as it would stand, breaks of the rules of its entity. Lines the request leaves alone are read. */
export async function brokenRules(
  context: CommandContext,
  entity: ResolvedEntity,
  before: (Row & { readonly id: number }) | undefined,
  header: Row,
  lines: Readonly<Record<string, readonly SavingLine[]>>,
  stored: ReadonlyMap<string, ReadonlyMap<number, Row>> = new Map(),
): Promise<readonly FieldProblem[]> {
  const rules = entity.rules ?? []
  const record: Row = { ...before, ...header }
  const { user } = context
  const around: Surroundings = { user: { id: user.id }, today: context.today, params: {} }
  const found: FieldProblem[] = [...entity.fields.flatMap((field) => strangeValue(entity, field, record)), ...brokenInLines(context, entity, record, lines, stored, around)]
  for (const rule of rules) {
    if ('must' in rule) {
      if (rule.at !== undefined) continue
      const value = record[rule.field]
      if (value !== null && value !== undefined && !holds(rule.must, record, around)) found.push(broken(rule, wireName(rule.field), {}))
    } else if (rule.when === undefined || holds(rule.when, record, around)) {
      const expected = isDecimal(rule.equals, 6) ? rule.equals : String(record[rule.equals] ?? '0')
      const come = await sumOf(context, entity, rule, before, lines)
      if (compare(come, expected) !== 0) found.push(broken(rule, linesOf(entity, rule.lines).wire, { sum: readable(come), expected: readable(expected) }))
    }
  }
  return found
}

/** What lines that are sent break of the rules of theirs, which may hold them against the header (`price_change_id.effective_from`). */
function brokenInLines(
  { metadata }: CommandContext,
  entity: ResolvedEntity,
  record: Row,
  lines: Readonly<Record<string, readonly SavingLine[]>>,
  stored: ReadonlyMap<string, ReadonlyMap<number, Row>>,
  around: Surroundings,
): readonly FieldProblem[] {
  return entity.lines.flatMap(({ wire, column, entity: name }) =>
    (knownEntity(metadata, name).rules ?? []).flatMap((rule) =>
      (lines[wire] ?? []).flatMap(({ id, columns }, at) => {
        if (!('must' in rule) || rule.at !== undefined) return []
        const line: Row = { ...(id === undefined ? undefined : stored.get(wire)?.get(id)), ...columns }
        const value = line[rule.field]
        const valueOf = (path: string): unknown => (path.startsWith(`${column}.`) ? record[path.slice(column.length + 1)] : line[path])
        return value === null || value === undefined || holds(rule.must, valueOf, around) ? [] : [broken(rule, `${wire}[${at}].${wireName(rule.field)}`, {})]
      }),
    ),
  )
}

/** A text that is none of those the deciding field leaves to choose from. */
function strangeValue(entity: ResolvedEntity, { name, wire, choicesBy }: ResolvedEntity['fields'][number], record: Row): readonly FieldProblem[] {
  if (choicesBy === undefined) return []
  const deciding = entity.fields.find((field) => field.wire === choicesBy.by)?.name ?? ''
  const allowed = Object.entries(choicesBy.of).find(([value]) => value === record[deciding])?.[1]
  const value = record[name]
  return allowed === undefined || value === null || value === undefined || allowed.includes(String(value)) ? [] : [wrong(wire, 'NOT_A_CHOICE', { choices: [...allowed] })]
}

async function sumOf(context: CommandContext, entity: ResolvedEntity, rule: Extract<Rule, { readonly sum: string }>, before: { readonly id: number } | undefined, lines: Readonly<Record<string, readonly SavingLine[]>>): Promise<string> {
  const { entity: lineEntity, wire } = linesOf(entity, rule.lines)
  const sent = lines[wire]
  // What a kept line leaves unsaid stays: such lines are rare here, the grid sends whole ones.
  if (sent?.every((line) => line.columns[rule.sum] !== undefined) === true) return fixed(sum(sent.map((line) => String(line.columns[rule.sum] ?? '0'))), 6)
  if (!before) return '0'
  const table = knownEntity(context.metadata, lineEntity).table
  const row = await context.tx.first<{ total: string }>(sql`select coalesce(sum(${ident(rule.sum)}), 0)::text as total from ${ident(table)} where ${ident(`${entity.id}_id`)} = ${before.id}`)
  return row?.total ?? '0'
}

function linesOf(entity: ResolvedEntity, name: string): ResolvedEntity['lines'][number] {
  const found = entity.lines.find((line) => line.name === name)
  if (!found) throw new Error(`${entity.id} has no lines ${name}`)
  return found
}

function broken(rule: Rule, field: string, params: Readonly<Record<string, string>>): FieldProblem {
  return { field, code: 'RULE', ...said({ key: rule.label, params }) }
}

/** Two decimals, more only where they differ from nothing. */
function readable(value: string): string {
  return grouped(fixed(value, 6).replace(/(\.\d\d\d*?)0*$/, '$1'))
}
