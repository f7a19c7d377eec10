import { useAtomValue } from 'jotai'
import { useId, useRef, useState } from 'react'
import { useHistory } from '../app/historyContext.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { changePassword } from '../data/profile.ts'
import { reloadSession, sessionAtom } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { NewPassword, type NewPasswordHandle } from './NewPassword.tsx'
import { PasswordBox } from './PasswordBox.tsx'
import css from './ProfileForm.module.css'

/** The old password once, the new one twice. Other sessions end. */
export function ChangePasswordPage() {
  const id = useId()
  const history = useHistory()
  const user = useAtomValue(sessionAtom)?.user
  const fields = useRef<NewPasswordHandle>(null)
  const oldField = useRef<HTMLInputElement>(null)
  const [old, setOld] = useState('')
  const [oldProblem, setOldProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)

  const submit = async () => {
    if (old === '') {
      setOldProblem(t('ui.password.old-missing'))
      oldField.current?.focus()
      return
    }
    const next = fields.current?.check()
    if (next === undefined) return
    setBusy(true)
    const answer = await changePassword(old, next)
    setBusy(false)
    if (!answer.ok) {
      const { errors, text } = answer.problem
      const aboutOld = errors.find((error) => error.field === 'old_password')
      const aboutNew = errors.find((error) => error.field === 'new_password')
      if (aboutOld !== undefined) {
        setOldProblem(aboutOld.text)
        oldField.current?.focus()
      }
      if (aboutNew !== undefined) fields.current?.refuse(aboutNew.text)
      if (errors.length === 0) await notify({ tone: 'error', text })
      return
    }
    // The date of the change decides what may be opened.
    await reloadSession()
    void notify({ tone: 'success', text: t('ui.password.changed') })
    history.push('/profile')
  }

  return (
    <form
      className={`${css['form']} ${css['narrow']}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h1>{t('page.change-password')}</h1>
      <div className={css['section']}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordBox
          ref={oldField}
          id={`${id}-old`}
          name="old-password"
          label={t('ui.password.old')}
          value={old}
          autoFocus
          errors={oldProblem === undefined ? [] : [oldProblem]}
          onChange={(value) => {
            setOld(value)
            setOldProblem(undefined)
          }}
        />
        <NewPassword ref={fields} own={[user?.name ?? '', user?.email ?? '']} />
        <p className={css['about']}>{t('ui.password.ends-others')}</p>
      </div>
      <footer className={css['foot']}>
        <Button onClick={() => history.push('/profile')}>{t('ui.cancel')}</Button>
        <Button type="submit" look="primary" busy={isBusy}>
          {t('ui.password.submit')}
        </Button>
      </footer>
    </form>
  )
}
