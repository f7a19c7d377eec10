import type { ConditionSource, DashboardSource, FigureSource, FigureToneSource, ReportPartSource, TileSource } from '#generated/language.ts'
import { flatTests } from '#meta/flatTests.ts'
import { inBooks, measureOf, resolveBy } from '#meta/resolveDataset.ts'
import { resolveChart } from '#meta/resolveReport.ts'
import type { DashboardScreen, Field, Figure, FigureTarget, FigureTone, ListScreen, ReportPart, ReportScreen, ResolvedDataset, Screen, Tile } from '#meta/resolved.ts'
import type { Scope } from '#meta/scope.ts'
import { type Source, SourceError } from '#meta/sources.ts'

type Keys = readonly (string | number)[]

/** The reports and lists a dashboard draws on are resolved before it. */
export function resolveDashboard(scope: Scope, { value: dashboard }: Source<DashboardSource>, screens: readonly Screen[]): DashboardScreen {
  return {
    kind: 'dashboard',
    id: dashboard.id,
    title: scope.labels.pick(`screen.${dashboard.id}`),
    guard: '',
    tiles: dashboard.tiles.map((tile, i) => resolveTile({ scope, screens, dashboard: dashboard.id }, tile, ['tiles', i])),
  }
}

interface Around {
  readonly scope: Scope
  readonly screens: readonly Screen[]
  readonly dashboard: string
}

function resolveTile(around: Around, tile: TileSource, at: Keys): Tile {
  const title = (id: string): string => around.scope.labels.pick(`tile.${around.dashboard}.${id}`)
  const base = { id: tile.id, title: title(tile.id), size: tile.size ?? (tile.type === 'kpi' ? ('small' as const) : ('medium' as const)), unless: tile.unless ?? [] }
  switch (tile.type) {
    case 'kpi': {
      const figure = figureOf(around, tile.from, [...at, 'from'])
      return {
        ...base,
        kind: 'kpi',
        figure,
        ...(tile.second === undefined ? {} : { second: secondOf(around, figure, tile.second, [...at, 'second']) }),
        ...(tile.compare === undefined ? {} : { compare: tile.compare }),
        ...(tile.target === undefined ? {} : { target: targetOf(around, figure, tile.target, [...at, 'target']) }),
        tones: tonesOf(tile.tones),
      }
    }
    case 'counts':
      return {
        ...base,
        kind: 'counts',
        items: tile.items.map((item, i) => ({ id: item.id, title: title(item.id), figure: figureOf(around, item.from, [...at, 'items', i, 'from']), tones: tonesOf(item.tones) })),
      }
    case 'chart': {
      const { part, dataset } = partOf(around, tile.from, [...at, 'from'])
      return { ...base, kind: 'chart', part, chart: resolveChart(dataset, tile.chart, [...at, 'chart']) }
    }
    case 'list': {
      const { part, dataset } = partOf(around, tile.from, [...at, 'from'])
      return {
        ...base,
        kind: 'list',
        part,
        by: resolveBy(dataset, tile.by, [...at, 'by']),
        measures: tile.measures.map((name, i) => measureOf(dataset, name, [...at, 'measures', i])),
        top: tile.top ?? 10,
      }
    }
    case 'approvals':
      return { ...base, kind: 'approvals' }
  }
}

function figureOf(around: Around, figure: FigureSource, at: Keys): Figure {
  if ('list' in figure) {
    const list = listOf(around, figure.list, [...at, 'list'])
    const total = figure.total === undefined ? undefined : columnOf(list, figure.total, [...at, 'total'])
    if (figure.preset !== undefined && !list.presets.some(({ id }) => id === figure.preset)) throw new SourceError(`${list.id} has no preset "${figure.preset}"`, [...at, 'preset'])
    return {
      kind: 'list',
      screen: list.id,
      ...(figure.preset === undefined ? {} : { preset: figure.preset }),
      where: flatTests(figure.where, [...at, 'where']),
      ...(total === undefined ? {} : { total }),
    }
  }
  const { part, dataset } = partOf(around, figure, at)
  return { ...part, kind: 'report', measure: measureOf(dataset, figure.measure, [...at, 'measure']), rows: (figure.rows ?? []).map((by, i) => resolveBy(dataset, by, [...at, 'rows', i]).key) }
}

function partOf(around: Around, from: Pick<ReportPartSource, 'report' | 'parameters' | 'compare'> & { readonly where?: ConditionSource }, at: Keys): { readonly part: ReportPart; readonly dataset: ResolvedDataset } {
  const report = reportOf(around, from.report, [...at, 'report'])
  const dataset = around.scope.datasets[report.dataset]
  if (dataset === undefined) throw new SourceError(`Unknown dataset "${report.dataset}"`, [...at, 'report'])
  for (const name of Object.keys(from.parameters ?? {})) {
    if (!report.parameters.some((parameter) => parameter.name === name)) throw new SourceError(`${report.id} has no parameter "${name}"`, [...at, 'parameters', name])
  }
  return {
    // A tile has room for one number: documents of several currencies come to one in that of the books.
    part: { screen: report.id, parameters: { ...(dataset.parameters.some(({ name }) => name === inBooks) ? { [inBooks]: true } : {}), ...from.parameters }, where: flatTests(from.where, [...at, 'where']), ...(from.compare === undefined ? {} : { compare: from.compare }) },
    dataset,
  }
}

function secondOf(around: Around, figure: Figure, name: string, at: Keys): Field {
  if (figure.kind === 'report') return measureOf(datasetOf(around, figure.screen, at), name, at)
  return columnOf(listOf(around, figure.screen, at), name, at)
}

function targetOf(around: Around, figure: Figure, target: string, at: Keys): FigureTarget {
  if (!/^[a-z]/.test(target)) return { kind: 'value', value: target }
  if (figure.kind === 'list') throw new SourceError('The target of a list is decimal text', at)
  return { kind: 'measure', measure: measureOf(datasetOf(around, figure.screen, at), target, at) }
}

function datasetOf(around: Around, report: string, at: Keys): ResolvedDataset {
  const dataset = around.scope.datasets[reportOf(around, report, at).dataset]
  if (dataset === undefined) throw new SourceError(`Unknown report "${report}"`, at)
  return dataset
}

function reportOf(around: Around, id: string, at: Keys): ReportScreen {
  const screen = screenOf(around, id, at)
  return screen.kind === 'report' ? screen : wrongKind(screen, 'report', at)
}

function listOf(around: Around, id: string, at: Keys): ListScreen {
  const screen = screenOf(around, id, at)
  return screen.kind === 'list' ? screen : wrongKind(screen, 'list', at)
}

function screenOf(around: Around, id: string, at: Keys): Screen {
  const found = around.screens.find((screen) => screen.id === id)
  if (found === undefined) throw new SourceError(`Unknown screen "${id}"`, at)
  return found
}

function wrongKind(screen: Screen, wanted: string, at: Keys): never {
  throw new SourceError(`"${screen.id}" is a ${screen.kind} screen; a ${wanted} screen is expected`, at)
}

function columnOf(list: ListScreen, name: string, at: Keys): Field {
  const column = list.columns.find((candidate) => candidate.name === name)
  if (column?.total === undefined) throw new SourceError(`${list.id} has no column "${name}" with a total`, at)
  const { name: own, wire, type, label, required, readOnly } = column
  return { name: own, wire, type, label, required, readOnly }
}

function tonesOf(tones: readonly FigureToneSource[] | undefined): readonly FigureTone[] {
  return tones ?? []
}
