import { exact, quantityText, type Decimal } from '#base/decimal.ts'
import { isDate, dayText, type DateText } from '#base/date.ts'
import { columnScope } from '#server/access/scope.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { eachRow } from '#server/workflow/eachRow.ts'

/** What a trip carries; kilograms and cubic metres. */
interface Load {
  readonly vehicle_id: number | null
  readonly load_weight: Decimal | null
  readonly load_volume: Decimal | null
}

/** Asks before a vehicle carries more than it may. One whose limit nobody has entered carries anything. */
export async function warnOfLoad(context: CommandContext, { vehicle_id: vehicle, load_weight: weight, load_volume: volume }: Load): Promise<void> {
  if (vehicle === null) return
  const most = await context.tx.first<{ code: string; max_weight: Decimal | null; max_volume: Decimal | null }>(sql`select code, max_weight, max_volume from vehicle where id = ${vehicle}`)
  if (most === undefined) return
  const isOver = (load: Decimal | null, limit: Decimal | null): boolean => load !== null && limit !== null && exact(load).gt(limit)
  const said = (load: Decimal | null, limit: Decimal | null) => ({ vehicle: most.code, load: quantityText(load ?? '0'), most: quantityText(limit ?? '0') })
  if (isOver(weight, most.max_weight)) context.warn(`OVERLOADED-${vehicle}-weight-${weight}`, 'OVERLOADED', tell('warning.overloaded-weight', said(weight, most.max_weight)))
  if (isOver(volume, most.max_volume)) context.warn(`OVERLOADED-${vehicle}-volume-${volume}`, 'OVERLOADED', tell('warning.overloaded-volume', said(volume, most.max_volume)))
}

interface Trip extends Load, Row {
  readonly id: number
  readonly code: string | null
  readonly status: number
  readonly plan_date: DateText
  readonly driver_id: number | null
  readonly helper: string | null
  readonly route: string | null
}

const columns = { PlanDate: 'plan_date', VehicleID: 'vehicle_id', DriverID: 'driver_id', Helper: 'helper', Route: 'route' } as const

/** Another day, vehicle or crew for trips that have not left; what is not named stays. Deliveries nothing was issued for take the new day. */
export const changeTrip: Command = async (context, { ids, params }) => {
  if ('PlanDate' in params && !isDate(params['PlanDate'])) invalid([wrong('PlanDate', 'REQUIRED')])
  const given = Object.entries(columns).flatMap(([wire, column]) => (wire in params ? [[column, params[wire] ?? null] as const] : []))
  const scope = columnScope(context.user, { operating_unit: 'operating_unit_id', territory: 'territory_id' }, 'p')
  return eachRow(context, ids, async (own, id) => {
    const { tx, user } = own
    const now = own.now.toISOString()
    const trip = await tx.first<Trip>(sql`
      select p.id, coalesce(p.code, 'DRAFT-' || p.id) as code, p.status, p.plan_date, p.vehicle_id, p.driver_id, p.helper, p.route, p.load_weight, p.load_volume
      from delivery_plan p where p.id = ${id} and ${scope ?? sql`true`} for update`)
    if (trip === undefined) return fail('NOT_IN_SCOPE')
    const plan = trip.code ?? ''
    if (![0, 1, 8].includes(trip.status)) return fail('ILLEGAL_TRANSITION.trip-left', { plan })
    const next: Trip = { ...trip, ...Object.fromEntries(given) }
    const diff = Object.values(columns).filter((column) => next[column] !== trip[column]).map((field) => ({ field, from: trip[field], to: next[field] }))
    if (diff.length === 0) return tell('done.trip-unchanged', { plan })
    if (next.vehicle_id !== trip.vehicle_id) await warnOfLoad(own, next)
    await tx.run(sql`
      update delivery_plan set plan_date = ${next.plan_date}::date, vehicle_id = ${next.vehicle_id}::bigint, driver_id = ${next.driver_id}::bigint, helper = ${next.helper}, route = ${next.route},
        version = version + 1, updated_at = ${now}, updated_by = ${user.id} where id = ${id}`)
    if (next.plan_date !== trip.plan_date) {
      await tx.run(sql`update delivery_order set doc_date = ${next.plan_date}::date, version = version + 1, updated_at = ${now}, updated_by = ${user.id} where delivery_plan_id = ${id} and status in (0, 1, 8)`)
    }
    await writeLog(tx, { docType: 'delivery_plan', docId: id, at: now, actorId: user.id, action: 'edit', diff })
    return tell('done.trip-changed', { plan, date: dayText(next.plan_date) })
  })
}
