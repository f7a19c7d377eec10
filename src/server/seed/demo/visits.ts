import { addDays, periodOf } from '#base/date.ts'
import { firstOfPeriod, isVisitDay, mondayOf, weekdays, type VisitRhythm } from '#domain/sales/visitPlan.ts'
import type { Clock, Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { checkIn, checkOut } from '#server/sales/visits.ts'
import type { Desk } from './desk.ts'

interface Shop extends Record<string, unknown> {
  readonly id: number
  readonly latitude: string
  readonly longitude: string
}

/** Of a salesman's customers a third is visited every week, a third every second, the others once a month. */
function rhythmAt(n: number): VisitRhythm {
  const weekday = weekdays[n % 7] ?? 'MON'
  const round = Math.floor(n / 7)
  if (round % 4 < 2) return { pattern: 'WEEKLY', weekday, weekNo: null }
  return round % 4 === 2 ? { pattern: 'BIWEEKLY', weekday, weekNo: 1 + (n % 2) } : { pattern: 'MONTHLY', weekday, weekNo: 1 + (n % 5) }
}

/** Plans of this month: one in force with the visits of the last days, one waiting, one in draft; the next month of the first is being written. */
export async function customerVisits(database: Database, clock: Clock, desk: Desk): Promise<void> {
  const today = clock.today()
  const salesmen = await database.rows<{ id: number; has_account: boolean }>(sql`
    select e.id, e.user_id is not null as has_account from employee e join operating_unit u on u.id = e.operating_unit_id where u.code = 'JKT' and e.position = 'SALESMAN'
      and exists (select 1 from customer c where c.salesman_id = e.id and c.status = 1) order by (e.user_id is null), e.work_number limit 3`)
  for (const [i, salesman] of salesmen.entries()) {
    const shops = await database.rows<Shop>(sql`
      select c.id, coalesce(c.latitude, 0) as latitude, coalesce(c.longitude, 0) as longitude from customer c where c.salesman_id = ${salesman.id} and c.status = 1 order by c.sales_area_id, c.code limit 36`)
    const Lines = shops.map((shop, n) => {
      const { pattern, weekday, weekNo } = rhythmAt(n)
      return { CustomerID: shop.id, Pattern: pattern, Weekday: weekday, WeekNo: weekNo, Seq: 1 + Math.floor(n / 7) }
    })
    const body = { SalesmanID: salesman.id, PlanPeriod: periodOf(today), Pattern: 'WEEKLY', DocDate: today, Lines }
    const plan = await desk.enter('sales', 'visit_plan', body, i < 2)
    if (i > 0) continue
    await desk.approve(['supervisor'], 'visit_plan', plan)
    await desk.enter('sales', 'visit_plan', { ...body, PlanPeriod: periodOf(addDays(firstOfPeriod(periodOf(today)), 32)) }, false)
    if (salesman.has_account) await visitsBefore(database, clock, desk, shops)
  }
}

/** The last days of the salesman with an account: nearly all customers due, one he passed by, and why some did not buy. */
async function visitsBefore(database: Database, clock: Clock, desk: Desk, shops: readonly Shop[]): Promise<void> {
  const today = clock.today()
  const reasons = await database.rows<{ id: number; code: string }>(sql`select id, code from reason where usage = 'VISIT' and is_active order by code`)
  const anchor = mondayOf(firstOfPeriod(periodOf(today)))
  for (let back = 4; back > 0; back--) {
    const day = addDays(today, -back)
    const due = shops.filter((_, n) => isVisitDay(rhythmAt(n), day, anchor))
    const passing = shops.find((shop) => !due.includes(shop))
    const visited = [...due.slice(0, 4), ...(back === 2 && passing !== undefined ? [passing] : [])]
    for (const [n, shop] of visited.entries()) {
      const at = (minute: number): string => new Date(Date.parse(`${day}T01:30:00Z`) + (n * 45 + minute) * 60_000).toISOString()
      const key = `demo-${day}-${shop.id}`
      const isFar = back === 3 && n === 1
      const there = { Latitude: (Number(shop.latitude) + (isFar ? 0.009 : 0.0002)).toFixed(6), Longitude: (Number(shop.longitude) - 0.0001).toFixed(6) }
      await desk.command('field', checkIn, [], { VisitKey: key, CustomerID: shop.id, At: at(0), ...there })
      await desk.command('field', checkOut, [], {
        VisitKey: key, At: at(20), ...there, Result: n === 3 ? 'CLOSED' : 'NO_ORDER', ReasonID: reasons[n === 3 ? 4 : (n + back) % 3]?.id, ...(isFar ? { Note: 'Bertemu pemilik di gudang' } : {}),
      })
    }
  }
}
