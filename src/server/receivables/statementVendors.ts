import { compare, grouped, isZero, type Decimal } from '#base/decimal.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import type { CommandContext, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import { logStatusChanges, textOf } from '#server/workflow/newDocument.ts'

/** A line of a statement, as far as payments to vendors go. */
interface ShownLine {
  readonly id: number
  readonly line_no: number
  readonly debit: Decimal
  readonly credit: Decimal
  readonly ap_payment_id: number | null
  readonly supplier_receipt_id: number | null
}

interface VendorBooking {
  readonly event: 'BS_AP' | 'BS_RETURN'
  readonly amounts: readonly EventAmount[]
  readonly rate: Decimal
}

interface ShownPayment extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly pending_transition: string | null
  readonly house_bank_id: number
  readonly vendor_id: number | null
  /** Vendor or customer. */
  readonly payee_id: number
  readonly territory_id: number | null
  readonly paid_out: Decimal
  readonly return_line_id: number | null
  readonly currency: string
  readonly rate: Decimal
}

/** The bank has paid a vendor, or a customer his deposit back, or sent back what it paid: then the payment can be taken back. */
export async function confirmVendorPayment(context: TransitionContext, line: ShownLine, bank: string): Promise<VendorBooking> {
  const { tx, current, now, user } = context
  const payment = await tx.first<ShownPayment>(sql`
    select id, code, status, pending_transition, house_bank_id, vendor_id, coalesce(vendor_id, customer_id) as payee_id, territory_id, paid_out, return_line_id, currency, rate from ap_payment where id = ${line.ap_payment_id}::bigint for update`)
  if (payment === undefined) return fail('VALIDATION_FAILED.no-vendor-payment', { line: line.line_no })
  const isReturn = isZero(line.debit)
  const shown = isReturn ? line.credit : line.debit
  const isExpected = isReturn ? payment.status === 3 && payment.return_line_id === null : payment.status === 1
  if (!isExpected || payment.pending_transition !== null) fail('ILLEGAL_TRANSITION.payment-unconfirmable', { line: line.line_no, payment: payment.code })
  if (payment.house_bank_id !== current['house_bank_id']) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: payment.code })
  if (payment.currency !== current['currency']) fail('VALIDATION_FAILED.statement-currency', { line: line.line_no, currency: textOf(current, 'currency') })
  if (compare(shown, payment.paid_out) !== 0) fail('VALIDATION_FAILED.bank-difference', { line: line.line_no, bank: grouped(shown), payment: payment.code, amount: grouped(payment.paid_out), most: '0.00' })
  await tx.run(sql`
    update ap_payment set status = 3, ${isReturn ? sql`return_line_id` : sql`statement_line_id`} = ${line.id}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${payment.id}`)
  if (!isReturn) await logStatusChanges(context, 'ap_payment', 'reconcile', [{ id: payment.id, from: 1, to: 3 }])
  const partnerKind = payment.vendor_id === null ? 'CUSTOMER' : 'VENDOR'
  return { event: isReturn ? 'BS_RETURN' : 'BS_AP', amounts: [{ key: 'bank', amount: shown, account: bank }, { key: 'payment', amount: shown, partnerKind, partnerId: payment.payee_id, territoryId: payment.territory_id }], rate: payment.rate }
}

/** The statement is undone: what it paid is on its way again, what came back has not. A payment taken back since then keeps it. */
export async function unconfirmVendorPayments(context: CommandContext, lineIds: readonly number[]): Promise<void> {
  const { tx, now, user } = context
  const ids = [...lineIds]
  const payments = await tx.rows<{ id: number; code: string; status: number; pending_transition: string | null }>(sql`
    select id, code, status, pending_transition from ap_payment where statement_line_id = any(${ids}::bigint[]) or return_line_id = any(${ids}::bigint[]) order by id for update`)
  const kept = payments.find(({ status, pending_transition: pending }) => status !== 3 || pending !== null)
  if (kept !== undefined) fail('ILLEGAL_TRANSITION.statement-returned', { payment: kept.code })
  const freed = await tx.rows<{ id: number; status: number }>(sql`
    update ap_payment set status = case when statement_line_id = any(${ids}::bigint[]) then 1 else 3 end,
      statement_line_id = case when statement_line_id = any(${ids}::bigint[]) then null else statement_line_id end, return_line_id = case when return_line_id = any(${ids}::bigint[]) then null else return_line_id end,
      version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id}
    where id = any(${payments.map(({ id }) => id)}::bigint[]) returning id, status`)
  await logStatusChanges(context, 'ap_payment', 'unreconcile', freed.filter(({ status }) => status === 1).map(({ id }) => ({ id, from: 3, to: 1 })))
}

/** What a vendor paid has come in, to the cent; whether it is applied already is nothing to the bank. */
export async function confirmSupplierReceipt({ tx, current, now, user }: TransitionContext, line: ShownLine, bank: string): Promise<readonly EventAmount[]> {
  const receipt = await tx.first<Row & { id: number; code: string; status: number; pending_transition: string | null; house_bank_id: number; vendor_id: number; territory_id: number | null; amount: Decimal; statement_line_id: number | null }>(sql`
    select id, code, status, pending_transition, house_bank_id, vendor_id, territory_id, amount, statement_line_id from supplier_receipt where id = ${line.supplier_receipt_id}::bigint for update`)
  if (receipt === undefined) return fail('VALIDATION_FAILED.no-supplier-receipt', { line: line.line_no })
  if (![1, 2, 3].includes(receipt.status) || receipt.statement_line_id !== null || receipt.pending_transition !== null) fail('ILLEGAL_TRANSITION.payment-unconfirmable', { line: line.line_no, payment: receipt.code })
  if (receipt.house_bank_id !== current['house_bank_id']) fail('VALIDATION_FAILED.other-bank', { line: line.line_no, payment: receipt.code })
  if (compare(line.credit, receipt.amount) !== 0) fail('VALIDATION_FAILED.bank-difference', { line: line.line_no, bank: grouped(line.credit), payment: receipt.code, amount: grouped(receipt.amount), most: '0.00' })
  await tx.run(sql`update supplier_receipt set statement_line_id = ${line.id}, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${receipt.id}`)
  return [{ key: 'bank', amount: line.credit, account: bank }, { key: 'receipt', amount: receipt.amount, partnerKind: 'VENDOR', partnerId: receipt.vendor_id, territoryId: receipt.territory_id }]
}

/** The statement is undone: what vendors paid is on its way again. */
export async function unconfirmSupplierReceipts({ tx, now, user }: CommandContext, lineIds: readonly number[]): Promise<void> {
  const ids = await tx.rows<{ id: number }>(sql`select id from supplier_receipt where statement_line_id = any(${[...lineIds]}::bigint[]) order by id for update`)
  if (ids.length > 0) await tx.run(sql`update supplier_receipt set statement_line_id = null, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = any(${ids.map(({ id }) => id)}::bigint[])`)
}
