import type { Choice } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import css from './StatusBar.module.css'

/** The way a document goes, with where it is now; a state off the way (rejected, cancelled) stands at the end. */
export function StatusBar({ states, all, current }: { readonly states: readonly Choice[]; readonly all: readonly Choice[]; readonly current: unknown }) {
  const at = states.findIndex((state) => state.value === current)
  const aside = at < 0 ? all.find((state) => state.value === current) : undefined
  return (
    <ol className={css['bar']} aria-label={t('ui.progress')}>
      {states.map((state, i) => (
        <li key={state.value} aria-current={i === at ? 'step' : undefined} className={classes(css['step'], i < at && css['done'], i === at && css['current'])}>
          {t(state.label)}
        </li>
      ))}
      {aside !== undefined && (
        <li aria-current="step" className={classes(css['step'], css['aside'], css[aside.tone])}>
          {t(aside.label)}
        </li>
      )}
    </ol>
  )
}
