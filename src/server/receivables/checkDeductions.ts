import { compare, exact, grouped, isZero, money, quantityText, sum, type Decimal } from '#base/decimal.ts'
import { earnedDiscount } from '#domain/receivables/cashDiscount.ts'
import type { DeductionKind } from '#domain/receivables/receipt.ts'
import { incomeTax } from '#domain/receivables/withholding.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { financeSettings, toleranceIn } from '#server/settings.ts'
import type { OpenInvoiceRow } from './allocations.ts'
import type { Add, ReasonRow, Receipt } from './checkReceipt.ts'
import type { PaymentDeduction } from './readPayment.ts'

type Line = Receipt['lines'][number]

/** Most of a kind that may be taken off an invoice, in the currency of the receipt. */
export interface DeductionLimit {
  readonly kind: DeductionKind
  /** By all receipts together. */
  readonly ofInvoice: Decimal
  /** By one line; without it the first receipt is bound by `ofReceipt` alone. */
  readonly ofLine?: Decimal
  /** Of what is tolerated: by all lines of one receipt that are measured by this tolerance. */
  readonly usage?: string
  readonly ofReceipt?: Decimal | undefined
}

interface Limit extends DeductionLimit {
  /** Says that this line takes too much; without it that is said of all lines together. */
  readonly refuse?: () => void
}

/**
 * Deductions keep to their tolerances and to whom they may come from. What earlier receipts took of the invoice counts: they cannot be repeated until
 * nothing is left to pay. Answers the limits of each line that takes something off.
 */
export async function deductionProblems(tx: Queries, receipt: Receipt, invoices: ReadonlyMap<number, OpenInvoiceRow>, reasons: ReadonlyMap<number, ReasonRow>, add: Add): Promise<ReadonlyMap<number, readonly DeductionLimit[]>> {
  const found = new Map<number, readonly Limit[]>()
  const kinds = new Set(receipt.lines.flatMap((line) => line.deductions).map((deduction) => deduction.kind))
  if (kinds.size === 0) return found
  const [earlier, buyer] = await Promise.all([deductedBefore(tx, [...invoices.keys()]), kinds.has('PPH22') || kinds.has('PPH23') ? buyerOf(tx, receipt) : undefined])
  for (const [at, line] of receipt.lines.entries()) {
    const invoice = invoices.get(line.invoiceId)
    if (invoice === undefined || invoice.customer_id !== receipt.customerId) continue
    const reason = reasons.get(line.reasonId ?? 0)
    const limits = [...(await toleranceLimits(tx, receipt, at, line, invoice, reason, add)), ...taxLimits(at, invoice, add), ...(buyer === undefined ? [] : await incomeTaxLimits(tx, at, invoice, buyer, add))]
    for (const limit of limits) limitProblems(at, line, limit, earlier.get(`${invoice.id}:${limit.kind}`) ?? '0', add)
    found.set(at, limits)
    if (!isZero(taken(line.deductions, 'DIFF')) && reason !== undefined && reason.action !== 'PAYMENT_DIFF' && reason.action !== 'TEMP_CN') add(at, 'ReasonID', 'NOT_A_CHOICE.difference')
  }
  const ofReceipt = new Map([...(await bankChargeProblems(tx, receipt, add)), ...(await differenceProblems(tx, receipt, invoices, reasons, add))])
  return new Map([...found].map(([at, limits]) => [at, limits.map((limit) => ({ ...limit, ofReceipt: ofReceipt.get(limit.usage ?? '') }))]))
}

/** What is tolerated holds for the receipt as a whole: otherwise a hundred lines would be a hundred tolerances (D16). Answers the limit of each tolerance. */
async function differenceProblems(tx: Queries, receipt: Receipt, invoices: ReadonlyMap<number, OpenInvoiceRow>, reasons: ReadonlyMap<number, ReasonRow>, add: Add): Promise<ReadonlyMap<string, Decimal>> {
  const limits = new Map<string, Decimal>()
  const of = (line: Line): string => usageOf(reasons.get(line.reasonId ?? 0))
  const differing = receipt.lines.filter((line) => !isZero(taken(line.deductions, 'DIFF')))
  for (const usage of new Set(differing.map(of))) {
    const lines = differing.filter((line) => of(line) === usage)
    const all = taken(lines.flatMap((line) => line.deductions), 'DIFF')
    const most = await toleranceIn(tx, usage, receipt.operatingUnitId, money(sum(lines.map((line) => invoices.get(line.invoiceId)?.remaining ?? '0'))), receipt.rate)
    limits.set(usage, most)
    if (lines.length > 1 && compare(all, most) > 0) add(null, 'Amount', 'EXCEEDS_TOLERANCE.differences', { taken: grouped(all), limit: grouped(most) })
  }
  return limits
}

