import type { Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'

/** A required field that hides itself and is emptied then can never be saved; one that is read-only and required asks for what nobody can type. */
export function* required({ sources, resolved }: World): Iterable<Report> {
  const { entities } = resolved.metadata
  for (const { path, value } of sources.form) {
    const entity = entities[value.entity]
    if (entity === undefined) continue
    const filled = new Set([...Object.keys(value.defaults ?? {}), ...value.sections.flatMap(({ fields = [] }) => fields.flatMap((field) => (typeof field === 'object' && 'fills' in field ? Object.keys(field.fills ?? {}) : [])))])
    for (const [i, section] of value.sections.entries()) {
      for (const [j, part] of (section.fields ?? []).entries()) {
        if (typeof part === 'object' && 'use' in part) continue
        const name = typeof part === 'string' ? part : part.field
        const own = typeof part === 'string' ? { field: part } : part
        const at = ['sections', i, 'fields', j]
        const field = entity.fields.find((candidate) => candidate.name === name)
        if (field === undefined) continue
        if (own.readOnly === true && own.required === true) yield { path, at: [...at, 'required'], code: 'required-hidden', message: `"${name}" is read-only here, so nobody could fill it` }
        const isRequired = own.required ?? field.required
        const hides = own.when ?? section.when
        if (!isRequired || field.readOnly || own.readOnly === true || hides === undefined || own.onHide === 'keep' || field.default !== undefined || filled.has(name)) continue
        yield { path, at, code: 'required-hidden', message: `"${name}" is required, and hidden it is empty: the form could not be saved; use "requiredWhen", "onHide": "keep" or a default` }
      }
    }
  }
}
