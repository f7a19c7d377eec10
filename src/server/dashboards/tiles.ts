import type { Amount, ChartLead, FigureAnswer, TileAnswer, TileView } from '#api/dashboard.ts'
import type { SummaryAnswer } from '#api/report.ts'
import { figureTests, type Pointed } from '#domain/reporting/figureTests.ts'
import { leadsToRows } from '#domain/reporting/leadsToRows.ts'
import { toneOf } from '#domain/reporting/toneOf.ts'
import type { Condition } from '#meta/condition.ts'
import { describing } from '#meta/resolveDataset.ts'
import { monthsBack } from '#meta/day.ts'
import type { Chart, DashboardScreen, Figure, GroupDimension, ListScreen, Measure, ReportPart, ReportScreen, Tile } from '#meta/resolved.ts'
import { hasEntityGuard, hasReport, hasScreen } from '#server/access/guards.ts'
import type { User } from '#server/context.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { listRecords } from '#server/documents/listRecords.ts'
import { fail } from '#server/problemError.ts'
import { datasetOf, earlierParameters, parametersOf } from '#server/reports/datasetQuery.ts'
import { summarise, type SummaryShape } from '#server/reports/runSummary.ts'
import type { Services } from '#server/services.ts'
import { approvalCounts, openQueues } from './approvalCounts.ts'
import { listLink, partQuery, placeOf, reportLink } from './places.ts'

/** The tiles of a dashboard that draw on what the user may open. Of the others he learns nothing. */
export function tilesFor(services: Services, user: User, screen: DashboardScreen): readonly TileView[] {
  return screen.tiles.filter((tile) => isShown(services, user, screen, tile)).map(({ id, title, kind, size }) => ({ id, title, kind, size }))
}

/** The numbers of one tile, one short statement each; a tile the user may not see does not exist for him. */
export async function tileData(services: Services, user: User, screen: DashboardScreen, id: string): Promise<TileAnswer> {
  const tile = screen.tiles.find((candidate) => candidate.id === id)
  if (tile === undefined || !isShown(services, user, screen, tile)) return fail('NOT_FOUND.address')
  switch (tile.kind) {
    case 'kpi':
      return kpi(services, user, tile)
    case 'counts': {
      const items = []
      for (const item of tile.items) {
        if (mayOpen(services, user, item.figure.screen)) items.push({ id: item.id, title: item.title, ...(await figureAnswer(services, user, item.figure, item.tones)) })
      }
      return { kind: 'counts', items }
    }
    case 'chart':
      return chart(services, user, tile)
    case 'list':
      return list(services, user, tile)
    case 'approvals':
      return approvals(services, user)
  }
}

/** What he may see, less what another tile tells him better. */
function isShown(services: Services, user: User, { tiles }: DashboardScreen, tile: Tile): boolean {
  return maySee(services, user, tile) && !tiles.some((other) => tile.unless.includes(other.id) && maySee(services, user, other))
}

function maySee(services: Services, user: User, tile: Tile): boolean {
  switch (tile.kind) {
    case 'kpi':
      return mayOpen(services, user, tile.figure.screen)
    case 'counts':
      return tile.items.some(({ figure }) => mayOpen(services, user, figure.screen))
    case 'chart':
    case 'list':
      return mayOpen(services, user, tile.part.screen)
    case 'approvals':
      return openQueues(services, user).length > 0
  }
}

/** May the user read the report or list a figure comes from? */
function mayOpen({ metadata }: Services, user: User, id: string): boolean {
  const screen = metadata.screens[id]
  if (screen?.kind === 'report') return hasReport(metadata, user, screen)
  return screen?.kind === 'list' && hasScreen(metadata, user, screen) && hasEntityGuard(metadata, user, knownEntity(metadata, screen.entity), 'list')
}

type TileOf<K extends Tile['kind']> = Extract<Tile, { readonly kind: K }>

