import { describe, expect, test } from 'vitest'
import type { ContractPrice, PricingMasters } from '#domain/pricing/masters.ts'
import { basePrices, priceOrder, type OrderLine } from '#domain/pricing/priceOrder.ts'
import { benefitOf, conditionOf, makmur, masters, openPromotion, priceRow, priceSetRow } from './scene.ts'

const contract = (more: Partial<ContractPrice> = {}): ContractPrice => ({ lineId: 7, code: 'CT/JKT/2506/00001', itemId: 101, uom: 'CTN', price: '110000', minus: '0', priceSetId: null, ...more })
const within = (...contracts: readonly ContractPrice[]): PricingMasters => ({ ...masters, contracts: new Map(contracts.map((one) => [one.lineId, one])) })
const line = (more: Partial<OrderLine> = {}): OrderLine => ({ key: 1, itemId: 101, uom: 'CTN', qty: '10', manualDiscount: '0', contractLineId: 7, ...more })
const bare = { discountSets: [], promotions: [] }
const first = (known: PricingMasters, one: OrderLine = line()) => priceOrder(makmur, known, [one]).lines[0]

describe('the price of a contract', () => {
  test('comes before the customer, his group and every other list, and before one agreed by hand', () => {
    const own = { ...within(contract()), priceSets: [...masters.priceSets, priceSetRow(13, 'MAKMUR', 'CUSTOMER', 17)], prices: [...masters.prices, priceRow(9, 13, 101, '90000')] }
    expect(first(own, line({ contractLineId: null }))).toMatchObject({ price: '90000.0000', priceSource: 'CUSTOMER:MAKMUR' })
    expect(first(own)).toMatchObject({ price: '110000.0000', priceSource: 'CONTRACT:CT/JKT/2506/00001', listPrice: null })
    expect(first(own, line({ agreedPrice: '80000' }))).toMatchObject({ price: '110000.0000' })
  })

  test('comes before the special price of a promotion', () => {
    const special = { ...openPromotion, id: 41, code: 'D1', name: 'D1', conditions: [conditionOf('ITEM_QTY', '1', { itemId: 101 })], benefits: [benefitOf('SPECIAL_PRICE', '100000')] }
    const known = { ...within(contract()), ...bare, promotions: [special] }
    expect(first(known, line({ contractLineId: null }))).toMatchObject({ price: '100000.0000', promotionId: 41 })
    expect(first(known)).toMatchObject({ price: '110000.0000', promotionId: null })
    // Where the contract finds no list price the line has none: a promotion does not stand in.
    expect(first({ ...known, contracts: new Map([[7, contract({ price: null, priceSetId: 99 })]]) })?.blocks.map(({ code }) => code)).toEqual(['PR00'])
  })

  test('is told step by step, and only the base price is settled by it: discounts and promotions follow', () => {
    const priced = priceOrder(makmur, within(contract()), [line()])
    expect(priced.lines[0]).toMatchObject({ gross: '1100000.00', discount: '54340.00', dpp: '1045660.00' })
    expect(priced.lines[0]?.trace[0]).toEqual({ step: 'CONTRACT', source: 'CONTRACT:CT/JKT/2506/00001', rowId: 7, before: '0.00', after: '1100000.00' })
    expect(priced.lines[1]).toMatchObject({ isFree: true, qty: '1.000', price: '118000.0000', priceSource: 'GROUP:SILVER' })
  })

  test('needs no list, and keeps no floor of one', () => {
    const floored = { ...masters, prices: masters.prices.map((row) => ({ ...row, floorPrice: '115000' })) }
    expect(first({ ...floored, ...bare }, line({ contractLineId: null, manualDiscount: '100000' }))?.blocks.map(({ code }) => code)).toContain('PR01')
    expect(first({ ...floored, ...bare, contracts: new Map([[7, contract()]]) })?.blocks).toEqual([])
    expect(first({ ...masters, ...bare, prices: [], contracts: new Map([[7, contract()]]) })).toMatchObject({ price: '110000.0000', blocks: [] })
  })

  test('off the list follows the list of the customer, by quantity', () => {
    const known = { ...within(contract({ price: null, minus: '3000' })), ...bare, prices: [...masters.prices, priceRow(9, 12, 101, '116000', { minQty: '50' })] }
    expect(first(known)).toMatchObject({ price: '115000.0000', gross: '1150000.00' })
    expect(first(known)?.trace).toEqual([
      { step: 'PRICE', source: 'GROUP:SILVER', rowId: 3, before: '0.00', after: '1180000.00' },
      { step: 'CONTRACT', source: 'CONTRACT:CT/JKT/2506/00001', rowId: 7, before: '1180000.00', after: '1150000.00' },
    ])
    expect(first(known, line({ qty: '50' }))).toMatchObject({ price: '113000.0000' })
  })

  test('off a list of its own takes that one, whoever it is for; without a price there the line has none', () => {
    const sets = { ...bare, contractSets: [priceSetRow(14, 'HOTEL', 'CHANNEL', 99)] }
    const known = { ...within(contract({ price: null, minus: '1000', priceSetId: 14 })), ...sets, prices: [...masters.prices, priceRow(9, 14, 101, '100000')] }
    expect(first(known)).toMatchObject({ price: '99000.0000' })
    expect(first(known)?.trace[0]).toMatchObject({ source: 'CHANNEL:HOTEL', after: '1000000.00' })
    expect(first({ ...known, prices: masters.prices })?.blocks.map(({ code }) => code)).toEqual(['PR00'])
    expect(first({ ...within(contract({ price: null, minus: '118000' })), ...bare })?.blocks.map(({ code }) => code)).toEqual(['PR00'])
  })

  test('of another item or in another unit is none', () => {
    const known = { ...within(contract(), contract({ lineId: 8, itemId: 102 })), ...bare }
    expect(first(known, line({ contractLineId: 8 }))).toMatchObject({ priceSource: 'GROUP:SILVER' })
    expect(first(known, line({ uom: 'PAL', qty: '1' }))).toMatchObject({ price: '4720000.0000', priceSource: 'GROUP:SILVER' })
    expect(first(known, line({ contractLineId: 9 }))).toMatchObject({ priceSource: 'GROUP:SILVER' })
  })

  test('is what the order is held against', () => {
    const one = line()
    const bases = basePrices(makmur, within(contract()), [one])
    expect(bases.get(one)).toMatchObject({ floor: null, source: 'CONTRACT:CT/JKT/2506/00001' })
  })
})
