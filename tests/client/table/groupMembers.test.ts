import { expect, test } from 'vitest'
import { groupsOf, memberKey } from '#client/table/groupMembers.ts'
import type { Field } from '#meta/resolved.ts'

const field = (name: string, type: Field['type'], wire: string): Field => ({ name, wire, type, label: name, required: false, readOnly: false })
const fields = [field('status', 'status', 'Status'), field('doc_date', 'date', 'DocDate'), field('posted_at', 'datetime', 'PostedAt'), field('total', 'money', 'Total'), field('is_open', 'boolean', 'IsOpen')]
const row = { ID: 1, Status: 3, DocDate: '2026-11-27', PostedAt: '2026-03-31T18:30:00Z', Total: '1500.00', IsOpen: false }

test.each([
  [{ field: 'status' }, 3],
  [{ field: 'status' }, '3'],
  [{ field: 'doc_date' }, '2026-11-27'],
  [{ field: 'doc_date', by: 'month' }, '2026-11-01'],
  [{ field: 'doc_date', by: 'quarter' }, '2026-10-01'],
  [{ field: 'doc_date', by: 'year' }, '2026-01-01'],
  // Half past one of the next day where the business is.
  [{ field: 'posted_at' }, '2026-04-01'],
  [{ field: 'posted_at', by: 'quarter' }, '2026-04-01'],
  [{ field: 'total' }, '1500.0000'],
  [{ field: 'is_open' }, false],
] as const)('a row stands in the group of %o with the value %s', (grouping, value) => {
  expect(groupsOf(row, [grouping], fields)).toEqual([memberKey([value])])
})

test('a row without a value stands in the group without one', () => {
  for (const empty of [null, '']) expect(groupsOf({ ...row, DocDate: empty }, [{ field: 'doc_date', by: 'year' }], fields)).toEqual([memberKey([null])])
})

test('a row stands in the group of each level', () => {
  expect(groupsOf(row, [{ field: 'status' }, { field: 'doc_date', by: 'year' }], fields)).toEqual([memberKey([3]), memberKey([3, '2026-01-01'])])
})
