import type { BySource, ChartSource, ReportSource } from '#generated/language.ts'
import { originOf, withOrigin } from '#meta/origins.ts'
import { resolveColumn } from '#meta/resolveColumn.ts'
import { inBooks, measureOf, resolveBy } from '#meta/resolveDataset.ts'
import type { Chart, Column, Field, GroupDimension, ReportColumn, ReportMeasure, ReportOpening, ReportScreen, ResolvedDataset } from '#meta/resolved.ts'
import type { Scope } from '#meta/scope.ts'
import { type Source, SourceError } from '#meta/sources.ts'

export function resolveReport(scope: Scope, { path, value: report }: Source<ReportSource>): ReportScreen {
  const dataset = Object.hasOwn(scope.datasets, report.dataset) ? scope.datasets[report.dataset] : undefined
  if (dataset === undefined) throw new SourceError(`Unknown dataset "${report.dataset}"`, ['dataset'])
  const named = (group: readonly Field[], name: string, what: string): Field => {
    const found = group.find((field) => field.name === name)
    if (found === undefined) throw new SourceError(`Dataset ${dataset.id} has no ${what} "${name}"`)
    return found
  }
  const columns = report.columns.map((column): ReportColumn => {
    const value = typeof column === 'string' ? { field: column } : column
    const measure = dataset.measures.find(({ name }) => name === value.field)
    if (measure === undefined) return inRole(resolveColumn(plain(named(dataset.dimensions, value.field, 'dimension or measure')), { value, origin: path }, false), 'dimension')
    const total = value.total ?? (measure.additive ? ('sum' as const) : undefined)
    return inRole(resolveColumn(plain(measure), { value: { ...value, ...(total === undefined ? {} : { total }) }, origin: path }, true), 'measure')
  })
  const groups = (report.groups ?? []).map((by, i) => resolveBy(dataset, by, ['groups', i]))
  const across = (report.across ?? []).map((by, i) => resolveBy(dataset, by, ['across', i]))
  const shown = report.measures ?? columns.filter(({ name, role, hidden }) => role === 'measure' && !hidden && measureOf(dataset, name).agg.kind !== 'none').map(({ name }) => name)
  const opens = openingOf(dataset, report)
  const chart = report.chart === undefined ? undefined : resolveChart(dataset, report.chart)
  return {
    kind: 'report',
    id: report.id,
    title: scope.labels.pick(`screen.${report.id}`),
    guard: report.guard ?? dataset.guard,
    dataset: dataset.id,
    ...(dataset.renamed === undefined ? {} : { renamed: dataset.renamed }),
    parameters: parametersOf(dataset, report).map((parameter) => {
      const value = typeof parameter === 'string' ? { field: parameter } : parameter
      const field = named(dataset.parameters, value.field, 'parameter')
      return {
        ...field,
        ...(value.label === undefined ? {} : { label: value.label }),
        ...(value.required === undefined ? {} : { required: value.required }),
        ...(value.default === undefined ? {} : { defaultValue: value.default }),
        ...(value.with === undefined ? {} : { with: value.with }),
      }
    }),
    filters: filtersOf(dataset, report, [...groups, ...across]),
    columns,
    sort: inGroups(report.groupBy, report.sort ?? []),
    ...(report.groupBy === undefined ? {} : { groupBy: report.groupBy }),
    groups,
    across,
    measures: shown.map((name, i) => measureColumn(dataset, name, columns, ['measures', i])),
    ...(opens === undefined ? {} : { opens }),
    ...(chart === undefined ? {} : { chart }),
    ...(Object.keys(dataset.time).length === 0 ? {} : { time: dataset.time }),
    ...(report.drill === undefined ? {} : { drill: report.drill }),
    sentence: scope.labels.pick(`sentence.${report.id}`),
    ...(report.saidBy === undefined ? {} : { said: { by: report.saidBy, sentences: sentencesBy(scope.labels, dataset, report.id, report.saidBy) } }),
    empty: scope.labels.pick(`empty.${report.id}`, 'empty.report'),
  }
}

/** Every report may be asked in the currency of the books where its dataset may be. */
function parametersOf(dataset: ResolvedDataset, report: ReportSource): NonNullable<ReportSource['parameters']> {
  const asked = report.parameters ?? dataset.parameters.map(({ name }) => name)
  const isOffered = dataset.parameters.some(({ name }) => name === inBooks)
  return !isOffered || asked.some((parameter) => (typeof parameter === 'string' ? parameter : parameter.field) === inBooks) ? asked : [...asked, inBooks]
}

/** The sentence for each value of the parameters it changes with, as far as it differs from the plain one. */
function sentencesBy(labels: Scope['labels'], dataset: ResolvedDataset, id: string, by: readonly string[]): Readonly<Record<string, string>> {
  const plainOne = `sentence.${id}`
  const values = by.map((name) => valuesOf(dataset.parameters.find((parameter) => parameter.name === name)))
  const told = values.reduce<readonly string[]>((before, next) => before.flatMap((first) => next.map((value) => (first === '' ? value : `${first}.${value}`))), [''])
  const found = told.map((value) => [value, labels.pick(`${plainOne}.${value}`, `${plainOne}.${value.split('.')[0] ?? ''}`, plainOne)] as const)
  return Object.fromEntries(found.filter(([, sentence]) => sentence !== plainOne))
}

