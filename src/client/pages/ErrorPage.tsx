import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { lazy } from '../app/lazy.tsx'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { usePageName } from '../app/pageName.ts'
import { hasToken } from '../data/http.ts'
import { sessionAtom } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import css from './ErrorPage.module.css'

const CommandPalette = lazy(() => import('../palette/CommandPalette.tsx').then((module) => ({ default: module.CommandPalette })))

interface ErrorPageProps {
  readonly code: string
  readonly title: string
  readonly text: string
  /** Ways on, before those that every error page offers. */
  readonly children?: ReactNode
}

/** A page of its own for what cannot be shown, with ways on: the search over everything, home, or the sign-in page. */
export function ErrorPage({ code, title, text, children }: ErrorPageProps) {
  const session = useAtomValue(sessionAtom)
  const [isSearching, setSearching] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  usePageName(title)
  return (
    <main className={css['page']}>
      <p className={css['code']} aria-hidden="true">
        {code}
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p className={css['text']}>{text}</p>
      <div className={css['ways']}>
        {children}
        {session !== undefined && (
          <Button icon="search" onClick={() => setSearching(true)}>
            {t('ui.go-to')}
          </Button>
        )}
        {hasToken() ? <Link to="/home">{t('ui.go-home')}</Link> : <a href="/pages/login">{t('ui.sign-in.title')}</a>}
      </div>
      {isSearching && session !== undefined && (
        <Suspense>
          <CommandPalette menu={session.menu} pathname="" onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </main>
  )
}
