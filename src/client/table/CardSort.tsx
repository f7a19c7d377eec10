import type { Column, Sort } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import input from '../ui/input.module.css'
import css from './CardSort.module.css'

interface CardSortProps {
  readonly columns: readonly Column[]
  readonly sort: readonly Sort[]
  readonly onSort: (sort: readonly Sort[]) => void
}

/** The order of the cards of a phone, which have no headings to press. */
export function CardSort({ columns, sort, onSort }: CardSortProps) {
  const [first] = sort
  const offered = columns.filter(({ sortable }) => sortable).flatMap(({ name, label }) => (['asc', 'desc'] as const).map((dir) => ({ field: name, dir, label })))
  const at = offered.findIndex(({ field, dir }) => field === first?.field && dir === first.dir)
  return (
    <label className={css['sort']}>
      {t('ui.sort-by')}
      <select
        className={input['input']}
        value={at}
        onChange={(event) => {
          const chosen = offered[Number(event.target.value)]
          if (chosen !== undefined) onSort([{ field: chosen.field, dir: chosen.dir }])
        }}
      >
        {/* In the order of a column that is not shown. */}
        {at < 0 && <option value={at}>–</option>}
        {offered.map(({ field, dir, label }, place) => (
          <option key={`${field} ${dir}`} value={place}>
            {t(`ui.say.${dir}`, { column: t(label) })}
          </option>
        ))}
      </select>
    </label>
  )
}
