import { useId, useRef, useState } from 'react'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { signIn } from '../data/session.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import css from './LoginPage.module.css'

/** E-mail and password for a token; `onSignedIn` runs once the cookies are set. */
export function LoginPage({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isShown, setShown] = useState(false)
  const [tried, setTried] = useState(false)
  const emailErrors = tried && !/^\S+@\S+$/.test(email) ? [t('ui.sign-in.email-missing')] : []
  const passwordErrors = tried && password === '' ? [t('ui.sign-in.password-missing')] : []

  const submit = async () => {
    setTried(true)
    if (!/^\S+@\S+$/.test(email) || password === '') {
      form.current?.querySelector<HTMLInputElement>(email === '' ? '[type=email]' : 'input:invalid, [name=password]')?.focus()
      return
    }
    setBusy(true)
    const answer = await signIn(email.trim(), password)
    setBusy(false)
    if (answer.ok) {
      onSignedIn()
      return
    }
    const { code, text } = answer.problem
    await notify({ tone: 'error', title: t('ui.sign-in.error'), text, lasts: code === 'NETWORK' ? 2500 : 3500 })
  }

  return (
    <main className={css['page']}>
      <div className={css['brand']}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <span className={css['name']}>Arus</span>
        <p className={css['claim']}>{t('ui.sign-in.claim')}</p>
      </div>
      <form
        ref={form}
        className={css['card']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <h1>{t('ui.sign-in.title')}</h1>
        <Field id={`${id}-email`} label={t('ui.sign-in.email')} errors={emailErrors}>
          <input
            id={`${id}-email`}
            className={input['input']}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            aria-invalid={emailErrors.length > 0}
            aria-describedby={emailErrors.length > 0 ? describedBy(`${id}-email`) : undefined}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has this one purpose
            autoFocus
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field id={`${id}-password`} label={t('ui.sign-in.password')} errors={passwordErrors}>
          <div className={css['secret']}>
            <input
              id={`${id}-password`}
              className={input['input']}
              type={isShown ? 'text' : 'password'}
              name="password"
              autoComplete="current-password"
              value={password}
              aria-invalid={passwordErrors.length > 0}
              aria-describedby={passwordErrors.length > 0 ? describedBy(`${id}-password`) : undefined}
              onChange={(event) => setPassword(event.target.value)}
            />
            <IconButton icon="eye" label={t('ui.sign-in.show-password')} pressed={isShown} onClick={() => setShown(!isShown)} />
          </div>
        </Field>
        <Button type="submit" look="primary" busy={isBusy}>
          {t('ui.sign-in.submit')}
        </Button>
      </form>
    </main>
  )
}
