import { useEffect, useRef, useState, type HTMLInputTypeAttribute } from 'react'
import input from '../ui/input.module.css'
import { classes } from '../ui/classes.ts'
import { groupedNumber, isNumberKey, parseNumber, places, shownPlaces } from './entry.ts'
import type { FieldType } from '#meta/resolved.ts'
import type { Message } from './message.ts'

interface EntryProps {
  readonly id: string
  readonly value: string
  readonly readOnly?: boolean
  readonly required?: boolean
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly ariaLabel?: string | undefined
  readonly holdBack?: (flush: () => void) => () => void
  readonly className?: string | undefined
}

/**
 * Keeps what is typed to itself until the input is left, Enter is pressed or the form asks for it: a keystroke costs one input, not a form.
 * `take` reads the typed text and says whether it could.
 */
function useHeldText(value: string, take: (typed: string) => boolean, holdBack: EntryProps['holdBack']) {
  const [text, setText] = useState<string | undefined>()
  const latest = useRef<{ text: string | undefined; flush: () => void }>({ text, flush: () => undefined })
  const flush = () => {
    if (text === undefined) return
    if (take(text)) setText(undefined)
  }
  useEffect(() => {
    latest.current = { text, flush }
  })
  useEffect(() => holdBack?.(() => latest.current.flush()), [holdBack])
  return { text, setText, flush, shown: text ?? value }
}

interface TextEntryProps extends EntryProps {
  readonly type?: HTMLInputTypeAttribute
  readonly lines?: number
  readonly maxLength?: number | undefined
  readonly autoComplete?: string
  readonly onChange: (text: string) => void
}

/** One line of text, or several. */
export function TextEntry({ id, value, type = 'text', lines, maxLength, autoComplete = 'off', readOnly, required, invalid, describedBy, ariaLabel, holdBack, className, onChange }: TextEntryProps) {
  const held = useHeldText(
    value,
    (typed) => {
      if (typed !== value) onChange(typed)
      return true
    },
    holdBack,
  )
  const common = {
    id,
    className: classes(input['input'], className),
    value: held.shown,
    readOnly,
    maxLength,
    'aria-label': ariaLabel,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
    'aria-required': required || undefined,
    onBlur: held.flush,
  }
  if (lines !== undefined) return <textarea {...common} rows={lines} onChange={(event) => held.setText(event.target.value)} />
  return (
    <input
      {...common}
      type={type}
      autoComplete={autoComplete}
      onChange={(event) => held.setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') held.flush()
      }}
    />
  )
}

interface NumberEntryProps extends EntryProps {
  readonly type: FieldType
  readonly onChange: (value: string | null) => void
  readonly onUnread: (message: Message | undefined) => void
}

/** A decimal number: right-aligned, grouped by thousands while it rests, bare digits while it is edited; no wheel, no float. */
export function NumberEntry({ id, value, type, readOnly, required, invalid, describedBy, ariaLabel, holdBack, className, onChange, onUnread }: NumberEntryProps) {
  const [focused, setFocused] = useState(false)
  const decimals = places(type) ?? 0
  const held = useHeldText(
    value,
    (typed) => {
      const parsed = parseNumber(typed, decimals)
      if (!parsed.ok) {
        onUnread({ key: parsed.problem, params: { places: decimals } })
        return false
      }
      onUnread(undefined)
      if (parsed.value !== (value === '' ? null : value)) onChange(parsed.value)
      return true
    },
    holdBack,
  )
  const atRest = groupedNumber(value, shownPlaces(type))
  const bare = groupedNumber(value, 0).replaceAll(',', '')
  return (
    <input
      id={id}
      type="text"
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      className={classes(input['input'], input['number'], className)}
      readOnly={readOnly}
      aria-label={ariaLabel}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      aria-required={required || undefined}
      value={held.text ?? (focused && readOnly !== true ? bare : atRest)}
      onFocus={(event) => {
        const box = event.target
        setFocused(true)
        requestAnimationFrame(() => box.select())
      }}
      onChange={(event) => held.setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') held.flush()
        else if (!event.ctrlKey && !event.metaKey && !isNumberKey(event.key)) event.preventDefault()
      }}
      onBlur={() => {
        setFocused(false)
        held.flush()
      }}
    />
  )
}
