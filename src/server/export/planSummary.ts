import type { ExportBody, ExportedSummary } from '#api/export.ts'
import { headed } from '#api/heads.ts'
import type { SummaryAnswer } from '#api/report.ts'
import { unmarkedCurrency } from '#base/currency.ts'
import { figureColumns, figureOf, summaryTree, type FigureColumn, type GroupRow, type TreeRow } from '#domain/reporting/summaryTable.ts'
import type { Field, GroupDimension, ReportScreen } from '#meta/resolved.ts'
import type { Row, User } from '#server/context.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { daysOf } from '#server/reports/datasetQuery.ts'
import { runSummary } from '#server/reports/runSummary.ts'
import type { Services } from '#server/services.ts'
import type { Translate } from '#server/texts.ts'
import { aboutExport } from './aboutExport.ts'
import { sayValue } from './describeFilter.ts'
import { fileColumns } from './exportColumns.ts'
import type { ExportPlan, FileColumn } from './exportTable.ts'
import type { LocalTime } from './localTime.ts'
import { reportExport } from './reportExport.ts'
import type { RowKind } from './tableFile.ts'

const mostRows = 5_000

/** A line of the sheet: a group, the sub-totals under its groups, or the totals. */
interface Line extends Row {
  readonly kind: RowKind
  readonly depth: number
  /** What stands in the columns of the groups, outer first. */
  readonly names: readonly string[]
  readonly row: GroupRow
}

/**
 * A report in groups as it is seen: a column for each group, its figures at every value across and beside the period compared with. Sums,
 * ratios and counts come from where the screen has them; nothing is added up from rounded parts.
 */
export async function planSummary(services: Services, user: User, screen: ReportScreen, body: ExportBody & { readonly summary: ExportedSummary }, time: LocalTime): Promise<ExportPlan> {
  const { request, translate, describing, settings, filter } = await reportExport(services, user, screen, body)
  const { rows: keys, across: acrossKey, compare } = body.summary
  const offered = [...screen.groups, ...screen.across]
  const known = (key: string): GroupDimension => offered.find((group) => group.key === key) ?? invalid([wrong('summary', 'UNKNOWN_FIELD.group', { column: key.slice(0, 80) })])
  const rows = keys.map(known)
  const across = acrossKey === undefined ? undefined : known(acrossKey)
  const measures = body.columns.map(({ name, width }) => {
    const measure = screen.measures.find((one) => one.name === name) ?? invalid([wrong('columns', 'UNKNOWN_FIELD.column', { column: name.slice(0, 80) })])
    return { ...measure, ...(width === undefined ? {} : { width }) }
  })
  const sort = body.sort ?? []
  const query = {
    ...request.query,
    group: keys.join(','),
    ...(acrossKey === undefined ? {} : { across: acrossKey }),
    ...(compare === undefined ? {} : { compare }),
    measures: measures.map(({ name }) => name).join(','),
    ...(sort.length === 0 ? {} : { order: sort.map(({ field }) => field).join(','), sort: sort.map(({ dir }) => dir).join(',') }),
    length: String(mostRows),
  }
  const answer = await runSummary(services, user, screen, query)
  if (answer.recordsTotal > mostRows) fail('VALIDATION_FAILED.report-rows', { rows: answer.recordsTotal, most: mostRows })
  const words = (group: GroupDimension, key: unknown): string => groupWords(group, key, translate)
  const called = measures.map((measure) => headed(measure, answer.heads, translate))
  const lines = linesOf(answer, rows, words, translate)
  const hasCurrencies = answer.totals.length > 1 || answer.totals.some(({ currency }) => currency !== null && currency !== unmarkedCurrency)
  const label = (group: GroupDimension): string => groupLabel(group, translate)
  const before = Object.entries(answer.before ?? {}).flatMap(([name, value]) => (answer.parameters[name] === value ? [] : [sayValue(describing, undefined, value)]))
  const earlier = (await Promise.all(before)).join(' – ')
  const shape: readonly (readonly [string, string])[] = [
    ...(rows.length === 0 ? [] : [[translate('export.group'), rows.map(label).join(', ')] as const]),
    ...(across === undefined ? [] : [[translate('ui.report.across'), label(across)] as const]),
    ...(compare === undefined ? [] : [[translate('ui.report.compare'), `${translate(`ui.report.compare.${compare}`)} (${earlier})`] as const]),
  ]
  const fieldOf = (name: string): Field | undefined => called.find((measure) => measure.name === name) ?? screen.measures.find((measure) => measure.name === name) ?? rows.find((group) => group.key === name || group.name === name) ?? describing.field(name)
  const about = await aboutExport({ services, user, translate, time, body, filter, sort: sort.map((entry) => ({ ...entry, field: fieldOf(entry.field) })), groups: [] })
  return {
    title: translate(screen.title),
    of: daysOf(request.dataset, request.parameters),
    columns: [
      ...(rows.length === 0 ? [nameColumn(0, '', 24)] : rows.map((group, level) => nameColumn(level, label(group), 30))),
      ...(hasCurrencies ? [textColumn(translate('field.currency'), 10, ({ row }) => row.currency ?? '')] : []),
      ...figureColumns(answer.across.length, answer.measures.length, answer.before !== undefined).flatMap((column) => figureColumn(column, answer, across, called, translate)),
    ],
    groups: [],
    levels: Math.max(0, rows.length - 1),
    currency: undefined,
    hasTotals: false,
    kindOf: (row) => ({ kind: lineOf(row).kind, depth: lineOf(row).depth }),
    about: [...settings, ...shape, ...about],
    translate,
    rows: (work) => work({ total: lines.length, isEmpty: answer.totals.every(({ cells }) => (cells[0]?.count ?? 0) === 0), each: (write) => write(lines) }),
  }
}

