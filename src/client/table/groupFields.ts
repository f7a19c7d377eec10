import { spans, type Grouping } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'

/** "Date by month", "Customer". */
export function groupLabel(field: Field, { by }: Grouping): string {
  return by === undefined ? t(field.label) : t(`ui.group.by-${by}`, { field: t(field.label) })
}

/** The ways rows can be put together by a field: a day also by month, quarter and year. */
export function groupingsOf(field: Field): readonly Grouping[] {
  const isDay = field.type === 'date' || field.type === 'datetime'
  return [...(isDay ? spans.map((by): Grouping => ({ field: field.name, by })) : []), { field: field.name }]
}
