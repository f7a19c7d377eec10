import type { BySource, ConditionSource, FigureSource, TileSource } from '#generated/language.ts'
import { didYouMean, type Keys, type Report } from '#meta/check/finding.ts'
import { chart, InFile } from '#meta/check/reports.ts'
import { isServed } from '#meta/routePath.ts'
import type { World } from '#meta/check/world.ts'
import { flatTests } from '#meta/flatTests.ts'
import { SourceError } from '#meta/sources.ts'

/** Every figure of a dashboard is one its report or list shows as well, at a place people can open, narrowed by filters they can see there. */
export function* dashboards(world: World): Iterable<Report> {
  for (const { path, value } of world.sources.dashboard) {
    const seen = new Set<string>()
    const tiles = value.tiles.map(({ id }) => id)
    for (const [i, tile] of value.tiles.entries()) {
      const at = ['tiles', i]
      for (const { id, place } of idsOf(tile, at)) {
        if (seen.has(id)) yield { path, at: place, code: 'duplicate-id', message: `the tile "${id}" stands here a second time` }
        seen.add(id)
      }
      for (const [n, other] of (tile.unless ?? []).entries()) {
        const others = tiles.filter((id) => id !== tile.id)
        if (!others.includes(other)) yield { path, at: [...at, 'unless', n], code: 'unknown-tile', message: `"${other}" is no other tile of this dashboard${didYouMean(other, others)}` }
      }
      yield* tileFindings(world, path, tile, at)
    }
  }
}

function idsOf(tile: TileSource, at: Keys): readonly { readonly id: string; readonly place: Keys }[] {
  const items = tile.type === 'counts' ? tile.items.map(({ id }, i) => ({ id, place: [...at, 'items', i, 'id'] })) : []
  return [{ id: tile.id, place: [...at, 'id'] }, ...items]
}

function* tileFindings(world: World, path: string, tile: TileSource, at: Keys): Iterable<Report> {
  switch (tile.type) {
    case 'kpi':
      yield* figureFindings(world, path, tile.from, [...at, 'from'])
      if (tile.second !== undefined) yield* shown(world, path, tile.from, tile.second, [...at, 'second'])
      if (tile.target !== undefined && /^[a-z]/.test(tile.target)) yield* shown(world, path, tile.from, tile.target, [...at, 'target'])
      if (tile.compare !== undefined) yield* comparable(world, path, 'report' in tile.from ? tile.from.report : undefined, [...at, 'compare'])
      return
    case 'counts':
      for (const [i, item] of tile.items.entries()) yield* figureFindings(world, path, item.from, [...at, 'items', i, 'from'])
      return
    case 'chart': {
      yield* partFindings(world, path, tile.from, [...at, 'from'])
      if (tile.from.compare !== undefined) yield* comparable(world, path, tile.from.report, [...at, 'from', 'compare'])
      const inFile = datasetIn(world, path, tile.from.report)
      if (inFile !== undefined) yield* chart(inFile, tile.chart, [...at, 'chart'])
      return
    }
    case 'list': {
      yield* partFindings(world, path, tile.from, [...at, 'from'])
      const inFile = datasetIn(world, path, tile.from.report)
      if (inFile === undefined) return
      yield* inFile.by([...at, 'by'], tile.by)
      for (const [i, name] of tile.measures.entries()) yield* shown(world, path, { report: tile.from.report, measure: name, rows: [tile.by] }, name, [...at, 'measures', i])
      yield* offered(world, path, tile.from.report, [tile.by], [...at, 'by'])
      return
    }
    case 'approvals':
      return
  }
}

function* figureFindings(world: World, path: string, figure: FigureSource, at: Keys): Iterable<Report> {
  if ('list' in figure) {
    const list = world.resolved.metadata.screens[figure.list]
    if (list?.kind !== 'list') return
    const presets = list.presets.map(({ id }) => id)
    if (figure.preset !== undefined && !presets.includes(figure.preset)) yield { path, at: [...at, 'preset'], code: 'unknown-preset', message: `${list.id} has no preset "${figure.preset}"${didYouMean(figure.preset, presets)}` }
    if (figure.total !== undefined) yield* shown(world, path, figure, figure.total, [...at, 'total'])
    yield* narrowing(path, list.filters.map(({ name }) => name), figure.where, [...at, 'where'], list.id)
    yield* reachable(world, path, figure.list, [...at, 'list'])
    return
  }
  yield* partFindings(world, path, figure, at)
  yield* shown(world, path, figure, figure.measure, [...at, 'measure'])
  if (figure.rows !== undefined) yield* offered(world, path, figure.report, figure.rows, [...at, 'rows'])
}

