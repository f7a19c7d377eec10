import { periodOf, type DateText } from '#base/date.ts'
import { metresBetween } from '#domain/sales/distance.ts'
import { isVisitDay } from '#domain/sales/visitPlan.ts'
import { dayAt } from '#server/clock.ts'
import type { Command, CommandContext, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { insertDocument, numberOf, textOf } from '#server/workflow/newDocument.ts'
import { recountVisits } from './visitCounts.ts'
import { rhythmOf } from './visitPlans.ts'

/** A device may be away so long; what is older is entered by the office. */
const mostDaysAway = 7
const clockMayBeOffMs = 5 * 60_000

export interface Salesman extends Row {
  readonly id: number
  readonly name: string
  readonly operating_unit_id: number
}

/** Who of the employees the user is: visits are his own. */
export async function salesmanOf(tx: Queries, userId: number): Promise<Salesman | undefined> {
  return tx.first<Salesman>(sql`select id, name, operating_unit_id from employee where user_id = ${userId} and is_active order by id limit 1`)
}

export async function ownSalesman({ tx, user }: CommandContext): Promise<Salesman> {
  return (await salesmanOf(tx, user.id)) ?? fail('VALIDATION_FAILED.no-employee')
}

interface VisitedCustomer extends Row {
  readonly name: string
  readonly status: number
  readonly operating_unit_id: number
  readonly territory_id: number
  readonly latitude: string | null
  readonly longitude: string | null
}

/** Where he is visited: his standard ship-to address, else where he himself is said to be. */
function customerOf(tx: Queries, id: number): Promise<VisitedCustomer | undefined> {
  return tx.first<VisitedCustomer>(sql`
    select c.name, c.status, c.operating_unit_id, c.territory_id, coalesce(a.latitude, c.latitude) as latitude, coalesce(a.longitude, c.longitude) as longitude
    from customer c left join lateral (
      select latitude, longitude from customer_address where customer_id = c.id and kind = 'SHIP_TO' and is_active and latitude is not null and longitude is not null order by is_default desc, id limit 1
    ) a on true where c.id = ${id}`)
}

/** The line of the plan in force by which the customer is due that day. */
async function dueLine(tx: Queries, salesman: number, customer: number, day: DateText): Promise<number | null> {
  const lines = await tx.rows<Row & { id: number; anchor: DateText }>(sql`
    select l.*, p.anchor from visit_plan_line l join visit_plan p on p.id = l.visit_plan_id
    where p.salesman_id = ${salesman} and p.plan_period = ${periodOf(day)} and p.status in (1, 9) and l.customer_id = ${customer} order by l.line_no, l.id`)
  return lines.find((line) => isVisitDay(rhythmOf(line), day, line.anchor))?.id ?? null
}

/** When a device says that something happened. */
export function momentOf({ now }: CommandContext, value: unknown): Date {
  const at = new Date(String(value))
  if (at.getTime() > now.getTime() + clockMayBeOffMs) invalid([wrong('At', 'TOO_LATE.visit')])
  if (at.getTime() < now.getTime() - mostDaysAway * 86_400_000) invalid([wrong('At', 'TOO_EARLY.visit', { days: mostDaysAway })])
  return at
}

function placeIn(params: Row): { readonly latitude: string | null; readonly longitude: string | null } {
  const [latitude, longitude] = [params['Latitude'], params['Longitude']]
  return typeof latitude === 'string' && typeof longitude === 'string' ? { latitude, longitude } : { latitude: null, longitude: null }
}

/** The salesman stands at the customer. The visit has the key it was given on his device: sent twice it begins once. */
export const checkIn: Command = async (context, { params }) => {
  const { tx } = context
  const salesman = await ownSalesman(context)
  const key = textOf(params, 'VisitKey')
  const known = await tx.exclusive(`visits of ${salesman.id}`, () => visitByKey(tx, key))
  if (known !== undefined) return known.salesman_id === salesman.id ? { ID: known.id, Code: known.code } : fail('NOT_IN_SCOPE')
  const at = momentOf(context, params['At'])
  const customerId = numberOf(params, 'CustomerID')
  const customer = await customerOf(tx, customerId)
  if (customer === undefined) return fail('NOT_IN_SCOPE')
  if (customer.status !== 1) invalid([wrong('CustomerID', 'NOT_A_CHOICE.visit-customer', { customer: customer.name })])
  const open = await tx.first<{ code: string; name: string }>(sql`
    select v.code, c.name from customer_visit v join customer c on c.id = v.customer_id where v.salesman_id = ${salesman.id} and v.status = 8 limit 1`)
  if (open !== undefined) return fail('ILLEGAL_TRANSITION.visit-open', { visit: open.code, customer: open.name })
  const day = dayAt(at)
  const planLine = await dueLine(tx, salesman.id, customerId, day)
  const { latitude, longitude } = placeIn(params)
  const isMeasured = latitude !== null && longitude !== null && customer.latitude !== null && customer.longitude !== null
  const code = await context.nextNumber('VS', customer.operating_unit_id, day)
  const { id } = await insertDocument(context, 'customer_visit', {
    operating_unit_id: customer.operating_unit_id, territory_id: customer.territory_id, doc_date: day, code, status: 8, source: 'SFA', visit_key: key, plan_line_id: planLine, is_planned: planLine !== null,
    salesman_id: salesman.id, customer_id: customerId, check_in_at: at.toISOString(), check_in_latitude: latitude, check_in_longitude: longitude,
    distance_m: isMeasured ? metresBetween({ latitude: Number(latitude), longitude: Number(longitude) }, { latitude: Number(customer.latitude), longitude: Number(customer.longitude) }) : null,
  })
  await writeLog(tx, { docType: 'customer_visit', docId: id, at: context.now.toISOString(), actorId: context.user.id, action: 'check-in', toStatus: 8 })
  await recountVisits(tx, salesman.id, day)
  return { ID: id, Code: code }
}

export interface StoredVisit extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly operating_unit_id: number
  readonly salesman_id: number
  readonly customer_id: number
  readonly doc_date: DateText
  readonly check_in_at: string
  readonly sales_order_id: number | null
}

