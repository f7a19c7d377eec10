import { useSyncExternalStore } from 'react'

interface Media {
  readonly subscribe: (onChange: () => void) => () => void
  readonly isMatching: () => boolean
}

/** One list for each query: the browser keeps it true. */
const known = new Map<string, Media>()

/** Does the media query match now? */
export function useMedia(query: string): boolean {
  const { subscribe, isMatching } = known.get(query) ?? mediaOf(query)
  return useSyncExternalStore(subscribe, isMatching)
}

function mediaOf(query: string): Media {
  const list = matchMedia(query)
  const media: Media = {
    subscribe: (onChange) => {
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    isMatching: () => list.matches,
  }
  known.set(query, media)
  return media
}
