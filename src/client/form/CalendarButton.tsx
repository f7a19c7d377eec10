import { Suspense } from 'react'
import { today } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import css from './DateInput.module.css'

const Calendar = lazy(async () => ({ default: (await import('./Calendar.tsx')).Calendar }))

interface CalendarButtonProps {
  /** Field or cell the day is for. */
  readonly label: string
  /** ISO day or ''. */
  readonly value: string
  /** Days the calendar offers; absent: all. */
  readonly allows?: ((day: string) => boolean) | undefined
  readonly onPick: (day: string) => void
}

/** Opens a calendar, at the end of the box a day is typed into. */
export function CalendarButton({ label, value, allows, onPick }: CalendarButtonProps) {
  return (
    <Popover label={t('ui.calendar.open', { field: label })} trigger={<Icon name="calendar" size={16} />} triggerClass={css['button']} align="end">
      {(close) => (
        <Suspense fallback={<div className={css['wait']} />}>
          <Calendar
            value={value}
            today={today()}
            allows={allows}
            onPick={(day) => {
              close()
              onPick(day)
            }}
          />
        </Suspense>
      )}
    </Popover>
  )
}
