import { isDate } from '#base/date.ts'
import { wireName } from '#base/wireName.ts'
import type { BySource, ChartSource, DatasetSource, ReportSource } from '#generated/language.ts'
import { didYouMean, type Keys, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { inBooks, offersBooks } from '#meta/resolveDataset.ts'
import { nameNow } from '#meta/renames.ts'
import { placeholdersIn } from '#meta/sentence.ts'

/** Reports take only what their dataset offers, and add up only what can be added up. */
export function* reports({ sources, catalogues }: World): Iterable<Report> {
  const datasets = new Map(sources.dataset.map(({ value }) => [value.id, value]))
  const said = Object.entries(catalogues.en).filter(([key]) => key.startsWith('sentence.'))
  for (const { path, value } of sources.report) {
    const dataset = datasets.get(value.dataset)
    if (dataset === undefined) {
      yield { path, at: ['dataset'], code: 'unknown-dataset', message: `"${value.dataset}" is no dataset${didYouMean(value.dataset, datasets.keys())}` }
      continue
    }
    const inFile = new InFile(path, dataset)
    const parameters = [...Object.keys(dataset.parameters ?? {}), ...(offersBooks(dataset) ? [inBooks] : [])]
    for (const [i, parameter] of (value.parameters ?? []).entries()) {
      yield* typeof parameter === 'string' ? inFile.among(parameters, ['parameters', i], parameter, 'parameter') : inFile.among(parameters, ['parameters', i, 'field'], parameter.field, 'parameter')
      if (typeof parameter !== 'string') yield* companions(inFile, ['parameters', i, 'with'], parameter.with)
      if (typeof parameter !== 'string') yield* startValue(inFile, ['parameters', i, 'default'], parameter)
    }
    for (const [i, name] of (value.saidBy ?? []).entries()) yield* fewValued(inFile, ['saidBy', i], name)
    for (const [i, name] of (value.filters ?? []).entries()) yield* inFile.among(inFile.columns, ['filters', i], name, 'dimension')
    yield* columns(inFile, value)
    for (const [i, { field }] of (value.sort ?? []).entries()) yield* inFile.among(inFile.columns, ['sort', i, 'field'], field, 'column')
    if (value.groupBy !== undefined) yield* inFile.among(inFile.dimensions, ['groupBy'], value.groupBy, 'dimension')
    yield* groups(inFile, value)
    if (value.chart !== undefined) yield* chart(inFile, value.chart, ['chart'])
    yield* sentences(value, parameters, said)
  }
}

/** What a file may name of its dataset. */
export class InFile {
  readonly path: string
  readonly dataset: DatasetSource
  readonly dimensions: readonly string[]
  readonly measures: readonly string[]
  /** What rows have a value of. */
  readonly columns: readonly string[]

  constructor(path: string, dataset: DatasetSource) {
    this.path = path
    this.dataset = dataset
    this.dimensions = Object.keys(dataset.dimensions)
    this.measures = Object.keys(dataset.measures ?? {})
    this.columns = [...this.dimensions, ...this.measures]
  }

  among(known: readonly string[], at: Keys, name: string, what: string): readonly Report[] {
    if (known.includes(name)) return []
    const now = nameNow(this.dataset.renamed, name)
    return [this.report(at, `unknown-${what}`, `dataset ${this.dataset.id} has no ${what} "${name}"${now !== name && known.includes(now) ? `, it is called "${now}" now` : didYouMean(name, known)}`)]
  }

  measure(at: Keys, name: string): readonly Report[] {
    return this.among(this.measures, at, name, 'measure')
  }

  /** A group is told apart by what people read, and only days come in steps. */
  by(at: Keys, by: BySource): readonly Report[] {
    const { field, grain } = typeof by === 'string' ? { field: by, grain: undefined } : by
    const place = typeof by === 'string' ? at : [...at, 'field']
    const unknown = this.among(this.dimensions, place, field, 'dimension')
    const type = this.dataset.dimensions[field]?.type
    if (unknown.length > 0 || type === undefined) return unknown
    if (type === 'ref' || type === 'id') {
      const names = Object.entries(this.dataset.dimensions).filter(([, { describes }]) => describes === undefined).map(([name]) => name)
      return [this.report(place, 'group-by-id', `"${field}" is ${type}; group by the code that people read${didYouMean(field.replace(/_id$/, '_code'), names)}`)]
    }
    if (grain !== undefined && type !== 'date') return [this.report([...at, 'grain'], 'wrong-grain', `"${field}" is ${type}; only a date comes in steps of a ${grain}`)]
    if (type === 'textlist' || type === 'json' || type === 'longtext' || type === 'secret') return [this.report(place, 'no-group', `"${field}" is ${type} and cannot be grouped by`)]
    return []
  }

  report(at: Keys, code: string, message: string): Report {
    return { path: this.path, at, code, message }
  }
}

/** A parameter asked for only beside values of others: there are such others, and they have such values. */
function* companions(inFile: InFile, at: Keys, others: Readonly<Record<string, readonly string[]>> = {}): Iterable<Report> {
  for (const [name, texts] of Object.entries(others)) {
    const wrong = fewValued(inFile, [...at, name], name)
    yield* wrong
    if (wrong.length > 0) continue
    const parameter = inFile.dataset.parameters?.[name]
    const values = parameter?.type === 'boolean' ? ['true', 'false'] : (parameter?.values ?? []).map(String)
    for (const [i, text] of texts.entries()) if (!values.includes(text)) yield inFile.report([...at, name, i], 'unknown-value', `"${name}" is never "${text}"${didYouMean(text, values)}`)
  }
}

/** What a parameter starts with is a value it can have. */
function* startValue(inFile: InFile, at: Keys, parameter: Exclude<NonNullable<ReportSource['parameters']>[number], string>): Iterable<Report> {
  const { field, default: start } = parameter
  const known = inFile.dataset.parameters?.[field]
  if (known === undefined || start === undefined) return
  const isDay = known.type === 'date' || known.type === 'datetime'
  if (typeof start === 'object') {
    if ('now' in start && !isDay) yield inFile.report(at, 'wrong-type', `"${field}" is ${known.type} and cannot start with a day`)
    return
  }
  const text = String(start)
  const values = known.type === 'boolean' ? ['true', 'false'] : (known.values ?? []).map(String)
  if (isDay && !isDate(text)) yield inFile.report(at, 'unknown-value', `"${text}" is no day: write it as 2026-01-31, or { "now": "month-start" }`)
  if (values.length > 0 && !values.includes(text)) yield inFile.report(at, 'unknown-value', `"${field}" is never "${text}"${didYouMean(text, values) || `, but ${values.join(', ')}`}`)
}

/** Sentences over the table fill in what the report asks for; its translations are held against the English ones. */
function* sentences({ id, parameters }: ReportSource, all: readonly string[], said: readonly (readonly [key: string, text: string])[]): Iterable<Report> {
  const asked = parameters?.map((parameter) => (typeof parameter === 'string' ? parameter : parameter.field)) ?? all
  const names = asked.map(wireName)
  const known = new Set([...names, ...asked, ...asked.map((name) => name.charAt(0).toUpperCase() + name.slice(1))])
  for (const [key, text] of said) {
    if (key !== `sentence.${id}` && !key.startsWith(`sentence.${id}.`)) continue
    for (const name of placeholdersIn(text)) {
      if (known.has(name)) continue
      const nearest = didYouMean(name, names) || (names.length === 0 ? '' : `, only ${names.join(', ')}`)
      yield { path: 'schemas/messages/en.json', at: [key], code: 'wrong-placeholder', message: `"${key}" fills {${name}}, which the report does not ask for${nearest}` }
    }
  }
}

/** A sentence for each value, or a parameter beside some, is possible only where the values are known beforehand. */
function fewValued(inFile: InFile, at: Keys, name: string): readonly Report[] {
  const { parameters = {} } = inFile.dataset
  const type = Object.hasOwn(parameters, name) ? parameters[name]?.type : undefined
  if (type === undefined) return inFile.among(Object.keys(parameters), at, name, 'parameter')
  return type === 'enum' || type === 'boolean' ? [] : [inFile.report(at, 'many-values', `"${name}" is ${type}; only the values of an enum or a boolean are known beforehand`)]
}

function* columns(inFile: InFile, { columns: all }: ReportSource): Iterable<Report> {
  const { dataset } = inFile
  for (const [i, column] of all.entries()) {
    const name = typeof column === 'string' ? column : column.field
    const at = typeof column === 'string' ? ['columns', i] : ['columns', i, 'field']
    yield* inFile.among(inFile.columns, at, name, 'column')
    const measure = dataset.measures?.[name]
    if (measure?.agg === 'count' || measure?.agg === 'countDistinct') yield inFile.report(at, 'no-row-value', `"${name}" counts rows and has no value on a single one; name it under "measures"`)
    if (typeof column === 'string' || column.total === undefined) continue
    if (measure?.adds === 'never') yield inFile.report(['columns', i, 'total'], 'total-not-additive', `"${name}" may not be added up over rows`)
    const day = balanceDay(dataset, name)
    if (day !== undefined) yield inFile.report(['columns', i, 'total'], 'total-not-additive', `"${name}" is a balance within "${day}": its total shows by itself where all rows agree in it, and nowhere else`)
    if (measure?.ratio !== undefined) yield inFile.report(['columns', i, 'total'], 'total-not-additive', `"${name}" is a ratio: its total is worked out from the totals of ${measure.ratio.join(' and ')}, not added up`)
  }
}

function* groups(inFile: InFile, { groups: rows = [], across = [], opens, measures = [], columns: all }: ReportSource): Iterable<Report> {
  for (const [i, by] of rows.entries()) yield* inFile.by(['groups', i], by)
  for (const [i, by] of across.entries()) yield* inFile.by(['across', i], by)
  for (const [i, name] of measures.entries()) {
    yield* inFile.measure(['measures', i], name)
    if (inFile.dataset.measures?.[name]?.adds === 'never') yield inFile.report(['measures', i], 'total-not-additive', `"${name}" may not be added up, so grouped rows have nothing to show of it`)
    const day = balanceDay(inFile.dataset, name)
    if (day !== undefined && ![...rows, ...across].some((by) => isDaily(by, day))) yield inFile.report(['measures', i], 'total-not-additive', `"${name}" is a balance within "${day}": offer "${day}" in days among the groups, or it is empty in each of them`)
  }
  for (const [i, by] of (opens?.rows ?? []).entries()) yield* inFile.by(['opens', 'rows', i], by)
  if (opens?.across !== undefined) yield* inFile.by(['opens', 'across'], opens.across)
  if (opens?.compare !== undefined && inFile.dataset.time === undefined) {
    yield inFile.report(['opens', 'compare'], 'no-time', `dataset ${inFile.dataset.id} does not say which of its parameters are its "time", so there is no earlier period`)
  }
  const shown = measures.length > 0 ? measures : all.map((column) => (typeof column === 'string' ? column : column.field)).filter((name) => inFile.measures.includes(name))
  if (rows.length + across.length > 0 && shown.length === 0) yield inFile.report(['groups'], 'no-measure', 'grouped rows need a measure to show')
}

export function* chart(inFile: InFile, drawn: ChartSource, at: Keys): Iterable<Report> {
  const { dataset } = inFile
  if (drawn.by !== undefined) yield* inFile.by([...at, 'by'], drawn.by)
  if (drawn.series !== undefined) {
    yield* inFile.by([...at, 'series'], drawn.series)
    if (drawn.measures.length > 1) yield inFile.report([...at, 'series'], 'too-many-measures', 'a chart with a series draws one measure')
    if (drawn.by === undefined) yield inFile.report([...at, 'series'], 'missing-key', 'a chart with a series needs a "by" to stand along the axis')
  }
  if (drawn.by === undefined && (drawn.type === 'line' || drawn.top !== undefined)) yield inFile.report([...at, 'type'], 'missing-key', 'this chart needs a "by" to stand along the axis')
  const types = new Set<string>()
  for (const [i, name] of drawn.measures.entries()) {
    yield* inFile.measure([...at, 'measures', i], name)
    const measure = dataset.measures?.[name]
    if (measure === undefined) continue
    types.add(measure.type)
    if (measure.adds === 'never') yield inFile.report([...at, 'measures', i], 'total-not-additive', `"${name}" may not be added up, so there is nothing to draw`)
    const day = balanceDay(dataset, name)
    if (day !== undefined && ![drawn.by, drawn.series].some((by) => by !== undefined && isDaily(by, day))) yield inFile.report([...at, 'measures', i], 'total-not-additive', `"${name}" is a balance within "${day}": draw it by "${day}" in days`)
    // Parts of a whole are parts of a sum.
    if (measure.ratio !== undefined && (drawn.type === 'stacked' || drawn.type === 'share')) yield inFile.report([...at, 'measures', i], 'total-not-additive', `"${name}" is a ratio: ratios do not add up to a whole, draw lines or bars`)
  }
  if (types.size > 1) yield inFile.report([...at, 'measures'], 'mixed-measures', `one axis cannot measure ${[...types].join(' and ')}`)
}

/** Dimension a balance may be added up within; undefined for other measures and for balances at the day of the whole answer. */
function balanceDay(dataset: DatasetSource, name: string): string | undefined {
  const adds = dataset.measures?.[name]?.adds
  return typeof adds === 'object' && dataset.dimensions[adds.within] !== undefined ? adds.within : undefined
}

function isDaily(by: BySource, day: string): boolean {
  return typeof by === 'string' ? by === day : by.field === day && (by.grain ?? 'day') === 'day'
}
