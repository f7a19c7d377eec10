import { useId, useRef, useState } from 'react'
import { speak, t } from '../app/messages.ts'
import { usePageName } from '../app/pageName.ts'
import { notify } from '../app/toasts.ts'
import type { ResetWay } from '#api/account.ts'
import { requestReset } from '../data/account.ts'
import { hasToken } from '../data/http.ts'
import { Button } from '../ui/Button.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { AccountFrame } from './AccountFrame.tsx'
import { AlreadySignedIn } from './AlreadySignedIn.tsx'

/** Asks for a mail that leads to a new password. */
export function ForgotPasswordPage() {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isSignedIn] = useState(hasToken)
  const [email, setEmail] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [way, setWay] = useState<ResetWay | undefined>()
  usePageName(t('ui.forgot.title'))
  if (isSignedIn) return <AlreadySignedIn />

  const isAddress = /^\S+@\S+$/.test(email.trim())
  const errors = tried && !isAddress ? [t('ui.sign-in.email-missing')] : []
  const submit = async () => {
    setTried(true)
    if (!isAddress) {
      field.current?.focus()
      return
    }
    setBusy(true)
    const answer = await requestReset(email.trim())
    setBusy(false)
    if (!answer.ok) {
      await notify({ tone: 'error', text: answer.problem.text })
      return
    }
    setWay(answer.value.way)
    await notify({ tone: 'success', text: t('ui.forgot.done') })
  }

  return (
    <AccountFrame onLanguage={(language) => void speak(language)}>
      <h1>{t('ui.forgot.title')}</h1>
      {way === 'link' ? (
        <p role="status">{t('ui.forgot.sent', { email: email.trim() })}</p>
      ) : way === 'code' ? (
        <Code email={email.trim()} />
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <p>{t('ui.forgot.text')}</p>
          <Field id={id} label={t('ui.sign-in.email')} errors={errors}>
            <input
              ref={field}
              id={id}
              className={input['input']}
              type="email"
              name="email"
              autoComplete="username"
              value={email}
              aria-invalid={errors.length > 0}
              aria-describedby={errors.length > 0 ? describedBy(id) : undefined}
              autoFocus
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <Button type="submit" look="primary" busy={isBusy}>
            {t('ui.forgot.submit')}
          </Button>
        </form>
      )}
      <a href="/pages/login">{t('ui.forgot.back')}</a>
    </AccountFrame>
  )
}

/** Takes the code of the mail to where the new password is set. */
function Code({ email }: { readonly email: string }) {
  const id = useId()
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const typed = code.trim()
  const errors = tried && typed === '' ? [t('ui.forgot.code-missing')] : []
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (typed !== '') location.assign(`/pages/reset-password/${encodeURIComponent(typed)}`)
      }}
    >
      <p role="status">{t('ui.forgot.sent-code', { email })}</p>
      <Field id={id} label={t('ui.forgot.code')} errors={errors}>
        <input
          id={id}
          className={input['input']}
          type="text"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          value={code}
          aria-invalid={errors.length > 0}
          aria-describedby={errors.length > 0 ? describedBy(id) : undefined}
          autoFocus
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <Button type="submit" look="primary">
        {t('ui.forgot.code-submit')}
      </Button>
    </form>
  )
}
