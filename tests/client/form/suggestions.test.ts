import { expect, test } from 'vitest'
import { Suggestions } from '#client/form/suggestions.ts'
import { emptyRow, type GridRow } from '#client/grid/gridModel.ts'
import type { LineColumn } from '#meta/resolved.ts'

const column = (name: string, wire: string, more: Partial<LineColumn> = {}): LineColumn => ({ name, wire, type: 'text', label: name, entry: true, ...more }) as LineColumn
const columns = [
  column('match_type', 'MatchType', { type: 'enum', default: 'NONE' }),
  column('ar_payment_id', 'ArPaymentID', { type: 'ref', entity: 'ar_payment' }),
  column('note', 'Note'),
]
const make = () => new Suggestions({ fields: ['OpeningBalance'], columns: ['MatchType', 'ArPaymentID'] })
const row = (values: object = {}): GridRow => emptyRow('r1', { MatchType: 'NONE', ...values })
const answer = { MatchType: 'PAYMENT', ArPaymentID: 7, ArPaymentCode: 'PAY/7', ArPaymentName: 'PAY/7', Note: 'not asked for' }
const fill = (suggestions: Suggestions, now: GridRow, said: object = answer, sent = now) => suggestions.ofLines([now], columns, [sent], [said as never])[0]?.values

test('empty cells and those that hold their default are filled, a reference with its code; others are left', () => {
  expect(fill(make(), row())).toEqual({ MatchType: 'PAYMENT', ArPaymentID: 7, ArPaymentCode: 'PAY/7', ArPaymentName: 'PAY/7' })
  expect(fill(make(), row({ MatchType: 'UNIDENTIFIED', ArPaymentID: 3 }))).toEqual({ MatchType: 'UNIDENTIFIED', ArPaymentID: 3 })
  expect(fill(make(), { ...row(), typed: { ArPaymentID: 'PAY' } })).toEqual({ MatchType: 'PAYMENT' })
})

test('what was taken away is not filled in again, something else is; all of it once it is asked for', () => {
  const suggestions = make()
  fill(suggestions, row())
  expect(fill(suggestions, row())).toEqual({ MatchType: 'NONE' })
  expect(fill(suggestions, row(), { ...answer, ArPaymentID: 8 })).toMatchObject({ MatchType: 'NONE', ArPaymentID: 8 })
  suggestions.forget()
  expect(fill(suggestions, row())).toMatchObject({ MatchType: 'PAYMENT', ArPaymentID: 7 })
})

test('a line changed while the server answered waits for the next answer, and is filled then', () => {
  const suggestions = make()
  expect(fill(suggestions, row({ Note: 'typed meanwhile' }), answer, row())).toEqual({ MatchType: 'NONE', Note: 'typed meanwhile' })
  expect(fill(suggestions, row({ Note: 'typed meanwhile' }))).toMatchObject({ ArPaymentID: 7 })
})

test('an empty field of the header is filled, one that says something is not', () => {
  expect(make().ofHeader({}, { OpeningBalance: '5.00' })).toEqual({ OpeningBalance: '5.00' })
  expect(make().ofHeader({ OpeningBalance: '0.00' }, { OpeningBalance: '5.00' })).toEqual({})
})
