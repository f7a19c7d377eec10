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
  /** These too, or no longer; on whatever page. */
  readonly mark: (rows: readonly WireRecord[], isOn: boolean) => void
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
  // What was asked for before the list showed something else comes too late.
  const setPicked = useCallback((change: (before: Picked) => Picked) => setHeld((before) => (before.narrowed === narrowed ? { narrowed, picked: change(before.picked) } : before)), [narrowed])
  useEffect(() => setHeld((before) => (before.narrowed === narrowed ? before : { narrowed, picked: none })), [narrowed])
  useEffect(() => left.set(place, { narrowed, picked }), [place, narrowed, picked])
  // Rows asked for anew stand for the ones picked before: what may be done with them may have changed.
  const fresh = useMemo(() => {
    if (picked.size === 0) return picked
    const present = new Map(rows.flatMap((row) => (row === undefined ? [] : [[String(row.ID), row] as const])))
    // Copied or done one after the other, those of this page follow each other as they are seen.
    const seen = [...present].filter(([id]) => picked.has(id)).values()
    return new Map([...picked].map((one) => (present.has(one[0]) ? (seen.next().value ?? one) : one)))
  }, [picked, rows])
  const set = useCallback(
    (ids: RowSelection) => {
      const here = new Map(rows.flatMap((row) => (row === undefined ? [] : [[String(row.ID), row] as const])))
      setPicked((before) => new Map([...before, ...here].filter(([id]) => ids[id] === true)))
    },
    [rows, setPicked],
  )
  const take = useCallback((all: readonly WireRecord[]) => setPicked(() => new Map(all.map((row) => [String(row.ID), row]))), [setPicked])
  const mark = useCallback(
    (meant: readonly WireRecord[], isOn: boolean) =>
      setPicked((before) => {
        const named = new Map(meant.map((row) => [String(row.ID), row]))
        return new Map([...[...before].filter(([id]) => !named.has(id)), ...(isOn ? named : [])])
      }),
    [setPicked],
  )
  const clear = useCallback(() => setPicked(() => none), [setPicked])
  return useMemo(
    () => ({ ids: Object.fromEntries([...fresh.keys()].map((id) => [id, true])), rows: [...fresh.values()], set, mark, take, clear }),
    [fresh, set, mark, take, clear],
  )
}

const none: Picked = new Map()
