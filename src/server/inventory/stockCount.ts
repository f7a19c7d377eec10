import { exact, fixed, money, sum, type Decimal } from '#base/decimal.ts'
import type { Effect, Precondition, Row, TransitionContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import { numberOf } from '#server/workflow/newDocument.ts'
import { partsOf } from './countedUnits.ts'
import { enteredQuantities } from './enteredQuantities.ts'
import { lockBalances } from './stock.ts'

interface CountLine extends Row {
  readonly id: number
  readonly item_id: number
  readonly batch: string
  readonly system_qty: Decimal
  readonly counted_qty: Decimal | null
  readonly recount_qty: Decimal | null
  readonly unit_cost: Decimal
}

function countLines({ tx, current }: TransitionContext): Promise<CountLine[]> {
  return tx.rows<CountLine>(sql`select id, item_id, coalesce(batch, '') as batch, system_qty, counted_qty, recount_qty, unit_cost from stock_opname_line where stock_opname_id = ${current.id} order by line_no, id for update`)
}

/** The book is written down as it stands: of the items named, or of all there are in the warehouse. What is counted differs from that, whatever moves meanwhile. */
export const freezeCount: Effect = async (context) => {
  const { tx, current, now } = context
  const warehouse = numberOf(current, 'warehouse_id')
  await tx.run(sql`
    insert into stock_opname_line (stock_opname_id, line_no, item_id, batch)
    select ${current.id}, row_number() over (order by i.code, b.batch), b.item_id, nullif(b.batch, '') from stock_balance b join item i on i.id = b.item_id
    where b.warehouse_id = ${warehouse} and b.on_hand > 0 and not exists (select 1 from stock_opname_line l where l.stock_opname_id = ${current.id})`)
  const lines = await countLines(context)
  if (lines.length === 0) fail('ILLEGAL_TRANSITION.count-nothing')
  const seen = new Set<string>()
  const twice = lines.flatMap(({ item_id: item, batch }, i) => {
    const key = `${item} ${batch}`
    if (seen.has(key)) return [wrong(`Lines[${i}].ItemID`, 'DUPLICATE.line')]
    seen.add(key)
    return []
  })
  if (twice.length > 0) invalid(twice)
  await writeDownBook(context, lines.map(({ id }) => id))
  context.set({ frozen_at: now.toISOString(), diff_value: '0.00' })
}

/** With the balances locked: whatever moves afterwards has a later movement. */
async function writeDownBook(context: TransitionContext, lineIds: readonly number[]): Promise<void> {
  const { tx, current } = context
  const lines = await countLines(context)
  await lockBalances(tx, numberOf(current, 'warehouse_id'), lines.filter(({ id }) => lineIds.includes(id)).map((line) => line.item_id))
  await tx.run(sql`
    update stock_opname_line l set last_movement_id = coalesce((select max(m.id) from stock_movement m), 0), moved_by = null,
      system_qty = coalesce((select b.on_hand from stock_balance b where b.item_id = l.item_id and b.warehouse_id = ${numberOf(current, 'warehouse_id')} and b.batch = coalesce(l.batch, '')), 0),
      unit_cost = coalesce((select round(c.value / c.qty, 6) from stock_cost c where c.item_id = l.item_id and c.operating_unit_id = ${numberOf(current, 'operating_unit_id')} and c.stock_class = ${current['stock_class']} and c.qty > 0), i.standard_cost, 0)
    from item i where i.id = l.item_id and l.id = any(${[...lineIds]}::bigint[])`)
}

/** `quantities`: `{ "<line id>": "<counted>" }`. */
export const enterCount: Effect = (context) => enter(context, 'counted_qty')

/** A second look at lines, against the book as it stands now: what moved since the first is in both. */
export const enterRecount: Effect = async (context) => {
  await writeDownBook(context, [...enteredQuantities(context).keys()])
  await enter(context, 'recount_qty')
}

async function enter(context: TransitionContext, column: 'counted_qty' | 'recount_qty'): Promise<void> {
  const { tx } = context
  const quantities = enteredQuantities(context)
  const lines = await countLines(context)
  const foreign = [...quantities.keys()].find((id) => !lines.some((line) => line.id === id))
  if (foreign !== undefined) invalid([wrong(`Quantities.${foreign}`, 'NOT_IN_SCOPE.line')])
  const counted = lines.flatMap((line) => {
    const qty = quantities.get(line.id)
    return qty === undefined ? [] : [{ id: line.id, itemId: line.item_id, qtyBase: qty, qty }]
  })
  if (counted.length === 0) invalid([wrong('Quantities', 'REQUIRED.counted')])
  const parts = await partsOf(tx, counted)
  if (parts.length > 0) invalid(parts.map(({ id, item, qty }) => wrong(`Quantities.${id}`, 'INVALID.part-of-piece', { item, qty })))
  await tx.run(sql`update stock_opname_line l set ${ident(column)} = x.qty from ${recordset(counted.map(({ id, qty }) => ({ id, qty })), { id: 'bigint', qty: 'numeric' }, 'x')} where l.id = x.id`)
  await differences(context)
}

async function differences(context: TransitionContext): Promise<void> {
  const rows = (await countLines(context)).map((line) => {
    const counted = line.recount_qty ?? line.counted_qty
    const diff = counted === null ? '0.000' : fixed(exact(counted).minus(line.system_qty), 3)
    return { id: line.id, diff, value: money(exact(diff).times(line.unit_cost)) }
  })
  await context.tx.run(sql`update stock_opname_line l set diff = x.diff, diff_value = x.value from ${recordset(rows, { id: 'bigint', diff: 'numeric', value: 'numeric' }, 'x')} where l.id = x.id`)
  context.set({ diff_value: money(sum(rows.map(({ value }) => exact(value).abs()))) })
}

/** Nobody decides on a count that is not finished. */
export const countIsWhole: Precondition = async (context) => {
  const missing = (await countLines(context)).flatMap(({ counted_qty: first, recount_qty: second }, i) => (first === null && second === null ? [wrong(`Lines[${i}].CountedQty`, 'REQUIRED.counted')] : []))
  if (missing.length > 0) invalid(missing)
}

/**
 * What is to be booked of a count: differences against the book at counting time, gains at average cost. Of a frozen count lines of items that have moved since are
 * left out and say by what: they are counted anew.
 */
export const settleCount: Effect = async (context) => {
  const { tx, current } = context
  const lines = await countLines(context)
  const balances = await lockBalances(tx, numberOf(current, 'warehouse_id'), lines.map((line) => line.item_id))
  if (current['freeze'] === true) await leaveOutMoved(context)
  await tx.run(sql`
    update stock_opname_line l set gain = case when l.moved_by is null then greatest(l.diff, 0) else 0 end, loss = case when l.moved_by is null then greatest(-l.diff, 0) else 0 end,
      gain_cost = case when l.moved_by is null then round(greatest(l.diff, 0) * coalesce(c.average, nullif(l.unit_cost, 0), i.standard_cost, 0), 2) else 0 end, loss_cost = 0
    from stock_opname_line o join item i on i.id = o.item_id
    left join lateral (select round(value / qty, 6) as average from stock_cost c where c.item_id = o.item_id and c.operating_unit_id = ${numberOf(current, 'operating_unit_id')} and c.stock_class = ${current['stock_class']} and c.qty > 0) c on true
    where o.id = l.id and l.stock_opname_id = ${current.id}`)
  const short = lines.flatMap((line, i) => {
    const counted = line.recount_qty ?? line.counted_qty ?? line.system_qty
    const loss = exact(line.system_qty).minus(counted)
    const onHand = balances.find((row) => row.item_id === line.item_id && row.batch === line.batch)?.on_hand ?? '0'
    return current['freeze'] !== true && loss.gt(onHand) ? [wrong(`Lines[${i}].CountedQty`, 'EXCEEDS_AVAILABLE.stock', { stock: onHand })] : []
  })
  if (short.length > 0) invalid(short)
}

async function leaveOutMoved({ tx, current, metadata, entity }: TransitionContext): Promise<void> {
  const moved = await tx.rows<{ id: number; doc_type: string; doc_id: number }>(sql`
    select distinct on (l.id) l.id, m.doc_type, m.doc_id from stock_opname_line l join stock_movement m on m.item_id = l.item_id and m.warehouse_id = ${numberOf(current, 'warehouse_id')} and m.id > l.last_movement_id and m.qty <> 0
    where l.stock_opname_id = ${current.id} and not (m.doc_type = ${entity.id} and m.doc_id = ${current.id}) order by l.id, m.id`)
  const names = await Promise.all(moved.map(async ({ id, doc_type: type, doc_id: document }) => {
    const table = metadata.entities[type] === undefined ? undefined : knownEntity(metadata, type).table
    const row = table === undefined ? undefined : await tx.first<{ code: string | null }>(sql`select code from ${ident(table)} where id = ${document}`)
    return { id, name: row?.code ?? `${type} ${document}` }
  }))
  const whole = await tx.first<{ count: number }>(sql`select count(*)::int as count from stock_opname_line where stock_opname_id = ${current.id}`)
  const [first] = names
  if (first !== undefined && names.length === whole?.count) fail('ILLEGAL_TRANSITION.count-moved', { document: first.name })
  await tx.run(sql`update stock_opname_line l set moved_by = x.name from ${recordset(names, { id: 'bigint', name: 'text' }, 'x')} where l.id = x.id`)
}
