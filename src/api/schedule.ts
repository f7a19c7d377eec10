import type { Said } from './problems.ts'
import type { ExportBody } from './export.ts'

/**
 * Reports sent by mail at certain times.
 *
 * GET    /api/v1/report-schedule             the user's own; `screen` narrows to one report
 * POST   /api/v1/report-schedule             create (Idempotency-Key)
 * PUT    /api/v1/report-schedule/{id}        change, stop or resume (If-Match)
 * DELETE /api/v1/report-schedule/{id}        (If-Match)
 * POST   /api/v1/report-schedule/{id}/send   sends it at once, beside its times
 * GET    /api/v1/report-schedule/people      who may be sent a report: `screen`, `search`
 */
export const scheduleEvery = ['DAY', 'WEEK', 'MONTH'] as const
export type ScheduleEvery = (typeof scheduleEvery)[number]

export const scheduleStates = ['SENT', 'FAILED', 'STOPPED'] as const
export type ScheduleState = (typeof scheduleStates)[number]

/** When a report goes out, by the wall clock of a time zone. */
export interface ScheduleTime {
  readonly Every: ScheduleEvery
  /** Of a week: 1 Monday to 7 Sunday, at least one. */
  readonly Weekdays: readonly number[]
  /** Of a month: 1 to 31, the last day where a month has fewer. */
  readonly MonthDay: number
  /** `07:00`. */
  readonly At: string
  /** `Asia/Jakarta`. */
  readonly Zone: string
}

export interface ReportSchedule extends ScheduleTime {
  readonly ID: number
  readonly Version: number
  readonly Name: string
  /** What is sent: a report as an export takes it. A parameter may be a day that moves, as views write it: `now:month-start`. */
  readonly Request: ExportBody
  readonly IsActive: boolean
  readonly NextAt: string
  /** When it last went out or failed to. */
  readonly LastAt: string | null
  readonly LastState: ScheduleState | null
  /** Why it failed or was stopped. */
  readonly Problem: Said | null
  readonly Recipients: readonly ScheduleRecipient[]
}

export interface ScheduleRecipient {
  readonly ID: number
  readonly Name: string
  readonly RoleName: string
  /** Could not open the report when it last went out, and was sent nothing. */
  readonly IsLeftOut?: boolean
}

/** Body of POST and PUT; PUT changes what it names. */
export interface ScheduleBody extends Partial<ScheduleTime> {
  readonly Name?: string
  readonly Request?: ExportBody
  readonly RecipientIDs?: readonly number[]
  readonly IsActive?: boolean
}

/** A report sent to so many at most. */
export const mostRecipients = 50

const moving = 'now:'

/** Writes a day that moves as a parameter. */
export function movingText(day: string): string {
  return `${moving}${day}`
}

/** The name of the day a parameter means by its place before today; undefined: it is a value as it stands. */
export function movingDay(text: string): string | undefined {
  return text.startsWith(moving) ? text.slice(moving.length) : undefined
}
