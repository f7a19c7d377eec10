import { useAtom } from 'jotai'
import { useRef, useState } from 'react'
import { largestPicture, pictureTypes } from '#api/files.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { UserPicture } from '../app/UserPicture.tsx'
import { removePicture, sendPicture } from '../data/files.ts'
import { sessionAtom } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import css from './ProfileForm.module.css'

/** The user's picture; changed at once, apart from the rest of the form. */
export function PictureField({ name }: { readonly name: string }) {
  const [session, setSession] = useAtom(sessionAtom)
  const file = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const key = session?.user.picture_key ?? null
  const keep = (pictureKey: string | null) => setSession((before) => before && { ...before, user: { ...before.user, picture_key: pictureKey } })

  const send = async (picture: File) => {
    if (picture.size > largestPicture || !pictureTypes.includes(picture.type)) {
      await notify({ tone: 'error', text: t('ui.picture.unfit') })
      return
    }
    setBusy(true)
    const answer = await sendPicture(picture)
    setBusy(false)
    if (answer.ok) keep(answer.value.picture_key)
    await notify(answer.ok ? { tone: 'success', text: t('ui.picture.changed') } : { tone: 'error', text: answer.problem.text })
  }
  const remove = async () => {
    setBusy(true)
    const answer = await removePicture()
    setBusy(false)
    if (answer.ok) keep(null)
    else await notify({ tone: 'error', text: answer.problem.text })
  }

  return (
    <div className={css['picture']}>
      <UserPicture name={name} pictureKey={key} size="large" />
      <input
        ref={file}
        type="file"
        hidden
        accept={pictureTypes.join(',')}
        onChange={(event) => {
          const [picture] = event.target.files ?? []
          if (picture !== undefined) void send(picture)
          event.target.value = ''
        }}
      />
      <Button busy={isBusy} onClick={() => file.current?.click()}>
        {t(key === null ? 'ui.picture.choose' : 'ui.picture.replace')}
      </Button>
      {key !== null && (
        <Button look="plain" disabled={isBusy} onClick={() => void remove()}>
          {t('ui.picture.remove')}
        </Button>
      )}
      <p className={css['hint']}>{t('ui.picture.hint')}</p>
    </div>
  )
}
