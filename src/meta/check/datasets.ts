import type { DatasetSource } from '#generated/language.ts'
import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { layoutKeys } from '#meta/placeLink.ts'

const amounts: readonly string[] = ['money', 'price', 'cost']
/** Prices and percentages describe one row; adding them up says nothing. */
const neverSummed: readonly string[] = ['percent', 'rate', 'price', 'cost']

/** A dataset and its SQL agree about parameters, its measures say honestly how they add up, and amounts say in which currency they are. */
export function* datasets({ sources }: World): Iterable<Report> {
  for (const { path, value } of sources.dataset) {
    const complain = (at: Report['at'], code: string, message: string): Report => ({ path, at, code, message })
    yield* statement(path, value, sources.sql[path])
    for (const name of Object.keys(value.parameters ?? {})) {
      if (reserved.includes(name)) yield { path, at: ['parameters', name], onKey: true, code: 'reserved-name', message: `"${name}" means something else in the address of a report; call the parameter otherwise` }
    }
    for (const found of [...measures(value), ...dimensions(value), ...time(value), ...currency(value)]) yield complain(found.at, found.code, found.message)
  }
}

/** Words of a report's address and of its calls; a parameter of that name could not be told from them. */
const reserved: readonly string[] = [...layoutKeys, 'q', 'p', 'n', 's', 'v', 'g', 'm', 'f', 'view', 'search', 'length', 'page', 'order', 'sort', 'filter', 'group', 'measures', 'tab', 'edit']

type Found = Omit<Report, 'path'>

function* statement(path: string, value: DatasetSource, sql: string | undefined): Iterable<Report> {
  if (sql === undefined) {
    yield { path, at: ['id'], code: 'missing-sql', message: `the file ${path.replace(/\.json$/, '.sql')} is missing` }
    return
  }
  const columns = new Set([...Object.keys(value.dimensions), ...Object.keys(value.measures ?? {})])
  for (const [i, name] of value.key.entries()) {
    if (!columns.has(name)) yield { path, at: ['key', i], code: 'unknown-dimension', message: `"${name}" is no column of this dataset${didYouMean(name, columns)}` }
  }
  const written = sqlParameters(sql)
  for (const name of Object.keys(value.parameters ?? {})) {
    if (!written.has(name)) yield { path, at: ['parameters', name], onKey: true, severity: 'warning', code: 'unused-parameter', message: `the SQL never uses :${name}` }
  }
  for (const name of written) {
    if (name !== 'scope' && !Object.hasOwn(value.parameters ?? {}, name)) yield { path, at: ['parameters'], code: 'unknown-parameter', message: `the SQL uses :${name}, which is not declared${didYouMean(name, Object.keys(value.parameters ?? {}))}` }
  }
  if (value.scope !== undefined && Object.keys(value.scope).length > 0 && !written.has('scope')) {
    yield { path, at: ['scope'], code: 'missing-scope', message: 'the SQL has no :scope, so rows of other units would be seen' }
  }
}

function* measures(value: DatasetSource): Iterable<Found> {
  const all = value.measures ?? {}
  for (const [name, measure] of Object.entries(all)) {
    const at = ['measures', name]
    const ways = (['ratio', 'agg'] as const).filter((key) => measure[key] !== undefined)
    const isSummed = (measure.agg ?? 'sum') === 'sum' && measure.ratio === undefined && measure.additive !== false
    if (ways.length > 1) yield { at: [...at, 'agg'], code: 'two-aggregates', message: `"${name}" is either a ratio or has an "agg"` }
    if (measure.additive === false && measure.agg === 'sum') yield { at: [...at, 'agg'], code: 'total-not-additive', message: `"${name}" says that it may not be added up and that it is` }
    if (isSummed && neverSummed.includes(measure.type)) {
      yield { at: [...at, 'type'], code: 'total-not-additive', message: `"${name}" is ${measure.type}, which adds up to nothing; say of which measures it is the "ratio", or "additive": false` }
    }
    if (!['integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost'].includes(measure.type)) yield { at: [...at, 'type'], code: 'wrong-type', message: `"${name}" is ${measure.type}; a measure is a number` }
    if (measure.agg === 'countDistinct' && measure.of === undefined) yield { at, code: 'missing-key', message: `"of" is missing: the dimension whose values "${name}" counts` }
    if (measure.of !== undefined && value.dimensions[measure.of] === undefined) yield { at: [...at, 'of'], code: 'unknown-dimension', message: `"${measure.of}" is no dimension of this dataset${didYouMean(measure.of, Object.keys(value.dimensions))}` }
    if (measure.of !== undefined && measure.agg !== 'countDistinct') yield { at: [...at, 'of'], code: 'unused-key', message: '"of" belongs to "agg": "countDistinct"' }
    for (const [i, part] of (measure.ratio ?? []).entries()) {
      const other = all[part]
      if (other === undefined) yield { at: [...at, 'ratio', i], code: 'unknown-measure', message: `"${part}" is no measure of this dataset${didYouMean(part, Object.keys(all))}` }
      else if (other.ratio !== undefined || other.additive === false) yield { at: [...at, 'ratio', i], code: 'total-not-additive', message: `"${part}" may not be added up, so a ratio of it cannot be worked out from totals` }
    }
  }
}

function* dimensions(value: DatasetSource): Iterable<Found> {
  for (const [name, { describes }] of Object.entries(value.dimensions)) {
    if (describes === undefined) continue
    const other = value.dimensions[describes]
    if (other === undefined) yield { at: ['dimensions', name, 'describes'], code: 'unknown-dimension', message: `"${describes}" is no dimension of this dataset${didYouMean(describes, Object.keys(value.dimensions))}` }
    else if (other.describes !== undefined || describes === name) yield { at: ['dimensions', name, 'describes'], code: 'wrong-describes', message: `"${describes}" describes something itself; name that` }
  }
}

function* time(value: DatasetSource): Iterable<Found> {
  for (const [key, name] of Object.entries(value.time ?? {})) {
    const parameter = value.parameters?.[name]
    if (parameter === undefined) yield { at: ['time', key], code: 'unknown-parameter', message: `"${name}" is no parameter of this dataset${didYouMean(name, Object.keys(value.parameters ?? {}))}` }
    else if (parameter.type !== 'date') yield { at: ['time', key], code: 'wrong-type', message: `"${name}" is ${parameter.type}; time is told by days` }
  }
  const { from, to } = value.time ?? {}
  if ((from === undefined) !== (to === undefined)) yield { at: ['time'], code: 'missing-key', message: 'a period has a "from" and a "to"' }
}

function* currency(value: DatasetSource): Iterable<Found> {
  const money = Object.entries(value.measures ?? {}).find(([, { type }]) => amounts.includes(type))
  if (money !== undefined && value.currency === undefined) {
    yield { at: ['measures', money[0]], code: 'missing-currency', message: `"${money[0]}" is ${money[1].type}, but the dataset does not say in which "currency"; amounts of different currencies are never added up` }
  }
  if (value.currency !== undefined && /^[a-z]/.test(value.currency) && value.dimensions[value.currency] === undefined) {
    yield { at: ['currency'], code: 'unknown-dimension', message: `"${value.currency}" is no dimension of this dataset${didYouMean(value.currency, Object.keys(value.dimensions))}` }
  }
}

/** `:name` outside texts, comments and casts. */
function sqlParameters(sql: string): ReadonlySet<string> {
  const bare = sql.replaceAll(/--.*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/'(?:[^']|'')*'/g, "''")
  return new Set([...bare.matchAll(/(?<![:\w]):([a-z_]\w*)/g)].map((match) => match[1] ?? ''))
}
