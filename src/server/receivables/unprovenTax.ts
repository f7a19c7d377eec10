import { exact, money, sum, type Decimal } from '#base/decimal.ts'
import type { Effect, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { bookedIn } from '#server/workflow/bookedIn.ts'
import { numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { lockInvoices, takeBack } from './allocations.ts'

/** A proof comes within so many days of the receipt. */
export const proofDays = 30

const keys = { PPH22: 'pph22', PPH23: 'pph23', PPN_WAPU: 'ppn_wapu' } as const

interface Unproven extends Row {
  readonly id: number
  readonly kind: keyof typeof keys
  readonly amount: Decimal
  readonly invoice_id: number
  readonly allocation_id: number | null
}

/** Withheld tax of a receipt that nobody has proved in time: what it settled of the invoices is owed again from today on. */
export const withdrawUnproven: Effect = async (context) => {
  const { tx, record, today } = context
  const unit = numberOf(record, 'operating_unit_id')
  const invoices = new Map((await lockInvoices(tx, (await tx.rows<{ id: number }>(sql`select invoice_id as id from ar_payment_line where ar_payment_id = ${record.id}`)).map(({ id }) => id))).map((invoice) => [invoice.id, invoice]))
  const rows = await tx.rows<Unproven>(sql`
    select d.id, d.kind, d.amount, l.invoice_id, (
      select a.id from ar_allocation a where a.document_type = 'ar_payment' and a.document_id = ${record.id} and a.source_type = 'WITHHOLDING' and a.source_line_id = l.id and a.amount = d.amount and a.reversed_at is null
      order by a.id offset (select count(*) from ar_payment_deduction e where e.ar_payment_line_id = l.id and e.amount = d.amount and e.id < d.id and e.kind in ('PPH22', 'PPH23', 'PPN_WAPU') and e.undone_on is null) limit 1
    ) as allocation_id
    from ar_payment_deduction d join ar_payment_line l on l.id = d.ar_payment_line_id
    where l.ar_payment_id = ${record.id} and d.pending_doc and d.undone_on is null and d.kind in ('PPH22', 'PPH23', 'PPN_WAPU') order by d.id for update of d`)
  const open = rows.filter(({ allocation_id: id, invoice_id: invoice }) => id !== null && invoices.get(invoice)?.pending_transition === null)
  if (open.length === 0) return
  await context.assertPeriodOpen(bookedIn(context.metadata, 'ar_payment'), unit, today)
  await takeBack(context, open.flatMap(({ allocation_id: id }) => id ?? []), today)
  await tx.run(sql`update ar_payment_deduction set undone_on = ${today}::date where id = any(${open.map(({ id }) => id)}::bigint[])`)
  const whole = sum(open.map(({ amount }) => amount))
  context.set({ deducted: money(exact(textOf(record, 'deducted')).minus(whole)), allocated: money(exact(textOf(record, 'allocated')).minus(whole)) })
  const partner = { partnerKind: 'CUSTOMER', partnerId: numberOf(record, 'customer_id'), territoryId: numberOrNull(record, 'territory_id') } as const
  const code = textOf(record, 'code')
  await post(context, {
    event: 'WHT_UNPROVEN', source: { type: 'ar_payment', id: record.id, code }, operatingUnitId: unit, date: today, description: `Withheld tax of receipt ${code} not proved`,
    amounts: [
      ...open.map(({ invoice_id: id, amount }) => ({ key: 'invoice' as const, amount, account: invoices.get(id)?.ar_account ?? '', ...partner, openItemType: 'invoice' as const, openItemId: id })),
      ...open.map(({ kind, amount }) => ({ key: keys[kind], amount, ...partner })),
    ],
  })
}
