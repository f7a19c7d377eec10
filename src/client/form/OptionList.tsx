import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { classes } from '../ui/classes.ts'
import css from './OptionList.module.css'

interface Props {
  readonly id: string
  readonly label: string
  /** What it stands under. */
  readonly box: RefObject<HTMLInputElement | null>
  readonly isOpen: boolean
  readonly options: readonly (readonly [code: string, name: string])[]
  /** Place of the one that is marked; -1: none. */
  readonly active: number
  /** So many of the first were chosen last; a line stands below them. */
  readonly recent?: number
  /** How wide it is at least, in pixels. */
  readonly least?: number
  readonly onChoose: (at: number) => void
  /** What stands below the options. */
  readonly children?: ReactNode
}

/** Options under the box one types in, or above it where there is no room. The box keeps the keyboard. */
export function OptionList({ id, label, box, isOpen, options, active, recent = 0, least = 0, onChoose, children }: Props) {
  const layer = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const list = layer.current
    if (!isOpen || list === null) return undefined
    list.showPopover()
    const place = () => {
      if (box.current !== null) placeUnder(box.current, list, least)
    }
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
      if (list.matches(':popover-open')) list.hidePopover()
    }
  }, [isOpen, box, least])

  // A list that grows may not fit any more where it stood.
  useLayoutEffect(() => {
    if (isOpen && layer.current !== null && box.current !== null) placeUnder(box.current, layer.current, least)
  }, [isOpen, box, least, options.length])

  useEffect(() => {
    layer.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    <div ref={layer} popover="manual" className={css['layer']}>
      {isOpen && (
        <>
          <ul id={id} role="listbox" aria-label={label} className={css['list']}>
            {options.map(([code, name], at) => (
              <li
                key={`${at} ${code}`}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === active}
                className={classes(css['option'], at === recent - 1 && at < options.length - 1 && css['lastRecent'])}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(at)}
              >
                <span className={css['code']}>{code}</span>
                {name !== code && <span className={css['name']}>{name}</span>}
              </li>
            ))}
          </ul>
          {children}
        </>
      )}
    </div>
  )
}

/** Where an arrow leads from one of so many places, round their ends; -1: none is marked yet. */
export function arrowed(key: string, from: number, places: number): number {
  const step = key === 'ArrowDown' ? 1 : -1
  return from < 0 && step < 0 ? places - 1 : (from + step + places) % places
}

const margin = 8

function placeUnder(box: HTMLElement, layer: HTMLElement, least: number): void {
  const at = box.getBoundingClientRect()
  layer.style.minWidth = `${Math.max(at.width, least)}px`
  const size = layer.getBoundingClientRect()
  const fits = at.bottom + size.height + margin <= window.innerHeight
  layer.style.left = `${Math.max(margin, Math.min(at.left, window.innerWidth - size.width - margin))}px`
  layer.style.top = `${fits ? at.bottom + 2 : Math.max(margin, at.top - size.height - 2)}px`
}
