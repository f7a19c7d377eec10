import { exact, fixed, isZero, money, quantityText, type Decimal } from '#base/decimal.ts'
import type { DateText } from '#base/date.ts'
import type { EventAmount } from '#domain/ledger/entries.ts'
import type { CommandContext, Row } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { post, reverse, stockAccount, type PostingSource } from '#server/ledger/post.ts'
import { fail } from '#server/problemError.ts'
import { issueConsigned, type ConsignedPlace, type SoldLine } from './consignedGoods.ts'
import { changeBalances, lockBalances, moveStock } from './stock.ts'

interface Counted {
  readonly source: PostingSource
  readonly date: DateText
  readonly territoryId: number | null
}

/** A line of goods at a customer; `qty`: how many more there are than the book has, or fewer. */
export interface Adjusted extends SoldLine {
  readonly qty: Decimal
}

/** Goods the customer finds beyond the book come in at the average of those there, else at standard cost; answers what is booked of them. */
export async function findConsigned(context: CommandContext, place: ConsignedPlace, { source, date, territoryId }: Counted, lines: readonly Adjusted[]): Promise<readonly EventAmount[]> {
  const { tx } = context
  const gains = lines.filter(({ qty }) => exact(qty).gt(0))
  if (gains.length === 0) return []
  const rows = gains.map(({ itemId, qty }) => ({ item_id: itemId, qty }))
  await tx.run(sql`
    insert into stock_balance as b (item_id, warehouse_id, batch, on_hand, reserved) select x.item_id, ${place.id}, '', sum(x.qty), 0 from ${recordset(rows, { item_id: 'bigint', qty: 'numeric' }, 'x')}
    group by 1 order by 1 on conflict (item_id, warehouse_id, batch) do update set on_hand = b.on_hand + excluded.on_hand`)
  const worth = new Map((await tx.rows<{ id: number; each: Decimal }>(sql`
    select i.id, coalesce(c.value / c.qty, i.standard_cost, 0)::text as each from item i left join stock_cost c on c.item_id = i.id and c.operating_unit_id = ${place.operatingUnitId} and c.stock_class = 'CONSIGNMENT' and c.qty > 0
    where i.id = any(${gains.map(({ itemId }) => itemId)}::bigint[])`)).map(({ id, each }) => [id, each]))
  const costs = gains.map(({ itemId, qty }) => money(exact(qty).times(worth.get(itemId) ?? '0')))
  await moveStock(context, {
    type: '701', date, operatingUnitId: place.operatingUnitId, warehouseId: place.id, stockClass: 'CONSIGNMENT', docType: source.type, docId: source.id,
    moves: gains.map(({ itemId, qty, lineId }, i) => ({ itemId, batch: '', qty, cost: costs[i] ?? '0.00', lineId, reversalOf: null })),
  })
  return amountsOf(context, 'gain', gains, costs, territoryId)
}

/** Goods the customer does not find leave at average cost, oldest batch first; answers what is booked of them. */
export async function missConsigned(context: CommandContext, place: ConsignedPlace, { source, date, territoryId }: Counted, lines: readonly Adjusted[]): Promise<readonly EventAmount[]> {
  const losses = lines.filter(({ qty }) => exact(qty).lt(0)).map((line) => ({ ...line, qty: fixed(exact(line.qty).times(-1), 3) }))
  if (losses.length === 0) return []
  const costs = await issueConsigned(context, place, { ...source, date }, losses, '702')
  return amountsOf(context, 'loss', losses, losses.map(({ lineId }) => costs.get(lineId) ?? '0.00'), territoryId)
}

async function amountsOf({ tx }: CommandContext, key: 'gain' | 'loss', lines: readonly Adjusted[], costs: readonly Decimal[], territoryId: number | null): Promise<readonly EventAmount[]> {
  const account = await stockAccount(tx, 'CONSIGNMENT')
  return lines.flatMap(({ itemId }, i): EventAmount[] => (isZero(costs[i] ?? '0') ? [] : [{ key, amount: costs[i] ?? '0', itemId, account, territoryId }]))
}

/** Books what was found and missed as a count is booked. */
export async function bookConsignedCount(context: CommandContext, { source, date }: Counted, unit: number, amounts: readonly EventAmount[]): Promise<void> {
  if (amounts.length === 0) return
  await post(context, { event: 'OPNAME', source, operatingUnitId: unit, date, description: `Adjustments of ${source.code}`, amounts })
}

interface Movement extends Row {
  readonly id: number
  readonly movement_type: string
  readonly item_id: number
  readonly code: string
  readonly warehouse_id: number
  readonly operating_unit_id: number
  readonly batch: string
  readonly qty: Decimal
  readonly cost_amount: Decimal
  readonly doc_line_id: number | null
}

/** What was found and missed is as if nobody had counted. */
export async function undoConsignedCount(context: CommandContext, { source, date }: Pick<Counted, 'source' | 'date'>): Promise<void> {
  const { tx } = context
  const rows = await tx.rows<Movement>(sql`
    select m.id, m.movement_type, m.item_id, i.code, m.warehouse_id, m.operating_unit_id, m.batch, -m.qty as qty, -m.cost_amount as cost_amount, m.doc_line_id from stock_movement m join item i on i.id = m.item_id
    where m.doc_type = ${source.type} and m.doc_id = ${source.id} and m.movement_type in ('701', '702') and m.reversal_of_id is null and not exists (select 1 from stock_movement r where r.reversal_of_id = m.id) order by m.movement_type desc, m.id`)
  const [first] = rows
  if (first !== undefined) {
    const balances = await lockBalances(tx, first.warehouse_id, rows.map((row) => row.item_id))
    const changes = rows.map((row) => {
      const balance = balances.find((one) => one.item_id === row.item_id && one.batch === row.batch)
      if (balance === undefined || exact(balance.on_hand).minus(balance.reserved).plus(row.qty).lt(0)) fail('STOCK_INSUFFICIENT.item', { item: row.code, stock: quantityText(balance?.on_hand ?? '0'), needed: quantityText(fixed(exact(row.qty).times(-1), 3)) })
      return { id: balance.id, on_hand: row.qty, reserved: '0' }
    })
    await changeBalances(tx, changes)
    for (const type of ['702', '701']) {
      const own = rows.filter((row) => row.movement_type === type)
      if (own.length === 0) continue
      await moveStock(context, {
        type, date, operatingUnitId: first.operating_unit_id, warehouseId: first.warehouse_id, stockClass: 'CONSIGNMENT', docType: source.type, docId: source.id,
        moves: own.map((row) => ({ itemId: row.item_id, batch: row.batch, qty: row.qty, cost: row.cost_amount, lineId: row.doc_line_id, reversalOf: row.id })),
      })
    }
  }
  await reverse(context, { source, event: 'OPNAME' }, { source, date, description: `Reversal of adjustments of ${source.code}` })
}
