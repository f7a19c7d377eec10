import type { ReactNode } from 'react'
import { t } from '../app/messages.ts'
import type { Asked } from '../data/useAnswer.ts'
import { Pager } from '../table/Pager.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import css from './Import.module.css'

/** Rows of a file asked for at a time. */
export const pageLength = 50

interface RowsTableProps<R> {
  readonly label: string
  readonly answer: Pick<Asked<{ readonly rows: readonly R[]; readonly recordsTotal: number }>, 'value' | 'problem' | 'reload'>
  readonly page: number
  readonly onPage: (page: number) => void
  /** Heads of the cells behind the number of the row. */
  readonly heads: ReactNode
  /** The cells of one row. */
  readonly children: (row: R) => ReactNode
}

/** Rows of an imported file under their numbers, page by page. */
export function RowsTable<R extends { readonly RowNo: number }>({ label, answer: { value, problem, reload }, page, onPage, heads, children }: RowsTableProps<R>) {
  if (value === undefined) return problem === undefined ? <Skeleton lines={8} /> : <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />
  if (value.rows.length === 0) return <EmptyState icon="check" title={t('import.no-rows')} />
  return (
    <>
      <div className={css['scroll']} tabIndex={0} role="region" aria-label={label}>
        <table className={css['table']}>
          <thead>
            <tr>
              <th scope="col">{t('import.row')}</th>
              {heads}
            </tr>
          </thead>
          <tbody>
            {value.rows.map((row) => (
              <tr key={row.RowNo}>
                <th scope="row">{row.RowNo}</th>
                {children(row)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {value.recordsTotal > pageLength && <Pager page={page} length={pageLength} total={value.recordsTotal} onPage={onPage} />}
    </>
  )
}
