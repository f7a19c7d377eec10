import { describe, expect, it } from 'vitest'
import type { ApprovalFact } from '#api/approval.ts'
import { factTable } from '#client/approval/factTable.ts'

function fact(name: string, value: string | null, more: Partial<ApprovalFact> = {}): ApprovalFact {
  return { group: 'credit', name, format: 'money', value, isOver: false, ...more }
}

describe('numbers as asked and as now', () => {
  it('stand beside each other and say which way they went', () => {
    const [block] = factTable([fact('limit', '100.00'), fact('exposure', '90.00'), fact('overdue', '5'), fact('excess', '3.00')], [fact('limit', null), fact('exposure', '120.00'), fact('overdue', '5.00'), fact('new', '1')])
    expect(block?.rows.map(({ name, asked, now, change }) => [name, asked?.value, now?.value, change])).toEqual([
      ['limit', '100.00', null, 'other'], ['exposure', '90.00', '120.00', 'up'], ['overdue', '5', '5.00', 'none'], ['excess', '3.00', undefined, 'none'], ['new', undefined, '1', 'none'],
    ])
  })

  it('of lines only those that fall below their floor on either side', () => {
    const line = (subject: string, isOver: boolean) => fact('margin', '1', { group: 'price', subject, isOver })
    const blocks = factTable([fact('limit', '1'), line('A', true), line('B', false), line('C', false)], [fact('limit', '1'), line('A', false), line('B', true), line('C', false)])
    expect(blocks.map(({ group, subject }) => `${group} ${subject ?? ''}`)).toEqual(['credit ', 'price A', 'price B'])
  })
})
