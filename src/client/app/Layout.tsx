import { useAtom, useAtomValue } from 'jotai'
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useState, type MouseEvent, type ReactNode } from 'react'
import type { ClientRoute } from '#meta/clientRoute.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { sessionAtom } from '../data/session.ts'
import { classes } from '../ui/classes.ts'
import { isTyping } from '../ui/useKeys.ts'
import { useIsSlow } from './historyContext.ts'
import css from './Layout.module.css'
import { lazy } from './lazy.tsx'
import { familyOf } from './menuSearch.ts'
import { t } from './messages.ts'
import { isKeyHelpOpenAtom, isMenuCollapsedAtom, isMenuOpenAtom } from './preferences.ts'
import { SideMenu } from './SideMenu.tsx'
import { TopBar } from './TopBar.tsx'

const CommandPalette = lazy(() => import('../palette/CommandPalette.tsx').then((module) => ({ default: module.CommandPalette })))
const Family = lazy(() => import('./Family.tsx').then((module) => ({ default: module.Family })))
const KeyHelp = lazy(() => import('../keys/KeyHelp.tsx').then((module) => ({ default: module.KeyHelp })))
const Companion = lazy(() => import('../companion/Companion.tsx').then((module) => ({ default: module.Companion })))

/** What can wait comes when the page has had its turn with processor and server. */
const companionAfterMs = 600
/** Whoever presses its keys types on at once: it must be there by then. */
const paletteAfterMs = 1500

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
  const [isHelping, setHelping] = useAtom(isKeyHelpOpenAtom)
  const [isSearching, setSearching] = useState(false)
  const [isSettled, setSettled] = useState(false)
  const [first] = useState(pathname)
  const openSearch = useCallback(() => setSearching(true), [])
  const inMenu = useFollowing(useMemo(() => ({ route, pathname }), [route, pathname]))

  // Before it is painted: a key pressed as soon as the page is seen must be heard.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPaletteKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      const isLetter = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target) && !event.defaultPrevented
      const isSlash = event.key === '/' && isLetter && document.querySelector('dialog[open]') === null
      // In a field a question mark is a letter.
      const isHelpKey = (event.key === '?' && isLetter) || (event.key === '/' && (event.ctrlKey || event.metaKey))
      if (!isPaletteKey && !isSlash && !isHelpKey) return
      event.preventDefault()
      if (isHelpKey) setHelping(true)
      else setSearching(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [setHelping])

  useEffect(() => {
    const timers = [setTimeout(() => setSettled(true), companionAfterMs), setTimeout(() => void CommandPalette.preload(), paletteAfterMs)]
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])

  // At once, while the menu in it is still that of the page before.
  useEffect(() => {
    setMenuOpen(false)
  }, [pathname, setMenuOpen])

  const family = useMemo(() => (session === undefined ? [] : familyOf(session.menu, route.path)), [session, route])

  if (session === undefined) return null
  return (
    <div className={classes(css['layout'], isCollapsed && css['collapsed'], isMenuOpen && css['open'])}>
      <a className={css['skip']} href="#main" onClick={skip}>
        {t('ui.skip')}
      </a>
      <SideMenu menu={session.menu} route={inMenu.route} pathname={inMenu.pathname} isRail={isCollapsed && !isMenuOpen} />
      {isMenuOpen && <button type="button" tabIndex={-1} className={css['scrim']} aria-label={t('ui.close-menu')} onClick={() => setMenuOpen(false)} />}
      <div className={css['column']}>
        <TopBar user={session.user} route={route} title={title} pathname={pathname} onSearch={openSearch} />
        <main id="main" className={css['main']} tabIndex={-1}>
          {family.length > 0 && (
            <Suspense>
              <Family family={family} current={route.path} />
            </Suspense>
          )}
          {children}
        </main>
      </div>
      <Progress />
      <Suspense>{isSettled && <Companion pathname={pathname} first={first} />}</Suspense>
      {/* By itself: while a part beside it is loaded it would be hidden, and lose the keyboard. */}
      <Suspense>{isHelping && <KeyHelp onClose={() => setHelping(false)} />}</Suspense>
      <Suspense>{isSearching && <CommandPalette menu={session.menu} pathname={pathname} onClose={() => setSearching(false)} />}</Suspense>
    </div>
  )
}

/** What it was when it was first drawn; something new follows once what has changed with it is seen. */
function useFollowing<T>(value: T): T {
  const [shown, setShown] = useState(value)
  useEffect(() => (shown === value ? undefined : afterPaint(() => setShown(value))), [value, shown])
  return shown
}

function Progress() {
  return useIsSlow() ? <div className={css['progress']} role="progressbar" aria-label={t('ui.loading')} /> : null
}

/** To the content, without a place of its own in the history. */
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
