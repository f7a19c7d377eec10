import { exact, fixed, isZero, money, quantityText, sum, type Decimal } from '#base/decimal.ts'
import { isDate, type DateText } from '#base/date.ts'
import type { RowResult } from '#api/data.ts'
import type { Problem } from '#api/problems.ts'
import { creditBlocks, type CreditBlock, type CreditStanding } from '#domain/credit/creditCheck.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, CommandInput, Row } from '#server/context.ts'
import { approvedExcess, hasGrown, type ApprovedExcess } from '#server/credit/approvedExcess.ts'
import { holdOrders } from '#server/credit/creditHold.ts'
import { creditStanding } from '#server/credit/standing.ts'
import { recordset } from '#server/db/recordset.ts'
import { join, sql } from '#server/db/sql.ts'
import { invalid, problem, refusedRow, wrong } from '#server/problemError.ts'
import { said, tell } from '#server/sentences.ts'
import { earnedGifts } from '#server/sales/gifts.ts'
import { serving } from '#server/sales/orderLimits.ts'
import { refreshOrders } from '#server/sales/orderStatus.ts'
import { insertDocument } from '#server/workflow/newDocument.ts'
import { partsOf } from './countedUnits.ts'
import { reserve } from './reservation.ts'
import { warnOfLoad } from './trip.ts'

interface DueLine extends Row {
  readonly id: number
  readonly sales_order_id: number
  readonly order_code: string
  readonly operating_unit_id: number
  readonly territory_id: number | null
  readonly customer_id: number
  readonly sales_channel_id: number | null
  readonly customer_category_id: number | null
  readonly requested_date: DateText | null
  readonly approved_at: string | null
  readonly warehouse_id: number
  readonly item_id: number
  readonly item_code: string
  readonly weight_kg: Decimal
  readonly volume_m3: Decimal
  readonly open_qty: Decimal
  readonly reserved_qty: Decimal
  readonly planned_qty: Decimal
  readonly block_codes: readonly string[]
  readonly overridden: readonly string[]
  readonly is_cash: boolean
  readonly credit_hold: boolean
  readonly is_free: boolean
  readonly total: Decimal
}

/** Puts order lines on a delivery plan, one per warehouse: what is open of each line, or the quantity asked, as far as stock goes. */
export const planDelivery: Command = async (context, input) => {
  const header = headerOf(input)
  const asked = quantitiesOf(input)
  const lines = await dueLines(context, input.ids)
  const foreign = [...asked.keys()].find((id) => !input.ids.includes(id))
  if (foreign !== undefined) invalid([wrong(`Quantities.${foreign}`, 'NOT_IN_SCOPE.line')])
  const stopped = await refusals(context, lines)
  await holdByCredit(context, lines, stopped)
  const refused = new Map<number, Problem>([...[...stopped].map(([id, { problem: refusal }]) => [id, refusal] as const), ...(await wrongQuantities(context, lines, asked))])
  const results: RowResult[] = input.ids.filter((id) => !lines.some((line) => line.id === id)).map((id) => refusedRow(id, problem('NOT_IN_SCOPE.nothing-to-plan')))
  const plans: Row[] = []
  for (const warehouse of [...new Set(lines.map((line) => line.warehouse_id))].sort((a, b) => a - b)) {
    const own = lines.filter((line) => line.warehouse_id === warehouse && !refused.has(line.id))
    const { planned, held } = await withoutEarlyGifts(context, own, await plannable(context, warehouse, own, asked))
    results.push(...own.map((line) => (held.has(line.id) ? refusedRow(line.id, problem('ILLEGAL_TRANSITION.gift-waits', { order: line.order_code, item: line.item_code })) : resultOf(line, planned.get(line.id) ?? '0', asked.get(line.id)))))
    const rows = own.filter((line) => exact(planned.get(line.id) ?? '0').gt(0))
    const [first] = rows
    if (first === undefined) continue
    const load = {
      load_weight: fixed(sum(rows.map((row) => exact(row.weight_kg).times(planned.get(row.id) ?? '0'))), 3),
      load_volume: fixed(sum(rows.map((row) => exact(row.volume_m3).times(planned.get(row.id) ?? '0'))), 3),
    }
    await warnOfLoad(context, { vehicle_id: header.vehicle_id, ...load })
    const { id } = await insertDocument(
      context,
      'delivery_plan',
      {
        ...header,
        operating_unit_id: first.operating_unit_id,
        territory_id: rows.every((row) => row.territory_id === first.territory_id) ? first.territory_id : null,
        doc_date: context.today,
        warehouse_id: warehouse,
        shipment_type: 'OWN',
        ...load,
        source: 'WEB',
      },
      { table: 'delivery_plan_line', rows: stops(rows).map(({ row, stop }) => ({ order_line_id: row.id, customer_id: row.customer_id, sales_order_id: row.sales_order_id, item_id: row.item_id, qty: planned.get(row.id) ?? '0', stop_no: stop })) },
    )
    await addPlanned(context, rows.map((row) => ({ id: row.id, qty: planned.get(row.id) ?? '0' })))
    const released = input.params['Release'] === true ? await context.transition('delivery_plan', id, 'release') : null
    if (released === null) await refreshOrders(context, rows.map((row) => row.sales_order_id))
    plans.push({ ID: id, Code: released?.['code'] ?? `DRAFT-${id}` })
  }
  results.push(...[...refused].map(([id, refusal]) => refusedRow(id, refusal)))
  return { results, Plans: plans }
}