function valuesOf({ type, choices = [] }: Partial<Field> = {}): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : choices.map(({ value }) => String(value))
}

/** Rows in the order of their group first: sub-totals stand where its values change. Whoever sorts otherwise has his order, and no sub-totals. */
function inGroups(group: string | undefined, sort: NonNullable<ReportSource['sort']>): NonNullable<ReportSource['sort']> {
  return group === undefined || sort.some(({ field }) => field === group) ? sort : [{ field: group, dir: 'asc' }, ...sort]
}

export function resolveChart(dataset: ResolvedDataset, chart: ChartSource, at: readonly (string | number)[] = ['chart']): Chart {
  return {
    type: chart.type,
    ...(chart.by === undefined ? {} : { by: resolveBy(dataset, chart.by, [...at, 'by']) }),
    ...(chart.series === undefined ? {} : { series: resolveBy(dataset, chart.series, [...at, 'series']) }),
    measures: chart.measures.map((name, i) => measureOf(dataset, name, [...at, 'measures', i])),
    ...(chart.top === undefined ? {} : { top: chart.top }),
    horizontal: chart.horizontal ?? false,
  }
}

/** Whatever one may group by one may also narrow to: that is how a group opens its documents. So may one to the currency, which tells groups apart as well. */
function filtersOf(dataset: ResolvedDataset, report: ReportSource, groups: readonly GroupDimension[]): readonly Field[] {
  const currency = dataset.currency !== undefined && 'field' in dataset.currency ? [dataset.currency.field] : []
  const names = [...new Set([...(report.filters ?? []), ...groups.map(({ name }) => name), ...currency])]
  return names.map((name) => {
    const found = [...dataset.dimensions, ...dataset.measures].find((field) => field.name === name)
    if (found === undefined) throw new SourceError(`Dataset ${dataset.id} has no dimension "${name}"`, ['filters'])
    return plain(found)
  })
}

function openingOf(dataset: ResolvedDataset, { opens, groups, across }: ReportSource): ReportOpening | undefined {
  if (opens === undefined) return undefined
  const key = (by: BySource, at: readonly (string | number)[]): string => resolveBy(dataset, by, at).key
  const rows = (opens.rows ?? []).map((by, i) => key(by, ['opens', 'rows', i]))
  const offeredAcross = (across ?? []).map((by) => key(by, ['across']))
  const offered = [...(groups ?? []).map((by) => key(by, ['groups'])), ...offeredAcross]
  const stranger = rows.find((name) => !offered.includes(name))
  const crossing = opens.across === undefined ? undefined : key(opens.across, ['opens', 'across'])
  if (crossing !== undefined && !offeredAcross.includes(crossing)) throw new SourceError(`The report opens with "${crossing}" across, which is not among what it offers there`, ['opens', 'across'])
  if (stranger !== undefined) throw new SourceError(`The report opens with "${stranger}", which is neither among its groups nor across`, ['opens'])
  return {
    rows,
    ...(crossing === undefined ? {} : { across: crossing }),
    ...(opens.compare === undefined ? {} : { compare: opens.compare }),
    show: opens.show ?? 'table',
    ...(opens.draw === undefined ? {} : { draw: opens.draw }),
  }
}

/** A measure as a column of grouped rows: as the report shows it elsewhere, else as the dataset declares it. */
function measureColumn(dataset: ResolvedDataset, name: string, columns: readonly Column[], at: readonly (string | number)[]): ReportMeasure {
  const measure = measureOf(dataset, name, at)
  const shown = columns.find((column) => column.name === name) ?? resolveColumn(plain(measure), { value: { field: name }, origin: 'default' }, true)
  const { link: _link, ...column } = shown
  const { additive, agg, isColumn, good } = measure
  return withOrigin({ ...column, additive, agg, isColumn, ...(good === undefined ? {} : { good }) }, () => originOf(shown))
}

/** The field alone, without what only the dataset says of it. */
function plain(field: Field & { readonly describes?: string }): Field {
  const { name, wire, type, label, required, readOnly, readBy, entity, choices, maxLength, min, max, pattern, default: preset } = field
  const bare: Field = {
    name, wire, type, label, required, readOnly,
    ...(readBy === undefined ? {} : { readBy }),
    ...(entity === undefined ? {} : { entity }),
    ...(choices === undefined ? {} : { choices }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(preset === undefined ? {} : { default: preset }),
  }
  return withOrigin(bare, () => originOf(field))
}

function inRole(column: Column, role: ReportColumn['role']): ReportColumn {
  return withOrigin({ ...column, role }, () => originOf(column))
}
