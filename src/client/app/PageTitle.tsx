import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { afterPaint } from '../data/afterPaint.ts'
import { languageAtom, t } from './messages.ts'
import { pageNameAtom } from './pageName.ts'

/** Names the window after the page and its record. Shows nothing itself, so that a new name repaints nothing. */
export function PageTitle({ title, pathname }: { readonly title: string | undefined; readonly pathname: string }) {
  const named = useAtomValue(pageNameAtom)
  const language = useAtomValue(languageAtom)
  const name = named?.pathname === pathname ? named.name : undefined
  useEffect(
    () =>
      afterPaint(() => {
        document.title = [name, title ?? (name === undefined ? t('ui.home') : undefined), 'Arus'].filter((part) => part !== undefined).join(' · ')
      }),
    [name, title, language],
  )
  return null
}
