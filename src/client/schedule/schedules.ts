import type { ReportSchedule, ScheduleBody, ScheduleRecipient, ScheduleTime } from '#api/schedule.ts'
import { businessZone } from '#base/businessZone.ts'
import { languageAtom, t } from '../app/messages.ts'
import { inZone } from '../app/saidTime.ts'
import { newKey, send, type Answer } from '../data/http.ts'
import { store } from '../data/session.ts'

const path = '/api/v1/report-schedule'

type One = Answer<{ readonly record: ReportSchedule }>

export function listSchedules(screen: string | undefined, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly ReportSchedule[] }>> {
  return send({ path, ...(screen === undefined ? {} : { query: { screen }, isPart: true }), signal })
}

/** Who may be sent the report, by part of a name. */
export function recipientsFor(screen: string, search: string, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly ScheduleRecipient[] }>> {
  return send({ path: `${path}/people`, query: { screen, search }, signal, isPart: true })
}

export function createSchedule(body: ScheduleBody): Promise<One> {
  return send({ method: 'POST', path, body, key: newKey() })
}

export function saveSchedule({ ID, Version }: ReportSchedule, body: ScheduleBody): Promise<One> {
  return send({ method: 'PUT', path: `${path}/${ID}`, body, version: Version, key: newKey() })
}

export function deleteSchedule({ ID, Version }: ReportSchedule): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: `${path}/${ID}`, version: Version, key: newKey() })
}

export function sendSchedule({ ID }: ReportSchedule): Promise<One> {
  return send({ method: 'POST', path: `${path}/${ID}/send`, key: newKey() })
}

/** Name of a day of the week, 1 Monday to 7 Sunday. */
export function weekdayName(day: number, length: 'short' | 'long'): string {
  const language = store.get(languageAtom)
  // 5 January 2026 was a Monday.
  return new Intl.DateTimeFormat(language === 'cn' ? 'zh' : language, { weekday: length, timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day))
}

/** When it goes out, in words. */
export function sayTime({ Every, Weekdays, MonthDay, At, Zone }: ScheduleTime): string {
  const time = Zone === businessZone ? inZone(At, undefined) : `${At} ${Zone}`
  if (Every === 'DAY') return t('schedule.said.day', { time })
  if (Every === 'WEEK') return t('schedule.said.week', { days: Weekdays.map((day) => weekdayName(day, 'long')).join(', '), time })
  return t('schedule.said.month', { day: MonthDay, time })
}
