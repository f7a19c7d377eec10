import { describe, expect, it } from 'vitest'
import { parseDay, readNames } from '#client/form/entry.ts'
import { dayInDigits, monthInDigits } from '#client/form/monthNames.ts'
import { parseMonth } from '#client/form/widgets/month.ts'

describe('months by their names', () => {
  it.each([
    ['10 Mar 2026', '10/3/2026'],
    ['10 maret 2026', '10/3/2026'],
    ['March 10, 2026', '10/3/2026'],
    ['10-Agt-26', '10/8/26'],
    ['1mei2026', '1/5/2026'],
    ['2026 Dec 31', '31/12/2026'],
    ['17 Agustus', '17/8'],
    ['Oct 5', '5/10'],
    ['3月10日', '10/3'],
    ['十二月三十一日', '31/12'],
    ['2026年三月十日', '10/3/2026'],
    ['二月二十', '20/2'],
    ['10\u00a0Mar\u200b 2026', '10/3/2026'],
    ['１０ Mar ２０２６', '10/3/2026'],
  ])('%s is the day %s', (text, digits) => {
    expect(dayInDigits(text)).toBe(digits)
  })

  it.each([
    ['Mar 2026', '3/2026'],
    ['maret 26', '3/26'],
    ['2026 Mei', '5/2026'],
    ['sept', '9'],
    ['Nop. 2026', '11/2026'],
    ['三月', '3'],
    ['3月', '3'],
    ['2026年十一月', '11/2026'],
  ])('%s is the month %s', (text, digits) => {
    expect(monthInDigits(text)).toBe(digits)
  })

  it('what is no such name, or names too little or too much, stays as it was typed', () => {
    for (const text of ['Mar', 'Mar 2026', '三月', 'tomorrow', '10 ju 2026', '10 Mar Apr', '1 2 3 Mar', '10/03/2026', '100 Mar']) expect(dayInDigits(text)).toBe(text)
    for (const text of ['10 Mar 2026', '3月10日', 'marmalade 2026', '03/2026', 'ma']) expect(monthInDigits(text)).toBe(text)
  })

  it('are read by the boxes once their part is there', async () => {
    expect(readNames('10/3')).toBeUndefined()
    expect(await readNames('mar')).toBe(true)
    expect(readNames('mar')).toBeUndefined()
    expect(parseDay('10 Mar 2026', '2025-06-10')).toEqual({ ok: true, value: '2026-03-10' })
    expect(parseDay('３月１０日', '2025-06-10')).toEqual({ ok: true, value: '2025-03-10' })
    expect(parseDay('31 Feb 2026', '2025-06-10')).toEqual({ ok: false, problem: 'ui.entry.noDay' })
    expect(parseDay('Mar 2026', '2025-06-10')).toEqual({ ok: false, problem: 'ui.entry.date' })
    expect(['Mar 2026', 'maret', '三月', '2026年3月'].map((text) => parseMonth(text, '2025-06-10'))).toEqual(['2026-03-01', '2025-03-01', '2025-03-01', '2026-03-01'])
  })
})
