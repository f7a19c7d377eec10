import { useId } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { IconButton } from '../ui/Button.tsx'
import { pageSizes } from './listState.ts'
import css from './Pager.module.css'

interface PagerProps {
  readonly page: number
  readonly length: number
  readonly total: number
  readonly onPage: (page: number) => void
  readonly onLength: (length: number) => void
}

/** Page size, "start - end of total", and the way through the pages. */
export function Pager({ page, length, total, onPage, onLength }: PagerProps) {
  const id = useId()
  const pages = Math.max(1, Math.ceil(total / length))
  const start = total === 0 ? 0 : (page - 1) * length + 1
  const end = Math.min(page * length, total)
  const sizes = pageSizes.some((size) => size === length) ? pageSizes : [...pageSizes, length].toSorted((a, b) => a - b)
  return (
    <div className={css['pager']}>
      <label htmlFor={id}>{t('ui.rows-per-page')}</label>
      <select id={id} className={css['size']} value={length} onChange={(event) => onLength(Number(event.target.value) || 5)}>
        {sizes.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
      <span className={css['counter']} aria-live="polite">
        {t('ui.counter', { start: formatNumber(start), end: formatNumber(end), total: formatNumber(total) })}
      </span>
      <IconButton icon="first" label={t('ui.first-page')} disabled={page <= 1} onClick={() => onPage(1)} />
      <IconButton icon="left" label={t('ui.previous-page')} disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <span className={css['page']}>{t('ui.page-of', { page: formatNumber(page), pages: formatNumber(pages) })}</span>
      <IconButton icon="right" label={t('ui.next-page')} disabled={page >= pages} onClick={() => onPage(page + 1)} />
      <IconButton icon="last" label={t('ui.last-page')} disabled={page >= pages} onClick={() => onPage(pages)} />
    </div>
  )
}
