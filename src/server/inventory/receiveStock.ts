import type { DateText } from '#base/date.ts'
import { fixed, money, type Decimal } from '#base/decimal.ts'
import type { CommandContext } from '#server/context.ts'
import { recordset } from '#server/db/recordset.ts'
import { sql } from '#server/db/sql.ts'
import { post } from '#server/ledger/post.ts'
import { issueAmounts } from '#domain/ledger/invoiceAmounts.ts'
import { moveStock } from './stock.ts'

export interface Receipt {
  /** Goods bought (101, event GR) or stock taken over at the start (561, event OB_STOCK). */
  readonly kind: 'GR' | 'OB_STOCK'
  readonly date: DateText
  readonly operatingUnitId: number
  readonly warehouseId: number
  /** Document it is booked for: the same receipt is never booked twice. */
  readonly source: { readonly type: string; readonly id: number; readonly code: string }
  readonly lines: readonly { readonly itemId: number; readonly batch?: string; readonly qty: Decimal; readonly cost: Decimal }[]
}

/** Puts goods into a warehouse at their cost: balances, moving average, movements and journal. */
export async function receiveStock(context: CommandContext, receipt: Receipt): Promise<void> {
  await context.assertPeriodOpen(['ST', 'GL'], receipt.operatingUnitId, receipt.date)
  const rows = receipt.lines.map((line) => ({ item_id: line.itemId, batch: line.batch ?? '', qty: fixed(line.qty, 3) }))
  await context.tx.run(sql`
    insert into stock_balance as b (item_id, warehouse_id, batch, on_hand, reserved)
    select x.item_id, ${receipt.warehouseId}, x.batch, sum(x.qty), 0 from ${recordset(rows, { item_id: 'bigint', batch: 'text', qty: 'numeric' }, 'x')}
    group by 1, 3 order by 1, 3 on conflict (item_id, warehouse_id, batch) do update set on_hand = b.on_hand + excluded.on_hand`)
  await moveStock(context, {
    type: receipt.kind === 'GR' ? '101' : '561',
    date: receipt.date,
    operatingUnitId: receipt.operatingUnitId,
    warehouseId: receipt.warehouseId,
    stockClass: 'UNRESTRICTED',
    docType: receipt.source.type,
    docId: receipt.source.id,
    moves: receipt.lines.map((line) => ({ itemId: line.itemId, batch: line.batch ?? '', qty: line.qty, cost: money(line.cost), lineId: null, reversalOf: null })),
  })
  await post(context, {
    event: receipt.kind,
    source: receipt.source,
    operatingUnitId: receipt.operatingUnitId,
    date: receipt.date,
    description: receipt.kind === 'GR' ? `Goods receipt ${receipt.source.code}` : `Opening stock ${receipt.source.code}`,
    amounts: issueAmounts(receipt.lines.map((line) => ({ itemId: line.itemId, cost: money(line.cost) })), null),
  })
}
