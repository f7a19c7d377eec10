import { compared } from '#base/unseen.ts'
import { useRef, useState, type ChangeEvent, type DragEvent, type KeyboardEvent } from 'react'
import type { Layout } from '#api/view.ts'
import type { Pin } from '#api/view.ts'
import { viewColumns } from '#api/viewQuery.ts'
import type { Column } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import css from './ColumnPanel.module.css'
import { hideColumn, moveColumn, nudgeColumn, pinColumn, showColumn } from './layout.ts'

interface ColumnPanelProps {
  readonly columns: readonly Column[]
  readonly layout: Layout
  readonly onChange: (layout: Layout) => void
  readonly onReset?: (() => void) | undefined
}

const dragType = 'application/x-column-place'

/** Columns shown in their order, then the others. Order by dragging or Alt with the arrows; a pin keeps a column in sight. */
export function ColumnPanel({ columns, layout, onChange, onReset }: ColumnPanelProps) {
  const [words, setWords] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const shown = viewColumns({ columns }, layout)
  const hidden = columns.filter((column) => !shown.some(({ name }) => name === column.name))
  const fits = (column: Column) => compared(t(column.label)).includes(compared(words))
  const nudge = (event: KeyboardEvent<HTMLElement>, name: string) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0 || !event.altKey) return
    event.preventDefault()
    onChange(nudgeColumn(layout, name, step))
    // The row moves; whoever moves it stays on it.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-name="${name}"] input`)?.focus())
  }
  /** Shown or hidden, a column changes its place in the list; whoever walks it by keys stays where he is. */
  const stay = ({ currentTarget }: ChangeEvent<HTMLElement>) => {
    const row = currentTarget.matches(':focus-visible') ? currentTarget.closest('li') : null
    if (row === null) return
    const at = [...(list.current?.children ?? [])].indexOf(row)
    requestAnimationFrame(() => {
      const rows = [...(list.current?.children ?? [])]
      rows[Math.min(at, rows.length - 1)]?.querySelector('input')?.focus()
    })
  }
  return (
    <div className={css['panel']}>
      <input
        type="search"
        className={input['input']}
        aria-label={t('ui.columns.search')}
        placeholder={t('ui.columns.search')}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <p className={css['hint']}>{t('ui.columns.hint')}</p>
      <ul ref={list} className={css['list']}>
        {shown.filter(fits).map((column) => (
          <li key={column.name} data-name={column.name} className={css['row']} draggable {...dragging(column.name, (moved, before) => onChange(moveColumn(layout, moved, before)))} onKeyDown={(event) => nudge(event, column.name)}>
            <span className={css['handle']} aria-hidden="true">
              <Icon name="grip" size={14} />
            </span>
            <label className={css['name']}>
              <input type="checkbox" className={input['check']} checked disabled={shown.length === 1} onChange={(event) => {
                stay(event)
                onChange(hideColumn(layout, column.name))
              }} />
              {t(column.label)}
            </label>
            <Pins column={column} onPin={(pin) => onChange(pinColumn(layout, column.name, pin))} />
            <MoveButton icon="up" label={t('ui.column.up', { column: t(column.label) })} onMove={() => onChange(nudgeColumn(layout, column.name, -1))} />
            <MoveButton icon="down" label={t('ui.column.down', { column: t(column.label) })} onMove={() => onChange(nudgeColumn(layout, column.name, 1))} />
          </li>
        ))}
        {hidden.filter(fits).map((column) => (
          <li key={column.name} data-name={column.name} className={css['row']}>
            <span className={css['handle']} />
            <label className={css['name']}>
              <input type="checkbox" className={input['check']} checked={false} onChange={(event) => {
                stay(event)
                onChange(showColumn(layout, columns, column.name))
              }} />
              {t(column.label)}
            </label>
          </li>
        ))}
      </ul>
      {onReset !== undefined && (
        <Button
          icon="refresh"
          onClick={() => {
            onReset()
            // With nothing left to take back the button goes; the focus stays here.
            requestAnimationFrame(() => list.current?.querySelector('input')?.focus())
          }}
        >
          {t('ui.columns.reset')}
        </Button>
      )}
    </div>
  )
}

/** Left, right or with the rest: pressing the pin that is set takes it away. */
function Pins({ column, onPin }: { readonly column: Column; readonly onPin: (pin: Pin | undefined) => void }) {
  return (['left', 'right'] as const).map((pin) => (
    <button
      key={pin}
      type="button"
      className={css['tool']}
      aria-pressed={column.pin === pin}
      aria-label={t(`ui.column.pin-${pin}`, { column: t(column.label) })}
      title={t(`ui.column.pin-${pin}`, { column: t(column.label) })}
      onClick={() => onPin(column.pin === pin ? undefined : pin)}
    >
      <Icon name={pin === 'left' ? 'pinLeft' : 'pinRight'} size={14} />
    </button>
  ))
}

function MoveButton({ icon, label, onMove }: { readonly icon: 'up' | 'down'; readonly label: string; readonly onMove: () => void }) {
  return (
    <button type="button" className={css['tool']} aria-label={label} title={label} onClick={onMove}>
      <Icon name={icon} size={14} />
    </button>
  )
}

function dragging(name: string, onMove: (moved: string, before: string | undefined) => void) {
  const isAfter = (event: DragEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return event.clientY > box.top + box.height / 2
  }
  return {
    onDragStart: (event: DragEvent<HTMLElement>) => event.dataTransfer.setData(dragType, name),
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
      // Behind the last of those shown is the end.
      const after = next instanceof HTMLElement && next.draggable ? next.dataset['name'] : undefined
      onMove(moved, isAfter(event) ? after : name)
    },
  }
}
