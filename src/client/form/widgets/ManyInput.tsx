import { t } from '../../app/messages.ts'
import { classes } from '../../ui/classes.ts'
import input from '../../ui/input.module.css'
import css from './widgets.module.css'
import type { WidgetProps } from './WidgetInput.tsx'

/** Several of the declared values, in their declared order. */
export function ManyInput({ id, field, value, readOnly, invalid, describedBy, onChange }: WidgetProps) {
  const held = new Set<unknown>(Array.isArray(value) ? value : [])
  const choices = field.choices ?? []
  return (
    <div role="group" aria-label={t(field.label)} aria-describedby={describedBy} className={css['radios']}>
      {choices.map((choice, i) => (
        <label key={choice.value} className={classes(css['radio'], held.has(choice.value) && css['chosen'], readOnly && css['off'])}>
          <input
            id={i === 0 ? id : undefined}
            type="checkbox"
            className={input['check']}
            checked={held.has(choice.value)}
            disabled={readOnly}
            aria-invalid={invalid || undefined}
            onChange={(event) => onChange(choices.map((one) => one.value).filter((one) => (one === choice.value ? event.target.checked : held.has(one))))}
          />
          {t(choice.label)}
        </label>
      ))}
    </div>
  )
}
