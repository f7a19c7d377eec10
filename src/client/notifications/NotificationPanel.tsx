import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { NotificationRecord } from '#api/notification.ts'
import { useHistory } from '../app/historyContext.ts'
import { inWords, t } from '../app/messages.ts'
import { isServedPath } from '../app/routeTable.ts'
import { saidTime } from '../app/saidTime.ts'
import { unreadAtom } from '../app/unread.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { changesAtom } from './Announcer.tsx'
import { listNotifications, markAllAsRead, markAsRead } from './calls.ts'
import css from './NotificationPanel.module.css'
import { ago, notificationIcons, sentenceOf } from './sentence.ts'

interface Known {
  readonly records: readonly NotificationRecord[]
  readonly more: boolean
}

/** What the user was told, newest first: Enter opens what it is about, arrows walk. */
export function NotificationPanel({ onClose }: { readonly onClose: () => void }) {
  const history = useHistory()
  const changes = useAtomValue(changesAtom)
  const unread = useAtomValue(unreadAtom)
  const setUnread = useSetAtom(unreadAtom)
  const [known, setKnown] = useState<Known>()
  const [problem, setProblem] = useState<string>()
  const panel = useRef<HTMLElement>(null)

  useEffect(() => {
    const stop = new AbortController()
    void listNotifications(undefined, stop.signal).then((answer) => {
      if (stop.signal.aborted) return
      if (!answer.ok) return setProblem(inWords(answer.problem))
      setProblem(undefined)
      setKnown((before) => joined(answer.value, before))
      setUnread(answer.value.unread)
    })
    return () => stop.abort()
  }, [changes, setUnread])

  const isThere = known !== undefined
  useEffect(() => {
    // Opened before anything was there to hold the focus.
    if (isThere && document.activeElement?.contains(panel.current) === true) panel.current?.querySelector<HTMLElement>('li button')?.focus()
  }, [isThere])

  const open = (record: NotificationRecord) => {
    if (record.ReadAt === null) {
      setUnread(Math.max(0, unread - 1))
      void markAsRead(record.ID)
    }
    onClose()
    if (record.Link !== null && isServedPath(record.Link)) history.push(record.Link)
  }
  const readAll = async () => {
    const answer = await markAllAsRead()
    if (!answer.ok) return setProblem(inWords(answer.problem))
    setUnread(answer.value.unread)
    const now = new Date().toISOString()
    setKnown((before) => before && { ...before, records: before.records.map((record) => ({ ...record, ReadAt: record.ReadAt ?? now })) })
  }
  const showOlder = async () => {
    const answer = await listNotifications(known?.records.at(-1)?.ID)
    if (!answer.ok) return setProblem(inWords(answer.problem))
    setKnown((before) => ({ records: [...(before?.records ?? []), ...answer.value.records], more: answer.value.more }))
  }
  return (
    <section ref={panel} className={css['panel']} aria-label={t('ui.notifications')}>
      <header className={css['head']}>
        <h2>{t('ui.notifications')}</h2>
        {unread > 0 && (
          <Button look="plain" onClick={() => void readAll()}>
            {t('ui.notifications.read-all')}
          </Button>
        )}
      </header>
      {problem !== undefined ? (
        <ErrorState title={t('ui.load-failed')} text={problem} />
      ) : known === undefined ? (
        <Skeleton lines={4} />
      ) : known.records.length === 0 ? (
        <EmptyState icon="bell" title={t('ui.notifications.none')} />
      ) : (
        <ul className={css['list']} onKeyDown={walk}>
          {known.records.map((record) => (
            <li key={record.ID}>
              <button type="button" className={classes(css['item'], record.ReadAt === null && css['unread'])} onClick={() => open(record)}>
                <Icon name={notificationIcons[record.Kind]} />
                <span className={css['text']}>
                  {record.ReadAt === null && <span className="visually-hidden">{t('ui.notifications.is-unread')} </span>}
                  {sentenceOf(record)}
                </span>
                <time dateTime={record.CreatedAt} title={saidTime(record.CreatedAt)}>
                  {ago(record.CreatedAt)}
                </time>
              </button>
            </li>
          ))}
          {known.more && (
            <li className={css['older']}>
              <Button look="plain" onClick={() => void showOlder()}>
                {t('ui.notifications.older')}
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

/** The newest page over what was read before: older ones stay where they are. */
function joined(newest: Known, before: Known | undefined): Known {
  const last = newest.records.at(-1)?.ID
  const older = last === undefined ? [] : (before?.records ?? []).filter((record) => record.ID < last)
  return { records: [...newest.records, ...older], more: older.length === 0 ? newest.more : (before?.more ?? false) }
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = items.findIndex((item) => item === document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items[(to + items.length) % items.length]?.focus()
}
