import { memo } from 'react'
import type { Column, Tone } from '#meta/resolved.ts'
import { fillPath } from '../data/around.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { cellOf, showValue, type AnyRecord } from './cells.tsx'
import css from './Table.module.css'

export const checkWidth = 40
export const menuWidth = 44

/** What all rows of a table share; the same object as long as nothing of it changes. */
export interface RowLook {
  readonly columns: readonly Column[]
  readonly canSelect: boolean
  readonly hasMenu: boolean
}

interface TableRowProps {
  readonly record: AnyRecord
  readonly index: number
  readonly look: RowLook
  readonly isSelected: boolean
  readonly tone: Tone | undefined
  readonly path: string | undefined
}

/** One row. Clicks and keys are handled by the table body, found by `data-row`. */
export const TableRow = memo(function TableRow({ record, index, look, isSelected, tone, path }: TableRowProps) {
  return (
    <tr data-row={index} tabIndex={index === 0 ? 0 : -1} aria-selected={look.canSelect ? isSelected : undefined} className={classes(tone && css[tone], isSelected && css['selected'])}>
      {look.canSelect && (
        <td className={css['check']}>
          <input type="checkbox" aria-label={t('ui.select-row')} checked={isSelected} onChange={ignore} tabIndex={-1} />
        </td>
      )}
      {look.columns.map((column, i) => (
        <TableCell key={column.name} column={column} record={record} rowPath={i === 0 ? path : undefined} />
      ))}
      {look.hasMenu && (
        <td className={css['menu']}>
          <button type="button" aria-label={t('ui.actions')} aria-haspopup="menu" tabIndex={-1}>
            ⋯
          </button>
        </td>
      )}
    </tr>
  )
})

function TableCell({ column, record, rowPath }: { readonly column: Column; readonly record: AnyRecord; readonly rowPath: string | undefined }) {
  const shown = showValue(column, record)
  // The first cell carries the row's own link, so that it can be opened in a new tab.
  const path = column.link === undefined ? rowPath : fillPath(column.link, record)
  const content = path === undefined || shown === '' ? shown : <a href={path}>{shown}</a>
  return <td className={cellClass(column)}>{content}</td>
}

const classNames = new Map<string, string>()

export function cellClass(column: Column): string {
  const key = `${column.type} ${column.pin ?? ''}`
  const known = classNames.get(key)
  if (known !== undefined) return known
  const made = classes(css[cellOf(column.type).align], column.pin === 'left' && css['pin'])
  classNames.set(key, made)
  return made
}

/** The table body handles the change; React wants a handler beside `checked`. */
function ignore(): void {}
