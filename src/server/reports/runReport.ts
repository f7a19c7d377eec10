import { addMonths } from '#base/date.ts'
import { fixed } from '#base/decimal.ts'
import type { ReportAnswer, ReportRow } from '#api/report.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { Field, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql, Sql, trusted } from '#server/db/sql.ts'
import { as, isDecimalType, sortable, sqlType } from '#server/documents/columns.ts'
import { conditionSql, likeText, type ConditionScope } from '#server/documents/conditionSql.ts'
import { userFact } from '#server/documents/listRecords.ts'
import { parseValue } from '#server/documents/parseValue.ts'
import { invalid } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'

const mostRows = 5_000

/**
 * Rows of a report: its dataset as a subquery with parameters and the user's scope bound into it, then filter, search, order and page
 * over that; totals and group sums over the whole filter. One statement, so that the dataset is worked out once.
 */
export async function runReport(services: Services, user: User, screen: ReportScreen, query: Readonly<Record<string, string>>): Promise<ReportAnswer> {
  const dataset = services.metadata.datasets[screen.dataset]
  if (!dataset) throw new Error(`Report ${screen.id} names the dataset ${screen.dataset}, which does not exist`)
  const parameters = parametersOf(services, user, screen, dataset, query)
  const fields = new Map<string, Field>([...dataset.dimensions, ...dataset.measures].map((field) => [field.name, field]))
  const measures = dataset.measures.filter((measure) => measure.additive && screen.columns.some((column) => column.name === measure.name))
  const source = bindDataset(dataset, parameters, user)
  const where = whereOf(services, user, dataset, fields, query)
  const order = orderOf(screen, dataset, fields, query)
  const length = numberIn(query, 'length', 100, mostRows)
  const offset = (numberIn(query, 'page', 1, 1_000_000) - 1) * length
  const sums = [as(sql`count(*)`, '_n'), ...measures.map((measure, i) => as(sql`coalesce(sum(${ident(measure.name)}), 0)::text`, `_s${i}`))]
  const group = screen.groupBy
  const grouped = group === undefined
    ? sql`null::jsonb`
    : sql`(select jsonb_agg(to_jsonb(g)) from (select ${ident(group)} as "_value", ${join(sums)} from filtered
        where ${ident(group)} in (select page.${ident(group)} from page)
          or (${ident(group)} is null and exists (select 1 from page where page.${ident(group)} is null)) group by 1) g)`
  const statement = sql`
    with source as (${source}),
    filtered as materialized (select * from source where ${where}),
    page as (select true as _row, filtered.* from filtered order by ${order} limit ${length} offset ${offset})
    select page.*, totals.* from (select ${join(sums)}, ${grouped} as _groups from filtered) totals left join page on true order by ${order}`
  const found = await limited(services, dataset, (queries) => queries.rows(statement))
  const [answer] = found
  const rows = found.filter((row) => row['_row'] === true)
  const groups: readonly Row[] = Array.isArray(answer?.['_groups']) ? answer['_groups'] : []
  const sumsOf = (row: Row | undefined): Record<string, string> =>
    Object.fromEntries(measures.map((measure, i) => [measure.name, fixed(String(row?.[`_s${i}`] ?? '0'), decimalPlaces[measure.type] ?? 0)]))
  const wireRows = rows.map((row) => wireRow(row, fields))
  const seen = [...new Set(wireRows.map((row) => (group === undefined ? undefined : row[fields.get(group)?.wire ?? ''])))]
  return {
    recordsTotal: Number(answer?.['_n'] ?? 0),
    rows: wireRows,
    totals: sumsOf(answer),
    ...(group === undefined
      ? {}
      : {
          groups: groups
            .map((row) => ({ value: row['_value'] ?? null, count: Number(row['_n']), totals: sumsOf(row) }))
            .toSorted((a, b) => seen.indexOf(a.value) - seen.indexOf(b.value)),
        }),
    parameters: Object.fromEntries([...parameters].flatMap(([name, { value }]) => (value === null ? [] : [[name, String(value)]]))),
  }
}

interface Bound {
  readonly field: Field
  readonly value: unknown
}

/** Parameters as sent, by name, else as the screen or the dataset presets them; wrong or missing ones are refused at their names. */
function parametersOf(services: Services, user: User, screen: ReportScreen, dataset: ResolvedDataset, query: Readonly<Record<string, string>>): Map<string, Bound> {
  const result = new Map<string, Bound>()
  const errors = []
  for (const field of dataset.parameters) {
    const preset = screen.parameters.find((parameter) => parameter.name === field.name)
    const sent = query[field.name] ?? query[field.wire]
    const value = sent === undefined || sent === '' ? defaultOf(services, user, preset?.defaultValue ?? field.default) : fromText(field, sent)
    const parsed = parseValue(field, value)
    if (!parsed.ok) errors.push({ field: field.name, ...parsed.problem })
    else if (parsed.value === null && field.required) errors.push({ field: field.name, code: 'REQUIRED', text: 'A value is required.' })
    else result.set(field.name, { field, value: parsed.value })
  }
  if (errors.length > 0) invalid(errors)
  return result
}

function defaultOf(services: Services, user: User, preset: ReportScreen['parameters'][number]['defaultValue']): unknown {
  if (preset === undefined || typeof preset !== 'object') return preset
  if ('now' in preset) return preset.now === 'date' ? services.clock.today() : addMonths(services.clock.today(), -1)
  return 'user' in preset ? userFact(user, preset.user) : undefined
}

