import type { Density } from '../app/theme.ts'

/** Pixels of a line in a table; compact ones are as high as those of lists. */
export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 34, compact: 28 }

/** Id of a cell in the page. */
export function cellId(grid: string, row: number, col: number): string {
  return `${grid}-r${row}-c${col}`
}

/** Where the cell stands that an event of the mouse met; column -1 is the number of the line. */
export function cellAt({ target }: { readonly target: EventTarget }): { readonly row: number; readonly col: number } | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return cell === null ? undefined : { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) }
}
