import { compare, money, sum, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { isRow } from '#server/documents/bodyColumns.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { makeRecord } from '#server/documents/saveRecord.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { CommandRun } from '#server/workflow/commandRun.ts'
import { numberOrNull } from '#server/workflow/newDocument.ts'
import { assertDayOpen, carryOut, reservedLines } from './carryOut.ts'
import { receiveCash } from './receiveCash.ts'
import { beginVanSale } from './vanSales.ts'

interface Trip extends Row {
  readonly id: number
  readonly status: number
  readonly stage: string
  readonly operating_unit_id: number
  readonly van_warehouse_id: number
  readonly canvasser_id: number
  readonly seller_id: number | null
  readonly is_canvasser: boolean
}

interface Billed extends Row {
  readonly id: number
  readonly code: string
  readonly total: Decimal
  readonly remaining: Decimal
}

/** Goods of a van sold at the customer's door: order, goods issue, invoice and the money received, all of it or nothing. */
export const vanSale: Command = async (context, { ids, params }) => {
  if (!(context instanceof CommandRun)) throw new Error('A van sale is a command of its own')
  const trip = await tripOf(context, ids[0] ?? 0)
  const { tx, today } = context
  const unit = trip.operating_unit_id
  const received = money(String(params['Received'] ?? '0'))
  await assertDayOpen(context, unit, today)
  const customer = await tx.first<{ unit: number }>(sql`select operating_unit_id as unit from customer where id = ${params['CustomerID']}`)
  if (customer?.unit !== unit) invalid([wrong('CustomerID', 'NOT_A_CHOICE.van-customer')])
  beginVanSale(tx)
  const orderId = await makeRecord(context, knownEntity(context.metadata, 'sales_order'), {
    OrderType: 'CANVAS', DocDate: today, RequestedDate: today, CustomerID: params['CustomerID'], WarehouseID: trip.van_warehouse_id, SalesmanID: trip.canvasser_id, Note: params['Note'] ?? null, Lines: linesOf(params['Lines']),
  })
  const order = await context.transition('sales_order', orderId, 'sell', { received })
  if (numberOrNull(order, 'ship_to_id') === null) fail('VALIDATION_FAILED.ship-to')
  const made = await carryOut(context, order, await reservedLines(context, orderId), { date: today, reference: null, source: 'SYSTEM' })
  const invoices = await tx.rows<Billed>(sql`select id, code, total, remaining from invoice where id = any(${made.flatMap(({ entity, id }) => (entity === 'invoice' ? [id] : []))}::bigint[]) order by id`)
  const ofTrip = async (id: number): Promise<void> => void (await tx.run(sql`update ar_payment set canvas_request_id = ${trip.id} where id = ${id}`))
  const payment = compare(received, '0') > 0 ? await receiveCash(context, { customerId: Number(params['CustomerID']), collectorId: trip.canvasser_id, unitId: unit, received, date: today, invoices }, ofTrip) : null
  return { OrderID: orderId, Invoices: invoices.map(({ id, code, total }) => ({ ID: id, Code: code, Total: total })), Total: money(sum(invoices.map(({ total }) => total))), PaymentID: payment }
}

/** The trip under lock: sales of one van follow one another, and none meets the unloading. A canvasser sells from his own van. */
async function tripOf({ tx, user }: CommandContext, id: number): Promise<Trip> {
  const scope = columnScope(user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'r') ?? sql`true`
  const trip = await tx.first<Trip>(sql`
    select r.id, r.status, r.stage, r.operating_unit_id, r.van_warehouse_id, r.canvasser_id, e.user_id as seller_id, exists (select 1 from employee s where s.user_id = ${user.id} and s.position = 'CANVASSER') as is_canvasser
    from canvas_request r join employee e on e.id = r.canvasser_id where r.id = ${id} and ${scope} for update of r`)
  if (trip === undefined || (trip.is_canvasser && trip.seller_id !== user.id)) return fail('NOT_IN_SCOPE')
  if (trip.status !== 8 || trip.stage !== 'SELLING') fail('ILLEGAL_TRANSITION.van-not-selling')
  return trip
}

/** Item, unit and quantity, nothing else: what it costs is the server's. */
function linesOf(value: unknown): readonly Row[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > 200 || !value.every(isRow)) return invalid([wrong('Lines', 'REQUIRED')])
  const strange = value.flatMap((line: Row, at): FieldProblem[] => Object.keys(line).filter((key) => !['ItemID', 'Uom', 'Qty'].includes(key)).map((key) => wrong(`Lines[${at}].${key.slice(0, 80)}`, 'UNKNOWN_FIELD')))
  return strange.length > 0 ? invalid(strange) : value
}
