import { describe, expect, it } from 'vitest'
import { tableText } from '#client/table/copyText.ts'
import { valueText } from '#client/table/cells.tsx'
import { comparisonsOf, filterText, startingFilter } from '#client/table/filters.ts'
import type { Column, Field } from '#meta/resolved.ts'

const choices = [{ value: 'CL01', label: 'Credit limit', tone: 'neutral' }, { value: 'PR01', label: 'Below floor price', tone: 'neutral' }] as const
const field: Field = { name: 'block_codes', wire: 'BlockCodes', type: 'textlist', label: 'Blocks', required: false, readOnly: false, choices }
const { choices: _, ...free } = field

describe('several declared values', () => {
  it('are shown and copied in words; one that is no longer declared stands as it is', () => {
    const record = { ID: 1, BlockCodes: ['PR01', 'CL01', 'OLD'] }
    expect(valueText(field, record)).toBe('Below floor price, Credit limit, OLD')
    expect(valueText(free, record)).toBe('PR01, CL01, OLD')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what copying reads of a column is a field
    expect(tableText([field as Column], [record], false)).toBe('Below floor price, Credit limit, OLD')
  })

  it('are filtered by choosing among them; free words by what they contain', () => {
    expect(startingFilter(field)).toEqual({ field: 'block_codes', op: 'in', value: [] })
    expect(comparisonsOf(field)).toEqual(['in', 'nin', 'empty', 'filled'])
    expect(filterText(field, { field: 'block_codes', op: 'in', value: ['CL01'] }, new Map())).toBe('Blocks: Credit limit')
    expect(startingFilter(free).op).toBe('contains')
  })
})
