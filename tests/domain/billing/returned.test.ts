import { expect, test } from 'vitest'
import { exact, money } from '#base/decimal.ts'
import { returnedDpp, returnedPpn, shares } from '#domain/billing/returned.ts'
import { ordinaryVat } from '#domain/tax/vat.ts'

test('CN4: the parts of an invoice that come back add up to it, base and VAT', () => {
  let before = { qty: '0', dpp: '0.00' }
  let rest = '110000.00'
  const parts = ['2', '2', '3'].map((qty) => {
    const dpp = returnedDpp({ qty: '7', dpp: '1000000' }, before, qty)
    before = { qty: String(Number(before.qty) + Number(qty)), dpp: money(exact(before.dpp).plus(dpp)) }
    const ppn = returnedPpn([{ dpp, tax: ordinaryVat }], before.qty === '7' ? rest : undefined)
    rest = money(exact(rest).minus(ppn))
    return { dpp, ppn }
  })
  expect(parts).toEqual([{ dpp: '285714.00', ppn: '31429.00' }, { dpp: '285715.00', ppn: '31429.00' }, { dpp: '428571.00', ppn: '47142.00' }])
  expect(rest).toBe('0.00')
})

test('what is deducted lowers the VAT, and parts of a cost add up to it', () => {
  expect(returnedPpn([{ dpp: '810000', tax: ordinaryVat }, { dpp: '-54000', tax: ordinaryVat }], undefined)).toBe('83160.00')
  expect(shares('100.00', '3', ['1', '2'])).toEqual(['33.33', '66.67'])
  expect(shares('0.00', '0', ['0'])).toEqual(['0.00'])
})
