import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { addDays, addMonths, endOfMonth, isDate, isKept, nearestKept } from '#base/date.ts'
import { t } from '../app/messages.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import css from './Calendar.module.css'
import { shownDay } from './entry.ts'
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
  const [before, after] = [nearestKept(addMonths(focused, -1)), nearestKept(addMonths(focused, 1))]
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
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'PageUp':
      return addMonths(day, -1)
    case 'PageDown':
      return addMonths(day, 1)
    case 'Home':
      return addDays(day, -weekday)
    case 'End':
      return addDays(day, 6 - weekday)
    default:
      return undefined
  }
}

/** Whole weeks, Monday first, that cover the month of the day. */
function weeksOf(day: DateText): readonly (readonly DateText[])[] {
  const first = `${day.slice(0, 7)}-01`
  const start = addDays(first, -((new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7))
  const last = endOfMonth(day)
  const weeks: DateText[][] = []
  for (let week = start; week <= last; week = addDays(week, 7)) weeks.push([0, 1, 2, 3, 4, 5, 6].map((n) => addDays(week, n)))
  return weeks
}