const taxes: ReadonlySet<DeductionKind> = new Set(['PPH22', 'PPH23', 'PPN_WAPU'])

function limitProblems(at: number, line: Line, { kind, ofInvoice, ofLine, refuse }: Limit, before: Decimal, add: Add): void {
  const now = taken(line.deductions, kind)
  if (isZero(now)) return
  if (refuse !== undefined && compare(now, ofLine ?? ofInvoice) > 0) return refuse()
  const left = exact(ofInvoice).minus(before)
  if (!isZero(before) && compare(now, left) > 0) add(at, 'Deductions', taxes.has(kind) ? 'EXCEEDS_TAX.before' : 'EXCEEDS_TOLERANCE.before', { taken: grouped(money(before)), limit: grouped(left.lt(0) ? '0' : money(left)) })
}

async function toleranceLimits(tx: Queries, receipt: Receipt, at: number, line: Line, invoice: OpenInvoiceRow, reason: ReasonRow | undefined, add: Add): Promise<readonly Limit[]> {
  const of = (usage: string, amount: Decimal): Promise<Decimal> => toleranceIn(tx, usage, receipt.operatingUnitId, amount, receipt.rate)
  const short = await of(usageOf(reason), invoice.remaining)
  const granted = { docDate: invoice.doc_date, total: invoice.total, dpp: invoice.dpp, currency: invoice.currency, percent: invoice.cash_discount_pct, days: invoice.cash_discount_days }
  const { whole, earned } = earnedDiscount(granted, receipt.paidOn, exact(line.paid).minus(taken(line.deductions, 'CASH_DISCOUNT')), compare(line.paid, invoice.remaining) === 0)
  return [
    { kind: 'DIFF', usage: usageOf(reason), ofInvoice: await of(usageOf(reason), invoice.total), ofLine: short, refuse: () => add(at, 'Deductions', 'EXCEEDS_TOLERANCE.difference', { limit: grouped(short) }) },
    { kind: 'CASH_DISCOUNT', ofInvoice: whole, ofLine: earned, refuse: () => add(at, 'Deductions', 'EXCEEDS_TOLERANCE.cash-discount', { limit: grouped(earned) }) },
    { kind: 'BANK', usage: 'BANK_CHARGE', ofInvoice: await of('BANK_CHARGE', invoice.total) },
  ]
}

function taxLimits(at: number, invoice: OpenInvoiceRow, add: Add): readonly Limit[] {
  return [{ kind: 'PPN_WAPU', ofInvoice: invoice.ppn_collector === 'WAPU' ? invoice.ppn : '0', refuse: () => add(at, 'Deductions', 'EXCEEDS_TAX') }]
}

/** Article 22 is withheld by collectors of tax and by whom a rate is agreed with, on sales that are not small; article 23 by whoever it concerns. */
async function incomeTaxLimits(tx: Queries, at: number, invoice: OpenInvoiceRow, buyer: Buyer, add: Add): Promise<readonly Limit[]> {
  const rounding = await toleranceIn(tx, 'GOV_ROUND', invoice.operating_unit_id, invoice.dpp, invoice.rate)
  const { withheld_above: above } = await financeSettings(tx, invoice.operating_unit_id)
  const mostOf = (rate: Decimal): Decimal => (isZero(rate) ? '0' : money(exact(incomeTax(invoice.dpp, rate)).plus(rounding)))
  const refusal = (rate: Decimal) => () => add(at, 'Deductions', 'EXCEEDS_TAX.withheld', { limit: grouped(mostOf(rate)), rate: quantityText(rate), base: grouped(invoice.dpp) })
  const rate22 = compare(money(exact(invoice.dpp).times(invoice.rate)), above) <= 0 ? '0' : !isZero(buyer.own_rate) ? buyer.own_rate : buyer.is_collector ? buyer.rate22 : '0'
  return [
    { kind: 'PPH22', ofInvoice: mostOf(rate22), refuse: isZero(rate22) ? () => add(at, 'Deductions', 'EXCEEDS_TAX.collector', { above: grouped(above) }) : refusal(rate22) },
    { kind: 'PPH23', ofInvoice: mostOf(buyer.rate23), refuse: refusal(buyer.rate23) },
  ]
}

