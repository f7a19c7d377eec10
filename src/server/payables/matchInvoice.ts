import { exact, grouped, money, sum, type Exact } from '#base/decimal.ts'
import type { ApprovalReason } from '#api/approval.ts'
import type { Worded } from '#api/problems.ts'
import type { Effect, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { tolerance } from '#server/settings.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { numberOf, textOf, textOrNull } from '#server/workflow/newDocument.ts'
import { expenseMatches } from './expenseBudget.ts'
import { goodsMatches } from './threeWay.ts'
import { twinOf } from './vendorInvoice.ts'
import { looseNumber } from './vendorNumber.ts'

export type MatchRule = 'CONTRACT' | 'BUDGET' | 'AP_QTY' | 'AP_PRICE' | 'AP_TAX' | 'AP_DATE'

/** One thing asked of the invoice: what should stand there, what does. */
export interface Match {
  readonly rule: MatchRule
  /** Line it is asked of; absent: the invoice. */
  readonly line?: number
  readonly expected: string
  readonly actual: string
  readonly difference: string
  readonly isFine: boolean
}

/** Holds the invoice against contract, budget, order, goods and tax, and keeps the result line by line. Posting goes no further with an exception. */
export const matchInvoice: Effect = async (context) => {
  const { tx, current, action } = context
  if (action.action === 'register') await warnOfZeros(context)
  const found = await matchesOf(context)
  await tx.run(sql`delete from vendor_invoice_match where vendor_invoice_id = ${current.id}`)
  await insertRows(tx, 'vendor_invoice_match', found.map(({ rule, line, expected, actual, difference, isFine }, i) => ({
    vendor_invoice_id: current.id, line_no: i + 1, rule, on_line: line ?? null, expected, actual, difference, is_fine: isFine,
  })))
  // What was uploaded can still be put right where it was typed.
  const vat = found.find(({ rule }) => rule === 'AP_TAX')
  if (((action.action === 'register' && current['stated_dpp'] != null) || action.action === 'post-freight') && vat?.isFine === false) invalid([wrong('Ppn', 'INVALID.vat-of-upload', { expected: vat.expected, difference: vat.difference })])
  const isFine = found.every((one) => one.isFine)
  if (!isFine && action.action === 'submit') invalid([wrong('ValidationStatus', 'INVALID.exception')])
  context.set({ validation_status: isFine ? 'MATCHED' : action.action === 'force-valid' ? 'FORCE_WAIT' : 'EXCEPTION' })
}

/** An invoice forced through is valid from its approval on. */
export const acceptInvoice: Effect = (context) => {
  if (context.current['validation_status'] === 'FORCE_WAIT') context.set({ validation_status: 'VALID' })
  return Promise.resolve()
}

/** What an invoice forced through does not keep to, for its approvers. */
export async function matchReasons({ tx, current, input }: TransitionContext): Promise<readonly ApprovalReason[]> {
  const rows = await tx.rows<{ rule: MatchRule; expected: string; actual: string; difference: string; on_line: number | null }>(sql`
    select rule, expected, actual, difference, on_line from vendor_invoice_match where vendor_invoice_id = ${current.id} and not is_fine order by line_no`)
  const said = textOrNull(input, 'reason_text')
  const found = rows.map(({ rule, expected, actual, difference, on_line: line }): ApprovalReason => ({
    code: rule, ...why(rule, { line: line ?? 0, expected, actual, difference }), value: null,
  }))
  return said === null ? found : [...found, { code: 'FORCED', text: said, value: null }]
}

function why(rule: MatchRule, { line, expected, actual, difference }: { readonly line: number; readonly expected: string; readonly actual: string; readonly difference: string }): Worded {
  switch (rule) {
    case 'CONTRACT':
      return tell('block.CONTRACT', { expected })
    case 'BUDGET':
      return tell('block.BUDGET', { expected, actual, difference })
    case 'AP_TAX':
      return tell('block.AP_TAX', { expected, actual, difference })
    case 'AP_DATE':
      return tell('block.AP_DATE', { expected, actual })
    case 'AP_QTY':
      return tell('block.AP_QTY', { line, expected, actual, difference })
    case 'AP_PRICE':
      return tell('block.AP_PRICE', { line, expected, actual, difference })
  }
}

async function warnOfZeros(context: TransitionContext): Promise<void> {
  const number = textOf(context.record, 'vendor_invoice_no')
  const twin = await twinOf(context, { id: context.record.id, vendorId: numberOf(context.record, 'vendor_id'), number }, sql`t.number_loose = ${looseNumber(number)}`)
  if (twin !== undefined) context.warn('VENDOR_NUMBER_ZEROS', 'DUPLICATE_DOCUMENT', tell('warning.VENDOR_NUMBER_ZEROS', { number, document: twin.name ?? '' }))
}

async function matchesOf(context: TransitionContext): Promise<readonly Match[]> {
  return [...(await grounds(context)), await tax(context)]
}

/** What the price rests on; freight rests on costs that were approved. */
async function grounds(context: TransitionContext): Promise<readonly Match[]> {
  const { kind } = context.current
  return kind === 'TRADE' ? goodsMatches(context) : kind === 'SHIPMENT' ? [] : expenseMatches(context)
}

/** The VAT its lines bear by their tax codes; a vendor outside VAT charges none. */
async function tax(context: TransitionContext): Promise<Match> {
  const { tx, current } = context
  const vendor = await tx.first<{ is_pkp: boolean }>(sql`select is_pkp from business_partner where id = ${numberOf(current, 'vendor_id')}`)
  const lines = (await linesOf(context)).map(({ row }) => row)
  const codes = new Map((await tx.rows<{ id: number; rate: string; num: number; den: number }>(sql`
    select id, rate, base_numerator as num, base_denominator as den from tax_code where id = any(${lines.flatMap((line) => (typeof line['tax_code_id'] === 'number' ? [line['tax_code_id']] : []))}::bigint[])`)).map((code) => [code.id, code]))
  const borne = lines.flatMap((line): Exact[] => {
    const code = codes.get(Number(line['tax_code_id']))
    return code === undefined ? [] : [exact(textOf(line, 'amount')).times(code.rate).times(code.num).div(code.den).div(100)]
  })
  // What an advance has already claimed with a faktur of its own is not claimed again.
  const [dpp, before] = [exact(textOf(current, 'dpp')), exact(textOrNull(current, 'advance_dpp') ?? '0')]
  const share = dpp.gt(0) ? dpp.minus(before).div(dpp) : exact(1)
  const expected = money(vendor?.is_pkp === true ? sum(borne).times(share) : exact(0))
  const actual = textOf(current, 'ppn')
  const difference = exact(actual).minus(expected)
  const most = await tolerance(tx, 'AP_TAX', numberOf(current, 'operating_unit_id'), expected)
  return { rule: 'AP_TAX', expected: grouped(expected), actual: grouped(actual), difference: grouped(money(difference)), isFine: !difference.abs().gt(most) }
}
