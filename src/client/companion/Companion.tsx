import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { loadStarsAtom } from '../app/stars.ts'
import { Announcer } from '../notifications/Announcer.tsx'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { useArrival } from './useArrival.ts'
import { useRecorder } from './useRecorder.ts'

/** What goes along with every page and can wait until it is there: focus and scrolling, recent pages, stars, notifications, the notice of a lost connection. */
export function Companion({ pathname, first }: { readonly pathname: string; readonly first: string }) {
  const loadStars = useSetAtom(loadStarsAtom)
  useEffect(() => void loadStars(), [loadStars])
  useArrival(pathname, first)
  useRecorder(pathname)
  return (
    <>
      <Announcer />
      <ConnectionNotice />
    </>
  )
}
