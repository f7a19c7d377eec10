/** The browser's stores: the one that stays, and the one of this window. */
export type Store = 'localStorage' | 'sessionStorage'

/**
 * What this browser keeps is reached here alone. A full or forbidden store (a private window, blocked site data) loses convenience, never data: it answers
 * like one that is empty, and nothing throws.
 */
export function readKept(key: string, store: Store = 'localStorage'): string | null {
  try {
    return globalThis[store].getItem(key)
  } catch {
    return null
  }
}

/** Keeps the text, or forgets what was kept; false where nothing can be stored. */
export function keep(key: string, text: string | null, store: Store = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[store].removeItem(key)
    // Most of what is kept as a page starts is what was kept before.
    else if (readKept(key, store) !== text) globalThis[store].setItem(key, text)
    return true
  } catch {
    return false
  }
}
