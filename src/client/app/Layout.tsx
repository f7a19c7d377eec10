import { useAtom, useAtomValue } from 'jotai'
import { lazy, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { sessionAtom } from '../data/session.ts'
import { classes } from '../ui/classes.ts'
import css from './Layout.module.css'
import { t } from './messages.ts'
import { isMenuCollapsedAtom, isMenuOpenAtom } from './preferences.ts'
import { useIsSlow } from './historyContext.ts'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'

const loadPalette = () => import('./CommandPalette.tsx').then((module) => ({ default: module.CommandPalette }))
const CommandPalette = lazy(loadPalette)
const TermsDialog = lazy(() => import('./TermsDialog.tsx').then((module) => ({ default: module.TermsDialog })))

interface LayoutProps {
  readonly route: ClientRoute
  readonly title: string | undefined
  readonly pathname: string
  readonly children: ReactNode
}

/** Side menu, top bar, page. */
export function Layout({ route, title, pathname, children }: LayoutProps) {
  const session = useAtomValue(sessionAtom)
  const isCollapsed = useAtomValue(isMenuCollapsedAtom)
  const [isMenuOpen, setMenuOpen] = useAtom(isMenuOpenAtom)
  const [isSearching, setSearching] = useState(false)
  const openSearch = useCallback(() => setSearching(true), [])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPaletteKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      const isSlash = event.key === '/' && !isTyping(event.target) && !event.defaultPrevented
      if (!isPaletteKey && !isSlash) return
      event.preventDefault()
      setSearching(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  useEffect(() => {
    // Whoever presses its keys types on at once: it must be there by then.
    const later = setTimeout(() => void loadPalette(), 1500)
    return () => clearTimeout(later)
  }, [])

  if (session === undefined) return null
  return (
    <div className={classes(css['layout'], isCollapsed && css['collapsed'], isMenuOpen && css['open'])}>
      <a className={css['skip']} href="#main">
        {t('ui.skip')}
      </a>
      <SideMenu menu={session.menu} route={route} pathname={pathname} isRail={isCollapsed && !isMenuOpen} />
      {isMenuOpen && <button type="button" className={css['scrim']} aria-label={t('ui.close')} onClick={() => setMenuOpen(false)} />}
      <div className={css['column']}>
        <TopBar user={session.user} route={route} title={title} pathname={pathname} onSearch={openSearch} />
        <main id="main" className={css['main']} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Progress />
      <Suspense>
        {isSearching && <CommandPalette menu={session.menu} onClose={() => setSearching(false)} />}
        {session.user.is_show_tos && route.path !== '/profile/change-password' && <TermsDialog />}
      </Suspense>
    </div>
  )
}

function Progress() {
  return useIsSlow() ? <div className={css['progress']} role="progressbar" aria-label={t('ui.loading')} /> : null
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
}