/** Each group above, its sub-totals under it, so that a spreadsheet folds them; the totals of each currency at the end. */
function linesOf(answer: SummaryAnswer, rows: readonly GroupDimension[], words: (group: GroupDimension, key: unknown) => string, translate: Translate): readonly Line[] {
  const namesOf = ({ keys, about }: GroupRow): readonly string[] =>
    keys.map((key, level) => {
      const group = rows[level]
      if (group === undefined) return ''
      const name = group.name.endsWith('_code') ? about[`${group.wire.slice(0, -'Code'.length)}Name`] : undefined
      return typeof name === 'string' && name !== '' ? `${name} (${words(group, key)})` : words(group, key)
    })
  const within = (tree: readonly TreeRow[], level: number): readonly Line[] =>
    tree.flatMap(({ row, children }): readonly Line[] => {
      const names = namesOf(row)
      if (children.length === 0) return [{ kind: 'row', depth: level, names, row }]
      const sum = names.with(level, translate('export.subtotal-of', { group: names.at(-1) ?? '' }))
      return [...within(children, level + 1), { kind: 'subtotal', depth: level, names: sum, row }]
    })
  const totals = answer.totals.map((row): Line => ({ kind: 'total', depth: 0, names: [translate('ui.totals', { n: row.cells[0]?.count ?? 0 })], row }))
  return [...within(summaryTree(answer), 0), ...totals]
}

function figureColumn(column: FigureColumn, answer: SummaryAnswer, across: GroupDimension | undefined, measures: readonly (Field & { readonly width?: number })[], translate: Translate): readonly FileColumn[] {
  const measure = measures.find(({ name }) => name === answer.measures[column.measure])
  // How many percent a percentage has changed by misleads, as on the screen.
  if (measure === undefined || (column.part === 'percent' && measure.type === 'percent')) return []
  const wire = '_figure'
  const [written] = fileColumns({ field: { ...measure, wire, ...(column.part === 'percent' ? { type: 'percent' as const } : {}) }, total: undefined, width: measure.width, isPinned: false }, translate)
  if (written === undefined) return []
  const place = across === undefined ? [] : [column.at === undefined ? translate('ui.report.across-all') : groupWords(across, answer.across[column.at] ?? null, translate)]
  const part = answer.before === undefined || column.part === 'value' ? [] : [translate(`ui.report.part.${column.part}`)]
  const label = [...place, translate(measure.label), ...part].join(' · ')
  return [{ ...written, label, width: Math.max(written.width, Math.min(40, label.length + 3)), write: (file, row) => written.write(file, { [wire]: figureOf(lineOf(row).row, column) }) }]
}

function nameColumn(level: number, label: string, width: number): FileColumn {
  return { ...textColumn(label, Math.max(width, label.length + 3), ({ names }) => names[level] ?? ''), isPinned: true }
}

function textColumn(label: string, width: number, textOf: (line: Line) => string): FileColumn {
  return {
    label, width, isPinned: false,
    write: (file, row) => {
      const text = textOf(lineOf(row))
      if (text === '') file.empty()
      else file.text(text)
    },
  }
}

/** The rows of this plan are its lines. */
function lineOf(row: Row): Line {
  return row as Line
}

function groupLabel({ label, grain }: GroupDimension, translate: Translate): string {
  return grain === undefined ? translate(label) : translate('ui.report.by-grain', { field: translate(label), grain: translate(`ui.grain.${grain}`) })
}

/** A value of a group as the screen says it. */
function groupWords(group: GroupDimension, value: unknown, translate: Translate): string {
  if (value === null || value === undefined || value === '') return translate('ui.nothing')
  const text = String(value)
  const day = `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)}`
  switch (group.grain) {
    case 'day':
      return day
    case 'week':
      return translate('ui.report.week', { day })
    case 'month':
    case 'quarter':
      return `${text.slice(5)}${group.grain === 'month' ? '/' : ' '}${text.slice(0, 4)}`
    case 'year':
      return text
    case undefined:
      break
  }
  const choice = group.choices?.find((one) => String(one.value) === text)
  if (choice !== undefined) return translate(choice.label)
  if (group.type === 'date') return day
  if (group.type === 'period' && /^\d{6}$/.test(text)) return `${text.slice(4)}/${text.slice(0, 4)}`
  if (group.type === 'boolean') return translate(value === true ? 'ui.yes' : 'ui.no')
  return text
}
