import type { DocumentHooks } from '#server/documents/hooks.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { refreshOrders, ordersOfLines } from '#server/sales/orderStatus.ts'
import { addPlanned } from './planDelivery.ts'

/** Plans are made from due order lines; a draft's header may be edited, its lines and warehouse may not. */
export const deliveryPlanHooks: DocumentHooks = {
  creatable: false,
  computed: ['operating_unit_id', 'territory_id', 'warehouse_id', 'load_weight', 'load_volume', 'doc_date', 'lines.order_line_id', 'lines.customer_id', 'lines.sales_order_id', 'lines.item_id', 'lines.qty'],
  async beforeSave({ lines, problem }) {
    if (lines?.['Lines'] !== undefined) problem(wrong('Lines', 'READ_ONLY.plan-lines'))
  },
  async beforeDelete(context, record) {
    const lines = await context.tx.rows<{ order_line_id: number; qty: string }>(sql`select order_line_id, qty from delivery_plan_line where delivery_plan_id = ${record.id} order by order_line_id`)
    await addPlanned(context, lines.map((line) => ({ id: line.order_line_id, qty: `-${line.qty}` })))
    await refreshOrders(context, await ordersOfLines(context, lines.map((line) => line.order_line_id)))
  },
}

/** Made by releasing a plan, moved by their workflow. */
export const madeByOthers: DocumentHooks = { writable: false }
