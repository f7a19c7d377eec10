import { describe, expect, test } from 'vitest'
import { creditBlocks, creditExcess, creditLimitOf, isWorse, type CreditLimit, type CreditStanding } from '#domain/credit/creditCheck.ts'

const limit: CreditLimit = { amount: '50000000.00', overdueGraceDays: 7, maxOverdueAmount: '0', maxOpenInvoices: null, reviewDate: null }
const makmur: CreditStanding = {
  customerStatus: 1, blockReason: null, exposure: '43690000.00', limits: [limit], limitExpired: false, openInvoices: 4, maxDaysOverdue: 0, overdueAmount: '0.00', bouncedGiros: 0, group: null,
}
const order = { total: '5592093.00', isCash: false, termDiffers: false }
const codes = (standing: Partial<CreditStanding>, more: Partial<typeof order> = {}) =>
  creditBlocks({ ...makmur, ...standing }, { ...order, ...more }, '2025-06-02').map((block) => [block.code, block.value])

describe('credit check of the worked example', () => {
  test('within the limit, oldest invoice nine days overdue, grace seven', () => {
    expect(codes({ maxDaysOverdue: 9, overdueAmount: '1800000' })).toEqual([['CL02', '1800000.00']])
    expect(codes({ maxDaysOverdue: 7, overdueAmount: '1800000' })).toEqual([])
  })
  test('the excess measures the approval', () => expect(codes({ exposure: '45000000' })).toEqual([['CL01', '592093.00']]))
  test('no limit row is no credit, cash still goes', () => {
    expect(codes({ limits: [] })).toEqual([['CL01', '49282093.00']])
    expect(codes({ limits: [] }, { isCash: true })).toEqual([])
  })
  test('a row without amount is unlimited', () => {
    expect(creditLimitOf([limit, { ...limit, amount: null }])).toBeNull()
    expect(codes({ limits: [{ ...limit, amount: null }], exposure: '900000000' })).toEqual([])
  })
  test('the group has its own limit', () => expect(codes({ group: { id: 1, limit: '100000000', exposure: '99000000' } })).toEqual([['CL01', '4592093.00']]))
  test('everything else', () => {
    expect(codes({ customerStatus: 6 })).toEqual([['CL04', '0.00']])
    expect(codes({ limits: [{ ...limit, maxOpenInvoices: 4 }] })).toEqual([['CL03', '0.00']])
    expect(codes({ limits: [{ ...limit, maxOverdueAmount: '100' }], maxDaysOverdue: 1, overdueAmount: '101' })).toEqual([['CL02', '101.00']])
    expect(codes({ bouncedGiros: 1 }, { termDiffers: true })).toEqual([['CL05', '0.00'], ['PT01', '0.00']])
    expect(codes({ limits: [], limitExpired: true })).toEqual([['CL01', '49282093.00'], ['CL06', '0.00']])
    expect(codes({ limits: [{ ...limit, reviewDate: '2025-05-01' }] })).toEqual([['CL06', '0.00']])
    expect(codes({ limits: [{ ...limit, reviewDate: '2025-05-03' }] })).toEqual([])
  })
})

test('the excess of the customer and of his group, each above its own limit', () => {
  const group = { id: 1, limit: '100000000', exposure: '101000000' }
  expect(creditExcess({ ...makmur, exposure: '49000000', group }, '2000000')).toEqual({ own: '1000000.00', group: '3000000.00' })
  expect(creditExcess({ ...makmur, limits: [{ ...limit, amount: null }] }, '900000000')).toEqual({ own: '0.00', group: '0.00' })
})

test('an excess is worse once it has grown past the approved one by more than rounding', () => {
  expect(isWorse('28700001.17', '28700001.00', '128700001.17')).toBe(false)
  expect(isWorse('28712871.00', '28700001.00', '128700001.00')).toBe(false)
  expect(isWorse('28712872.00', '28700001.00', '128700001.00')).toBe(true)
  expect(isWorse('0.00', '0.00', '0')).toBe(false)
})
