import { describe, expect, it } from 'vitest'
import { proposeAllocation } from '#domain/receivables/proposal.ts'
import { lessWithheld, withheldOf, withWithheld } from '#domain/receivables/withholding.ts'

const office = { total: '11100000.00', remaining: '11100000.00', dpp: '10000000.00', ppn: '1100000.00', collector: 'WAPU', incomeTaxRate: '1.5' } as const

describe('what a government office keeps back', () => {
  it('is the VAT and 1.5 % of the base: 9,850,000 settle 11,100,000', () => {
    const withheld = withheldOf(office, '2000000')
    expect(withheld).toEqual([{ kind: 'PPN_WAPU', amount: '1100000.00' }, { kind: 'PPH22', amount: '150000.00' }])
    const expected = lessWithheld({ id: 1, docDate: '2026-11-01', dueDate: '2026-12-01', remaining: office.remaining }, withheld)
    expect(expected.remaining).toBe('9850000.00')
    const { lines: [line], unapplied } = proposeAllocation('9850000', [expected], [], 'OLDEST_DUE')
    if (line === undefined) throw new Error('nothing is proposed')
    expect([withWithheld(line, expected.remaining, withheld), unapplied]).toEqual([{ paid: '11100000.00', deductions: withheld }, '0.00'])
  })

  it('is not proposed where less is paid, once part is settled, or for the income tax of a small sale', () => {
    const withheld = withheldOf(office, '2000000')
    const { lines: [line] } = proposeAllocation('9849999', [{ id: 1, docDate: '2026-11-01', dueDate: '2026-12-01', remaining: '9850000.00' }], [], 'OLDEST_DUE')
    if (line === undefined) throw new Error('nothing is proposed')
    expect(withWithheld(line, '9850000.00', withheld)).toEqual({ paid: '9849999.00', deductions: [] })
    expect(withheldOf({ ...office, remaining: '1000.00' }, '2000000')).toEqual([])
    expect(withheldOf({ ...office, dpp: '2000000.00' }, '2000000').map(({ kind }) => kind)).toEqual(['PPN_WAPU'])
    expect(withheldOf({ ...office, collector: 'SELLER', incomeTaxRate: '0' }, '2000000')).toEqual([])
  })

  it('is whole rupiah, half up', () => {
    expect(withheldOf({ ...office, dpp: '2972973.00', ppn: '327027.00' }, '2000000')).toEqual([{ kind: 'PPN_WAPU', amount: '327027.00' }, { kind: 'PPH22', amount: '44595.00' }])
  })
})
