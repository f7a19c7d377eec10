import { useId, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { passwordRules, type PasswordRule } from '#api/password.ts'
import { t } from '../app/messages.ts'
import { passwordStrength, strengths } from '../app/passwordStrength.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import css from './NewPassword.module.css'
import { PasswordBox } from './PasswordBox.tsx'

export interface NewPasswordHandle {
  /** The password if it can be sent; otherwise says what is wrong and goes there. */
  check(): string | undefined
  /** What the server had to say about it. */
  refuse(text: string): void
}

interface NewPasswordProps {
  readonly ref: Ref<NewPasswordHandle>
  /** Name and address of the user: a password made of them is weak. */
  readonly own?: readonly string[]
  readonly autoFocus?: boolean
}

const rules = Object.keys(passwordRules).filter((rule): rule is PasswordRule => Object.hasOwn(passwordRules, rule))

/** A new password, twice, with its rules and its strength told as one types. */
export function NewPassword({ ref, own = [], autoFocus = false }: NewPasswordProps) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<string | undefined>()
  const isFit = rules.every((rule) => passwordRules[rule](password))
  const isSame = repeated === password

  useImperativeHandle(ref, () => ({
    check() {
      setTried(true)
      if (isFit && isSame) return password
      ;(isFit ? second : first).current?.focus()
      return undefined
    },
    refuse(text) {
      setRefused(text)
      first.current?.focus()
    },
  }))

  const errors = refused !== undefined ? [refused] : tried && !isFit ? [t('ui.password.unfit')] : []
  return (
    <>
      <div className={css['new']}>
        <PasswordBox
          ref={first}
          id={`${id}-new`}
          name="new-password"
          label={t('ui.password.new')}
          value={password}
          isNew
          autoFocus={autoFocus}
          errors={errors}
          onChange={(value) => {
            setPassword(value)
            setRefused(undefined)
          }}
        />
        <Strength password={password} own={own} />
        <ul className={css['rules']} aria-label={t('ui.password.rules')}>
          {rules.map((rule) => {
            const isMet = passwordRules[rule](password)
            return (
              <li key={rule} className={classes(isMet && css['met'])}>
                <Icon name={isMet ? 'check' : 'dot'} size={14} />
                {t(`ui.password.rule.${rule}`)}
                <span className="visually-hidden">{t(isMet ? 'ui.password.met' : 'ui.password.open')}</span>
              </li>
            )
          })}
          <li>
            <Icon name="info" size={14} />
            {t('ui.password.rule.history')}
          </li>
        </ul>
      </div>
      <PasswordBox
        ref={second}
        id={`${id}-repeat`}
        name="repeat-password"
        label={t('ui.password.repeat')}
        value={repeated}
        isNew
        errors={tried && isFit && !isSame ? [t('ui.password.differs')] : []}
        onChange={setRepeated}
      />
    </>
  )
}

function Strength({ password, own }: { readonly password: string; readonly own: readonly string[] }) {
  const strength = password === '' ? undefined : passwordStrength(password, own)
  const steps = strength === undefined ? 0 : strengths.indexOf(strength) + 1
  return (
    <div className={css['strength']}>
      <span className={css['bars']} aria-hidden="true">
        {strengths.map((step, i) => (
          <span key={step} className={classes(css['bar'], i < steps && css[strength ?? ''])} />
        ))}
      </span>
      <span className={css['word']} role="status">
        {strength === undefined ? '' : t('ui.password.strength', { strength: t(`ui.password.strength.${strength}`) })}
      </span>
    </div>
  )
}
