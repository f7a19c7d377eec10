import { useAtomValue } from 'jotai'
import type { MyApprovals, WaitingRequest } from '#api/approval.ts'
import { formatMoney, formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { entryLabel } from '../app/menuSearch.ts'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { listMyApprovals } from '../data/approvals.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { IconButton } from '../ui/Button.tsx'
import { RecordItem, Records, RecordsPage } from '../ui/Records.tsx'
import css from './InboxPage.module.css'

/** Everything that waits for me, whatever it is, the longest waiting first; and the way to each queue of my menu. */
export function InboxPage() {
  const { value, problem, reload } = useAnswer('inbox', (signal) => listMyApprovals(signal))
  const menu = useAtomValue(sessionAtom)?.menu ?? []
  const queues = menu.flatMap(({ submenu }) => submenu.filter(({ isQueue }) => isQueue === true))
  const waiting = value === undefined ? 0 : value.records.reduce((sum, { Count }) => sum + Count, 0)
  return (
    <RecordsPage title={t('page.approvals')} hint={t('ui.inbox.hint')} tools={<IconButton icon="refresh" label={t('ui.reload')} onClick={reload} />}>
      <ul className={css['queues']} aria-label={t('ui.inbox.queues')}>
        {queues.map((queue) => {
          const count = countOf(value, queue.url)
          return (
            <li key={queue.url}>
              <Link to={count > 0 ? `${queue.url}?mine=1` : queue.url} className={css['queue']}>
                <span>{entryLabel(queue)}</span>
                {count > 0 ? <Badge tone="warning">{formatNumber(count)}</Badge> : <span className={css['none']}>0</span>}
              </Link>
            </li>
          )
        })}
      </ul>
      <h2>{t('ui.inbox.waiting', { n: formatNumber(waiting) })}</h2>
      <Records
        records={value?.requests}
        label={t('ui.inbox.waiting', { n: formatNumber(waiting) })}
        problem={problem && { title: t('ui.load-failed'), text: problem.text, onRetry: reload }}
        empty={{ icon: 'check', title: t('ui.approval.none') }}
      >
        {(one) => <Item key={one.ID} one={one} />}
      </Records>
      {value !== undefined && value.requests.length < waiting && <p>{t('ui.inbox.first', { n: formatNumber(value.requests.length) })}</p>}
    </RecordsPage>
  )
}

function countOf(value: MyApprovals | undefined, url: string): number {
  return (value?.records ?? []).reduce((sum, record) => sum + (record.Url.split('?')[0] === url ? record.Count : 0), 0)
}

function Item({ one }: { readonly one: WaitingRequest }) {
  const kind = t(`entity.${one.DocType}`)
  return (
    <RecordItem
      title={<Link to={one.Url}>{one.DocCode}</Link>}
      badge={one.DueAt !== null && one.IsLate ? <Badge tone="negative">{t('ui.inbox.late')}</Badge> : undefined}
      facts={[
        [one.Transition === 'approve' ? kind : `${kind}: ${t(`action.${one.Transition}`)}`, one.PartyName ?? undefined, Number(one.Amount) === 0 ? undefined : formatMoney(one.Amount)].filter((part) => part !== undefined).join(' · '),
        t('ui.inbox.asked', { name: one.RequestedByName, at: saidTime(one.RequestedAt) }),
      ]}
    />
  )
}
