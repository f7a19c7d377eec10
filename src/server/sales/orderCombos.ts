import { dayText, type DateText } from '#base/date.ts'
import { comboFault, type ComboOf } from '#domain/pricing/combos.ts'
import type { Combo, SoldItem } from '#domain/pricing/masters.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Row } from '#server/context.ts'
import { wrong } from '#server/problemError.ts'
import { numberOf, numberOrNull, textOf, textOrNull } from '#server/workflow/newDocument.ts'

/** Why a combo cannot be ordered on a day, said at `field`; null: it can. */
export function comboProblem(field: string, { code }: SoldItem, combo: Combo, date: DateText, combos: ReadonlyMap<number, Combo>): FieldProblem | null {
  switch (comboFault(combo, date, combos)) {
    case null:
      return null
    case 'inactive':
      return wrong(field, 'NOT_A_CHOICE.combo-inactive', { item: code })
    case 'period':
      return combo.validTo === null
        ? wrong(field, 'NOT_A_CHOICE.combo-from', { item: code, from: dayText(combo.validFrom) })
        : wrong(field, 'NOT_A_CHOICE.combo-period', { item: code, from: dayText(combo.validFrom), to: dayText(combo.validTo) })
    case 'empty':
      return wrong(field, 'NOT_A_CHOICE.combo-empty', { item: code })
    case 'nested':
      return wrong(field, 'NOT_A_CHOICE.combo-nested', { item: code })
  }
}

/** The combo a stored line came out of. */
export function comboOf(row: Row): ComboOf | null {
  const itemId = numberOrNull(row, 'combo_item_id')
  return itemId === null ? null : { no: numberOf(row, 'combo_no'), itemId, uom: textOf(row, 'combo_uom'), qty: textOf(row, 'combo_qty'), agreedPrice: textOrNull(row, 'combo_price') }
}

/** Items whose prices a stored line may ask for: its own and that of the combo it came out of. */
export function pricedIds(row: Row): number[] {
  const comboId = numberOrNull(row, 'combo_item_id')
  return comboId === null ? [numberOf(row, 'item_id')] : [numberOf(row, 'item_id'), comboId]
}

/** Columns of a line that came out of a combo. */
export function comboColumns(combo: ComboOf | null): Row {
  return { combo_item_id: combo?.itemId ?? null, combo_no: combo?.no ?? null, combo_qty: combo?.qty ?? null, combo_uom: combo?.uom ?? null, combo_price: combo?.agreedPrice ?? null }
}

/** Place of each line of a new order among what was entered: the parts of a combo stand where the combo was typed. */
export function enteredPlaces(combos: readonly (number | null | undefined)[]): number[] {
  let place = -1
  let last: number | null = null
  return combos.map((no = null) => {
    if (no === null || no !== last) place += 1
    last = no
    return place
  })
}
