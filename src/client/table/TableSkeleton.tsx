import type { Column } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import css from './TableSkeleton.module.css'

/** The table before its rows: the same head and rows of the same height, so that nothing jumps when they come. */
export function TableSkeleton({ columns, rows }: { readonly columns: readonly Column[]; readonly rows: number }) {
  return (
    <div className={css['skeleton']} role="status" aria-label={t('ui.loading')}>
      <div className={css['head']}>
        {columns.slice(0, 8).map((column) => (
          <span key={column.name}>{t(column.label)}</span>
        ))}
      </div>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className={css['row']}>
          <span />
        </div>
      ))}
    </div>
  )
}
