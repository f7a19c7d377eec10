import { exact, fixed, sum, type Decimal } from '#base/decimal.ts'
import type { VisitPrices } from '#api/visits.ts'
import { comboFault, explode } from '#domain/pricing/combos.ts'
import { priceOrder, type OrderLine } from '#domain/pricing/priceOrder.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { nextTurn } from '#server/nextTurn.ts'
import { pricingFor, type BuyerRow } from '#server/pricing/loadPricing.ts'
import { customersOfDay } from './visitDay.ts'

interface ItemRow extends Row {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly sales_uom: string
}

/** Everything sold, and what one of each costs every customer of the day: an order is taken out of reach, too. */
export const visitPrices: Command = async (context) => {
  const { tx, today, user } = context
  const { ids } = await customersOfDay(context)
  const scope = scopeCondition(context.metadata, user, knownEntity(context.metadata, 'customer'), 't')
  const [items, customers] = await Promise.all([
    tx.rows<ItemRow>(sql`select id, code, name, sales_uom from item where status = 1 and is_active order by code`),
    tx.rows<BuyerRow & { readonly id: number }>(sql`
      select t.id, t.price_set_id, t.pricing_group_id, t.customer_category_id, t.customer_group_id, t.territory_id, t.sales_area_id, t.sales_channel_id, t.operating_unit_id
      from customer t where t.id = any(${[...ids]}::bigint[]) and t.status = 1 ${scope ? sql`and ${scope}` : sql``} order by t.id`),
  ])
  const prices: Record<string, readonly (Decimal | null)[]> = {}
  for (const customer of customers) {
    prices[customer.id] = await pricesFor(context, customer, items)
    await nextTurn()
  }
  const answer: VisitPrices = { Day: today, Items: items.map(({ id, code, name, sales_uom: uom }) => ({ ID: id, Code: code, Name: name, Uom: uom })), Prices: prices }
  return { ...answer }
}

/** What one of each costs the customer after his discounts; a combo costs what its parts do together. */
async function pricesFor({ tx, today }: CommandContext, customer: BuyerRow & { readonly id: number }, items: readonly ItemRow[]): Promise<(Decimal | null)[]> {
  const { context, masters } = await pricingFor(tx, { customerId: customer.id, priceDate: today, salesChannelId: null, operatingUnitId: customer.operating_unit_id, itemIds: items.map(({ id }) => id), inAnyCurrency: true }, customer)
  const { combos = new Map<number, never>() } = masters
  const owners: number[] = []
  const lines = items.flatMap(({ id, sales_uom: uom }, at): OrderLine[] => {
    const combo = combos.get(id)
    const entered = { uom, qty: '1', manualDiscount: '0', agreedPrice: null }
    const made = combo === undefined ? [{ itemId: id, ...entered }] : comboFault(combo, today, combos) === null ? explode(combo, at + 1, entered, masters.items) : []
    return made.map((line) => ({ ...line, key: owners.push(at) - 1 }))
  })
  const costs = items.map((): Decimal[] => [])
  const unsold = new Set<number>()
  for (const line of priceOrder(context, { ...masters, promotions: [] }, lines).lines) {
    const at = owners[line.key] ?? 0
    if (line.blocks.some(({ code }) => code === 'PR00') || masters.items.get(line.itemId)?.untaxed !== undefined) unsold.add(at)
    costs[at]?.push(exact(line.gross).minus(line.discount).toFixed())
  }
  return costs.map((parts, at) => (parts.length === 0 || unsold.has(at) ? null : fixed(sum(parts), 2)))
}
