import { useEffect, useState } from 'react'
import { allOf, viewCondition } from '#api/viewQuery.ts'
import type { ListScreen } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { countRecords } from '../data/records.ts'

/** The list comes first: its numbers follow when it stands. */
const waitMs = 250

/** How many rows each preset has, by id, as it is shown; empty until the server has answered. `round` asks anew, and so does what is answered beside them where they could not be had. */
export function usePresetCounts(screen: ListScreen, params: Readonly<Record<string, string>>, isReady: boolean, round: number): readonly [counts: ReadonlyMap<string, string>, again: (() => void) | undefined] {
  const [counts, setCounts] = useState<ReadonlyMap<string, string>>(none)
  const [tries, setTries] = useState(0)
  const [isFailed, setFailed] = useState(false)
  const asked = JSON.stringify(params)
  useEffect(() => {
    const counted = screen.presets.filter((preset) => preset.count !== false)
    if (!isReady || counted.length === 0) return undefined
    const stop = new AbortController()
    const ask = async () => {
      const fixed = viewCondition({ presets: [], ...(screen.where === undefined ? {} : { where: screen.where }) }, {}, JSON.parse(asked) as Record<string, string>)
      const filters = counted.map((preset) => allOf([fixed, preset.where]) ?? null)
      const answer = await countRecords(screen.resource, { filters: JSON.stringify(filters) }, stop.signal)
      if (stop.signal.aborted) return
      setFailed(!answer.ok)
      if (!answer.ok) return
      const { counts: found, limit } = answer.value
      setCounts(new Map(counted.map((preset, i) => [preset.id, (found[i] ?? 0) > limit ? `${formatNumber(limit)}+` : formatNumber(found[i] ?? 0)])))
    }
    const timer = setTimeout(() => void ask(), waitMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [screen, asked, isReady, round, tries])
  return [counts, isFailed ? () => setTries(tries + 1) : undefined]
}

const none: ReadonlyMap<string, string> = new Map()
