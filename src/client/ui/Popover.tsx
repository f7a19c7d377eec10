import { useId, useLayoutEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './Popover.module.css'

interface PopoverProps {
  /** Looks of the button; the button itself is made here. */
  readonly trigger: ReactNode
  readonly triggerClass?: string | undefined
  readonly label?: string | undefined
  /** Under the button at its start or end, or beside it. */
  readonly align?: 'start' | 'end' | 'beside'
  /** Content, made only while open; call `close` when done. */
  readonly children: (close: () => void) => ReactNode
  readonly className?: string | undefined
  /** Opens by itself when it appears (a filter just added). */
  readonly startOpen?: boolean
  readonly onClose?: () => void
  readonly role?: 'dialog' | 'menu'
}

/** A button with a layer over the page that closes on Escape and on a click outside. */
export function Popover({ trigger, triggerClass, label, align = 'start', children, className, startOpen = false, onClose, role = 'dialog' }: PopoverProps) {
  /** Which opening this is; 0: closed. */
  const [opening, setOpening] = useState(startOpen ? 1 : 0)
  const open = opening > 0
  const button = useRef<HTMLButtonElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    if (startOpen) layer.current?.showPopover()
  }, [startOpen])

  useLayoutEffect(() => {
    if (!open) return undefined
    const place = () => {
      if (button.current && layer.current) placed(button.current, layer.current, align)
    }
    place()
    focusFirst(layer.current)
    const observer = new ResizeObserver(place)
    if (layer.current) observer.observe(layer.current)
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, true)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place, true)
    }
  }, [open, opening, align])

  // Opened by us, not by the browser, which would tell of it a moment later: what is typed at once goes into the content.
  const press = (event: MouseEvent) => {
    event.preventDefault()
    layer.current?.togglePopover()
    if (layer.current?.matches(':popover-open') === true) setOpening(opening + 1)
  }
  const close = () => {
    layer.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <>
      <button ref={button} type="button" className={triggerClass} aria-label={label} title={label} aria-haspopup={role} aria-expanded={open} popoverTarget={id} onClick={press}>
        {trigger}
      </button>
      <div
        ref={layer}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        tabIndex={-1}
        className={classes(css['layer'], className)}
        onToggle={(event) => {
          if (event.target !== event.currentTarget) return
          const isOpen = event.newState === 'open'
          // Closed and opened again before the browser came to tell is told as one event, and was noted when it was opened.
          setOpening((before) => (isOpen ? before || 1 : 0))
          if (isOpen) return
          takeOver(button.current)
          onClose?.()
        }}
      >
        {open && children(close)}
      </div>
    </>
  )
}

/** The keyboard goes back to what opened a layer where the layer has taken it along: what had it was gone before the layer was. */
export function takeOver(opener: HTMLElement | null): void {
  if (document.activeElement === null || document.activeElement === document.body) opener?.focus({ preventScroll: true })
}

const gap = 4
const margin = 8

function placed(button: HTMLElement, layer: HTMLElement, align: 'start' | 'end' | 'beside'): void {
  if (align !== 'beside') return placeUnder(button, layer, align)
  const at = button.getBoundingClientRect()
  layer.style.left = `${at.right + gap}px`
  layer.style.top = `${Math.max(margin, Math.min(at.top, window.innerHeight - layer.offsetHeight - margin))}px`
}

/** Puts a layer under a button, above it where there is no room, inside the window. */
export function placeUnder(button: HTMLElement, layer: HTMLElement, align: 'start' | 'end'): void {
  const at = button.getBoundingClientRect()
  const size = layer.getBoundingClientRect()
  const wanted = align === 'start' ? at.left : at.right - size.width
  const left = Math.max(margin, Math.min(wanted, window.innerWidth - size.width - margin))
  const below = at.bottom + gap
  const fitsBelow = below + size.height <= window.innerHeight - margin
  const top = fitsBelow ? below : Math.max(margin, at.top - gap - size.height)
  layer.style.left = `${left}px`
  layer.style.top = `${top}px`
}

function focusFirst(layer: HTMLElement | null): void {
  const first = layer?.querySelector<HTMLElement>('[autofocus], input, select, textarea, button, a[href]')
  ;(first ?? layer)?.focus({ preventScroll: true })
}
