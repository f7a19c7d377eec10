import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** What another record names must be of the kind the field holds. */
export function* preferences({ sources, resolved }: World): Iterable<Report> {
  const { entities } = resolved.metadata
  const target = (entity: string | undefined, name: string | undefined): string | undefined => entities[entity ?? '']?.fields.find((field) => field.name === name)?.entity
  for (const { path, value } of sources.form) {
    for (const [i, section] of value.sections.entries()) {
      for (const [j, field] of (section.fields ?? []).entries()) {
        if (typeof field === 'string' || !('field' in field) || field.prefers === undefined) continue
        const [from, column] = field.prefers.split('.')
        const wanted = target(value.entity, field.field)
        const named = target(target(value.entity, from), column)
        if (wanted !== undefined && named !== undefined && wanted !== named) {
          yield { path, at: ['sections', i, 'fields', j, 'prefers'], code: 'prefers-other', message: `"${field.prefers}" names a ${named}, and "${field.field}" holds a ${wanted}` }
        }
      }
    }
  }
}
