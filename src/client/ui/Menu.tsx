import type { KeyboardEvent, ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import css from './Menu.module.css'
import { Popover } from './Popover.tsx'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName | undefined
  readonly tone?: 'negative' | undefined
  /** A tick behind the label: the current choice. */
  readonly checked?: boolean
  /** Goes on and off by itself, instead of being one of several choices. */
  readonly isToggle?: boolean
  readonly disabled?: boolean
  readonly onSelect: () => void
}

interface MenuProps {
  readonly trigger: ReactNode
  readonly triggerClass?: string | undefined
  readonly label: string
  readonly align?: 'start' | 'end'
  readonly items: readonly MenuItem[]
  readonly header?: ReactNode
}

/** A button that opens a list of actions; arrows move, Enter chooses. */
export function Menu({ trigger, triggerClass, label, align = 'end', items, header }: MenuProps) {
  return (
    <Popover trigger={trigger} triggerClass={triggerClass} label={label} align={align} role="menu">
      {(close) => (
        <MenuItems items={items} header={header} onChosen={close} />
      )}
    </Popover>
  )
}

interface MenuItemsProps {
  readonly items: readonly MenuItem[]
  readonly header?: ReactNode
  readonly onChosen: () => void
}

/** The items alone, inside a layer that is already there. */
export function MenuItems({ items, header, onChosen }: MenuItemsProps) {
  return (
    <div className={css['menu']} role="presentation" onKeyDown={moveFocus}>
      {header !== undefined && <div className={css['header']}>{header}</div>}
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role={item.checked === undefined ? 'menuitem' : item.isToggle ? 'menuitemcheckbox' : 'menuitemradio'}
          aria-checked={item.checked}
          disabled={item.disabled}
          className={classes(css['item'], item.tone && css[item.tone])}
          onClick={() => {
            onChosen()
            item.onSelect()
          }}
        >
          {item.icon !== undefined && <Icon name={item.icon} size={16} />}
          <span>{item.label}</span>
          {item.checked === true && (
            <span className={css['tick']}>
              <Icon name="check" size={16} />
            </span>
          )}
        </button>
      ))}
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')]
  const at = items.findIndex((item) => item === document.activeElement)
  items[(at + step + items.length) % items.length]?.focus()
}
