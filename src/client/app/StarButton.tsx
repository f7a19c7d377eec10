import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { t } from './messages.ts'
import { loadStarsAtom, starredAtom, starsAtom } from './stars.ts'

/** Keeps the page on the user's home page. */
export function StarButton({ title, pathname }: { readonly title: string | undefined; readonly pathname: string }) {
  const stars = useAtomValue(starsAtom)
  const toggle = useSetAtom(starredAtom)
  const load = useSetAtom(loadStarsAtom)
  useEffect(() => {
    // After the page has had its turn with the server.
    const later = setTimeout(() => void load(), 600)
    return () => clearTimeout(later)
  }, [load])
  if (title === undefined) return null
  const isStarred = stars.some((star) => star.url === pathname)
  return <IconButton icon="star" label={t(isStarred ? 'ui.unstar' : 'ui.star')} pressed={isStarred} onClick={() => void toggle({ url: pathname, title })} />
}
