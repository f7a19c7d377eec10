import type { DatasetSource, FieldSource, ReportSource } from '#generated/language.ts'
import type { Labels } from '#meta/labels.ts'
import { declaredIn, originOf, withOrigin } from '#meta/origins.ts'
import { resolveColumn } from '#meta/resolveColumn.ts'
import { resolveField } from '#meta/resolveField.ts'
import type { Column, Field, ReportColumn, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import type { Scope } from '#meta/scope.ts'
import { type Source, SourceError } from '#meta/sources.ts'

export function resolveDataset({ path, value: dataset }: Source<DatasetSource>, sql: Readonly<Record<string, string>>, labels: Labels): ResolvedDataset {
  const text = sql[path]
  if (text === undefined) throw new SourceError(`The SQL file ${path.replace(/\.json$/, '.sql')} is missing`)
  const field = (name: string, source: FieldSource): Field => {
    const resolved = resolveField(dataset.id, name, source, labels)
    return withOrigin(resolved, declaredIn(path, source, resolved))
  }
  const fields = (group: Readonly<Record<string, FieldSource>>): Field[] =>
    Object.entries(group).map(([name, source]) => field(name, source))
  return {
    kind: 'dataset',
    id: dataset.id,
    sql: text,
    grain: dataset.grain,
    key: dataset.key,
    guard: dataset.guard,
    scope: dataset.scope ?? {},
    parameters: fields(dataset.parameters ?? {}),
    dimensions: fields(dataset.dimensions),
    measures: Object.entries(dataset.measures ?? {}).map(([name, { additive, ...source }]) => withAdditive(field(name, source), additive ?? true)),
    limits: { rows: dataset.limits?.rows ?? 50_000, timeoutMs: dataset.limits?.timeoutMs ?? 15_000 },
  }
}

function withAdditive(field: Field, additive: boolean): Field & { readonly additive: boolean } {
  return withOrigin({ ...field, additive }, originOf(field))
}

export function resolveReport(scope: Scope, { path, value: report }: Source<ReportSource>): ReportScreen {
  const dataset = scope.datasets[report.dataset]
  if (dataset === undefined) throw new SourceError(`Unknown dataset "${report.dataset}"`, ['dataset'])
  const named = (group: readonly Field[], name: string, what: string): Field => {
    const found = group.find((field) => field.name === name)
    if (found === undefined) throw new SourceError(`Dataset ${dataset.id} has no ${what} "${name}"`)
    return found
  }
  return {
    kind: 'report',
    id: report.id,
    title: scope.labels.pick(`screen.${report.id}`),
    guard: report.guard ?? dataset.guard,
    dataset: dataset.id,
    parameters: (report.parameters ?? dataset.parameters.map(({ name }) => name)).map((parameter) => {
      const value = typeof parameter === 'string' ? { field: parameter } : parameter
      const field = named(dataset.parameters, value.field, 'parameter')
      return {
        ...field,
        ...(value.label === undefined ? {} : { label: value.label }),
        ...(value.required === undefined ? {} : { required: value.required }),
        ...(value.default === undefined ? {} : { defaultValue: value.default }),
      }
    }),
    filters: (report.filters ?? []).map((name) => named([...dataset.dimensions, ...dataset.measures], name, 'dimension')),
    columns: report.columns.map((column) => {
      const value = typeof column === 'string' ? { field: column } : column
      const measure = dataset.measures.find(({ name }) => name === value.field)
      if (measure === undefined) return inRole(resolveColumn(named(dataset.dimensions, value.field, 'dimension or measure'), { value, origin: path }, false), 'dimension')
      const { additive, ...rest } = measure
      const field = withOrigin(rest, originOf(measure))
      const total = value.total ?? (additive && measure.type !== 'percent' ? ('sum' as const) : undefined)
      return inRole(resolveColumn(field, { value: { ...value, ...(total === undefined ? {} : { total }) }, origin: path }, true), 'measure')
    }),
    sort: report.sort ?? [],
    ...(report.groupBy === undefined ? {} : { groupBy: report.groupBy }),
    ...(report.drill === undefined ? {} : { drill: report.drill }),
    sentence: scope.labels.pick(`sentence.${report.id}`),
    empty: scope.labels.pick(`empty.${report.id}`, 'empty.list'),
  }
}

function inRole(column: Column, role: ReportColumn['role']): ReportColumn {
  return withOrigin({ ...column, role }, originOf(column))
}
