import { fixed, grouped } from '#base/decimal.ts'
import type { GroupRow } from '#domain/reporting/summaryTable.ts'
import { cellOf, isNothing } from '../table/cells.tsx'
import type { Figure } from './summaryColumns.ts'

export interface ShownFigure {
  readonly text: string
  /** Zero: there, but not in the way. */
  readonly isNothing: boolean
  /** A change for the better or the worse. */
  readonly tone: 'positive' | 'negative' | undefined
}

/** A figure as it stands in the table; changes carry their sign. */
export function figureText({ part, field }: Figure, value: string | null, { currency }: Pick<GroupRow, 'currency'>): ShownFigure {
  if (value === null) return { text: '', isNothing: false, tone: undefined }
  const isZero = /^-?0(\.0+)?$/.test(value)
  const isChange = part === 'difference' || part === 'percent'
  const record = part === 'percent' || currency === null ? {} : { Currency: currency }
  const text = part === 'percent' ? `${grouped(fixed(value, 1))} %` : cellOf(field.type).text(value, field, record)
  const rises = !value.startsWith('-')
  return {
    text: isChange && !isZero && rises ? `+${text}` : text,
    isNothing: isChange ? isZero : isNothing(field, { [field.wire]: value }),
    tone: !isChange || isZero || field.good === undefined ? undefined : (field.good === 'up') === rises ? 'positive' : 'negative',
  }
}
