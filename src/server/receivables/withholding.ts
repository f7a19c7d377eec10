import { compare, exact, fixed, grouped, isDecimal, isZero, money, type Decimal } from '#base/decimal.ts'
import type { DeductionKind } from '#domain/receivables/receipt.ts'
import { incomeTax } from '#domain/receivables/withholding.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Command, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { isRow } from '#server/documents/bodyColumns.ts'
import { deriveCommand } from '#server/documents/deriveCommand.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { financeSettings, tolerance } from '#server/settings.ts'
import { bookingDate } from '#server/workflow/bookingDate.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'
import { lockInvoices, type OpenInvoiceRow } from './allocations.ts'
import { buyerOf, deductedBefore, deductionProblems, type Buyer } from './checkDeductions.ts'
import type { Add } from './checkReceipt.ts'

const columns = [
  { kind: 'PPN_WAPU', column: 'ppn_withheld', wire: 'PpnWithheld' }, { kind: 'PPH22', column: 'pph22_withheld', wire: 'Pph22Withheld' }, { kind: 'PPH23', column: 'pph23_withheld', wire: 'Pph23Withheld' },
] as const satisfies readonly { readonly kind: DeductionKind; readonly column: string; readonly wire: string }[]

/** A government office withholds what it may of each invoice; what is left over is no more than rounding. */
export const withholdingFits: Precondition = async (context: TransitionContext) => {
  const { tx, current } = context
  const customerId = numberOf(current, 'customer_id')
  const operatingUnitId = numberOf(current, 'operating_unit_id')
  const date = bookingDate(current)
  const buyer = await buyerOf(tx, { customerId, date })
  if (buyer?.is_collector !== true) invalid([wrong('CustomerID', 'NOT_A_CHOICE.no-collector')])
  const lines = (await linesOf(context)).map(({ row }) => row)
  const invoices = new Map((await lockInvoices(tx, lines.map((line) => numberOf(line, 'invoice_id')))).map((invoice) => [invoice.id, invoice]))
  const problems: FieldProblem[] = []
  for (const { kind, column, wire } of columns) {
    const add: Add = (at, field, key, ...filling) => void problems.push(wrong(at === null ? field : `Lines[${at}].${wire}`, key, ...filling))
    const taken = lines.map((line) => ({ invoiceId: numberOf(line, 'invoice_id'), paid: textOf(line, 'amount'), reasonId: null, reasonText: null, credits: [], deductions: isZero(textOf(line, column)) ? [] : [{ kind, amount: textOf(line, column), documentNo: null, documentDate: null }] }))
    await deductionProblems(tx, { customerId, operatingUnitId, date, paidOn: date, amount: '0', currency: textOf(current, 'currency'), rate: textOf(current, 'rate'), lines: taken, recoveries: [] }, invoices, new Map(), add)
  }
  if (problems.length > 0) invalid(problems)
  await assertTolerated(tx, 'GOV_ROUND', operatingUnitId, textOf(current, 'total'), textOf(current, 'difference'))
}

export async function assertTolerated(tx: Queries, usage: string, unit: number, total: Decimal, difference: Decimal): Promise<void> {
  const most = await tolerance(tx, usage, unit, total)
  if (compare(difference, most) > 0) invalid([wrong('Difference', 'EXCEEDS_TOLERANCE.difference', { limit: grouped(most) })])
}

/** What the entity derives, and of each line what its buyer is expected to withhold: nothing is saved. */
export const proposeWithholding: Command = async (context, input) => {
  const { tx, metadata, today } = context
  const answer = await deriveCommand(knownEntity(metadata, 'ar_clearing_gov'))(context, input)
  const record = isRow(answer['record']) ? answer['record'] : {}
  const lines = Array.isArray(record['Lines']) ? record['Lines'].filter(isRow) : []
  const customerId = input.body['CustomerID']
  const ids = lines.flatMap((line) => (typeof line['InvoiceID'] === 'number' ? [line['InvoiceID']] : []))
  if (typeof customerId !== 'number' || ids.length === 0) return answer
  const rows = await tx.rows<OpenInvoiceRow>(sql`
    select id, operating_unit_id, rate, total, remaining, dpp, ppn, ppn_collector from invoice where customer_id = ${customerId} and id = any(${ids}::bigint[]) order by id`)
  const [before, buyer] = await Promise.all([deductedBefore(tx, rows.map(({ id }) => id)), buyerOf(tx, { customerId, date: typeof input.body['DocDate'] === 'string' && input.body['DocDate'] !== '' ? input.body['DocDate'] : today })])
  const [first] = rows
  if (first === undefined || buyer === undefined) return answer
  const { withheld_above: above } = await financeSettings(tx, first.operating_unit_id)
  const invoices = new Map(rows.map((row) => [row.id, row]))
  const proposed = lines.map((line): Row => {
    const invoice = typeof line['InvoiceID'] === 'number' ? invoices.get(line['InvoiceID']) : undefined
    if (invoice === undefined) return line
    const amount = isDecimal(line['Amount'], 2) && !isZero(line['Amount']) ? line['Amount'] : invoice.remaining
    return { ...line, Amount: amount, ...withheldOf(invoice, amount, above, buyer, (kind) => before.get(`${invoice.id}:${kind}`) ?? '0') }
  })
  return { ...answer, record: { ...record, Lines: proposed } }
}

/** Of part of an invoice its part, whole rupiah; the last takes what is left of it. */
function withheldOf(invoice: OpenInvoiceRow, amount: Decimal, above: Decimal, buyer: Buyer, before: (kind: DeductionKind) => Decimal): Row {
  const rate = isZero(buyer.own_rate) ? buyer.rate22 : buyer.own_rate
  const whole: Readonly<Record<'PPN_WAPU' | 'PPH22', Decimal>> = {
    PPN_WAPU: invoice.ppn_collector === 'WAPU' ? invoice.ppn : '0',
    PPH22: buyer.is_collector && compare(invoice.dpp, above) > 0 ? incomeTax(invoice.dpp, rate) : '0',
  }
  const part = (kind: 'PPN_WAPU' | 'PPH22'): Decimal => {
    const left = exact(whole[kind]).minus(before(kind))
    if (left.lte(0)) return '0.00'
    if (compare(amount, invoice.remaining) >= 0) return money(left)
    const share = exact(fixed(exact(whole[kind]).times(amount).div(invoice.total), 0))
    return money(share.gt(left) ? left : share)
  }
  return { PpnWithheld: part('PPN_WAPU'), Pph22Withheld: part('PPH22') }
}
