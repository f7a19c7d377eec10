/** Whoever holds something unsaved keeps it when asked. */
const keepers = new Set<() => void>()

/** `keep` is called before the page may go away: to sign in again, after an error, when the window is hidden or closed. */
export function beforeLeaving(keep: () => void): () => void {
  keepers.add(keep)
  return () => void keepers.delete(keep)
}

/** Everything unsaved is kept as local drafts. */
export function keepEverything(): void {
  for (const keep of [...keepers]) keep()
}

let isForGood = false

/** The page goes away by itself (the session is lost): everything is kept, and the browser must not ask. */
export function leaveForGood(): void {
  keepEverything()
  isForGood = true
}

export function isLeavingForGood(): boolean {
  return isForGood
}

/** Windows are closed, put to sleep and killed without a word: being hidden is the last moment one can count on. */
export function keepWhenHidden(): void {
  window.addEventListener('pagehide', keepEverything)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keepEverything()
  })
}
