import type { DateText } from '#base/date.ts'
import { daysOfPeriod, isVisitDay, weekdayNumber, weekdayOf, weekNumberOf, type VisitPattern, type VisitRhythm, type Weekday } from '#domain/sales/visitPlan.ts'
import type { GridRow, Rows } from '../grid/gridModel.ts'

/** Weeks of a month from Monday to Sunday; what is not of the month is empty. */
export function weeksOf(period: string): readonly (readonly (DateText | undefined)[])[] {
  const days = daysOfPeriod(period)
  const [first] = days
  if (first === undefined) return []
  const cells = [...Array.from({ length: weekdayNumber(first) }, () => undefined), ...days]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => Array.from({ length: 7 }, (_each, day) => cells[week * 7 + day]))
}

export function rhythmOf({ values }: Pick<GridRow, 'values'>): VisitRhythm {
  const weekNo = Number(values['WeekNo'] ?? 0)
  return { pattern: (values['Pattern'] ?? 'WEEKLY') as VisitPattern, weekday: (values['Weekday'] ?? 'MON') as Weekday, weekNo: weekNo === 0 ? null : weekNo }
}

/** Customers of a day, in the order he goes to them. */
export function rowsOn(rows: Rows, day: DateText, anchor: DateText): readonly GridRow[] {
  return rows
    .filter((row) => row.values['CustomerID'] !== undefined && row.values['CustomerID'] !== null && isVisitDay(rhythmOf(row), day, anchor))
    .toSorted((one, other) => seqOf(one) - seqOf(other))
}

function seqOf({ values }: GridRow): number {
  return Number(values['Seq'] ?? 100)
}

/** What a line says of a customer put on the day. */
export function onDay(pattern: VisitPattern, day: DateText, anchor: DateText): Readonly<Record<string, unknown>> {
  return { Pattern: pattern, Weekday: weekdayOf(day), WeekNo: weekNumberOf(pattern, day, anchor) }
}

/** The rhythm changed: the customer stays on the day on view. */
export function inRhythm(pattern: VisitPattern, day: DateText, anchor: DateText): Readonly<Record<string, unknown>> {
  return { Pattern: pattern, WeekNo: weekNumberOf(pattern, day, anchor) }
}

export function changed(rows: Rows, key: string, values: Readonly<Record<string, unknown>>): Rows {
  return rows.map((row) => (row.key === key ? { ...row, values: { ...row.values, ...values }, problems: {}, typed: undefined } : row))
}

/** The customer goes so many places down (or up) among those of the day; all of them are numbered anew. */
export function inOrder(rows: Rows, key: string, day: DateText, anchor: DateText, by: 1 | -1): Rows {
  const there = [...rowsOn(rows, day, anchor)]
  const at = there.findIndex((row) => row.key === key)
  const [one, other] = [there[at], there[at + by]]
  if (one === undefined || other === undefined) return rows
  there[at] = other
  there[at + by] = one
  const seq = new Map(there.map((row, n) => [row.key, String(n + 1)]))
  return rows.map((row) => (seq.has(row.key) ? { ...row, values: { ...row.values, Seq: seq.get(row.key) } } : row))
}