function visitByKey(tx: Queries, key: string): Promise<StoredVisit | undefined> {
  return tx.first<StoredVisit>(sql`select * from customer_visit where visit_key = ${key} for update`)
}

/** A visit of one's own, under lock. */
export async function ownVisit(context: CommandContext, key: string): Promise<StoredVisit> {
  const salesman = await ownSalesman(context)
  const visit = await visitByKey(context.tx, key)
  return visit?.salesman_id === salesman.id ? visit : fail('NOT_IN_SCOPE')
}

/** What became of it: an order or a payment of that visit, or why there is none. */
export const checkOut: Command = async (context, { params }) => {
  const { tx, user, now } = context
  const visit = await ownVisit(context, textOf(params, 'VisitKey'))
  const at = momentOf(context, params['At'])
  if (at.getTime() < Date.parse(visit.check_in_at)) invalid([wrong('At', 'TOO_EARLY.check-out')])
  if (visit.status !== 8) return fail('ILLEGAL_TRANSITION.visit-ended', { visit: visit.code })
  const result = textOf(params, 'Result')
  const needsReason = result === 'NO_ORDER' || result === 'CLOSED'
  const reason = needsReason ? await visitReason(tx, params['ReasonID']) : null
  const order = result === 'ORDER' ? (visit.sales_order_id ?? (await madeMeanwhile(context, visit, 'order'))) : visit.sales_order_id
  const payment = result === 'COLLECTION' ? await madeMeanwhile(context, visit, 'payment') : null
  const { latitude, longitude } = placeIn(params)
  await tx.run(sql`
    update customer_visit set status = 3, check_out_at = ${at.toISOString()}, check_out_latitude = ${latitude}::numeric, check_out_longitude = ${longitude}::numeric, result = ${result}, reason_id = ${reason}::bigint,
      note = ${params['Note'] ?? null}, sales_order_id = ${order}::bigint, payment_id = ${payment}::bigint, version = version + 1, updated_at = ${now.toISOString()}, updated_by = ${user.id} where id = ${visit.id}`)
  await writeLog(tx, { docType: 'customer_visit', docId: visit.id, at: now.toISOString(), actorId: user.id, action: 'check-out', fromStatus: 8, toStatus: 3 })
  await recountVisits(tx, visit.salesman_id, visit.doc_date)
  return { ID: visit.id, Code: visit.code }
}

async function visitReason(tx: Queries, id: unknown): Promise<number> {
  if (typeof id !== 'number') return invalid([wrong('ReasonID', 'REQUIRED')])
  const found = await tx.first(sql`select 1 from reason where id = ${id} and usage = 'VISIT' and is_active`)
  return found === undefined ? invalid([wrong('ReasonID', 'NOT_A_CHOICE.visit-reason')]) : id
}

/** Entered by the salesman for this customer since he came in, or since the day began where his device was away. */
async function madeMeanwhile({ tx, user }: CommandContext, visit: StoredVisit, what: 'order' | 'payment'): Promise<number> {
  const table = what === 'order' ? sql`sales_order` : sql`ar_payment`
  const made = await tx.first<{ id: number }>(sql`
    select id from ${table} where customer_id = ${visit.customer_id} and created_by = ${user.id} and doc_date >= ${visit.doc_date}::date and created_at >= ${visit.check_in_at}::timestamptz and status not in (5, 6, 7) order by id desc limit 1`)
  return made?.id ?? invalid([wrong('Result', what === 'order' ? 'REQUIRED.visit-order' : 'REQUIRED.visit-payment')])
}
