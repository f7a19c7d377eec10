import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keptRows, paginate, type SheetHeights } from '#client/print/paginate.ts'
import { lengthOf, roomOf } from '#client/print/papers.ts'

const sheet = (rows: readonly number[], tail: readonly number[] = [30], page = 100): SheetHeights => ({ page, head: 40, running: 10, tableHead: 10, rows, tail })
const rows = (count: number) => Array.from({ length: count }, () => 10)

describe('a document is cut into pages', () => {
  it('on one page when it fits', () => {
    expect(paginate(sheet(rows(2)))).toEqual([{ from: 0, to: 2, tailFrom: 0, tailTo: 1 }])
  })

  it('without lines: head and totals', () => {
    expect(paginate(sheet([]))).toEqual([{ from: 0, to: 0, tailFrom: 0, tailTo: 1 }])
  })

  it('with the head on the first page and the short one on the others', () => {
    // 100 - 40 - 10 leaves 5 rows, 100 - 10 - 10 leaves 8, the last page holds 5 rows and the totals.
    expect(paginate(sheet(rows(18)))).toEqual([
      { from: 0, to: 5, tailFrom: 0, tailTo: 0 },
      { from: 5, to: 13, tailFrom: 0, tailTo: 0 },
      { from: 13, to: 18, tailFrom: 0, tailTo: 1 },
    ])
  })

  it('so that totals take the last rows over to their page', () => {
    expect(paginate(sheet(rows(5)))).toEqual([
      { from: 0, to: 3, tailFrom: 0, tailTo: 0 },
      { from: 3, to: 5, tailFrom: 0, tailTo: 1 },
    ])
  })

  it('with the signature beside the totals where a page can hold both', () => {
    expect(paginate(sheet(rows(3), [20, 20]))).toEqual([
      { from: 0, to: 1, tailFrom: 0, tailTo: 0 },
      { from: 1, to: 3, tailFrom: 0, tailTo: 2 },
    ])
  })

  it('with a tail too long for one page going on behind the totals', () => {
    expect(paginate(sheet(rows(2), [30, 80]))).toEqual([
      { from: 0, to: 2, tailFrom: 0, tailTo: 1 },
      { from: 2, to: 2, tailFrom: 1, tailTo: 2 },
    ])
  })

  it('with a head that fills the first page', () => {
    expect(paginate({ ...sheet(rows(1)), head: 95 })).toEqual([
      { from: 0, to: 0, tailFrom: 0, tailTo: 0 },
      { from: 0, to: 1, tailFrom: 0, tailTo: 1 },
    ])
  })

  it('with a row higher than a page on a page of its own', () => {
    const cuts = paginate(sheet([10, 200, 10]))
    expect(cuts.map(({ from, to }) => [from, to])).toEqual([[0, 1], [1, 2], [2, 3]])
  })

  it('whatever their heights: every row and block once and in order, no page too full, totals never without rows', () => {
    const heights = fc.record({
      page: fc.integer({ min: 100, max: 400 }),
      head: fc.integer({ min: 0, max: 60 }),
      running: fc.integer({ min: 0, max: 15 }),
      tableHead: fc.integer({ min: 0, max: 15 }),
      rows: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 150 }),
      tail: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }),
    })
    fc.assert(
      fc.property(heights, (sheetHeights) => {
        const cuts = paginate(sheetHeights)
        expect(cuts.flatMap(({ from, to }) => sheetHeights.rows.slice(from, to))).toEqual(sheetHeights.rows)
        expect(cuts.flatMap(({ tailFrom, tailTo }) => sheetHeights.tail.slice(tailFrom, tailTo))).toEqual(sheetHeights.tail)
        expect(cuts.every(({ from }, i) => i === 0 || from === cuts[i - 1]?.to)).toBe(true)
        for (const [i, { from, to, tailFrom, tailTo }] of cuts.entries()) {
          const parts = [...sheetHeights.rows.slice(from, to), ...sheetHeights.tail.slice(tailFrom, tailTo)]
          const used = (i === 0 ? sheetHeights.head : sheetHeights.running) + (to > from ? sheetHeights.tableHead : 0) + parts.reduce((sum, part) => sum + part, 0)
          expect(used).toBeLessThanOrEqual(sheetHeights.page)
          expect(i === 0 || parts.length > 0).toBe(true)
          if (tailTo > tailFrom && tailFrom === 0) expect(to - from).toBeGreaterThanOrEqual(Math.min(keptRows, sheetHeights.rows.length))
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('paper', () => {
  it('holds less than its size and is cut off behind what is on a roll', () => {
    expect(roomOf('a4')).toBeGreaterThan(900)
    expect(roomOf('a4')).toBeLessThan(1_123)
    expect(lengthOf('a4', 100)).toBe(297)
    expect(lengthOf('roll', 378)).toBe(117)
    expect(lengthOf('roll', 1_000_000)).toBe(2_000)
  })
})
