import { useAtomValue, useSetAtom } from 'jotai'
import { IconButton } from '../ui/Button.tsx'
import { t } from './messages.ts'
import { pageNameAtom } from './pageName.ts'
import { starredAtom, starsAtom } from './stars.ts'

/** Keeps the page on the user's home page. */
export function StarButton({ title, pathname }: { readonly title: string | undefined; readonly pathname: string }) {
  const stars = useAtomValue(starsAtom)
  const named = useAtomValue(pageNameAtom)
  const toggle = useSetAtom(starredAtom)
  if (title === undefined) return null
  const isStarred = stars.some((star) => star.url === pathname)
  // A page is called what it is called in the reader's language; only a record's number has to be kept.
  const own = named?.pathname === pathname ? `${title} ${named.name}` : null
  return <IconButton icon="star" label={t(isStarred ? 'ui.unstar' : 'ui.star')} pressed={isStarred} onClick={() => void toggle({ url: pathname, title: own })} />
}
