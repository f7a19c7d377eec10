import { expect, test } from 'vitest'
import { pointsOf, surelyMatched, type Expected, type Movement } from '#domain/receivables/statementMatch.ts'

const receipt = (more: Partial<Expected> = {}): Expected => ({ date: '2026-11-10', amount: '2200000.00', virtualAccount: null, reference: null, payerAccount: null, ...more })
const movement = (text: string, more: Partial<Movement> = {}): Movement => ({ date: '2026-11-11', amount: '2200000.00', text, ...more })

test.each([
  ['the virtual account', 'VA 8801-2345-6789 MAKMUR', receipt({ virtualAccount: '880123456789', reference: 'TRF12345' }), 100],
  ['the reference, however the bank writes it', 'TRSF E-BANKING CR trf 12.345/MAKMUR', receipt({ reference: 'TRF12345' }), 90],
  ['the reference in one piece', 'TRSF INV26110042, MAKMUR', receipt({ reference: 'INV/2611/0042' }), 90],
  ['the account of the payer', 'TRSF 014-552-7788 PT MAKMUR', receipt({ payerAccount: '0145527788' }), 80],
  ['about the same day', 'SETORAN', receipt(), 60],
  ['another day', 'SETORAN', receipt({ date: '2026-11-01' }), 0],
  ['the beginning of another number', 'TRSF 26115987', receipt({ date: '2026-11-01', reference: '2611-5' }), 0],
  ['the end of another number', 'TRSF 9926115', receipt({ date: '2026-11-01', reference: '2611-5' }), 0],
  ['the beginning of a longer reference', 'TRSF 2611-5-987', receipt({ date: '2026-11-01', reference: '2611-5' }), 0],
  ['digits joined over a day', 'TRSF 26/11/2026 115 20-11-26', receipt({ date: '2026-11-01', reference: '202611' }), 0],
  ['digits of a day and what follows it', 'TRSF 26/11 5', receipt({ date: '2026-11-01', reference: '2611-5' }), 0],
  ['digits of two words', 'SETORAN 26 115', receipt({ date: '2026-11-01', reference: '2611-5' }), 0],
  ['digits that are broken up elsewhere', 'SETORAN 26-115', receipt({ date: '2026-11-01', reference: '2611-5' }), 0],
  ['a day, however it is written', 'SETORAN 26-11-2026', receipt({ date: '2026-11-01', reference: '26112026' }), 0],
  ['a part of a virtual account', 'VA 88012345678901', receipt({ date: '2026-11-01', virtualAccount: '880123456789' }), 0],
  ['a part of the account of the payer', 'TRSF 10145527788', receipt({ date: '2026-11-01', payerAccount: '0145527788' }), 0],
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

test('the exact reference wins over its beginning, in either order', () => {
  const [short, long] = [receipt({ reference: 'TRF1234' }), receipt({ reference: 'TRF12345' })]
  const [part, whole] = [receipt({ reference: 'INV/2611/0042' }), receipt({ reference: 'INV/2611/0042/B' })]
  for (const expected of [[short, long, part, whole], [whole, part, long, short]]) {
    expect(surelyMatched([movement('TRSF TRF12345'), movement('TRSF TRF1234'), movement('TRSF INV/2611/0042/B'), movement('TRSF INV/2611/0042 MAKMUR')], expected)).toEqual([long, short, whole, part])
  }
  // Both are named: people decide.
  expect(surelyMatched([movement('TRF1234 TRF12345')], [short, long])).toEqual([undefined])
})
