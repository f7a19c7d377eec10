import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** A file field is a reference to an attachment, and stands in the head of a form: the cells of a grid hold no files. */
export function* files({ sources, resolved }: World): Iterable<Report> {
  for (const { path, value } of sources.entity) {
    for (const [name, field] of Object.entries(value.fields ?? {})) {
      if (field.file === undefined || (field.type === 'ref' && field.entity === 'attachment')) continue
      yield { path, at: ['fields', name, 'file'], code: 'file-field', message: `"${name}" holds a file only as a ref to attachment` }
    }
  }
  for (const { path, value } of sources.form) {
    const screen = resolved.metadata.screens[value.id]
    if (screen?.kind !== 'form') continue
    for (const [i, section] of screen.sections.entries()) {
      for (const [j, column] of (section.lines?.columns ?? []).entries()) if (column.file !== undefined) yield inGrid(path, ['sections', i, 'lines', 'columns', j], column.name)
    }
    for (const [j, column] of (screen.lines?.columns ?? []).entries()) if (column.file !== undefined) yield inGrid(path, ['lines', 'columns', j], column.name)
  }
}

function inGrid(path: string, at: Report['at'], name: string): Report {
  return { path, at, code: 'file-field', message: `"${name}" holds a file; a grid cannot enter it` }
}
