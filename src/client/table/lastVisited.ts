/** How many addresses are remembered: more than anybody goes back. */
const most = 100

export interface Visited<T> {
  get(place: string): T | undefined
  set(place: string, state: T): void
}

/** What is kept of the places visited last, each under its address; the one not touched for longest is forgotten first. */
export function lastVisited<T>(): Visited<T> {
  const kept = new Map<string, T>()
  return {
    get: (place) => kept.get(place),
    set(place, state) {
      kept.delete(place)
      kept.set(place, state)
      for (const [oldest] of kept) if (kept.size > most) kept.delete(oldest)
    },
  }
}
