import { compare, fixed, quantityText, type Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { tell } from '#server/sentences.ts'

/** Units of the tax office that are counted: dozen, unit, set, sheet, piece, box, carton. Kilograms and litres are measured. */
const countedUnits = ['UM.0017', 'UM.0018', 'UM.0019', 'UM.0020', 'UM.0021', 'UM.0022', 'UM.0037']

export const partCode = 'PART_OF_PIECE'

/** Lines that come to part of a piece, most likely a slip of the hand: who means it confirms it. Nothing is asked while all are whole. */
export async function partsOfPieces(tx: Queries, lines: readonly { readonly itemId: number; readonly qtyBase: Decimal; readonly isFree: boolean }[]) {
  const broken = lines.filter(({ qtyBase, isFree }) => !isFree && compare(qtyBase, fixed(qtyBase, 0)) !== 0)
  if (broken.length === 0) return undefined
  const counted = await tx.rows<{ id: number; code: string; base_uom: string }>(sql`
    select i.id, i.code, i.base_uom from item i join item_uom u on u.item_id = i.id and u.uom = i.base_uom
    where i.id = any(${broken.map((line) => line.itemId)}::bigint[]) and u.coretax_unit = any(${countedUnits}::text[]) order by i.id`)
  if (counted.length === 0) return undefined
  const items = broken.flatMap(({ itemId, qtyBase }) => counted.filter(({ id }) => id === itemId).map((item) => `${item.code} ${quantityText(qtyBase)} ${item.base_uom}`))
  return { id: [partCode, ...counted.map(({ id }) => id)].join('-'), sentence: tell('warning.part-of-piece', { items }) }
}
