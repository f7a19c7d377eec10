import type { Grain } from '#meta/day.ts'
import { formatJson } from '#meta/authoring/formatJson.ts'

/** What the composer has to know of a dataset's column. */
export interface Offered {
  readonly name: string
  readonly type: string
  /** Has a value on every row; counts of measures have none. */
  readonly isColumn?: boolean
  readonly additive?: boolean
  readonly isRatio?: boolean
}

/** Lists of a report that clicking fills. `rows` and `across`: how it opens. */
export const shelves = ['rows', 'across', 'measures', 'columns', 'filters', 'parameters'] as const
export type Shelf = (typeof shelves)[number]

/** One entry of a shelf. */
export interface Placed {
  readonly name: string
  readonly grain?: Grain
}

/** A report as its author has it so far: any keys, any shape. */
export type Composed = Readonly<Record<string, unknown>>

const mostRows = 3

/** The report in the text; undefined while it is no JSON object. */
export function composedIn(text: string): Composed | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** As its file is written. */
export function textOf(report: Composed): string {
  return `${formatJson(report)}\n`
}

/** A report of a dataset with nothing in it yet but its parameters. */
export function blank(id: string, dataset: string, parameters: readonly unknown[]): Composed {
  return { $schema: '../../../src/generated/editor/report.schema.json', kind: 'report', id, dataset, ...(parameters.length === 0 ? {} : { parameters }), columns: [] }
}

export function placedOn(report: Composed, shelf: Shelf): readonly Placed[] {
  if (shelf === 'across') {
    const placed = placedIn(opensOf(report)['across'])
    return placed === undefined ? [] : [placed]
  }
  const entries = shelf === 'rows' ? listIn(opensOf(report)['rows']) : listIn(report[shelf])
  return entries.flatMap((entry) => placedIn(entry) ?? [])
}

/** May the column stand on the shelf? Groups are told apart by what people read, single rows have no counts. */
export function mayStand(shelf: Shelf, column: Offered, isMeasure: boolean): boolean {
  if (shelf === 'parameters') return false
  if (shelf === 'columns') return column.isColumn !== false
  if (shelf === 'measures') return isMeasure && (column.additive !== false || column.isRatio === true || column.isColumn === false)
  if (isMeasure) return shelf === 'filters' && column.isColumn !== false
  if (shelf === 'filters') return true
  return !['ref', 'id', 'textlist', 'json', 'longtext', 'secret'].includes(column.type)
}

/** The report with one thing more on the shelf; a day stands in steps of a month. What has to come with it comes with it. */
export function added(report: Composed, shelf: Shelf, column: Offered): Composed {
  if (placedOn(report, shelf).some(({ name }) => name === column.name)) return report
  const by = column.type === 'date' ? { field: column.name, grain: 'month' } : column.name
  switch (shelf) {
    case 'rows': {
      const rows = [...listIn(opensOf(report)['rows']), by].slice(-mostRows)
      return withColumn(withOpens(withOffered(report, 'groups', by), { rows }), column)
    }
    case 'across':
      return withColumn(withOpens(withOffered(report, 'across', by), { across: by }), column)
    case 'measures':
      return withColumn(withList(report, 'measures', [...listIn(report['measures']), column.name]), column)
    case 'parameters':
      return withList(report, 'parameters', [...listIn(report['parameters']), { field: column.name }])
    default:
      return withList(report, shelf, [...listIn(report[shelf]), column.name])
  }
}

export function removed(report: Composed, shelf: Shelf, at: number): Composed {
  if (shelf === 'across') return withoutOffered(withOpens(report, { across: undefined }), 'across')
  if (shelf === 'rows') return withOpens(report, { rows: without(listIn(opensOf(report)['rows']), at) })
  const list = without(listIn(report[shelf]), at)
  const gone = placedOn(report, shelf)[at]?.name
  const next = withList(report, shelf, list)
  if (shelf !== 'columns' || !Array.isArray(next['sort'])) return next
  // Rows are not sorted by what they no longer show.
  return withList(next, 'sort', listIn(next['sort']).filter((entry) => placedIn(entry)?.name !== gone))
}

