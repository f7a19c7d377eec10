import { useId, useState } from 'react'
import { exportFormats, type ExportBody, type ExportFormat } from '#api/export.ts'
import { movingDay, movingText, scheduleEvery, type ReportSchedule, type ScheduleRecipient, type ScheduleTime } from '#api/schedule.ts'
import { businessZone } from '#base/businessZone.ts'
import { days } from '#meta/day.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { formatDate } from '../app/format.ts'
import { t } from '../app/messages.ts'
import type { Refusal } from '../data/http.ts'
import { isText, isTrueOrFalse, useTyped, useTypedPart } from '../data/useTyped.ts'
import { readParameters } from '../pages/reportState.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { FieldRow, Tick, Ticks } from '../ui/Records.tsx'
import { TextBox } from '../ui/TextBox.tsx'
import { RecipientPicker } from './RecipientPicker.tsx'
import { createSchedule, recipientsFor, saveSchedule, weekdayName } from './schedules.ts'
import { timeText } from './timeText.ts'
import css from './Schedule.module.css'

interface ScheduleFormProps {
  readonly screen: ReportScreen
  readonly seen: ((format: ExportFormat) => ExportBody) | undefined
  /** The one to change; undefined: a new one. */
  readonly schedule: ReportSchedule | undefined
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}

const morning: Omit<ScheduleTime, 'Zone'> = { Every: 'WEEK', Weekdays: [1], MonthDay: 1, At: '07:00' }
const week = [1, 2, 3, 4, 5, 6, 7] as const

