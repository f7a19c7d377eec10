import type { PaymentLogRow } from '#api/import.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Batch } from './batches.ts'

interface Found extends Row {
  readonly row_no: number
  readonly payment_id: number | null
  readonly payment_code: string | null
  readonly customer: string | null
  readonly invoice_id: number | null
  readonly invoice_code: string
  readonly amount: string | null
  readonly paid: string | null
  readonly allocated: string | null
  readonly remaining: string | null
  readonly unapplied: string | null
}

/** What became of the money of each row: the receipt it is part of, what of it settles the invoice, what stays open and what is unapplied. */
export async function paymentLog(queries: Queries, batch: Batch, range: { readonly from: number; readonly length: number }): Promise<readonly PaymentLogRow[]> {
  const place = batch.mapping.indexOf('InvoiceNo')
  // Counted from the end, a place of -1 would be the last cell.
  const at = place < 0 ? null : place
  const rows = await queries.rows<Found>(sql`
    select r.row_no, p.id as payment_id, p.code as payment_code, c.code || ' ' || c.name as customer, i.id as invoice_id, coalesce(r.raw->>${at}::int, '') as invoice_code, p.amount, l.paid,
      (select coalesce(sum(a.amount), 0) from ar_allocation a where a.document_type = 'ar_payment' and a.document_id = p.id and a.invoice_id = i.id and a.reversed_at is null)::numeric(18,2) as allocated,
      i.remaining, p.unapplied
    from (select * from import_row where import_batch_id = ${batch.id} order by row_no limit ${range.length} offset ${range.from}) r
    left join ar_payment p on r.state = 'COMMITTED' and p.id = (r.records->0->>'id')::bigint
    left join customer c on c.id = p.customer_id
    left join invoice i on p.id is not null and lower(i.code) = lower(trim(r.raw->>${at}::int))
    left join ar_payment_line l on l.ar_payment_id = p.id and l.invoice_id = i.id
    order by r.row_no`)
  return rows.map((row) => ({
    RowNo: row.row_no, PaymentID: row.payment_id, PaymentCode: row.payment_code, Customer: row.customer, InvoiceID: row.invoice_id, InvoiceCode: row.invoice_code, Amount: row.amount, Paid: row.paid,
    Allocated: row.payment_id === null ? null : row.allocated, Remaining: row.remaining, Unapplied: row.unapplied,
  }))
}
