import { atom } from 'jotai'
import type { SavedView, ViewAnswer, ViewRole } from '#api/view.ts'
import { send } from './http.ts'
import { store } from './session.ts'

/** Saved views of all screens that the user may open; empty until `loadViews` has answered. */
export const viewsAtom = atom<readonly SavedView[]>([])

/** Roles a view can be shared with. */
export const viewRolesAtom = atom<readonly ViewRole[]>([])

let loading: Promise<void> | undefined

/** Asked for once a session, beside profile and menu: a list opens with its default view without waiting. */
export function loadViews(): Promise<void> {
  loading ??= send<ViewAnswer>({ path: '/api/v1/view', isPart: true }).then((answer) => {
    // Without views the lists open as delivered; the next page asks again.
    if (!answer.ok) return void (loading = undefined)
    store.set(viewsAtom, answer.value.records)
    store.set(viewRolesAtom, answer.value.roles)
  })
  return loading
}
