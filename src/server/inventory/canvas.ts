import type { Effect, Precondition } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { setting } from '#server/settings.ts'
import { numberOf } from '#server/workflow/newDocument.ts'

/** What is asked for is what would be loaded, until somebody says less: submitting finds it in the warehouse. */
export const canvasHooks: DocumentHooks = {
  beforeSave({ lines }) {
    for (const { columns } of lines?.['Lines'] ?? []) {
      const { qty_requested: asked } = columns
      if (asked !== undefined) Object.assign(columns, { qty_approved: asked, qty_picked: asked, qty_loaded: asked })
    }
    return Promise.resolve()
  },
}

/** Nothing is cut of what has not been asked for yet, or is asked for anew. */
export const askForAll: Effect = async ({ tx, current }) => {
  await tx.run(sql`update canvas_request_line set qty_approved = qty_requested, qty_picked = qty_requested, qty_loaded = qty_requested where canvas_request_id = ${current.id}`)
}

/** What was approved is what will be picked and loaded, until somebody says less. */
export const approveLoading: Effect = async ({ tx, current }) => {
  await tx.run(sql`update canvas_request_line set qty_picked = qty_approved, qty_loaded = qty_approved where canvas_request_id = ${current.id}`)
}

/** A van is on one trip at a time: what is sold from it belongs to that. */
export const vanIsBack: Precondition = async ({ tx, record }) => {
  await tx.run(sql`select id from warehouse where id = ${numberOf(record, 'van_warehouse_id')} for update`)
  const out = await tx.first<{ code: string }>(sql`
    select code from canvas_request where van_warehouse_id = ${numberOf(record, 'van_warehouse_id')} and status = 8 and stage in ('SELLING', 'CHECK', 'PUTAWAY') and id <> ${record.id} limit 1`)
  if (out !== undefined) fail('ILLEGAL_TRANSITION.van-out', { document: out.code })
}

/** The trip begins today, whenever it was asked for. */
export const loadVan: Effect = async (context) => {
  const { tx, current, today } = context
  const trips = await tx.first<{ last: number | null }>(sql`select max(trip_no) as last from canvas_request where van_warehouse_id = ${numberOf(current, 'van_warehouse_id')}`)
  const loaded = await tx.first(sql`select 1 from canvas_request_line where canvas_request_id = ${current.id} and qty_loaded > 0 limit 1`)
  if (loaded === undefined) invalid([wrong('Quantities', 'REQUIRED.van-loaded')])
  await tx.run(sql`update canvas_request_line set qty_sold = 0, qty_returned = 0 where canvas_request_id = ${current.id}`)
  context.set({ posting_date: today, trip_no: (trips?.last ?? 0) + 1 })
}

/** loaded = sold + counted + difference, line by line. */
export const compareVan: Effect = async ({ tx, current }) => {
  await tx.run(sql`
    update canvas_request_line set qty_diff = qty_loaded - qty_sold - qty_returned, qty_missing = greatest(qty_loaded - qty_sold - qty_returned, 0), qty_found = greatest(qty_returned + qty_sold - qty_loaded, 0)
    where canvas_request_id = ${current.id}`)
}

/** Goods found beyond the book come in first, at what they were loaded at, for a reason; the canvasser or the company stands for those missing. */
export const settleVan: Effect = async (context) => {
  const { tx, current, input } = context
  await compareVan(context)
  await tx.run(sql`
    update canvas_request_line l set cost_found = round(l.qty_found * coalesce(nullif(l.unit_cost, 0), i.standard_cost, 0), 2), cost_returned = 0, cost_short = 0
    from item i where i.id = l.item_id and l.canvas_request_id = ${current.id}`)
  const found = await tx.first(sql`select 1 from canvas_request_line where canvas_request_id = ${current.id} and qty_found > 0 limit 1`)
  if (found !== undefined && input['reason_id'] == null) invalid([wrong('ReasonID', 'REQUIRED.van-found')])
  const bearer = await setting(tx, 'canvas_shortage', numberOf(current, 'operating_unit_id'), 'EMPLOYEE')
  context.set({ shortage: bearer === 'COMPANY' ? 'COMPANY' : 'EMPLOYEE', cost_short: '0.00' })
}