function* partFindings(world: World, path: string, part: { readonly report: string; readonly parameters?: object; readonly where?: ConditionSource }, at: Keys): Iterable<Report> {
  const report = world.resolved.metadata.screens[part.report]
  if (report?.kind !== 'report') return
  const known = report.parameters.map(({ name }) => name)
  for (const name of Object.keys(part.parameters ?? {})) {
    if (!known.includes(name)) yield { path, at: [...at, 'parameters', name], onKey: true, code: 'unknown-parameter', message: `${report.id} has no parameter "${name}"${didYouMean(name, known)}` }
  }
  yield* narrowing(path, report.filters.map(({ name }) => name), part.where, [...at, 'where'], report.id)
  yield* reachable(world, path, part.report, [...at, 'report'])
}

/** A filter nobody could see or take away again would make the place lie. */
function* narrowing(path: string, filters: readonly string[], where: ConditionSource | undefined, at: Keys, screen: string): Iterable<Report> {
  if (where === undefined) return
  try {
    for (const { field } of flatTests(where, at)) {
      if (!filters.includes(field)) yield { path, at, code: 'unknown-filter', message: `${screen} offers no filter "${field}"${didYouMean(field, filters)}` }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    yield { path, at, code: 'not-flat', message: 'a link carries field tests only: no any, no not, no names of conditions' }
  }
}

/** The figure stands in the total row of the place it leads to. */
function* shown(world: World, path: string, figure: FigureSource, name: string, at: Keys): Iterable<Report> {
  const { screens, datasets } = world.resolved.metadata
  if ('list' in figure) {
    const list = screens[figure.list]
    if (list?.kind !== 'list') return
    const totals = list.columns.filter(({ total }) => total !== undefined).map((column) => column.name)
    if (!totals.includes(name)) yield { path, at, code: 'no-total', message: `${list.id} has no total of "${name}"${didYouMean(name, totals)}` }
    return
  }
  const report = screens[figure.report]
  if (report?.kind !== 'report') return
  // Grouped, a report shows its measures; else the columns of its rows.
  const names = (figure.rows === undefined ? report.columns.filter(({ role }) => role === 'measure') : report.measures).map((measure) => measure.name)
  const measure = datasets[report.dataset]?.measures.find((candidate) => candidate.name === name)
  if (!names.includes(name)) yield { path, at, code: 'unknown-measure', message: `${report.id} shows no measure "${name}" ${figure.rows === undefined ? 'on single rows; say by which "rows" it opens' : 'when grouped'}${didYouMean(name, names)}` }
  else if (measure?.agg.kind === 'none') yield { path, at, code: 'total-not-additive', message: `"${name}" may not be added up, so it has no total` }
}

function* offered(world: World, path: string, screen: string, rows: readonly BySource[], at: Keys): Iterable<Report> {
  const { screens, datasets } = world.resolved.metadata
  const report = screens[screen]
  const dataset = report?.kind === 'report' ? datasets[report.dataset] : undefined
  if (report?.kind !== 'report' || dataset === undefined) return
  const keys = report.groups.map(({ key }) => key)
  for (const by of rows) {
    const key = typeof by === 'string' ? by : `${by.field}:${by.grain}`
    if (dataset.dimensions.some(({ name }) => name === key.split(':')[0]) && !keys.includes(key)) yield { path, at, code: 'unknown-group', message: `${report.id} cannot be grouped by "${key}"${didYouMean(key, keys)}` }
  }
}

function* comparable(world: World, path: string, screen: string | undefined, at: Keys): Iterable<Report> {
  const report = screen === undefined ? undefined : world.resolved.metadata.screens[screen]
  if (screen === undefined) yield { path, at, code: 'no-time', message: 'a list knows no earlier period; take the figure from a report' }
  else if (report?.kind === 'report' && report.time === undefined) yield { path, at, code: 'no-time', message: `the dataset of ${report.id} does not say which of its parameters are its "time"` }
}

/** Something serves the screen, by itself or as the tab of a desk. */
function* reachable({ sources }: World, path: string, screen: string, at: Keys): Iterable<Report> {
  const desks = sources.workbench.filter(({ value }) => value.tabs.some((tab) => tab.screen === screen)).map(({ value }) => value.id)
  const isPlace = sources.routes.some((route) => isServed(route) && !route.path.includes('{') && route.screen !== undefined && [screen, ...desks].includes(route.screen))
  if (!isPlace) yield { path, at, code: 'no-place', message: `no route leads to ${screen}, so the figure would lead nowhere` }
}

function datasetIn({ sources }: World, path: string, report: string): InFile | undefined {
  const found = sources.report.find(({ value }) => value.id === report)
  const dataset = sources.dataset.find(({ value }) => value.id === found?.value.dataset)
  return dataset === undefined ? undefined : new InFile(path, dataset.value)
}
