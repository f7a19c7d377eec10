import { atom } from 'jotai'
import { createRecord, deleteRecord, listRecords } from '../data/records.ts'
import { sessionAtom } from '../data/session.ts'

export interface Star {
  readonly id: number
  readonly url: string
  readonly title: string
}

/** The home page keeps this many. */
export const starLimit = 10

const resource = 'starred-page'

/** Starred pages in the order they were starred; empty until `loadStarsAtom` has run. */
export const starsAtom = atom<readonly Star[]>([])

const isLoadedAtom = atom(false)

export const loadStarsAtom = atom(null, async (get, set) => {
  const user = get(sessionAtom)?.user
  if (user === undefined || get(isLoadedAtom)) return
  set(isLoadedAtom, true)
  const answer = await listRecords(resource, {
    length: 100,
    order: 'sort_order,id',
    sort: 'asc,asc',
    columns: 'url,title',
    filter: JSON.stringify({ user_id: user.user_id }),
  })
  if (!answer.ok) return
  set(starsAtom, answer.value.rows.map((row) => ({ id: row.ID, url: String(row['Url']), title: String(row['Title'] ?? row['Url']) })))
})

/** Stars the page, or takes its star away; shown at once, taken back when the server refuses. */
export const starredAtom = atom(null, async (get, set, page: { readonly url: string; readonly title: string }) => {
  const user = get(sessionAtom)?.user
  if (user === undefined) return
  const before = get(starsAtom)
  const known = before.find((star) => star.url === page.url)
  if (known !== undefined) {
    set(starsAtom, before.filter((star) => star !== known))
    const answer = await deleteRecord(resource, known.id, 1)
    if (!answer.ok) set(starsAtom, before)
    return
  }
  set(starsAtom, [...before, { id: 0, ...page }])
  const answer = await createRecord(resource, { UserID: user.user_id, Url: page.url, Title: page.title, SortOrder: before.length })
  if (!answer.ok) set(starsAtom, before)
  else set(starsAtom, get(starsAtom).map((star) => (star.url === page.url ? { ...star, id: answer.value.record.ID } : star)))
})
