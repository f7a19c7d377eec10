import type { Decimal } from '#base/decimal.ts'
import type { Queries } from '#server/context.ts'
import { partsOf } from '#server/inventory/countedUnits.ts'
import { tell } from '#server/sentences.ts'

export const partCode = 'PART_OF_PIECE'

/** Lines that come to part of a piece, most likely a slip of the hand: who means it confirms it. */
export async function partsOfPieces(tx: Queries, lines: readonly { readonly itemId: number; readonly qtyBase: Decimal; readonly isFree: boolean }[]) {
  const parts = await partsOf(tx, lines.filter(({ isFree }) => !isFree))
  if (parts.length === 0) return undefined
  const ids = [...new Set(parts.map(({ itemId }) => itemId))].sort((a, b) => a - b)
  return { id: [partCode, ...ids].join('-'), sentence: tell('warning.part-of-piece', { items: parts.map(({ item, qty }) => `${item} ${qty}`) }) }
}
