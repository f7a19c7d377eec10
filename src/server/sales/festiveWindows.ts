import { exact, quantityText, sum, zero, type Decimal } from '#base/decimal.ts'
import { dayText } from '#base/date.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Orderer } from '#domain/sales/orderLimits.ts'
import type { Row, TransitionContext } from '#server/context.ts'
import { RememberedTable } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'
import { wrong } from '#server/problemError.ts'
import { textOf } from '#server/workflow/newDocument.ts'

interface FestiveLine extends Row {
  readonly id: number
  readonly itemId: number
  readonly item: string
  readonly from: string
  readonly to: string
  readonly territoryId: number | null
  readonly quota: Decimal | null
  readonly least: Decimal | null
}

/** Lines of approved assortments with goods that are festive: those are sold in their windows alone. */
export const festives = new RememberedTable('item', (tx) =>
  tx.rows<FestiveLine>(sql`
    select l.id, l.item_id as "itemId", i.code as item, f.order_from as "from", f.order_to as "to", l.territory_id as "territoryId", nullif(l.quota_qty, 0) as quota, nullif(l.min_qty, 0) as least
    from product_festive_line l join product_festive f on f.id = l.product_festive_id and f.status = 1 and f.is_active join item i on i.id = l.item_id and i.is_festive order by l.id`))

interface Ordered {
  readonly itemId: number
  readonly qty: Decimal
  readonly isFree: boolean
}

/** What of an order keeps to no window of its festive goods, falls below their minimum or passes what is left of their quota; `lock`: the order is about to count. */
export async function festiveProblems(context: TransitionContext, orderer: Orderer, lines: readonly Ordered[], how: 'read' | 'lock'): Promise<readonly FieldProblem[]> {
  const { tx, current } = context
  const known = await festives.get(tx)
  const day = textOf(current, 'doc_date')
  const problems: FieldProblem[] = []
  for (const itemId of new Set(lines.filter(({ isFree }) => !isFree).map((line) => line.itemId))) {
    const own = known.filter((line) => line.itemId === itemId)
    const [first] = own
    if (first === undefined) continue
    const at = lines.findIndex((line) => line.itemId === itemId && !line.isFree)
    const field = `Lines[${at}].Qty`
    const open = own.filter(({ from, to, territoryId }) => from <= day && day <= to && (territoryId === null || territoryId === orderer.territoryId))
    // The territory's own line counts before the one of all.
    const line = open.find(({ territoryId }) => territoryId !== null) ?? open[0]
    if (line === undefined) {
      const next = own.filter(({ from }) => from > day).toSorted((a, b) => (a.from < b.from ? -1 : 1))[0]
      problems.push(next === undefined ? wrong(field, 'FESTIVE.over', { item: first.item }) : wrong(field, 'FESTIVE.from', { item: first.item, day: dayText(next.from) }))
      continue
    }
    const qty = sum(lines.filter((one) => one.itemId === itemId && !one.isFree).map((one) => exact(one.qty)))
    if (line.least !== null && qty.lt(line.least)) problems.push(wrong(field, 'FESTIVE.least', { item: line.item, least: quantityText(line.least) }))
    if (line.quota === null) continue
    const left = exact(line.quota).minus(await used(context, line, how))
    if (qty.gt(left)) problems.push(wrong(field, 'FESTIVE.quota', { item: line.item, left: quantityText(left.lt(0) ? zero : left) }))
  }
  return problems
}

async function used({ tx, current }: TransitionContext, line: FestiveLine, how: 'read' | 'lock'): Promise<Decimal> {
  const asked = async (): Promise<Decimal> => {
    const row = await tx.first<{ qty: Decimal }>(sql`
      select coalesce(sum(l.qty_base - l.cancelled_qty), 0) as qty from sales_order_line l join sales_order o on o.id = l.sales_order_id
      where l.item_id = ${line.itemId} and not l.is_free and o.status in (1, 2, 3) and o.doc_date between ${line.from}::date and ${line.to}::date and o.id <> ${current.id}
        and (${line.territoryId}::bigint is null or o.territory_id = ${line.territoryId})`)
    return row?.qty ?? '0'
  }
  // Two orders approved at once do not both take the last of it.
  return how === 'lock' ? tx.exclusive(`festive line ${line.id}`, asked) : asked()
}
