import { periodOf, type DateText } from '#base/date.ts'
import type { DayCustomer, DayVisit, UsualItem, VisitDay } from '#api/visits.ts'
import { isVisitDay } from '#domain/sales/visitPlan.ts'
import { scopeCondition } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { rhythmOf } from './visitPlans.ts'
import { ownSalesman } from './visits.ts'

/** Items offered of one customer. */
const mostItems = 20

/** Customers of a salesman's day: those due by the plan in force in its order, then those visited beside it. */
export interface DayCustomers {
  readonly due: readonly number[]
  readonly visits: readonly VisitRow[]
  readonly ids: readonly number[]
}

export async function customersOfDay(context: CommandContext): Promise<DayCustomers> {
  const { tx, today } = context
  const salesman = await ownSalesman(context)
  const lines = await tx.rows<Row & { customer_id: number; anchor: DateText }>(sql`
    select l.*, p.anchor from visit_plan_line l join visit_plan p on p.id = l.visit_plan_id
    where p.salesman_id = ${salesman.id} and p.plan_period = ${periodOf(today)} and p.status in (1, 9) order by l.seq nulls last, l.line_no, l.id`)
  const due = [...new Set(lines.filter((line) => isVisitDay(rhythmOf(line), today, line.anchor)).map((line) => line.customer_id))]
  const visits = await tx.rows<VisitRow>(sql`
    select distinct on (customer_id) id, code, visit_key, status, customer_id, check_in_at, distance_m, result from customer_visit
    where salesman_id = ${salesman.id} and status in (8, 3) and (doc_date = ${today}::date or status = 8) order by customer_id, check_in_at desc, id desc`)
  return { due, visits, ids: [...new Set([...due, ...visits.map((visit) => visit.customer_id)])] }
}

/** The customers of the day and how each stands. */
export const visitDay: Command = async (context) => {
  const { tx, today, user } = context
  const { due, visits, ids } = await customersOfDay(context)
  const scope = scopeCondition(context.metadata, user, knownEntity(context.metadata, 'customer'), 't')
  const customers = await tx.rows<Row & { id: number; code: string; name: string; phone: string | null; address: string | null; open: string; due: string }>(sql`
    select t.id, t.code, t.name, t.phone, (select a.address from customer_address a where a.customer_id = t.id and a.kind = 'SHIP_TO' and a.is_active order by a.is_default desc, a.id limit 1) as address,
      o.open, o.due
    from customer t left join lateral (
      select coalesce(sum(i.base_remaining), 0)::numeric(18,2)::text as open, coalesce(sum(i.base_remaining) filter (where i.due_date < ${today}::date), 0)::numeric(18,2)::text as due
      from invoice i where i.customer_id = t.id and i.operating_unit_id = t.operating_unit_id and i.status in (1, 2) and i.remaining > 0) o on true
    where t.id = any(${ids}::bigint[]) and t.status = 1 ${scope ? sql`and ${scope}` : sql``}`)
  const items = await usualItems(context, customers.map(({ id }) => id))
  const reasons = await tx.rows<{ id: number; name: string; needs_note: boolean }>(sql`select id, name, needs_note from reason where usage = 'VISIT' and is_active order by code`)
  const answer: VisitDay = {
    Day: today,
    Customers: customers
      .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
      .map((customer): DayCustomer => {
        const visit = visits.find((row) => row.customer_id === customer.id)
        return {
          ID: customer.id, Code: customer.code, Name: customer.name, Address: customer.address ?? '', Phone: customer.phone ?? '', IsPlanned: due.includes(customer.id),
          Visit: visit === undefined ? null : shown(visit), Items: items.get(customer.id) ?? [], Open: customer.open, Due: customer.due,
        }
      }),
    Reasons: reasons.map((reason) => ({ ID: reason.id, Name: reason.name, NeedsNote: reason.needs_note })),
  }
  return { ...answer }
}

interface VisitRow extends Row {
  readonly id: number
  readonly code: string
  readonly visit_key: string
  readonly status: number
  readonly customer_id: number
  readonly check_in_at: string
  readonly distance_m: number | null
  readonly result: string | null
}

function shown(visit: VisitRow): DayVisit {
  return { ID: visit.id, Code: visit.code, VisitKey: visit.visit_key, Status: visit.status, CheckInAt: visit.check_in_at, DistanceM: visit.distance_m, Result: visit.result }
}

async function usualItems({ tx }: CommandContext, customers: readonly number[]): Promise<ReadonlyMap<number, readonly UsualItem[]>> {
  if (customers.length === 0) return new Map()
  const rows = await tx.rows<Row & { customer_id: number; id: number; code: string; name: string; uom: string; last_price: string | null }>(sql`
    select s.customer_id, i.id, i.code, i.name, s.uom, s.last_price from suggested_order_line s join item i on i.id = s.item_id where s.customer_id = any(${customers}::bigint[]) order by s.times desc, i.code`)
  return new Map(customers.map((customer) => [
    customer,
    rows.filter((row) => row.customer_id === customer).slice(0, mostItems).map((row) => ({ ID: row.id, Code: row.code, Name: row.name, Uom: row.uom, Price: row.last_price })),
  ]))
}