/** A query string carries text; numbers and yes/no are what their field says. */
function fromText(field: Field, text: string): unknown {
  if (field.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (field.type === 'textlist') return text.split(',')
  const isWhole = field.type === 'integer' || field.type === 'id' || field.type === 'ref' || field.type === 'status'
  return isWhole && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

/** The dataset's SQL with :name bound to typed values and :scope to the user's scope. Text in quotes and comments is left alone. */
function bindDataset(dataset: ResolvedDataset, parameters: ReadonlyMap<string, Bound>, user: User): Sql {
  const strings: string[] = []
  const values: unknown[] = []
  let text = ''
  const pattern = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([a-z_]\w*)/g
  let at = 0
  for (const match of dataset.sql.matchAll(pattern)) {
    text += dataset.sql.slice(at, match.index)
    at = match.index + match[0].length
    const name = match[1]
    if (name === undefined) {
      text += match[0].startsWith('--') ? '' : match[0]
      continue
    }
    strings.push(text)
    text = ''
    if (name === 'scope') values.push(columnScope(user, dataset.scope) ?? sql`true`)
    else {
      const bound = parameters.get(name)
      if (!bound) throw new Error(`Dataset ${dataset.id} uses the parameter :${name}, which it does not declare`)
      values.push(sql`(${bound.value}::${bound.field.type === 'textlist' ? trusted('text[]') : sqlType(bound.field.type)})`)
    }
  }
  strings.push(text + dataset.sql.slice(at).replace(/;\s*$/, ''))
  return new Sql(strings, values)
}

function whereOf(services: Services, user: User, dataset: ResolvedDataset, fields: ReadonlyMap<string, Field>, query: Readonly<Record<string, string>>): Sql {
  const tests: Sql[] = []
  const scope: ConditionScope = {
    column: (name) => {
      const field = fields.get(name)
      return field && { field, value: ident(name) }
    },
    user: (name) => userFact(user, name),
    today: services.clock.today(),
  }
  const filter = query['filter'] ?? ''
  if (filter !== '') tests.push(conditionSql(parseJson(filter), scope))
  const words = (query['search'] ?? '').trim().slice(0, 200)
  if (words !== '') {
    const pattern = `%${likeText(words)}%`
    const texts = dataset.dimensions.filter((field) => field.type === 'code' || field.type === 'text')
    tests.push(texts.length === 0 ? sql`false` : sql`(${join(texts.map((field) => sql`${ident(field.name)} ilike ${pattern}`), ' or ')})`)
  }
  return tests.length === 0 ? sql`true` : join(tests, ' and ')
}

/** The order asked for or the screen's own, then the dataset's key, so that pages neither repeat nor skip. */
function orderOf(screen: ReportScreen, dataset: ResolvedDataset, fields: ReadonlyMap<string, Field>, query: Readonly<Record<string, string>>): Sql {
  const names = (query['order'] ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '')
  const dirs = (query['sort'] ?? '').split(',').map((dir) => dir.trim().toLowerCase())
  const asked = names.length > 0 ? names.map((name, i) => ({ field: name, dir: dirs[i] === 'desc' ? 'desc' : 'asc' })) : screen.sort
  if (asked.length > 8) return invalid([{ field: 'order', code: 'TOO_LONG', text: 'At most 8 columns to sort by.' }])
  const entries = asked.map(({ field: name, dir }) => {
    const field = fields.get(name) ?? invalid([{ field: 'order', code: 'UNKNOWN_FIELD', text: `The report cannot be sorted by ${name.slice(0, 80)}.` }])
    return sql`${sortable(ident(name), field.type)} ${trusted(dir)} nulls last`
  })
  const key = dataset.key.filter((name) => !asked.some((entry) => entry.field === name)).map((name) => sql`${ident(name)}`)
  const grouped = screen.groupBy !== undefined && !asked.some((entry) => entry.field === screen.groupBy) ? [sql`${ident(screen.groupBy)}`] : []
  const all = [...grouped, ...entries, ...key]
  return all.length === 0 ? sql`1` : join(all)
}

/** A row by wire names, decimals with the digits of their type. */
function wireRow(row: Row, fields: ReadonlyMap<string, Field>): ReportRow {
  return Object.fromEntries([...fields].map(([name, field]) => [field.wire, wireValue(field, row[name])]))
}

function wireValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return isDecimalType(field.type) ? fixed(String(value), decimalPlaces[field.type] ?? 2) : value
}

async function limited<T>(services: Services, dataset: ResolvedDataset, work: (queries: Queries) => Promise<T>): Promise<T> {
  // PGlite knows no statement timeout; its watchdog guards there.
  if (services.database.engine === 'embedded') return work(services.database)
  return services.database.transaction(async (tx) => {
    await tx.run(trusted(`set local statement_timeout = ${Math.trunc(dataset.limits.timeoutMs)}`))
    return work(tx)
  })
}

function numberIn(query: Readonly<Record<string, string>>, name: string, otherwise: number, most: number): number {
  const text = query[name]
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= most ? value : invalid([{ field: name, code: 'TOO_LARGE', text: `A number between 1 and ${most} is expected.` }])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return invalid([{ field: 'filter', code: 'WRONG_TYPE', text: 'The filter is not JSON.' }])
  }
}
