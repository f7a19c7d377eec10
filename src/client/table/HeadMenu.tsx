import { isGroupable } from '#api/viewFits.ts'
import type { Layout } from '#api/view.ts'
import type { Grouping } from '#api/view.ts'
import type { Column, Sort } from '#meta/resolved.ts'
import { loadChunk } from '../app/chunks.ts'
import { t } from '../app/messages.ts'
import { AnchoredMenu } from '../ui/AnchoredMenu.tsx'
import type { MenuItem } from '../ui/Menu.tsx'
import { hideColumn, nudgeColumn, pinColumn, resizeColumn } from './layout.ts'

interface HeadMenuProps {
  readonly column: Column
  readonly anchor: HTMLElement
  readonly sort: readonly Sort[]
  readonly layout: Layout
  readonly group: readonly Grouping[]
  readonly onSort: (sort: readonly Sort[]) => void
  readonly onLayout: (layout: Layout) => void
  readonly onGroup: (group: readonly Grouping[]) => void
  /** Begins a filter on the column. */
  readonly onFilter: (column: Column) => void
  readonly onClose: () => void
}

/** Everything one can do with a column, in one place. */
export function HeadMenu({ column, anchor, sort, layout, group, onSort, onLayout, onGroup, onFilter, onClose }: HeadMenuProps) {
  const { name, pin } = column
  const sorts = (['asc', 'desc'] as const).map((dir): MenuItem => ({ id: dir, label: t(`ui.column.sort-${dir}`), icon: dir === 'asc' ? 'up' : 'down', onSelect: () => onSort([{ field: name, dir }]) }))
  const isSorted = sort.some(({ field }) => field !== 'id' && field !== name)
  const isGrouped = group.some(({ field }) => field === name)
  const items: readonly (MenuItem | false)[] = [
    ...(column.sortable ? sorts : []),
    column.sortable && isSorted && { id: 'add', label: t('ui.column.sort-more'), icon: 'plus', onSelect: () => onSort([...sort.filter(({ field }) => field !== name && field !== 'id'), { field: name, dir: 'asc' }]) },
    column.filterable && { id: 'filter', label: t('ui.column.filter'), icon: 'filter', onSelect: () => onFilter(column) },
    isGroupable(column.type) && !isGrouped && { id: 'group', label: t('ui.column.group'), icon: 'group', onSelect: () => onGroup([...group.slice(0, 1), { field: name }]) },
    isGrouped && { id: 'ungroup', label: t('ui.column.ungroup'), icon: 'group', onSelect: () => onGroup(group.filter(({ field }) => field !== name)) },
    pin !== 'left' && { id: 'left', label: t('ui.column.keep-left'), icon: 'pinLeft', onSelect: () => onLayout(pinColumn(layout, name, 'left')) },
    pin !== 'right' && { id: 'right', label: t('ui.column.keep-right'), icon: 'pinRight', onSelect: () => onLayout(pinColumn(layout, name, 'right')) },
    pin !== undefined && { id: 'free', label: t('ui.column.unpin'), icon: 'close', onSelect: () => onLayout(pinColumn(layout, name, undefined)) },
    { id: 'earlier', label: t('ui.column.left'), icon: 'left', onSelect: () => onLayout(nudgeColumn(layout, name, -1)) },
    { id: 'later', label: t('ui.column.right'), icon: 'right', onSelect: () => onLayout(nudgeColumn(layout, name, 1)) },
    { id: 'fit', label: t('ui.column.fit'), icon: 'expand', onSelect: () => void loadChunk(() => import('./fitWidth.ts')).then(({ fitWidth }) => onLayout(resizeColumn(layout, name, fitWidth(anchor)))) },
    layout.length > 1 && { id: 'hide', label: t('ui.column.hide'), icon: 'eye', onSelect: () => onLayout(hideColumn(layout, name)) },
  ]
  return <AnchoredMenu anchor={anchor} label={t('ui.column.menu', { column: t(column.label) })} onClose={onClose} items={items.filter((item) => item !== false)} />
}
