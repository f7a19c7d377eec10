import { describe, expect, it } from 'vitest'
import { balance, checkLine, keepEntered, lineOf, openAmount, sentLines, storedLines, takeLines, wireLines, withCredit, withDeduction, type CreditChoice } from '#client/wizards/payment/allocation.ts'
import type { InvoiceOption, PaymentLine, ReasonOption } from '#api/payment.ts'

const invoice = (ID: number, Status: number, Total: string, Remaining: string): InvoiceOption => ({
  ID,
  Code: `INV${ID}`,
  DocDate: '2025-05-01',
  DueDate: '2025-05-31',
  Status,
  Total,
  Remaining,
  ShipToID: null,
})
// A receipt of 7,900,000 over three invoices, with a credit note of 250,000, a deposit of 1,000,000 and a small difference of 2,093.
const invoices = [invoice(1, 1, '5592093', '5592093'), invoice(2, 2, '3300000', '1800000'), invoice(3, 1, '2200000', '2200000')]
const stored: readonly PaymentLine[] = [
  { InvoiceID: 1, Paid: '5592093', Credits: [], Deductions: [] },
  { InvoiceID: 2, Paid: '1800000', Credits: [{ Source: 'CREDIT_NOTE', SourceID: 11, Amount: '250000' }], Deductions: [] },
  {
    InvoiceID: 3,
    Paid: '1760000',
    ReasonID: 3,
    ReasonText: 'display Mei',
    Credits: [{ Source: 'DEPOSIT', SourceID: 44, Amount: '1000000' }],
    Deductions: [{ Kind: 'DIFF', Amount: '2093' }],
  },
]

describe('allocation of a receipt', () => {
  it('prefills what is open: Total while nothing is allocated, Remaining otherwise', () => {
    expect(invoices.map(openAmount)).toEqual(['5592093.00', '1800000.00', '2200000.00'])
    expect(lineOf(invoice(1, 1, '10', '0'), true).paid).toBe('10.00')
  })

  it('keeps what was entered when its invoices are read again, with what is open on them now', () => {
    const entered = takeLines(invoices.map((one) => lineOf(one, false)), stored)
    const again = keepEntered([invoice(4, 1, '10', '0'), invoice(2, 2, '3300000', '1700000')].map((one) => lineOf(one, false)), entered)
    expect(again.map(({ invoiceId, selected, paid, remaining }) => [invoiceId, selected, paid, remaining])).toEqual([
      [4, false, '10.00', '10.00'],
      [2, true, '1800000.00', '1700000.00'],
      [1, true, '5592093.00', '5592093.00'],
      [3, true, '1760000.00', '2200000.00'],
    ])
    expect(again[1]?.credits.map(({ sourceId, amount }) => [sourceId, amount])).toEqual([[11, '250000.00']])
  })

  it('sends stored lines as they are stored', () => {
    const answered = stored.map((line) => ({ ...line, InvoiceCode: 'INV', RemainingBefore: '5', ReasonCode: 'X', Credits: line.Credits.map((credit) => ({ ...credit, SourceCode: 'CN/1' })) }))
    expect(sentLines(answered)[2]).toEqual({ ...stored[2], Deductions: [{ Kind: 'DIFF', Amount: '2093', DocumentNo: null, DocumentDate: null }] })
  })

  it('holds the identity to the cent', () => {
    const lines = takeLines(invoices.map((one) => lineOf(one, false)), stored)
    expect(balance('7900000', lines)).toEqual({
      amount: '7900000.00',
      creditNotes: '250000.00',
      deposits: '1000000.00',
      deductions: '2093.00',
      sources: '9152093.00',
      paid: '9152093.00',
      difference: '0.00',
      holds: true,
    })
    expect(balance('7899999.99', lines)).toMatchObject({ difference: '-0.01', holds: false })
    expect(balance('8000000', lines)).toMatchObject({ difference: '100000.00', holds: true })
    expect(wireLines(lines)[2]).toEqual({
      InvoiceID: 3,
      Paid: '1760000.00',
      ReasonID: 3,
      ReasonText: 'display Mei',
      Credits: [{ Source: 'DEPOSIT', SourceID: 44, Amount: '1000000.00' }],
      Deductions: [{ Kind: 'DIFF', Amount: '2093.00', DocumentNo: null, DocumentDate: null }],
    })
  })

  it('asks for a reason when less is paid, and for its text where the reason needs one', () => {
    const reason: ReasonOption = { ID: 3, Code: 'R03', Name: 'Klaim', Action: 'TEMP_CN', NeedsNote: true }
    const line = { ...lineOf(invoice(3, 1, '2200000', '2200000'), true), paid: '1760000' }
    expect(checkLine(line, [reason])).toEqual({ reason: { key: 'ui.payment.reasonNeeded' } })
    expect(checkLine({ ...line, reasonId: 3 }, [reason])).toEqual({ reasonText: { key: 'ui.payment.noteNeeded' } })
    expect(checkLine({ ...line, reasonId: 3, reasonText: 'display' }, [reason])).toEqual({})
    expect(checkLine({ ...line, paid: '2200000.01' }, [reason])).toMatchObject({ paid: { key: 'ui.payment.exceedsRemaining' } })
    expect(checkLine({ ...line, paid: '2200000.01', selected: false }, [reason])).toEqual({})
  })
})

