import { useCallback, useEffect, useRef, useState } from 'react'
import { t } from '../../app/messages.ts'
import { zoneNote } from '../../app/saidTime.ts'
import { classes } from '../../ui/classes.ts'
import input from '../../ui/input.module.css'
import { DateInput } from '../DateInput.tsx'
import { instantOf, localMoment, parseTime } from './moment.ts'
import css from './widgets.module.css'
import type { HandIn } from '../heldBack.ts'
import type { WidgetProps } from './WidgetInput.tsx'

/** A day and a time of day where the business is, as moments are shown everywhere. */
export function MomentInput({ id, field, value, required, invalid, describedBy, onChange, onUnread, holdBack, start }: WidgetProps) {
  const moment = localMoment(value)
  const [text, setText] = useState<string | undefined>()
  const give = (day: string | null, time: string) => onChange(day === null || day === '' ? null : instantOf({ day, time }))
  const wrongTime = { key: 'ui.entry.time' } as const
  const flush = () => {
    if (text === undefined) return
    const time = parseTime(text)
    if (time === undefined) return onUnread(wrongTime)
    onUnread(undefined)
    setText(undefined)
    if (moment.day !== '' && time !== moment.time) give(moment.day, time)
  }
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  // One field of the form, two boxes: whichever is being typed into is handed in.
  const day = useRef<HandIn>(undefined)
  useEffect(
    () =>
      holdBack(() => {
        void day.current?.()
        latest.current()
      }),
    [holdBack],
  )
  const holdDay = useCallback((handIn: HandIn) => {
    day.current = handIn
    return () => undefined
  }, [])
  return (
    <div className={css['moment']}>
      <DateInput id={id} label={t(field.label)} value={moment.day} required={required} invalid={invalid} describedBy={describedBy} start={start} holdBack={holdDay} onUnread={(why, typed) => onUnread(why ?? (text !== undefined && parseTime(text) === undefined ? wrongTime : undefined), typed)} onChange={(day) => give(day, moment.time)} />
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label={t('ui.entry.timeOf', { field: t(field.label) })}
        title={zoneNote(value)}
        placeholder={t('ui.entry.timeFormat')}
        className={classes(input['input'], css['time'])}
        value={text ?? moment.time}
        disabled={moment.day === ''}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') flush()
        }}
        onBlur={flush}
      />
    </div>
  )
}
