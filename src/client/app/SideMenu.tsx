import { useAtom } from 'jotai'
import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { MenuEntry } from '#api/session.ts'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon, isIcon } from '../ui/Icon.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Link } from './Link.tsx'
import { walkMenu } from './menuKeys.ts'
import { entryLabel, foundIn, standingMenu } from './menuSearch.ts'
import { t } from './messages.ts'
import { isMenuOpenAtom, openGroupsAtom } from './preferences.ts'
import css from './SideMenu.module.css'
import { useDrawer } from './useDrawer.ts'

interface SideMenuProps {
  readonly menu: readonly MenuEntry[]
  readonly route: ClientRoute
  readonly pathname: string
  /** Icons only, a group opens beside its icon. */
  readonly isRail: boolean
}

/** A menu up to this long stands open; of a longer one only the group of the current page, until the user says otherwise. */
const shortMenu = 40

/** The user's menu in two levels, searchable, the current page marked; on a narrow screen a drawer over the page. */
export const SideMenu = memo(function SideMenu({ menu: all, route, pathname, isRail }: SideMenuProps) {
  const [{ search, at, of }, setTyped] = useState({ search: '', at: pathname, of: pathname })
  // The menu follows the page a moment later: what was typed on the new page by then stays.
  if (of !== pathname) setTyped({ search: at === pathname ? search : '', at, of: pathname })
  const setSearch = (text: string) => setTyped({ search: text, at: location.pathname, of: pathname })
  const [choices, setChoices] = useAtom(openGroupsAtom)
  const [isDrawerOpen, setDrawerOpen] = useAtom(isMenuOpenAtom)
  const nav = useRef<HTMLElement>(null)
  const own = typeof route.guard === 'object' ? route.guard.url : route.path
  const { menu, current: standingFor } = standingMenu(all, own)
  const shown = search === '' ? menu : foundIn(all, search)
  const current = search === '' ? standingFor : own
  const isShort = menu.reduce((sum, group) => sum + group.submenu.length, 0) <= shortMenu

  useDrawer(nav, isDrawerOpen, () => setDrawerOpen(false))
  // Once, when the application opens deep inside: measuring at every navigation would lay the page out twice.
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    if (event.key === 'Escape' && target instanceof HTMLInputElement && search !== '') {
      event.preventDefault()
      setSearch('')
    } else if (event.key === 'Enter' && target instanceof HTMLInputElement) {
      if (search !== '') nav.current?.querySelector<HTMLElement>('ul ul a')?.click()
    } else if (target instanceof HTMLInputElement ? event.key === 'ArrowDown' && walkMenu(event, event.currentTarget, target) : walkMenu(event, event.currentTarget, target)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  return (
    <nav ref={nav} className={classes(css['menu'], isRail && css['rail'])} aria-label={t('ui.menu')} onKeyDown={onKeyDown}>
      <div className={css['head']}>
        <Link to="/home" className={css['brand']} aria-label={t('ui.home')}>
          <Logo size={26} />
          {!isRail && <span>Arus</span>}
        </Link>
        {isDrawerOpen && <IconButton className={css['close']} icon="close" label={t('ui.close-menu')} onClick={() => setDrawerOpen(false)} />}
      </div>
      {!isRail && (
        <div className={css['search']}>
          <Icon name="search" size={16} />
          <input type="search" aria-label={t('ui.search-menu')} placeholder={t('ui.search-menu')} value={search} onChange={(event) => setSearch(event.target.value)} />
        </div>
      )}
      <ul className={css['groups']}>
        {search === '' && (
          <>
            <li>
              <Link to="/home" className={css['group']} aria-current={current === '/home' ? 'page' : undefined} title={isRail ? t('ui.home') : undefined}>
                <Icon name="home" />
                <span className={isRail ? 'visually-hidden' : undefined}>{t('ui.home')}</span>
              </Link>
            </li>
            <li>
              <Link to="/dashboard" className={css['group']} aria-current={current === '/dashboard' ? 'page' : undefined} title={isRail ? t('screen.dashboard') : undefined}>
                <Icon name="dashboard" />
                <span className={isRail ? 'visually-hidden' : undefined}>{t('screen.dashboard')}</span>
              </Link>
            </li>
          </>
        )}
        {shown.map((group) => {
          const holdsCurrent = group.submenu.some((entry) => entry.url === current)
          const look = classes(css['group'], holdsCurrent && css['holdsCurrent'])
          const icon = <Icon name={isIcon(group.icon) ? group.icon : 'dot'} />
          const label = entryLabel(group)
          if (isRail) {
            return (
              <li key={group.name}>
                <Popover trigger={icon} triggerClass={look} label={label} align="beside" className={css['flyout']}>
                  {() => (
                    <>
                      <p className={css['flyoutTitle']}>{label}</p>
                      <Entries entries={group.submenu} current={current} />
                    </>
                  )}
                </Popover>
              </li>
            )
          }
          const isOpen = search !== '' || (choices[group.name] ?? (isShort || holdsCurrent))
          return (
            <li key={group.name}>
              <button type="button" className={look} aria-expanded={isOpen} onClick={() => setChoices({ ...choices, [group.name]: !isOpen })}>
                {icon}
                <span>{label}</span>
                <span className={css['chevron']}>
                  <Icon name="chevron" size={14} />
                </span>
              </button>
              {isOpen && <Entries entries={group.submenu} current={current} />}
            </li>
          )
        })}
        {search !== '' && shown.length === 0 && <li className={css['none']}>{t('ui.nothing-found')}</li>}
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
