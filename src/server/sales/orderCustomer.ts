import type { Queries } from '#server/context.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { sql, unplanned } from '#server/db/sql.ts'
import type { BuyerRow } from '#server/pricing/loadPricing.ts'
import { once } from '#server/workflow/once.ts'

/** What an order asks of its customer: what he implies, what pricing needs, what the checks look at. */
export interface OrderCustomer extends BuyerRow {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly operating_unit_id: number
  readonly territory_id: number
  readonly sales_channel_id: number
  readonly payment_term_id: number
  readonly salesman_id: number | null
  /** Where nothing is entered. */
  readonly ship_to_id: number | null
  readonly bill_to_id: number | null
  readonly warehouse_id: number | null
  readonly is_pkp: boolean
  readonly npwp: string | null
  /** Of the places named: is it his, and the warehouse his unit's? True where none is named. */
  readonly owns_ship_to: boolean
  readonly owns_bill_to: boolean
  readonly owns_warehouse: boolean
  /** Does the warehouse named hold goods for sale? Those of vans and returns go their own ways. */
  readonly sells_warehouse: boolean
}

/** Places entered in an order. */
export interface NamedPlaces {
  readonly shipTo: number | null
  readonly billTo: number | null
  readonly warehouse: number | null
}

const noPlaces: NamedPlaces = { shipTo: null, billTo: null, warehouse: null }

/** The customer of an order, asked once a transaction for the same places. */
export function orderCustomer(tx: Queries, customerId: number, { shipTo, billTo, warehouse }: NamedPlaces): Promise<OrderCustomer | undefined> {
  return once(tx, `order customer ${customerId} ${shipTo} ${billTo} ${warehouse}`, () =>
    once(tx, `order customer ${customerId}`, () => ask(tx, customerId, { shipTo, billTo, warehouse })).then((found) =>
      // Whoever asked first may have named other places.
      found === undefined || isFor(found, { shipTo, billTo, warehouse }) ? found : ask(tx, customerId, { shipTo, billTo, warehouse })))
}

/** The customer, whatever places were asked about with him. */
export function customerOfOrder(tx: Queries, customerId: number): Promise<OrderCustomer | undefined> {
  return once(tx, `order customer ${customerId}`, () => ask(tx.ahead, customerId, noPlaces))
}

interface Asked extends OrderCustomer {
  readonly asked_ship_to: number | null
  readonly asked_bill_to: number | null
  readonly asked_warehouse: number | null
}

function isFor(found: Asked, named: NamedPlaces): boolean {
  return found.asked_ship_to === named.shipTo && found.asked_bill_to === named.billTo && found.asked_warehouse === named.warehouse
}

/** Where the goods of a customer `c` come from unless said otherwise: the warehouse his unit names, or its first one. */
export const mainWarehouse = sql`(
  select w.id from warehouse w join operating_unit o on o.id = w.operating_unit_id
  where w.operating_unit_id = c.operating_unit_id and w.kind = 'MAIN' and w.is_active order by (w.id = o.default_warehouse_id) desc nulls last, w.id limit 1)`

function ask(tx: Queries, customerId: number, { shipTo, billTo, warehouse }: NamedPlaces): Promise<Asked | undefined> {
  return tx.first<Asked>(sql`
    select c.id, c.name, c.status, c.operating_unit_id, c.territory_id, c.sales_channel_id, c.payment_term_id, c.salesman_id, c.price_set_id, c.pricing_group_id, c.customer_category_id, c.customer_group_id, c.sales_area_id, c.is_pkp, c.npwp,
      (select a.id from customer_address a where a.customer_id = c.id and a.kind = 'SHIP_TO' and a.is_active order by a.is_default desc, a.id limit 1) as ship_to_id,
      (select a.id from customer_address a where a.customer_id = c.id and a.kind = 'BILL_TO' and a.is_active order by a.is_default desc, a.id limit 1) as bill_to_id,
      ${mainWarehouse} as warehouse_id,
      ${unplanned(shipTo, 'bigint')} is null or exists (select 1 from customer_address a where a.id = ${unplanned(shipTo, 'bigint')} and a.customer_id = c.id) as owns_ship_to,
      ${unplanned(billTo, 'bigint')} is null or exists (select 1 from customer_address a where a.id = ${unplanned(billTo, 'bigint')} and a.customer_id = c.id) as owns_bill_to,
      ${unplanned(warehouse, 'bigint')} is null or exists (select 1 from warehouse w where w.id = ${unplanned(warehouse, 'bigint')} and w.operating_unit_id = c.operating_unit_id) as owns_warehouse,
      ${unplanned(warehouse, 'bigint')} is null or exists (select 1 from warehouse w where w.id = ${unplanned(warehouse, 'bigint')} and w.stock_class = 'UNRESTRICTED') as sells_warehouse,
      ${shipTo}::bigint as asked_ship_to, ${billTo}::bigint as asked_bill_to, ${warehouse}::bigint as asked_warehouse
    from customer c where c.id = ${customerId}`)
}

const cashTerms = new RememberedTable('setup', async (tx) => new Set((await tx.rows<{ id: number }>(sql`select id from payment_term where is_cash or is_cod`)).map((row) => row.id)))

/** Is it paid on the spot? */
export async function isCashTerm(tx: Queries, paymentTermId: number): Promise<boolean> {
  return (await cashTerms.get(tx)).has(paymentTermId)
}
