import { didYouMean, type Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { guardsOf } from '#meta/guards.ts'
import { placedEntries } from '#meta/menuTree.ts'

/** A permission asked for by a screen or the menu is one that entities, workflows, commands or datasets bring; others nobody could be given. */
export function* guards({ sources, uses, resolved }: World): Iterable<Report> {
  const { entities, workflows, commands, datasets } = resolved.metadata
  const ofDesks = desks(sources)
  const known = new Set([...guardsOf(entities, workflows, commands, datasets, {}).map(({ name }) => name), ...ofDesks])
  const resources = new Set(Object.values(entities).map(({ resource }) => resource))
  const plain = new Set([...guardsOf(entities, {}, {}, {}, {}).map(({ name }) => name), ...ofDesks])
  const isRooted = (guard: string): boolean => plain.has(guard) || [...resources].some((resource) => guard.startsWith(`${resource}-`))
  for (const { path, at, name } of uses.guards) if (!known.has(name)) yield unknown(path, at, name)
  for (const { at, entry: { guard } } of placedEntries(sources.menu)) if (guard !== undefined && !known.has(guard)) yield unknown('schemas/menu.json', [...at, 'guard'], guard)
  for (const { path, value } of sources.workflow) {
    for (const group of ['transitions', 'commands'] as const) {
      for (const [i, { guard }] of (value[group] ?? []).entries()) {
        if (guard === undefined || isRooted(guard)) continue
        yield { path, at: [group, i, 'guard'], code: 'unknown-guard', message: `"${guard}" belongs to no resource and no route${didYouMean(guard, plain)}` }
      }
    }
  }

  function unknown(path: string, at: Report['at'], name: string): Report {
    return { path, at, code: 'unknown-guard', message: `"${name}" is a permission nobody can be given${didYouMean(name, known)}` }
  }
}

const actions = ['view', 'create', 'edit', 'delete', 'submit', 'approve', 'reject', 'cancel', 'reverse', 'print', 'export', 'import', 'post', 'override']

/** A route brings permissions of its own, named after its last fixed part: `/billing` → `billing-view`. */
function desks(sources: World['sources']): readonly string[] {
  return sources.routes.flatMap(({ path }) => {
    const name = path.split('/').findLast((part) => part !== '' && !part.startsWith('{'))?.replaceAll('_', '-')
    return name === undefined ? [] : actions.map((action) => `${name}-${action}`)
  })
}
