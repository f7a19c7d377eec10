import { compared } from '#base/unseen.ts'
import { readStored, writeStored } from '../form/storage.ts'

/** A page visited: its path, and the number of its record if it shows one. */
export interface RecentPage {
  readonly url: string
  readonly name?: string
}

const mostPages = 15
const mostSearches = 6

/** Pages visited last, newest first, in this browser. */
export function recentPages(userId: number): readonly RecentPage[] {
  const found = readStored(`recent:${userId}`)
  return Array.isArray(found) ? found.filter(isPage) : []
}

/** Puts the page first; what is known of it by name is kept. */
export function visited(pages: readonly RecentPage[], page: RecentPage): readonly RecentPage[] {
  const known = pages.find((other) => other.url === page.url)
  return [{ ...known, ...page }, ...pages.filter((other) => other !== known)].slice(0, mostPages)
}

export function keepVisit(userId: number, page: RecentPage): void {
  writeStored(`recent:${userId}`, visited(recentPages(userId), page))
}

/** What was looked for and found last in the search over everything. */
export function recentSearches(userId: number): readonly string[] {
  const found = readStored(`searches:${userId}`)
  return Array.isArray(found) ? found.filter((entry): entry is string => typeof entry === 'string') : []
}

export function keepSearch(userId: number, text: string): void {
  const typed = text.trim()
  if (typed === '') return
  const others = recentSearches(userId).filter((other) => compared(other) !== compared(typed))
  writeStored(`searches:${userId}`, [typed, ...others].slice(0, mostSearches))
}

function isPage(value: unknown): value is RecentPage {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string' && value.url.startsWith('/')
}
