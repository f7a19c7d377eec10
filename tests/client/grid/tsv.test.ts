import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatTsv, parseTsv } from '#client/grid/tsv.ts'

it('reads what a spreadsheet copies', () => {
  expect(parseTsv('A-1\tCTN\t24\r\nB-2\tCTN\t10\r\n')).toEqual([
    ['A-1', 'CTN', '24'],
    ['B-2', 'CTN', '10'],
  ])
  expect(parseTsv('"two\nlines"\t"say ""so"""\n\tlast')).toEqual([
    ['two\nlines', 'say "so"'],
    ['', 'last'],
  ])
  expect(parseTsv('5" pipe\t1')).toEqual([['5" pipe', '1']])
  expect(parseTsv('')).toEqual([])
  expect(parseTsv('one')).toEqual([['one']])
})

it('pastes back what it copied', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', ' ', '"', '\t', '\n', ',') })
  const rows = fc.integer({ min: 1, max: 4 }).chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))
  fc.assert(
    fc.property(rows, (cells) => {
      const filled = cells.map((row) => row.map((text, i) => (i === row.length - 1 && text === '' ? 'x' : text)))
      expect(parseTsv(formatTsv(filled))).toEqual(filled)
    }),
  )
})

it('leaves out what nobody sees: marks of direction and of no width that right-to-left sheets and web pages put around codes and numbers', () => {
  expect(parseTsv('\u200fAYU-102\u200e\t\u200f2\r\n\u202bAYU-103\u202c\t"\u20663\u2069"\r\n\ufeffA\u200bB\t4\r\n\u2060A\u00adC\u00a0D\t5\r\n')).toEqual([['AYU-102', '2'], ['AYU-103', '3'], ['AB', '4'], ['AC D', '5']])
})
