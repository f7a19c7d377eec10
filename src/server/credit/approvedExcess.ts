import type { Decimal } from '#base/decimal.ts'
import { creditExcess, isWorse, type CreditStanding } from '#domain/credit/creditCheck.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** How much above the limits orders have been approved: those of the customer, and those of all of his group. */
export interface ApprovedExcess {
  readonly own: Decimal
  readonly group: Decimal
}

/**
 * What somebody has let the customer of each order owe above his limit, with this order or one approved after it: who approves a later order knows
 * of this one. What was approved before is in the excess of this order.
 */
export async function approvedExcess(tx: Queries, orderIds: readonly number[]): Promise<ReadonlyMap<number, ApprovedExcess>> {
  const rows = await tx.rows<Row & ApprovedExcess & { readonly id: number }>(sql`
    select o.id, coalesce(max(x.excess) filter (where p.customer_id = o.customer_id), 0) as own, coalesce(max(x.excess), 0) as "group"
    from sales_order o
    join customer c on c.id = o.customer_id
    join customer m on m.id = c.id or m.customer_group_id = c.customer_group_id
    join sales_order p on p.customer_id = m.id and p.status in (1, 2, 3) and (p.id = o.id or p.approved_at >= o.approved_at)
    cross join lateral (
      -- Orders approved before the excess was kept say it in the reason they were asked for.
      select coalesce((p.credit_snapshot ->> 'excess')::numeric, (
        select max((b ->> 'value')::numeric) from jsonb_array_elements(case jsonb_typeof(p.credit_snapshot -> 'blocks') when 'array' then p.credit_snapshot -> 'blocks' else '[]'::jsonb end) b
        where b ->> 'code' = 'CL01')) as excess
    ) x
    where o.id = any(${[...new Set(orderIds)]}::bigint[])
    group by o.id`)
  return new Map(rows.map(({ id, own, group }) => [id, { own, group }]))
}

/** Is more owed above a limit than somebody has approved? */
export function hasGrown(standing: CreditStanding, approved: ApprovedExcess = { own: '0', group: '0' }): boolean {
  const now = creditExcess(standing, '0')
  return isWorse(now.own, approved.own, standing.exposure) || (standing.group !== null && isWorse(now.group, approved.group, standing.group.exposure))
}
