import { defaultPageSize, mainPageSizes, otherPageSizes } from '../app/constants.ts'

/** The main table of a page, or one of several. */
export type TableRole = 'main' | 'other'

export const allRows = 'All'

/** What the choice of a page size means: nothing is the default, All is how many rows there are. */
export function pageSizeOf(choice: string, total: number): number {
  if (choice === allRows) return Math.max(1, total)
  const size = Math.floor(Number(choice))
  return size >= 1 ? size : defaultPageSize
}

/** Sizes offered, with the one in use where it is none of them. */
export function offeredSizes(role: TableRole, length: number): readonly number[] {
  const sizes: readonly number[] = role === 'main' ? mainPageSizes : otherPageSizes
  return sizes.includes(length) ? sizes : [...sizes, length].toSorted((a, b) => a - b)
}

/** Is the size one that every table has? Only such a one is remembered for the others. */
export function isCommonSize(size: number): boolean {
  return mainPageSizes.some((one) => one === size)
}
