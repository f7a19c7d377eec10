import { useEffect, useMemo, useState } from 'react'
import { conditionOf } from '#api/listQuery.ts'
import type { ListState } from '#api/listState.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { countRecords } from '../data/records.ts'

/** The list comes first: its numbers follow when it stands. */
const waitMs = 250

/** How many rows each preset would show with the search and the filters there are, by id, as it is shown; empty until the server has answered. `round` asks anew, and so does what is answered beside them where they could not be had. */
export function usePresetCounts(screen: ListScreen, state: ListState, params: Readonly<Record<string, string>>, columns: string, isReady: boolean, round: number): readonly [counts: ReadonlyMap<string, string>, again: (() => void) | undefined] {
  const [counts, setCounts] = useState<ReadonlyMap<string, string>>(none)
  const [tries, setTries] = useState(0)
  const [isFailed, setFailed] = useState(false)
  const counted = useMemo(() => screen.presets.filter((preset) => preset.count !== false), [screen])
  const asked = useMemo(() => JSON.stringify(counted.map((preset) => conditionOf(screen, { ...state, preset: preset.id }, params) ?? null)), [counted, screen, state, params])
  const { search } = state
  // The search looks at what the columns refer to; without one they make no difference.
  const sought = search === '' ? '' : columns
  useEffect(() => {
    if (!isReady || counted.length === 0) return undefined
    const stop = new AbortController()
    const ask = async () => {
      const answer = await countRecords(screen.resource, { filters: asked, ...(search === '' ? {} : { search, columns: sought }) }, stop.signal)
      if (stop.signal.aborted) return
      setFailed(!answer.ok)
      if (!answer.ok) return
      const { counts: found, limit } = answer.value
      setCounts(new Map(counted.map((preset, i) => [preset.id, countText(found[i] ?? 0, limit)])))
    }
    const timer = setTimeout(() => void ask(), waitMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [screen, counted, asked, search, sought, isReady, round, tries])
  return [counts, isFailed ? () => setTries(tries + 1) : undefined]
}

/** As many as the server counts; beyond that it says only that there are more. */
export function countText(count: number, limit: number): string {
  return count > limit ? `${formatNumber(limit)}+` : formatNumber(count)
}

const none: ReadonlyMap<string, string> = new Map()
