/** Heights in one unit (CSS pixels) of what stands on the pages of a document. */
export interface SheetHeights {
  /** What a page holds between its margins, foot line excluded. */
  readonly page: number
  /** Head of the document: first page only. */
  readonly head: number
  /** Short head of every further page. */
  readonly running: number
  /** Head of the table: on every page that has rows. */
  readonly tableHead: number
  readonly rows: readonly number[]
  /** What follows the last row: totals first, then words, notes, signature. */
  readonly tail: readonly number[]
}

/** Rows `from` up to, not including, `to`, then the blocks of the tail `tailFrom` up to `tailTo`. */
export interface PageCut {
  readonly from: number
  readonly to: number
  readonly tailFrom: number
  readonly tailTo: number
}

/** So many rows stay with the totals: a total alone on a page says nothing about what it sums up. */
export const keptRows = 2

/**
 * Cuts a document into pages. No row and no block is cut in two; the whole tail stays together with the last rows where one page can hold
 * that, else at least its first block does. What is higher than a page gets a page of its own.
 */
export function paginate(heights: SheetHeights): readonly PageCut[] {
  const { rows, tail } = heights
  const pages: PageCut[] = []
  const room = () => heights.page - (pages.length === 0 ? heights.head : heights.running)
  let from = 0
  for (;;) {
    const to = fill(rows, from, room() - heights.tableHead)
    const hasAll = to === rows.length
    const used = sum(rows, from, to) + (to > from ? heights.tableHead : 0)
    const fits = hasAll ? fill(tail, 0, room() - used) : 0
    if (fits === tail.length && hasAll) {
      pages.push({ from, to, tailFrom: 0, tailTo: tail.length })
      return pages
    }
    if (!hasAll && (to > from || pages.length === 0)) {
      // A first page that is all head leaves its rows to the second, as every page leaves enough of them to stand with the totals.
      const end = rows.length - to < keptRows ? Math.max(from, rows.length - keptRows) : to
      const holds = end > from || (pages.length === 0 && fill(rows, from, heights.page - heights.running - heights.tableHead) === rows.length)
      pages.push(cut(from, holds ? end : to))
      from = holds ? end : to
    } else if (!hasAll) {
      pages.push(cut(from, from + 1))
      from += 1
    } else return [...pages, ...ending(heights, from, pages.length)]
  }
}

/** The last pages: the rows from `from` on fit one page, but not together with the whole tail. */
function ending(heights: SheetHeights, from: number, before: number): readonly PageCut[] {
  const { rows, tail } = heights
  const end = rows.length
  const kept = Math.max(from, end - keptRows)
  const roomOn = (page: number) => heights.page - (page === 0 ? heights.head : heights.running)
  const table = (first: number) => (end > first ? heights.tableHead + sum(rows, first, end) : 0)
  const pages: PageCut[] = []
  let first = from
  let fits = fill(tail, 0, roomOn(before) - table(first))
  // The last rows go over to the next page with the tail, if rows stay behind or the head is what takes the room, and if it holds more there.
  const moved = kept > from || before === 0 ? fill(tail, 0, heights.page - heights.running - table(kept)) : 0
  if (moved > fits) {
    pages.push(cut(from, kept))
    first = kept
    fits = moved
  }
  if (end > first || fits > 0 || before + pages.length === 0) pages.push({ from: first, to: end, tailFrom: 0, tailTo: fits })
  let at = fits
  while (at < tail.length) {
    const next = Math.max(at + 1, fill(tail, at, roomOn(before + pages.length)))
    pages.push({ from: end, to: end, tailFrom: at, tailTo: next })
    at = next
  }
  return pages
}

function cut(from: number, to: number): PageCut {
  return { from, to, tailFrom: 0, tailTo: 0 }
}

/** Index behind the last of those from `from` on that fit into `room`. */
function fill(parts: readonly number[], from: number, room: number): number {
  let left = room
  let at = from
  while (at < parts.length && (parts[at] ?? 0) <= left) {
    left -= parts[at] ?? 0
    at += 1
  }
  return at
}

function sum(parts: readonly number[], from: number, to: number): number {
  return parts.slice(from, to).reduce((total, part) => total + part, 0)
}
