import type { SavedView, ViewAnswer, ViewBody } from '#api/view.ts'
import { newKey, send, type Answer } from './http.ts'
import { sessionAtom, store } from './session.ts'
import { viewRolesAtom, viewsAtom } from './views.ts'

/** Changes made here: an answer asked for before the latest of them is older than what is known. */
let changes = 0

/** Asks again what views there are: others rename, change and delete those they share. Answers whether the one named is still among them. */
export async function refreshViews(id?: number): Promise<boolean> {
  const before = changes
  const answer = await send<ViewAnswer>({ path: '/api/v1/view', isPart: true })
  if (!answer.ok || before !== changes) return true
  const { records, roles } = answer.value
  store.set(viewsAtom, records)
  store.set(viewRolesAtom, roles)
  return id === undefined || records.some(({ ID }) => ID === id)
}

export async function createView(body: ViewBody): Promise<Answer<{ readonly record: SavedView }>> {
  return kept(await send({ method: 'POST', path: '/api/v1/view', body, key: newKey() }))
}

export async function saveView(view: SavedView, body: ViewBody): Promise<Answer<{ readonly record: SavedView }>> {
  return kept(await send({ method: 'PUT', path: `/api/v1/view/${view.ID}`, body, version: view.Version, key: newKey() }))
}

export async function deleteView(view: SavedView): Promise<Answer<unknown>> {
  const answer = await send({ method: 'DELETE', path: `/api/v1/view/${view.ID}`, version: view.Version, key: newKey() })
  if (!answer.ok) return answer
  changes++
  store.set(viewsAtom, store.get(viewsAtom).filter(({ ID }) => ID !== view.ID))
  return answer
}

/** Puts the view as the server answered it in its place; of a default there is one. */
function kept(answer: Answer<{ readonly record: SavedView }>): Answer<{ readonly record: SavedView }> {
  if (!answer.ok) return answer
  changes++
  const { record } = answer.value
  const others = store.get(viewsAtom).filter(({ ID }) => ID !== record.ID)
  const isRival = (view: SavedView) => record.IsDefault && view.IsDefault && view.Screen === record.Screen && view.RoleID === record.RoleID
  // The server has taken the mark off the view that had it, which counts as a change of it.
  const now = others.map((view) => (isRival(view) ? { ...view, IsDefault: false, Version: view.Version + 1 } : view))
  // Somebody else's that is shared no longer is his alone.
  const isSeen = record.RoleID !== null || record.OwnerID === store.get(sessionAtom)?.user.user_id
  store.set(viewsAtom, [...now, ...(isSeen ? [record] : [])].toSorted((a, b) => a.Name.localeCompare(b.Name)))
  return answer
}
