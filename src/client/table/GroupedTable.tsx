import { useCallback, useLayoutEffect } from 'react'
import type { ListQuery } from '#api/data.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Grouping } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { CardList } from './CardList.tsx'
import { GroupedBody } from './GroupedBody.tsx'
import { GroupedCards } from './GroupedCards.tsx'
import type { RowLook } from './rowLook.ts'
import { DataTable, type DrawRow, type DataTableProps } from './DataTable.tsx'
import { useGroups, type Groups } from './useGroups.ts'
import { useGroupTicks } from './useGroupTicks.ts'
import type { Selection } from './useSelection.ts'

interface GroupedTableProps extends Omit<DataTableProps<WireRecord>, 'rows' | 'body'> {
  readonly resource: string
  /** What the list was asked for. */
  readonly query: ListQuery
  readonly picked: Selection
  readonly onReload: () => void
  /** Id of the screen. */
  readonly list: string
  readonly entity: string
  readonly groups: Groups
  readonly groupings: readonly Grouping[]
  readonly fields: readonly Field[]
  readonly isNarrow: boolean
}

/** A list in groups: a table with rows of sums that open and close, on a phone headings over cards. */
export function GroupedTable({ list, entity, groups, groupings, fields, isNarrow, resource, query, picked, onReload, ...table }: GroupedTableProps) {
  const onStale = () => {
    picked.clear()
    onReload()
  }
  const ticking = useGroupTicks({ resource, query, groups, groupings, fields, selection: picked, onStale })
  const ticks = table.onSelection === undefined ? undefined : ticking
  const body = useCallback(
    (draw: DrawRow<WireRecord>, look: RowLook) => <GroupedBody groups={groups} groupings={groupings} fields={fields} look={look} draw={draw} ticks={ticks} />,
    [groups, groupings, fields, ticks],
  )
  if (!isNarrow || table.isWhole === true) return <DataTable {...table} rows={groups.rows} body={body} />
  const { columns, toneOf = noTone, pathOf, onOpen, onMenu, selection = {}, onSelection } = table
  const shared = { list, entity, columns, toneOf, selection, ...(pathOf === undefined ? {} : { pathOf }), ...(onOpen === undefined ? {} : { onOpen }), ...(onMenu === undefined ? {} : { onMenu }), ...(onSelection === undefined ? {} : { onSelection }) }
  return <GroupedCards groups={groups} groupings={groupings} fields={fields} columns={columns} ticks={ticks} cards={(shown) => <CardList {...shared} rows={shown} />} />
}

function noTone(): undefined {}

interface GroupedStateProps {
  /** What the groups are of, as `useGroups` takes it. */
  readonly of: Parameters<typeof useGroups>
  /** Told how they stand; undefined: there are none any more. */
  readonly onGroups: (groups: Groups | undefined) => void
}

/** Keeps the groups of a list as long as it stands in groups: a list without does not load what they need. */
export function GroupedState({ of, onGroups }: GroupedStateProps) {
  const groups = useGroups(...of)
  // Before anything is painted: rows and what is said of them stay together.
  useLayoutEffect(() => onGroups(groups), [groups, onGroups])
  useLayoutEffect(() => () => onGroups(undefined), [onGroups])
  return null
}
