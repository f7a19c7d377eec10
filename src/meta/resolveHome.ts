import type { ListSource } from '#generated/language.ts'
import type { Condition } from '#meta/condition.ts'
import type { Labels } from '#meta/labels.ts'
import type { FirstStep, HomeCount } from '#meta/metadata.ts'
import type { ListScreen, Route, Screen } from '#meta/resolved.ts'
import { standardView } from '#meta/placeLink.ts'
import { screenPath } from '#meta/screenPath.ts'
import type { Source } from '#meta/sources.ts'

/** What the lists want counted on the home page, in the order of the route list. */
export function resolveHome(lists: readonly Source<ListSource>[], screens: readonly Screen[], routes: readonly Route[], labels: Labels): readonly HomeCount[] {
  const desks = screens.filter((screen) => screen.kind === 'workbench')
  const counts = lists.flatMap(({ value }) => {
    const screen = screens.find((candidate): candidate is ListScreen => candidate.kind === 'list' && candidate.id === value.id)
    if (screen === undefined) return []
    return (value.home ?? []).map(({ preset, tone }): HomeCount => {
      const where = both(screen.where, screen.presets.find(({ id }) => id === preset)?.where)
      return {
        screen: screen.id,
        entity: screen.entity,
        label: labels.pick(`home.${screen.id}.${preset ?? 'all'}`),
        tone: tone ?? 'neutral',
        ...(where === undefined ? {} : { where }),
        path: withPreset(screenPath(routes, desks, screen.id), preset, screen),
      }
    })
  })
  const place = (count: HomeCount): number => routes.findIndex((route) => route.path === count.path?.split('?')[0])
  return counts.toSorted((a, b) => place(a) - place(b))
}

/** The lists a company fills before its first order, in that order; one that no route leads to is left out. */
export function resolveFirstSteps(lists: readonly Source<ListSource>[], screens: readonly Screen[], routes: readonly Route[]): readonly FirstStep[] {
  const desks = screens.filter((screen) => screen.kind === 'workbench')
  return lists
    .filter(({ value }) => value.firstStep !== undefined)
    .toSorted((a, b) => (a.value.firstStep ?? 0) - (b.value.firstStep ?? 0))
    .flatMap(({ value }) => {
      const screen = screens.find((candidate): candidate is ListScreen => candidate.kind === 'list' && candidate.id === value.id)
      const path = screen === undefined ? undefined : screenPath(routes, desks, screen.id)
      return screen === undefined || path === undefined ? [] : [{ screen: screen.id, entity: screen.entity, label: screen.title, path }]
    })
}

/** The list with exactly the rows counted: a default preset is switched off where none is meant. */
function withPreset(path: string | undefined, preset: string | undefined, screen: ListScreen): string | undefined {
  if (path === undefined) return undefined
  const view = preset ?? (screen.presets.some((one) => one.default) ? 'none' : undefined)
  const entries = [...(view === undefined ? [] : [['v', view] as const]), standardView]
  return `${path}${path.includes('?') ? '&' : '?'}${entries.map(([key, value]) => `${key}=${value}`).join('&')}`
}

function both(a: Condition | undefined, b: Condition | undefined): Condition | undefined {
  if (a === undefined) return b
  return b === undefined ? a : { all: [a, b] }
}
