import { useEffect, useState } from 'react'
import { pictureOf, readyPicture } from '../data/pictures.ts'
import { classes } from '../ui/classes.ts'
import css from './UserPicture.module.css'

interface UserPictureProps {
  readonly name: string
  /** Key of the picture; null or absent: the initials. */
  readonly pictureKey?: string | null | undefined
  readonly size?: 'small' | 'large'
}

/** Somebody's face, or the initials. Decoration: the name stands beside it. */
export function UserPicture({ name, pictureKey, size = 'small' }: UserPictureProps) {
  const [url, setUrl] = useState(() => (pictureKey ? readyPicture(pictureKey) : undefined))
  useEffect(() => {
    let isCurrent = true
    setUrl(pictureKey ? readyPicture(pictureKey) : undefined)
    if (pictureKey) void pictureOf(pictureKey).then((found) => (isCurrent ? setUrl(found) : undefined))
    return () => {
      isCurrent = false
    }
  }, [pictureKey])
  const look = classes(css['picture'], css[size])
  return url === undefined ? (
    <span className={look} aria-hidden="true">
      {initials(name)}
    </span>
  ) : (
    <img className={look} src={url} alt="" />
  )
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return ((words[0]?.[0] ?? '') + (words.length > 1 ? (words.at(-1)?.[0] ?? '') : '')).toUpperCase()
}
