import { compared } from '#base/unseen.ts'
import type { SearchHit } from '#api/search.ts'
import type { MenuEntry } from '#api/session.ts'
import { entryLabel, foundIn } from '../app/menuSearch.ts'
import { t } from '../app/messages.ts'
import { matchRoute, titleKeyOf } from '../app/routeTable.ts'
import type { RecentPage } from '../companion/recent.ts'
import type { IconName } from '../ui/Icon.tsx'

/** One line of the palette: what it is, and what choosing it does. */
export interface Choice {
  /** Unique among the lines shown. */
  readonly id: string
  /** Message key of its heading. */
  readonly group: string
  readonly label: string
  /** In smaller type at the end. */
  readonly hint: string
  readonly icon: IconName
  readonly status?: number | null
  readonly does: { readonly kind: 'go'; readonly path: string } | { readonly kind: 'run'; readonly run: () => void } | { readonly kind: 'type'; readonly text: string }
}

const mostPages = 8

/** Pages of the menu that match; those whose name begins with what was typed first. Pages that start something new are actions. */
export function pageChoices(menu: readonly MenuEntry[], search: string): readonly Choice[] {
  const found = foundIn(menu, search).flatMap((group) => group.submenu.map((entry) => ({ group, entry, label: entryLabel(entry) })))
  const ranked = found.toSorted((a, b) => rank(a.label, search) - rank(b.label, search)).slice(0, mostPages)
  return ranked.map(({ group, entry, label }): Choice => {
    const isNew = matchRoute(entry.url)?.route.kind === 'form'
    return {
      id: `page ${entry.url}`,
      group: isNew ? 'ui.palette.actions' : 'ui.palette.pages',
      label,
      hint: entryLabel(group),
      icon: isNew ? 'plus' : 'columns',
      does: { kind: 'go', path: entry.url },
    }
  })
}

/** Records the server has found, in its order, a heading for each kind. Pages the reader cannot open are left out. */
export function recordChoices(hits: readonly SearchHit[], mayOpen: (path: string) => boolean): readonly Choice[] {
  const kinds = [...new Set(hits.map((hit) => hit.Entity))]
  return kinds.flatMap((kind) =>
    hits
      .filter((hit) => hit.Entity === kind && mayOpen(hit.Url))
      .map((hit): Choice => ({
        id: `${hit.Entity} ${hit.ID}`,
        group: `entity.${hit.Entity}`,
        // People know documents by number, customers and items by name.
        label: hit.Date === null ? (hit.Name ?? hit.Code) : hit.Code,
        hint: hit.Date === null ? hit.Code : [hit.Name, day(hit.Date)].filter((part) => part !== null).join(' · '),
        icon: hit.Date === null ? 'database' : 'file',
        status: hit.Status,
        does: { kind: 'go', path: hit.Url },
      })),
  )
}

/** Pages visited last, but for the one on screen. */
export function recentChoices(pages: readonly RecentPage[], here: string, mayOpen: (path: string) => boolean, most: number): readonly Choice[] {
  return pages
    .filter((page) => page.url !== here && mayOpen(page.url))
    .slice(0, most)
    .map((page) => ({ id: `recent ${page.url}`, group: 'ui.palette.recent', label: recentLabel(page), hint: '', icon: 'clock', does: { kind: 'go', path: page.url } }))
}

/** What a visited page is called: its title, and the number of its record. */
export function recentLabel({ url, name }: RecentPage): string {
  const match = matchRoute(url)
  const key = match === undefined ? undefined : titleKeyOf(match.route)
  return [key === undefined ? undefined : t(key), name].filter((part) => part !== undefined).join(' ') || url
}

export function searchChoices(searches: readonly string[]): readonly Choice[] {
  return searches.map((text) => ({ id: `search ${text}`, group: 'ui.palette.searches', label: text, hint: '', icon: 'search', does: { kind: 'type', text } }))
}

/** Those whose words match what was typed. */
export function matching(choices: readonly Choice[], search: string): readonly Choice[] {
  const words = compared(search).split(/\s+/).filter(Boolean)
  return choices.filter(({ label, hint }) => words.every((word) => compared(`${label} ${hint}`).includes(word)))
}

/** Lines under their headings, headings in the order of their first line. */
export function grouped(choices: readonly Choice[]): readonly { readonly group: string; readonly choices: readonly Choice[] }[] {
  return [...new Set(choices.map(({ group }) => group))].map((group) => ({ group, choices: choices.filter((choice) => choice.group === group) }))
}

function rank(label: string, search: string): number {
  const typed = compared(search)
  const at = typed === '' ? -1 : compared(label).indexOf(typed)
  return at === 0 ? 0 : at > 0 ? 1 : 2
}

function day(iso: string): string {
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`
}
