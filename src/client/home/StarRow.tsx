import { useSetAtom } from 'jotai'
import { useId, useState, type DragEvent, type KeyboardEvent } from 'react'
import { t } from '../app/messages.ts'
import { renameStarAtom, starredAtom, starTitle, type Star } from '../app/stars.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { describedBy } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import { tooLong } from '../ui/tooLong.ts'
import css from './cards.module.css'

interface StarRowProps {
  readonly star: Star
  readonly index: number
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (step: -1 | 1) => void
  /** A row was dropped on this one. */
  readonly onDrop: (from: number) => void
}

/** A starred page being put in order: dragged, or moved with buttons and arrow keys; its name is typed over. */
export function StarRow({ star, index, isFirst, isLast, onMove, onDrop }: StarRowProps) {
  const rename = useSetAtom(renameStarAtom)
  const toggle = useSetAtom(starredAtom)
  const id = useId()
  const title = starTitle(star)
  const [name, setName] = useState(title)
  // Not kept while it is: it stays to be shortened.
  const long = tooLong(name, 120)
  const keep = () => {
    if (long !== undefined) return
    if (name.trim() !== title) void rename(star, name)
    if (name.trim() === '') setName(starTitle({ ...star, title: null }))
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    onMove(step)
  }
  const over = (event: DragEvent) => {
    if (event.dataTransfer.types.includes(dragType)) event.preventDefault()
  }
  return (
    <li
      className={css['row']}
      onDragOver={over}
      onDrop={(event) => {
        event.preventDefault()
        onDrop(Number(event.dataTransfer.getData(dragType)))
      }}
    >
      <button
        type="button"
        data-handle
        draggable
        className={css['handle']}
        aria-label={t('ui.stars.move', { page: title })}
        title={t('ui.stars.move-hint')}
        onKeyDown={onKey}
        onDragStart={(event) => event.dataTransfer.setData(dragType, String(index))}
      >
        <Icon name="menu" size={16} />
      </button>
      <input
        className={input['input']}
        aria-label={t('ui.stars.name', { page: title })}
        value={name}
        aria-invalid={long !== undefined || undefined}
        aria-describedby={long === undefined ? undefined : describedBy(id)}
        onChange={(event) => setName(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep()
          if (event.key === 'Escape') setName(title)
        }}
      />
      <IconButton icon="up" label={t('ui.stars.up', { page: title })} disabled={isFirst} onClick={() => onMove(-1)} />
      <IconButton icon="down" label={t('ui.stars.down', { page: title })} disabled={isLast} onClick={() => onMove(1)} />
      <IconButton icon="close" label={t('ui.stars.remove', { page: title })} onClick={() => void toggle(star)} />
      {long !== undefined && (
        <p id={describedBy(id)} role="alert" className={classes(input['problem'], css['told'])}>
          {long}
        </p>
      )}
    </li>
  )
}

const dragType = 'application/x-arus-star'
