import { atom } from 'jotai'
import type { SavedView, ViewAnswer, ViewBody, ViewRole } from '#api/view.ts'
import { newKey, send, type Answer } from './http.ts'
import { store } from './session.ts'

/** Saved views of all screens that the user may open; empty until `loadViews` has answered. */
export const viewsAtom = atom<readonly SavedView[]>([])

/** Roles a view can be shared with. */
export const viewRolesAtom = atom<readonly ViewRole[]>([])

let loading: Promise<void> | undefined

/** Asked for once a session, beside profile and menu: a list opens with its default view without waiting. */
export function loadViews(): Promise<void> {
  loading ??= send<ViewAnswer>({ path: '/api/v1/view' }).then((answer) => {
    // Without views the lists open as delivered; the next page asks again.
    if (!answer.ok) return void (loading = undefined)
    store.set(viewsAtom, answer.value.records)
    store.set(viewRolesAtom, answer.value.roles)
  })
  return loading
}

export async function createView(body: ViewBody): Promise<Answer<{ readonly record: SavedView }>> {
  return kept(await send({ method: 'POST', path: '/api/v1/view', body, key: newKey() }))
}

export async function saveView(view: SavedView, body: ViewBody): Promise<Answer<{ readonly record: SavedView }>> {
  return kept(await send({ method: 'PUT', path: `/api/v1/view/${view.ID}`, body, version: view.Version, key: newKey() }))
}

export async function deleteView(view: SavedView): Promise<Answer<unknown>> {
  const answer = await send({ method: 'DELETE', path: `/api/v1/view/${view.ID}`, version: view.Version, key: newKey() })
  if (answer.ok) store.set(viewsAtom, store.get(viewsAtom).filter(({ ID }) => ID !== view.ID))
  return answer
}

/** Puts the view as the server answered it in its place; of a default there is one. */
function kept(answer: Answer<{ readonly record: SavedView }>): Answer<{ readonly record: SavedView }> {
  if (!answer.ok) return answer
  const { record } = answer.value
  const others = store.get(viewsAtom).filter(({ ID }) => ID !== record.ID)
  const isRival = (view: SavedView) => record.IsDefault && view.IsDefault && view.Screen === record.Screen && view.RoleID === record.RoleID
  // The server has taken the mark off the view that had it, which counts as a change of it.
  const now = others.map((view) => (isRival(view) ? { ...view, IsDefault: false, Version: view.Version + 1 } : view))
  store.set(viewsAtom, [...now, record].toSorted((a, b) => a.Name.localeCompare(b.Name)))
  return answer
}
