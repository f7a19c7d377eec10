import { exact, fixed, spread, type Exact } from '#base/decimal.ts'
import type { Effect, Precondition, Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { fail } from '#server/problemError.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { insertDocument, logStatusChanges, numberOf, numberOrNull, textOf, type NewDocument } from '#server/workflow/newDocument.ts'
import { dueOf, payableAccount, refuseTwin } from './vendorInvoice.ts'
import { looseNumber, numberKey } from './vendorNumber.ts'

interface Drop extends Row {
  readonly id: number
  readonly customer_id: number
  readonly weight: string
}

/** The share each delivery has of a cost is never entered: it follows from the trip. */
export const shipmentCostHooks: DocumentHooks = {
  beforeSave({ lines }) {
    const own = lines?.['Lines']
    if (own !== undefined) own.length = 0
    return Promise.resolve()
  },
  async afterSave({ context: { tx }, before, header }, { id }) {
    await spreadOver(tx, id, { ...before, ...header })
  },
}

/** The trip may have changed since it was saved. */
export const spreadShipmentCost: Effect = async ({ tx, current }) => spreadOver(tx, current.id, current)

/** A cost per drop is shared evenly, any other by weight; where nothing has a weight, evenly too. The parts come to the estimate to the cent. */
async function spreadOver(tx: Queries, id: number, cost: Row): Promise<void> {
  const drops = await tx.rows<Drop>(sql`
    select d.id, d.customer_id, coalesce((select sum(l.qty_planned * i.weight_kg) from delivery_order_line l join item i on i.id = l.item_id where l.delivery_order_id = d.id), 0)::numeric(18,3) as weight
    from delivery_order d where d.delivery_plan_id = ${numberOf(cost, 'delivery_plan_id')} and d.status <> 6 order by d.id`)
  const isEven = cost['basis'] === 'DROP' || drops.every(({ weight }) => exact(weight).eq(0))
  const weights: readonly Exact[] = drops.map(({ weight }) => exact(isEven ? '1' : weight))
  const [amounts, shares] = drops.length === 0 ? [[], []] : [spread(exact(textOf(cost, 'estimate')), weights, 2), spread(exact('100'), weights, 4)]
  await tx.run(sql`delete from shipment_cost_line where shipment_cost_id = ${id}`)
  await insertRows(tx, 'shipment_cost_line', drops.map((drop, i) => ({
    shipment_cost_id: id, line_no: i + 1, delivery_order_id: drop.id, customer_id: drop.customer_id, weight: drop.weight, weight_share: fixed(shares[i] ?? exact('0'), 4), amount: fixed(amounts[i] ?? exact('0'), 2),
  })))
}

/** A trip has each kind of cost once. */
export const shipmentCostIsNew: Precondition = async ({ tx, record }) => {
  const [plan, type] = [numberOf(record, 'delivery_plan_id'), numberOf(record, 'expense_type_id')]
  await tx.exclusive(`shipment costs of plan ${plan}`, async () => {
    const other = await tx.first<{ code: string }>(sql`
      select coalesce(code, 'DRAFT-' || id) as code from shipment_cost where delivery_plan_id = ${plan} and expense_type_id = ${type} and id <> ${record.id} and status in (1, 3, 4) order by id`)
    if (other !== undefined) fail('DUPLICATE_DOCUMENT.shipment-cost', { document: other.code })
  })
}

/** The transporter's invoice over costs accrued: the accruals are used up, what he bills beyond them is an expense of the same kind. */
export const billShipmentCosts: Effect = async (context) => {
  const { tx, current, record } = context
  const lines = (await linesOf(context)).map(({ row }) => row)
  const [vendorId, unit, number] = [numberOf(current, 'transporter_id'), numberOf(current, 'operating_unit_id'), textOf(current, 'vendor_invoice_no')]
  await tx.exclusive(`invoices of vendor ${vendorId}`, () => refuseTwin(context, { id: 0, vendorId, number }))
  const ids = lines.map((line) => numberOf(line, 'shipment_cost_id'))
  const costs = new Map((await tx.rows<Cost>(sql`
    select c.id, c.code, c.status, c.pending_transition, c.estimate, c.expense_type_id, p.code as plan_code, t.account_id, t.ppn_code_id, t.pph_code_id, k.kind as pph_kind, k.rate as pph_rate
    from shipment_cost c join delivery_plan p on p.id = c.delivery_plan_id join expense_type t on t.id = c.expense_type_id left join tax_code k on k.id = t.pph_code_id
    where c.id = any(${ids}::bigint[]) order by c.id for update of c`)).map((cost) => [cost.id, cost]))
  if (new Set(ids).size < ids.length) fail('VALIDATION_FAILED.cost-twice')
  const rows = lines.map((line): Row => {
    const cost = costs.get(numberOf(line, 'shipment_cost_id'))
    if (cost?.status !== 1 || cost.pending_transition !== null) fail('ILLEGAL_TRANSITION.cost-not-open', { document: cost?.code ?? '' })
    const amount = textOf(line, 'invoice_amount')
    return {
      shipment_cost_id: cost.id, expense_type_id: cost.expense_type_id, account_id: cost.account_id, description: `${cost.code} ${cost.plan_code ?? ''}`.trim(), qty: '1', price: amount, amount,
      accrued: cost.estimate, freight_difference: fixed(exact(amount).minus(cost.estimate), 2), tax_code_id: cost.ppn_code_id, pph_code_id: cost.pph_code_id, pph_kind: cost.pph_kind, pph_rate: cost.pph_rate, pph: textOf(line, 'pph'),
    }
  })
  const term = numberOrNull(current, 'payment_term_id') ?? (await tx.first<{ id: number | null }>(sql`select payment_term_id as id from business_partner where id = ${vendorId}`))?.id ?? null
  const header: NewDocument = {
    operating_unit_id: unit, territory_id: null, doc_date: record['doc_date'] as NewDocument['doc_date'], kind: 'SHIPMENT', vendor_id: vendorId, vendor_invoice_no: number, number_key: numberKey(number), number_loose: looseNumber(number),
    received_date: context.today, payment_term_id: term, dpp: current['dpp'], ppn: current['ppn'] ?? '0', pph: current['pph'], total: current['total'], faktur_number: current['faktur_number'] ?? null, faktur_date: current['faktur_date'] ?? null,
    account_id: await payableAccount(tx, unit, 'NON_TRADE'), currency: current['currency'], note: current['note'] ?? null,
  }
  Object.assign(header, await dueOf(tx, header))
  const { id } = await insertDocument(context, 'vendor_invoice', header, { table: 'vendor_invoice_line', rows })
  await context.transition('vendor_invoice', id, 'post-freight')
  for (const line of lines) {
    const costId = numberOf(line, 'shipment_cost_id')
    await tx.run(sql`update shipment_cost set status = 3, actual = ${textOf(line, 'invoice_amount')}, version = version + 1, updated_at = ${context.now.toISOString()}, updated_by = ${context.user.id} where id = ${costId}`)
  }
  await logStatusChanges(context, 'shipment_cost', 'bill', ids.map((costId) => ({ id: costId, from: 1, to: 3 })))
  context.set({ vendor_invoice_id: id })
}

interface Cost extends Row {
  readonly id: number
  readonly code: string
  readonly status: number
  readonly pending_transition: string | null
  readonly estimate: string
  readonly expense_type_id: number
  readonly plan_code: string | null
  readonly account_id: number
  readonly ppn_code_id: number | null
  readonly pph_code_id: number | null
  readonly pph_kind: string | null
  readonly pph_rate: string | null
}

/** With a transporter's invoice gone its costs wait for another. */
export const freeShipmentCosts: Effect = async (context) => {
  const { tx, current, now, user } = context
  if (current['kind'] !== 'SHIPMENT') return
  const at = now.toISOString()
  const costs = await tx.rows<{ id: number }>(sql`
    update shipment_cost c set status = 1, actual = null, version = c.version + 1, updated_at = ${at}, updated_by = ${user.id}
    from vendor_invoice_line l where l.vendor_invoice_id = ${current.id} and c.id = l.shipment_cost_id and c.status = 3 returning c.id`)
  await logStatusChanges(context, 'shipment_cost', 'free', costs.map(({ id }) => ({ id, from: 3, to: 1 })))
  const executions = await tx.rows<{ id: number }>(sql`
    update shipment_cost_execution set status = 7, version = version + 1, updated_at = ${at}, updated_by = ${user.id}, cancelled_at = ${at}, cancelled_by = ${user.id} where vendor_invoice_id = ${current.id} and status = 1 returning id`)
  await logStatusChanges(context, 'shipment_cost_execution', 'free', executions.map(({ id }) => ({ id, from: 1, to: 7 })))
}
