import type { ClientRoute } from '#meta/clientRoute.ts'
import css from './Breadcrumb.module.css'
import { Link } from './Link.tsx'
import { entryLabel } from './menuSearch.ts'
import { t } from './messages.ts'
import { matchRoute } from './routeTable.ts'

/** Where the page stands: menu parent, the list it belongs to, the page itself. */
export function Breadcrumb({ route, title }: { readonly route: ClientRoute; readonly title: string | undefined }) {
  const guard = typeof route.guard === 'object' ? route.guard : undefined
  const list = guard === undefined || guard.url === route.path ? undefined : matchRoute(guard.url)?.route
  const listTitle = list?.title
  return (
    <nav className={css['crumbs']} aria-label={t('ui.breadcrumb')}>
      <ol>
        {guard !== undefined && <li className={css['parent']}>{entryLabel({ name: guard.parent })}</li>}
        {list !== undefined && listTitle !== undefined && (
          <li>
            <Link to={list.path}>{t(listTitle)}</Link>
          </li>
        )}
        <li aria-current="page">{title ?? t('ui.home')}</li>
      </ol>
    </nav>
  )
}
