import { useEffect, useState, type ReactNode } from 'react'
import { ChunkFailure } from './ChunkFailure.tsx'
import { loadedScreen, loadScreen, useExchangedScreens } from './screens.ts'

interface Screens {
  /** All of them can be had from `loadedScreen`. */
  readonly isLoaded: boolean
  /** Stands in their place when one did not come; offers another try. */
  readonly failure: ReactNode | undefined
}

/** Loads screens that stand beside a page's own: in a panel, under a tab, next to a queue. */
export function useScreens(ids: readonly string[]): Screens {
  const all = ids.join(' ')
  const [round, setRound] = useState(0)
  const [tried, setTried] = useState<{ readonly all: string; readonly round: number; readonly error?: unknown }>()
  useExchangedScreens()
  const isLoaded = ids.every((id) => loadedScreen(id) !== undefined)
  useEffect(() => {
    if (isLoaded) return undefined
    let isLatest = true
    const tell = (error?: unknown): void => {
      if (isLatest) setTried({ all, round, error })
    }
    void Promise.all(all.split(' ').map(async (id) => loadScreen(id))).then(() => tell(), tell)
    return () => {
      isLatest = false
    }
  }, [all, round, isLoaded])
  const isFailed = !isLoaded && tried?.all === all && tried.round === round && tried.error !== undefined
  return { isLoaded, failure: isFailed ? <ChunkFailure error={tried.error} onRetry={() => setRound(round + 1)} /> : undefined }
}
