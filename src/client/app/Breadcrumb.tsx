import { useAtomValue } from 'jotai'
import type { ClientRoute } from '#meta/clientRoute.ts'
import css from './Breadcrumb.module.css'
import { Link } from './Link.tsx'
import { sessionAtom } from '../data/session.ts'
import { entryLabel } from './menuSearch.ts'
import { t } from './messages.ts'
import { pageNameAtom } from './pageName.ts'
import { matchRoute, pageTitle } from './routeTable.ts'

interface BreadcrumbProps {
  readonly route: ClientRoute
  readonly title: string | undefined
  readonly pathname: string
}

/** Where the page stands: menu parent, the list it belongs to, the page itself and its record. */
export function Breadcrumb({ route, title, pathname }: BreadcrumbProps) {
  const named = useAtomValue(pageNameAtom)
  const guard = typeof route.guard === 'object' ? route.guard : undefined
  const list = guard === undefined || guard.url === route.path ? undefined : matchRoute(guard.url)?.route
  const inbox = useAtomValue(sessionAtom)?.menu.flatMap(({ submenu }) => submenu).find((entry) => entry.isQueue === true && entry.url === guard?.url)?.under
  // What is being made has no name yet: the title would only say the list's once more.
  const isNew = list !== undefined && route.kind === 'form' && !route.params?.['record']
  return (
    <nav className={css['crumbs']} aria-label={t('ui.breadcrumb')}>
      <ol>
        {guard !== undefined && <li className={css['parent']}>{entryLabel({ name: guard.parent })}</li>}
        {inbox !== undefined && (
          <li>
            <Link to={inbox}>{t(pageTitle(inbox) ?? '')}</Link>
          </li>
        )}
        {list?.title !== undefined && (
          <li>
            <Link to={list.path}>{t(list.title)}</Link>
          </li>
        )}
        <li aria-current="page">{named?.pathname === pathname ? named.name : isNew ? t('action.new') : (title ?? t('ui.home'))}</li>
      </ol>
    </nav>
  )
}
