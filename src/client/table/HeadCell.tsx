import type { Column, Sort } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import css from './Table.module.css'
import { cellClass } from './TableRow.tsx'

interface HeadCellProps {
  readonly column: Column
  readonly sort: readonly Sort[]
  readonly onSort: (isAdding: boolean) => void
}

/** Click sorts, a second click turns the order, shift-click adds to the order there is. */
export function HeadCell({ column, sort, onSort }: HeadCellProps) {
  const at = sort.findIndex(({ field }) => field === column.name)
  const dir = sort[at]?.dir
  const label = t(column.label)
  if (!column.sortable) {
    return (
      <th scope="col" className={cellClass(column)}>
        <span className={css['label']}>{label}</span>
      </th>
    )
  }
  return (
    <th scope="col" className={cellClass(column)} aria-sort={dir === undefined ? undefined : dir === 'asc' ? 'ascending' : 'descending'}>
      <button type="button" className={css['sort']} onClick={(event) => onSort(event.shiftKey)} title={t('ui.sort-hint')}>
        <span className={css['label']}>{label}</span>
        {dir !== undefined && (
          <span className={css['arrow']}>
            <Icon name={dir === 'asc' ? 'up' : 'down'} size={13} />
            {sort.length > 1 && <span className={css['place']}>{at + 1}</span>}
          </span>
        )}
      </button>
    </th>
  )
}
