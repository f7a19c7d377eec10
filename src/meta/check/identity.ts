import type { Report } from '#meta/check/finding.ts'
import { screenFiles, type World } from '#meta/check/world.ts'
import type { Source } from '#meta/sources.ts'

/** Ids, resources, commands and events are used once. */
export function* identity({ sources }: World): Iterable<Report> {
  const groups: readonly (readonly [what: string, key: string, files: readonly Source<{ readonly [key: string]: unknown }>[]])[] = [
    ['entity', 'id', plain(sources.entity)],
    ['resource', 'resource', plain(sources.entity)],
    ['screen', 'id', plain(screenFiles(sources))],
    ['dataset', 'id', plain(sources.dataset)],
    ['fragment', 'id', plain(sources.fragment)],
    ['workflow of the entity', 'entity', plain(sources.workflow)],
  ]
  for (const [what, key, files] of groups) {
    const first = new Map<unknown, string>()
    for (const { path, value } of files) {
      const id = value[key]
      const other = first.get(id)
      if (other === undefined) first.set(id, path)
      else yield { path, at: [key], code: 'duplicate-id', message: `the ${what} "${String(id)}" is already in ${other}` }
    }
  }
  yield* repeated(sources.workflow.flatMap(({ path, value }) => (value.commands ?? []).map(({ name }, i) => ({ path, at: ['commands', i, 'name'], name }))), 'command')
  yield* repeated(sources.posting.flatMap(({ path, value }) => value.events.map(({ event }, i) => ({ path, at: ['events', i, 'event'], name: event }))), 'event')
  for (const { path, value } of sources.workflow) {
    yield* repeated((value.transitions ?? []).map(({ action, from }, i) => ({ path, at: ['transitions', i, 'action'], name: `${action} from ${from.join(', ')}` })), 'transition')
  }
}

function plain(files: readonly Source<object>[]): readonly Source<{ readonly [key: string]: unknown }>[] {
  return files.map(({ path, value }) => ({ path, value: { ...value } }))
}

function* repeated(uses: readonly { readonly path: string; readonly at: Report['at']; readonly name: string }[], what: string): Iterable<Report> {
  const seen = new Set<string>()
  for (const { path, at, name } of uses) {
    if (seen.has(name)) yield { path, at, code: 'duplicate-id', message: `the ${what} "${name}" stands here a second time` }
    seen.add(name)
  }
}