describe('credits and deductions of an invoice', () => {
  const choice = (ID: number, Remaining: string): CreditChoice => ({ source: 'CREDIT_NOTE', option: { ID, Code: `CN${ID}`, DocDate: '2025-05-01', Remaining } })
  const used = (lines: readonly { readonly credits: readonly { readonly sourceId: number; readonly amount: string }[] }[]) => lines.map(({ credits }) => credits.map(({ sourceId, amount }) => [sourceId, amount]))
  const both = invoices.slice(1).map((one) => lineOf(one, true))

  it('take what is left of a credit after the other invoices, and never less than nothing', () => {
    const choices = [choice(11, '2000000'), choice(12, '900000')]
    const first = withCredit(both, 2, choices)
    expect(used(first)).toEqual([[[11, '1800000.00']], []])
    const second = withCredit(withCredit(first, 3, choices), 3, choices)
    expect(used(second)).toEqual([[[11, '1800000.00']], [[11, '200000.00'], [12, '900000.00']]])
    const covered = second.map((line) => ({ ...line, paid: '1000.00' }))
    expect(used(withCredit(covered, 2, choices))[0]).toEqual([[11, '1800000.00'], [12, '0.00']])
    expect(withCredit(second, 3, choices)).toEqual(second)
  })

  it('keep their keys while others go', () => {
    const [line] = both
    if (line === undefined) throw new Error('No line')
    const three = [1, 2, 3].reduce((before) => ({ ...before, ...withDeduction(before) }), line)
    const fewer = { ...three, deductions: three.deductions.filter(({ key }) => key !== 1) }
    expect(withDeduction(fewer).deductions.map(({ key }) => key)).toEqual([0, 2, 3])
  })
})

it('shows what a posted receipt paid although its invoices are closed', () => {
  const lines = takeLines(storedLines([{ InvoiceID: 9, InvoiceCode: 'INV9', InvoiceDueDate: '2026-11-20', InvoiceTotal: '900.00', Paid: '500.00', RemainingBefore: '600.00', ReasonID: 1, Credits: [], Deductions: [] }]), [
    { InvoiceID: 9, InvoiceCode: 'INV9', Paid: '500.00', RemainingBefore: '600.00', ReasonID: 1, ReasonCode: 'R01', ReasonName: 'Later', Credits: [], Deductions: [] },
  ])
  expect(lines).toMatchObject([{ code: 'INV9', dueDate: '2026-11-20', total: '900.00', remaining: '600.00', paid: '500.00', selected: true, reasonId: 1, reasonName: 'R01 Later' }])
})
