import { endOfMonth, type DateText } from '#base/date.ts'
import { firstOfPeriod, mondayOf, visitDays, weekNumbers, type VisitPattern, type VisitRhythm, type Weekday } from '#domain/sales/visitPlan.ts'
import type { CommandContext, Precondition, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

/** What a plan says follows from its salesman and month: since when every second week counts, when it ends, and how many visits it comes to. */
export const visitPlanHooks: DocumentHooks = {
  async beforeSave(saving) {
    const { context, before, header, lines } = saving
    const { salesman_id: salesman, plan_period: period, operating_unit_id: unit }: Row = { ...before, ...header }
    if (typeof salesman !== 'number' || typeof period !== 'string') return
    const isSame = before?.['salesman_id'] === salesman && before['plan_period'] === period
    const anchor = isSame ? textOf(before, 'anchor') : await anchorOf(context.tx, salesman, period)
    Object.assign(header, { anchor, ends_on: endOfMonth(firstOfPeriod(period)) })
    if (lines?.['Lines'] === undefined && isSame) return
    header['planned'] = await checkLines(saving, unit, { period, anchor })
  },
}

/** The anchor of the salesman's plan before; his first plan begins with the week its month begins in. */
async function anchorOf(tx: Queries, salesman: number, period: string): Promise<DateText> {
  const last = await tx.first<{ anchor: DateText }>(sql`
    select anchor from visit_plan where salesman_id = ${salesman} and plan_period < ${period} and status in (4, 1, 9) order by plan_period desc, id desc limit 1`)
  return last?.anchor ?? mondayOf(firstOfPeriod(period))
}

interface Month {
  readonly period: string
  readonly anchor: DateText
}

/** Tells what is wrong with the lines and answers how many visits they come to in the month. */
async function checkLines({ context, before, lines, problem }: Saving, unit: unknown, { period, anchor }: Month): Promise<number> {
  const sent = lines?.['Lines']
  const stored = before === undefined ? [] : await context.tx.rows<Row>(sql`select * from visit_plan_line where visit_plan_id = ${before.id} order by line_no, id`)
  const rows = sent?.map(({ id, columns }) => ({ ...stored.find((row) => row['id'] === id), ...columns })) ?? stored
  const known = await customersOf(context, rows)
  const taken = new Map<number, Set<DateText>>()
  let planned = 0
  for (const [i, row] of rows.entries()) {
    const customer = row['customer_id']
    if (typeof customer !== 'number') continue
    const rhythm = rhythmOf(row)
    const weeks = weekNumbers(rhythm.pattern)
    if (weeks.length === 0) Object.assign(sent?.[i]?.columns ?? {}, { week_no: null })
    else if (!weeks.includes(rhythm.weekNo ?? 0)) problem(wrong(`Lines[${i}].WeekNo`, 'NOT_A_CHOICE.visit-week', { weeks: weeks.join(', ') }))
    const place = known.get(customer)
    if (place !== undefined && place.unit !== unit) problem(wrong(`Lines[${i}].CustomerID`, 'NOT_A_CHOICE.visit-unit', { customer: place.name }))
    const days = visitDays(rhythm, period, anchor)
    const before = taken.get(customer) ?? new Set()
    if (days.some((day) => before.has(day))) problem(wrong(`Lines[${i}].CustomerID`, 'DUPLICATE.visit'))
    for (const day of days) before.add(day)
    taken.set(customer, before)
    planned += days.length
  }
  return planned
}

async function customersOf({ tx }: CommandContext, rows: readonly Row[]): Promise<ReadonlyMap<number, { readonly unit: number; readonly name: string }>> {
  const ids = rows.map((row) => row['customer_id']).filter((id) => typeof id === 'number')
  if (ids.length === 0) return new Map()
  const found = await tx.rows<{ id: number; unit: number; name: string }>(sql`select id, operating_unit_id as unit, name from customer where id = any(${ids}::bigint[])`)
  return new Map(found.map((row) => [row.id, row]))
}

export function rhythmOf(row: Row): VisitRhythm {
  const weekNo = row['week_no']
  return { pattern: (row['pattern'] ?? 'WEEKLY') as VisitPattern, weekday: (row['weekday'] ?? 'MON') as Weekday, weekNo: typeof weekNo === 'number' ? weekNo : null }
}

/** A salesman goes by one plan a month. */
export const onlyPlanOfMonth: Precondition = async ({ tx, record }) => {
  const [salesman, period] = [numberOf(record, 'salesman_id'), textOf(record, 'plan_period')]
  const other = await tx.exclusive(`visit plan ${salesman} ${period}`, () =>
    tx.first<{ code: string }>(sql`select code from visit_plan where salesman_id = ${salesman} and plan_period = ${period} and status in (4, 1, 9) and id <> ${record.id} limit 1`))
  if (other !== undefined) invalid([wrong('PlanPeriod', 'DUPLICATE.visit-plan', { plan: other.code })])
}
