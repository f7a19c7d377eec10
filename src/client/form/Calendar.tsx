import type { Dayjs } from 'dayjs'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { isDate, isKept, nearestKept } from '#base/date.ts'
import { t } from '../app/messages.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import css from './Calendar.module.css'
import { shownDay } from './entry.ts'
import { utc } from './utc.ts'
import type { DateText } from '#base/date.ts'

interface CalendarProps {
  /** ISO day or ''. */
  readonly value: string
  readonly today: DateText
  /** Days that may be picked; absent: all that are kept. The others can be walked over. */
  readonly allows?: ((day: DateText) => boolean) | undefined
  readonly onPick: (day: DateText) => void
}

/** One month of days, weeks from Monday. Arrows move, Page Up and Down by a month, Home and End to the ends of the week, Enter picks. */
export function Calendar({ value, today, allows, onPick }: CalendarProps) {
  const isOff = (day: DateText) => allows?.(day) === false
  const [focused, setFocused] = useState<DateText>(nearestKept(isDate(value) ? value : today))
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [focused])
  const onKeyDown = (event: KeyboardEvent) => {
    const to = target(event.key, focused)
    if (to === undefined) return
    event.preventDefault()
    setFocused(nearestKept(to))
  }
  const weeks = weeksOf(focused)
  const [before, after] = [nearestKept(dayText(utc(focused).subtract(1, 'month'))), nearestKept(dayText(utc(focused).add(1, 'month')))]
  const month = new Intl.DateTimeFormat(document.documentElement.lang || 'en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(`${focused}T00:00:00Z`))
  const weekday = new Intl.DateTimeFormat(document.documentElement.lang || 'en', { weekday: 'short', timeZone: 'UTC' })
  return (
    <div className={css['calendar']}>
      <div className={css['head']}>
        <IconButton icon="left" label={t('ui.calendar.previous')} disabled={before.slice(0, 7) === focused.slice(0, 7)} onClick={() => setFocused(before)} />
        <span aria-live="polite">{month}</span>
        <IconButton icon="right" label={t('ui.calendar.next')} disabled={after.slice(0, 7) === focused.slice(0, 7)} onClick={() => setFocused(after)} />
      </div>
      <table ref={table} role="grid" aria-label={month} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col">
                {weekday.format(Date.parse(`${day}T00:00:00Z`))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} aria-selected={day === value}>
                  <button
                    type="button"
                    disabled={!isKept(day)}
                    tabIndex={day === focused ? 0 : -1}
                    aria-label={shownDay(day)}
                    aria-current={day === today ? 'date' : undefined}
                    className={classes(css['day'], day.slice(0, 7) !== focused.slice(0, 7) && css['other'], day === value && css['chosen'], day === today && css['today'])}
                    aria-disabled={isOff(day) || undefined}
                    onClick={() => {
                      if (!isOff(day)) onPick(day)
                    }}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className={css['now']} disabled={isOff(today)} onClick={() => onPick(today)}>
        {t('ui.calendar.today')}
      </button>
    </div>
  )
}

function target(key: string, day: DateText): DateText | undefined {
  const at = utc(day)
  switch (key) {
    case 'ArrowLeft':
      return dayText(at.subtract(1, 'day'))
    case 'ArrowRight':
      return dayText(at.add(1, 'day'))
    case 'ArrowUp':
      return dayText(at.subtract(1, 'week'))
    case 'ArrowDown':
      return dayText(at.add(1, 'week'))
    case 'PageUp':
      return dayText(at.subtract(1, 'month'))
    case 'PageDown':
      return dayText(at.add(1, 'month'))
    case 'Home':
      return dayText(monday(at))
    case 'End':
      return dayText(monday(at).add(6, 'day'))
    default:
      return undefined
  }
}

/** Whole weeks, Monday first, that cover the month of the day. */
function weeksOf(day: DateText): readonly (readonly DateText[])[] {
  const last = utc(day).endOf('month')
  const weeks: DateText[][] = []
  for (let week = monday(utc(day).startOf('month')); !week.isAfter(last); week = week.add(1, 'week')) weeks.push([0, 1, 2, 3, 4, 5, 6].map((n) => dayText(week.add(n, 'day'))))
  return weeks
}

function monday(at: Dayjs): Dayjs {
  return at.subtract((at.day() + 6) % 7, 'day')
}

function dayText(at: Dayjs): DateText {
  return at.format('YYYY-MM-DD')
}
