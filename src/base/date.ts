/** A calendar day as `YYYY-MM-DD`, without time or zone. Text compares in calendar order. */
export type DateText = string

const msPerDay = 86_400_000

export function isDate(text: unknown): text is DateText {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** The days that are kept. What lies beyond them is a slip of the hand, and some of it nothing a calendar or database can count on from. */
const firstDay: DateText = '1900-01-01'
const lastDay: DateText = '2199-12-31'

export function isKept(date: DateText): boolean {
  return date >= firstDay && date <= lastDay
}

/** The nearest day that is kept: the day itself unless it lies beyond them. */
export function nearestKept(date: DateText): DateText {
  return date < firstDay ? firstDay : date > lastDay ? lastDay : date
}

export function addDays(date: DateText, days: number): DateText {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * msPerDay).toISOString().slice(0, 10)
}

/** Days from `from` to `to`; negative when `to` lies before. */
export function daysBetween(from: DateText, to: DateText): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / msPerDay)
}

export function addMonths(date: DateText, months: number): DateText {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, last))
  return first.toISOString().slice(0, 10)
}

export function endOfMonth(date: DateText): DateText {
  const [year = 0, month = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

/** As people read it: 31/01/2025. */
export function dayText(date: DateText): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

/** Accounting period `YYYYMM` of a day. */
export function periodOf(date: DateText): string {
  return date.slice(0, 4) + date.slice(5, 7)
}
