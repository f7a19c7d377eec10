import { exact, money, type Decimal, type Exact } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { makeRecord } from '#server/documents/saveRecord.ts'
import { setting } from '#server/settings.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'

export interface OpenInvoice {
  readonly id: number
  readonly remaining: Decimal
}

export interface CashReceived {
  readonly customerId: number
  /** Employee who has the money with him until he hands it over. */
  readonly collectorId: number
  readonly unitId: number
  readonly received: Decimal
  readonly date: DateText
  /** In the order they are paid; what is more than all of them is not taken. */
  readonly invoices: readonly OpenInvoice[]
}

/** A receipt for money taken at the customer's door, posted or sent for approval as the unit does; `mark` tells more of it before. Answers its id. */
export async function receiveCash(context: CommandRun, { customerId, collectorId, unitId, received, date, invoices }: CashReceived, mark: (id: number) => Promise<void>): Promise<number> {
  const { tx, today } = context
  const part = await tx.first<{ id: number }>(sql`select id from reason where usage = 'OUTSTANDING' and action = 'KEEP_OPEN' and is_active and not needs_note and not is_dispute order by code limit 1`)
  let left: Exact = exact(received)
  const lines = invoices.flatMap(({ id, remaining }) => {
    const paid = left.lt(remaining) ? left : exact(remaining)
    left = left.minus(paid)
    return paid.gt(0) ? [{ InvoiceID: id, Paid: money(paid), ReasonID: paid.lt(remaining) ? (part?.id ?? null) : null }] : []
  })
  const id = await makeRecord(context, knownEntity(context.metadata, 'ar_payment'), {
    Method: 'CIT', CustomerID: customerId, PaymentDate: date, DocDate: today, CollectorID: collectorId, Amount: money(exact(received).minus(left)), Lines: lines,
  })
  await mark(id)
  await context.transition('ar_payment', id, (await setting(tx, 'payment_needs_approval', unitId, false)) ? 'submit' : 'post')
  return id
}
