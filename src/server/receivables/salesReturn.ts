import { compare, exact, fixed, isDecimal, isZero, money, quantityText, sum, type Decimal } from '#base/decimal.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import type { CommandContext, Effect, Precondition, Queries, Row, TransitionContext } from '#server/context.ts'
import { defaultFor } from '#server/approval/requestApproval.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { partsOf } from '#server/inventory/countedUnits.ts'
import { settlePromotions } from '#server/pricing/promotionUses.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { linesOf } from '#server/workflow/documentLines.ts'
import { insertDocument, numberOf, numberOrNull, textOf } from '#server/workflow/newDocument.ts'
import { refuse } from '#server/workflow/settleParts.ts'
import { priceReturn } from './returnPrice.ts'

/** What was asked for is priced whenever it is saved; where the goods go is filled in where nobody says. */
export const salesReturnHooks: DocumentHooks = {
  computed: ['posting_date', 'lines.qty_taken'],
  async afterSave({ context }, { id }) {
    await prepareReturn(context.tx, id)
  },
}

/** Prices a draft, and sends its goods to the warehouses of its unit where nobody has said which. */
export async function prepareReturn(tx: Queries, id: number): Promise<void> {
  const document = await tx.first<Row & { id: number }>(sql`select * from sales_return where id = ${id}`)
  if (document === undefined) return
  const { dpp, ppn, total, gift_deduction: deduction, gift_ppn: giftPpn } = await priceReturn(tx, document, 'asked')
  const place = (kind: string) => sql`(select w.id from warehouse w where w.operating_unit_id = s.operating_unit_id and w.stock_class = ${kind} and w.is_active order by w.kind <> 'MAIN', w.id limit 1)`
  await tx.run(sql`
    update sales_return s set dpp = ${dpp}, ppn = ${ppn}, total = ${total}, gift_deduction = ${deduction}, gift_ppn = ${giftPpn},
      quarantine_id = coalesce(s.quarantine_id, ${place('RETURN')}), warehouse_id = coalesce(s.warehouse_id, ${place('UNRESTRICTED')}) where s.id = ${id}`)
}

/** The returns a proof of delivery has made. */
export const priceReturns: Effect = async ({ tx, current }) => {
  const made = await tx.rows<{ id: number }>(sql`select id from sales_return where pod_id = ${current.id} and status = 0 order by id`)
  for (const { id } of made) await prepareReturn(tx, id)
}

/** Somebody decides on it, every item has a price, and no more is asked for than the invoice has left. */
export const returnIsComplete: Precondition = async (context) => {
  const { tx, record } = context
  if (record['kind'] === 'WITHOUT_REF') {
    // Without an invoice somebody always decides.
    const rows = await tx.first(sql`select 1 from approval_matrix where doc_type = 'sales_return' and is_active limit 1`)
    if (rows === undefined && (await defaultFor(tx, 'sales_return')) === 'AUTO') fail('VALIDATION_FAILED.matrix')
    const unpriced = (await linesOf(context)).flatMap(({ row }, i) => (isZero(textOf(row, 'price')) ? [wrong(`Lines[${i}].ItemID`, 'PR00')] : []))
    if (unpriced.length > 0) invalid(unpriced)
  }
  await returnFits(context)
}

/** Others that are approved and have not arrived yet are on their way, and what they bring cannot be asked for twice. The invoice is locked. */
async function returnFits(context: TransitionContext): Promise<void> {
  const { tx, current } = context
  const invoice = numberOrNull(current, 'invoice_id')
  if (invoice === null) return
  await tx.run(sql`select id from invoice where id = ${invoice} for update`)
  const rows = await linesOf(context)
  const left = new Map((await tx.rows<{ id: number; left: Decimal }>(sql`
    select v.id, v.qty_base - v.returned_qty - coalesce((select sum(l.qty_requested) from sales_return_line l join sales_return h on h.id = l.sales_return_id where l.invoice_line_id = v.id and h.status = 1 and h.id <> ${current.id}), 0) as left
    from invoice_line v where v.invoice_id = ${invoice}`)).map((row) => [row.id, exact(row.left)]))
  const problems = rows.flatMap(({ row }, i): FieldProblem[] => {
    const line = numberOrNull(row, 'invoice_line_id')
    const most = line === null ? undefined : left.get(line)
    if (line === null || most === undefined) return []
    const qty = textOf(row, 'qty_requested')
    left.set(line, most.minus(qty))
    return most.lt(qty) ? [wrong(`Lines[${i}].QtyRequested`, 'EXCEEDS_REMAINING.quantity', { limit: quantityText(most.gt(0) ? most : exact('0')) })] : []
  })
  refuse(problems)
}

/** The goods may come: asked again under lock, for others may have been approved meanwhile. */
export const authoriseReturn: Effect = (context) => returnFits(context)

