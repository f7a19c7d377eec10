import { isAmountType } from '#meta/amount.ts'
import { inBooks } from '#meta/resolveDataset.ts'
import { decimalPlaces } from '#meta/resolveField.ts'
import type { DateText } from '#base/date.ts'
import { isDate } from '#base/date.ts'
import { type Comparison, dayOf, earlierDay, earlierPeriod } from '#meta/day.ts'
import type { Default, Field, Measure, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, plannedAnew, sql, Sql, trusted } from '#server/db/sql.ts'
import { as, sqlType } from '#server/documents/columns.ts'
import { conditionSql, likeText, type ConditionScope } from '#server/documents/conditionSql.ts'
import { userFact } from '#server/documents/listQuestion.ts'
import { parseValue } from '#server/documents/parseValue.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'

export type Query = Readonly<Record<string, string>>

export interface Bound {
  readonly field: Field
  readonly value: unknown
}

/** What is asked of a dataset: who asks, for what, narrowed how. */
export interface DatasetRequest {
  readonly services: Services
  readonly user: User
  readonly dataset: ResolvedDataset
  readonly parameters: ReadonlyMap<string, Bound>
  readonly query: Query
}

export function datasetOf(services: Services, screen: ReportScreen): ResolvedDataset {
  const dataset = services.metadata.datasets[screen.dataset]
  if (!dataset) throw new Error(`Report ${screen.id} names the dataset ${screen.dataset}, which does not exist`)
  return dataset
}

/** Dimensions and measures by name. */
export function fieldsOf(dataset: ResolvedDataset): ReadonlyMap<string, Field> {
  return new Map<string, Field>([...dataset.dimensions, ...dataset.measures.filter(({ isColumn }) => isColumn)].map((field) => [field.name, field]))
}

/** Parameters as sent, by name, else as the screen or the dataset presets them; wrong or missing ones are refused at their names. */
export function parametersOf(services: Services, user: User, screen: Pick<ReportScreen, 'parameters'>, dataset: ResolvedDataset, query: Query): Map<string, Bound> {
  const result = new Map<string, Bound>()
  const errors = []
  for (const field of dataset.parameters) {
    const preset = screen.parameters.find((parameter) => parameter.name === field.name)
    const sent = query[field.name] ?? query[field.wire]
    const value = sent === undefined || sent === '' ? valueOf(services, user, preset?.defaultValue ?? field.default) : fromText(field, sent)
    const parsed = parseValue(field, value)
    if (!parsed.ok) errors.push({ field: field.name, ...parsed.problem })
    else if (parsed.value === null && field.required) errors.push(wrong(field.name, 'REQUIRED'))
    else result.set(field.name, { field, value: parsed.value })
  }
  // Nothing lies between days in the wrong order: that is a slip, not a report without rows.
  const { from, to } = dataset.time
  const [first, last] = [dayIn(result, from), dayIn(result, to)]
  if (to !== undefined && first !== undefined && last !== undefined && last < first) errors.push(wrong(to, 'TOO_SMALL.before-start'))
  if (errors.length > 0) invalid(errors)
  return result
}

/** The parameters moved back to the period compared with. */
export function earlierParameters(dataset: ResolvedDataset, parameters: ReadonlyMap<string, Bound>, comparison: Comparison): Map<string, Bound> {
  const { from, to, as_of } = dataset.time
  if (from === undefined && to === undefined && as_of === undefined) invalid([wrong('compare', 'NOT_A_CHOICE.earlier')])
  const moved = new Map(parameters)
  const set = (name: string | undefined, value: DateText): void => {
    const bound = name === undefined ? undefined : parameters.get(name)
    if (name !== undefined && bound !== undefined) moved.set(name, { ...bound, value })
  }
  const [first, last, day] = [from, to, as_of].map((name) => dayIn(parameters, name))
  if (first !== undefined && last !== undefined) {
    const period = earlierPeriod(comparison, first, last)
    set(from, period.from)
    set(to, period.to)
    // What is looked at on the last day of a period is compared with the last day of the earlier one.
    if (day !== undefined) set(as_of, day === last ? period.to : earlierDay(comparison, day))
  } else if (day !== undefined) set(as_of, earlierDay(comparison, day))
  return moved
}

