import type { Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'

export interface PromotionInput {
  readonly code: string
  readonly name: string
  readonly valid_from: string
  readonly conditions: readonly Row[]
  readonly benefits: readonly Row[]
  readonly scopes?: readonly Row[]
  /** Further columns. */
  readonly more?: Row
}

/** An approved promotion, written as it stands; answers its id. */
export async function insertPromotion(tx: Queries, { code, name, valid_from, conditions, benefits, scopes = [], more = {} }: PromotionInput): Promise<number> {
  const at = await tx.first<{ unit: number; type: number }>(sql`select (select min(id) from operating_unit) as unit, (select min(id) from promotion_type) as type`)
  const [id = 0] = await insertRows(tx, 'promotion', [{ code, name, valid_from, status: 1, operating_unit_id: at?.unit, promotion_type_id: at?.type, doc_date: valid_from, ...more }])
  const lines = (rows: readonly Row[]) => rows.map((row, i) => ({ promotion_id: id, line_no: i + 1, ...row }))
  for (const [table, rows] of [['promotion_scope', scopes], ['promotion_condition', conditions], ['promotion_benefit', benefits]] as const)
    for (const row of lines(rows)) await insertRows(tx, table, [row])
  return id
}

/** Buy so many of an item and get so many of it. */
export function buyAndGet(itemId: number, min: string, free: string, max: number): Pick<PromotionInput, 'conditions' | 'benefits'> {
  return {
    conditions: [{ kind: 'ITEM_QTY', item_id: itemId, min, is_multiple: true }],
    benefits: [{ kind: 'FREE_ITEM', free_qty: free, max_multiple: max }],
  }
}
