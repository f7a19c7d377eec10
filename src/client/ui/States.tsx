import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'
import css from './States.module.css'
import { words } from './words.ts'

/** Grey bars where text will be; `lines` of them. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={css['skeleton']} role="status" aria-label={words().loading}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className={css['bar']} />
      ))}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  /** What to do about it. */
  readonly children?: ReactNode
  readonly icon?: IconName
}

export function EmptyState({ title, children, icon = 'inbox' }: EmptyProps) {
  return (
    <div className={css['state']}>
      <span className={css['icon']}>
        <Icon name={icon} size={28} />
      </span>
      <p className={css['title']}>{title}</p>
      {children !== undefined && <div className={css['text']}>{children}</div>}
    </div>
  )
}

interface ErrorProps {
  readonly title: string
  readonly text: string
  readonly onRetry?: () => void
  /** Further buttons. */
  readonly children?: ReactNode
}

export function ErrorState({ title, text, onRetry, children }: ErrorProps) {
  return (
    <div className={css['state']} role="alert">
      <span className={css['alert']}>
        <Icon name="warning" size={28} />
      </span>
      <p className={css['title']}>{title}</p>
      <div className={css['text']}>{text}</div>
      {onRetry !== undefined && (
        <Button icon="refresh" onClick={onRetry}>
          {words().retry}
        </Button>
      )}
      {children !== undefined && <Buttons>{children}</Buttons>}
    </div>
  )
}

/** What can be done about it. */
export function Buttons({ children }: { readonly children: ReactNode }) {
  return <div className={css['buttons']}>{children}</div>
}
