import { useAtomValue } from 'jotai'
import { formatDate, formatNumber, today } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { entryLabel, standing } from '../app/menuSearch.ts'
import { inWords, t } from '../app/messages.ts'
import { sessionAtom, type Session } from '../data/session.ts'
import { useAnswer, type Asked } from '../data/useAnswer.ts'
import { readHome, type Home } from '../home/calls.ts'
import cards from '../home/cards.module.css'
import { Recent } from '../home/Recent.tsx'
import { Stars } from '../home/Stars.tsx'
import { Today } from '../home/Today.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Card } from '../ui/Card.tsx'
import { Icon, isIcon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/States.tsx'
import css from './HomePage.module.css'

/** Where the day starts: what needs me, what waits for me, my pages, what the company has to say, the whole menu. */
export function HomePage() {
  const session = useAtomValue(sessionAtom)
  const home = useAnswer('home', readHome)
  if (session === undefined) return null
  return (
    <div className={css['home']}>
      <header>
        <h1>{t(`ui.home.greeting.${partOfDay()}`, { name: session.user.name })}</h1>
        <p className={css['day']}>{formatDate(today())}</p>
      </header>
      <Today />
      <div className={css['columns']}>
        <Approvals home={home} />
        <Stars />
        <Recent />
        <Announcements home={home} />
      </div>
      <Everything session={session} />
    </div>
  )
}

function Approvals({ home: { value, problem } }: { readonly home: Asked<Home> }) {
  return (
    <Card icon="approval" title={t('ui.home.approvals')}>
      {value === undefined ? (
        problem === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <p className={cards['none']}>{inWords(problem)}</p>
        )
      ) : value.approvals.length === 0 ? (
        <p className={cards['none']}>{t('ui.approval.none')}</p>
      ) : (
        <ul className={cards['list']}>
          {value.approvals.map((record) => (
            <li key={`${record.DocType} ${record.Transition}`}>
              <Link to={record.Url}>
                <span>{record.Transition === 'approve' ? t(`entity.${record.DocType}`) : `${t(`entity.${record.DocType}`)}: ${t(`action.${record.Transition}`)}`}</span>
                <Badge tone="warning">{formatNumber(record.Count)}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Announcements({ home: { value, problem } }: { readonly home: Asked<Home> }) {
  return (
    <Card icon="info" title={t('ui.home.announcements')}>
      {value === undefined ? (
        problem === undefined && <Skeleton lines={3} />
      ) : value.announcements.length === 0 ? (
        <p className={cards['none']}>{t('ui.home.no-announcements')}</p>
      ) : (
        value.announcements.map((news) => (
          <article key={news.ID} className={cards['news']}>
            <h3>{news.Title}</h3>
            {news.Body !== null && <p>{news.Body}</p>}
            <time dateTime={news.ValidFrom}>{formatDate(news.ValidFrom)}</time>
          </article>
        ))
      )}
    </Card>
  )
}

function Everything({ session }: { readonly session: Session }) {
  if (session.menu.length === 0) return <p>{t('ui.menu.empty')}</p>
  return (
    <section aria-label={t('ui.menu')} className={css['areas']}>
      {session.menu.map((group) => (
        <div key={group.name} className={css['area']}>
          <h2>
            <Icon name={isIcon(group.icon) ? group.icon : 'dot'} /> {entryLabel(group)}
          </h2>
          <ul>
            {standing(group.submenu).map((entry) => (
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

/** By the business's own clock, as the date beside it. */
function partOfDay(): 'morning' | 'day' | 'evening' {
  const hour = (new Date().getUTCHours() + 7) % 24
  return hour < 11 ? 'morning' : hour < 18 ? 'day' : 'evening'
}
