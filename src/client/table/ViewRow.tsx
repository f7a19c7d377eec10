import { useEffect, useId, useRef, useState } from 'react'
import type { SavedView } from '#api/view.ts'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import css from './ViewsPanel.module.css'

interface ViewRowProps {
  readonly view: SavedView
  readonly isOwn: boolean
  readonly isCurrent: boolean
  readonly mayBeDefault: boolean
  readonly onChoose: () => void
  /** The name that was refused, as long as it stands there unchanged, and why. */
  readonly refused: { readonly name: string; readonly text: string } | undefined
  /** Answers whether it is called that now. */
  readonly onRename: (name: string) => Promise<boolean>
  readonly onDefault: (isDefault: boolean) => void
  readonly onDelete: () => void
}

/** One view: its name opens it; what may be changed of it is changed here. */
export function ViewRow({ view, isOwn, isCurrent, mayBeDefault, refused, onChoose, onRename, onDefault, onDelete }: ViewRowProps) {
  const [mode, setMode] = useState<'shown' | 'renamed' | 'deleted'>('shown')
  const [name, setName] = useState(view.Name)
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const row = useRef<HTMLLIElement>(null)
  const before = useRef(mode)
  // What was pressed has gone, or has come back: the keyboard goes on there.
  useEffect(() => {
    const pressed = mode === 'shown' ? before.current : mode
    before.current = mode
    row.current?.querySelector<HTMLElement>(`[data-focus="${pressed}"]`)?.focus()
  }, [mode])
  if (mode === 'renamed') {
    const problem = refused?.name === name.trim() ? refused.text : undefined
    const rename = async () => {
      if (name.trim() === '' || name.trim() === view.Name || (await onRename(name.trim()))) setMode('shown')
      else box.current?.focus()
    }
    return (
      <li ref={row} className={css['row']}>
        <form
          className={css['rename']}
          onSubmit={(event) => {
            event.preventDefault()
            void rename()
          }}
        >
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the pencil was pressed to type a name */}
          <input ref={box} className={input['input']} autoFocus aria-label={t('ui.view.name')} aria-invalid={problem !== undefined} aria-describedby={problem === undefined ? undefined : id} maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
          <Button type="submit">{t('ui.view.rename')}</Button>
          {problem !== undefined && (
            <p id={id} className={css['refused']}>
              {problem}
            </p>
          )}
        </form>
      </li>
    )
  }
  if (mode === 'deleted') {
    return (
      <li ref={row} className={css['row']}>
        <span className={css['open']}>{t('ui.view.delete-sure', { name: view.Name })}</span>
        <Button look="negative" onClick={onDelete}>
          {t('ui.view.delete')}
        </Button>
        <Button data-focus="deleted" onClick={() => setMode('shown')}>
          {t('ui.cancel')}
        </Button>
      </li>
    )
  }
  const begin = () => {
    // It may have been given another one since this row was drawn first.
    setName(view.Name)
    setMode('renamed')
  }
  return (
    <li ref={row} className={css['row']}>
      <button type="button" className={css['open']} aria-current={isCurrent} onClick={onChoose}>
        <span>{view.Name}</span>
        {view.RoleName !== null && <span className={css['note']}>{isOwn ? view.RoleName : `${view.RoleName} · ${view.OwnerName}`}</span>}
      </button>
      {mayBeDefault ? (
        <ViewTool icon="star" isOn={view.IsDefault} label={t(view.IsDefault ? 'ui.view.no-default' : 'ui.view.default', { name: view.Name })} onClick={() => onDefault(!view.IsDefault)} />
      ) : (
        view.IsDefault && (
          <span className={css['first']} title={t('ui.view.is-default')}>
            <Icon name="star" size={15} />
            <span className="visually-hidden">{t('ui.view.is-default')}</span>
          </span>
        )
      )}
      {view.CanEdit && <ViewTool icon="edit" focus="renamed" label={t('ui.view.rename-one', { name: view.Name })} onClick={begin} />}
      {view.CanEdit && <ViewTool icon="close" focus="deleted" label={t('ui.view.delete-one', { name: view.Name })} onClick={() => setMode('deleted')} />}
    </li>
  )
}

export function ViewTool({ icon, label, isOn, focus, onClick }: { readonly icon: IconName; readonly label: string; readonly isOn?: boolean; readonly focus?: string; readonly onClick: () => void }) {
  return (
    <button type="button" className={css['tool']} aria-label={label} title={label} aria-pressed={isOn} data-focus={focus} onClick={onClick}>
      <Icon name={icon} size={15} />
    </button>
  )
}
