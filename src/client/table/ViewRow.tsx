import { useEffect, useRef, useState } from 'react'
import type { SavedView, ViewBody } from '#api/view.ts'
import { t } from '../app/messages.ts'
import { Button } from '../ui/Button.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { SaveViewForm } from './SaveViewForm.tsx'
import css from './ViewsPanel.module.css'

interface ViewRowProps {
  readonly view: SavedView
  /** The days it holds for ever; '': none. */
  readonly days: string
  readonly isOwn: boolean
  readonly isCurrent: boolean
  readonly isKeeper: boolean
  readonly isBusy: boolean
  readonly onChoose: () => void
  /** The name that was refused, as long as it stands there unchanged, and why. */
  readonly refused: { readonly name: string; readonly text: string } | undefined
  /** Answers whether it is so now. */
  readonly onChange: (body: ViewBody) => Promise<boolean>
  readonly onDefault: (isDefault: boolean) => void
  readonly onDelete: () => void
}

/** One view: its name opens it; what may be changed of it is changed here. */
export function ViewRow({ view, days, isOwn, isCurrent, isKeeper, isBusy, refused, onChoose, onChange, onDefault, onDelete }: ViewRowProps) {
  const [mode, setMode] = useState<'shown' | 'changed' | 'deleted'>('shown')
  const row = useRef<HTMLLIElement>(null)
  const before = useRef(mode)
  // What was pressed has gone, or has come back: the keyboard goes on there.
  useEffect(() => {
    const pressed = mode === 'shown' ? before.current : mode
    before.current = mode
    row.current?.querySelector<HTMLElement>(`[data-focus="${pressed}"]`)?.focus()
  }, [mode])
  if (mode === 'changed') {
    const save = async (body: ViewBody) => {
      const isSame = body.Name === view.Name && body.RoleID === view.RoleID && body.IsDefault === view.IsDefault
      const isKept = isSame || (await onChange(body))
      if (isKept) setMode('shown')
      return isKept
    }
    return (
      <li ref={row} className={css['changed']}>
        <SaveViewForm deed="view.change" view={view} days={days} isNew={false} isOwn={isOwn} isKeeper={isKeeper} isBusy={isBusy} refused={refused} onSave={save} onCancel={() => setMode('shown')} />
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
  return (
    <li ref={row} className={css['row']}>
      <button type="button" className={css['open']} aria-current={isCurrent} onClick={onChoose}>
        <span>{view.Name}</span>
        {days !== '' && <span className={css['note']}>{t('ui.view.fixed', { days })}</span>}
        {view.RoleName !== null && <span className={css['note']}>{isOwn ? view.RoleName : `${view.RoleName} · ${view.OwnerName}`}</span>}
      </button>
      {view.CanEdit && (view.RoleID === null || isKeeper) ? (
        <ViewTool icon="star" isOn={view.IsDefault} label={t(view.IsDefault ? 'ui.view.no-default' : 'ui.view.default', { name: view.Name })} onClick={() => onDefault(!view.IsDefault)} />
      ) : (
        view.IsDefault && (
          <span className={css['first']} title={t('ui.view.is-default')}>
            <Icon name="star" size={15} />
            <span className="visually-hidden">{t('ui.view.is-default')}</span>
          </span>
        )
      )}
      {view.CanEdit && <ViewTool icon="edit" focus="changed" label={t('ui.view.change-one', { name: view.Name })} onClick={() => setMode('changed')} />}
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
