import { useRef, useState } from 'react'
import { speak, t } from '../app/messages.ts'
import { usePageName } from '../app/pageName.ts'
import { notify } from '../app/toasts.ts'
import { checkReset, resetPassword } from '../data/account.ts'
import { hasToken, type Refusal } from '../data/http.ts'
import { leaveNotice } from '../data/notice.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/States.tsx'
import { AccountFrame } from './AccountFrame.tsx'
import { AlreadySignedIn } from './AlreadySignedIn.tsx'
import { NewPassword, type NewPasswordHandle } from './NewPassword.tsx'

/** Sets the new password of whoever holds the link that was mailed. */
export function ResetPasswordPage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const [isSignedIn] = useState(hasToken)
  return isSignedIn ? <AlreadySignedIn /> : <Reset token={params['id'] ?? ''} />
}

function Reset({ token }: { readonly token: string }) {
  usePageName(t('ui.reset.title'))
  const { value, problem } = useAnswer(token, (signal) => checkReset(token, signal))
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const gone = refusal ?? problem
  return (
    <AccountFrame onLanguage={(language) => void speak(language)}>
      <h1>{t('ui.reset.title')}</h1>
      {gone !== undefined ? (
        <>
          <p role="alert">{gone.code === 'RESET_INVALID' ? t('problem.RESET_INVALID') : gone.text}</p>
          <a href="/pages/forgot-password">{t('ui.reset.again')}</a>
        </>
      ) : value === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <ResetForm token={token} onInvalid={setRefusal} />
      )}
      <a href="/pages/login">{t('ui.forgot.back')}</a>
    </AccountFrame>
  )
}

function ResetForm({ token, onInvalid }: { readonly token: string; readonly onInvalid: (refusal: Refusal) => void }) {
  const fields = useRef<NewPasswordHandle>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    const password = fields.current?.check()
    if (password === undefined) return
    setBusy(true)
    const answer = await resetPassword(token, password)
    setBusy(false)
    if (answer.ok) {
      leaveNotice('PASSWORD_CHANGED')
      location.assign('/pages/login')
      return
    }
    const { code, text, errors } = answer.problem
    const own = errors.find((error) => error.field === 'password')
    if (own !== undefined) fields.current?.refuse(own.text)
    else if (code === 'RESET_INVALID') onInvalid(answer.problem)
    else await notify({ tone: 'error', text })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p>{t('ui.reset.text')}</p>
      <NewPassword ref={fields} autoFocus />
      <Button type="submit" look="primary" busy={isBusy}>
        {t('ui.reset.submit')}
      </Button>
    </form>
  )
}
