import { describe, expect, it } from 'vitest'
import { groupedNumber, parseDay, parseNumber, parseRanged, parseUnsigned, shownDay } from '#client/form/entry.ts'
import { opensWith, readText } from '#client/grid/gridModel.ts'
import { orderColumns } from '../grid/lineColumns.ts'
import type { LineColumn } from '#meta/resolved.ts'

const quantity = orderColumns[1] as LineColumn

describe('numbers as typed', () => {
  it.each([
    ['', 2, null],
    ['1500', 2, '1500'],
    ['1,234,567.50', 2, '1234567.5'],
    ['Rp 12,000', 2, '12000'],
    ['007', 0, '7'],
    ['.5', 2, '0.5'],
    ['12.', 2, '12'],
    ['-0', 2, '0'],
    ['-2.50', 2, '-2.5'],
    ['1.0000', 2, '1'],
    ['0.500', 3, '0.5'],
    ['1234.500', 3, '1234.5'],
    ['１，２３４．５', 2, '1234.5'],
    ['－５', 0, '-5'],
  ])('%s with %i places is %s', (text, places, value) => {
    expect(parseNumber(text, places)).toEqual({ ok: true, value })
  })

  it.each([
    ['1,5', 2, 'ui.entry.comma'],
    ['12,34', 2, 'ui.entry.comma'],
    ['1,500,5', 2, 'ui.entry.comma'],
    ['1,5', 0, 'ui.entry.comma'],
    ['5²', 2, 'ui.entry.number'],
    ['1.234,50', 2, 'ui.entry.number'],
    ['abc', 2, 'ui.entry.number'],
    ['.', 2, 'ui.entry.number'],
    ['1.5', 0, 'ui.entry.whole'],
    ['0.005', 2, 'ui.entry.places'],
    // An Indonesian clerk's thousand, or one.
    ['1.000', 2, 'ui.entry.thousand'],
    ['-15.500', 6, 'ui.entry.thousand'],
    ['Rp 1.234', 3, 'ui.entry.thousand'],
    ['1.000', 0, 'ui.entry.thousand'],
    ['1234567890123456', 2, 'ui.entry.large'],
  ])('%s with %i places is refused as %s', (text, places, problem) => {
    expect(parseNumber(text, places)).toEqual({ ok: false, problem })
  })

  it('says of what may be a thousand what to type instead; a percentage is none', () => {
    const percent = { ...quantity, type: 'percent' } as LineColumn
    expect([quantity, percent].map((column) => readText(column, '1.000', '2025-06-10', (key) => key))).toEqual([
      { ok: false, problem: { key: 'ui.entry.thousand', params: { text: '1.000', plain: '1000', places: 3 } } },
      { ok: true, value: '1' },
    ])
  })

  it.each([
    ['12a34', 0, '1234'],
    ['-5', 2, '5'],
    ['1e3', 0, '13'],
    ['x12y', 0, '12'],
    ['Rp 1,250.00', 2, '1250'],
    ['12.5 %', 4, '12.5'],
    ['１２', 0, '12'],
    ['', 2, null],
  ])("a 'between' rule removes everything except digits and the dot: %s with %i places is %s", (text, places, value) => {
    expect(parseRanged(text, places)).toEqual({ ok: true, value })
    const column = { ...quantity, type: 'cost', min: '0', max: '9999' } as LineColumn
    expect(readText(column, text, '2025-06-10', (key) => key), 'in a cell').toEqual({ ok: true, value })
  })

  it.each([
    ['many', 'ui.entry.number'],
    ['1,5', 'ui.entry.comma'],
    ['1.234,50', 'ui.entry.number'],
    ['1.2.3', 'ui.entry.number'],
    ['1.000', 'ui.entry.thousand'],
  ])('but where that leaves no number, or another one, it is refused: %s', (text, problem) => {
    expect(parseRanged(text, 2)).toEqual({ ok: false, problem })
  })

  it('begin in a closed cell with a key that the guard lets through', () => {
    const signed = { ...quantity, min: '-5' } as LineColumn
    expect(['1', '.', '１', '-', ',', 'a', 'e'].map((key) => [opensWith(quantity, key), opensWith(signed, key)])).toEqual([[true, true], [true, true], [true, true], [false, true], [false, false], [false, false], [false, false]])
  })

  it('with a minus where none belongs is refused, not turned round', () => {
    expect([parseUnsigned('-5', 2), parseUnsigned('5', 2), parseUnsigned('-0', 2), parseUnsigned('', 2)]).toEqual([{ ok: false, problem: 'ui.entry.unsigned' }, { ok: true, value: '5' }, { ok: true, value: '0' }, { ok: true, value: null }])
  })

  it('shows thousands', () => {
    expect([groupedNumber('1234567.5', 2), groupedNumber('999', 0), groupedNumber('-1000', 2), groupedNumber('0.500', 0)]).toEqual([
      '1,234,567.50',
      '999',
      '-1,000.00',
      '0.5',
    ])
  })
})

describe('days as typed', () => {
  const today = '2025-06-10'
  it.each([
    ['10/06/2025', '2025-06-10'],
    ['1-2-25', '2025-02-01'],
    ['01.02.2026', '2026-02-01'],
    ['31122025', '2025-12-31'],
    ['010226', '2026-02-01'],
    ['2025-03-04', '2025-03-04'],
    ['2025/3/4', '2025-03-04'],
    ['2025. 3. 4', '2025-03-04'],
    ['2025年3月4日', '2025-03-04'],
    ['20250304', '2025-03-04'],
    ['20122025', '2025-12-20'],
    ['29/2/28', '2028-02-29'],
    ['01/01/1900', '1900-01-01'],
    ['31/12/2199', '2199-12-31'],
    ['5', '2025-06-05'],
    ['5/7', '2025-07-05'],
    ['t', '2025-06-10'],
    ['+1', '2025-06-11'],
    ['-10', '2025-05-31'],
    ['１０／０６／２０２５', '2025-06-10'],
  ])('%s is %s', (text, value) => {
    expect(parseDay(text, today)).toEqual({ ok: true, value })
  })

  it.each([
    ['31/02/2025', 'ui.entry.noDay'],
    ['1/13/2025', 'ui.entry.noDay'],
    ['2025/13/1', 'ui.entry.noDay'],
    ['31', 'ui.entry.noDay'],
    ['29/02/2027', 'ui.entry.noDay'],
    ['31/12/9999', 'ui.entry.farDay'],
    ['01/01/0001', 'ui.entry.farDay'],
    ['0000-01-01', 'ui.entry.farDay'],
    ['31/12/1899', 'ui.entry.farDay'],
    ['tomorrow', 'ui.entry.date'],
    ['1/2/3/4', 'ui.entry.date'],
    ['1/2/025', 'ui.entry.date'],
  ])('%s is refused as %s', (text, problem) => {
    expect(parseDay(text, today)).toEqual({ ok: false, problem })
  })

  it('shows day, month, year', () => {
    expect([shownDay('2025-06-10'), shownDay('2025-06-10T23:00:00Z'), shownDay('')]).toEqual(['10/06/2025', '10/06/2025', ''])
  })
})
