import { createStore } from 'jotai'
import { afterAll as atEnd, expect, it, vi } from 'vitest'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text), removeItem: (key: string) => void kept.delete(key) })
const dataset: Record<string, string> = {}
vi.stubGlobal('document', { documentElement: { dataset }, cookie: '', getElementById: () => null })
const system = Object.assign(new EventTarget(), { matches: true })
vi.stubGlobal('matchMedia', (query: string) => (query === '(prefers-color-scheme: dark)' ? system : Object.assign(new EventTarget(), { matches: false })))
atEnd(() => void vi.unstubAllGlobals())

function turn(isDark: boolean): void {
  system.matches = isDark
  system.dispatchEvent(new Event('change'))
}

it('"Default theme light": where nothing is chosen the system decides, at once when it turns; a choice holds against it and can be taken back', async () => {
  const { applyTheme, onSystemTheme } = await import('#client/app/theme.ts')
  const { themeAtom } = await import('#client/app/preferences.ts')
  applyTheme()
  const stop = onSystemTheme(() => applyTheme())
  const store = createStore()
  const shown: string[] = []
  store.sub(themeAtom, () => void shown.push(store.get(themeAtom)))
  expect([dataset['theme'], store.get(themeAtom), kept.get('theme')], 'nothing is kept that nobody chose').toEqual(['dark', 'dark', undefined])
  turn(false)
  expect([dataset['theme'], store.get(themeAtom)]).toEqual(['light', 'default'])
  turn(true)
  store.set(themeAtom, 'semi-dark')
  expect([dataset['theme'], store.get(themeAtom), kept.get('theme')]).toEqual(['semi-dark', 'semi-dark', 'semi-dark'])
  turn(false)
  expect(dataset['theme']).toBe('semi-dark')
  turn(true)
  store.set(themeAtom, null)
  expect([dataset['theme'], store.get(themeAtom), kept.has('theme')]).toEqual(['dark', 'dark', false])
  expect(shown).toEqual(['default', 'dark', 'semi-dark', 'dark'])
  stop()
})
