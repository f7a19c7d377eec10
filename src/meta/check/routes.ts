import { didYouMean, type Keys, type Report } from '#meta/check/finding.ts'
import { screenFiles, type World } from '#meta/check/world.ts'
import { placedEntries } from '#meta/menuTree.ts'
import { isServed } from '#meta/routePath.ts'

const file = 'schemas/routes.json'
const menuFile = 'schemas/menu.json'

/** Route list, screens, menu and specification answer for each other in both directions. */
export function* routes(world: World): Iterable<Report> {
  yield* specification(world)
  yield* rows(world)
  yield* menuEntries(world)
  yield* reachable(world)
  yield* templates(world)
}

/** Message key of the title over a hand-written page; screens bring their own, the home page and those without the main layout have none. */
function titleOf({ layout, page, print }: World['sources']['routes'][number]): string | undefined {
  if (layout !== 'main' || page === undefined || page === 'home') return undefined
  return print === undefined ? `page.${page}` : `print.${print}`
}

function* specification({ sources, specificationPaths }: World): Iterable<Report> {
  const paths = sources.routes.map(({ path }) => path)
  const known = new Set(paths)
  // A fixed part goes before a parameter, so only parameters at the same places hide each other.
  const shapes = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  for (const path of specificationPaths) {
    if (!known.has(path)) yield { path: file, at: [], code: 'missing-route', message: `the specification's path ${path} is missing${didYouMean(path, paths.filter((other) => !specificationPaths.includes(other)))}` }
  }
  for (const [i, path] of paths.entries()) {
    if (paths.indexOf(path) < i) yield { path: file, at: [i, 'path'], code: 'duplicate-path', message: `${path} stands here a second time` }
    const first = shapes.indexOf(shapes[i] ?? '')
    if (first < i && paths[first] !== path) yield { path: file, at: [i, 'path'], code: 'shadowed-path', message: `${path} is never reached: ${paths[first]} takes the same addresses` }
  }
}

function* rows({ sources, catalogues, implemented }: World): Iterable<Report> {
  // From the sources: a screen with a mistake inside is there all the same.
  const files = screenFiles(sources)
  const screens = new Set(files.map(({ value }) => value.id))
  const details = new Set(files.flatMap(({ value }) => (value.kind === 'detail' ? [value.id] : [])))
  const served = new Set(sources.routes.filter(isServed).map(({ path }) => path))
  const entries = new Set(placedEntries(sources.menu).map(({ group, entry }) => `${group} ${entry.url}`))
  for (const [i, route] of sources.routes.entries()) {
    const report = (at: Keys, code: string, message: string): Report => ({ path: file, at: [i, ...at], code, message })
    const kinds = (['screen', 'page', 'redirect'] as const).filter((key) => route[key] !== undefined)
    if (kinds.length > 1) yield report([], 'route-kind', `${route.path} has ${kinds.join(' and ')}; one of them serves it`)
    if (route.screen !== undefined && !screens.has(route.screen)) yield report(['screen'], 'unknown-screen', `"${route.screen}" is no screen${didYouMean(route.screen, screens)}`)
    if (details.has(route.screen ?? '') && !route.path.includes('{id}') && route.params?.['id'] === undefined) {
      yield report(['screen'], 'no-record', `${route.path} does not say whose record it shows: it needs {id}, or a parameter "id" filled from what it has`)
    }
    if (route.redirect !== undefined && !served.has(route.redirect)) yield report(['redirect'], 'unknown-path', `nothing serves ${route.redirect}${didYouMean(route.redirect, served)}`)
    if (kinds.length === 0 && (route.guard !== undefined || route.params !== undefined)) yield report([], 'unserved-route', `${route.path} has a guard or parameters but nothing serves it`)
    if ((route.page === 'print') !== (route.print !== undefined)) yield report(route.print === undefined ? ['page'] : ['print'], 'route-print', `${route.path}: the page "print" and a print layout go together`)
    const title = titleOf(route)
    if (title !== undefined && implemented['PageName']?.has(route.page ?? '') && !Object.hasOwn(catalogues.en, title)) {
      yield report(['page'], 'missing-message', `"${title}" is the title of ${route.path} but has no text`)
    }
    if (route.redirect === undefined && kinds.length > 0 && route.layout === 'main' && route.guard === undefined) yield report([], 'missing-guard', `${route.path} is shown in the main layout and needs a guard`)
    if (typeof route.guard === 'object' && !entries.has(`${route.guard.parent} ${route.guard.url}`)) {
      yield report(['guard'], 'unknown-menu', `the menu has no entry ${route.guard.url} under "${route.guard.parent}"${didYouMean(`${route.guard.parent} ${route.guard.url}`, entries)}`)
    }
  }
}

