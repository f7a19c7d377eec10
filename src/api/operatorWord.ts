import { families } from '#api/viewFits.ts'
import type { Operator } from '#meta/condition.ts'
import type { FieldType } from '#meta/resolved.ts'

/** Key of the word for a comparison: days and months begin and end, they are not more or less. */
export function operatorWord(operator: Operator | 'filled', type: FieldType | undefined): string {
  const family = type === undefined ? undefined : families[type]
  const isInTime = family === 'date' || family === 'month'
  return isInTime && (operator === 'ge' || operator === 'le' || operator === 'gt' || operator === 'lt') ? `ui.operator.day.${operator}` : `ui.operator.${operator}`
}
