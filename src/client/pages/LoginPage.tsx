import { useEffect, useId, useRef, useState } from 'react'
import type { SignInProvider } from '#api/account.ts'
import { errorToastMs, successToastMs } from '../app/constants.ts'
import { t, type Language } from '../app/messages.ts'
import { takeKeys } from '../app/earlyKeys.ts'
import { hideOverlay, showOverlay } from '../app/overlay.ts'
import { notify } from '../app/toasts.ts'
import { listProviders } from '../data/account.ts'
import { hasToken } from '../data/http.ts'
import type { Notice } from '../data/notice.ts'
import { signIn } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { AccountFrame } from './AccountFrame.tsx'
import css from './LoginPage.module.css'
import { PasswordBox } from './PasswordBox.tsx'

interface LoginPageProps {
  /** Why one has to sign in again. */
  readonly notice: Notice | undefined
  readonly onLanguage: (language: Language) => void
  /** Runs once the cookies are set; `email` is the address typed. */
  readonly onSignedIn: (email: string) => void
  /** Somebody is signed in already, in another window. */
  readonly onAlready: () => void
}

/** E-mail and password for a token. */
export function LoginPage({ notice, onLanguage, onSignedIn, onAlready }: LoginPageProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [email, setEmail] = useState(takeKeys)
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [providers, setProviders] = useState<readonly SignInProvider[]>([])
  useEffect(() => void listProviders().then(setProviders), [])
  const emailErrors = tried && !isAddress(email) ? [t('ui.sign-in.email-missing')] : []
  const passwordErrors = tried && password === '' ? [t('ui.sign-in.password-missing')] : []

  const submit = async () => {
    setTried(true)
    if (!isAddress(email) || password === '') {
      form.current?.querySelector<HTMLInputElement>(isAddress(email) ? '[name=password]' : '[name=email]')?.focus()
      return
    }
    if (hasToken()) {
      onAlready()
      return
    }
    setBusy(true)
    showOverlay()
    const answer = await signIn(email.trim(), password)
    setBusy(false)
    if (answer.ok) {
      onSignedIn(email)
      return
    }
    hideOverlay()
    const { code, text } = answer.problem
    await notify({ tone: 'error', title: t('ui.sign-in.error'), text, lasts: code === 'NETWORK' ? errorToastMs : successToastMs })
  }

  return (
    <AccountFrame onLanguage={onLanguage}>
      {notice !== undefined && (
        <p className={css['notice']} role="status">
          {t(`ui.sign-in.notice.${notice}`)}
        </p>
      )}
      <form
        ref={form}
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
        <PasswordBox id={`${id}-password`} label={t('ui.sign-in.password')} value={password} errors={passwordErrors} onChange={setPassword} />
        <Button type="submit" look="primary" busy={isBusy}>
          {t('ui.sign-in.submit')}
        </Button>
      </form>
      <a className={css['forgot']} href="/pages/forgot-password">
        {t('ui.sign-in.forgot')}
      </a>
      {providers.length > 0 && <span className={css['or']}>{t('ui.sign-in.or')}</span>}
      {providers.map((provider) => (
        <a key={provider.url} className={css['other']} href={provider.url}>
          {t('ui.sign-in.with', { name: provider.name })}
        </a>
      ))}
    </AccountFrame>
  )
}

function isAddress(text: string): boolean {
  return /^\S+@\S+$/.test(text)
}
