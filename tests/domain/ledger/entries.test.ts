import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exact, sum } from '#base/decimal.ts'
import { balancedTotal, entriesOf, mirror, type Entry } from '#domain/ledger/entries.ts'
import { costAmounts, freeVatAmounts, invoiceAmounts, issueAmounts } from '#domain/ledger/invoiceAmounts.ts'
import { receiptAmounts } from '#domain/ledger/receiptAmounts.ts'
import { exact as decimal, money } from '#base/decimal.ts'
import { freeGoodsVat, ordinaryVat } from '#domain/tax/vat.ts'
import { ruleOf } from '../rules.ts'

const short = (entries: readonly Entry[]) => entries.map((entry) => `${entry.account} ${entry.debit} ${entry.credit}${entry.openItemId ? ` #${entry.openItemId}` : ''}`)

describe('the order of Toko Makmur in the ledger', () => {
  test('goods issue', () => {
    const lines = [{ itemId: 1, cost: '2040000.00' }, { itemId: 2, cost: '1900000.00' }, { itemId: 1, cost: '170000.00' }]
    expect(short(entriesOf(ruleOf('inventory/goods-issue/goods-issue', 'GI_SALE'), issueAmounts(lines, 3)))).toEqual([
      '113106 2210000.00 0.00', '113106 1900000.00 0.00', '113101 0.00 2210000.00', '113101 0.00 1900000.00',
    ])
  })

  test('invoice', () => {
    const entries = entriesOf(ruleOf('billing/invoice/invoice', 'INV'), invoiceAmounts({
      id: 903, customerId: 17, territoryId: 3, arAccount: '112101', dueDate: '2025-07-02', collector: 'SELLER',
      gross: '5332000.00', discount: '164900.80', promo: '129177.48', ppn: '554171.00', rounding: '0.28', total: '5592093.00',
    }))
    expect(short(entries)).toEqual([
      '112101 5592093.00 0.00 #903', '412101 164900.80 0.00', '412102 129177.48 0.00', '411101 0.00 5332000.00', '213101 0.00 554171.00', '421101 0.00 0.28',
    ])
    expect(balancedTotal(entries)).toBe('5886171.28')
  })

  test('cost of goods sold and VAT on free goods', () => {
    const cost = [{ itemId: 1, cost: '2040000.00', isFree: false }, { itemId: 2, cost: '1900000.00', isFree: false }, { itemId: 1, cost: '170000.00', isFree: true }]
    expect(short(entriesOf(ruleOf('billing/invoice/invoice', 'COGS'), costAmounts(cost, 3)))).toEqual([
      '511101 2040000.00 0.00', '511101 1900000.00 0.00', '611101 170000.00 0.00', '113106 0.00 2210000.00', '113106 0.00 1900000.00',
    ])
    const vat = money(freeGoodsVat(decimal('170000'), ordinaryVat))
    expect(short(entriesOf(ruleOf('billing/invoice/invoice', 'FREE_VAT'), freeVatAmounts(vat, 17, 3)))).toEqual(['613105 18700.00 0.00', '213101 0.00 18700.00'])
  })

  test('receipt', () => {
    const entries = entriesOf(ruleOf('receivables/ar-payment/ar-payment', 'RCPT_TRANSFER'), receiptAmounts({
      customerId: 17, territoryId: 3, amount: '7900000.00', deposited: '0.00', overpaid: '0.00',
      lines: [
        { invoiceId: 1, paid: '5592093.00', credits: [], deductions: [] },
        { invoiceId: 2, paid: '1800000.00', credits: [{ source: 'CREDIT_NOTE', sourceId: 8, amount: '250000.00' }], deductions: [] },
        { invoiceId: 3, paid: '1760000.00', credits: [{ source: 'DEPOSIT', sourceId: 9, amount: '1000000.00' }], deductions: [{ kind: 'DIFF', amount: '2093.00' }] },
      ],
      invoiceAccounts: new Map([[1, '112101'], [2, '112101'], [3, '112101']]),
      creditNoteAccounts: new Map([[8, '112101']]),
    }))
    expect(short(entries)).toEqual([
      '111302 7900000.00 0.00', '212101 1000000.00 0.00 #9', '613102 2093.00 0.00', '112101 250000.00 0.00 #8',
      '112101 0.00 5592093.00 #1', '112101 0.00 1800000.00 #2', '112101 0.00 1760000.00 #3',
    ])
    expect(balancedTotal(entries)).toBe('9152093.00')
  })
})

test('an amount no line takes is a broken rule', () => {
  expect(() => entriesOf(ruleOf('inventory/goods-issue/goods-issue', 'GI_SALE'), [{ key: 'money', amount: '1.00' }])).toThrow('money')
})

test('a negative invoice turns every side, and entry plus mirror is nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 10 ** 6 }), fc.boolean(), (cents, discountCents, negative) => {
      const sign = negative ? -1 : 1
      const value = (n: number): string => money(exact(n * sign).div(100))
      const amounts = invoiceAmounts({
        id: 1, customerId: 1, territoryId: null, arAccount: '112101', dueDate: '2025-01-01', collector: 'SELLER',
        gross: value(cents + discountCents), discount: value(discountCents), promo: '0.00', ppn: '0.00', rounding: '0.00', total: value(cents),
      })
      const entries = entriesOf(ruleOf('billing/invoice/invoice', 'INV'), amounts)
      expect(balancedTotal(entries)).not.toBeNull()
      expect(entries[0]?.[negative ? 'credit' : 'debit']).toBe(money(exact(cents).div(100)))
      const all = [...entries, ...mirror(entries)]
      for (const account of new Set(all.map((entry) => entry.account))) {
        const own = all.filter((entry) => entry.account === account)
        expect(sum(own.map((entry) => exact(entry.debit).minus(entry.credit))).eq(0)).toBe(true)
      }
    }),
  )
})
