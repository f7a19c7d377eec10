import { atom, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { unreadAtom } from '../app/unread.ts'
import { listenLive } from './live.ts'
import { isAwaited, sentenceOf } from './sentence.ts'

/** Grows with every change of the user's notifications; an open panel reads them again. */
export const changesAtom = atom(0)

/** Keeps the count on the bell and says aloud what comes. */
export function Announcer() {
  const setUnread = useSetAtom(unreadAtom)
  const setChanges = useSetAtom(changesAtom)
  const [spoken, setSpoken] = useState('')
  useEffect(
    () =>
      listenLive({
        state: ({ unread }) => {
          setUnread(unread)
          setChanges((before) => before + 1)
        },
        notification: (record) => {
          const text = sentenceOf(record)
          setSpoken(t('ui.notifications.new', { text }))
          if (isAwaited(record.Kind)) void notify({ tone: 'info', text })
        },
      }),
    [setUnread, setChanges],
  )
  return (
    <p className="visually-hidden" aria-live="polite">
      {spoken}
    </p>
  )
}
