/** A cell of the table's body, by place of its row and its own among all cells drawn; -1: the row as a whole. */
export interface Place {
  readonly row: number
  readonly cell: number
}

/** Where something inside the body stands; undefined outside of rows. */
export function placeOf(target: EventTarget | null): Place | undefined {
  const row = target instanceof Element ? target.closest<HTMLTableRowElement>('tr[data-row]') : null
  if (row === null || !(target instanceof Element)) return undefined
  const cell = target.closest<HTMLTableCellElement>('td, th')
  return { row: Number(row.dataset['row']), cell: cell === null ? -1 : cell.cellIndex }
}

/** From a row to the one drawn above or below it, heads of groups among them; false where the key or the place leads to none. */
export function stepRow(row: HTMLElement, key: string): boolean {
  const isDown = key === 'ArrowDown'
  if (!isDown && key !== 'ArrowUp') return false
  let next = row
  for (;;) {
    const beside = isDown ? next.nextElementSibling : next.previousElementSibling
    if (!(beside instanceof HTMLElement)) return false
    next = beside
    const target = next.hasAttribute('data-row') ? next : next.querySelector<HTMLElement>('button')
    if (target === null) continue
    target.focus()
    return true
  }
}

const tries = 12

/** Puts the focus on a cell or row and scrolls it into view; a row that is not drawn yet is scrolled to first. */
export function focusFrom(wrapper: HTMLElement | null, goal: Place, from?: Place, attempt = 0): void {
  const row = wrapper?.querySelector<HTMLTableRowElement>(`tr[data-row="${goal.row}"]`)
  if (wrapper === null) return
  if (row === null || row === undefined) {
    if (attempt === 0) scrollTo(wrapper, goal.row)
    if (attempt < tries) requestAnimationFrame(() => focusFrom(wrapper, goal, from, attempt + 1))
    return
  }
  const cells = row.cells
  const target = goal.cell < 0 ? row : (cells[Math.min(goal.cell, cells.length - 1)] ?? row)
  focusAt(wrapper, target)
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  if (row.ariaBusy === 'true') stayAt(wrapper, goal)
}

const stayMs = 50
const mostStays = 200

/** The row that comes to a place kept for it is another element: the focus goes to it, unless it has gone elsewhere. */
function stayAt(wrapper: HTMLElement, goal: Place, left = mostStays): void {
  setTimeout(() => {
    const row = wrapper.querySelector<HTMLTableRowElement>(`tr[data-row="${goal.row}"]`)
    const isLost = document.activeElement === document.body
    if (row === null || left === 0 || !(isLost || row.contains(document.activeElement))) return
    if (row.ariaBusy === 'true') stayAt(wrapper, goal, left - 1)
    else if (isLost) focusFrom(wrapper, goal)
  }, stayMs)
}

/** Puts the focus on a row or cell and leaves the scroll as it is. One stop for the Tab key: where one was last. */
export function focusAt(wrapper: HTMLElement, target: HTMLElement): void {
  const stop = wrapper.querySelector<HTMLElement>('tbody [tabindex="0"]')
  if (stop !== null) stop.tabIndex = -1
  target.tabIndex = 0
  target.focus({ preventScroll: true })
}

/** Rows are of one height: where one stands follows from its number. */
function scrollTo(wrapper: HTMLElement, index: number): void {
  const height = wrapper.querySelector<HTMLElement>('tbody tr[data-row]')?.offsetHeight ?? 36
  wrapper.scrollTop = Math.max(0, index * height - wrapper.clientHeight / 2)
}
