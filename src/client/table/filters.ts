import { families, type Family } from '#api/viewFits.ts'
import type { Filter, FilterValue } from '#api/view.ts'
import type { Operator } from '#meta/condition.ts'
import { periods } from '#meta/condition.ts'
import type { Column, Field, ListScreen } from '#meta/resolved.ts'
import { formatDate, formatMoney, formatNumber, formatPeriod } from '../app/format.ts'
import { t } from '../app/messages.ts'

/** How a filter compares, as it is offered: "has a value" is the other side of "has none". */
export type Comparison = Operator | 'filled'

/** Comparisons offered for a field, the usual one first. */
const comparisons = {
  choice: ['in', 'nin', 'empty', 'filled'],
  reference: ['in', 'nin', 'contains', 'empty', 'filled'],
  number: ['ge', 'le', 'between', 'eq', 'ne', 'gt', 'lt', 'empty', 'filled'],
  date: ['within', 'between', 'ge', 'le', 'eq', 'empty', 'filled'],
  month: ['eq', 'between', 'ge', 'le', 'empty', 'filled'],
  text: ['contains', 'startsWith', 'eq', 'in', 'nin', 'empty', 'filled'],
  flag: ['eq'],
  list: ['contains', 'empty', 'filled'],
} as const satisfies Record<Family, readonly Comparison[]>

/** Relative periods offered for dates; those of a number of days take any number. */
export const relativePeriods = [...periods, 'last:7d', 'last:30d', 'last:90d', 'next:7d', 'next:30d'] as const

/** Several of the declared values are compared like one of them. */
export function familyOf({ type, choices, choicesBy }: Pick<Field, 'type' | 'choices' | 'choicesBy'>): Family {
  return choices === undefined || choicesBy !== undefined ? families[type] : 'choice'
}

export function comparisonsOf(field: Pick<Field, 'type' | 'choices' | 'choicesBy'>): readonly Comparison[] {
  return comparisons[familyOf(field)]
}

/** Fields a list can be narrowed by: those it declares, then its other columns. */
export function filterFields(screen: Pick<ListScreen, 'filters' | 'columns'>): readonly Field[] {
  const declared = new Set(screen.filters.map(({ name }) => name))
  return [...screen.filters, ...screen.columns.filter((column: Column) => column.filterable && !declared.has(column.name))]
}

/** What a filter begins with when it is added; undefined: it asks for a value first. */
export function startingFilter(field: Field): Filter {
  const family = familyOf(field)
  const first = comparisonsOf(field)[0] ?? 'eq'
  const op = first === 'filled' ? 'empty' : first
  const value: FilterValue = family === 'flag' ? true : op === 'in' ? [] : family === 'date' ? 'thisMonth' : ''
  return { field: field.name, op, value }
}

/** Does the filter narrow anything yet? */
export function isComplete(filter: Filter): boolean {
  const { op, value } = filter
  if (op === 'empty') return true
  if (op === 'between') return Array.isArray(value) && value.length === 2 && value.every((part) => part !== '')
  return Array.isArray(value) ? value.length > 0 : value !== ''
}

/** What records referred to are called, by `referenceKey`. */
export type ReferenceNames = ReadonlyMap<string, string>

/** The same number is another record where the reference is to something else. */
export function referenceKey({ entity }: Pick<Field, 'entity'>, id: string | number): string {
  return `${entity} ${id}`
}

/** The chip's words: "Status: Open, Partial", "Total ≥ 1,000.00". */
export function filterText(field: Field, filter: Filter, names: ReferenceNames): string {
  const label = t(field.label)
  const { op, value } = filter
  if (op === 'empty') return t(value === true ? 'ui.filter.is-empty' : 'ui.filter.is-set', { field: label })
  if (familyOf(field) === 'flag') return `${label}: ${t(value === true ? 'ui.yes' : 'ui.no')}`
  const shown = Array.isArray(value) ? value.map((part) => valueWords(field, part, names)) : [valueWords(field, value, names)]
  if (op === 'within') return `${label}: ${periodWords(String(value))}`
  if (op === 'between') return `${label}: ${shown.join(' – ')}`
  const several = shown.length > 3 ? t('ui.filter.several', { n: shown.length }) : shown.join(', ')
  return op === 'in' || op === 'eq' ? `${label}: ${several}` : `${label} ${t(`ui.filter.${op}`)} ${several}`
}

export function periodWords(period: string): string {
  const days = /^(last|next):(\d+)d$/.exec(period)
  return days === null ? t(`ui.period.${period}`) : t(`ui.period.${days[1]}`, { n: days[2] })
}

function valueWords(field: Field, value: unknown, names: ReferenceNames): string {
  if (typeof value === 'number' && families[field.type] === 'reference') return names.get(referenceKey(field, value)) ?? `#${value}`
  const choice = field.choices?.find((one) => one.value === value)
  if (choice !== undefined) return t(choice.label)
  if (families[field.type] === 'date') return formatDate(value)
  if (field.type === 'period') return formatPeriod(value) || String(value)
  if (field.type === 'money') return formatMoney(value)
  if (families[field.type] === 'number') return formatNumber(value)
  return String(value)
}
