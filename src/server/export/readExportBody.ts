import { exportFormats, exportLanguages, type ExportBody, type ExportedColumn, type ExportedSummary } from '#api/export.ts'
import type { FieldProblem } from '#api/problems.ts'
import { spans, type Grouping } from '#api/view.ts'
import { comparisons } from '#meta/day.ts'
import type { Sort } from '#meta/resolved.ts'
import { invalid, wrong } from '#server/problemError.ts'

const most = { columns: 200, sort: 8, groups: 2, summary: 3 } as const

type Entries = Readonly<Record<string, unknown>>

/** The body of an export, checked; the condition and the names in it are checked where they are used. */
export function readExportBody(body: Entries): ExportBody {
  const problems: FieldProblem[] = []
  const refuse = (problem: FieldProblem): undefined => void problems.push(problem)
  const { screen, format, language, columns, search, filter, sort, groupBy, hasTotals, parameters, summary, ...rest } = body
  for (const name of Object.keys(rest)) refuse(wrong(name.slice(0, 80), 'UNKNOWN_FIELD'))
  const known = {
    screen: typeof screen === 'string' && screen.length <= 200 ? screen : refuse(wrong('screen', 'REQUIRED')),
    format: exportFormats.find((one) => one === format) ?? refuse(wrong('format', 'NOT_A_CHOICE', { choices: exportFormats })),
    language: exportLanguages.find((one) => one === language) ?? refuse(wrong('language', 'NOT_A_CHOICE', { choices: exportLanguages })),
    columns: isListOf(columns, isColumn, most.columns) && columns.length > 0 ? columns : refuse(wrong('columns', 'WRONG_TYPE.export-columns', { limit: most.columns })),
    hasTotals: typeof hasTotals === 'boolean' ? hasTotals : refuse(wrong('hasTotals', 'WRONG_TYPE.boolean')),
    search: search === undefined || isText(search, 1_000) ? search : refuse(wrong('search', 'WRONG_TYPE.text')),
    sort: sort === undefined || isListOf(sort, isSort, most.sort) ? sort : refuse(wrong('sort', 'WRONG_TYPE.sorting', { limit: most.sort })),
    groupBy: groupBy === undefined || isListOf(groupBy, isGrouping, most.groups) ? groupBy : refuse(wrong('groupBy', 'WRONG_TYPE.groups', { limit: most.groups })),
    parameters: parameters === undefined || isTexts(parameters) ? parameters : refuse(wrong('parameters', 'WRONG_TYPE.texts')),
    summary: summary === undefined || isSummary(summary) ? summary : refuse(wrong('summary', 'WRONG_TYPE.summary', { limit: most.summary })),
  }
  if (filter !== undefined && !isEntries(filter)) refuse(wrong('filter', 'WRONG_TYPE.object'))
  if (problems.length > 0 || known.screen === undefined || known.format === undefined || known.language === undefined || known.columns === undefined || known.hasTotals === undefined) return invalid(problems)
  return {
    screen: known.screen, format: known.format, language: known.language, columns: known.columns, hasTotals: known.hasTotals,
    ...(known.search === undefined ? {} : { search: known.search }),
    // The condition itself is parsed where it becomes SQL.
    ...(filter === undefined ? {} : { filter: filter as ExportBody['filter'] & object }),
    ...(known.sort === undefined ? {} : { sort: known.sort }),
    ...(known.groupBy === undefined ? {} : { groupBy: known.groupBy }),
    ...(known.parameters === undefined ? {} : { parameters: known.parameters }),
    ...(known.summary === undefined ? {} : { summary: known.summary }),
  }
}

function isColumn(value: unknown): value is ExportedColumn {
  if (!isEntries(value)) return false
  const { name, width, isPinned, ...rest } = value
  return isText(name, 200) && Object.keys(rest).length === 0 && (width === undefined || (typeof width === 'number' && width >= 0 && width <= 10_000)) && (isPinned === undefined || typeof isPinned === 'boolean')
}

function isGrouping(value: unknown): value is Grouping {
  if (!isEntries(value)) return false
  const { field, by, ...rest } = value
  return isText(field, 200) && Object.keys(rest).length === 0 && (by === undefined || spans.some((span) => span === by))
}

function isSummary(value: unknown): value is ExportedSummary {
  if (!isEntries(value)) return false
  const { rows, across, compare, ...rest } = value
  const isKey = (part: unknown): part is string => isText(part, 200)
  return isListOf(rows, isKey, most.summary) && Object.keys(rest).length === 0 && (across === undefined || isKey(across)) && (compare === undefined || comparisons.some((one) => one === compare))
}

function isSort(value: unknown): value is Sort {
  return isEntries(value) && isText(value['field'], 200) && (value['dir'] === 'asc' || value['dir'] === 'desc') && Object.keys(value).length === 2
}

function isListOf<T>(value: unknown, isOne: (part: unknown) => part is T, most: number): value is readonly T[] {
  return Array.isArray(value) && value.length <= most && value.every(isOne)
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isEntries(value) && Object.values(value).every((part) => isText(part, 2_000))
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most && !value.includes('\u0000')
}

function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
