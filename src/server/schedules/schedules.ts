import type { ExportBody } from '#api/export.ts'
import type { FieldProblem } from '#api/problems.ts'
import { mostRecipients, movingDay, scheduleEvery, scheduleStates, type ReportSchedule, type ScheduleRecipient, type ScheduleTime } from '#api/schedule.ts'
import { isDate, type DateText } from '#base/date.ts'
import { dayOf, days } from '#meta/day.ts'
import { conditionNow, keysNow, nameNow } from '#meta/renames.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import type { Sentence } from '#meta/sentence.ts'
import { hasReport, requireGuard, requireReport } from '#server/access/guards.ts'
import { holds, holdersNamed } from '#server/access/holders.ts'
import { loadUser } from '#server/access/users.ts'
import type { Clock, Queries, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { LocalTime } from '#server/export/localTime.ts'
import { planExport } from '#server/export/planExport.ts'
import { readExportBody } from '#server/export/readExportBody.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import type { Services } from '#server/services.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { nextTime } from './nextTime.ts'
import { tellStopped } from './tellStopped.ts'

const mostSchedules = 50

/** The user's own schedules, of all reports or of one, soonest first. */
export async function schedulesOf(queries: Queries, user: User, screen?: string): Promise<readonly ReportSchedule[]> {
  const wanted = screen === undefined ? sql`true` : sql`s.screen = ${screen}`
  const rows = await queries.rows(sql`${selected} where s.owner_id = ${user.id} and ${wanted} order by s.is_active desc, s.next_at, s.id`)
  return rows.map(scheduleOf)
}

/** Active users who may open the report, to be chosen as recipients. Only for those who may export it. */
export async function recipientsFor(services: Services, user: User, screenId: string, search: string): Promise<readonly ScheduleRecipient[]> {
  const screen = reportOf(services, screenId)
  requireReport(services.metadata, user, screen)
  requireGuard(user, exportGuard(services, screen))
  const found = await holdersNamed(services.database, sql`${holds(screen.guard)} and ${holds(datasetGuard(services, screen))}`, search, user)
  const able = await Promise.all(found.map(async ({ ID }) => mayReceive(services, await loadUser(services.database, ID), screen)))
  return found.filter((_, i) => able[i])
}

/** Is the report open to whoever is to be sent it? What he may not open reaches him by no mail. */
export function mayReceive({ metadata }: Services, user: User | undefined, screen: ReportScreen): boolean {
  return user !== undefined && hasReport(metadata, user, screen)
}

export async function createSchedule(run: CommandRun, body: Readonly<Record<string, unknown>>): Promise<ReportSchedule> {
  const { tx, user, services, now } = run
  const input = readBody(body)
  const { Name: name, Request: request, RecipientIDs: recipients, time, IsActive: isActive = true } = input
  if (name === undefined || request === undefined || recipients === undefined) return invalid(absent({ Name: name, Request: request, RecipientIDs: recipients }))
  const when = timeOf(time)
  const screen = await checkRequest(services, user, request)
  const held = await tx.first<{ n: number }>(sql`select count(*) as n from report_schedule where owner_id = ${user.id}`)
  if ((held?.n ?? 0) >= mostSchedules) fail('EXCEEDS_AVAILABLE.schedules', { most: mostSchedules })
  const row = await tx.first<{ id: number }>(sql`
    insert into report_schedule (owner_id, screen, name, request, every, weekdays, month_day, at_time, zone, is_active, next_at, created_at)
    values (${user.id}, ${screen.id}, ${name}, ${JSON.stringify(request)}::jsonb, ${when.Every}, ${when.Weekdays.map(String)}::text[], ${when.MonthDay}, ${when.At}, ${when.Zone}, ${isActive},
      ${nextTime(when, now).toISOString()}, ${now.toISOString()}) returning id`)
  const id = row?.id ?? 0
  await setRecipients(run, screen, id, recipients)
  return readOne(tx, user, id)
}

/** Changes what the body names. Whatever was wrong with it counts as mended: it is active again unless the body says otherwise. */
export async function saveSchedule(run: CommandRun, id: number, version: number, body: Readonly<Record<string, unknown>>): Promise<ReportSchedule> {
  const { tx, user, services, now } = run
  const before = await lockedSchedule(tx, user, id, version)
  const input = readBody(body)
  const request = input.Request ?? before.Request
  const isActive = input.IsActive ?? before.IsActive
  const when = timeOf({ ...timeIn(before), ...input.time })
  const screen = isActive || input.Request !== undefined ? await checkRequest(services, user, request) : reportOf(services, request.screen)
  if (screen.id !== before.Request.screen) invalid([wrong('Request', 'READ_ONLY.schedule')])
  await tx.run(sql`
    update report_schedule set name = ${input.Name ?? before.Name}, request = ${JSON.stringify(request)}::jsonb, every = ${when.Every}, weekdays = ${when.Weekdays.map(String)}::text[],
      month_day = ${when.MonthDay}, at_time = ${when.At}, zone = ${when.Zone}, is_active = ${isActive}, next_at = ${nextTime(when, now).toISOString()}, taken_until = null, attempts = 0,
      version = version + 1, problem = case when ${isActive} then null else problem end where id = ${id}`)
  if (input.RecipientIDs !== undefined) await setRecipients(run, screen, id, input.RecipientIDs)
  const after = await readOne(tx, user, id)
  if (before.IsActive) await tellStopped(tx, services, before, user.id, recipientsOf(before).filter((one) => !after.IsActive || !recipientsOf(after).includes(one)))
  return after
}

export async function deleteSchedule(run: CommandRun, id: number, version: number): Promise<void> {
  const before = await lockedSchedule(run.tx, run.user, id, version)
  if (before.IsActive) await tellStopped(run.tx, run.services, before, run.user.id, recipientsOf(before))
  await run.tx.run(sql`delete from report_schedule_recipient where schedule_id = ${id}`)
  await run.tx.run(sql`delete from report_schedule where id = ${id}`)
}

/** Makes it due now; its own times go on as they are. */
export async function sendNow(run: CommandRun, id: number): Promise<ReportSchedule> {
  const { tx, user, services, now } = run
  const before = await readOne(tx, user, id)
  if (!before.IsActive) fail('ILLEGAL_TRANSITION.schedule')
  await checkRequest(services, user, before.Request)
  await tx.run(sql`update report_schedule set next_at = ${now.toISOString()}, taken_until = null, attempts = 0 where id = ${id} and owner_id = ${user.id}`)
  return readOne(tx, user, id)
}

/** The request with days that move as they stand today, and under the names the report has today. */
export function requestOn(asked: ExportBody, screen: ReportScreen, clock: Clock): ExportBody {
  const request = requestNow(asked, screen)
  if (request.parameters === undefined) return request
  const { from, to } = screen.time ?? {}
  const on = (name: string, text: string, today: DateText): string => {
    const wanted = movingDay(text)
    const day = days.find((one) => one === wanted)
    return wanted === undefined ? text : day === undefined ? invalid([wrong(name, 'NOT_A_CHOICE', { choices: days })]) : dayOf(day, today)
  }
  const parameters = Object.fromEntries(Object.entries(request.parameters).map(([name, text]) => [name, on(name, text, clock.today())]))
  // "From the first of the month to the day before", sent on the first: the month, week, quarter or year that ended with that day.
  const first = from === undefined ? undefined : request.parameters[from]
  const last = to === undefined ? undefined : parameters[to]
  if (from !== undefined && first !== undefined && isDate(last) && last < (parameters[from] ?? '')) parameters[from] = on(from, first, last)
  return { ...request, parameters }
}

/** What was asked under names that the dataset has given up since. */
function requestNow(request: ExportBody, { renamed }: ReportScreen): ExportBody {
  if (renamed === undefined) return request
  const { columns, filter, sort, groupBy, parameters, summary, ...rest } = request
  const now = (name: string): string => nameNow(renamed, name)
  return {
    ...rest,
    columns: columns.map((column) => ({ ...column, name: now(column.name) })),
    ...(filter === undefined ? {} : { filter: conditionNow(renamed, filter) }),
    ...(sort === undefined ? {} : { sort: sort.map((one) => ({ ...one, field: now(one.field) })) }),
    ...(groupBy === undefined ? {} : { groupBy: groupBy.map((one) => ({ ...one, field: now(one.field) })) }),
    ...(parameters === undefined ? {} : { parameters: keysNow(renamed, parameters) }),
    ...(summary === undefined ? {} : { summary: { ...summary, rows: summary.rows.map(now), ...(summary.across === undefined ? {} : { across: now(summary.across) }) } }),
  }
}

export function reportOf({ metadata }: Services, id: string): ReportScreen {
  const screen = Object.hasOwn(metadata.screens, id) ? metadata.screens[id] : undefined
  return screen?.kind === 'report' ? screen : fail('NOT_FOUND.screen')
}

export function recipientsOf({ Recipients }: ReportSchedule): readonly number[] {
  return Recipients.map(({ ID }) => ID)
}

/** Columns of a schedule and its recipients, for `scheduleOf`. */
export const selected = sql`
  select s.*, coalesce((select jsonb_agg(jsonb_build_object('ID', u.id, 'Name', u.name, 'RoleName', r.name, 'IsLeftOut', x.is_left_out) order by u.name, u.id)
    from report_schedule_recipient x join app_user u on u.id = x.user_id join role r on r.id = u.role_id where x.schedule_id = s.id), '[]'::jsonb) as recipients
  from report_schedule s`

export function scheduleOf(row: Row): ReportSchedule {
  const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
  const problem = textOf(row['problem'])
  return {
    ID: Number(row['id']),
    Version: Number(row['version']),
    Name: String(row['name']),
    Request: row['request'] as ExportBody,
    Every: scheduleEvery.find((every) => every === row['every']) ?? 'DAY',
    Weekdays: (Array.isArray(row['weekdays']) ? row['weekdays'] : []).map(Number),
    MonthDay: Number(row['month_day']),
    At: String(row['at_time']),
    Zone: String(row['zone']),
    IsActive: row['is_active'] === true,
    NextAt: String(row['next_at']),
    LastAt: textOf(row['last_at']),
    LastState: scheduleStates.find((state) => state === row['last_state']) ?? null,
    Problem: problem === null ? null : said(JSON.parse(problem) as Sentence),
    Recipients: (row['recipients'] as readonly ScheduleRecipient[] | undefined) ?? [],
  }
}

/** The report must be one the user may export as asked, today. */
async function checkRequest(services: Services, user: User, request: ExportBody): Promise<ReportScreen> {
  const screen = reportOf(services, request.screen)
  await planExport(services, user, requestOn(request, screen, services.clock), new LocalTime())
  return screen
}

async function setRecipients({ tx, services }: CommandRun, screen: ReportScreen, id: number, userIds: readonly number[]): Promise<void> {
  const refused: number[] = []
  for (const userId of new Set(userIds)) if (!mayReceive(services, await loadUser(tx, userId), screen)) refused.push(userId)
  if (refused.length > 0) {
    const named = await tx.rows<{ name: string }>(sql`select name from app_user where id = any(${refused}::bigint[]) order by name, id`)
    invalid([named.length === 0 ? wrong('RecipientIDs', 'NOT_IN_SCOPE.recipient') : wrong('RecipientIDs', 'NOT_IN_SCOPE.recipients', { names: named.map(({ name }) => name).join(', ') })])
  }
  await tx.run(sql`delete from report_schedule_recipient where schedule_id = ${id}`)
  await tx.run(sql`insert into report_schedule_recipient (schedule_id, user_id) select ${id}, u from unnest(${[...new Set(userIds)]}::bigint[]) as u`)
}

async function readOne(queries: Queries, user: User, id: number): Promise<ReportSchedule> {
  const row = await queries.first(sql`${selected} where s.id = ${id} and s.owner_id = ${user.id}`)
  return row ? scheduleOf(row) : fail('NOT_FOUND.gone')
}

/** Of somebody else there are none. */
async function lockedSchedule(tx: Queries, user: User, id: number, version: number): Promise<ReportSchedule> {
  if (!(await tx.first(sql`select id from report_schedule where id = ${id} and owner_id = ${user.id} for update`))) return fail('NOT_FOUND.gone')
  const schedule = await readOne(tx, user, id)
  if (schedule.Version !== version) fail('VERSION_CONFLICT.schedule')
  return schedule
}

/** The permission to take the report out of the program. */
export function exportGuard(services: Services, screen: ReportScreen): string {
  return datasetGuard(services, screen).replace(/-view$/, '-export')
}

function datasetGuard({ metadata }: Services, screen: ReportScreen): string {
  return metadata.datasets[screen.dataset]?.guard ?? screen.guard
}

function timeIn({ Every, Weekdays, MonthDay, At, Zone }: ScheduleTime): ScheduleTime {
  return { Every, Weekdays, MonthDay, At, Zone }
}

/** All parts of the time; what a kind of schedule does not use has its plain value. */
function timeOf({ Every, Weekdays = [], MonthDay = 1, At, Zone }: Partial<ScheduleTime>): ScheduleTime {
  if (Every === undefined || At === undefined || Zone === undefined) return invalid(absent({ Every, At, Zone }))
  if (Every === 'WEEK' && Weekdays.length === 0) return invalid([wrong('Weekdays', 'REQUIRED')])
  return { Every, Weekdays: Every === 'WEEK' ? Weekdays.toSorted((a, b) => a - b) : [], MonthDay, At, Zone }
}

function absent(values: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [wrong(name, 'REQUIRED')] : []))
}

