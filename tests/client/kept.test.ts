import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { keptAtom } from '#client/app/keptAtom.ts'
import { storedTheme } from '#client/app/theme.ts'
import { keep, readKept } from '#client/data/kept.ts'
import { keepTrail, markSeen, trailOf } from '#client/data/trail.ts'
import { atEnd } from '../support/atEnd.ts'

/** A browser that refuses to store: reaching for the store throws already. */
function forbidStores(): void {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  Object.defineProperty(globalThis, 'localStorage', { get: refuse, configurable: true })
  Object.defineProperty(globalThis, 'sessionStorage', { get: refuse, configurable: true })
}

function allowStores(): Map<string, string> {
  const kept = new Map<string, string>()
  const place = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text), removeItem: (key: string) => void kept.delete(key) }
  Object.defineProperty(globalThis, 'localStorage', { value: place, configurable: true })
  return kept
}

atEnd(() => {
  for (const name of ['localStorage', 'sessionStorage', 'window']) Reflect.deleteProperty(globalThis, name)
})

test('where nothing can be stored nothing throws, and choices hold as long as the page', () => {
  forbidStores()
  vi.stubGlobal('window', new EventTarget())
  expect(keep('theme', 'dark')).toBe(false)
  expect([readKept('theme'), readKept('x', 'sessionStorage'), storedTheme(), trailOf('sales-order')]).toEqual([null, null, 'default', undefined])
  expect(() => markSeen('sales-order', 1)).not.toThrow()
  const sizes = keptAtom('page-size', 5)
  const store = createStore()
  store.set(sizes, 25)
  // What is shown again is read again.
  const stop = store.sub(sizes, () => undefined)
  expect(store.get(sizes)).toBe(25)
  stop()
})

test('a choice is kept, changed from what it was, and follows another window; what cannot be read counts as nothing', () => {
  const kept = allowStores()
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  kept.set('layouts', '{broken')
  const layouts = keptAtom<Readonly<Record<string, number>>>('layouts', {})
  const store = createStore()
  const stop = store.sub(layouts, () => undefined)
  expect(store.get(layouts)).toEqual({})
  store.set(layouts, (before) => ({ ...before, a: 1 }))
  expect(kept.get('layouts')).toBe('{"a":1}')
  kept.set('layouts', '{"a":1,"b":2}')
  page.dispatchEvent(new Event('storage'))
  expect(store.get(layouts)).toEqual({ a: 1, b: 2 })
  const before = store.get(layouts)
  page.dispatchEvent(new Event('storage'))
  expect(store.get(layouts)).toBe(before)
  stop()
})

test('a list is known at once to the records opened from it, and kept for the window a moment later', async () => {
  const kept = new Map<string, string>()
  Object.defineProperty(globalThis, 'sessionStorage', { value: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text) }, configurable: true })
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  vi.stubGlobal('window', { location: { pathname: '/sales-order-list', search: '?p=2' } })
  keepTrail('sales-order', { search: 'a', order: 'id', sort: 'asc', columns: 'code' })
  keepTrail('sales-order', { search: 'ab', order: 'id', sort: 'asc', columns: 'code' })
  expect([trailOf('sales-order')?.query.search, kept.size]).toEqual(['ab', 0])
  await vi.waitFor(() => expect(JSON.parse(kept.get('trail.sales-order') ?? '{}')).toMatchObject({ path: '/sales-order-list?p=2', query: { search: 'ab' }, seen: [] }))
  markSeen('sales-order', 7)
  expect(trailOf('sales-order')?.seen).toEqual([7])
  vi.unstubAllGlobals()
})

test('whoever signs out leaves nothing of himself, neither then nor while the page is still there; what belongs to the browser or waits for somebody else stays', async () => {
  vi.resetModules()
  const { forgetPerson, keep: keepHere } = await import('#client/data/kept.ts')
  const stores = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() }
  for (const [name, kept] of Object.entries(stores)) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      value: {
        get length() {
          return kept.size
        },
        key: (at: number) => [...kept.keys()][at] ?? null,
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, text: string) => void kept.set(key, text),
        removeItem: (key: string) => void kept.delete(key),
      },
    })
  }
  const own = ['draft:3:sales-order-form:new?', 'recent:3', 'searches:3', 'comment:3:invoice:1', 'preferences-of', 'menu', 'whatever comes later']
  const stays = ['theme', 'density', 'language', 'device-id', 'page-size', 'grid:sales-order', 'draft:7:sales-order-form:new?', 'recent:33']
  for (const key of [...own, ...stays]) keepHere(key, 'x')
  for (const key of ['typed:3:view:', 'trail.customer', 'return-to']) keepHere(key, 'x', 'sessionStorage')
  forgetPerson(3)
  expect([...stores.localStorage.keys()].sort()).toEqual([...stays].sort())
  expect([...stores.sessionStorage.keys()]).toEqual([])
  expect([keepHere('draft:3:sales-order-form:new?', 'late'), keepHere('trail.item', 'late', 'sessionStorage'), keepHere('theme', 'dark')]).toEqual([false, false, true])
})

test('a second window of his keeps nothing of him either once he has signed out in the first; one of somebody else goes on', async () => {
  vi.resetModules()
  const windows: ((event: { readonly key: string; readonly newValue: string | null }) => void)[] = []
  const shared = new Map<string, string>()
  const own = new Map<string, string>([['typed:3:view:', 'x']])
  const storeOf = (kept: Map<string, string>) => ({
    get length() {
      return kept.size
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('localStorage', storeOf(shared))
  vi.stubGlobal('sessionStorage', storeOf(own))
  vi.stubGlobal('addEventListener', (name: string, heard: (typeof windows)[number]) => name === 'storage' && windows.push(heard))
  const { followSignOut, keep: keepHere } = await import('#client/data/kept.ts')
  let here = 7
  const leave = vi.fn<() => void>()
  followSignOut(() => here, leave)
  const hear = (newValue: string | null) => windows.forEach((heard) => heard({ key: 'signed-out', newValue }))
  hear('3')
  expect(keepHere('draft:7:a', 'x')).toBe(true)
  here = 3
  hear(null)
  expect(keepHere('draft:3:a', 'x')).toBe(true)
  hear('3')
  expect([keepHere('draft:3:a', 'late'), keepHere('recent:3', 'late'), [...shared.keys()], own.size]).toEqual([false, false, ['draft:7:a'], 0])
  expect(leave).toHaveBeenCalledTimes(1)
  vi.resetModules()
  const told: string[] = []
  vi.stubGlobal('localStorage', { ...storeOf(shared), setItem: (key: string, text: string) => void told.push(`${key} ${text}`) })
  const first = await import('#client/data/kept.ts')
  first.forgetPerson(3)
  expect([told, [...shared.keys()]]).toEqual([['signed-out 3'], ['draft:7:a']])
  vi.unstubAllGlobals()
})
