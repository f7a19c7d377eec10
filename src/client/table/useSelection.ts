import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { WireRecord } from '#api/envelope.ts'
import { lastVisited } from './lastVisited.ts'

/** Ids of the rows selected. */
export type RowSelection = Readonly<Record<string, boolean>>

/** Rows chosen on a list, kept while one turns the pages. */
export interface Selection {
  readonly ids: RowSelection
  readonly rows: readonly WireRecord[]
  /** What the table says is selected now; rows of other pages stay. */
  readonly set: (ids: RowSelection) => void
  /** Exactly these rows. */
  readonly take: (rows: readonly WireRecord[]) => void
  readonly clear: () => void
}

type Picked = ReadonlyMap<string, WireRecord>

/** What was selected at the addresses visited last, as long as the page lives: Back from a record finds it. */
const left = lastVisited<{ readonly narrowed: string; readonly picked: Picked }>()

/** `narrowed` says what the list shows: when that changes, nobody means the old rows any more. */
export function useSelection(rows: readonly (WireRecord | undefined)[], list: string, narrowed: string): Selection {
  const place = `${useLocation().key} ${list}`
  const [held, setHeld] = useState(() => left.get(place) ?? { narrowed, picked: none })
  const picked = held.narrowed === narrowed ? held.picked : none
  const setPicked = useCallback((change: (before: Picked) => Picked) => setHeld((before) => ({ narrowed, picked: change(before.narrowed === narrowed ? before.picked : none) })), [narrowed])
  useEffect(() => setPicked((before) => before), [setPicked])
  useEffect(() => left.set(place, { narrowed, picked }), [place, narrowed, picked])
  // Rows asked for anew stand for the ones picked before: what may be done with them may have changed.
  const fresh = useMemo(() => {
    if (picked.size === 0) return picked
    const present = new Map(rows.flatMap((row) => (row === undefined ? [] : [[String(row.ID), row] as const])))
    return new Map([...picked].map(([id, row]) => [id, present.get(id) ?? row]))
  }, [picked, rows])
  const set = useCallback(
    (ids: RowSelection) => {
      const here = new Map(rows.flatMap((row) => (row === undefined ? [] : [[String(row.ID), row] as const])))
      setPicked((before) => new Map(Object.keys(ids).flatMap((id) => {
        const row = here.get(id) ?? before.get(id)
        return ids[id] !== true || row === undefined ? [] : [[id, row] as const]
      })))
    },
    [rows, setPicked],
  )
  const take = useCallback((all: readonly WireRecord[]) => setPicked(() => new Map(all.map((row) => [String(row.ID), row]))), [setPicked])
  const clear = useCallback(() => setPicked(() => none), [setPicked])
  return useMemo(
    () => ({ ids: Object.fromEntries([...fresh.keys()].map((id) => [id, true])), rows: [...fresh.values()], set, take, clear }),
    [fresh, set, take, clear],
  )
}

const none: Picked = new Map()
