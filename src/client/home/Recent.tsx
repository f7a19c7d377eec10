import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { mayOpen } from '../companion/mayOpen.ts'
import { recentPages } from '../companion/recent.ts'
import { sessionAtom } from '../data/session.ts'
import { recentLabel } from '../palette/sources.ts'
import { Card } from '../ui/Card.tsx'
import { Icon } from '../ui/Icon.tsx'
import css from './cards.module.css'

const shown = 10

/** Where the user has been last in this browser, as far as he may still go there. */
export function Recent() {
  const session = useAtomValue(sessionAtom)
  const pages = useMemo(() => (session === undefined ? [] : recentPages(session.user.user_id).filter((page) => mayOpen(page.url, session.menu)).slice(0, shown)), [session])
  return (
    <Card icon="clock" title={t('ui.home.recent')}>
      {pages.length === 0 ? (
        <p className={css['none']}>{t('ui.home.no-recent')}</p>
      ) : (
        <ul className={css['list']}>
          {pages.map((page) => (
            <li key={page.url}>
              <Link to={page.url}>
                <span>{recentLabel(page)}</span>
                <Icon name="right" size={14} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
