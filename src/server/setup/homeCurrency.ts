import type { Queries, Row } from '#server/context.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'

const currencies = new RememberedTable('setup', async (tx) => {
  const rows = await tx.rows<Row & { readonly id: number; readonly currency: string }>(sql`select u.id, c.base_currency as currency from operating_unit u join company c on c.id = u.company_id`)
  return new Map(rows.map((row) => [row.id, row.currency]))
})

/** Currency the company of an operating unit keeps its books in: documents and journals of the unit are in it, at rate 1. IDR where there is no such unit. */
export async function homeCurrency(tx: Queries, operatingUnitId: number | null): Promise<string> {
  return (operatingUnitId === null ? undefined : (await currencies.get(tx)).get(operatingUnitId)) ?? 'IDR'
}
