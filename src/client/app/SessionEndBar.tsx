import { useId, useState } from 'react'
import { signInAgain } from '../data/session.ts'
import { PasswordBox } from '../pages/PasswordBox.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import input from '../ui/input.module.css'
import { t } from './messages.ts'
import { saidClock } from './saidTime.ts'
import css from './SessionEndBar.module.css'
import { notify } from './toasts.ts'

/** The session is about to end: when, and how to go on without losing one's place. */
export function SessionEndBar({ email, expiresAt }: { readonly email: string; readonly expiresAt: string }) {
  const [isHidden, setHidden] = useState(false)
  const [isAsking, setAsking] = useState(false)
  if (isHidden) return null
  const at = saidClock(expiresAt)
  return (
    <div className={css['bar']} role="status">
      <span>{t('ui.session-end.text', { at })}</span>
      <Button look="primary" onClick={() => setAsking(true)}>
        {t('ui.session-end.stay')}
      </Button>
      <IconButton icon="close" label={t('ui.close')} onClick={() => setHidden(true)} />
      {isAsking && <StayDialog email={email} onClose={() => setAsking(false)} />}
    </div>
  )
}

function StayDialog({ email, onClose }: { readonly email: string; readonly onClose: () => void }) {
  const id = useId()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    if (password === '') {
      setProblem(t('ui.sign-in.password-missing'))
      return
    }
    setBusy(true)
    const answer = await signInAgain(email, password)
    setBusy(false)
    if (answer.ok) void notify({ tone: 'success', text: t('ui.session-end.done') })
    else setProblem(answer.problem.text)
  }
  return (
    <Dialog
      title={t('ui.session-end.stay')}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t('ui.sign-in.submit')}
          </Button>
        </>
      }
    >
      <div className={input['stack']}>
        <p>{t('ui.session-end.ask', { email })}</p>
        <PasswordBox id={id} label={t('ui.sign-in.password')} value={password} errors={problem === undefined ? [] : [problem]} onChange={setPassword} />
      </div>
    </Dialog>
  )
}
