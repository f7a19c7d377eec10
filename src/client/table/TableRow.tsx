import { memo, type ReactNode } from 'react'
import type { Column, Tone } from '#meta/resolved.ts'
import { fillPath } from '../data/around.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { cellOf, showValue, type AnyRecord } from './cells.tsx'
import css from './Table.module.css'

/** Width of the column with checkbox and menu button; 0 without either. */
export function toolsWidth(look: Pick<RowLook, 'canSelect' | 'hasMenu'>): number {
  return look.canSelect && look.hasMenu ? 72 : look.canSelect || look.hasMenu ? 44 : 0
}

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
      {(look.canSelect || look.hasMenu) && (
        <td className={css['tools']}>
          {look.canSelect && <input type="checkbox" aria-label={t('ui.select-row')} checked={isSelected} onChange={ignore} tabIndex={-1} />}
          {look.hasMenu && (
            <button type="button" aria-label={t('ui.actions')} aria-haspopup="menu" tabIndex={-1}>
              ⋯
            </button>
          )}
        </td>
      )}
      {look.columns.map((column, i) => cell(column, record, i === 0 ? path : undefined))}
    </tr>
  )
})

/** Not a component: fourteen hundred of them on a page of a hundred rows would cost more than their content. */
function cell(column: Column, record: AnyRecord, rowPath: string | undefined): ReactNode {
  const shown = showValue(column, record)
  // The first cell carries the row's own link, so that it can be opened in a new tab.
  const path = column.link === undefined ? rowPath : fillPath(column.link, record)
  const content = path === undefined || shown === '' ? shown : <a href={path}>{shown}</a>
  return (
    <td key={column.name} className={cellClass(column)}>
      {content}
    </td>
  )
}

/** Text may be longer than its column; numbers and days are not. */
function isCut(column: Column): boolean {
  return cellOf(column.type).align === 'start' && column.type !== 'date' && column.type !== 'status'
}

const classNames = new Map<string, string>()

export function cellClass(column: Column): string {
  const key = `${column.type} ${column.pin ?? ''}`
  const known = classNames.get(key)
  if (known !== undefined) return known
  const made = classes(css[cellOf(column.type).align], isCut(column) && css['cut'], column.pin === 'left' && css['pin'])
  classNames.set(key, made)
  return made
}

/** The table body handles the change; React wants a handler beside `checked`. */
function ignore(): void {}
