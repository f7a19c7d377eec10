import { compare, fixed, quantityText, type Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

/** Units of the tax office that are counted: dozen, unit, set, sheet, piece, box, carton. Kilograms and litres are measured. */
const countedUnits = ['UM.0017', 'UM.0018', 'UM.0019', 'UM.0020', 'UM.0021', 'UM.0022', 'UM.0037']

interface PartOfPiece {
  readonly itemId: number
  readonly item: string
  /** Quantity and base unit, for reading. */
  readonly qty: string
}

/** Base quantities that are no whole number of pieces, of items that are counted. Nothing is asked while all are whole. */
export async function partsOf<T extends { readonly itemId: number; readonly qtyBase: Decimal }>(tx: Queries, lines: readonly T[]): Promise<readonly (T & PartOfPiece)[]> {
  const broken = lines.filter(({ qtyBase }) => compare(qtyBase, fixed(qtyBase, 0)) !== 0)
  if (broken.length === 0) return []
  const counted = await tx.rows<{ id: number; code: string; base_uom: string }>(sql`
    select i.id, i.code, i.base_uom from item i join item_uom u on u.item_id = i.id and u.uom = i.base_uom
    where i.id = any(${broken.map((line) => line.itemId)}::bigint[]) and u.coretax_unit = any(${countedUnits}::text[]) order by i.id`)
  return broken.flatMap((line) => counted.filter(({ id }) => id === line.itemId).map(({ code, base_uom: uom }) => ({ ...line, item: code, qty: `${quantityText(line.qtyBase)} ${uom}` })))
}
