import { expect, it } from 'vitest'
import { lineOf, type Lines } from '#client/wizards/payment/allocation.ts'
import { pasteInvoices } from '#client/wizards/payment/pasteAllocation.ts'

const lines: Lines = [1, 2, 3, 4].map((ID) => lineOf({ ID, Code: `INV/${ID}`, DocDate: '2026-10-01', DueDate: '2026-11-01', Status: 1, Total: `${ID}000000.00`, Remaining: `${ID}000000.00`, ShipToID: null }, false))

/** Invoices ticked with what is paid on them, and rows refused with the key of their reason. */
function pasted(text: string, shown?: readonly number[]): readonly string[] {
  const { lines: after, refused } = pasteInvoices(lines, text, shown)
  return [...after.flatMap((line) => (line.selected ? [`${line.code} ${line.paid}`] : [])), ...refused.map(({ row, reason }) => `${row} ${'key' in reason ? reason.key : ''}`)]
}

it('ticks invoices by their numbers, wherever they stand beside the amount; without one they are paid in full', () => {
  expect(pasted('INV/1\t900000\r\ninv/3\t\r\n')).toEqual(['INV/1 900000.00', 'INV/3 3000000.00'])
  expect(pasted('No\tInvoice\tDate\tPaid\n1\tINV/2\t01/10/2026\tRp 1.500.000\n2\tINV/4\t01/10/2026\t2.250.000,50')).toEqual(['INV/2 1500000.00', 'INV/4 2250000.50'])
  expect(pasted('INV/1\nINV/2\n')).toEqual(['INV/1 1000000.00', 'INV/2 2000000.00'])
})

it('names each row it could not take, and leaves its invoice as it was', () => {
  expect(pasted('INV/1\tabc\nINV/9\t5\nINV/2\t2000001\nINV/3\t0\nINV/4\t1.000')).toEqual(['1 ui.entry.number', '2 ui.payment.notOpen', '3 ui.payment.exceedsRemaining', '4 ui.payment.nothingPaid', '5 ui.entry.thousand'])
})

it('adds up an invoice named twice, as far as it is open', () => {
  expect(pasted('INV/1\t400000\nINV/1\t500000')).toEqual(['INV/1 900000.00'])
  expect(pasted('INV/1\t400000\nINV/1\t700000')).toEqual(['INV/1 400000.00', '2 ui.payment.exceedsRemaining'])
})

it('lays amounts alone over the invoices in view, from the one pasted into', () => {
  expect(pasted('100\n\n300\n400', [2, 3, 4])).toEqual(['INV/2 100.00', 'INV/4 300.00', '4 ui.payment.noneLeft'])
})

it('knows an invoice however wide its letters are and whatever stands unseen in its number', () => {
  expect(pasted('ＩＮＶ/１\t900000\n\u200bINV/2\u00a0\t500000')).toEqual(['INV/1 900000.00', 'INV/2 500000.00'])
})
