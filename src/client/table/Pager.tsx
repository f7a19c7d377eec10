import { useId } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { IconButton } from '../ui/Button.tsx'
import { allRows, offeredSizes, pageSizeOf, type TableRole } from './pageSize.ts'
import css from './Pager.module.css'

interface PagerProps {
  readonly page: number
  readonly length: number
  readonly total: number
  readonly onPage: (page: number) => void
  /** Absent: the size is not to be chosen. */
  readonly onLength?: (length: number) => void
  readonly role?: TableRole
  /** Message key of the counter; that of rows unless said. */
  readonly counter?: string
  /** All is offered up to so many rows; beyond, an export serves better. */
  readonly most?: number
}

const mostAtOnce = 10_000

/** Page size, "start - end of total", and the way through the pages. */
export function Pager({ page, length, total, onPage, onLength, role = 'other', counter = 'ui.counter', most = mostAtOnce }: PagerProps) {
  const id = useId()
  const pages = Math.max(1, Math.ceil(total / length))
  const start = total === 0 ? 0 : (page - 1) * length + 1
  const end = Math.min(page * length, total)
  const isAll = role === 'other' && length === total && !offeredSizes(role, 0).includes(length)
  const sizes = offeredSizes(role, isAll ? 5 : length)
  return (
    <div className={css['pager']}>
      {onLength !== undefined && (
        <>
          <label htmlFor={id}>{t('ui.rows-per-page')}</label>
          <select id={id} className={css['size']} value={isAll ? allRows : length} onChange={(event) => onLength(pageSizeOf(event.target.value, total))}>
            {sizes.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
            {role === 'other' && (
              <option value={allRows} disabled={total > most}>
                {total > most ? t('ui.all-rows-most', { most: formatNumber(most) }) : t('ui.all-rows')}
              </option>
            )}
          </select>
        </>
      )}
      <span className={css['counter']} aria-live="polite">
        {t(counter, { start: formatNumber(start), end: formatNumber(end), total: formatNumber(total) })}
      </span>
      <IconButton icon="first" label={t('ui.first-page')} disabled={page <= 1} onClick={() => onPage(1)} />
      <IconButton icon="left" label={t('ui.previous-page')} disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <span className={css['page']}>{t('ui.page-of', { page: formatNumber(page), pages: formatNumber(pages) })}</span>
      <IconButton icon="right" label={t('ui.next-page')} disabled={page >= pages} onClick={() => onPage(page + 1)} />
      <IconButton icon="last" label={t('ui.last-page')} disabled={page >= pages} onClick={() => onPage(pages)} />
    </div>
  )
}
