import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** A file field is a reference to an attachment. */
export function* files({ sources }: World): Iterable<Report> {
  for (const { path, value } of sources.entity) {
    for (const [name, field] of Object.entries(value.fields ?? {})) {
      if (field.file === undefined || (field.type === 'ref' && field.entity === 'attachment')) continue
      yield { path, at: ['fields', name, 'file'], code: 'file-field', message: `"${name}" holds a file only as a ref to attachment` }
    }
  }
}
