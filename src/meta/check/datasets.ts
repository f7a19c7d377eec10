import type { DatasetSource, EntitySource, MeasureSource } from '#generated/language.ts'
import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { layoutKeys } from '#meta/placeLink.ts'
import { inBooks, offersBooks } from '#meta/resolveDataset.ts'

const amounts: readonly string[] = ['money', 'price', 'cost']
/** What the server gives every dataset: the condition of what its reader may see, and the day it is asked on. */
const given: readonly string[] = ['scope', 'today']
/** Prices and percentages describe one row; adding them up says nothing. */
const neverSummed: readonly string[] = ['percent', 'rate', 'price', 'cost']

/** A dataset and its SQL agree about parameters, its measures say honestly how they add up, and amounts say in which currency they are. */
export function* datasets({ sources }: World): Iterable<Report> {
  for (const { path, value } of sources.dataset) {
    yield* statement(path, value, sources.sql[path])
    for (const name of Object.keys(value.parameters ?? {})) {
      if (reserved.includes(name)) yield { path, at: ['parameters', name], onKey: true, code: 'reserved-name', message: `"${name}" means something else in the address of a report; call the parameter otherwise` }
    }
    const entities = new Map(sources.entity.map((source) => [source.value.id, source.value]))
    for (const found of [...renamed(value), ...measures(value), ...spans(value, entities), ...dimensions(value), ...rowsOf(value), ...time(value), ...currency(value)]) yield { path, ...found }
  }
}

/** Words of a report's address and of its calls; a parameter of that name could not be told from them. */
const reserved: readonly string[] = [...layoutKeys, 'q', 'p', 'n', 's', 'v', 'g', 'm', 'f', 'view', 'search', 'length', 'page', 'order', 'sort', 'filter', 'group', 'measures', 'tab', 'edit', 'today', inBooks]

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
    if (!given.includes(name) && !(name === inBooks && offersBooks(value)) && !Object.hasOwn(value.parameters ?? {}, name)) yield { path, at: ['parameters'], code: 'unknown-parameter', message: `the SQL uses :${name}, which is not declared${didYouMean(name, Object.keys(value.parameters ?? {}))}` }
  }
  if (value.inBooks === 'asked' && !written.has(inBooks)) yield { path, at: ['inBooks'], code: 'unused-parameter', message: `the SQL never uses :${inBooks}` }
  const territory = Object.entries(value.dimensions).find(([, { type, entity }]) => type === 'ref' && entity === 'territory')?.[0]
  if (value.scope.operating_unit === undefined) yield { path, at: ['scope'], code: 'missing-scope', message: '"operating_unit" is missing: the column by which a user of one unit is kept to its rows' }
  if (value.scope.territory === undefined && territory !== undefined) yield { path, at: ['scope'], code: 'missing-scope', message: `"territory" is missing, though the rows have a "${territory}": the column by which a user is kept to his territories` }
  if (!written.has('scope')) {
    yield { path, at: ['scope'], code: 'missing-scope', message: 'the SQL has no :scope, so rows of other units would be seen' }
  }
  const command = bareSql(sql).match(/\b(insert|update|delete|merge|truncate|create|drop|alter|grant|copy|call|do|set|for\s+update|for\s+share|nextval|setval|pg_sleep|dblink)\b/i)?.[1]
  if (command !== undefined || !/^\s*(select|with)\b/i.test(bareSql(sql))) yield { path, at: ['id'], code: 'not-a-question', message: command === undefined ? 'the SQL is one SELECT, or WITH … SELECT' : `the SQL says "${command}"; a dataset reads and does nothing else` }
}

function* measures(value: DatasetSource): Iterable<Found> {
  const all = value.measures ?? {}
  for (const [name, measure] of Object.entries(all)) {
    const at = ['measures', name]
    const ways = (['adds', 'agg', 'ratio'] as const).filter((key) => measure[key] !== undefined)
    const isSummed = measure.adds === 'always' || typeof measure.adds === 'object'
    if (ways.length > 1) yield { at: [...at, ways[1] ?? ''], code: 'two-aggregates', message: `"${name}" has ${ways.map((way) => `"${way}"`).join(' and ')}: how its rows become one is said once` }
    if (ways.length === 0) yield { at, code: 'missing-key', message: `"adds" is missing: may "${name}" be added up over rows "always", "never", or { "within": a date }? Or say of it an "agg" or a "ratio"` }
    yield* within(value, name, measure)
    if (isSummed && neverSummed.includes(measure.type)) {
      yield { at: [...at, 'type'], code: 'total-not-additive', message: `"${name}" is ${measure.type}, which adds up to nothing; say of which measures it is the "ratio", or "adds": "never"` }
    }
    if (!['integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost'].includes(measure.type)) yield { at: [...at, 'type'], code: 'wrong-type', message: `"${name}" is ${measure.type}; a measure is a number` }
    if (measure.agg === 'countDistinct' && measure.of === undefined) yield { at, code: 'missing-key', message: `"of" is missing: the dimension whose values "${name}" counts` }
    if (measure.of !== undefined && value.dimensions[measure.of] === undefined) yield { at: [...at, 'of'], code: 'unknown-dimension', message: `"${measure.of}" is no dimension of this dataset${didYouMean(measure.of, Object.keys(value.dimensions))}` }
    if (measure.of !== undefined && measure.agg !== 'countDistinct') yield { at: [...at, 'of'], code: 'unused-key', message: '"of" belongs to "agg": "countDistinct"' }
    for (const [i, part] of (measure.ratio ?? []).entries()) {
      const other = all[part]
      if (other === undefined) yield { at: [...at, 'ratio', i], code: 'unknown-measure', message: `"${part}" is no measure of this dataset${didYouMean(part, Object.keys(all))}` }
      else if (other.ratio !== undefined || other.adds === 'never') yield { at: [...at, 'ratio', i], code: 'total-not-additive', message: `"${part}" may not be added up, so a ratio of it cannot be worked out from totals` }
    }
  }
}