/** One entry moved by hand or key from a place to another. */
export function moved(report: Composed, shelf: Shelf, from: number, to: number): Composed {
  if (shelf === 'across') return report
  const list = shelf === 'rows' ? listIn(opensOf(report)['rows']) : listIn(report[shelf])
  if (from === to || list[from] === undefined || to < 0 || to >= list.length) return report
  const next = without(list, from).toSpliced(to, 0, list[from])
  return shelf === 'rows' ? withOpens(report, { rows: next }) : withList(report, shelf, next)
}

/** The steps in which a day stands on the shelf. */
export function withGrain(report: Composed, shelf: 'rows' | 'across', at: number, grain: Grain): Composed {
  const placed = placedOn(report, shelf)[at]
  if (placed === undefined) return report
  const by = { field: placed.name, grain }
  const offered = withOffered(report, shelf === 'rows' ? 'groups' : 'across', by)
  return shelf === 'across' ? withOpens(offered, { across: by }) : withOpens(offered, { rows: listIn(opensOf(report)['rows']).with(at, by) })
}

/** The earlier period beside each number; undefined: none. */
export function withCompare(report: Composed, compare: string | undefined): Composed {
  return withOpens(report, { compare })
}

export function compareOf(report: Composed): string | undefined {
  const compare = opensOf(report)['compare']
  return typeof compare === 'string' ? compare : undefined
}

/** A bar chart of the first measure by the first group, over the table, or none. */
export function withChart(report: Composed, isDrawn: boolean): Composed {
  const [by] = listIn(opensOf(report)['rows'])
  const [measure] = placedOn(report, 'measures')
  if (!isDrawn || by === undefined || measure === undefined) return withOpens(withList(report, 'chart', undefined), { show: undefined })
  return withOpens(withList(report, 'chart', { type: 'bar', by, measures: [measure.name], top: 10 }), { show: 'both' })
}

function withOpens(report: Composed, change: Readonly<Record<string, unknown>>): Composed {
  const opens = Object.fromEntries(Object.entries({ ...opensOf(report), ...change }).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)))
  const isGrouped = opens['rows'] !== undefined || opens['across'] !== undefined
  // What is compared or drawn first is grouped.
  return withList(report, 'opens', isGrouped ? opens : undefined)
}

/** Readers may group by it again after they have taken it away. */
function withOffered(report: Composed, key: 'groups' | 'across', by: unknown): Composed {
  const list = listIn(report[key])
  return list.some((entry) => JSON.stringify(entry) === JSON.stringify(by)) ? report : withList(report, key, [...list, by])
}

function withoutOffered(report: Composed, key: 'across'): Composed {
  return listIn(report[key]).length > 1 ? report : withList(report, key, undefined)
}

/** Single rows show what the groups are made of. */
function withColumn(report: Composed, column: Offered): Composed {
  if (column.isColumn === false || placedOn(report, 'columns').some(({ name }) => name === column.name)) return report
  return withList(report, 'columns', [...listIn(report['columns']), column.name])
}

function withList(report: Composed, key: string, value: unknown): Composed {
  const isGone = value === undefined || (Array.isArray(value) && value.length === 0 && key !== 'columns')
  const { [key]: _old, ...rest } = report
  if (isGone) return rest
  return Object.hasOwn(report, key) ? { ...report, [key]: value } : inOrder({ ...report, [key]: value })
}

const order = ['$schema', 'kind', 'id', 'guard', 'dataset', 'parameters', 'filters', 'columns', 'sort', 'groupBy', 'groups', 'across', 'measures', 'opens', 'chart', 'drill']

/** Keys stand where files usually have them. */
export function inOrder(report: Composed): Composed {
  const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length)
  return Object.fromEntries(Object.entries(report).toSorted(([a], [b]) => place(a) - place(b)))
}

function opensOf(report: Composed): Composed {
  return isObject(report['opens']) ? report['opens'] : {}
}

function placedIn(entry: unknown): Placed | undefined {
  if (typeof entry === 'string') return { name: entry }
  if (!isObject(entry) || typeof entry['field'] !== 'string') return undefined
  const grain = entry['grain']
  return typeof grain === 'string' ? { name: entry['field'], grain: grain as Grain } : { name: entry['field'] }
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function without(list: readonly unknown[], at: number): readonly unknown[] {
  return list.toSpliced(at, 1)
}

function isObject(value: unknown): value is Composed {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
