import type { WireRecord } from '#api/envelope.ts'
import type { Grouping } from '#api/view.ts'
import { aheadMs } from '#base/businessZone.ts'
import { dayOf } from '#meta/day.ts'
import type { Field } from '#meta/resolved.ts'

/** One group, or the one a row stands in, whichever way its values are written. */
export function memberKey(values: readonly unknown[]): string {
  return JSON.stringify(values.map(plain))
}

/** The keys of the groups a row stands in, from the outermost inwards. */
export function groupsOf(row: WireRecord, groupings: readonly Grouping[], fields: readonly Field[]): readonly string[] {
  const values = groupings.map((grouping) => valueIn(row, grouping, fields.find(({ name }) => name === grouping.field)))
  return values.map((_, i) => memberKey(values.slice(0, i + 1)))
}

function valueIn(row: WireRecord, { by }: Grouping, field: Field | undefined): unknown {
  const value = field === undefined ? undefined : row[field.wire]
  if (typeof value !== 'string' || value === '' || (field?.type !== 'date' && field?.type !== 'datetime')) return value
  const day = (field.type === 'datetime' ? new Date(Date.parse(value) + aheadMs).toISOString() : value).slice(0, 10)
  return by === undefined ? day : dayOf(`${by}-start`, day)
}

/** Numbers and texts of one value are one; so are 1.50 and 1.5. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  const text = String(value)
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}