function headerOf(input: CommandInput): Row & { readonly vehicle_id: number | null } {
  const date = input.params['PlanDate']
  if (!isDate(date)) invalid([wrong('PlanDate', 'REQUIRED')])
  return {
    plan_date: date,
    vehicle_id: typeof input.params['VehicleID'] === 'number' ? input.params['VehicleID'] : null,
    driver_id: input.params['DriverID'] ?? null,
    helper: input.params['Helper'] ?? null,
    route: input.params['Route'] ?? null,
  }
}

/** `{ "<line id>": "<base quantity>" }`; a line not named goes with all that is open. */
function quantitiesOf(input: CommandInput): ReadonlyMap<number, Decimal> {
  const given = input.params['Quantities']
  if (typeof given !== 'object' || given === null) return new Map()
  return new Map(
    Object.entries(given).map(([id, qty]) => {
      const text = String(qty)
      if (!/^\d{1,15}(\.\d{1,3})?$/.test(text) || !/^\d{1,15}$/.test(id)) invalid([wrong('Quantities', 'INVALID.not-quantity', { value: text.slice(0, 40) })])
      return [Number(id), text] as const
    }),
  )
}

function dueLines(context: CommandContext, ids: readonly number[]): Promise<DueLine[]> {
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'o')
  return context.tx.rows<DueLine>(sql`
    select l.id, o.id as sales_order_id, o.code as order_code, o.operating_unit_id, o.territory_id, o.customer_id, c.sales_channel_id, c.customer_category_id, o.requested_date, o.approved_at, o.warehouse_id, l.item_id, i.code as item_code, i.weight_kg, i.volume_m3,
      l.qty_base - l.delivered_qty - l.cancelled_qty - l.planned_qty as open_qty, l.reserved_qty, l.planned_qty, o.block_codes, o.credit_hold, l.total, l.is_free,
      coalesce((select array_agg(code) from credit_override v cross join unnest(v.block_codes) code where v.sales_order_id = o.id and v.expires_on >= ${context.today}::date and v.amount >= round(o.total * o.rate, 2)), '{}') as overridden,
      exists (select 1 from payment_term p where p.id = coalesce(o.payment_term_id, c.payment_term_id) and (p.is_cash or p.is_cod)) as is_cash
    from sales_order_line l join sales_order o on o.id = l.sales_order_id join customer c on c.id = o.customer_id join item i on i.id = l.item_id
    where l.id = any(${[...ids]}::bigint[]) and o.status in (1, 2) and o.warehouse_id is not null
      and l.qty_base - l.delivered_qty - l.cancelled_qty - l.planned_qty > 0 and ${join([scope ?? sql`true`])}
    order by l.id for update of l`)
}

/** What of a customer's credit stops a line, and how that is said. */
interface Stopped {
  readonly code: string
  readonly problem: Problem
}

