import { useSyncExternalStore } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import css from './LineGrid.module.css'
import type { Computing } from '../form/formState.ts'
import type { LineStore } from './lineStore.ts'

interface GridBarProps {
  readonly store: LineStore
  readonly readOnly: boolean
  readonly computing: Computing
  /** The server has values to fill in. */
  readonly onSuggest: (() => void) | undefined
  readonly onAdd: () => void
  readonly onRemove: () => void
}

/** How many lines there are, and what the mouse can do with them. */
export function GridBar({ store, readOnly, computing, onSuggest, onAdd, onRemove }: GridBarProps) {
  return (
    <div className={css['bar']}>
      <LineCount store={store} computing={computing} />
      {!readOnly && (
        <div className={css['tools']}>
          <Button look="plain" icon="plus" onClick={onAdd}>
            {t('ui.grid.insert')}
          </Button>
          {onSuggest !== undefined && (
            <Button look="plain" onClick={onSuggest}>
              {t('ui.grid.suggest')}
            </Button>
          )}
          <RemoveButton store={store} onRemove={onRemove} />
          <UndoButtons store={store} />
        </div>
      )}
    </div>
  )
}

function LineCount({ store, computing }: { readonly store: LineStore; readonly computing: Computing }) {
  // Those entered: what the server puts under them comes and goes by itself. Free goods are told beside them, as the saved document counts them too.
  const count = useSyncExternalStore(store.onList, () => store.rows.reduce((sum, row) => sum + (row.fixed ? 0 : 1), store.isLastEmpty ? -1 : 0))
  const free = useSyncExternalStore(store.onList, () => store.rows.reduce((sum, row) => sum + (row.fixed && row.values['IsFree'] === true ? 1 : 0), 0))
  return (
    <p className={css['count']} role="status">
      {t('ui.grid.lines', { count: formatNumber(count) })}
      {free > 0 && <span> · {t('ui.grid.free-lines', { count: formatNumber(free) })}</span>}
      {computing === 'asked' && <span> · {t('ui.grid.computing')}</span>}
      {computing === 'refused' && <span className={css['stale']}> · {t('ui.grid.stale')}</span>}
    </p>
  )
}

/** Says how many lines it takes away, where it is more than one. */
function RemoveButton({ store, onRemove }: Pick<GridBarProps, 'store' | 'onRemove'>) {
  const count = useSyncExternalStore(store.onCursor, () => {
    const { top, bottom } = store.range
    return store.rows.slice(top, bottom + 1).reduce((sum, row) => sum + (row.fixed ? 0 : 1), 0)
  })
  return (
    <Button look="plain" onClick={onRemove}>
      {count > 1 ? t('ui.grid.delete-many', { n: formatNumber(count) }) : t('ui.grid.delete')}
    </Button>
  )
}

function UndoButtons({ store }: { readonly store: LineStore }) {
  const state = useSyncExternalStore(store.onChange, () => `${store.canUndo} ${store.canRedo}`)
  const [undo, redo] = state.split(' ')
  return (
    <>
      <IconButton icon="undo" label={t('ui.grid.undo')} disabled={undo !== 'true'} onClick={() => store.undo()} />
      <IconButton icon="redo" label={t('ui.grid.redo')} disabled={redo !== 'true'} onClick={() => store.redo()} />
    </>
  )
}
