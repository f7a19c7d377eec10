import { useId, type ReactNode } from 'react'
import css from './Card.module.css'
import { Icon, type IconName } from './Icon.tsx'

interface CardProps {
  readonly title: string
  readonly icon?: IconName
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** One matter of a page in its own frame, under its title. */
export function Card({ title, icon, actions, children }: CardProps) {
  const id = useId()
  return (
    <section className={css['card']} aria-labelledby={id}>
      <header className={css['head']}>
        <h2 id={id}>
          {icon !== undefined && <Icon name={icon} />} {title}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
