import type { Sort } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { HeadCell, type HeadDeeds } from './HeadCell.tsx'
import type { RowLook } from './rowLook.ts'

interface TableHeadProps {
  readonly look: RowLook
  readonly sort: readonly Sort[]
  readonly deeds: HeadDeeds
  /** Of the rows on the page: none, some or all; undefined: rows cannot be selected. */
  readonly selected: 'none' | 'some' | 'all' | undefined
  readonly onSelectAll: () => void
}

export function TableHead({ look, sort, deeds, selected, onSelectAll }: TableHeadProps) {
  // The tie-breakers behind the scenes (id) are not counted for the user.
  const shownSort = sort.filter(({ field }) => look.columns.some((column) => column.name === field))
  return (
    <thead>
      <tr aria-rowindex={1}>
        {look.toolWidth > 0 && (
          <th scope="col" className={look.toolClass}>
            {selected === undefined ? (
              <span className="visually-hidden">{t('ui.actions')}</span>
            ) : (
              <input
                type="checkbox"
                aria-label={t('ui.select-all')}
                checked={selected === 'all'}
                ref={(box) => {
                  if (box) box.indeterminate = selected === 'some'
                }}
                onChange={onSelectAll}
              />
            )}
          </th>
        )}
        {look.columns.map((column, i) => (
          <HeadCell key={column.name} column={column} className={look.headClasses[i] ?? ''} sort={shownSort} deeds={deeds} />
        ))}
      </tr>
    </thead>
  )
}

/** Widths of all columns; the growing one takes what is left over. */
export function TableColumns({ look }: { readonly look: RowLook }) {
  return (
    <colgroup>
      {look.toolWidth > 0 && <col style={{ width: look.toolWidth }} />}
      {look.columns.map((column, i) => (
        <col key={column.name} style={column.name === look.growing ? noWidth : { width: look.widths[i] ?? 0 }} />
      ))}
    </colgroup>
  )
}

const noWidth = {}
