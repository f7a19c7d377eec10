import type { ListScreen } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import css from './Presets.module.css'

interface PresetsProps {
  readonly presets: ListScreen['presets']
  readonly current: string | undefined
  /** How many rows each has, by id. */
  readonly counts: ReadonlyMap<string, string>
  /** They could not be had: asks for them anew. */
  readonly onRecount: (() => void) | undefined
  /** Undefined: all rows. */
  readonly onSelect: (id: string | undefined) => void
}

/** The ready-made views of a list, and "All". */
export function Presets({ presets, current, counts, onRecount, onSelect }: PresetsProps) {
  if (presets.length === 0) return null
  return (
    <div className={css['presets']} role="group" aria-label={t('ui.presets')}>
      <button type="button" aria-pressed={current === undefined} onClick={() => onSelect(undefined)}>
        {t('ui.all')}
      </button>
      {presets.map((preset) => (
        <button key={preset.id} type="button" aria-pressed={preset.id === current} onClick={() => onSelect(preset.id)}>
          {t(preset.label)}
          {counts.has(preset.id) && ' '}
          {counts.has(preset.id) && <span className={css['count']}>{counts.get(preset.id)}</span>}
        </button>
      ))}
      {onRecount !== undefined && (
        <button type="button" className={css['recount']} onClick={onRecount}>
          {t('ui.presets.recount')}
        </button>
      )}
    </div>
  )
}
