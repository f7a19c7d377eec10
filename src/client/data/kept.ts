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

/** What belongs to the browser, whoever sits at it: how it looks, and the widths of columns. Everything else is somebody's. */
const ofBrowser = /^(theme|density|language|device-id|menu-collapsed|menu-groups|page-size|layouts|grid:.*|print:.*)$/

let isLeft = false

/**
 * Whoever signs out leaves nothing he typed, looked at or looked for; what waits for another user (`draft:7:…`) goes on waiting. Until the page has gone,
 * nothing is kept again.
 */
export function forgetPerson(userId: number): void {
  forgetHere(userId)
  try {
    // It stands there no longer than the other windows take to hear of it.
    globalThis.localStorage.setItem(leftKey, String(userId))
    globalThis.localStorage.removeItem(leftKey)
  } catch {
    // Where nothing can be stored no other window has kept anything.
  }
}

const leftKey = 'signed-out'

/** Hears when whoever is here signs out in another window: forgets him in this one as well, then leaves. */
export function followSignOut(whoIsHere: () => number | undefined, leave: () => void): void {
  globalThis.addEventListener?.('storage', ({ key, newValue }) => {
    if (key !== leftKey || newValue === null || Number(newValue) !== whoIsHere()) return
    forgetHere(Number(newValue))
    leave()
  })
}

function forgetHere(userId: number): void {
  isLeft = true
  const isOfOther = (key: string): boolean => Number(/^\w+:(\d+)(:|$)/.exec(key)?.[1] ?? userId) !== userId
  for (const store of ['localStorage', 'sessionStorage'] as const) for (const key of keysIn(store)) if (!ofBrowser.test(key) && !isOfOther(key)) keep(key, null, store)
}

/** Names of what is kept. */
export function keysIn(store: Store): readonly string[] {
  try {
    return Array.from({ length: globalThis[store].length }, (_, i) => globalThis[store].key(i) ?? '')
  } catch {
    return []
  }
}

/** Keeps the text, or forgets what was kept; false where nothing can be stored. */
export function keep(key: string, text: string | null, store: Store = 'localStorage'): boolean {
  if (isLeft && text !== null && !ofBrowser.test(key)) return false
  try {
    if (text === null) globalThis[store].removeItem(key)
    // Most of what is kept as a page starts is what was kept before.
    else if (readKept(key, store) !== text) globalThis[store].setItem(key, text)
    return true
  } catch {
    return false
  }
}
