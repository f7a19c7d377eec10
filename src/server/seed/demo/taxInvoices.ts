import type { DateText } from '#base/date.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { newDrafts } from '#server/tax/owedTax.ts'

/** A tax month that is closed has been answered: each of its invoices has a tax invoice with a number, approved in time. */
export async function answerClosedTaxMonths(tx: Queries): Promise<void> {
  const months = await tx.rows<{ period: string; deadline: DateText; closed_by: number | null }>(sql`select period, deadline, closed_by from tax_invoice_period where status = 'CLOSED' order by period`)
  for (const { period, deadline, closed_by: by } of months) {
    await tx.run(newDrafts(period, sql`true`, by, `${deadline}T02:00:00.000Z`))
    await tx.run(sql`
      update tax_invoice t set status = 'APPROVED', djp_status = 'APPROVED', approved_on = least(t.doc_date + 3, ${deadline}::date),
        faktur_number = t.trx_code || t.status_code || substr(${period}, 3, 4) || lpad(n.place::text, 9, '0')
      from (select id, row_number() over (order by id) as place from tax_invoice where period = ${period} and status = 'DRAFT') n where n.id = t.id`)
  }
}
