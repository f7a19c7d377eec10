import { addDays, addMonths, daysBetween, endOfMonth, type DateText } from '#base/date.ts'

export const days = ['date', 'yesterday', 'week-ago', 'month-ago', 'year-ago', 'week-start', 'month-start', 'quarter-start', 'year-start', 'last-month-start', 'last-month-end'] as const
/** A day named by its place before the business day. */
export type Day = (typeof days)[number]

export function dayOf(day: Day, today: DateText): DateText {
  switch (day) {
    case 'date':
      return today
    case 'yesterday':
      return addDays(today, -1)
    case 'week-ago':
      return addDays(today, -6)
    case 'month-ago':
      return addMonths(today, -1)
    case 'year-ago':
      return addMonths(today, -12)
    case 'week-start':
      return addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7))
    case 'month-start':
      return `${today.slice(0, 7)}-01`
    case 'quarter-start':
      return `${today.slice(0, 5)}${String(Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`
    case 'year-start':
      return `${today.slice(0, 4)}-01-01`
    case 'last-month-start':
      return addMonths(`${today.slice(0, 7)}-01`, -1)
    case 'last-month-end':
      return addDays(`${today.slice(0, 7)}-01`, -1)
  }
}

export const comparisons = ['previous', 'month', 'quarter', 'year'] as const
/** Period compared with: the one just before and as long, or the same days so much earlier. */
export type Comparison = (typeof comparisons)[number]

const months = { month: 1, quarter: 3, year: 12 } as const

/** The day compared with a day on which things are looked at; `previous` is the day before. The end of a month is compared with the end of a month. */
export function earlierDay(comparison: Comparison, day: DateText): DateText {
  return comparison === 'previous' ? addDays(day, -1) : lastBack(day, months[comparison])
}

/** The period compared with, both ends inclusive. Whole months are compared with whole months, and what ends with a month with what ends with one. */
export function earlierPeriod(comparison: Comparison, from: DateText, to: DateText): { readonly from: DateText; readonly to: DateText } {
  const isWhole = from.endsWith('-01') && to === endOfMonth(to) && from <= to
  const back = comparison === 'previous' ? (isWhole ? monthsIn(from, to) : undefined) : months[comparison]
  if (back === undefined) {
    const length = daysBetween(from, to) + 1
    return { from: addDays(from, -length), to: addDays(to, -length) }
  }
  const last = lastBack(to, back)
  return { from: from === to ? last : addMonths(from, -back), to: last }
}

/** A last day so many months earlier: that of a month stays that of a month. */
function lastBack(day: DateText, back: number): DateText {
  const same = addMonths(day, -back)
  return day === endOfMonth(day) ? endOfMonth(same) : same
}

function monthsIn(from: DateText, to: DateText): number {
  return (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1
}

/** Months a comparison goes back; undefined: so many days. */
export function monthsBack(comparison: Comparison): number | undefined {
  return comparison === 'previous' ? undefined : months[comparison]
}

export const grains = ['day', 'week', 'month', 'quarter', 'year'] as const
/** Days that count as one when a date is grouped by. */
export type Grain = (typeof grains)[number]

/** Steps of months. */
const spans = { month: 1, quarter: 3, year: 12 } as const

/** Has each group of days a counterpart in the period compared with? A month a year earlier has one, a week has none. */
export function hasCounterpart(comparison: Comparison, grain: Grain | undefined): boolean {
  const back = monthsBack(comparison)
  if (back === undefined || grain === 'week') return false
  return grain === undefined || grain === 'day' || back % spans[grain] === 0
}

/** First and last day of a grouped date as the server answers it: `2025-01-31`, the Monday of a week, `2025-01`, `2025-Q1`, `2025`. */
export function grainRange(grain: Grain, value: string): { readonly from: DateText; readonly to: DateText } {
  switch (grain) {
    case 'day':
      return { from: value, to: value }
    case 'week':
      return { from: value, to: addDays(value, 6) }
    case 'month':
      return { from: `${value}-01`, to: endOfMonth(`${value}-01`) }
    case 'quarter': {
      const first = `${value.slice(0, 4)}-${String(Number(value.slice(6)) * 3 - 2).padStart(2, '0')}-01`
      return { from: first, to: endOfMonth(addMonths(first, 2)) }
    }
    case 'year':
      return { from: `${value}-01-01`, to: `${value}-12-31` }
  }
}
