import type { Layout, Pin, ViewColumn } from '#api/view.ts'
import { ownLayout } from '#api/viewQuery.ts'
import type { Column } from '#meta/resolved.ts'

/** A column comes where the screen has it: after the nearest of its predecessors that is shown. */
export function showColumn(layout: Layout, columns: readonly Column[], name: string): Layout {
  if (layout.some((column) => column.name === name)) return layout
  const found = columns.find((column) => column.name === name)
  if (found === undefined) return layout
  const earlier = columns.slice(0, columns.indexOf(found)).map((column) => column.name)
  const after = layout.findLastIndex((column) => earlier.includes(column.name))
  return layout.toSpliced(after + 1, 0, ...ownLayout([found], () => true))
}

/** The last column stays. */
export function hideColumn(layout: Layout, name: string): Layout {
  return layout.length === 1 ? layout : layout.filter((column) => column.name !== name)
}

/** Puts a column before another one, or last; where it lands decides whether it is pinned. */
export function moveColumn(layout: Layout, name: string, before: string | undefined): Layout {
  const moved = layout.find((column) => column.name === name)
  if (moved === undefined || name === before) return layout
  const others = inOrder(layout).filter((column) => column !== moved)
  const at = before === undefined ? others.length : others.findIndex((column) => column.name === before)
  if (at < 0) return layout
  // Among the pinned a column is pinned, outermost too; at the border to the rest it stays what it is.
  const [left, right] = [others[at - 1], others[at]]
  const pins = [left === undefined ? right?.pin : left.pin, right === undefined ? left?.pin : right.pin]
  const pin = pins[0] === pins[1] ? pins[0] : pins.find((one) => one === moved.pin)
  return others.toSpliced(at, 0, pinned(moved, pin))
}

/** One place to the left (-1) or right (1). */
export function nudgeColumn(layout: Layout, name: string, step: -1 | 1): Layout {
  const order = inOrder(layout)
  const at = order.findIndex((column) => column.name === name)
  const [column, neighbour] = [order[at], order[at + step]]
  if (column === undefined || neighbour === undefined) return layout
  return order.with(at, neighbour).with(at + step, pinned(column, neighbour.pin))
}

export function pinColumn(layout: Layout, name: string, pin: Pin | undefined): Layout {
  return layout.map((column) => (column.name === name ? pinned(column, pin) : column))
}

/** Undefined: as wide as the screen says. */
export function resizeColumn(layout: Layout, name: string, width: number | undefined): Layout {
  return layout.map((column) => {
    if (column.name !== name) return column
    const { width: _width, ...rest } = column
    return width === undefined ? rest : { ...rest, width }
  })
}

/** From left to right as they are drawn: pinned left, the rest, pinned right. */
function inOrder(layout: Layout): Layout {
  const at = (pin: Pin | undefined) => layout.filter((column) => column.pin === pin)
  return [...at('left'), ...at(undefined), ...at('right')]
}

function pinned({ pin: _pin, ...column }: ViewColumn, pin: Pin | undefined): ViewColumn {
  return pin === undefined ? column : { ...column, pin }
}
