import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exact, money, sum } from '#base/decimal.ts'
import { dueDate } from '#domain/receivables/dueDate.ts'
import { proposeAllocation, type OpenInvoice } from '#domain/receivables/proposal.ts'
import { receiptFaults, receiptTotals, type ReceiptLine } from '#domain/receivables/receipt.ts'

const receipt: readonly ReceiptLine[] = [
  { invoiceId: 1, paid: '5592093.00', credits: [], deductions: [] },
  { invoiceId: 2, paid: '1800000.00', credits: [{ source: 'CREDIT_NOTE', sourceId: 8, amount: '250000.00' }], deductions: [] },
  { invoiceId: 3, paid: '1760000.00', credits: [{ source: 'DEPOSIT', sourceId: 9, amount: '1000000.00' }], deductions: [{ kind: 'DIFF', amount: '2093.00' }] },
]
const remaining = new Map([[1, '5592093.00'], [2, '1800000.00'], [3, '2200000.00']])
const sources = new Map([['CREDIT_NOTE:8', '250000.00'], ['DEPOSIT:9', '1000000.00']])

describe('the receipt of Toko Makmur', () => {
  test('adds up', () => {
    expect(receiptTotals('7900000.00', receipt)).toEqual({
      money: ['5592093.00', '1550000.00', '757907.00'], allocated: '9152093.00', creditUsed: '250000.00', depositUsed: '1000000.00', deducted: '2093.00', unapplied: '0.00',
    })
    expect(receiptFaults('7900000.00', receipt, remaining, sources)).toEqual([])
  })

  test('refuses what breaks the identity', () => {
    const codes = (amount: string, lines: readonly ReceiptLine[]) => receiptFaults(amount, lines, remaining, sources).map((fault) => fault.code)
    expect(codes('7899999.99', receipt)).toEqual(['EXCEEDS_MONEY'])
    expect(codes('9000000', [{ invoiceId: 3, paid: '2200000.01', credits: [], deductions: [] }])).toEqual(['EXCEEDS_REMAINING'])
    expect(codes('1', [{ invoiceId: 2, paid: '250001', credits: [{ source: 'CREDIT_NOTE', sourceId: 8, amount: '250000.01' }], deductions: [] }])).toEqual(['EXCEEDS_SOURCE'])
    expect(codes('1', [{ invoiceId: 2, paid: '100', credits: [{ source: 'CREDIT_NOTE', sourceId: 8, amount: '200' }], deductions: [] }])).toEqual(['EXCEEDS_MONEY'])
    expect(codes('10', [{ invoiceId: 2, paid: '-1', credits: [], deductions: [] }])).toEqual(['NEGATIVE', 'EXCEEDS_MONEY'])
    expect(codes('10', [...receipt.slice(1, 2), ...receipt.slice(1, 2)])).toContain('TWICE')
  })
})

describe('proposal', () => {
  const invoice = (id: number, due: string, open: string): OpenInvoice => ({ id, docDate: `2025-05-${due}`, dueDate: `2025-06-${due}`, remaining: open })
  const invoices = [invoice(1, '20', '5592093'), invoice(2, '05', '1800000'), invoice(3, '10', '2200000')]

  test('oldest due first, credits before money', () => {
    const credits = [{ source: 'DEPOSIT', id: 9, docDate: '2025-01-01', remaining: '1000000' }, { source: 'CREDIT_NOTE', id: 8, docDate: '2025-05-01', remaining: '250000' }] as const
    expect(proposeAllocation('7900000', invoices, credits, 'OLDEST_DUE')).toEqual({
      lines: [
        { invoiceId: 2, paid: '1800000.00', money: '550000.00', credits: [{ source: 'CREDIT_NOTE', sourceId: 8, amount: '250000.00' }, { source: 'DEPOSIT', sourceId: 9, amount: '1000000.00' }] },
        { invoiceId: 3, paid: '2200000.00', money: '2200000.00', credits: [] },
        { invoiceId: 1, paid: '5150000.00', money: '5150000.00', credits: [] },
      ],
      unapplied: '0.00',
    })
  })

  test('a credit note of an invoice goes to that invoice', () => {
    const { lines } = proposeAllocation('0', invoices, [{ source: 'CREDIT_NOTE', id: 8, docDate: '2025-05-01', remaining: '10', invoiceId: 3 }], 'OLDEST_DUE')
    expect(lines.map((line) => line.invoiceId)).toEqual([3])
  })

  test('a pair that fits exactly is found', () => {
    const { lines, unapplied } = proposeAllocation('7392093', invoices, [], 'EXACT_MATCH')
    expect({ paid: lines.map((line) => line.invoiceId).sort(), unapplied }).toEqual({ paid: [1, 2], unapplied: '0.00' })
  })

  test('never more than is open, never money lost', () => {
    const anyInvoices = fc.array(fc.integer({ min: 1, max: 10 ** 10 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(anyInvoices, fc.integer({ min: 0, max: 10 ** 11 }), fc.integer({ min: 0, max: 10 ** 9 }), fc.constantFrom('OLDEST_DUE', 'SMALLEST', 'EXACT_MATCH', 'PROPORTIONAL', 'INVOICE_DATE'), (open, cents, creditCents, method) => {
        const items = open.map((n, i) => invoice(i + 1, String(1 + (i % 28)).padStart(2, '0'), money(exact(n).div(100))))
        const amount = money(exact(cents).div(100))
        const credit = { source: 'CREDIT_NOTE', id: 8, docDate: '2025-01-01', remaining: money(exact(creditCents).div(100)) } as const
        const { lines, unapplied } = proposeAllocation(amount, items, [credit], method)
        const proposed = lines.map((line) => ({ ...line, deductions: [] }))
        expect(receiptFaults(amount, proposed, new Map(items.map((item) => [item.id, item.remaining])), new Map([['CREDIT_NOTE:8', credit.remaining]]))).toEqual([])
        expect(receiptTotals(amount, proposed).unapplied).toBe(unapplied)
        expect(money(sum(lines.map((line) => line.money)).plus(unapplied))).toBe(amount)
      }),
    )
  })
})

test('due dates', () => {
  const of = (baseline: 'INVOICE' | 'POD' | 'TTF' | 'EOM', proof = {}) => dueDate({ netDays: 30, baseline }, '2025-01-31', proof)
  expect(of('INVOICE')).toEqual({ baseline: '2025-01-31', due: '2025-03-02' })
  expect(of('EOM')).toEqual({ baseline: '2025-01-31', due: '2025-03-02' })
  expect(of('POD', { podDate: '2025-02-03' })).toEqual({ baseline: '2025-02-03', due: '2025-03-05' })
  expect(of('TTF')).toEqual({ baseline: '2025-01-31', due: '2025-03-02' })
})
