import type { DocumentHooks } from '#server/documents/hooks.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'

/** Customer, unit, territory and amount of a cancellation are those of its invoice. */
export const cancelRequestHooks: DocumentHooks = {
  computed: ['customer_id', 'operating_unit_id', 'territory_id', 'amount'],
  async beforeSave({ context, header, before, problem }) {
    const id = header['invoice_id'] ?? before?.['invoice_id']
    const invoice = await context.tx.first(sql`select customer_id, operating_unit_id, territory_id, total from invoice where id = ${id}::bigint`)
    if (invoice === undefined) return problem(wrong('InvoiceID', 'REQUIRED.invoice'))
    Object.assign(header, { customer_id: invoice['customer_id'], operating_unit_id: invoice['operating_unit_id'], territory_id: invoice['territory_id'], amount: invoice['total'] })
  },
}
