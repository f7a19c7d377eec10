import { expect, test } from 'vitest'
import { pointsOf, surelyMatched, type Expected, type Movement } from '#domain/receivables/statementMatch.ts'

const receipt = (more: Partial<Expected> = {}): Expected => ({ date: '2026-11-10', amount: '2200000.00', virtualAccount: null, reference: null, payerAccount: null, ...more })
const movement = (text: string, more: Partial<Movement> = {}): Movement => ({ date: '2026-11-11', amount: '2200000.00', text, ...more })

test.each([
  ['the virtual account', 'VA 8801-2345-6789 MAKMUR', receipt({ virtualAccount: '880123456789', reference: 'TRF12345' }), 100],
  ['the reference, however the bank breaks it up', 'TRSF E-BANKING CR trf 12 345/MAKMUR', receipt({ reference: 'TRF12345' }), 90],
  ['the account of the payer', 'TRSF 014-552-7788 PT MAKMUR', receipt({ payerAccount: '0145527788' }), 80],
  ['about the same day', 'SETORAN', receipt(), 60],
  ['another day', 'SETORAN', receipt({ date: '2026-11-01' }), 0],
  ['a mark too short to mean anything', 'SETORAN 12', receipt({ date: '2026-11-01', reference: '12' }), 0],
])('%s', (_, text, expected, points) => {
  expect(pointsOf(movement(text), expected)).toBe(points)
  expect(pointsOf(movement(text, { amount: '2200001.00' }), expected)).toBe(0)
})

test('what is sure is matched, each once; what is as sure of two is left to people', () => {
  const first = receipt({ reference: 'TRF11111' })
  const second = receipt({ reference: 'TRF22222' })
  expect(surelyMatched([movement('TRF22222'), movement('TRF11111'), movement('TRF11111')], [first, second])).toEqual([second, first, undefined])
  expect(surelyMatched([movement('SETORAN'), movement('TRF 11111', { amount: '2200000' })], [first, second])).toEqual([undefined, first])
  expect(surelyMatched([movement('TRF11111')], [first, receipt({ reference: 'TRF11111' })])).toEqual([undefined])
})

test('a surer movement has it, whatever their order', () => {
  const paid = receipt({ virtualAccount: '880123456789', reference: 'TRF11111' })
  expect(surelyMatched([movement('TRF11111'), movement('880123456789')], [paid])).toEqual([undefined, paid])
})