/** Days a head says are whole numbers of settings there are. */
function* spans({ measures: all = {} }: DatasetSource, entities: ReadonlyMap<string, EntitySource>): Iterable<Found> {
  for (const [name, { span }] of Object.entries(all)) {
    if (span === undefined) continue
    const at = ['measures', name, 'span']
    const settings = entities.get(span.entity)
    if (settings === undefined) {
      yield { at: [...at, 'entity'], code: 'unknown-entity', message: `"${span.entity}" is no entity${didYouMean(span.entity, entities.keys())}` }
      continue
    }
    if (span.after === undefined && span.to === undefined) yield { at, code: 'missing-key', message: '"after" or "to" is missing: a span begins or ends somewhere' }
    for (const key of ['after', 'to'] as const) {
      const field = span[key]
      if (field === undefined) continue
      const type = settings.fields[field]?.type
      const days = Object.entries(settings.fields).flatMap(([other, source]) => (source.type === 'integer' ? [other] : []))
      if (type === undefined) yield { at: [...at, key], code: 'unknown-field', message: `"${field}" is no field of ${span.entity}${didYouMean(field, days)}` }
      else if (type !== 'integer') yield { at: [...at, key], code: 'wrong-type', message: `"${field}" is ${type}; days are whole numbers` }
    }
  }
}

/** A balance stands still on the day its rows agree in, or at the day the whole answer is asked for. */
function* within(value: DatasetSource, name: string, { adds }: MeasureSource): Iterable<Found> {
  if (typeof adds !== 'object') return
  const at = ['measures', name, 'adds', 'within']
  const dates = Object.entries({ ...value.dimensions, ...value.parameters }).flatMap(([other, { type }]) => (type === 'date' ? [other] : []))
  const type = (value.dimensions[adds.within] ?? value.parameters?.[adds.within])?.type
  if (type === undefined) yield { at, code: 'unknown-dimension', message: `"${adds.within}" is no date of this dataset${didYouMean(adds.within, dates)}` }
  else if (type !== 'date') yield { at, code: 'wrong-type', message: `"${adds.within}" is ${type}; a balance holds within a date${dates.length === 0 ? '' : `: ${dates.join(', ')}`}` }
}

function* dimensions(value: DatasetSource): Iterable<Found> {
  for (const [name, { describes }] of Object.entries(value.dimensions)) {
    if (describes === undefined) continue
    const other = value.dimensions[describes]
    if (other === undefined) yield { at: ['dimensions', name, 'describes'], code: 'unknown-dimension', message: `"${describes}" is no dimension of this dataset${didYouMean(describes, Object.keys(value.dimensions))}` }
    else if (other.describes !== undefined || describes === name) yield { at: ['dimensions', name, 'describes'], code: 'wrong-describes', message: `"${describes}" describes something itself; name that` }
  }
}

/** What a row is depends on a value the parameter may have. */
function* rowsOf({ rowsOf: said = {}, parameters = {}, dimensions: all }: DatasetSource): Iterable<Found> {
  for (const [name, byValue] of Object.entries(said)) {
    const at = ['rowsOf', name]
    const offered = (parameters[name]?.values ?? []).map(String)
    if (parameters[name] === undefined) yield { at, onKey: true, code: 'unknown-parameter', message: `"${name}" is no parameter of this dataset${didYouMean(name, Object.keys(parameters))}` }
    for (const [value, dimension] of Object.entries(byValue)) {
      if (parameters[name] !== undefined && !offered.includes(value)) yield { at: [...at, value], onKey: true, code: 'unknown-value', message: `"${value}" is no value of "${name}"${didYouMean(value, offered)}` }
      if (all[dimension] === undefined) yield { at: [...at, value], code: 'unknown-dimension', message: `"${dimension}" is no dimension of this dataset${didYouMean(dimension, Object.keys(all))}` }
    }
  }
}

/** Old names lead to names of today, and are nobody's any more. */
function* renamed(value: DatasetSource): Iterable<Found> {
  const known = [...Object.keys(value.dimensions), ...Object.keys(value.measures ?? {}), ...Object.keys(value.parameters ?? {})]
  for (const [old, name] of Object.entries(value.renamed ?? {})) {
    if (!known.includes(name)) yield { at: ['renamed', old], code: 'unknown-column', message: `"${name}" is neither dimension nor measure nor parameter of this dataset${didYouMean(name, known)}` }
    else if (known.includes(old)) yield { at: ['renamed', old], onKey: true, code: 'renamed-present', message: `"${old}" is still there, so it is not renamed` }
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
  const isTold = value.currency !== undefined && /^[a-z]/.test(value.currency)
  if (isTold && value.inBooks === undefined) {
    yield { at: ['currency'], code: 'missing-in-books', message: 'rows of several currencies have no total: say "inBooks": "always" where all are in the currency of the books, "asked" or { "rate": … } where they can be told in it, "never" where they cannot' }
  }
  if (!isTold && value.inBooks !== undefined) yield { at: ['inBooks'], code: 'unused-key', message: '"inBooks" belongs to a "currency" that is a dimension' }
}

/** `:name` outside texts, comments and casts. */
function sqlParameters(sql: string): ReadonlySet<string> {
  return new Set([...bareSql(sql).matchAll(/(?<![:\w]):([a-z_]\w*)/g)].map((match) => match[1] ?? ''))
}

/** Without comments and what stands in quotes. */
function bareSql(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/'(?:[^']|'')*'/g, "''").replaceAll(/"[^"]*"/g, '""')
}
