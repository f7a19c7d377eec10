import { titled } from '../../src/meta/authoring/fileEdits.ts'
import type { Sources } from '../../src/meta/sources.ts'

/** The group of the menu a new screen of an area belongs to: the one named like it, else the one most screens of the area stand in, else one of its own. */
export function menuGroupOf({ menu, routes, list, report }: Pick<Sources, 'menu' | 'routes' | 'list' | 'report'>, area: string): string {
  const named = menu.find(({ name }) => name.toLowerCase() === area)
  if (named !== undefined) return named.name
  const screens = new Set([...list, ...report].filter(({ path }) => path.startsWith(`schemas/${area}/`)).map(({ value }) => value.id))
  const paths = new Set(routes.filter(({ screen }) => screen !== undefined && screens.has(screen)).map(({ path }) => path))
  const shown = menu.map(({ name, submenu }) => ({ name, count: submenu.filter(({ url }) => paths.has(url)).length }))
  return shown.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)[0]?.name ?? titled(area)
}
