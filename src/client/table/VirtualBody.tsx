import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, type ReactNode, type RefObject } from 'react'

interface VirtualBodyProps {
  readonly count: number
  readonly wrapper: RefObject<HTMLDivElement | null>
  /** Columns the spacers span. */
  readonly columns: number
  readonly draw: (index: number) => ReactNode
  /** Told which rows are in view. */
  readonly onSeen: ((first: number, last: number) => void) | undefined
}

/** Only the rows in view and some around them, between two spacers of the right height. */
export function VirtualBody({ count, wrapper, columns, draw, onSeen }: VirtualBodyProps) {
  const height = rowHeight(wrapper.current)
  const virtualizer = useVirtualizer({ count, getScrollElement: () => wrapper.current, estimateSize: () => height, overscan: 30, scrollToFn: stay })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height])
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const before = first?.start ?? 0
  const after = virtualizer.getTotalSize() - (last?.end ?? 0)
  useEffect(() => {
    if (first !== undefined && last !== undefined) onSeen?.(first.index, last.index)
  }, [first, last, onSeen])
  return (
    <>
      {before > 0 && (
        <tr aria-hidden="true">
          <td colSpan={columns} style={{ height: before, padding: 0 }} />
        </tr>
      )}
      {items.map((item) => draw(item.index))}
      {after > 0 && (
        <tr aria-hidden="true">
          <td colSpan={columns} style={{ height: after, padding: 0 }} />
        </tr>
      )}
    </>
  )
}

/** Rows leave the scroll where it is: it would be set to the top as they begin, where Back has just put it to its place. */
function stay(): void {}

/** Height of a row in pixels at the density chosen. */
export function rowHeight(wrapper: HTMLElement | null): number {
  const style = getComputedStyle(wrapper ?? document.documentElement)
  return parseFloat(style.getPropertyValue('--row')) * parseFloat(getComputedStyle(document.documentElement).fontSize)
}
