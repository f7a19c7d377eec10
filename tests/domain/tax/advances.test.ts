import { expect, test } from 'vitest'
import { withoutAdvances } from '#domain/tax/advances.ts'
import { faultOf, type PostedLine, type TaxInvoice } from '#domain/tax/coretax.ts'

const line = (name: string, dpp: string, dppOther: string, ppn: string): PostedLine => ({ name, isService: false, goodsCode: '000000', unit: 'UM.0033', qty: '3', gross: dpp, dpp, dppOther, ppn, rate: '12' })
const lines = [line('A', '1000000', '916666.67', '110000'), line('B', '2000000', '1833333.33', '220000'), line('C', '333333', '305555.25', '36666.63')]

test('each line keeps its part of what is left, to the cent, and Coretax takes it', () => {
  const left = withoutAdvances(lines, '1333333')
  expect(left.map(({ dpp, dppOther, ppn }) => [dpp, dppOther, ppn])).toEqual([
    ['399999.94', '366666.61', '43999.99'], ['799999.88', '733333.22', '87999.99'], ['133333.18', '122222.08', '14666.65'],
  ])
  const invoice: TaxInvoice = {
    day: '2026-11-20', trxCode: '04', addInfo: '', facilityStamp: '', reference: 'INV', sellerPlace: '0'.repeat(22), ppn: '146667',
    buyer: { document: 'TIN', number: '0987654321098765', name: 'PT', address: '', email: '', place: '' }, lines: left,
  }
  expect(faultOf(invoice)).toBeUndefined()
})
