import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { addDays, nearestKept } from '#base/date.ts'
import { today } from '../app/format.ts'
import { dateFormat } from '../app/constants.ts'
import input from '../ui/input.module.css'
import { classes } from '../ui/classes.ts'
import { CalendarButton } from './CalendarButton.tsx'
import css from './DateInput.module.css'
import { parseDay, readNames, shownDay } from './entry.ts'
import type { HoldBack } from './heldBack.ts'
import type { Message } from './message.ts'

interface DateInputProps {
  readonly id: string
  readonly label: string
  /** ISO day or ''. */
  readonly value: string
  readonly readOnly?: boolean
  readonly required?: boolean
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  /** Days the calendar offers; absent: all. */
  readonly allows?: ((day: string) => boolean) | undefined
  readonly onChange: (day: string | null) => void
  readonly onUnread: (message: Message | undefined, text?: string) => void
  /** Text that stands in it and is no value, from a draft. */
  readonly start?: string | undefined
  /** Hands over how typed text is read now, before saving. */
  readonly holdBack?: HoldBack
}

/** A day typed as DD/MM/YYYY (also 10-6, 100625, 10), or picked. Arrow up and down move by a day while the text is a day; Alt and arrow down open the calendar. */
export function DateInput(props: DateInputProps) {
  const { id, label, value, readOnly = false, invalid = false, describedBy, onChange, onUnread } = props
  const [text, setText] = useState(props.start)
  const read = (typed: string) => {
    const parsed = parseDay(typed, today())
    if (!parsed.ok) {
      void readNames(typed)?.then((isThere) => isThere && latest.current())
      return onUnread({ key: parsed.problem }, typed)
    }
    onUnread(undefined)
    setText(undefined)
    if (parsed.value !== (value === '' ? null : value)) onChange(parsed.value)
  }
  const flush = () => {
    if (text !== undefined) read(text)
  }
  const frame = useRef<HTMLDivElement>(null)
  const latest = useRef(flush)
  useEffect(() => {
    latest.current = flush
  })
  const { holdBack } = props
  useEffect(() => holdBack?.(() => latest.current()), [holdBack])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') flush()
    if (event.key === 'ArrowDown' && event.altKey) {
      event.preventDefault()
      frame.current?.querySelector('button')?.click()
    }
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (step === 0 || event.altKey) return
    const parsed = parseDay(text ?? value, today())
    if (!parsed.ok || parsed.value === null) return
    event.preventDefault()
    setText(undefined)
    onUnread(undefined)
    onChange(nearestKept(addDays(parsed.value, step)))
  }
  return (
    <div ref={frame} className={css['date']}>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder={readOnly ? undefined : dateFormat}
        className={classes(input['input'], css['box'])}
        readOnly={readOnly}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        aria-required={props.required === true || undefined}
        value={text ?? shownDay(value)}
        onChange={({ target }) => {
          void readNames(target.value)
          setText(target.value)
        }}
        onKeyDown={readOnly ? undefined : onKeyDown}
        onBlur={flush}
      />
      {!readOnly && (
        <CalendarButton
          label={label}
          value={value}
          allows={props.allows}
          onPick={(day) => {
            setText(undefined)
            onUnread(undefined)
            onChange(day)
          }}
        />
      )}
    </div>
  )
}
