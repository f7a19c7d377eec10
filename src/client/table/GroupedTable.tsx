import { useCallback, useMemo } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { Grouping } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { CardList } from './CardList.tsx'
import { flatRows, GroupedBody } from './GroupedBody.tsx'
import { GroupedCards } from './GroupedCards.tsx'
import type { RowLook } from './rowLook.ts'
import { DataTable, type DrawRow, type DataTableProps } from './DataTable.tsx'
import type { Groups } from './useGroups.ts'

interface GroupedTableProps extends Omit<DataTableProps<WireRecord>, 'rows' | 'body'> {
  readonly entity: string
  readonly groups: Groups
  readonly groupings: readonly Grouping[]
  readonly fields: readonly Field[]
  readonly isNarrow: boolean
}

/** A list in groups: a table with rows of sums that open and close, on a phone headings over cards. */
export function GroupedTable({ entity, groups, groupings, fields, isNarrow, ...table }: GroupedTableProps) {
  const rows = useMemo(() => flatRows(groups), [groups])
  const body = useCallback((draw: DrawRow<WireRecord>, look: RowLook) => <GroupedBody groups={groups} groupings={groupings} fields={fields} look={look} draw={draw} />, [groups, groupings, fields])
  if (!isNarrow || table.isWhole === true) return <DataTable {...table} rows={rows} body={body} />
  const { columns, toneOf = noTone, pathOf, onOpen, onMenu, selection = {}, onSelection } = table
  const shared = { entity, columns, toneOf, selection, ...(pathOf === undefined ? {} : { pathOf }), ...(onOpen === undefined ? {} : { onOpen }), ...(onMenu === undefined ? {} : { onMenu }), ...(onSelection === undefined ? {} : { onSelection }) }
  return <GroupedCards groups={groups} groupings={groupings} fields={fields} columns={columns} cards={(shown) => <CardList {...shared} rows={shown} />} />
}

function noTone(): undefined {}