/** The menu file holds the whole product: what is served names its permission, what is not is a path of the product all the same. */
function* menuEntries({ sources }: World): Iterable<Report> {
  const byPath = new Map(sources.routes.map((route) => [route.path, route]))
  const seen = new Set<string>()
  for (const { at, entry } of placedEntries(sources.menu)) {
    const report = (key: string, code: string, message: string): Report => ({ path: menuFile, at: [...at, key], code, message })
    const route = byPath.get(entry.url)
    if (route === undefined) yield report('url', 'unknown-path', `${entry.url} is no path of the product${didYouMean(entry.url, byPath.keys())}`)
    else if (isServed(route) && entry.guard === undefined && !('queues' in entry)) yield report('url', 'missing-guard', `${entry.url} is served, so its entry needs the permission that shows it`)
    if (seen.has(entry.url)) yield report('url', 'duplicate-path', `${entry.url} stands in the menu more than once`)
    seen.add(entry.url)
  }
}

/** Every screen is opened by a route, a panel, a tab or a peek, or stands in the place of a closed form. */
function* reachable({ sources, uses }: World): Iterable<Report> {
  const reached = new Set([...sources.routes.flatMap(({ screen }) => screen ?? []), ...uses.screens.map(({ name }) => name)])
  for (const { path, value } of screenFiles(sources)) {
    if (!reached.has(value.id)) yield { path, at: ['id'], code: 'unreachable-screen', message: `no route, tab, panel or peek leads to "${value.id}"` }
  }
}

/** Links lead to served paths and are filled with keys the row has. */
function* templates(world: World): Iterable<Report> {
  const { sources, uses } = world
  const served = sources.routes.filter(isServed).map(({ path }) => path)
  const known = new Set(served)
  const patterns = served.filter((route) => route.includes('{')).map((route) => route.split('/'))
  const params = new Set(sources.routes.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))
  const keysOf = keysOnce(world)
  for (const { path, at, template, entity, dataset } of uses.paths) {
    const [target = ''] = template.split(/[?#]/)
    const parts = target.split('/')
    // A file the server makes is no page.
    if (target.startsWith('/') && !target.startsWith('/api/') && !known.has(target) && !patterns.some((route) => fitsRoute(parts, route))) {
      yield { path, at, code: 'unknown-path', message: `nothing serves ${target}${didYouMean(target, served)}` }
    }
    const tab = /[?&]tab=([\w-]+)/.exec(template)?.[1]
    const tabs = tab === undefined ? undefined : tabsOf(world, target)
    if (tab !== undefined && tabs?.includes(tab) === false) yield { path, at, code: 'unknown-tab', message: `${target} has no tab "${tab}"; there are ${tabs.join(', ')}` }
    const keys = keysOf(entity, dataset)
    for (const [, name = ''] of template.matchAll(/\{(\w+)\}/g)) {
      // An action may go on with all rows selected.
      if (name === 'IDs' && at.at(-1) === 'goto') continue
      if (at.includes('drill') && dataset !== undefined && hasParameter(world, dataset, name)) continue
      if (keys.size > 0 && !keys.has(name) && !params.has(name)) yield { path, at, code: 'unknown-key', message: `a row has no "${name}"${didYouMean(name, keys)}` }
    }
  }
}

/** Behind a row of a report stands what is asked with the same parameters. */
function hasParameter({ resolved }: World, dataset: string, wire: string): boolean {
  const { datasets } = resolved.metadata
  // A draft may name anything, also what every object has.
  return Object.hasOwn(datasets, dataset) && datasets[dataset]?.parameters.some((parameter) => parameter.wire === wire) === true
}

/** The tabs of what a path shows; undefined: it has none. */
function tabsOf({ sources, resolved }: World, target: string): readonly string[] | undefined {
  const parts = target.split('/')
  const { screen: id } = sources.routes.find((route) => isServed(route) && fitsRoute(parts, route.path.split('/'))) ?? {}
  const screen = id === undefined ? undefined : resolved.metadata.screens[id]
  return screen?.kind === 'workbench' || screen?.kind === 'detail' ? screen.tabs.map((tab) => tab.id) : undefined
}

/** Keys of a row of an entity or of a dataset, worked out once for each. */
function keysOnce({ resolved }: World): (entity: string | undefined, dataset: string | undefined) => ReadonlySet<string> {
  const { entities, datasets } = resolved.metadata
  const known = new Map<string, ReadonlySet<string>>()
  return (entity = '', dataset) => {
    const name = dataset === undefined ? `of ${entity}` : `in ${dataset}`
    const keys = known.get(name) ?? wireKeys(dataset === undefined ? (entities[entity]?.fields ?? []) : [...(datasets[dataset]?.dimensions ?? []), ...(datasets[dataset]?.measures ?? [])])
    known.set(name, keys)
    return keys
  }
}

function wireKeys(fields: readonly { readonly wire: string; readonly type: string }[]): ReadonlySet<string> {
  return new Set(fields.flatMap(({ wire, type }) => (type === 'ref' ? [wire, wire.replace(/ID$/, 'Code'), wire.replace(/ID$/, 'Name')] : [wire])))
}

/** `/invoice/{ID}` fits the route `/invoice/{id}`, both cut at their slashes; a fixed part must stand as it is or where the route has a parameter. */
function fitsRoute(target: readonly string[], route: readonly string[]): boolean {
  return target.length === route.length && route.every((part, i) => (part.startsWith('{') ? target[i] !== '' : part === target[i]))
}
