import { useState } from 'react'
import type { SessionEntry } from '#api/account.ts'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { notify } from '../app/toasts.ts'
import { endOtherSessions, endSession, listSessions } from '../data/profile.ts'
import type { Answer } from '../data/http.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { List, ListItem } from '../ui/List.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import css from './ProfilePage.module.css'

/** Where one is signed in; each can be ended, and all others at once. */
export function SessionList() {
  const { value, problem, reload } = useAnswer('sessions', (signal) => listSessions(signal))
  const [busy, setBusy] = useState<number | 'all' | undefined>()
  const [isAsking, setAsking] = useState(false)
  const end = async (which: number | 'all', work: () => Promise<Answer<unknown>>) => {
    setBusy(which)
    const answer = await work()
    setBusy(undefined)
    setAsking(false)
    await notify(answer.ok ? { tone: 'success', text: t(which === 'all' ? 'ui.sessions.all-ended' : 'ui.sessions.ended') } : { tone: 'error', text: answer.problem.text })
    reload()
  }
  const others = value?.records.filter((record) => !record.is_current) ?? []
  return (
    <Card
      title={t('ui.sessions.title')}
      actions={
        others.length > 0 && (
          <Button look="negative" busy={busy === 'all'} onClick={() => setAsking(true)}>
            {t('ui.sessions.end-others')}
          </Button>
        )
      }
    >
      <p className={css['about']}>{t('ui.sessions.about')}</p>
      {problem !== undefined ? (
        <ErrorState title={t('ui.page-failed')} text={problem.text} onRetry={reload} />
      ) : value === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <List label={t('ui.sessions.title')}>
          {value.records.map((record) => (
            <ListItem
              key={record.id}
              icon="globe"
              title={
                <>
                  {deviceName(record)} {record.is_current && <Badge tone="positive">{t('ui.sessions.current')}</Badge>}
                </>
              }
              text={
                <>
                  <span>{t('ui.sessions.address', { ip: record.ip })}</span>
                  <span>· {t('ui.sessions.since', { at: saidTime(record.created_at) })}</span>
                  <span>· {t('ui.sessions.seen', { at: saidTime(record.last_seen_at) })}</span>
                </>
              }
              actions={
                record.is_current ? undefined : (
                  <Button busy={busy === record.id} aria-label={t('ui.sessions.end-one', { device: deviceName(record) })} onClick={() => void end(record.id, () => endSession(record.id))}>
                    {t('ui.sessions.end')}
                  </Button>
                )
              }
            />
          ))}
        </List>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('ui.sessions.end-others')}
          text={t('ui.sessions.ask', { n: others.length })}
          confirm={t('ui.sessions.end-others')}
          look="negative"
          busy={busy === 'all'}
          onConfirm={() => void end('all', endOtherSessions)}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

function deviceName({ browser, system }: SessionEntry): string {
  if (browser !== '' && system !== '') return t('ui.sessions.device', { browser, system })
  return browser || system || t('ui.sessions.unknown')
}
