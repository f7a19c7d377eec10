import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import css from './Button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'

interface Common extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly ref?: Ref<HTMLButtonElement>
}

interface ButtonProps extends Common {
  readonly children: ReactNode
  /** One primary button in a view; `plain` has no frame. */
  readonly look?: 'default' | 'primary' | 'plain' | 'negative' | 'positive'
  readonly icon?: IconName | undefined
  /** Shows that the work is under way and takes no second click. It keeps the focus: what is disabled loses it, and the keyboard would begin anew. */
  readonly busy?: boolean
  /** Takes no click for a moment, and keeps the focus as what is busy does. */
  readonly locked?: boolean
}

export function Button({ children, look = 'default', icon, busy = false, locked = false, className, disabled, onClick, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} disabled={disabled === true && !busy} aria-disabled={busy || locked || undefined} aria-busy={busy || undefined} onClick={busy || locked ? refuse : onClick} className={classes(css['button'], css[look], className)}>
      {busy ? <span className={css['spinner']} aria-hidden="true" /> : icon && <Icon name={icon} size={16} />}
      <span className={css['text']}>{children}</span>
    </button>
  )
}

function refuse(event: MouseEvent): void {
  event.preventDefault()
}

interface IconButtonProps extends Common {
  readonly icon: IconName
  /** What the button does, for screen readers and as tooltip. */
  readonly label: string
  readonly pressed?: boolean
}

export function IconButton({ icon, label, pressed, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} aria-label={label} aria-pressed={pressed} className={classes(css['iconButton'], className)}>
      <Icon name={icon} />
    </button>
  )
}
