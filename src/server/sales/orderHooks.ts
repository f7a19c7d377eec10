import { compare } from '#base/decimal.ts'
import type { DocumentHooks, Saving } from '#server/documents/hooks.ts'
import type { Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { fail, wrong } from '#server/problemError.ts'
import { repriceStored } from './repriceOrder.ts'

/** Saving an order draft: what the customer implies is filled in, free lines are made anew, prices are the server's. */
export const salesOrderHooks: DocumentHooks = {
  computed: [
    'territory_id', 'gross', 'discount', 'promo', 'dpp', 'dpp_other', 'ppn', 'rounding', 'total', 'block_codes', 'credit_snapshot', 'delivery_status', 'billing_status', 'payment_status', 'stage',
    'lines.factor', 'lines.qty_base', 'lines.price', 'lines.price_source', 'lines.gross', 'lines.discount_amount', 'lines.promo_amount', 'lines.dpp', 'lines.dpp_other', 'lines.ppn', 'lines.total',
    'lines.is_free', 'lines.promotion_id', 'lines.parent_line_id', 'lines.atp_qty', 'lines.reserved_qty', 'lines.planned_qty', 'lines.delivered_qty', 'lines.billed_qty', 'lines.returned_qty',
    'lines.cancelled_qty', 'lines.reject_reason_id', 'lines.price_trace',
  ],

  async beforeSave(saving) {
    const { header, before, context } = saving
    const type = header['order_type'] ?? before?.['order_type']
    if (type !== 'REG' && type !== 'TRADER') saving.problem(wrong('OrderType', 'NOT_A_CHOICE.order-type'))
    await Promise.all([fromCustomer(context.tx, saving).then(() => checkAddresses(context.tx, saving)), checkLines(saving)])
    // Pricing steps point at lines the generic saving may remove; they are written again with the new prices.
    if (before !== undefined) forgetPricing(context.tx, before.id)
  },

  async afterSave({ context }, { id }) {
    const order = await context.tx.first(sql`select * from sales_order where id = ${id}`)
    if (order === undefined) throw new Error(`Order ${id} was not written`)
    const { totals } = await repriceStored(context.tx, order)
    context.tx.later(sql`
      update sales_order set gross = ${totals.gross}, discount = ${totals.discount}, promo = ${totals.promo}, dpp = ${totals.dpp}, dpp_other = ${totals.dppOther}, ppn = ${totals.ppn},
        rounding = ${totals.rounding}, total = ${totals.total} where id = ${id}`)
  },

  async beforeDelete({ tx }, record) {
    if (record['code'] !== null) fail('ILLEGAL_TRANSITION.order-numbered')
    forgetPricing(tx, record.id)
  },
}

function forgetPricing(tx: Queries, orderId: number): void {
  tx.later(sql`delete from sales_order_discount where line_id in (select id from sales_order_line where sales_order_id = ${orderId})`)
  tx.later(sql`delete from sales_order_line where sales_order_id = ${orderId} and is_free`)
}

interface CustomerRow extends Row {
  readonly operating_unit_id: number
  readonly territory_id: number
  readonly sales_channel_id: number
  readonly payment_term_id: number
  readonly salesman_id: number | null
  readonly ship_to_id: number | null
  readonly bill_to_id: number | null
  readonly warehouse_id: number | null
}

/** Unit and territory are always the customer's; the rest is his unless entered. */
async function fromCustomer(tx: Queries, { header, before }: Saving): Promise<void> {
  const customerId = header['customer_id'] ?? before?.['customer_id']
  const customer = await tx.first<CustomerRow>(sql`
    select c.operating_unit_id, c.territory_id, c.sales_channel_id, c.payment_term_id, c.salesman_id,
      (select a.id from customer_address a where a.customer_id = c.id and a.kind = 'SHIP_TO' and a.is_active order by a.is_default desc, a.id limit 1) as ship_to_id,
      (select a.id from customer_address a where a.customer_id = c.id and a.kind = 'BILL_TO' and a.is_active order by a.is_default desc, a.id limit 1) as bill_to_id,
      (select w.id from warehouse w where w.operating_unit_id = c.operating_unit_id and w.kind = 'MAIN' and w.is_active order by w.id limit 1) as warehouse_id
    from customer c where c.id = ${customerId}::bigint`)
  if (customer === undefined) return
  const isNewCustomer = before !== undefined && before['customer_id'] !== customerId
  header['operating_unit_id'] = customer.operating_unit_id
  header['territory_id'] = customer.territory_id
  for (const column of ['sales_channel_id', 'payment_term_id', 'salesman_id', 'ship_to_id', 'bill_to_id', 'warehouse_id'] as const) {
    const entered = Object.hasOwn(header, column) ? header[column] : isNewCustomer ? null : before?.[column]
    if (entered === null || entered === undefined) header[column] = customer[column]
  }
  header['requested_date'] ??= before?.['requested_date'] ?? header['doc_date'] ?? before?.['doc_date'] ?? null
}

async function checkAddresses(tx: Queries, saving: Saving): Promise<void> {
  const { header, before } = saving
  const customerId = header['customer_id'] ?? before?.['customer_id']
  const { ship_to_id: shipTo = null, bill_to_id: billTo = null, warehouse_id: warehouse = null } = header
  const own = await tx.first<{ ship_to: boolean; bill_to: boolean; warehouse: boolean }>(sql`
    select exists (select 1 from customer_address where id = ${shipTo}::bigint and customer_id = ${customerId}::bigint) as ship_to,
      exists (select 1 from customer_address where id = ${billTo}::bigint and customer_id = ${customerId}::bigint) as bill_to,
      exists (select 1 from warehouse where id = ${warehouse}::bigint and operating_unit_id = ${header['operating_unit_id']}::bigint) as warehouse`)
  if (shipTo !== null && own?.ship_to !== true) saving.problem(wrong('ShipToID', 'NOT_IN_SCOPE.address'))
  if (billTo !== null && own?.bill_to !== true) saving.problem(wrong('BillToID', 'NOT_IN_SCOPE.address'))
  if (warehouse !== null && own?.warehouse !== true) saving.problem(wrong('WarehouseID', 'NOT_IN_SCOPE.warehouse'))
}

/** Quantities above zero, in a unit the item has. Base quantity and factor are known before the row is written. */
async function checkLines(saving: Saving): Promise<void> {
  const lines = saving.lines?.['Lines']
  if (lines === undefined) return
  const free = new Set(saving.before === undefined ? [] : (await saving.context.tx.rows<{ id: number }>(sql`select id from sales_order_line where sales_order_id = ${saving.before.id} and is_free`)).map((row) => row.id))
  const kept = lines.filter((line) => line.id === undefined || !free.has(line.id))
  lines.splice(0, lines.length, ...kept)
  const known = await unitsOf(saving.context.tx, saving.before?.id ?? null, lines.flatMap((line) => (typeof line.columns['item_id'] === 'number' ? [line.columns['item_id']] : [])))
  const stored = new Map((await storedLines(saving.context.tx, saving.before?.id ?? null)).map((row) => [row.id, row]))
  lines.forEach((line, at) => {
    const old = line.id === undefined ? undefined : stored.get(line.id)
    const itemId = Number(line.columns['item_id'] ?? old?.item_id)
    const uom = String(line.columns['uom'] ?? old?.uom ?? '')
    const qty = String(line.columns['qty'] ?? old?.qty ?? '0')
    const item = known.get(itemId)
    const factor = item?.get(uom)
    if (item !== undefined && factor === undefined) saving.problem(wrong(`Lines[${at}].Uom`, 'NOT_A_CHOICE.uom', { units: [...item.keys()] }))
    if (compare(qty, '0') <= 0) saving.problem(wrong(`Lines[${at}].Qty`, 'TOO_SMALL.quantity'))
    if (compare(String(line.columns['manual_discount'] ?? '0'), '0') < 0) saving.problem(wrong(`Lines[${at}].ManualDiscount`, 'TOO_SMALL.discount'))
    Object.assign(line.columns, { factor: factor ?? '1', qty_base: line.columns['qty'] ?? old?.qty ?? '0' })
  })
}

function storedLines(tx: Queries, orderId: number | null): Promise<(Row & { id: number; item_id: number; uom: string; qty: string })[]> {
  return orderId === null ? Promise.resolve([]) : tx.rows(sql`select id, item_id, uom, qty from sales_order_line where sales_order_id = ${orderId}`)
}

/** Factors by unit of items: base unit, sales unit, and the item's own rows. */
export async function unitsOf(tx: Queries, orderId: number | null, itemIds: readonly number[]): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  const rows = await tx.rows<Row & { id: number; uom: string; factor: string }>(sql`
    with wanted as (select unnest(${[...itemIds]}::bigint[]) as id union select item_id from sales_order_line where sales_order_id = ${orderId}::bigint)
    select i.id, i.base_uom as uom, 1::numeric as factor from item i join wanted w on w.id = i.id
    union all select i.id, i.sales_uom, i.pack_qty from item i join wanted w on w.id = i.id where i.sales_uom <> i.base_uom
    union all select u.item_id, u.uom, u.factor from item_uom u join wanted w on w.id = u.item_id`)
  const units = new Map<number, Map<string, string>>()
  for (const row of rows) {
    const own = units.get(row.id) ?? new Map<string, string>()
    if (!own.has(row.uom)) own.set(row.uom, row.factor)
    units.set(row.id, own)
  }
  return units
}
