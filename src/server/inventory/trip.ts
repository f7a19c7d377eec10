import { exact, quantityText, type Decimal } from '#base/decimal.ts'
import { dayText, isDate } from '#base/date.ts'
import type { Command, CommandContext, Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { writeLog } from '#server/documents/audit.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { lockRecord, requireWhole } from '#server/documents/readRecord.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { tell } from '#server/sentences.ts'
import { eachRow } from '#server/workflow/eachRow.ts'
import { numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'

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

const columns = { PlanDate: 'plan_date', VehicleID: 'vehicle_id', DriverID: 'driver_id', Helper: 'helper', Route: 'route' } as const

/** Another day, vehicle or crew for trips that have not left; what is not named stays. Deliveries nothing was issued for take the new day. */
export const changeTrip: Command = async (context, { ids, params }) => {
  if ('PlanDate' in params && !isDate(params['PlanDate'])) invalid([wrong('PlanDate', 'REQUIRED')])
  const given = Object.entries(columns).flatMap(([wire, column]) => (wire in params ? [[column, params[wire] ?? null] as const] : []))
  const entity = knownEntity(context.metadata, 'delivery_plan')
  return eachRow(context, ids, async (own, id) => {
    const { tx, user } = own
    const now = own.now.toISOString()
    const trip = await lockRecord(own, tx, user, entity, id)
    await requireWhole(own, tx, user, entity, id)
    const plan = textOrNull(trip, 'code') ?? `DRAFT-${id}`
    if (![0, 1, 8].includes(Number(trip['status']))) return fail('ILLEGAL_TRANSITION.trip-left', { plan })
    const next: Row = { ...trip, ...Object.fromEntries(given) }
    const diff = Object.values(columns).filter((column) => next[column] !== trip[column]).map((field) => ({ field, from: trip[field], to: next[field] }))
    if (diff.length === 0) return tell('done.trip-unchanged', { plan })
    const day = textOf(next, 'plan_date')
    if (next['vehicle_id'] !== trip['vehicle_id']) await warnOfLoad(own, { vehicle_id: numberOrNull(next, 'vehicle_id'), load_weight: textOrNull(next, 'load_weight'), load_volume: textOrNull(next, 'load_volume') })
    await tx.run(sql`
      update delivery_plan set plan_date = ${day}::date, vehicle_id = ${next['vehicle_id']}::bigint, driver_id = ${next['driver_id']}::bigint, helper = ${next['helper']}, route = ${next['route']},
        version = version + 1, updated_at = ${now}, updated_by = ${user.id} where id = ${id}`)
    if (day !== trip['plan_date']) {
      await tx.run(sql`update delivery_order set doc_date = ${day}::date, version = version + 1, updated_at = ${now}, updated_by = ${user.id} where delivery_plan_id = ${id} and status in (0, 1, 8)`)
    }
    await writeLog(tx, { docType: 'delivery_plan', docId: id, at: now, actorId: user.id, action: 'edit', diff })
    return tell('done.trip-changed', { plan, date: dayText(day) })
  })
}
