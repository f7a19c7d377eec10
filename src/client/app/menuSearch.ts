import { compared } from '#base/unseen.ts'
import type { MenuEntry } from '#api/session.ts'
import { tFirst } from './messages.ts'

/** A menu entry in the user's language; entries made in the database show their own name. */
export function entryLabel(entry: Pick<MenuEntry, 'name'>): string {
  return tFirst([`menu.${entry.name}`], entry.name)
}

/** Groups with the entries whose label (or whose group's label) contains every word typed. */
export function foundIn(menu: readonly MenuEntry[], search: string): readonly MenuEntry[] {
  const words = compared(search).split(/\s+/).filter(Boolean)
  const matches = (text: string) => words.every((word) => compared(text).includes(word))
  return menu
    .map((group) => ({ ...group, submenu: group.submenu.filter((entry) => matches(`${entryLabel(group)} ${entryLabel(entry)} ${entry.url}`)) }))
    .filter((group) => group.submenu.length > 0)
}

/** Entries of a group that stand in the menu by themselves; one under another only where the user does not see that one, then one for all. */
export function standing(submenu: readonly MenuEntry[]): readonly MenuEntry[] {
  return submenu.filter((entry) => standIn(submenu, entry) === entry)
}

/** The entry of the group that stands for this one. */
export function standIn(submenu: readonly MenuEntry[], { url, under = url }: MenuEntry): MenuEntry | undefined {
  return submenu.find((entry) => entry.url === under) ?? submenu.find((entry) => entry.under === under)
}

/** The menu as it is drawn, and the url in it that stands for the page of this one. */
export function standingMenu(menu: readonly MenuEntry[], current: string): { readonly menu: readonly MenuEntry[]; readonly current: string } {
  const group = menu.find(({ submenu }) => submenu.some(({ url }) => url === current))
  const entry = group?.submenu.find(({ url }) => url === current)
  return {
    menu: menu.map((one) => ({ ...one, submenu: standing(one.submenu) })),
    current: (group && entry && standIn(group.submenu, entry)?.url) ?? current,
  }
}

/** The screens a switch on this one leads to, itself among them; none where it stands alone. */
export function familyOf(menu: readonly MenuEntry[], url: string): readonly MenuEntry[] {
  const group = menu.find(({ submenu }) => submenu.some((entry) => entry.url === url))
  const own = group?.submenu.find((entry) => entry.url === url)
  if (group === undefined || own === undefined || own.isQueue === true) return []
  const head = own.under ?? own.url
  const family = group.submenu.filter((entry) => entry.isQueue !== true && (entry.url === head || entry.under === head))
  return family.length > 1 ? family : []
}