/** Quantities of a param by line, each at most what the line has in `most`; lines not named: `unnamed`. */
export function quantities({ input }: TransitionContext, name: 'quantities' | 'bad' | 'refused', lines: readonly Row[], most: string, unnamed: (line: Row) => Decimal): ReadonlyMap<number, Decimal> {
  const given: unknown = input[name] ?? {}
  const wire = `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return invalid([wrong(wire, 'INVALID.quantities')])
  const found = new Map(lines.map((line) => [numberOf(line, 'id'), unnamed(line)]))
  for (const [key, value] of Object.entries(given)) {
    const at = `${wire}.${key}`
    const line = lines.find((one) => String(one['id']) === key)
    if (line === undefined) return invalid([wrong(at, 'NOT_IN_SCOPE.line')])
    const text = value === null || value === '' ? '0' : String(value)
    if (!isDecimal(text, 3) || compare(text, '0') < 0) return invalid([wrong(at, 'INVALID.not-quantity', { value: text.slice(0, 40) })])
    if (compare(text, textOf(line, most)) > 0) return invalid([wrong(at, 'EXCEEDS_REMAINING.quantity', { limit: quantityText(textOf(line, most)) })])
    found.set(Number(key), fixed(text, 3))
  }
  return found
}

/** What came of what was asked for, worth what it cost when it was sold; without an invoice what such goods cost now. */
export const receiveReturn: Effect = async (context) => {
  const { tx, current, today } = context
  const lines = (await linesOf(context)).map(({ row }) => row)
  const received = quantities(context, 'quantities', lines, 'qty_requested', (line) => textOf(line, 'qty_requested'))
  const rows = lines.map((line) => ({ id: numberOf(line, 'id'), itemId: numberOf(line, 'item_id'), qty: received.get(numberOf(line, 'id')) ?? '0', qtyBase: received.get(numberOf(line, 'id')) ?? '0' }))
  const parts = await partsOf(tx, rows)
  if (parts.length > 0) invalid(parts.map(({ id, item, qty }) => wrong(`Quantities.${id}`, 'INVALID.part-of-piece', { item, qty })))
  if (rows.every((row) => isZero(row.qty))) invalid([wrong('Quantities', 'REQUIRED.received')])
  await tx.run(sql`update sales_return_line l set qty_received = x.qty, qty_taken = x.qty from ${recordset(rows.map(({ id, qty }) => ({ id, qty })), { id: 'bigint', qty: 'numeric' }, 'x')} where l.id = x.id`)
  const costs = await costsOf(tx, current)
  await tx.run(sql`update sales_return_line l set cost = x.cost from ${recordset(costs, { id: 'bigint', cost: 'numeric' }, 'x')} where l.id = x.id`)
  context.set({ received_date: today, posting_date: today, cost: money(sum(costs.map(({ cost }) => cost))) })
}

async function costsOf(tx: Queries, document: Row & { readonly id: number }): Promise<readonly { readonly id: number; readonly cost: Decimal }[]> {
  const rows = await tx.rows<{ id: number; line: number | null; qty: Decimal; whole: Decimal; cogs: Decimal; back_qty: Decimal; back_cost: Decimal; average: Decimal }>(sql`
    select l.id, l.invoice_line_id as line, l.qty_received as qty, coalesce(v.qty_base, 0) as whole, coalesce(v.cogs, 0) as cogs, coalesce(b.qty, 0) as back_qty, coalesce(b.cost, 0) as back_cost,
      coalesce(case when c.qty > 0 then round(c.value / c.qty, 6) end, i.standard_cost, 0) as average
    from sales_return_line l join item i on i.id = l.item_id left join invoice_line v on v.id = l.invoice_line_id
    left join stock_cost c on c.item_id = l.item_id and c.operating_unit_id = ${numberOf(document, 'operating_unit_id')} and c.stock_class = 'UNRESTRICTED'
    left join lateral (
      select sum(o.qty_taken) as qty, sum(o.cost - o.cost_refused) as cost from sales_return_line o join sales_return h on h.id = o.sales_return_id
      where o.invoice_line_id = l.invoice_line_id and h.status in (3, 8) and h.id <> ${document.id}
    ) b on true
    where l.sales_return_id = ${document.id} order by l.line_no, l.id`)
  const back = new Map<number, { readonly qty: Decimal; readonly cost: Decimal }>()
  return rows.map(({ id, line, qty, whole, cogs, back_qty: backQty, back_cost: backCost, average }) => {
    if (line === null || isZero(whole)) return { id, cost: money(exact(average).times(qty).round(2)) }
    const before = back.get(line) ?? { qty: backQty, cost: backCost }
    const upTo = exact(before.qty).plus(qty)
    const cost = money(exact(money(exact(cogs).times(upTo).div(whole).round(2))).minus(before.cost))
    back.set(line, { qty: fixed(upTo, 3), cost: money(sum([before.cost, cost])) })
    return { id, cost }
  })
}

/** The credit note of the return, and what it costs that the goods are here again. */
export const creditReturn: Effect = async (context) => {
  const { tx, current, today } = context
  const amounts = await priceReturn(tx, current, 'credited')
  await tx.run(sql`update sales_return_line set cost_credited = cost - cost_refused where sales_return_id = ${current.id}`)
  await changeOrderLines(context, 1)
  context.set({ ...amounts, credited_date: today })
  if (compare(amounts.total, '0') < 0) fail('VALIDATION_FAILED.gifts-exceed')
  if (isZero(amounts.total)) return
  const note = await makeCreditNote(context, amounts)
  context.set({ credit_note_id: note, ppn_pending: compare(amounts.ppn, '0') > 0 })
}

async function makeCreditNote(context: TransitionContext, { dpp, ppn, total }: { readonly dpp: Decimal; readonly ppn: Decimal; readonly total: Decimal }): Promise<number> {
  const { tx, current, today } = context
  const lines = await tx.rows<Row>(sql`
    select l.item_id, i.base_uom as uom, l.qty_good + l.qty_bad as qty, l.price, l.dpp as amount, null as description from sales_return_line l join item i on i.id = l.item_id
    where l.sales_return_id = ${current.id} and l.qty_good + l.qty_bad > 0
    union all select g.item_id, i.base_uom, g.qty, g.price, -g.amount, 'Free goods not returned' from sales_return_open_gift g join item i on i.id = g.item_id where g.sales_return_id = ${current.id}`)
  const invoice = numberOrNull(current, 'invoice_id')
  const faktur = invoice === null ? undefined : await tx.first<{ number: string; date: string }>(sql`
    select faktur_number as number, doc_date as date from tax_invoice where invoice_id = ${invoice} and direction = 'OUT' and faktur_number is not null and status = 'APPROVED' order by id desc limit 1`)
  const { id } = await insertDocument(
    context, 'credit_note',
    {
      operating_unit_id: numberOf(current, 'operating_unit_id'), territory_id: numberOrNull(current, 'territory_id'), doc_date: today, kind: 'RETURN', customer_id: numberOf(current, 'customer_id'), invoice_id: invoice, sales_return_id: current.id,
      currency: textOf(current, 'currency'), claimed: '0', dpp, ppn, pph_rate: '0', pph: '0', total, remaining: '0', funding: 'COMPANY', principal_pct: '0', principal_share: '0', company_share: dpp, lines_total: dpp,
      faktur_number: faktur?.number ?? null, faktur_date: faktur?.date ?? null, description: `Return ${textOf(current, 'code')}`, ppn_pending: false,
    },
    { table: 'credit_note_line', rows: lines },
  )
  await context.transition('credit_note', id, 'issue')
  return id
}

/** What customers keep of orders; gifts paid for count as returned, so that they are paid for once. */
async function changeOrderLines(context: CommandContext & { readonly current: Row & { readonly id: number } }, sign: 1 | -1): Promise<void> {
  await context.tx.run(sql`
    update sales_order_line o set returned_qty = o.returned_qty + ${sign} * x.qty from (
      select order_line_id, sum(qty) as qty from (
        select v.order_line_id, l.qty_good + l.qty_bad as qty from sales_return_line l join invoice_line v on v.id = l.invoice_line_id where l.sales_return_id = ${context.current.id} and v.order_line_id is not null
        union all select order_line_id, qty from sales_return_open_gift where sales_return_id = ${context.current.id}
      ) y group by 1
    ) x where x.order_line_id = o.id`)
  const orders = await context.tx.rows<{ id: number }>(sql`
    select distinct o.sales_order_id as id from sales_return_line l join invoice_line v on v.id = l.invoice_line_id join sales_order_line o on o.id = v.order_line_id join promotion_use u on u.sales_order_id = o.sales_order_id
    where l.sales_return_id = ${context.current.id} order by 1`)
  settlePromotions(context.tx, orders.map(({ id }) => id))
}

/** Nobody has used what was credited. */
export const returnCreditUnused: Precondition = async ({ tx, record }) => {
  const id = numberOrNull(record, 'credit_note_id')
  if (id === null) return
  const note = await tx.first<{ status: number; total: Decimal; remaining: Decimal; pending_transition: string | null }>(sql`select status, total, remaining, pending_transition from credit_note where id = ${id} for update`)
  if (note === undefined || note.status !== 1 || note.pending_transition !== null || compare(note.total, note.remaining) !== 0) fail('ILLEGAL_TRANSITION.credit-note-used')
}

/** Takes back the credit note; the goods and their books go back with the return itself. */
export const undoReturn: Effect = async (context) => {
  await returnCreditUnused(context)
  const id = numberOrNull(context.current, 'credit_note_id')
  if (id !== null) await context.transition('credit_note', id, 'reverse')
  if (context.current['status'] === 3) await changeOrderLines(context, -1)
}

/** The buyer's nota retur has come: the credit note takes it, and with it the VAT. */
export const passTaxReturn: Effect = async (context) => {
  const { nota_retur_number: number, nota_retur_date: day } = context.input
  await context.transition('credit_note', numberOf(context.current, 'credit_note_id'), 'tax-return', { nota_retur_number: number, nota_retur_date: day })
  context.set({ nota_retur_number: number, nota_retur_date: day, ppn_pending: false })
}

