import { useMemo, useRef, useState } from 'react'
import type { ListQuery, RowGroup } from '#api/data.ts'
import type { Grouping } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { groupsOf, memberKey } from './groupMembers.ts'
import { mostSelected, refuseTooMany, selectMatching } from './selectMatching.ts'
import { conditionOf, keyOf, type Groups } from './useGroups.ts'
import type { Selection } from './useSelection.ts'

/** How many rows of a group are selected. */
export type Ticked = 'none' | 'some' | 'all'

/** Boxes that select whole groups. */
export interface GroupTicks {
  readonly tickOf: (path: readonly RowGroup[]) => Ticked
  readonly isBusy: (path: readonly RowGroup[]) => boolean
  readonly toggle: (path: readonly RowGroup[]) => void
}

interface Ticking {
  readonly resource: string
  readonly query: ListQuery
  readonly groups: Groups
  readonly groupings: readonly Grouping[]
  readonly fields: readonly Field[]
  readonly selection: Selection
  /** The list has changed meanwhile: it is shown anew. */
  readonly onStale: () => void
}

/** Ticks all rows of a group, those not loaded too: they are asked for by the group's filter, and refused if their number is another by now. */
export function useGroupTicks(ticking: Ticking): GroupTicks {
  const { groupings, fields, selection } = ticking
  const [asking, setAsking] = useState<ReadonlySet<string>>(none)
  const latest = useRef(ticking)
  latest.current = ticking
  const selected = useMemo(() => {
    const counts = new Map<string, number>()
    for (const row of selection.rows) for (const key of groupsOf(row, groupings, fields)) counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts
  }, [selection.rows, groupings, fields])
  return useMemo(() => {
    const tickOf = (path: readonly RowGroup[]): Ticked => {
      const count = selected.get(nameOf(path)) ?? 0
      return count === 0 ? 'none' : count < (path.at(-1)?.count ?? 0) ? 'some' : 'all'
    }
    const toggle = async (path: readonly RowGroup[]): Promise<void> => {
      if (tickOf(path) === 'all') {
        const { rows, take } = latest.current.selection
        return take(rows.filter((row) => groupsOf(row, groupings, fields)[path.length - 1] !== nameOf(path)))
      }
      const key = keyOf(path)
      if (asking.has(key)) return
      setAsking((before) => new Set([...before, key]))
      await tick(path, latest)
      setAsking((before) => new Set([...before].filter((one) => one !== key)))
    }
    return { tickOf, isBusy: (path) => asking.has(keyOf(path)), toggle: (path) => void toggle(path) }
  }, [selected, asking, groupings, fields])
}

const none: ReadonlySet<string> = new Set()

function nameOf(path: readonly RowGroup[]): string {
  return memberKey(path.map(({ value }) => value))
}

async function tick(path: readonly RowGroup[], latest: { readonly current: Ticking }): Promise<void> {
  const { resource, query, groups, groupings, selection, onStale } = latest.current
  const count = path.at(-1)?.count ?? 0
  const all = selection.rows.length + count
  if (all > mostSelected) return refuseTooMany(all)
  const known = groups.opened.get(keyOf(path))?.rows
  const rows = known?.length === count ? known : await selectMatching({ resource, query, filter: conditionOf(query, groupings, path), count }, onStale)
  // Another question has been asked of the list meanwhile: nobody means these rows any more.
  if (rows === undefined || latest.current.query !== query) return
  const added = new Set(rows.map((row) => row.ID))
  const now = latest.current.selection
  now.take([...now.rows.filter((row) => !added.has(row.ID)), ...rows])
}
