import { filterEntries, layoutEntries, sortText, standardView, withQuery, type LayoutQuery } from '#meta/placeLink.ts'
import type { FlatTest, ListScreen, ReportPart, ReportScreen, Sort } from '#meta/resolved.ts'
import type { User } from '#server/context.ts'
import { valueOf } from '#server/reports/datasetQuery.ts'
import type { Services } from '#server/services.ts'

type Entries = readonly (readonly [key: string, value: string])[]

/** Path and first query of a screen: its own route, or that of the desk it is a tab of. */
export function placeOf({ metadata }: Pick<Services, 'metadata'>, screen: string): { readonly path: string; readonly entries: Entries } {
  const routeOf = (id: string): string | undefined => metadata.routes.find((route) => route.screen === id && !route.path.includes('{'))?.path
  const own = routeOf(screen)
  if (own !== undefined) return { path: own, entries: [] }
  for (const desk of Object.values(metadata.screens)) {
    if (desk.kind !== 'workbench') continue
    const tab = desk.tabs.find((candidate) => candidate.screen === screen)
    const path = tab === undefined ? undefined : routeOf(desk.id)
    if (tab !== undefined && path !== undefined) return { path, entries: desk.tabs[0] === tab ? [] : [['tab', tab.id]] }
  }
  throw new Error(`No route leads to ${screen}`)
}

/** A report as its part is narrowed; what equals the report's own presets is left out, so that a link kept for later moves with the days. */
export function reportLink(services: Services, user: User, report: ReportScreen, part: ReportPart, layout: LayoutQuery, more: { readonly tests?: readonly FlatTest[]; readonly sort?: readonly Sort[] } = {}): string {
  const { path, entries } = placeOf(services, report.id)
  const parameters = report.parameters.flatMap((parameter): Entries => {
    const given = Object.hasOwn(part.parameters, parameter.name) ? part.parameters[parameter.name] : undefined
    if (given === undefined) return []
    const [value, preset] = [given, parameter.defaultValue ?? parameter.default].map((one) => String(valueOf(services, user, one) ?? ''))
    return value === preset || value === undefined ? [] : [[parameter.name, value]]
  })
  return withQuery(path, [
    ...entries,
    ...parameters,
    ...filterEntries([...part.where, ...(more.tests ?? [])]),
    ...(more.sort === undefined ? [] : [['s', sortText(more.sort)] as const]),
    ...layoutEntries(layout),
    standardView,
  ])
}

/** A list in one of its presets; without one the list's own default is switched off. */
export function listLink(services: Services, list: ListScreen, preset: string | undefined, tests: readonly FlatTest[]): string {
  const { path, entries } = placeOf(services, list.id)
  const usual = list.presets.find((candidate) => candidate.default)
  const view = preset === undefined ? (usual === undefined ? [] : [['v', 'none'] as const]) : preset === usual?.id ? [] : [['v', preset] as const]
  return withQuery(path, [...entries, ...view, ...filterEntries(tests), standardView])
}

/** Tests as a filter of the API; undefined: none. */
export function filterText(tests: readonly FlatTest[]): string | undefined {
  return tests.length === 0 ? undefined : JSON.stringify({ all: tests.map(({ field, op, value }) => ({ [field]: { [op]: value } })) })
}

/** Parameters of a part as a query of its report. */
export function partQuery(services: Services, user: User, { parameters, where }: ReportPart): Record<string, string> {
  const filter = filterText(where)
  return {
    ...Object.fromEntries(
      Object.entries(parameters).flatMap(([name, preset]) => {
        const value = valueOf(services, user, preset)
        return value === undefined || value === null ? [] : [[name, String(value)]]
      }),
    ),
    ...(filter === undefined ? {} : { filter }),
  }
}

