import type { Place } from './gridFocus.ts'

/** Rows and cells from `top` to `bottom` and `left` to `right`, all inclusive, as places in the table. */
export interface Area {
  readonly top: number
  readonly bottom: number
  /** -1: whole rows. */
  readonly left: number
  readonly right: number
}

/** The cells marked in a table, from where the marking began to where it is now. Marks the cells that are drawn, and those drawn later. */
export class CellRange {
  readonly #wrapper: HTMLElement
  #anchor: Place | undefined
  #head: Place | undefined
  #isWaiting = false

  constructor(wrapper: HTMLElement) {
    this.#wrapper = wrapper
    wrapper.addEventListener('scroll', () => this.#paintSoon(), { passive: true })
  }

  get area(): Area | undefined {
    return this.#anchor === undefined || this.#head === undefined ? undefined : areaOf(this.#anchor, this.#head)
  }

  /** Marks up to `head`; a range that is not there yet begins at `from`. */
  extend(from: Place, head: Place): void {
    this.#anchor ??= from
    this.#head = head
    this.#paint()
  }

  clear(): void {
    if (this.#anchor === undefined) return
    this.#anchor = undefined
    this.#head = undefined
    this.#paint()
  }

  /** Rows that scroll into view are drawn after the scroll. */
  #paintSoon(): void {
    if (this.#anchor === undefined || this.#isWaiting) return
    this.#isWaiting = true
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.#isWaiting = false
        this.#paint()
      }),
    )
  }

  #paint(): void {
    const { area } = this
    this.#wrapper.toggleAttribute('data-ranged', area !== undefined)
    for (const row of this.#wrapper.querySelectorAll<HTMLTableRowElement>('tbody tr[data-row]')) {
      const index = Number(row.dataset['row'])
      const isInside = area !== undefined && index >= area.top && index <= area.bottom
      for (const [i, cell] of [...row.cells].entries()) cell.toggleAttribute('data-marked', isInside && (area.left < 0 || (i >= area.left && i <= area.right)))
    }
  }
}

/** The rectangle between two places; a row as a whole at either end makes it whole rows. */
export function areaOf(a: Place, b: Place): Area {
  const isWhole = a.cell < 0 || b.cell < 0
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    left: isWhole ? -1 : Math.min(a.cell, b.cell),
    right: isWhole ? -1 : Math.max(a.cell, b.cell),
  }
}
