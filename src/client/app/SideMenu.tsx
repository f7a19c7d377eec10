import { useAtom, useSetAtom } from 'jotai'
import { memo, useEffect, useRef, useState } from 'react'
import type { MenuEntry } from '#api/session.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { classes } from '../ui/classes.ts'
import { Icon, isIcon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Link } from './Link.tsx'
import { entryLabel, foundIn } from './menuSearch.ts'
import { t } from './messages.ts'
import { foldedGroupsAtom, isMenuOpenAtom } from './preferences.ts'
import css from './SideMenu.module.css'

interface SideMenuProps {
  readonly menu: readonly MenuEntry[]
  readonly route: ClientRoute
  readonly pathname: string
  /** Icons only, a group opens beside its icon. */
  readonly isRail: boolean
}

/** The user's menu in two levels, searchable, the current page marked. */
export const SideMenu = memo(function SideMenu({ menu, route, pathname, isRail }: SideMenuProps) {
  const [search, setSearch] = useState('')
  const [folded, setFolded] = useAtom(foldedGroupsAtom)
  const setMenuOpen = useSetAtom(isMenuOpenAtom)
  const nav = useRef<HTMLElement>(null)
  const current = typeof route.guard === 'object' ? route.guard.url : route.path
  const shown = search === '' ? menu : foundIn(menu, search)

  useEffect(() => {
    setMenuOpen(false)
    setSearch('')
  }, [pathname, setMenuOpen])
  // Once, when the application opens deep inside: measuring at every navigation would lay the page out twice.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])

  const toggle = (name: string) => setFolded(folded.includes(name) ? folded.filter((other) => other !== name) : [...folded, name])
  return (
    <nav ref={nav} className={classes(css['menu'], isRail && css['rail'])} aria-label={t('ui.menu')}>
      <Link to="/home" className={css['brand']} aria-label={t('ui.home')}>
        <img src="/favicon.svg" alt="" width="26" height="26" />
        {!isRail && <span>Arus</span>}
      </Link>
      {!isRail && (
        <div className={css['search']}>
          <Icon name="search" size={16} />
          <input type="search" aria-label={t('ui.search-menu')} placeholder={t('ui.search-menu')} value={search} onChange={(event) => setSearch(event.target.value)} />
        </div>
      )}
      <ul className={css['groups']}>
        <li>
          <Link to="/home" className={css['group']} aria-current={current === '/home' ? 'page' : undefined} title={isRail ? t('ui.home') : undefined}>
            <Icon name="home" />
            <span className={isRail ? 'visually-hidden' : undefined}>{t('ui.home')}</span>
          </Link>
        </li>
        {shown.map((group) => {
          const isCurrent = group.submenu.some((entry) => entry.url === current)
          const icon = <Icon name={isIcon(group.icon) ? group.icon : 'dot'} />
          if (isRail) {
            return (
              <li key={group.name}>
                <Popover
                  trigger={icon}
                  triggerClass={classes(css['group'], isCurrent && css['holdsCurrent'])}
                  label={entryLabel(group)}
                  className={css['flyout']}
                >
                  {() => <Entries entries={group.submenu} current={current} />}
                </Popover>
              </li>
            )
          }
          const isOpen = search !== '' || !folded.includes(group.name)
          return (
            <li key={group.name}>
              <button type="button" className={classes(css['group'], isCurrent && css['holdsCurrent'])} aria-expanded={isOpen} onClick={() => toggle(group.name)}>
                {icon}
                <span>{entryLabel(group)}</span>
                <span className={css['chevron']}>
                  <Icon name="chevron" size={14} />
                </span>
              </button>
              {isOpen && <Entries entries={group.submenu} current={current} />}
            </li>
          )
        })}
        {shown.length === 0 && <li className={css['none']}>{t('ui.nothing-found')}</li>}
      </ul>
    </nav>
  )
})

function Entries({ entries, current }: { readonly entries: readonly MenuEntry[]; readonly current: string }) {
  return (
    <ul className={css['entries']}>
      {entries.map((entry) => (
        <li key={entry.url}>
          <Link to={entry.url} className={css['entry']} aria-current={entry.url === current ? 'page' : undefined}>
            {entryLabel(entry)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
