import { useLayoutEffect, useRef, type HTMLInputTypeAttribute, type RefObject } from 'react'
import input from '../ui/input.module.css'
import { classes } from '../ui/classes.ts'
import { quietTyping } from './quietTyping.ts'
import { groupedNumber, hasNoThousands, numberKeys, numberMessage, parseNumber, parseRanged, parseUnsigned, places, shownPlaces } from './entry.ts'
import type { FieldType } from '#meta/resolved.ts'
import type { HoldBack } from './heldBack.ts'
import type { Message } from './message.ts'

interface EntryProps {
  readonly id: string
  readonly value: string
  readonly readOnly?: boolean
  readonly required?: boolean
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly ariaLabel?: string | undefined
  readonly holdBack?: HoldBack
  readonly className?: string | undefined
}

type Box = HTMLInputElement | HTMLTextAreaElement

interface HeldText<T extends Box> {
  readonly box: RefObject<T | null>
  /** Has the user typed since the value was last shown? */
  readonly isTyped: () => boolean
  readonly flush: () => void
}

/**
 * Keeps what is typed in the browser's own input until it is left, Enter is pressed or the form asks for it: a keystroke runs nothing of
 * ours. `take` reads the typed text and says whether it could; `shown` is what stands there otherwise.
 */
function useHeldText<T extends Box>(shown: string, take: (typed: string) => boolean, holdBack: EntryProps['holdBack'], accepts?: (key: string) => boolean, start?: string): HeldText<T> {
  const box = useRef<T>(null)
  const isTyped = useRef(start !== undefined)
  useLayoutEffect(() => {
    if (box.current !== null && !isTyped.current && box.current.value !== shown) box.current.value = shown
  })
  const flush = () => {
    if (box.current === null) return
    const typed = box.current.value
    if (!isTyped.current) return
    isTyped.current = !take(typed)
    box.current.value = isTyped.current ? typed : shown
  }
  const latest = useRef(flush)
  // As soon as it can be typed into: what is typed before it is heard of would be taken for nothing.
  useLayoutEffect(() => {
    latest.current = flush
  })
  useLayoutEffect(() => holdBack?.(() => latest.current()), [holdBack])
  useLayoutEffect(() => {
    const typed = () => {
      isTyped.current = true
    }
    return box.current === null ? undefined : quietTyping(box.current, accepts === undefined ? { typed } : { typed, accepts })
  }, [accepts])
  return { box, isTyped: () => isTyped.current, flush }
}

interface TextEntryProps extends EntryProps {
  readonly type?: HTMLInputTypeAttribute
  readonly lines?: number
  readonly autoComplete?: string
  readonly onChange: (text: string) => void
}

/** One line of text, or several. */
export function TextEntry({ id, value, type = 'text', lines, autoComplete = 'off', readOnly, required, invalid, describedBy, ariaLabel, holdBack, className, onChange }: TextEntryProps) {
  const held = useHeldText<Box>(
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
    defaultValue: value,
    readOnly,
    'aria-label': ariaLabel,
    'aria-invalid': invalid || undefined,
    'aria-describedby': describedBy,
    'aria-required': required || undefined,
    onBlur: held.flush,
  }
  if (lines !== undefined) return <textarea {...common} ref={held.box as RefObject<HTMLTextAreaElement | null>} rows={lines} />
  return (
    <input
      {...common}
      ref={held.box as RefObject<HTMLInputElement | null>}
      type={type}
      autoComplete={autoComplete}
      onKeyDown={(event) => {
        if (event.key === 'Enter') held.flush()
      }}
    />
  )
}

interface NumberEntryProps extends EntryProps {
  readonly type: FieldType
  /** A minus is taken; otherwise only digits and the dot are. */
  readonly signed?: boolean
  /** The 'between' rule is asked for: everything except digits and the dot is removed from it. */
  readonly ranged?: boolean
  /** How what was typed is written here; absent: it is written so already. */
  readonly reads?: (typed: string) => string
  /** What is wrong with a number that was read: it stays as it was typed, and is not taken. */
  readonly check?: (value: string) => Message | undefined
  readonly onChange: (value: string | null) => void
  readonly onUnread: (message: Message | undefined, text?: string) => void
  /** Text that stands in it and is no value, from a draft. */
  readonly start?: string | undefined
}

/** A decimal number: right-aligned, grouped by thousands while it rests, bare digits while it is edited; no wheel, no float. */
export function NumberEntry({ id, value, type, signed = false, ranged = false, reads, check, readOnly, required, invalid, describedBy, ariaLabel, holdBack, start, className, onChange, onUnread }: NumberEntryProps) {
  const isFocused = useRef(false)
  const decimals = places(type) ?? 0
  const atRest = groupedNumber(value, shownPlaces(type))
  const bare = groupedNumber(value, 0).replaceAll(',', '')
  const held = useHeldText<HTMLInputElement>(
    isFocused.current && readOnly !== true ? bare : atRest,
    (typed) => {
      const written = reads ? reads(typed) : typed
      const parsed = (ranged ? parseRanged : signed ? parseNumber : parseUnsigned)(written, decimals, written !== typed || hasNoThousands(type))
      if (!parsed.ok) {
        onUnread(numberMessage(parsed.problem, typed.trim(), decimals), typed)
        return false
      }
      const problem = parsed.value === null ? undefined : check?.(parsed.value)
      onUnread(problem, typed)
      if (problem !== undefined) return false
      if (parsed.value !== (value === '' ? null : value)) onChange(parsed.value)
      return true
    },
    holdBack,
    numberKeys[reads ? 'either' : signed ? 'signed' : 'unsigned'],
    start,
  )
  return (
    <input
      ref={held.box}
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
      defaultValue={start ?? atRest}
      onFocus={(event) => {
        const box = event.target
        isFocused.current = true
        if (!held.isTyped() && readOnly !== true) box.value = bare
        // At once for the next key; again after the click that gave the focus has placed its caret.
        box.select()
        requestAnimationFrame(() => {
          if (document.activeElement === box && !held.isTyped()) box.select()
        })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') held.flush()
      }}
      onBlur={(event) => {
        isFocused.current = false
        held.flush()
        if (!held.isTyped()) event.target.value = atRest
      }}
    />
  )
}
