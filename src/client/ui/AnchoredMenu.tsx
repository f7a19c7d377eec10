import { useLayoutEffect, useRef } from 'react'
import { MenuItems, type MenuItem } from './Menu.tsx'
import popover from './Popover.module.css'
import { placeUnder, takeOver } from './Popover.tsx'

interface AnchoredMenuProps {
  /** The button that was pressed; it gets the focus back. */
  readonly anchor: HTMLElement
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
}

/** A menu under a button that belongs to somebody else (one of a thousand rows). Mounted means open. */
export function AnchoredMenu({ anchor, label, items, onClose }: AnchoredMenuProps) {
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = layer.current
    if (shown === null) return
    shown.showPopover()
    placeUnder(anchor, shown, 'end')
    shown.querySelector('button')?.focus()
  }, [anchor])
  const close = () => {
    layer.current?.hidePopover()
    anchor.focus()
  }
  return (
    <div
      ref={layer}
      popover="auto"
      role="menu"
      aria-label={label}
      className={popover['layer']}
      onToggle={(event) => {
        if (event.newState !== 'closed') return
        takeOver(anchor)
        onClose()
      }}
    >
      <MenuItems items={items} onChosen={close} />
    </div>
  )
}
