import { memo, type ReactNode } from 'react'
import type { Column, Tone } from '#meta/resolved.ts'
import { fillPath } from '../data/around.ts'
import { t } from '../app/messages.ts'
import { unusualOf } from '#meta/unusual.ts'
import { classes } from '../ui/classes.ts'
import { isNothing, showValue, type AnyRecord } from './cells.tsx'
import type { RowLook } from './rowLook.ts'
import css from './DataTable.module.css'

interface TableRowProps {
  readonly record: AnyRecord
  readonly index: number
  readonly look: RowLook
  readonly isSelected: boolean
  /** Shown in the preview. */
  readonly isCurrent: boolean
  readonly tone: Tone | undefined
  readonly path: string | undefined
  /** So many cells have their content; those of the columns after them follow. */
  readonly cells: number
}

/** One row. Clicks and keys are handled by the table body, found by `data-row`. */
export const TableRow = memo(function TableRow({ record, index, look, isSelected, isCurrent, tone, path, cells }: TableRowProps) {
  return (
    <tr
      data-row={index}
      aria-rowindex={look.first + index + 2}
      tabIndex={index === 0 ? 0 : -1}
      aria-current={isCurrent || undefined}
      aria-selected={look.canSelect ? isSelected : undefined}
      className={classes(tone && css[tone], isSelected && css['selected'], isCurrent && css['current'])}
    >
      {look.toolWidth > 0 && (
        <td className={look.toolClass}>
          {look.canSelect && <input type="checkbox" aria-label={t('ui.select-row')} checked={isSelected} onChange={ignore} tabIndex={-1} />}
          {look.hasMenu && (
            <button type="button" aria-label={t('ui.actions')} aria-haspopup="menu" tabIndex={-1}>
              ⋯
            </button>
          )}
        </td>
      )}
      {look.columns.map((column, i) => (i < cells ? cell(column, look.classes[i], record, i === 0 ? path : undefined) : <td key={column.name} className={look.classes[i]} />))}
    </tr>
  )
})

/** A row whose record is still on its way. */
export function WaitingRow({ index, look }: { readonly index: number; readonly look: RowLook }) {
  return (
    <tr data-row={index} aria-rowindex={look.first + index + 2} aria-busy="true" className={css['waiting']}>
      <td colSpan={look.columns.length + (look.toolWidth > 0 ? 1 : 0)}>
        <span />
      </td>
    </tr>
  )
}

/** Not a component: fourteen hundred of them on a page of a hundred rows would cost more than their content. */
function cell(column: Column, className: string | undefined, record: AnyRecord, rowPath: string | undefined): ReactNode {
  const shown = showValue(column, record)
  // The first cell carries the row's own link, so that it can be opened in a new tab.
  const path = column.link === undefined ? rowPath : fillPath(column.link, record)
  const content = path === undefined || shown === '' ? shown : <a href={path}>{shown}</a>
  return (
    <td key={column.name} className={isNothing(column, record) ? `${className} ${css['nothing']}` : unusualOf(column, record) === undefined ? className : `${className} ${css['unusual']}`}>
      {content}
    </td>
  )
}

/** The table body handles the change; React wants a handler beside `checked`. */
function ignore(): void {}