/** The day or days a report tells of, as the name of its file says them; undefined: of now. */
export function daysOf({ time: { from, to, as_of } }: ResolvedDataset, parameters: ReadonlyMap<string, Bound>): string | undefined {
  const [first, last, day] = [from, to, as_of].map((name) => dayIn(parameters, name))
  return first !== undefined && last !== undefined ? (first === last ? first : `${first} - ${last}`) : (day ?? last)
}

function dayIn(parameters: ReadonlyMap<string, Bound>, name: string | undefined): DateText | undefined {
  const value = name === undefined ? undefined : parameters.get(name)?.value
  return isDate(value) ? value : undefined
}

/** Parameters as they travel back: those with a value, as text. */
/** Is a row one value of the dimension already? A sum of a single such row would say it a second time. */
export function isRowOf(dataset: ResolvedDataset, parameters: ReadonlyMap<string, Bound>, dimension: string): boolean {
  return Object.entries(dataset.rowsOf).some(([name, byValue]) => byValue[String(parameters.get(name)?.value)] === dimension)
}

export function parameterTexts(parameters: ReadonlyMap<string, Bound>): Record<string, string> {
  return Object.fromEntries([...parameters].flatMap(([name, { value }]) => (value === null ? [] : [[name, String(value)]])))
}

export function valueOf(services: Services, user: User, preset: Default | undefined): unknown {
  if (preset === undefined || typeof preset !== 'object') return preset
  if ('now' in preset) return dayOf(preset.now, services.clock.today())
  return 'user' in preset ? userFact(user, preset.user) : undefined
}

