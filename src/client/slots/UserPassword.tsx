import { useEffect, useId, useRef, useState } from 'react'
import { t } from '../app/messages.ts'
import { say, type Message } from '../form/message.ts'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import css from './slots.module.css'
import type { SlotPart } from '../form/formState.ts'
import type { SlotProps } from './slots.ts'

/** First password of a new user, or a new one for an existing; left empty it stays. It is never kept in a draft. */
export function UserPassword({ session, readOnly }: SlotProps) {
  const id = useId()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Message | undefined>()
  const latest = useRef(password)
  useEffect(() => {
    latest.current = password
  })
  const isNew = session.isNew
  useEffect(() => {
    const part: SlotPart = {
      payload: () => (latest.current === '' ? {} : { Password: latest.current }),
      problems: () => {
        const found: Message | undefined = session.isNew && latest.current === '' ? { key: 'ui.password.first' } : undefined
        setProblem(found)
        return found === undefined ? [] : [found]
      },
      isDirty: () => latest.current !== '',
      draft: () => undefined,
      restore: () => undefined,
      load: () => {
        setPassword('')
        setProblem(undefined)
      },
      focus: () => document.getElementById(id)?.focus(),
      refuse: (problems) => {
        const own = problems.find((one) => one.field === 'Password')
        setProblem(own === undefined ? undefined : { text: own.text })
        return problems
      },
    }
    return session.register('user-password', part)
  }, [session, id])
  const errors = problem === undefined ? [] : [say(problem, t)]
  return (
    <div className={css['narrow']}>
      <Field id={id} label={t(isNew ? 'ui.password.initial' : 'ui.password.new')} required={isNew} hint={t(isNew ? 'ui.password.initialHint' : 'ui.password.newHint')} errors={errors}>
        <input
          id={id}
          type="password"
          autoComplete="new-password"
          className={input['input']}
          readOnly={readOnly}
          value={password}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={describedBy(id)}
          onChange={(event) => {
            latest.current = event.target.value
            setPassword(event.target.value)
            setProblem(undefined)
            session.touched()
          }}
        />
      </Field>
    </div>
  )
}
