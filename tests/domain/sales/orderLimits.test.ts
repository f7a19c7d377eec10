import { describe, expect, it } from 'vitest'
import { exact } from '#base/decimal.ts'
import { brokenMinimums, fairShare, keptBy, quotasOf, reservedShares, ruleFor, type AllocationRule, type Minimum } from '#domain/sales/orderLimits.ts'

const shop = { customerId: 1, channelId: 10, categoryId: 20, territoryId: 30 }
const minimum = (part: Partial<Minimum>): Minimum => ({ itemId: 5, channelId: null, categoryId: null, customerId: null, minQty: '0', multipleQty: '0', minOrderValue: '0', action: 'BLOCK', ...part })
const line = (qty: string, part: { itemId?: number; value?: string; isFree?: boolean } = {}) => ({ itemId: 5, qty, value: '1000', isFree: false, ...part })
const codes = (minimums: readonly Minimum[], ...lines: ReturnType<typeof line>[]) => brokenMinimums(minimums, shop, lines).map(({ code, limit }) => `${code} ${limit}`)

describe('minimums of an order', () => {
  it('add up the lines of an item, without free goods', () => {
    expect(codes([minimum({ minQty: '10' })], line('4'), line('6'))).toEqual([])
    expect(codes([minimum({ minQty: '10' })], line('4'), line('6', { isFree: true }))).toEqual(['MQ01 10'])
  })
  it('say nothing about items that are not ordered', () => expect(codes([minimum({ minQty: '10' })], line('1', { itemId: 6 }))).toEqual([]))
  it('ask for whole multiples', () => {
    expect(codes([minimum({ multipleQty: '12' })], line('24'))).toEqual([])
    expect(codes([minimum({ multipleQty: '12' })], line('25'))).toEqual(['MQ01 12'])
    expect(codes([minimum({ multipleQty: '0.5' })], line('1.5'))).toEqual([])
    expect(codes([minimum({ multipleQty: '0.3' })], line('1'))).toEqual(['MQ01 0.3'])
  })
  it('ask for a value of the whole order, or of an item', () => {
    expect(codes([minimum({ itemId: null, minOrderValue: '2000' })], line('1'), line('1', { itemId: 6 }))).toEqual([])
    expect(codes([minimum({ itemId: null, minOrderValue: '2000.01' })], line('1'), line('1', { itemId: 6 }))).toEqual(['MQ02 2000.01'])
    expect(codes([minimum({ minOrderValue: '1500' })], line('1'), line('1', { itemId: 6 }))).toEqual(['MQ02 1500'])
  })
  it('of the customer go before those of his category, his channel and everybody', () => {
    const all = [minimum({ minQty: '1' }), minimum({ channelId: 10, minQty: '2' }), minimum({ categoryId: 20, minQty: '3' }), minimum({ customerId: 1, minQty: '4' }), minimum({ customerId: 2, minQty: '9' })]
    expect(codes(all, line('0.5'))).toEqual(['MQ01 4'])
    expect(codes(all.slice(0, 3), line('2.5'))).toEqual(['MQ01 3'])
    // Whoever has a lower one of his own is held to that alone.
    expect(codes([minimum({ minQty: '50' }), minimum({ customerId: 1, minQty: '2' })], line('2'))).toEqual([])
  })
})

describe('quotas', () => {
  it('are those of the item, the place and the day', () => {
    const quota = { id: 1, itemId: 5, territoryId: 30, channelId: null, customerId: null, validFrom: '2026-11-01', validTo: '2026-11-30' } as const
    const found = (part: object, date = '2026-11-30' as const) => quotasOf([{ ...quota, ...part }], shop, date, new Set([5])).length
    expect([found({}), found({ itemId: 6 }), found({ territoryId: 31 }), found({ territoryId: null, customerId: 1 }), found({ channelId: 11 })]).toEqual([1, 0, 0, 1, 0])
    expect(quotasOf([quota], shop, '2026-12-01', new Set([5]))).toEqual([])
  })
})

describe('allocation', () => {
  const rule = (part: Partial<AllocationRule>): AllocationRule => ({ priority: 100, unitId: null, channelId: null, categoryId: null, customerId: null, method: 'FIFO_ORDER', reservedPct: '0', ...part })
  it('follows the first rule about the customer', () => {
    expect(ruleFor([rule({ priority: 900 }), rule({ priority: 5, channelId: 11, method: 'X' }), rule({ priority: 7, categoryId: 20, method: 'FAIR_SHARE' })], shop, 1)?.method).toBe('FAIR_SHARE')
    expect(ruleFor([rule({ unitId: 2 })], shop, 1)).toBeUndefined()
  })
  it('keeps shares for others, never more than everything', () => {
    const kept = (...all: AllocationRule[]) => keptBy(reservedShares(all, shop, 1).others, exact('200'), () => exact(0)).toString()
    expect(kept(rule({ method: 'RESERVED_PCT', channelId: 11, reservedPct: '30' }), rule({ method: 'RESERVED_PCT', channelId: 10, reservedPct: '50' }))).toBe('60')
    expect(kept(rule({ method: 'RESERVED_PCT', channelId: 11, reservedPct: '80' }), rule({ method: 'RESERVED_PCT', categoryId: 21, reservedPct: '80' }))).toBe('200')
  })
  it('keeps of a share what those it is for have not taken', () => {
    const [ours, theirs] = [rule({ method: 'RESERVED_PCT', channelId: 10, reservedPct: '50' }), rule({ method: 'RESERVED_PCT', channelId: 11, reservedPct: '40' })]
    expect(reservedShares([ours, theirs], shop, 1)).toEqual({ own: ours, others: [theirs] })
    expect(['0', '30', '90'].map((taken) => keptBy([theirs], exact('100'), () => exact(taken)).toString())).toEqual(['40', '10', '0'])
  })
  it('shares what is short by demand in whole sales units; shares never exceed what is there', () => {
    const share = (free: string, own: string, others: string, unit = '1') => fairShare(exact(free), exact(own), exact(others), exact(unit)).toString()
    expect([share('10', '6', '4'), share('10', '10', '10'), share('10', '10', '20'), share('100', '60', '90', '12'), share('0', '5', '5')]).toEqual(['6', '5', '3', '36', '0'])
  })
})
