import type { DragEvent, KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import type { Column, Sort } from '#meta/resolved.ts'
import { loadChunk } from '../app/chunks.ts'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import { startResize } from './resize.ts'
import css from './DataTable.module.css'

/** What can be done with a column from its heading. Absent: the columns stay as they are. */
export interface HeadDeeds {
  readonly onSort: (column: string, isAdding: boolean) => void
  /** Undefined width: as the screen says. */
  readonly onResize?: (column: string, width: number | undefined) => void
  /** Undefined: to the end. */
  readonly onMove?: (column: string, before: string | undefined) => void
  readonly onNudge?: (column: string, step: -1 | 1) => void
  readonly onMenu?: (column: Column, button: HTMLElement) => void
}

interface HeadCellProps {
  readonly column: Column
  readonly className: string
  readonly sort: readonly Sort[]
  readonly deeds: HeadDeeds
}

const resizeStep = 16

/** Click sorts, a second click turns the order, shift-click adds to the order there is; drag moves the column, its edge makes it wider. */
export function HeadCell({ column, className, sort, deeds }: HeadCellProps) {
  const { name } = column
  const { onSort, onResize, onNudge, onMove, onMenu } = deeds
  const at = sort.findIndex(({ field }) => field === name)
  const dir = sort[at]?.dir
  const label = t(column.label)
  const hasKeys = onResize !== undefined
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key } = event
    const cell = event.currentTarget.closest('th')
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    if (cell === null) return
    if ((key === 'Enter' || key === ' ') && event.shiftKey && column.sortable) onSort(name, true)
    else if (key === 'ArrowDown' && event.altKey && onMenu !== undefined) onMenu(column, event.currentTarget)
    else if (key === 'ArrowDown') cell.closest('table')?.querySelector<HTMLElement>('tbody tr[tabindex], tbody tr[data-group] button')?.focus()
    else if (step === 0) return
    else if (event.shiftKey) onResize?.(name, Math.max(40, Math.round(cell.offsetWidth) + step * resizeStep))
    else if (event.ctrlKey || event.metaKey) onNudge?.(name, step)
    else neighbourOf(cell, step)?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  const content = (
    <>
      <span className={css['label']}>{label}</span>
      {dir !== undefined && (
        <span className={css['arrow']}>
          <Icon name={dir === 'asc' ? 'up' : 'down'} size={13} />
          {sort.length > 1 && <span className={css['place']}>{at + 1}</span>}
        </span>
      )}
    </>
  )
  return (
    <th
      scope="col"
      data-column={name}
      className={className}
      aria-sort={dir === undefined ? undefined : dir === 'asc' ? 'ascending' : 'descending'}
      {...(onMenu === undefined
        ? {}
        : {
            onContextMenu: (event: MouseEvent<HTMLElement>) => {
              event.preventDefault()
              onMenu(column, event.currentTarget.querySelector('button') ?? event.currentTarget)
            },
          })}
      {...(onMove === undefined ? {} : dropping(name, onMove))}
    >
      {column.sortable || hasKeys ? (
        <button
          type="button"
          className={css['sort']}
          draggable={onMove !== undefined}
          onDragStart={(event) => {
            event.dataTransfer.setData(dragType, name)
            event.dataTransfer.effectAllowed = 'move'
          }}
          onClick={(event) => {
            if (column.sortable) onSort(name, event.shiftKey)
          }}
          onKeyDown={onKeyDown}
          title={column.sortable ? t('ui.sort-hint') : undefined}
        >
          {content}
        </button>
      ) : (
        content
      )}
      {onMenu !== undefined && (
        // For the pointer; the keyboard has Alt+Down on the heading itself.
        <button type="button" className={css['more']} tabIndex={-1} aria-hidden="true" title={t('ui.column.menu', { column: label })} onClick={(event) => onMenu(column, event.currentTarget)}>
          <Icon name="chevron" size={12} />
        </button>
      )}
      {onResize !== undefined && (
        <span
          className={css['grip']}
          aria-hidden="true"
          onPointerDown={(event: PointerEvent<HTMLElement>) => startResize(event, (width) => onResize(name, width))}
          onDoubleClick={({ currentTarget }) => void loadChunk(() => import('./fitWidth.ts')).then(({ fitWidth }) => onResize(name, fitWidth(currentTarget)))}
        />
      )}
    </th>
  )
}

const dragType = 'application/x-column'

/** A heading dropped on the left half goes before this one, on the right half after it. */
function dropping(name: string, onMove: NonNullable<HeadDeeds['onMove']>) {
  const isAfter = (event: DragEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return event.clientX > box.left + box.width / 2
  }
  return {
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (!event.dataTransfer.types.includes(dragType)) return
      event.preventDefault()
      event.currentTarget.dataset['drop'] = isAfter(event) ? 'after' : 'before'
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => void delete event.currentTarget.dataset['drop'],
    onDrop: (event: DragEvent<HTMLElement>) => {
      const moved = event.dataTransfer.getData(dragType)
      delete event.currentTarget.dataset['drop']
      if (moved === '') return
      event.preventDefault()
      const next = event.currentTarget.nextElementSibling
      onMove(moved, isAfter(event) ? (next instanceof HTMLElement ? next.dataset['column'] : undefined) : name)
    },
  }
}

function neighbourOf(cell: HTMLElement, step: number): HTMLElement | null | undefined {
  return (step > 0 ? cell.nextElementSibling : cell.previousElementSibling)?.querySelector<HTMLElement>('button, input')
}
