import { keep, readKept } from '../data/kept.ts'

/** Where somebody was when his session was lost, so that he comes back there; for this window, and for the same person alone. */
interface Place {
  readonly path: string
  readonly email: string
}

const key = 'return-to'

export function rememberPlace(email: string): void {
  const place: Place = { path: `${location.pathname}${location.search}`, email: email.toLowerCase() }
  keep(key, JSON.stringify(place), 'sessionStorage')
}

/** The path to go back to; undefined for another person, or when nothing was lost. Asked once. */
export function takePlace(email: string): string | undefined {
  try {
    const stored: Partial<Place> = JSON.parse(readKept(key, 'sessionStorage') ?? '{}')
    keep(key, null, 'sessionStorage')
    return stored.email === email.trim().toLowerCase() && stored.path?.startsWith('/') === true ? stored.path : undefined
  } catch {
    return undefined
  }
}
