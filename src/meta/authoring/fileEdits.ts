import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { placedEntries } from '#meta/menuTree.ts'
import type { MenuSource } from '#generated/language.ts'

/** One row a line, as the file is kept. */
export function routesWith(text: string, route: string, screen: string, group: string): string {
  const rows: { path: string; layout: string }[] = JSON.parse(text)
  const row = rows.find((candidate) => candidate.path === route)
  const served = { path: route, layout: row?.layout ?? 'main', screen, guard: { parent: group, url: route } }
  if (row === undefined) return withLast(text, text.lastIndexOf(']'), `  ${JSON.stringify(served)}\n`)
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.includes(`"path":${JSON.stringify(route)}`) || line.includes(`"path": ${JSON.stringify(route)}`))
  const line = lines[at] ?? ''
  const isLast = !line.trimEnd().endsWith(',')
  return lines.with(at, `  ${JSON.stringify(served)}${isLast ? '' : ','}`).join('\n')
}

/** Group and name of the entry of a path the menu holds already, though nothing serves it yet. */
export function waitingEntry(text: string, url: string): { readonly group: string; readonly name: string } | undefined {
  const menu: MenuSource = JSON.parse(text)
  const found = placedEntries(menu).find(({ entry }) => entry.url === url)
  return found && { group: found.group, name: found.entry.name }
}

/** A menu entry more, at the end of its group; a group that is not there yet is added. An entry that waits for its screen is given the permission. */
export function menuWith(text: string, group: string, name: string, guard: string, url: string): string {
  const address = `"url":${JSON.stringify(url)}`
  if (text.includes(address)) return text.replace(address, `${address},"guard":${JSON.stringify(guard)}`)
  const entry = JSON.stringify({ name, url, guard })
  const groups: readonly { readonly name: string }[] = JSON.parse(text)
  const tree = parseTree(text)
  const submenu = tree && findNodeAtLocation(tree, [groups.findIndex((candidate) => candidate.name === group), 'submenu'])
  if (submenu === undefined) return withLast(text, text.lastIndexOf(']'), `  {\n    "name": ${JSON.stringify(group)},\n    "icon": "file",\n    "submenu": [\n      ${entry}\n    ]\n  }\n`)
  return withLast(text, submenu.offset + submenu.length - 1, `      ${entry}\n    `)
}

/** The text with one thing more, on lines of its own, in the list whose closing bracket stands at `end`. */
function withLast(text: string, end: number, added: string): string {
  const kept = text.slice(0, end).trimEnd()
  return `${kept}${kept.endsWith('[') ? '' : ','}\n${added}${text.slice(end)}`
}

/** `price-offer` → `Price offer`. */
export function titled(noun: string): string {
  const words = noun.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A catalogue with texts it does not have yet, sorted by key, one text a line. */
export function catalogueWith(text: string, texts: Readonly<Record<string, string>>): string {
  const known: Record<string, string> = JSON.parse(text)
  return catalogueText({ ...texts, ...known })
}

/** A catalogue as its file is kept. */
export function catalogueText(catalogue: Readonly<Record<string, string>>): string {
  const sorted = Object.fromEntries(Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify(sorted, null, 1)}\n`
}