async function kpi(services: Services, user: User, tile: TileOf<'kpi'>): Promise<TileAnswer> {
  const { figure, second, target, compare } = tile
  const shown = second === undefined ? {} : { second: { name: second.name, label: second.label, type: second.type } }
  if (figure.kind === 'list') {
    const amounts = await listAmounts(services, user, figure, second?.name)
    const withTarget = target?.kind === 'value' ? amounts.map((amount) => ({ ...amount, target: target.value })) : amounts
    return { kind: 'kpi', ...listFigure(services, figure, withTarget, tile.tones), ...shown, parameters: {} }
  }
  const report = reportOf(services, figure.screen)
  const measures = [figure.measure, ...(second === undefined ? [] : [measureIn(services, report, second.name)]), ...(target?.kind === 'measure' ? [target.measure] : [])]
  const answer = await summaryOf(services, user, report, { ...figure, ...(compare === undefined ? {} : { compare }) }, { rows: [], measures, order: [], length: 1, offset: 0 })
  const targetAt = second === undefined ? 1 : 2
  const amounts = answer.totals.map(({ currency, cells: [cell] }): Amount => ({
    currency,
    value: cell?.values[0] ?? null,
    ...(compare === undefined ? {} : { before: cell?.before?.[0] ?? null }),
    ...(second === undefined ? {} : { second: cell?.values[1] ?? null }),
    ...(target === undefined ? {} : { target: target.kind === 'value' ? target.value : (cell?.values[targetAt] ?? null) }),
  }))
  return {
    kind: 'kpi',
    ...reportFigure(services, user, figure, amounts, tile.tones),
    ...shown,
    ...(compare === undefined ? {} : { compare }),
    ...(figure.measure.good === undefined ? {} : { good: figure.measure.good }),
    parameters: answer.parameters,
    ...(answer.heads === undefined ? {} : { heads: answer.heads }),
    ...(answer.before === undefined ? {} : { before: answer.before }),
  }
}

async function figureAnswer(services: Services, user: User, figure: Figure, tones: TileOf<'kpi'>['tones']): Promise<FigureAnswer> {
  if (figure.kind === 'list') return listFigure(services, figure, await listAmounts(services, user, figure, undefined), tones)
  const answer = await summaryOf(services, user, reportOf(services, figure.screen), figure, { rows: [], measures: [figure.measure], order: [], length: 1, offset: 0 })
  return reportFigure(services, user, figure, answer.totals.map(({ currency, cells: [cell] }) => ({ currency, value: cell?.values[0] ?? null })), tones)
}

function reportFigure(services: Services, user: User, figure: Extract<Figure, { readonly kind: 'report' }>, amounts: readonly Amount[], tones: TileOf<'kpi'>['tones']): FigureAnswer {
  const layout = figure.rows.length === 0 ? {} : { rows: figure.rows }
  return {
    type: figure.measure.type,
    amounts,
    tone: toneOf(tones, amounts[0]?.value ?? null),
    link: reportLink(services, user, reportOf(services, figure.screen), figure, layout),
  }
}

type ListFigure = Extract<Figure, { readonly kind: 'list' }>

function listFigure(services: Services, figure: ListFigure, amounts: readonly Amount[], tones: TileOf<'kpi'>['tones']): FigureAnswer {
  return {
    type: figure.total?.type ?? 'integer',
    amounts,
    tone: toneOf(tones, amounts[0]?.value ?? null),
    link: listLink(services, listScreen(services, figure.screen), figure.preset, figure.where),
  }
}

/** Rows of a list counted, or a column of it added up, as the list itself does. */
async function listAmounts(services: Services, user: User, figure: ListFigure, second: string | undefined): Promise<readonly Amount[]> {
  const list = listScreen(services, figure.screen)
  const preset = list.presets.find(({ id }) => id === figure.preset)
  const parts: Condition[] = [
    ...(list.where === undefined ? [] : [list.where]),
    ...(preset === undefined ? [] : [preset.where]),
    ...figure.where.map(({ field, op, value }): Condition => ({ [field]: { [op]: value } })),
  ]
  const totals = [figure.total?.name, second].filter((name) => name !== undefined)
  const answer = await listRecords({
    services, queries: services.database, user, entity: knownEntity(services.metadata, list.entity),
    query: { length: 1, columns: 'id', ...(parts.length === 0 ? {} : { filter: JSON.stringify({ all: parts }) }), ...(totals.length === 0 ? {} : { totals: totals.join(',') }) },
  })
  const amount = (currency: string | null, count: number, sums: Readonly<Record<string, string>>): Amount => ({
    currency,
    value: figure.total === undefined ? String(count) : (sums[figure.total.name] ?? null),
    ...(second === undefined ? {} : { second: sums[second] ?? null }),
  })
  return answer.currencies === undefined ? [amount(null, answer.recordsTotal, answer.totals)] : answer.currencies.map(({ currency, count, totals: sums }) => amount(currency, count, sums))
}

async function chart(services: Services, user: User, { part, chart: drawn }: TileOf<'chart'>): Promise<TileAnswer> {
  const report = reportOf(services, part.screen)
  const summary = await summaryOf(services, user, report, part, chartShape(drawn))
  const offered = (group: GroupDimension | undefined): group is GroupDimension => group !== undefined && [...report.groups, ...report.across].some(({ key }) => key === group.key)
  const layout = offered(drawn.by)
    ? { rows: [drawn.by.key], ...(offered(drawn.series) ? { across: drawn.series.key } : {}), ...(part.compare === undefined ? {} : { compare: part.compare }), show: 'chart' as const }
    : { show: 'chart' as const }
  return { kind: 'chart', chart: drawn, summary, ...(leadsToRows(report, drawn) ? { leads: chartLeads(services, user, report, part, drawn, summary) } : {}), link: reportLink(services, user, report, part, layout) }
}

