import { useId, useRef, useState } from 'react'
import { speak, t } from '../app/messages.ts'
import { usePageName } from '../app/pageName.ts'
import { notify } from '../app/toasts.ts'
import { requestReset } from '../data/account.ts'
import { hasToken } from '../data/http.ts'
import { Button } from '../ui/Button.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { AccountFrame } from './AccountFrame.tsx'
import { AlreadySignedIn } from './AlreadySignedIn.tsx'

/** Asks for a link to a new password by mail. */
export function ForgotPasswordPage() {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isSignedIn] = useState(hasToken)
  const [email, setEmail] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [isSent, setSent] = useState(false)
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
    setSent(true)
    await notify({ tone: 'success', text: t('ui.forgot.done') })
  }

  return (
    <AccountFrame onLanguage={(language) => void speak(language)}>
      <h1>{t('ui.forgot.title')}</h1>
      {isSent ? (
        <p role="status">{t('ui.forgot.sent', { email: email.trim() })}</p>
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
