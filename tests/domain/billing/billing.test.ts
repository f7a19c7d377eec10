import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money, sum } from '#base/decimal.ts'
import { combine, type Billable } from '#domain/billing/combine.ts'
import { nothingBilled, plusPortion, portionOf, type AgreedLine } from '#domain/billing/portion.ts'
import { ordinaryVat, taxTreatment } from '#domain/tax/vat.ts'
import { exact } from '#base/decimal.ts'

const lineA: AgreedLine = { qtyBase: '24', gross: '2832000.00', discount: '139900.80', promo: '67302.48', dpp: '2624797.00', ppn: '288727.67', total: '2913524.67', taxIncluded: false, isFree: false, tax: ordinaryVat }

describe('billing an order line', () => {
  test('whole', () => {
    expect(portionOf(lineA, nothingBilled, '24')).toEqual({
      gross: '2832000.00', discount: '139900.80', promo: '67302.48', dpp: '2624797.00', dppOther: '2406063.92', ppn: '288727.67', total: '2913524.67', taxIncluded: false,
    })
  })

  test('in any number of deliveries it comes to the order exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 10 }), (parts) => {
        const whole = { ...lineA, qtyBase: String(parts.reduce((a, b) => a + b, 0)) }
        let billed = nothingBilled
        for (const qty of parts) billed = plusPortion(billed, String(qty), portionOf(whole, billed, String(qty)))
        expect({ gross: billed.gross, discount: billed.discount, promo: billed.promo, dpp: billed.dpp }).toEqual({
          gross: whole.gross, discount: whole.discount, promo: whole.promo, dpp: money(sum([whole.dpp])),
        })
      }),
    )
  })
})

describe('which goods share an invoice', () => {
  const line: Billable = {
    goodsIssueId: 1, postingDate: '2025-06-02', operatingUnitId: 1, territoryId: 1, customerId: 1, billToId: null, paymentTermId: 1, taxCode: 'PPN04', currency: 'IDR',
    salesmanId: 1, poNumber: null, billingRule: 'PER_DELIVERY',
  }
  const groups = (...lines: Partial<Billable>[]) => combine(lines.map((more) => ({ ...line, ...more }))).map((group) => group.map((one) => one.goodsIssueId))

  test('each delivery its own', () => expect(groups({ goodsIssueId: 1 }, { goodsIssueId: 2 }, { goodsIssueId: 1 })).toEqual([[1, 1], [2]]))
  test('a day together', () =>
    expect(groups({ goodsIssueId: 1, billingRule: 'DAILY' }, { goodsIssueId: 2, billingRule: 'DAILY' }, { goodsIssueId: 3, billingRule: 'DAILY', postingDate: '2025-06-03' })).toEqual([[1, 2], [3]]))
  test('a week from Monday together', () =>
    expect(groups({ goodsIssueId: 1, billingRule: 'WEEKLY' }, { goodsIssueId: 2, billingRule: 'WEEKLY', postingDate: '2025-06-08' }, { goodsIssueId: 3, billingRule: 'WEEKLY', postingDate: '2025-06-09' })).toEqual([[1, 2], [3]]))
  test('never two customers, terms or tax codes', () =>
    expect(groups({ billingRule: 'DAILY' }, { billingRule: 'DAILY', customerId: 2, goodsIssueId: 2 }, { billingRule: 'DAILY', taxCode: 'NONE', goodsIssueId: 3 })).toEqual([[1], [2], [3]]))
})

test('who pays the VAT in', () => {
  const treat = (collector: 'NONE' | 'GOV' | 'BUMN', total: string, trxCode: string | null = null, ofGoods: string | null = '04') => taxTreatment({ collector, trxCode }, exact(total), { ofGoods, ofCompany: '04' })
  expect(treat('NONE', '99999999')).toEqual({ trxCode: '04', collector: 'SELLER' })
  expect(treat('GOV', '11100000')).toEqual({ trxCode: '02', collector: 'WAPU' })
  expect(treat('GOV', '2000000')).toEqual({ trxCode: '04', collector: 'SELLER' })
  expect(treat('BUMN', '10000001')).toEqual({ trxCode: '03', collector: 'WAPU' })
  expect(treat('NONE', '1', '07')).toEqual({ trxCode: '07', collector: 'SELLER' })
  // The code of the goods stands where neither the buyer has one nor collects.
  expect(treat('NONE', '1', null, '01')).toEqual({ trxCode: '01', collector: 'SELLER' })
  expect(treat('GOV', '2000000', null, '01')).toEqual({ trxCode: '01', collector: 'SELLER' })
  expect(treat('NONE', '1', null, '08')).toEqual({ trxCode: '08', collector: 'SELLER' })
  expect(treat('GOV', '2000001', null, '01')).toEqual({ trxCode: '02', collector: 'WAPU' })
  expect(treat('NONE', '1', '07', '01')).toEqual({ trxCode: '07', collector: 'SELLER' })
  expect(treat('NONE', '1', null, null)).toEqual({ trxCode: '04', collector: 'SELLER' })
})
