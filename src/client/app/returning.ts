import { keep, readKept } from '../data/kept.ts'

/** Of this window: whose it is and, where his session was lost, the path he was at, so that he alone comes back there. Neither has a blank in it. */
const key = 'return-to'
const stored = (): string[] => (readKept(key, 'sessionStorage') ?? '').split(' ')
const write = (email: string, path: string): boolean => keep(key, `${email.toLowerCase()} ${path}`, 'sessionStorage')

/** Whose window this is: a session lost before the page could ask whose it was is his, too. */
export function rememberWho(email: string | undefined): void {
  if (email !== undefined) write(email, '')
}

/** Of the calls a page makes at once each may find the session lost, the later ones from the sign-in page already. */
export function rememberPlace(email: string | undefined): void {
  if (!location.pathname.startsWith('/pages/login')) write(email ?? stored()[0] ?? '', `${location.pathname}${location.search}`)
}

/** The path to go back to; undefined for another person, or when nothing was lost. Asked once. */
export function takePlace(email: string): string | undefined {
  const [who, path = ''] = stored()
  keep(key, null, 'sessionStorage')
  return who === email.trim().toLowerCase() && path.startsWith('/') ? path : undefined
}