/** A query string carries text; numbers and yes/no are what their field says. */
function fromText(field: Field, text: string): unknown {
  if (field.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (field.type === 'textlist') return text.split(',')
  const isWhole = field.type === 'integer' || field.type === 'id' || field.type === 'ref' || field.type === 'status'
  return isWhole && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

/** The rows of the dataset in the user's scope, with the ratios of each row. */
export function sourceOf({ services, dataset, user }: Pick<DatasetRequest, 'services' | 'dataset' | 'user'>, parameters: ReadonlyMap<string, Bound>): Sql {
  const bound = worthInBooks(dataset, parameters, bindDataset(services, dataset, parameters, user))
  const rows = dataset.limits.isWatched === true ? sql`select w.* from (${bound}) w where ${watched(dataset, sql`true`)}` : bound
  const ratios = dataset.measures.flatMap((measure) => (measure.agg.kind === 'ratio' ? [as(quotient(measure, ident), measure.name)] : []))
  return ratios.length === 0 ? rows : sql`select d.*, ${join(ratios)} from (${rows}) d`
}

/** Amounts of each row at the rate of its document, where the currency of the books is asked for and the SQL leaves that to us. */
function worthInBooks({ rate, dimensions, measures }: ResolvedDataset, parameters: ReadonlyMap<string, Bound>, rows: Sql): Sql {
  if (rate === undefined || parameters.get(inBooks)?.value !== true) return rows
  const columns = measures.filter(({ isColumn, agg }) => isColumn && agg.kind !== 'ratio')
  const worth = columns.map(({ name, type }) => (isAmountType(type) ? as(sql`round(${ident(name)} * ${ident(rate)}, ${trusted(String(decimalPlaces[type] ?? 2))})`, name) : ident(name)))
  return sql`select ${join([...dimensions.map(({ name }) => ident(name)), ...worth])} from (${rows}) b`
}

/** One measure over another; nothing where there is nothing to divide by. `part` gives the SQL of either. */
export function quotient(measure: Measure, part: (name: string) => Sql): Sql {
  const { agg } = measure
  if (agg.kind !== 'ratio') throw new Error(`${measure.name} is no ratio`)
  return sql`(${part(agg.of)} * ${trusted(String(agg.scale))}::numeric / nullif(${part(agg.to)}, 0))`
}

/** The dataset's SQL with :name bound to typed values, :scope to the user's scope and :today to the day it is asked on. Text in quotes and comments is left alone. */
function bindDataset({ clock }: Services, dataset: ResolvedDataset, parameters: ReadonlyMap<string, Bound>, user: User): Sql {
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
    if (name === 'scope') values.push(watched(dataset, columnScope(user, dataset.scope) ?? sql`true`))
    else if (name === 'today') values.push(sql`(${clock.today()}::date)`)
    else {
      const bound = parameters.get(name)
      if (!bound) throw new Error(`Dataset ${dataset.id} uses the parameter :${name}, which it does not declare`)
      values.push(sql`(${bound.value}::${bound.field.type === 'textlist' ? trusted('text[]') : sqlType(bound.field.type)})`)
    }
  }
  strings.push(text + dataset.sql.slice(at).replace(/;\s*$/, ''))
  return new Sql(strings, values)
}

/** The condition, asked of each row as long as there is time. */
function watched({ limits }: ResolvedDataset, condition: Sql): Sql {
  return limits.isWatched === true ? sql`(${condition} and within_time(${trusted(String(Math.trunc(limits.timeoutMs)))}))` : condition
}

/** Filter and search of the query over the dataset's columns. */
export function whereOf({ services, user, dataset, query }: DatasetRequest): Sql {
  const fields = fieldsOf(dataset)
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

/** Asks the dataset what nothing can be written by, no longer than the dataset allows. */
export async function limited<T>(services: Services, dataset: ResolvedDataset, work: (queries: Queries) => Promise<T>): Promise<T> {
  return services.database.transaction(
    async (tx) => {
      // As PostgreSQL comes it takes a row found by an index to cost as much as four read in passing, and reads half of all invoices where a twentieth would do.
      const settings = [sql`set_config('random_page_cost', '1.1', true)`]
      // PGlite knows no statement timeout; its watchdog guards there.
      if (services.database.engine === 'postgres') settings.push(sql`set_config('statement_timeout', ${String(Math.trunc(dataset.limits.timeoutMs))}, true)`)
      await tx.rows(sql`select ${join(settings)}`)
      return work(tx)
    },
    { readOnly: true },
  )
}

/** Rows of a report's statement, planned for its own parameters: one plan kept for any day and any level takes twice as long as planning anew. */
export function reportRowsOf(services: Services, dataset: ResolvedDataset, statement: Sql): Promise<Row[]> {
  return limited(services, dataset, (queries) => queries.rows(plannedAnew(statement)))
}

export function numberIn(query: Query, name: string, otherwise: number, most: number): number {
  const text = query[name]
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= most ? value : invalid([wrong(name, 'TOO_LARGE.between', { min: 1, max: most })])
}

export interface Ordering {
  readonly field: string
  readonly dir: 'asc' | 'desc'
}

/** `order` and `sort` of the query; undefined: not asked for. */
export function orderingIn(query: Query): readonly Ordering[] | undefined {
  const names = (query['order'] ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '')
  const dirs = (query['sort'] ?? '').split(',').map((dir) => dir.trim().toLowerCase())
  if (names.length > 8) return invalid([wrong('order', 'TOO_LONG.columns', { limit: 8 })])
  return names.length === 0 ? undefined : names.map((field, i) => ({ field, dir: dirs[i] === 'desc' ? 'desc' : 'asc' }))
}

export function unsortable(name: string): never {
  return invalid([wrong('order', 'UNKNOWN_FIELD.sort', { column: name.slice(0, 80) })])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return invalid([wrong('filter', 'WRONG_TYPE.json')])
  }
}
