import { addDays, daysBetween, type DateText } from '#base/date.ts'
import { money, sum, type Decimal } from '#base/decimal.ts'
import type { Queries, Row, TransitionContext } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { insertDocument, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'

interface Parameter extends Row {
  readonly id: number
  readonly min_age_days: number
  readonly max_amount_per_item: Decimal | null
  readonly required_evidence: string | null
}

/** By what bad debts of a customer are written off on a day: what is meant for his category before what is meant for all. */
export function writeOffParameter(tx: Queries, customerId: number, day: DateText): Promise<Parameter | undefined> {
  return tx.first<Parameter>(sql`
    select p.id, p.min_age_days, p.max_amount_per_item, p.required_evidence from write_off_parameter p join customer c on c.id = ${customerId}
    where p.is_active and p.category = 'BAD_DEBT' and p.valid_from <= ${day}::date and (p.valid_to is null or p.valid_to >= ${day}::date) and (p.customer_category_id is null or p.customer_category_id = c.customer_category_id)
    order by p.customer_category_id nulls last, p.min_age_days, p.code limit 1`)
}

export interface LeftOpen {
  readonly invoiceId: number
  readonly dueDate: DateText
  readonly amount: Decimal
}

/** What a receipt leaves open as lost is put into a draft of a write-off: it is decided there. */
export async function draftWriteOff(context: TransitionContext, lines: readonly LeftOpen[]): Promise<void> {
  if (lines.length === 0) return
  const { tx, current } = context
  const [customerId, cutoff] = [numberOf(current, 'customer_id'), textOf(current, 'payment_date')]
  const parameter = await writeOffParameter(tx, customerId, cutoff)
  if (parameter === undefined) throw new Error('A receipt without a parameter of write-offs was checked')
  const { id, min_age_days: days, max_amount_per_item: most, required_evidence: evidence } = parameter
  await insertDocument(
    context,
    'write_off',
    {
      operating_unit_id: numberOf(current, 'operating_unit_id'), territory_id: numberOrNull(current, 'territory_id'), doc_date: cutoff, parameter_id: id, customer_id: customerId, ar_payment_id: current.id, cutoff_date: cutoff,
      category: 'BAD_DEBT', total: money(sum(lines.map(({ amount }) => amount))), due_until: addDays(cutoff, -days), quiet_since: addDays(cutoff, -90), max_amount_per_item: most, required_evidence: evidence,
    },
    { table: 'write_off_line', rows: lines.map(({ invoiceId, dueDate, amount }) => ({ invoice_id: invoiceId, due_date: dueDate, age_days: daysBetween(dueDate, cutoff), remaining_at: amount, amount })) },
  )
}
