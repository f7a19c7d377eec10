import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** Reports take only what their dataset offers; a dataset and its SQL agree about parameters. */
export function* reports({ sources }: World): Iterable<Report> {
  const datasets = new Map(sources.dataset.map(({ value }) => [value.id, value]))
  for (const { path, value } of sources.report) {
    const dataset = datasets.get(value.dataset)
    if (dataset === undefined) {
      yield { path, at: ['dataset'], code: 'unknown-dataset', message: `"${value.dataset}" is no dataset${didYouMean(value.dataset, datasets.keys())}` }
      continue
    }
    const dimensions = Object.keys(dataset.dimensions)
    const columns = [...dimensions, ...Object.keys(dataset.measures ?? {})]
    const parameters = Object.keys(dataset.parameters ?? {})
    const among = (known: readonly string[], at: Report['at'], name: string, what: string): readonly Report[] =>
      known.includes(name) ? [] : [{ path, at, code: `unknown-${what}`, message: `dataset ${dataset.id} has no ${what} "${name}"${didYouMean(name, known)}` }]
    for (const [i, parameter] of (value.parameters ?? []).entries()) {
      yield* typeof parameter === 'string' ? among(parameters, ['parameters', i], parameter, 'parameter') : among(parameters, ['parameters', i, 'field'], parameter.field, 'parameter')
    }
    for (const [i, name] of (value.filters ?? []).entries()) yield* among(columns, ['filters', i], name, 'dimension')
    for (const [i, column] of value.columns.entries()) {
      yield* typeof column === 'string' ? among(columns, ['columns', i], column, 'column') : among(columns, ['columns', i, 'field'], column.field, 'column')
    }
    for (const [i, { field }] of (value.sort ?? []).entries()) yield* among(columns, ['sort', i, 'field'], field, 'column')
    if (value.groupBy !== undefined) yield* among(dimensions, ['groupBy'], value.groupBy, 'dimension')
    for (const [i, column] of value.columns.entries()) {
      if (typeof column === 'string' || column.total === undefined) continue
      if (dataset.measures?.[column.field]?.additive === false) {
        yield { path, at: ['columns', i, 'total'], code: 'total-not-additive', message: `"${column.field}" may not be added up over rows` }
      }
    }
  }
  for (const { path, value } of sources.dataset) {
    const sql = sources.sql[path]
    if (sql === undefined) {
      yield { path, at: ['id'], code: 'missing-sql', message: `the file ${path.replace(/\.json$/, '.sql')} is missing` }
      continue
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
}

/** `:name` outside texts, comments and casts. */
function sqlParameters(sql: string): ReadonlySet<string> {
  const bare = sql.replaceAll(/--.*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/'(?:[^']|'')*'/g, "''")
  return new Set([...bare.matchAll(/(?<![:\w]):([a-z_]\w*)/g)].map((match) => match[1] ?? ''))
}
