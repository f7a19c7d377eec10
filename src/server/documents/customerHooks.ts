import { limitReasons } from '#server/credit/limitHooks.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { setting } from '#server/settings.ts'
import type { DocumentHooks } from './hooks.ts'

/**
 * A new customer of whom nobody says whether he asks for an invoice exchange gets what the company has settled. One with business under way stays with its
 * unit: documents keep theirs, and neither unit's people could settle what stands open between the two.
 */
export const customerHooks: DocumentHooks = {
  async beforeSave({ context, before, header, problem }) {
    const { operating_unit_id: unit } = header
    if (before !== undefined && unit !== undefined && Number(unit) !== Number(before['operating_unit_id']) && (await isUnderWay(context.tx, before.id))) problem(wrong('OperatingUnitID', 'READ_ONLY.customer-unit'))
    if (await isElsewhere(context.tx, { ...before, ...header }, before)) problem(wrong('TerritoryID', 'NOT_IN_SCOPE.unit-territory'))
    if (before !== undefined || Object.hasOwn(header, 'requires_ttf')) return
    header['requires_ttf'] = await setting(context.tx, 'ttf_required_default', typeof header['operating_unit_id'] === 'number' ? header['operating_unit_id'] : null, false)
  },
  newReasons: limitReasons,
}

/** Is the territory one of another unit? Documents of such a customer would be seen by people of neither. What has been so all along is left alone. */
async function isElsewhere(tx: Queries, { operating_unit_id: unit, territory_id: territory }: Row, before: Row | undefined): Promise<boolean> {
  if (typeof unit !== 'number' || typeof territory !== 'number') return false
  if (before !== undefined && before['operating_unit_id'] === unit && before['territory_id'] === territory) return false
  return (await tx.first(sql`select 1 from territory where id = ${territory} and operating_unit_id <> ${unit}`)) !== undefined
}

async function isUnderWay(tx: Queries, customerId: number): Promise<boolean> {
  return (await tx.first(sql`
    select 1 from customer c where c.id = ${customerId} and (
      exists (select 1 from sales_order d where d.customer_id = c.id and d.status in (1, 2, 4)) or exists (select 1 from invoice d where d.customer_id = c.id and d.status in (1, 2))
      or exists (select 1 from credit_note d where d.customer_id = c.id and d.status in (1, 2, 4)) or exists (select 1 from customer_deposit d where d.customer_id = c.id and d.status in (1, 2, 4))
      or exists (select 1 from cn_temporary d where d.customer_id = c.id and d.status in (1, 2, 4)) or exists (select 1 from ar_payment d where d.customer_id = c.id and d.status in (1, 2, 4) and d.method in ('GIRO', 'CHEQUE')))`)) !== undefined
}
