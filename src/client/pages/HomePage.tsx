import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Link } from '../app/Link.tsx'
import { formatDate, formatNumber, today } from '../app/format.ts'
import { entryLabel } from '../app/menuSearch.ts'
import { t } from '../app/messages.ts'
import { loadStarsAtom, starLimit, starsAtom } from '../app/stars.ts'
import { listMyApprovals, listRecords } from '../data/records.ts'
import { sessionAtom, type Session } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Badge } from '../ui/Badge.tsx'
import { Icon, isIcon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/States.tsx'
import css from './HomePage.module.css'

/** Where the day starts: what waits for me, my pages, what the company has to say, the whole menu. */
export function HomePage() {
  const session = useAtomValue(sessionAtom)
  if (session === undefined) return null
  return (
    <div className={css['home']}>
      <header>
        <h1>{t('ui.home.welcome', { name: session.user.name })}</h1>
        <p className={css['day']}>{formatDate(today())}</p>
      </header>
      <div className={css['columns']}>
        <Approvals />
        <Stars />
        <Announcements />
      </div>
      <Everything session={session} />
    </div>
  )
}

function Approvals() {
  const { value, problem } = useAnswer('my approvals', (signal) => listMyApprovals(signal))
  return (
    <section className={css['card']}>
      <h2>
        <Icon name="approval" /> {t('ui.home.approvals')}
      </h2>
      {value === undefined ? (
        problem === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <p className={css['none']}>{problem.text}</p>
        )
      ) : value.records.length === 0 ? (
        <p className={css['none']}>{t('ui.approval.none')}</p>
      ) : (
        <ul className={css['list']}>
          {value.records.map((record) => (
            <li key={`${record.DocType} ${record.Transition}`}>
              <Link to={record.Url}>
                <span>{t(`entity.${record.DocType}`)}</span>
                <Badge tone="warning">{formatNumber(record.Count)}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Stars() {
  const stars = useAtomValue(starsAtom)
  const load = useSetAtom(loadStarsAtom)
  useEffect(() => void load(), [load])
  return (
    <section className={css['card']}>
      <h2>
        <Icon name="star" /> {t('ui.home.starred')}
      </h2>
      {stars.length === 0 ? (
        <p className={css['none']}>{t('ui.home.no-stars')}</p>
      ) : (
        <ul className={css['list']}>
          {stars.slice(0, starLimit).map((star) => (
            <li key={star.url}>
              <Link to={star.url}>
                <span>{star.title}</span>
                <Icon name="right" size={14} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Announcements() {
  const day = today()
  const { value } = useAnswer('announcements', (signal) =>
    listRecords(
      'announcement',
      {
        length: 5,
        order: 'valid_from,id',
        sort: 'desc,desc',
        columns: 'title,body,valid_from',
        filter: JSON.stringify({ all: [{ is_active: true }, { valid_from: { le: day } }, { any: [{ valid_to: { empty: true } }, { valid_to: { ge: day } }] }] }),
        count: false,
      },
      signal,
    ),
  )
  const rows = value?.rows ?? []
  return (
    <section className={css['card']}>
      <h2>
        <Icon name="bell" /> {t('ui.home.announcements')}
      </h2>
      {rows.length === 0 ? (
        <p className={css['none']}>{t('ui.home.no-announcements')}</p>
      ) : (
        rows.map((row) => (
          <article key={row.ID} className={css['news']}>
            <h3>{String(row['Title'])}</h3>
            <p>{String(row['Body'] ?? '')}</p>
            <time dateTime={String(row['ValidFrom'])}>{formatDate(row['ValidFrom'])}</time>
          </article>
        ))
      )}
    </section>
  )
}

function Everything({ session }: { readonly session: Session }) {
  return (
    <section aria-label={t('ui.menu')} className={css['areas']}>
      {session.menu.map((group) => (
        <div key={group.name} className={css['area']}>
          <h2>
            <Icon name={isIcon(group.icon) ? group.icon : 'dot'} /> {entryLabel(group)}
          </h2>
          <ul>
            {group.submenu.map((entry) => (
              <li key={entry.url}>
                <Link to={entry.url}>{entryLabel(entry)}</Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
