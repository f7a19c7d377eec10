import { atom, type WritableAtom } from 'jotai'
import { keep, readKept } from '../data/kept.ts'

/** A choice this browser keeps under a key; its other windows follow. Where nothing can be stored it holds as long as the page. */
export function keptAtom<T>(key: string, initial: T): WritableAtom<T, [next: T | ((before: T) => T)], void> {
  let text: string | null | undefined
  let value = initial
  // Read again only when something else was stored, so that it stays the very same object.
  const read = (): T => {
    const now = readKept(key)
    if (now !== text) {
      text = now
      try {
        value = now === null ? initial : (JSON.parse(now) as T)
      } catch {
        value = initial
      }
    }
    return value
  }
  const own = atom(read())
  own.onMount = (set) => {
    const follow = (): void => set(read)
    follow()
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }
  return atom(
    (get) => get(own),
    (get, set, next) => {
      // A choice is a value, never a function.
      value = typeof next === 'function' ? (next as (before: T) => T)(get(own)) : next
      set(own, value)
      keep(key, JSON.stringify(value))
      text = readKept(key)
    },
  )
}
