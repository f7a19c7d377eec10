import { exact, fixed, money, sum, type Decimal, type Exact } from '#base/decimal.ts'
import type { CommandContext, Effect, Row, TransitionContext } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { partsOf } from './countedUnits.ts'
import { enteredQuantities } from './enteredQuantities.ts'

/** The lines follow from the combo: nobody types them. */
export const kittingHooks: DocumentHooks = {
  async beforeSave({ context, before, header, lines, problem }) {
    if (lines?.['Lines'] !== undefined && lines['Lines'].length > 0) problem(wrong('Lines', 'READ_ONLY.kit-lines'))
    const { combo_id: combo, doc_date: day }: Row = { ...before, ...header }
    if (typeof combo !== 'number' || typeof day !== 'string') return
    const known = await context.tx.first<{ kind: string; ok: boolean; components: number }>(sql`
      select c.kind, c.is_active and c.valid_from <= ${day}::date and (c.valid_to is null or c.valid_to >= ${day}::date) as ok, (select count(*)::int from combo_component p where p.combo_id = c.id) as components
      from combo c where c.id = ${combo}`)
    if (known === undefined) return
    if (known.kind !== 'KIT') problem(wrong('ComboID', 'NOT_A_CHOICE.kit-stocked'))
    else if (!known.ok) problem(wrong('ComboID', 'NOT_A_CHOICE.kit-period'))
    else if (known.components === 0) problem(wrong('ComboID', 'NOT_A_CHOICE.kit-empty'))
  },
  async afterSave({ context, before, header }, { id }) {
    const changed = (name: string): boolean => before === undefined || (name in header && String(header[name]) !== String(before[name]))
    if (['combo_id', 'kind', 'qty', 'warehouse_id'].some(changed)) await planLines(context, id)
  },
}

interface Part extends Row {
  readonly item_id: number
  readonly is_kit: boolean
  readonly goes_out: boolean
  readonly qty: Decimal
  readonly cost_share: Decimal
  readonly standard_cost: Decimal
  readonly warehouse_id: number
}

/** The kit and its components, as many as the order says; what leaves, from the oldest batches. */
async function planLines({ tx }: CommandContext, id: number): Promise<void> {
  const parts = await tx.rows<Part>(sql`
    with o as (select k.*, k.kind = 'ASSEMBLE' as assembles, c.item_id as kit from kitting_order k join combo c on c.id = k.combo_id where k.id = ${id})
    select p.*, coalesce(i.standard_cost, 0) as standard_cost from (
      select o.kit as item_id, true as is_kit, not o.assembles as goes_out, o.qty, 100::numeric as cost_share, o.warehouse_id, 0 as place, 0 as part from o
      union all select p.item_id, false, o.assembles, round(p.qty * o.qty, 3), p.cost_share, o.warehouse_id, p.line_no, p.id from o join combo_component p on p.combo_id = o.combo_id
    ) p join item i on i.id = p.item_id order by p.is_kit desc, p.place, p.part`)
  const leaving = parts.filter((part) => part.goes_out)
  const stock = await tx.rows<{ id: number; item_id: number; batch: string; free: Decimal }>(sql`
    select id, item_id, batch, on_hand - reserved as free from stock_balance where warehouse_id = ${parts[0]?.warehouse_id ?? 0} and item_id = any(${leaving.map((part) => part.item_id)}::bigint[]) and on_hand > reserved order by id`)
  const free = new Map(stock.map((row) => [row.id, exact(row.free)]))
  const lines = parts.flatMap((part) => {
    const pieces = part.goes_out ? batchesOf(part, stock, free) : [{ batch: null, qty: part.qty }]
    return pieces.map(({ batch, qty }) => ({ ...part, batch, qty }))
  })
  const estimate = money(sum(leaving.map(({ qty, standard_cost: cost }) => exact(qty).times(cost))))
  await tx.run(sql`delete from kitting_order_line where kitting_order_id = ${id}`)
  await insertRows(tx, 'kitting_order_line', lines.map((line, at) => ({
    kitting_order_id: id, line_no: at + 1, item_id: line.item_id, is_kit: line.is_kit, goes_out: line.goes_out, batch: line.batch, qty_planned: line.qty, qty_actual: line.qty, cost_share: line.cost_share,
  })))
  await tx.run(sql`update kitting_order set estimate = ${estimate} where id = ${id}`)
}

/** Where the stock is short the last piece is too large; submitting says so. */
function batchesOf({ item_id: item, qty }: Part, stock: readonly { readonly id: number; readonly item_id: number; readonly batch: string }[], free: Map<number, Exact>): readonly { readonly batch: string | null; readonly qty: Decimal }[] {
  let left = exact(qty)
  const pieces: { batch: string | null; qty: Decimal }[] = []
  for (const { id, batch } of stock.filter((row) => row.item_id === item)) {
    const there = free.get(id) ?? exact(0)
    const part = left.lt(there) ? left : there
    if (part.lte(0)) continue
    free.set(id, there.minus(part))
    left = left.minus(part)
    pieces.push({ batch: batch === '' ? null : batch, qty: fixed(part, 3) })
  }
  const last = pieces.at(-1)
  if (last === undefined) return [{ batch: null, qty }]
  last.qty = fixed(left.plus(last.qty), 3)
  return pieces
}

/** `quantities`: `{ "<line id>": "<quantity>" }` of what really went in and came out; the plan where nothing is said. */
export const enterKit: Effect = async (context: TransitionContext) => {
  const { tx, current, input } = context
  const lines = await tx.rows<{ id: number; item_id: number; goes_out: boolean; qty: Decimal; cost_share: Decimal }>(sql`
    select id, item_id, goes_out, qty_planned as qty, cost_share from kitting_order_line where kitting_order_id = ${current.id} order by line_no, id for update`)
  const entered = input['quantities'] == null ? new Map<number, Decimal>() : enteredQuantities(context)
  const foreign = [...entered.keys()].find((id) => !lines.some((line) => line.id === id))
  if (foreign !== undefined) invalid([wrong(`Quantities.${foreign}`, 'NOT_IN_SCOPE.line')])
  const actual = lines.map((line) => ({ ...line, itemId: line.item_id, qtyBase: entered.get(line.id) ?? line.qty }))
  const parts = await partsOf(tx, actual)
  if (parts.length > 0) invalid(parts.map(({ id, item, qty }) => wrong(`Quantities.${id}`, 'INVALID.part-of-piece', { item, qty })))
  for (const goesOut of [true, false]) {
    const own = actual.filter((line) => line.goes_out === goesOut)
    const [first] = own
    if (first !== undefined && !own.some((line) => exact(line.qtyBase).gt(0) && (goesOut || exact(line.cost_share).gt(0)))) invalid([wrong(`Quantities.${first.id}`, goesOut ? 'REQUIRED.kit-used' : 'REQUIRED.kit-made')])
  }
  await tx.run(sql`update kitting_order_line l set qty_actual = x.qty from ${recordset(actual.map(({ id, qtyBase }) => ({ id, qty: qtyBase })), { id: 'bigint', qty: 'numeric' }, 'x')} where l.id = x.id`)
}
