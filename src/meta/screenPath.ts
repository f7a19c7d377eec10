import type { Route, Screen } from '#meta/resolved.ts'

/** Path under which a screen is opened: its own route, or that of the workbench with its tab. Undefined: only with a record, or not at all. */
export function screenPath(routes: readonly Route[], screens: readonly Desk[], screen: string): string | undefined {
  const own = routes.find((route) => route.screen === screen && !route.path.includes('{'))
  if (own !== undefined) return own.path
  for (const desk of screens) {
    const tab = desk.kind === 'workbench' ? desk.tabs?.find((candidate) => candidate.screen === screen) : undefined
    const path = tab === undefined ? undefined : screenPath(routes, [], desk.id)
    if (tab !== undefined && path !== undefined) return `${path}?tab=${tab.id}`
  }
  return undefined
}

/** A screen as far as it matters here: a workbench names its tabs. */
interface Desk {
  readonly id: string
  readonly kind: Screen['kind']
  readonly tabs?: readonly { readonly id: string; readonly screen: string }[]
}