/** The single rows behind each mark, as the marks of the report's own chart lead to them: by groups and places across, or by the measures along the axis. */
function chartLeads(services: Services, user: User, report: ReportScreen, part: ReportPart, { by, series, measures }: Chart, summary: SummaryAnswer): readonly (readonly ChartLead[])[] {
  const months = part.compare === undefined ? 0 : (monthsBack(part.compare) ?? 0)
  const earlier = summary.before === undefined ? undefined : { ...part, parameters: { ...part.parameters, ...summary.before } }
  const groups = { rows: by === undefined ? [] : [by], across: series, answer: summary }
  const link = (of: ReportPart, figure: Pointed): string => reportLink(services, user, report, of, { rows: [] }, { tests: figureTests(groups, figure) })
  const lead = (figure: Pointed): ChartLead => ({ now: link(part, figure), ...(earlier === undefined ? {} : { before: link(earlier, { ...figure, back: months }) }) })
  if (by === undefined) return summary.totals.slice(0, 1).map((row) => measures.map(({ name }) => lead({ row, measure: name })))
  const places = series === undefined ? [undefined] : summary.across.map((_, i) => i)
  return summary.rows.map((row) => places.map((at) => lead({ row, at })))
}

/** How a chart asks for its data: those with the most of the first measure, or all in their order. */
export function chartShape(drawn: Chart): SummaryShape {
  const [first] = drawn.measures
  return {
    rows: drawn.by === undefined ? [] : [drawn.by],
    ...(drawn.series === undefined ? {} : { across: drawn.series }),
    measures: drawn.measures,
    order: drawn.top === undefined || first === undefined ? [] : [{ field: first.name, dir: 'desc' }],
    length: drawn.top ?? 400,
    offset: 0,
  }
}

async function list(services: Services, user: User, { part, by, measures, top }: TileOf<'list'>): Promise<TileAnswer> {
  const report = reportOf(services, part.screen)
  const [first] = measures
  const order = first === undefined ? [] : [{ field: first.name, dir: 'desc' as const }]
  const summary = await summaryOf(services, user, report, part, { rows: [by], measures, order, length: top, offset: 0 })
  return {
    kind: 'list',
    by,
    about: by.grain === undefined ? describing(datasetOf(services, report), by.name).filter(({ type }) => type === 'text' || type === 'code') : [],
    measures,
    summary,
    rowLinks: summary.rows.map((row) => reportLink(services, user, report, part, { rows: [] }, { tests: figureTests({ rows: [by], answer: summary }, { row }) })),
    link: reportLink(services, user, report, part, { rows: [by.key] }, { sort: order }),
  }
}

async function approvals(services: Services, user: User): Promise<TileAnswer> {
  const counts = await approvalCounts(services, user)
  return {
    kind: 'approvals',
    items: openQueues(services, user).map((screen) => ({
      docType: screen.docType,
      title: screen.title,
      count: counts.get(screen.id) ?? 0,
      link: placeOf(services, screen.id).path,
    })),
  }
}

async function summaryOf(services: Services, user: User, report: ReportScreen, part: ReportPart, shape: Omit<SummaryShape, 'before' | 'comparison'>): Promise<SummaryAnswer> {
  const dataset = datasetOf(services, report)
  const query = partQuery(services, user, part)
  const parameters = parametersOf(services, user, report, dataset, query)
  return summarise({ services, user, dataset, parameters, query }, { ...shape, ...(part.compare === undefined ? {} : { before: earlierParameters(dataset, parameters, part.compare), comparison: part.compare }) })
}

function measureIn(services: Services, report: ReportScreen, name: string): Measure {
  const measure = datasetOf(services, report).measures.find((candidate) => candidate.name === name)
  if (measure === undefined) throw new Error(`${report.id} has no measure ${name}`)
  return measure
}

function reportOf({ metadata }: Services, id: string): ReportScreen {
  const screen = metadata.screens[id]
  if (screen?.kind !== 'report') throw new Error(`${id} is no report`)
  return screen
}

function listScreen({ metadata }: Services, id: string): ListScreen {
  const screen = metadata.screens[id]
  if (screen?.kind !== 'list') throw new Error(`${id} is no list`)
  return screen
}
