import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import css from './List.module.css'

/** Things one under the other, each with a line or two about it. */
export function List({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <ul className={css['list']} aria-label={label}>
      {children}
    </ul>
  )
}

interface ListItemProps {
  readonly title: ReactNode
  /** In smaller type under the title. */
  readonly text?: ReactNode
  readonly icon?: IconName
  /** Instead of an icon: a picture of somebody. */
  readonly picture?: ReactNode
  /** Buttons at the end of the line. */
  readonly actions?: ReactNode
  /** What comes under it at full width. */
  readonly children?: ReactNode
}

export function ListItem({ title, text, icon, picture, actions, children }: ListItemProps) {
  return (
    <li className={css['item']}>
      {(picture !== undefined || icon !== undefined) && <span className={css['picture']}>{picture ?? (icon && <Icon name={icon} size={20} />)}</span>}
      <div className={css['body']}>
        <div className={css['title']}>{title}</div>
        {text !== undefined && <div className={css['text']}>{text}</div>}
        {children}
      </div>
      {actions !== undefined && <div className={css['actions']}>{actions}</div>}
    </li>
  )
}