interface Input {
  readonly Name?: string
  readonly Request?: ExportBody
  readonly RecipientIDs?: readonly number[]
  readonly IsActive?: boolean
  readonly time: Partial<ScheduleTime>
}

function readBody(body: Readonly<Record<string, unknown>>): Input {
  const { Name: name, Request: request, RecipientIDs: recipients, IsActive: isActive, Every: every, Weekdays: weekdays, MonthDay: monthDay, At: at, Zone: zone, ...rest } = body
  const problems: FieldProblem[] = Object.keys(rest).map((key) => wrong(key.slice(0, 80), 'UNKNOWN_FIELD'))
  const check = (field: FieldProblem, value: unknown, isFine: boolean): void => void (value !== undefined && !isFine && problems.push(field))
  const isWhole = (value: unknown, most: number): value is number => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
  const trimmed = typeof name === 'string' ? name.trim() : ''
  check(wrong('Name', 'WRONG_TYPE.name', { limit: 80 }), name, trimmed !== '' && trimmed.length <= 80 && !trimmed.includes('\u0000'))
  check(wrong('Request', 'WRONG_TYPE.object'), request, typeof request === 'object' && request !== null && !Array.isArray(request))
  check(wrong('RecipientIDs', 'WRONG_TYPE.recipients', { limit: mostRecipients }), recipients, Array.isArray(recipients) && recipients.length > 0 && recipients.length <= mostRecipients && recipients.every((id) => isWhole(id, Number.MAX_SAFE_INTEGER)))
  check(wrong('IsActive', 'WRONG_TYPE.boolean'), isActive, typeof isActive === 'boolean')
  check(wrong('Every', 'NOT_A_CHOICE', { choices: scheduleEvery }), every, scheduleEvery.some((one) => one === every))
  check(wrong('Weekdays', 'WRONG_TYPE.weekdays'), weekdays, Array.isArray(weekdays) && weekdays.length <= 7 && weekdays.every((day) => isWhole(day, 7)))
  check(wrong('MonthDay', 'TOO_LARGE.between', { min: 1, max: 31 }), monthDay, isWhole(monthDay, 31))
  check(wrong('At', 'WRONG_TYPE.time'), at, typeof at === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(at))
  check(wrong('Zone', 'WRONG_TYPE.zone'), zone, typeof zone === 'string' && new LocalTime(zone).zone === zone)
  if (problems.length > 0) return invalid(problems)
  return {
    ...(name === undefined ? {} : { Name: trimmed }),
    ...(request === undefined ? {} : { Request: readExportBody(request as Readonly<Record<string, unknown>>) }),
    ...(recipients === undefined ? {} : { RecipientIDs: recipients as readonly number[] }),
    ...(typeof isActive === 'boolean' ? { IsActive: isActive } : {}),
    time: {
      ...(every === undefined ? {} : { Every: every as ScheduleTime['Every'] }),
      ...(weekdays === undefined ? {} : { Weekdays: [...new Set(weekdays as readonly number[])] }),
      ...(monthDay === undefined ? {} : { MonthDay: Number(monthDay) }),
      ...(at === undefined ? {} : { At: String(at) }),
      ...(zone === undefined ? {} : { Zone: String(zone) }),
    },
  }
}
