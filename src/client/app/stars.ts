import { atom } from 'jotai'
import { send } from '../data/http.ts'
import { createRecord, deleteRecord, listRecords, saveRecord } from '../data/records.ts'
import { sessionAtom } from '../data/session.ts'
import { pageTitle } from './routeTable.ts'
import { t } from './messages.ts'

export interface Star {
  readonly id: number
  readonly url: string
  /** What the user, or the record on the page, calls it; null: the page's own title. */
  readonly title: string | null
}

const resource = 'starred-page'
/** Starred pages know no versions: the last word counts. */
const anyVersion = 1

/** One after the other: of two changes on their way together the earlier could arrive last. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  const asked = last.then(ask)
  last = asked.catch(() => undefined)
  return asked
}

/** Ids of pages starred since this page was opened, by address: one whose star goes again at once had none when it was shown. */
const made = new Map<string, number>()

/** Starred pages in the user's order; empty until `loadStarsAtom` has run. */
export const starsAtom = atom<readonly Star[]>([])

const isLoadedAtom = atom(false)

/** They could not be had: the next page that needs them asks again. */
export const areStarsMissingAtom = atom(false)

export const loadStarsAtom = atom(null, async (get, set) => {
  const user = get(sessionAtom)?.user
  if (user === undefined || get(isLoadedAtom)) return
  set(isLoadedAtom, true)
  const answer = await listRecords(resource, {
    length: 500,
    order: 'sort_order,id',
    sort: 'asc,asc',
    columns: 'url,title',
    filter: JSON.stringify({ user_id: user.user_id }),
    count: false,
  }, undefined, true)
  set(areStarsMissingAtom, !answer.ok)
  if (!answer.ok) return set(isLoadedAtom, false)
  set(starsAtom, answer.value.rows.map((row) => ({ id: row.ID, url: String(row['Url']), title: typeof row['Title'] === 'string' ? row['Title'] : null })))
})

/** Stars the page, or takes its star away; shown at once, taken back when the server refuses. */
export const starredAtom = atom(null, async (get, set, page: Pick<Star, 'url' | 'title'>) => {
  const user = get(sessionAtom)?.user
  if (user === undefined) return
  const before = get(starsAtom)
  const known = before.find((star) => star.url === page.url)
  if (known !== undefined) {
    set(starsAtom, before.filter((star) => star !== known))
    const answer = await inTurn(() => deleteRecord(resource, known.id || (made.get(page.url) ?? 0), anyVersion))
    if (!answer.ok) set(starsAtom, before)
    return
  }
  set(starsAtom, [...before, { id: 0, ...page }])
  const answer = await inTurn(() => createRecord(resource, { UserID: user.user_id, Url: page.url, Title: page.title, SortOrder: before.length }))
  if (!answer.ok) return set(starsAtom, before)
  made.set(page.url, answer.value.record.ID)
  set(starsAtom, get(starsAtom).map((star) => (star.url === page.url ? { ...star, id: answer.value.record.ID } : star)))
})

/** Gives a starred page a name of the user's own; an empty one gives it back its title. */
export const renameStarAtom = atom(null, async (get, set, star: Star, name: string) => {
  const before = get(starsAtom)
  const title = name.trim() === '' || name.trim() === starTitle({ url: star.url, title: null }) ? null : name.trim()
  set(starsAtom, before.map((one) => (one.id === star.id ? { ...one, title } : one)))
  const answer = await inTurn(() => saveRecord(resource, star.id, anyVersion, { Title: title }))
  if (!answer.ok) set(starsAtom, before)
})

/** Moves a starred page to another place in the list. */
export const moveStarAtom = atom(null, async (get, set, star: Star, to: number) => {
  const before = get(starsAtom)
  const next = before.filter((one) => one.id !== star.id)
  next.splice(Math.max(0, Math.min(to, next.length)), 0, star)
  set(starsAtom, next)
  const answer = await inTurn(() => send({ method: 'PUT', path: '/api/v1/home/starred', body: { IDs: next.map(({ id }) => id) } }))
  if (!answer.ok) set(starsAtom, before)
})

/** What a starred page is called on screen. */
export function starTitle(star: Pick<Star, 'url' | 'title'>): string {
  const key = pageTitle(star.url)
  return star.title ?? (key === undefined ? star.url : t(key))
}
