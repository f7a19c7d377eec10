import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'

/** Who has the money of a receipt with him until the cashier gets it: the collector of the buyer, or the driver of the delivery it was paid for. */
export async function fromTheField(saving: Saving): Promise<void> {
  const { header, before } = saving
  const value = (column: string): unknown => (Object.hasOwn(header, column) ? header[column] : before?.[column])
  if (value('method') !== 'COD') Object.assign(header, { delivery_order_id: null, delivery_plan_id: null })
  if (value('method') === 'CIT') await ofCollector(saving, value)
  if (value('method') === 'COD') await ofDriver(saving, value)
}

type Value = (column: string) => unknown

async function ofCollector(saving: Saving, value: Value): Promise<void> {
  if (value('collector_id') == null) {
    const usual = await saving.context.tx.first<{ id: number }>(sql`select e.id from customer c join employee e on e.id = c.collector_id where c.id = ${value('customer_id')}::bigint and e.is_active`)
    if (usual === undefined) return saving.problem(wrong('CollectorID', 'REQUIRED.collector'))
    saving.header['collector_id'] = usual.id
  }
}

interface Delivery extends Row {
  readonly customer_id: number
  readonly status: number
  readonly delivery_plan_id: number | null
  readonly driver_id: number | null
}

async function ofDriver(saving: Saving, value: Value): Promise<void> {
  if (value('delivery_order_id') == null) return saving.problem(wrong('DeliveryOrderID', 'REQUIRED.delivery'))
  const delivery = await saving.context.tx.first<Delivery>(sql`
    select d.customer_id, d.status, d.delivery_plan_id, p.driver_id from delivery_order d left join delivery_plan p on p.id = d.delivery_plan_id where d.id = ${value('delivery_order_id')}::bigint`)
  if (delivery === undefined || delivery.customer_id !== value('customer_id') || ![2, 3].includes(delivery.status)) return saving.problem(wrong('DeliveryOrderID', 'NOT_A_CHOICE.delivery'))
  Object.assign(saving.header, { delivery_plan_id: delivery.delivery_plan_id, collector_id: delivery.driver_id ?? null })
}
