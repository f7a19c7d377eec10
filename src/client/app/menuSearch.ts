import type { MenuEntry } from '#api/session.ts'
import { tFirst } from './messages.ts'

/** A menu entry in the user's language; entries made in the database show their own name. */
export function entryLabel(entry: Pick<MenuEntry, 'name'>): string {
  return tFirst([`menu.${entry.name}`], entry.name)
}

/** Groups with the entries whose label (or whose group's label) contains every word typed. */
export function foundIn(menu: readonly MenuEntry[], search: string): readonly MenuEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return menu
    .map((group) => ({ ...group, submenu: group.submenu.filter((entry) => matches(`${entryLabel(group)} ${entryLabel(entry)} ${entry.url}`)) }))
    .filter((group) => group.submenu.length > 0)
}
