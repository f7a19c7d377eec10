import { useEffect, useRef, useState } from 'react'
import { isKept, nearestKept } from '#base/date.ts'
import { today } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { classes } from '../../ui/classes.ts'
import input from '../../ui/input.module.css'
import dateCss from '../DateInput.module.css'
import { readNames } from '../entry.ts'
import { monthAfter, monthOf, monthValue, parseMonth, shownMonth } from './month.ts'
import css from './widgets.module.css'
import type { WidgetProps } from './WidgetInput.tsx'

interface MonthInputProps extends Omit<WidgetProps, 'field' | 'holdBack'> {
  readonly field: Pick<WidgetProps['field'], 'label' | 'type'>
  readonly holdBack?: WidgetProps['holdBack']
}

/** A month typed as MM/YYYY or picked; arrow up and down move by a month. */
export function MonthInput({ id, field, value, readOnly, required, invalid, describedBy, onChange, onUnread, holdBack, start }: MonthInputProps) {
  const [text, setText] = useState(start)
  const month = typeof value === 'string' ? monthOf(value) : undefined
  const give = (next: string | null) => {
    setText(undefined)
    onUnread(undefined)
    const travelling = next === null ? null : monthValue(next, field.type)
    if (travelling !== (value === '' || value === undefined ? null : value)) onChange(travelling)
  }
  const flush = () => {
    if (text === undefined) return
    const parsed = parseMonth(text, today())
    if (parsed === undefined) {
      void readNames(text)?.then((isThere) => isThere && latest.current())
      onUnread({ key: 'ui.entry.month' }, text)
    } else give(parsed)
  }
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  useEffect(() => holdBack?.(() => latest.current()), [holdBack])
  return (
    <div className={dateCss['date']}>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder={readOnly ? undefined : t('ui.entry.monthFormat')}
        className={classes(input['input'], dateCss['box'])}
        readOnly={readOnly}
        aria-required={required || undefined}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        value={text ?? shownMonth(month)}
        onChange={({ target }) => {
          void readNames(target.value)
          setText(target.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') flush()
          const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
          const from = text === undefined ? month : parseMonth(text, today())
          if (readOnly || step === 0 || event.altKey || from === undefined || from === null) return
          event.preventDefault()
          give(monthAfter(from, step))
        }}
        onBlur={flush}
      />
      {!readOnly && (
        <Popover label={t('ui.calendar.open', { field: t(field.label) })} trigger={<Icon name="calendar" size={16} />} triggerClass={dateCss['button']} align="end">
          {(close) => (
            <Months
              month={month}
              onPick={(next) => {
                give(next)
                close()
              }}
            />
          )}
        </Popover>
      )}
    </div>
  )
}

function Months({ month, onPick }: { readonly month: string | undefined; readonly onPick: (month: string) => void }) {
  const [year, setYear] = useState(Number(nearestKept(month ?? today()).slice(0, 4)))
  const name = new Intl.DateTimeFormat(document.documentElement.lang || 'en', { month: 'short', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, '0')}-01`)
  return (
    <div className={css['months']}>
      <div>
        <IconButton icon="left" label={t('ui.calendar.previousYear')} disabled={!hasMonths(year - 1)} onClick={() => setYear(year - 1)} />
        <span aria-live="polite">{year}</span>
        <IconButton icon="right" label={t('ui.calendar.nextYear')} disabled={!hasMonths(year + 1)} onClick={() => setYear(year + 1)} />
      </div>
      <div>
        {months.map((one) => (
          <button key={one} type="button" aria-pressed={one === month} aria-label={shownMonth(one)} onClick={() => onPick(one)}>
            {name.format(Date.parse(`${one}T00:00:00Z`))}
          </button>
        ))}
      </div>
    </div>
  )
}

function hasMonths(year: number): boolean {
  return isKept(`${year}-01-01`)
}
