import type { Ref } from 'react'
import { describedBy, Field } from './Field.tsx'
import input from './input.module.css'
import { tooLong } from './tooLong.ts'

interface TextBoxProps {
  readonly id: string
  readonly label: string
  readonly value: string
  /** More than so many characters are told, never cut: `goToTooLong` before it is sent. */
  readonly longest: number
  /** A text of several lines. */
  readonly lines?: number
  readonly type?: 'text' | 'tel'
  readonly required?: boolean
  readonly hint?: string | undefined
  /** What else is wrong with it. */
  readonly errors?: readonly string[]
  readonly autoComplete?: string
  readonly autoFocus?: boolean
  readonly placeholder?: string
  /** Work in a dialog does not begin here. */
  readonly isAside?: boolean
  readonly box?: Ref<HTMLInputElement>
  readonly onChange: (text: string) => void
}

/** A text of limited length that is sent with others, with its label and what is wrong with it. */
export function TextBox({ id, label, value, longest, lines, type = 'text', required = false, hint, errors = [], autoComplete, autoFocus = false, placeholder, isAside = false, box, onChange }: TextBoxProps) {
  const long = tooLong(value, longest)
  const told = long === undefined ? errors : [long]
  const common = {
    id,
    className: input['input'],
    value,
    placeholder,
    autoFocus,
    'data-aside': isAside || undefined,
    'data-too-long': long === undefined ? undefined : true,
    'aria-required': required || undefined,
    'aria-invalid': told.length > 0 || undefined,
    'aria-describedby': told.length > 0 || hint !== undefined ? describedBy(id) : undefined,
  }
  return (
    <Field id={id} label={label} required={required} hint={hint} errors={told}>
      {lines === undefined ? (
        <input {...common} ref={box} type={type} autoComplete={autoComplete} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea {...common} rows={lines} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}