/** When a report goes out, to whom, as what, and on which days it looks. */
export function ScheduleForm({ screen, seen, schedule, onSaved, onClose }: ScheduleFormProps) {
  const id = useId()
  const typed = useTyped(`schedule.${screen.id}`, schedule === undefined ? [] : [schedule])
  const [name, setName] = useTypedPart(typed, 'name', schedule?.Name ?? t(screen.title), isText)
  const [time, setTime] = useTypedPart<ScheduleTime>(typed, 'time', timeOf(schedule ?? { ...morning, Zone: businessZone }), isTime)
  const [format, setFormat] = useTypedPart<ExportFormat>(typed, 'format', schedule?.Request.format ?? 'xlsx', isFormat)
  const [isAnew, setAnew] = useTypedPart(typed, 'anew', schedule === undefined, isTrueOrFalse)
  const [moved, setMoved] = useTypedPart<Readonly<Record<string, string>>>(typed, 'days', {}, isWords)
  const [people, setPeople] = useTypedPart<readonly ScheduleRecipient[]>(typed, 'people', schedule?.Recipients ?? [], arePeople)
  const [problem, setProblem] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const request = isAnew ? (seen === undefined ? undefined : withMovingDays(screen, seen(format))) : schedule && { ...schedule.Request, format, hasTotals: format === 'xlsx' }
  const dates = screen.parameters.filter(({ type, name: parameter }) => type === 'date' && request?.parameters?.[parameter] !== undefined)
  const errorsOf = (...fields: readonly string[]) => problem?.errors.filter(({ field }) => fields.includes(field)).map(({ text }) => text) ?? []
  const known = new Set(['Name', 'At', 'Weekdays', 'MonthDay', 'RecipientIDs', ...dates.map((date) => date.name)])
  const others = problem === undefined ? undefined : (problem.errors.find(({ field }) => !known.has(field))?.text ?? (problem.errors.length === 0 ? problem.text : undefined))
  const save = async () => {
    if (request === undefined) return undefined
    setBusy(true)
    const { Every, Weekdays, MonthDay, Zone } = time
    const At = timeText(time.At)
    const body = { Name: name.trim(), Request: { ...request, parameters: { ...request.parameters, ...moved } }, Every, Weekdays, MonthDay, At, Zone, RecipientIDs: people.map(({ ID }) => ID), ...(schedule === undefined ? {} : { IsActive: true }) }
    const answer = await (schedule === undefined ? createSchedule(body) : saveSchedule(schedule, body))
    setBusy(false)
    if (!answer.ok) return setProblem(answer.problem)
    typed.forget()
    return onSaved(answer.value.record.Name)
  }
  // Days chosen for one report mean nothing in another.
  const takeAnew = (isWanted: boolean) => {
    setAnew(isWanted)
    setMoved({})
  }
  const leave = () => {
    typed.forget()
    onClose()
  }
  return (
    <Dialog
      title={t(schedule === undefined ? 'schedule.new' : 'schedule.change')}
      onClose={leave}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={leave}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary" icon="save" busy={isBusy} disabled={request === undefined}>
            {t('ui.save')}
          </Button>
        </>
      }
    >
      <div className={input['stack']}>
        <TextBox id={`${id}-name`} label={t('schedule.name')} required errors={errorsOf('Name')} longest={80} value={name} onChange={setName} />
        <FieldRow>
          <Field id={`${id}-every`} label={t('schedule.every')}>
            <select id={`${id}-every`} className={input['input']} value={time.Every} onChange={(event) => setTime({ ...time, Every: scheduleEvery.find((one) => one === event.target.value) ?? 'DAY' })}>
              {scheduleEvery.map((every) => (
                <option key={every} value={every}>
                  {t(`schedule.every.${every}`)}
                </option>
              ))}
            </select>
          </Field>
          {time.Every === 'MONTH' && (
            <Field id={`${id}-day`} label={t('schedule.month-day')} hint={time.MonthDay > 28 ? t('schedule.last-day') : undefined} errors={errorsOf('MonthDay')}>
              <select id={`${id}-day`} className={input['input']} value={time.MonthDay} onChange={(event) => setTime({ ...time, MonthDay: Number(event.target.value) })}>
                {Array.from({ length: 31 }, (_, i) => (
                  <option key={i} value={i + 1}>
                    {i + 1}
                  </option>
                ))}
              </select>
            </Field>
          )}
          <Field id={`${id}-at`} label={t('schedule.at')} hint={time.Zone} errors={errorsOf('At')}>
            <input
              id={`${id}-at`}
              className={input['input']}
              inputMode="numeric"
              autoComplete="off"
              placeholder="00:00"
              required
              value={time.At}
              aria-invalid={errorsOf('At').length > 0}
              aria-describedby={describedBy(`${id}-at`)}
              onChange={(event) => setTime({ ...time, At: event.target.value })}
              onBlur={() => setTime({ ...time, At: timeText(time.At) })}
            />
          </Field>
          <Field id={`${id}-format`} label={t('schedule.format')}>
            <select id={`${id}-format`} className={input['input']} value={format} onChange={(event) => setFormat(exportFormats.find((one) => one === event.target.value) ?? 'xlsx')}>
              {exportFormats.map((one) => (
                <option key={one} value={one}>
                  {one === 'xlsx' ? 'Excel' : 'CSV'}
                </option>
              ))}
            </select>
          </Field>
        </FieldRow>
        {time.Every === 'WEEK' && (
          <Ticks legend={t('schedule.weekdays')}>
            {week.map((day) => (
              <Tick
                key={day}
                title={weekdayName(day, 'long')}
                isOn={time.Weekdays.includes(day)}
                onChange={(isOn) => setTime({ ...time, Weekdays: isOn ? [...time.Weekdays, day] : time.Weekdays.filter((one) => one !== day) })}
              >
                {weekdayName(day, 'short')}
              </Tick>
            ))}
            {errorsOf('Weekdays').map((text) => (
              <p key={text} role="alert" className={input['problem']}>
                {text}
              </p>
            ))}
          </Ticks>
        )}
        {dates.length > 0 && (
          <FieldRow>
            {dates.map((date) => {
              const given = request?.parameters?.[date.name] ?? ''
              const value = moved[date.name] ?? given
              return (
                <Field key={date.name} id={`${id}-${date.name}`} label={t(date.label)} errors={errorsOf(date.name)}>
                  <select id={`${id}-${date.name}`} className={input['input']} value={value} onChange={(event) => setMoved({ ...moved, [date.name]: event.target.value })}>
                    {movingDay(given) === undefined && <option value={given}>{t('schedule.always', { day: formatDate(given) })}</option>}
                    {days.map((day) => (
                      <option key={day} value={movingText(day)}>
                        {t(`schedule.day.${day}`)}
                      </option>
                    ))}
                  </select>
                </Field>
              )
            })}
          </FieldRow>
        )}
        <RecipientPicker question={screen.id} find={(search, signal) => recipientsFor(screen.id, search, signal)} chosen={people} onChange={setPeople} errors={errorsOf('RecipientIDs')} />
        {schedule !== undefined && seen !== undefined && (
          <Tick isOn={isAnew} onChange={takeAnew}>
            {t('schedule.anew')}
          </Tick>
        )}
        <p className={css['hint']}>{t(isAnew ? 'schedule.as-seen' : 'schedule.as-kept')}</p>
        {others !== undefined && (
          <p role="alert" className={input['problem']}>
            {others}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** Days that stand as the report opens go on moving. */
function withMovingDays(screen: ReportScreen, body: ExportBody): ExportBody {
  const opened = readParameters(screen, new URLSearchParams())
  const parameters = Object.entries(body.parameters ?? {}).map(([name, value]) => {
    const preset = screen.parameters.find((parameter) => parameter.name === name)
    const opens = preset?.defaultValue ?? preset?.default
    return [name, typeof opens === 'object' && 'now' in opens && opened[name] === value ? movingText(opens.now) : value] as const
  })
  return { ...body, parameters: Object.fromEntries(parameters) }
}

function timeOf({ Every, Weekdays, MonthDay, At, Zone }: ScheduleTime): ScheduleTime {
  return { Every, Weekdays, MonthDay, At, Zone }
}

const isFormat = (kept: unknown): kept is ExportFormat => exportFormats.some((format) => format === kept)
const isWords = (kept: unknown): kept is Readonly<Record<string, string>> => typeof kept === 'object' && kept !== null && Object.values(kept).every(isText)
const areNumbers = (kept: unknown): boolean => Array.isArray(kept) && kept.every((one) => typeof one === 'number')

function isTime(kept: unknown): kept is ScheduleTime {
  if (typeof kept !== 'object' || kept === null || !('Every' in kept && 'Weekdays' in kept && 'MonthDay' in kept && 'At' in kept && 'Zone' in kept)) return false
  return scheduleEvery.some((every) => every === kept.Every) && areNumbers(kept.Weekdays) && typeof kept.MonthDay === 'number' && isText(kept.At) && isText(kept.Zone)
}

function arePeople(kept: unknown): kept is readonly ScheduleRecipient[] {
  return Array.isArray(kept) && kept.every((one: unknown) => typeof one === 'object' && one !== null && 'ID' in one && typeof one.ID === 'number' && 'Name' in one && isText(one.Name) && 'RoleName' in one && isText(one.RoleName))
}