/** Orders credit stops are held, and free again once it no longer does. */
async function holdByCredit(context: CommandContext, lines: readonly DueLine[], stopped: ReadonlyMap<number, Stopped>): Promise<void> {
  const codes = new Map(lines.flatMap((line) => {
    const code = stopped.get(line.id)?.code
    return code === undefined ? [] : [[line.sales_order_id, [code]] as const]
  }))
  await holdOrders(context, [...codes.keys()], true, codes)
  await holdOrders(context, [...new Set(lines.filter((line) => line.credit_hold && !codes.has(line.sales_order_id)).map((line) => line.sales_order_id))], false)
}

/** Credit may have changed since approval: what was not decided then stops the line, unless the user may override; what no approval opens stops everybody's. */
async function refusals(context: CommandContext, lines: readonly DueLine[]): Promise<ReadonlyMap<number, Stopped>> {
  const refused = new Map<number, Stopped>()
  const mayOverride = context.user.guards.has('sales-order-override')
  for (const customerId of new Set(lines.map((line) => line.customer_id))) {
    const own = lines.filter((line) => line.customer_id === customerId)
    const standing = await creditStanding(context.tx, customerId, context.today)
    const blocks = { cash: blocksOf(context, standing, true), credit: blocksOf(context, standing, false) }
    const isOver = !mayOverride && blocks.credit.some((block) => block.code === 'CL01')
    const approved = isOver ? await approvedExcess(context.tx, own.map((line) => line.sales_order_id)) : new Map<number, ApprovedExcess>()
    const isDecided = (line: DueLine, { code }: CreditBlock): boolean =>
      mayOverride || line.overridden.includes(code) || (code === 'CL01' ? !hasGrown(standing, approved.get(line.sales_order_id)) : line.block_codes.includes(code))
    for (const line of own) {
      const block = (line.is_cash ? blocks.cash : blocks.credit).find((candidate) => candidate.isHard || !isDecided(line, candidate))
      if (block !== undefined) refused.set(line.id, { code: block.code, problem: { code: 'CREDIT_BLOCKED', ...said(block.sentence) } })
    }
  }
  return refused
}

/** More than is open, or part of a piece where the item is counted; what is left of a line goes out whatever it is. */
async function wrongQuantities({ tx }: CommandContext, lines: readonly DueLine[], asked: ReadonlyMap<number, Decimal>): Promise<ReadonlyMap<number, Problem>> {
  const named = lines.flatMap((line) => {
    const qtyBase = asked.get(line.id)
    return qtyBase === undefined ? [] : [{ line, itemId: line.item_id, qtyBase }]
  })
  const excess = named.filter(({ line, qtyBase }) => exact(qtyBase).gt(line.open_qty))
  const parts = await partsOf(tx, named.filter(({ line, qtyBase }) => exact(qtyBase).lt(line.open_qty)))
  return new Map([
    ...excess.map(({ line, qtyBase }) => [line.id, problem('EXCEEDS_AVAILABLE.planned', { order: line.order_code, item: line.item_code, open: quantityText(line.open_qty), asked: quantityText(qtyBase) })] as const),
    ...parts.map(({ line, item, qty }) => [line.id, problem('VALIDATION_FAILED.part-of-piece', { item, qty })] as const),
  ])
}

/** The order is part of the exposure already, so nothing is added to it. */
function blocksOf({ today }: CommandContext, standing: CreditStanding, isCash: boolean): readonly CreditBlock[] {
  return creditBlocks(standing, { total: '0', isCash, termDiffers: false }, today)
}

