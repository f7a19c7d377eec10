import { t } from '../../app/messages.ts'
import { IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import input from '../../ui/input.module.css'
import css from './widgets.module.css'
import type { WidgetProps } from './WidgetInput.tsx'

/** Every choice at once: as a row of radio buttons, or as cards with a sentence that says when to take which. The label leads to the first. */
export function ChoiceInput({ id, field, value, readOnly, required, invalid, describedBy, onChange }: WidgetProps) {
  const choices = field.choices ?? []
  const isCards = field.widget === 'cards'
  const first = choices.find((choice) => choice.value === value) ?? choices[0]
  return (
    <div role="radiogroup" aria-label={t(field.label)} aria-required={required || undefined} aria-invalid={invalid || undefined} aria-describedby={describedBy} className={isCards ? css['cards'] : css['radios']}>
      {choices.map((choice) => (
        <label key={choice.value} className={classes(isCards ? css['card'] : css['radio'], choice.value === value && css['chosen'], readOnly && css['off'])}>
          <input
            id={choice === first ? id : undefined}
            type="radio"
            name={id}
            className={input['check']}
            checked={choice.value === value}
            disabled={readOnly}
            onChange={() => onChange(choice.value)}
          />
          <span className={css['choice']}>
            <span>{t(choice.label)}</span>
            {isCards && choice.hint !== undefined && <small>{t(choice.hint)}</small>}
          </span>
        </label>
      ))}
      {!required && !readOnly && choices.some((choice) => choice.value === value) && <IconButton icon="close" className={css['none']} label={t('ui.clear-selection')} onClick={() => onChange(null)} />}
    </div>
  )
}
