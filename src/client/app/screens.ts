import { useSyncExternalStore } from 'react'
import { importScreen } from '#generated/loaders.js'
import { keepEverything } from '../data/leaving.ts'
import { loadChunk, loadFirstChunk } from './chunks.ts'
import { hasToken } from '../data/http.ts'
import { loadSession, sessionAtom, store } from '../data/session.ts'
import type { FormValidation } from '#meta/formValidation.ts'
import { permitted } from '#meta/permitted.ts'
import type { ScreenModule } from '#meta/screenModule.ts'

export type { ScreenModule }

/** A value that is there or on its way, so that a page already loaded paints without waiting. */
interface Loading<T> {
  readonly promise: Promise<T>
  value?: T
}

const screens = new Map<string, Loading<ScreenModule>>()

/** The flat screen with what its page needs, as the user may see it; each is loaded once. */
export async function loadScreen(id: string): Promise<ScreenModule> {
  const module = await start(id).promise
  if (module.screen.asks !== undefined && hasToken()) await loadSession()
  return seen(module)
}

/** The screen if it has been loaded already. */
export function loadedScreen(id: string): ScreenModule | undefined {
  const module = screens.get(id)?.value
  return module && seen(module)
}

const seenModules = new WeakMap<ScreenModule, { readonly guards: ReadonlySet<string> | undefined; readonly module: ScreenModule }>()

/** Without the fields the user may not read: the same object as long as he stays the same. */
function seen(module: ScreenModule): ScreenModule {
  if (module.screen.asks === undefined) return module
  const guards = store.get(sessionAtom)?.guards
  const known = seenModules.get(module)
  if (known !== undefined && known.guards === guards) return known.module
  const screen = permitted(module.screen, (guard) => guards?.has(guard) === true)
  const own = { ...module, screen }
  seenModules.set(module, { guards, module: own })
  return own
}

/** Development: screens that no generated file holds. */
export function provideScreens(modules: Readonly<Record<string, ScreenModule>>): void {
  for (const [id, module] of Object.entries(modules)) screens.set(id, { promise: Promise.resolve(module), value: module })
}

let exchanges = 0
const watchers = new Set<() => void>()

// Development: a screen generated anew takes the place of the one on view. What is being typed is kept first: whoever saves in an editor has not left the field.
import.meta.hot?.on('arus:screen', (module: ScreenModule) => {
  keepEverything()
  screens.set(module.screen.id, { promise: Promise.resolve(module), value: module })
  exchanges++
  for (const watcher of watchers) watcher()
})

// Its validators too, from the address they are now found at.
import.meta.hot?.on('arus:validation', ({ id, url }: { readonly id: string; readonly url: string }) => {
  void Promise.all([loadChunk(() => import('../form/useForm.ts')), loadChunk(() => import(/* @vite-ignore */ url) as Promise<FormValidation>)]).then(([form, validation]) => {
    keepEverything()
    form.provideValidation(id, Promise.resolve(validation))
    exchanges++
    for (const watcher of watchers) watcher()
  })
})

/** Renders again when a screen was exchanged while developing; never otherwise. */
export function useExchangedScreens(): number {
  return useSyncExternalStore(watch, () => exchanges)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

function start(id: string): Loading<ScreenModule> {
  const known = screens.get(id)
  if (known !== undefined) return known
  const loading: Loading<ScreenModule> = { promise: loadFirstChunk(() => importScreen(id)).then((module) => module.default) }
  screens.set(id, loading)
  loading.promise.then(
    (value) => {
      loading.value = value
    },
    () => screens.delete(id),
  )
  return loading
}