/** Quantity each line can go with: reserved and unplanned first, the rest from free stock as the allocation rules give it out. */
async function plannable(context: CommandContext, warehouse: number, lines: readonly DueLine[], asked: ReadonlyMap<number, Decimal>): Promise<ReadonlyMap<number, Decimal>> {
  const wanted = lines.map((line) => {
    const target = exact(asked.get(line.id) ?? line.open_qty)
    const held = exact(line.reserved_qty).minus(line.planned_qty)
    return { line, target, held: held.gt(target) ? target : held }
  })
  const short = wanted.filter(({ target, held }) => target.gt(held))
  const claims = short.map(({ line, target, held }) => ({
    line, orderId: line.sales_order_id, unitId: line.operating_unit_id, itemId: line.item_id, qty: fixed(target.minus(held), 3),
    orderer: { customerId: line.customer_id, channelId: line.sales_channel_id, categoryId: line.customer_category_id, territoryId: line.territory_id },
  }))
  const { limit, rank } = await serving(context.tx, warehouse, claims)
  const queue = claims.toSorted((a, b) => rank(a.orderId) - rank(b.orderId) || byDates(a.line, b.line))
  const more = await reserve(context, warehouse, queue.map(({ line, orderId, itemId, qty }) => ({ orderId, orderLineId: line.id, customerId: line.customer_id, channelId: line.sales_channel_id, itemId, qty })), limit)
  return new Map(wanted.map(({ line, held }) => [line.id, fixed(held.plus(more.get(line.id)?.reserved ?? '0'), 3)]))
}

/** Gifts are planned as far as the goods they are given for have gone or are planned; `held`: those of which nothing may go. */
async function withoutEarlyGifts({ tx }: CommandContext, lines: readonly DueLine[], planned: ReadonlyMap<number, Decimal>): Promise<{ readonly planned: ReadonlyMap<number, Decimal>; readonly held: ReadonlySet<number> }> {
  const gifts = lines.filter((line) => line.is_free && exact(planned.get(line.id) ?? '0').gt(0))
  if (gifts.length === 0) return { planned, held: new Set() }
  const earned = await earnedGifts(tx, gifts.map((line) => line.id), (line) => fixed(sum([line.delivered_qty, line.planned_qty, planned.get(line.id) ?? '0']), 3))
  const most = new Map(earned.map(({ line, earned: all }) => [line.id, exact(all).minus(line.delivered_qty).minus(line.planned_qty)]))
  const kept = new Map(planned)
  for (const { id } of gifts) {
    const limit = most.get(id)
    if (limit?.lt(planned.get(id) ?? '0') === true) kept.set(id, fixed(limit.gt(0) ? limit : exact(0), 3))
  }
  return { planned: kept, held: new Set(gifts.flatMap(({ id }) => (isZero(kept.get(id) ?? '0') ? [id] : []))) }
}

/** Wanted earlier, approved earlier, entered earlier. */
function byDates(a: DueLine, b: DueLine): number {
  const key = (line: DueLine): string => `${line.requested_date ?? '9999-12-31'} ${line.approved_at ?? '9'}`
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.sales_order_id - b.sales_order_id || a.id - b.id
}

function resultOf(line: DueLine, planned: Decimal, asked: Decimal | undefined): RowResult {
  if (asked !== undefined && isZero(asked)) return { ID: line.id, ok: true, ...tell('done.planned-none', { order: line.order_code, open: quantityText(line.open_qty), item: line.item_code }) }
  if (exact(planned).eq(0)) return refusedRow(line.id, problem('STOCK_INSUFFICIENT.line', { order: line.order_code, item: line.item_code }))
  const short = exact(line.open_qty).gt(planned)
  return { ID: line.id, ok: true, ...tell(short ? 'done.planned-part' : 'done.planned', { order: line.order_code, planned: quantityText(planned), open: quantityText(line.open_qty), item: line.item_code }) }
}

/** Every customer is a stop, in order of appearance. */
function stops(rows: readonly DueLine[]): { readonly row: DueLine; readonly stop: number }[] {
  const customers = [...new Set(rows.map((row) => row.customer_id))]
  return rows.map((row) => ({ row, stop: customers.indexOf(row.customer_id) + 1 }))
}

/** Adds signed planned quantities to order lines. */
export async function addPlanned(context: CommandContext, changes: readonly { readonly id: number; readonly qty: Decimal }[]): Promise<void> {
  await context.tx.run(sql`
    update sales_order_line l set planned_qty = l.planned_qty + x.qty
    from (select id, sum(qty) as qty from ${recordset([...changes], { id: 'bigint', qty: 'numeric' }, 'y')} group by id) x where l.id = x.id`)
}

/** Value of a quantity of an order line with VAT, for cash on delivery. */
export function valueOf(total: Decimal, qtyBase: Decimal, qty: Decimal): Decimal {
  return exact(qtyBase).eq(0) ? '0.00' : money(exact(total).times(qty).div(qtyBase))
}
