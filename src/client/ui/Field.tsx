import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './Field.module.css'
import { useAtRest } from './pointer.ts'

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly required?: boolean | undefined
  readonly hint?: string | undefined
  /** Texts under the field; the input should carry `aria-invalid` and `aria-describedby={describedBy(id)}`. */
  readonly errors?: readonly string[] | undefined
  readonly children: ReactNode
  readonly className?: string | undefined
}

/** Label above, message below; the input with this id is the child. */
export function Field({ id, label, required = false, hint, errors = [], children, className }: FieldProps) {
  const problem = useAtRest(errors.join(' '))
  return (
    <div className={classes(css['field'], problem !== '' && css['invalid'], className)}>
      <label className={css['label']} htmlFor={id}>
        {label}
        {required && (
          <span className={css['required']} aria-hidden="true">
            *
          </span>
        )}
      </label>
      {children}
      {(problem !== '' || hint !== undefined) && (
        <div id={describedBy(id)} className={css['note']}>
          {problem === '' ? hint : problem}
        </div>
      )}
    </div>
  )
}

/** Id of the text under a field. */
export function describedBy(id: string): string {
  return `${id}-note`
}
