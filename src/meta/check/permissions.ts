import type { Keys, Report } from '#meta/check/finding.ts'
import type { World } from '#meta/check/world.ts'
import { placedEntries } from '#meta/menuTree.ts'

/**
 * What a screen shows asks for the permission that the server will ask for: a button with another one would be refused when pressed, a menu
 * entry with another one would lead people to a screen that refuses them, or hide it from people who may open it.
 */
export function* permissions({ sources, resolved }: World): Iterable<Report> {
  const { workflows, commands, screens } = resolved.metadata
  const known = new Set(resolved.metadata.guards.map(({ name }) => name))
  for (const { path, value } of sources.list) {
    for (const [i, action] of (value.actions ?? []).entries()) {
      const asked = action.transition === undefined ? commands[action.command ?? '']?.guard : workflows[value.entity]?.transitions.find((transition) => transition.action === action.transition)?.guard
      if (action.guard !== undefined && asked !== undefined && action.guard !== asked) yield weaker(path, ['actions', i, 'guard'], action.guard, asked)
    }
  }
  const byPath = new Map(sources.routes.map((route) => [route.path, route]))
  for (const { at, entry: { url, guard } } of placedEntries(sources.menu)) {
    const asked = screens[byPath.get(url)?.screen ?? '']?.guard
    if (guard !== undefined && asked !== undefined && asked !== '' && asked !== guard && known.has(guard)) yield weaker('schemas/menu.json', [...at, 'guard'], guard, asked)
  }
}

function weaker(path: string, at: Keys, given: string, asked: string): Report {
  return { path, at, code: 'wrong-permission', message: `"${given}" stands here, the server asks for "${asked}"` }
}
