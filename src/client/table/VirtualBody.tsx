import { useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode, RefObject } from 'react'

interface VirtualBodyProps {
  readonly count: number
  readonly wrapper: RefObject<HTMLDivElement | null>
  /** Columns the spacers span. */
  readonly columns: number
  readonly draw: (index: number) => ReactNode
}

/** Only the rows in view and some around them, between two spacers of the right height. */
export function VirtualBody({ count, wrapper, columns, draw }: VirtualBodyProps) {
  const height = rowHeight()
  const virtualizer = useVirtualizer({ count, getScrollElement: () => wrapper.current, estimateSize: () => height, overscan: 24 })
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
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

/** Height of a row in pixels at the density chosen. */
function rowHeight(): number {
  const style = getComputedStyle(document.documentElement)
  return parseFloat(style.getPropertyValue('--row')) * parseFloat(style.fontSize)
}
