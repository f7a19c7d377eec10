import type { Screen } from '#meta/resolved.ts'

/**
 * Which record a form or a detail page shows: `id` (of a form also `record`) of its path or query. Undefined: a form starts a new one, as with
 * an empty `record`. NaN: what stands there is no number; it is asked for as well and not found, an address that is wrong starts nothing new.
 */
export function recordOf(screen: Screen, params: Readonly<Record<string, string>>): number | undefined {
  if (screen.kind !== 'form') return Number(params['id'])
  // The path's id may name what a new record is about, not the record.
  const isAbout = Object.values(screen.defaults).some((value) => typeof value === 'object' && 'param' in value && value.param === 'id')
  const asked = params['record'] ?? (isAbout ? undefined : params['id'])
  return asked === undefined || asked === '' ? undefined : Number(asked)
}
