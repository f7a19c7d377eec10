import { exact, grouped, money, sum, type Decimal } from '#base/decimal.ts'
import type { Precondition, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail } from '#server/problemError.ts'
import type { Add, Receipt } from './checkReceipt.ts'

/** Money of a receipt for an invoice that was written off. */
export interface Recovery {
  readonly invoiceId: number
  readonly amount: Decimal
}

export async function readRecoveries(tx: Queries, paymentId: number): Promise<Recovery[]> {
  return (await tx.rows<Row & { invoice_id: number; amount: Decimal }>(sql`select invoice_id, amount from ar_payment_recovery where ar_payment_id = ${paymentId} order by line_no, id`)).map((row) => ({ invoiceId: row.invoice_id, amount: row.amount }))
}

export function recoveredOf(recoveries: readonly Recovery[]): Decimal {
  return money(sum(recoveries.map(({ amount }) => amount)))
}

/** Nothing is recovered beyond what was written off and has not come back yet. The invoices are locked by whoever asks. */
export async function recoveryProblems(tx: Queries, { customerId, operatingUnitId, rate, recoveries }: Receipt, add: Add): Promise<void> {
  if (recoveries.length === 0) return
  const rows = await tx.rows<Row & { id: number; recoverable: Decimal }>(sql`
    select id, recoverable from written_off_invoice where id = any(${recoveries.map(({ invoiceId }) => invoiceId)}::bigint[]) and customer_id = ${customerId} and operating_unit_id = ${operatingUnitId}`)
  const left = new Map(rows.map((row) => [row.id, exact(row.recoverable)]))
  for (const [at, { invoiceId, amount }] of recoveries.entries()) {
    const open = left.get(invoiceId)
    if (open === undefined || !exact(rate).eq(1)) add(null, `ArPaymentRecovery[${at}].InvoiceID`, 'NOT_A_CHOICE.written-off')
    else if (exact(amount).gt(open)) add(null, `ArPaymentRecovery[${at}].Amount`, 'EXCEEDS_REMAINING.recovery', { limit: grouped(money(open)) })
    if (open !== undefined) left.set(invoiceId, open.minus(amount))
  }
}

/** What has come back for a receivable was income because it had been written off. */
export const nothingRecovered: Precondition = async ({ tx, record }) => {
  await tx.run(sql`select 1 from invoice where id in (select invoice_id from write_off_line where write_off_id = ${record.id}) order by id for update`)
  const live = await tx.first<{ code: string }>(sql`
    select p.code from ar_payment_recovery r join ar_payment p on p.id = r.ar_payment_id join write_off_line l on l.invoice_id = r.invoice_id
    where l.write_off_id = ${record.id} and p.status in (1, 2, 3) order by p.id limit 1`)
  if (live !== undefined) fail('ILLEGAL_TRANSITION.recovered', { receipt: live.code })
}