/** Bank charges are kept from money that came: without any there are none. Answers the limit of the receipt. */
async function bankChargeProblems(tx: Queries, receipt: Receipt, add: Add): Promise<ReadonlyMap<string, Decimal>> {
  const none: ReadonlyMap<string, Decimal> = new Map()
  const charges = taken(receipt.lines.flatMap((line) => line.deductions), 'BANK')
  if (isZero(charges)) return none
  if (isZero(receipt.amount)) add(null, 'Amount', 'EXCEEDS_MONEY.bank-charges')
  else if (compare(charges, receipt.amount) > 0) add(null, 'Amount', 'EXCEEDS_MONEY.bank-charge', { charges: grouped(charges), amount: grouped(money(receipt.amount)) })
  if (compare(charges, receipt.amount) > 0) return none
  const most = await toleranceIn(tx, 'BANK_CHARGE', receipt.operatingUnitId, receipt.amount, receipt.rate)
  if (compare(charges, most) > 0) add(null, 'Amount', 'EXCEEDS_TOLERANCE.bank-charges', { limit: grouped(most) })
  return new Map([['BANK_CHARGE', most]])
}

function taken(deductions: readonly PaymentDeduction[], kind: DeductionKind): Decimal {
  return money(sum(deductions.filter((deduction) => deduction.kind === kind).map((deduction) => deduction.amount)))
}

/** Tolerance a difference is measured by: that of its reason. Bank charges have one of their own. */
function usageOf(reason: ReasonRow | undefined): string {
  return reason?.action === 'PAYMENT_DIFF' && reason.tolerance_usage !== null && reason.tolerance_usage !== 'BANK_CHARGE' ? reason.tolerance_usage : 'AR_SHORT'
}

/** What receipts and clearings that still hold took off the invoices, by invoice and kind; nothing is added to it while the invoices are locked. */
export async function deductedBefore(tx: Queries, invoiceIds: readonly number[]): Promise<ReadonlyMap<string, Decimal>> {
  const rows = await tx.rows<Row & { invoice_id: number; kind: DeductionKind; amount: Decimal }>(sql`
    select invoice_id, kind, sum(amount) as amount from (
      select l.invoice_id, d.kind, d.amount from ar_payment_line l join ar_payment p on p.id = l.ar_payment_id join ar_payment_deduction d on d.ar_payment_line_id = l.id
      where l.invoice_id = any(${[...invoiceIds]}::bigint[]) and p.status in (1, 2, 3)
      union all
      select l.invoice_id, x.kind, x.amount from ar_clearing_gov_line l join ar_clearing_gov c on c.id = l.ar_clearing_gov_id
      cross join lateral (values ('PPN_WAPU', l.ppn_withheld), ('PPH22', l.pph22_withheld), ('PPH23', l.pph23_withheld)) x(kind, amount)
      where l.invoice_id = any(${[...invoiceIds]}::bigint[]) and c.status = 1
    ) taken group by invoice_id, kind`)
  return new Map(rows.map((row) => [`${row.invoice_id}:${row.kind}`, row.amount]))
}

export interface Buyer extends Row {
  readonly is_collector: boolean
  /** Agreed with him; 0: that of the tax code. */
  readonly own_rate: Decimal
  readonly rate22: Decimal
  readonly rate23: Decimal
}

/** Of the tax codes those count that book what is withheld from us: the same taxes withheld by us are a debt. */
export async function buyerOf(tx: Queries, receipt: Pick<Receipt, 'customerId' | 'date'>): Promise<Buyer | undefined> {
  return tx.first<Buyer>(sql`
    select k.is_government or c.wapu_kind <> 'NONE' as is_collector, c.pph22_rate as own_rate, coalesce(t.rate22, 0) as rate22, coalesce(t.rate23, 0) as rate23
    from customer c join customer_category k on k.id = c.customer_category_id cross join (
      select max(t.rate) filter (where t.kind = 'PPH22') as rate22, max(t.rate) filter (where t.kind = 'PPH23') as rate23
      from tax_code t join account a on a.id = t.account_id and a.normal = 'D'
      where t.is_active and t.kind in ('PPH22', 'PPH23') and t.valid_from <= ${receipt.date}::date and (t.valid_to is null or t.valid_to >= ${receipt.date}::date)
    ) t where c.id = ${receipt.customerId}`)
}
