import { atom, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { afterPaint } from '../data/afterPaint.ts'

/** What the record on the page is called (its number), beside the page's own title; for the path it was said on. */
export const pageNameAtom = atom<{ readonly pathname: string; readonly name: string } | undefined>(undefined)

/** A page that shows one record says which; undefined while it is not known, or in a panel over another page. */
export function usePageName(name: string | undefined): void {
  const { pathname } = useLocation()
  const say = useSetAtom(pageNameAtom)
  useEffect(() => {
    // What stands around the page follows once the page itself is seen.
    return name === undefined ? undefined : afterPaint(() => say({ pathname, name }))
  }, [name, pathname, say])
}
