import type { DatasetSource, EntitySource } from '#generated/language.ts'
import { findField } from '#meta/check/fields.ts'
import { didYouMean, type Keys, type Report } from '#meta/check/finding.ts'
import { screenFiles, type World } from '#meta/check/world.ts'

/**
 * A permission of a field is one that can be given, stands on nothing a record is known or bounded by, and nothing that a screen does by itself needs
 * the field: it would fail for whoever may not read it.
 */
export function* fieldPermissions(world: World): Iterable<Report> {
  const { sources, resolved } = world
  const known = new Set(resolved.metadata.guards.map(({ name }) => name))
  for (const { path, value } of sources.entity) {
    yield* unknown(known, path, 'fields', value.fields)
    yield* unfit(path, value)
  }
  for (const { path, value } of sources.dataset) {
    yield* unknown(known, path, 'dimensions', value.dimensions)
    yield* unknown(known, path, 'measures', value.measures ?? {})
    yield* unfitDimensions(path, value)
  }
  for (const { path, value } of sources.posting) {
    for (const [i, { readBy }] of value.events.entries()) {
      if (readBy !== undefined && !known.has(readBy)) yield nobody(known, path, ['events', i, 'readBy'], readBy)
    }
  }
  yield* needed(world)
}

type Asking = Readonly<Record<string, { readonly readBy?: string; readonly writeBy?: string }>>

function* unknown(known: ReadonlySet<string>, path: string, group: string, fields: Asking): Iterable<Report> {
  for (const [name, field] of Object.entries(fields)) {
    for (const key of ['readBy', 'writeBy'] as const) {
      const guard = field[key]
      if (guard !== undefined && !known.has(guard)) yield nobody(known, path, [group, name, key], guard)
    }
  }
}

function nobody(known: ReadonlySet<string>, path: string, at: Keys, guard: string): Report {
  return { path, at, code: 'unknown-guard', message: `"${guard}" is a permission nobody can be given${didYouMean(guard, known)}` }
}

/** Everybody who sees a record must see what it is called, found and bounded by; who decides on a change must see it, and who makes a record must be able to. */
function* unfit(path: string, { id, base, parent, owner, display = [], key = [], scope = {}, fields }: EntitySource): Iterable<Report> {
  const bearing = new Set([...display, ...key.flat(), ...Object.values(scope), owner, parent === undefined ? undefined : `${parent}_id`])
  for (const [name, { readBy, writeBy, required, default: preset, approval, file }] of Object.entries(fields)) {
    if (readBy === undefined && writeBy === undefined) continue
    const at = ['fields', name, readBy === undefined ? 'writeBy' : 'readBy']
    const refused = (message: string): Report => ({ path, at, code: 'unfit-permission', message })
    if (bearing.has(name)) yield refused(`records of ${id} are called, found or bounded by "${name}": it is there for whoever sees them`)
    else if (approval === true) yield refused(`a change of "${name}" is decided by somebody else, who would not see it`)
    else if (file !== undefined) yield refused(`the file in "${name}" is there for whoever sees the record`)
    else if (required === true && preset === undefined && ['master', 'document', 'line'].includes(base)) yield refused(`"${name}" is required: without the permission nobody could make a record`)
  }
}

function* unfitDimensions(path: string, { id, key, scope, currency, dimensions }: DatasetSource): Iterable<Report> {
  const bearing = new Set([...key, ...Object.values(scope), currency])
  for (const [name, { readBy }] of Object.entries(dimensions)) {
    if (readBy !== undefined && bearing.has(name)) yield { path, at: ['dimensions', name, 'readBy'], code: 'unfit-permission', message: `rows of ${id} are told apart, bounded or added up by "${name}": it is there for whoever sees them` }
  }
}

/** What screens do without being asked. */
const parts = ['sort', 'groupBy', 'presets', 'where', 'emphasis', 'order', 'opens', 'defaults', 'sideEffects', 'scoped'] as const

function* needed({ sources, resolved: { metadata } }: World): Iterable<Report> {
  for (const { path, value } of screenFiles(sources)) {
    const screen = metadata.screens[value.id]
    if (screen === undefined) continue
    const readByOf = (name: string): string | undefined => {
      if ('dataset' in screen) return [...(metadata.datasets[screen.dataset]?.dimensions ?? []), ...(metadata.datasets[screen.dataset]?.measures ?? [])].find((one) => one.name === name)?.readBy
      const found = 'entity' in screen ? findField(metadata.entities, screen.entity, name) : ''
      return typeof found === 'string' ? undefined : found.readBy
    }
    for (const part of parts) {
      const content: unknown = Reflect.get(screen, part)
      const name = content === undefined ? undefined : [...wordsIn(content)].find((word) => (readByOf(word) ?? screen.guard) !== screen.guard)
      if (name !== undefined) yield { path, at: [part], code: 'needs-permission', message: `"${name}" asks for "${readByOf(name) ?? ''}", which not everybody has who opens ${value.id}` }
    }
  }
}

/** Every key and text within. */
function* wordsIn(content: unknown): Iterable<string> {
  if (typeof content === 'string') yield content.split(':')[0] ?? ''
  if (typeof content !== 'object' || content === null) return
  for (const [key, part] of Object.entries(content)) {
    yield key
    yield* wordsIn(part)
  }
}
