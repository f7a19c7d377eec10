import { useState, type Ref } from 'react'
import { t } from '../app/messages.ts'
import { IconButton } from '../ui/Button.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import css from './LoginPage.module.css'

interface PasswordBoxProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly isNew?: boolean
  readonly errors: readonly string[]
  readonly name?: string
  readonly autoFocus?: boolean
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (value: string) => void
}

/** A password with an eye to see what one has typed. */
export function PasswordBox({ id, label, value, isNew = false, errors, name = 'password', autoFocus = false, ref, onChange }: PasswordBoxProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Field id={id} label={label} errors={errors}>
      <div className={css['secret']}>
        <input
          ref={ref}
          id={id}
          className={input['input']}
          type={isShown ? 'text' : 'password'}
          name={name}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          autoFocus={autoFocus}
          spellCheck={false}
          autoCapitalize="none"
          value={value}
          aria-invalid={errors.length > 0}
          aria-describedby={errors.length > 0 ? describedBy(id) : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        <IconButton icon="eye" label={t('ui.sign-in.show-password')} pressed={isShown} onClick={() => setShown(!isShown)} />
      </div>
    </Field>
  )
}
