import type { Decimal } from '#base/decimal.ts'
import type { CreditSource, DeductionKind } from '#domain/receivables/receipt.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

export interface PaymentCredit {
  readonly source: CreditSource
  readonly sourceId: number
  readonly amount: Decimal
}

export interface PaymentDeduction {
  readonly kind: DeductionKind
  readonly amount: Decimal
  readonly documentNo: string | null
  readonly documentDate: string | null
}

/** A line of a receipt with what pays it, as stored. */
export interface PaymentLineRow {
  readonly id: number
  readonly invoiceId: number
  readonly paid: Decimal
  readonly reasonId: number | null
  readonly reasonText: string | null
  readonly credits: readonly PaymentCredit[]
  readonly deductions: readonly PaymentDeduction[]
}

/** Lines of a payment in order. */
export async function readPaymentLines(tx: Queries, paymentId: number): Promise<PaymentLineRow[]> {
  const lines = await tx.rows<Row & { id: number; invoice_id: number; paid: Decimal; reason_id: number | null; reason_text: string | null }>(
    sql`select id, invoice_id, paid, reason_id, reason_text from ar_payment_line where ar_payment_id = ${paymentId} order by line_no, id`,
  )
  const ids = lines.map((line) => line.id)
  const credits = await tx.rows<Row & { line_id: number; source: CreditSource; source_id: number; amount: Decimal }>(
    sql`select ar_payment_line_id as line_id, source, source_id, amount from ar_payment_credit where ar_payment_line_id = any(${ids}::bigint[]) order by id`,
  )
  const deductions = await tx.rows<Row & { line_id: number; kind: DeductionKind; amount: Decimal; document_no: string | null; document_date: string | null }>(
    sql`select ar_payment_line_id as line_id, kind, amount, document_no, document_date from ar_payment_deduction where ar_payment_line_id = any(${ids}::bigint[]) order by id`,
  )
  return lines.map((line) => ({
    id: line.id,
    invoiceId: line.invoice_id,
    paid: line.paid,
    reasonId: line.reason_id,
    reasonText: line.reason_text,
    credits: credits.filter((credit) => credit.line_id === line.id).map((credit) => ({ source: credit.source, sourceId: credit.source_id, amount: credit.amount })),
    deductions: deductions
      .filter((deduction) => deduction.line_id === line.id)
      .map((deduction) => ({ kind: deduction.kind, amount: deduction.amount, documentNo: deduction.document_no, documentDate: deduction.document_date })),
  }))
}
