import { exact, fixed, type Decimal } from '#base/decimal.ts'
import { firstOfPeriod } from '#domain/sales/visitPlan.ts'
import { endOfMonth, periodOf, type DateText } from '#base/date.ts'
import type { Effect, Queries, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { numberOf, textOf } from '#server/workflow/newDocument.ts'

interface Counts extends Row {
  readonly visited: number
  readonly visited_planned: number
  readonly effective: number
}

/** What is being called off just now, so that its row still says otherwise. */
interface Without {
  readonly visit?: number
  readonly order?: number
}

/** Visits of a salesman in the month of his plan. Two visits to the same customer on a planned day keep that day once. */
async function counted(tx: Queries, plan: number, salesman: number, period: string, { visit = 0, order = 0 }: Without = {}): Promise<Counts> {
  const first = firstOfPeriod(period)
  const row = await tx.first<Counts>(sql`
    select count(*)::int as visited, count(distinct (v.plan_line_id, v.doc_date)) filter (where l.visit_plan_id = ${plan})::int as visited_planned,
      count(*) filter (where o.total > 0 and o.status <> 6 and o.id <> ${order})::int as effective
    from customer_visit v left join visit_plan_line l on l.id = v.plan_line_id left join sales_order o on o.id = v.sales_order_id
    where v.salesman_id = ${salesman} and v.doc_date between ${first}::date and ${endOfMonth(first)}::date and v.status in (8, 3) and v.id <> ${visit}`)
  return row ?? { visited: 0, visited_planned: 0, effective: 0 }
}

function withShares(planned: number, counts: Counts): Row {
  return { ...counts, productivity: share(counts.effective, counts.visited), coverage: share(counts.visited_planned, planned) }
}

function share(part: number, whole: number): Decimal | null {
  return whole === 0 ? null : fixed(exact(part).times(100).div(whole), 4)
}

/** The plan of the day is told how many visits there are by now. */
export async function recountVisits(tx: Queries, salesman: number, day: DateText, without: Without = {}): Promise<void> {
  const period = periodOf(day)
  const plan = await tx.first<{ id: number; planned: number }>(sql`
    select id, planned from visit_plan where salesman_id = ${salesman} and plan_period = ${period} and status in (1, 9) for update`)
  if (plan === undefined) return
  const { visited, visited_planned: kept, effective, productivity, coverage } = withShares(plan.planned, await counted(tx, plan.id, salesman, period, without))
  await tx.run(sql`
    update visit_plan set visited = ${visited}, visited_planned = ${kept}, effective = ${effective}, productivity = ${productivity}::numeric, coverage = ${coverage}::numeric where id = ${plan.id}`)
}

/** When a plan is approved, and when a visit is called off. */
export const countVisits: Effect = async (context) => {
  const { tx, entity, current } = context
  const salesman = numberOf(current, 'salesman_id')
  if (entity.id === 'customer_visit') await recountVisits(tx, salesman, textOf(current, 'doc_date'), { visit: current.id })
  else context.set(withShares(numberOf(current, 'planned'), await counted(tx, current.id, salesman, textOf(current, 'plan_period'))))
}

/** An order that is cancelled whole makes no call effective any more. */
export async function uncountOrder(tx: Queries, orderId: number): Promise<void> {
  const visits = await tx.rows<{ salesman_id: number; doc_date: DateText }>(sql`select distinct salesman_id, doc_date from customer_visit where sales_order_id = ${orderId} order by 1, 2`)
  for (const visit of visits) await recountVisits(tx, visit.salesman_id, visit.doc_date, { order: orderId })
}
