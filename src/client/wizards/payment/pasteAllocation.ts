import { compared } from '#base/unseen.ts'
import { compare, exact, money } from '#base/decimal.ts'
import { isBetween } from '#base/numberRules.ts'
import { decimalProofs, withPoint } from '#domain/importing/recognise.ts'
import { numberMessage, parseUnsigned } from '#client/form/entry.ts'
import { bareNumber } from '#client/grid/paste.ts'
import { parseTsv } from '#client/grid/tsv.ts'
import type { Message } from '#client/form/message.ts'
import type { Lines } from './allocation.ts'

/** A pasted row that was not taken. */
export interface RefusedRow {
  /** Its number in what was pasted, from 1. */
  readonly row: number
  readonly text: string
  readonly reason: Message
}

export interface PastedInvoices {
  readonly lines: Lines
  /** Invoices the paste has ticked. */
  readonly taken: number
  readonly refused: readonly RefusedRow[]
}

/** Money as decimal text, or why it cannot be read. */
type ReadAmount = (text: string) => ReturnType<typeof parseUnsigned>

/**
 * Takes what a customer says he has paid, copied from a spreadsheet: invoices by their numbers, in whatever column, with the amount in the last
 * column of numbers; without one they are paid in full. `shown`: where no cell names an invoice, amounts alone go down the invoices in view
 * from there on. What cannot be taken is named, and its invoice stays as it was.
 */
export function pasteInvoices(lines: Lines, text: string, shown: readonly number[] = []): PastedInvoices {
  const cells = parseTsv(text).map((row) => row.map((cell) => cell.trim()))
  const byCode = new Map(lines.map((line) => [compared(line.code), line]))
  const named = cells.map((row) => row.find((cell) => byCode.has(compared(cell))))
  const isNamed = shown.length === 0 || named.some((code) => code !== undefined)
  const at = amountColumn(cells, byCode)
  const read = amountReader(cells.map((row) => row[at] ?? ''))
  const paid = new Map<number, string>()
  const refused: RefusedRow[] = []
  for (const [i, row] of cells.entries()) {
    const amount = row[at] ?? ''
    if (row.every((cell) => cell === '') || (!isNamed && amount === '')) continue
    // Headings hold no digit.
    if (i === 0 && named[i] === undefined && !row.some((cell) => /\d/.test(cell))) continue
    const refuse = (said: string, reason: Message) => refused.push({ row: i + 1, text: said, reason })
    const line = isNamed ? byCode.get(compared(named[i] ?? '')) : lines.find(({ invoiceId }) => invoiceId === shown[i])
    if (line === undefined) {
      refuse(row.find((cell) => cell !== '') ?? '', { key: isNamed ? 'ui.payment.notOpen' : 'ui.payment.noneLeft' })
      continue
    }
    const found = amount === '' ? { ok: true as const, value: line.remaining } : read(amount)
    if (!found.ok) {
      refuse(amount, numberMessage(found.problem, amount, 2))
      continue
    }
    // Named twice, both count.
    const sum = money(exact(found.value ?? '0').plus(paid.get(line.invoiceId) ?? '0'))
    if (!isBetween(sum, '0.01', line.remaining)) {
      refuse(amount === '' ? line.code : amount, { key: compare(sum, '0') === 0 ? 'ui.payment.nothingPaid' : 'ui.payment.exceedsRemaining' })
      continue
    }
    paid.set(line.invoiceId, sum)
  }
  return {
    lines: lines.map((line) => {
      const sum = paid.get(line.invoiceId)
      return sum === undefined ? line : { ...line, selected: true, paid: sum }
    }),
    taken: paid.size,
    refused,
  }
}

/** The last column in which something reads as an amount; else the one beside the numbers of the invoices. */
function amountColumn(cells: readonly (readonly string[])[], byCode: ReadonlyMap<string, unknown>): number {
  const isCode = (cell: string): boolean => byCode.has(compared(cell))
  const columns = Array.from({ length: Math.max(0, ...cells.map((row) => row.length)) }, (_, i) => i).toReversed()
  const found = columns.find((i) => cells.some((row) => row[i] !== undefined && !isCode(row[i]) && /^-?[\d.,]*\d[\d.,]*$/.test(bareNumber(row[i]))))
  const codes = columns.find((i) => cells.some((row) => isCode(row[i] ?? '')))
  return found ?? (codes ?? 0) + 1
}

/** As a paste into lines reads numbers: what all of them together prove about comma and dot is taken. */
function amountReader(texts: readonly string[]): ReadAmount {
  const { comma, point } = decimalProofs(texts.map(bareNumber))
  const isComma = comma > 0 && point === 0
  return (text) => {
    const bare = bareNumber(text)
    return parseUnsigned(isComma ? withPoint(bare) : bare, 2, comma + point > 0)
  }
}
