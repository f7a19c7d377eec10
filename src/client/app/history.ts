import { createPath, parsePath, type Location, type Navigator, type To } from 'react-router-dom'
import { newKey } from '../data/http.ts'
import { isLeavingForGood } from '../data/leaving.ts'

/** What the guard says about a location: show it, or go elsewhere. Undefined: the page is being left for good. */
export type Verdict = { readonly kind: 'show' } | { readonly kind: 'redirect'; readonly to: string } | undefined

/** Asked before a page is left; resolves to whether it may be. */
export type LeaveCheck = (next: Location) => Promise<boolean>

export interface Place {
  readonly location: Location
  readonly action: 'POP' | 'PUSH' | 'REPLACE'
  /** The next page is being loaded. */
  readonly isLoading: boolean
}

/** A page that may be holding on to its visitor. */
interface Hold {
  readonly ask: LeaveCheck
  /** Is there anything to lose at this moment by going there; undefined: out of the program? */
  readonly isHolding: (next?: Location) => boolean
  /** It lies over a page, and Back takes it off instead of leaving that. */
  readonly takeOff?: (() => void) | undefined
}

interface HistoryState {
  readonly usr: unknown
  readonly key: string
  /** Place in the session's history, to undo a Back that was not allowed. */
  readonly index: number
}

/**
 * The browser's history for react-router's `Router`, with what its plain routers lack: a guard that runs before every navigation (it loads
 * the next page while the old one stays), and a page's say in whether it may be left, Back included.
 */
export class AppHistory implements Navigator {
  #place: Place
  #index = 0
  #latest = 0
  #isUndoing = false
  /** The next Back or Forward has been allowed. */
  #isAllowed = false
  readonly #guard: (location: Location) => Promise<Verdict>
  readonly #listeners = new Set<() => void>()
  readonly #holds = new Set<Hold>()

  constructor(guard: (location: Location) => Promise<Verdict>) {
    this.#guard = guard
    const { key, index, usr } = readState(window.history.state)
    this.#index = index
    this.#place = { location: hereWith(usr, key), action: 'POP', isLoading: true }
    window.addEventListener('popstate', () => void this.#pop())
    window.addEventListener('beforeunload', (event) => {
      if (this.#isHeld() && !isLeavingForGood()) event.preventDefault()
    })
  }

  /** Puts the first page through the guard. */
  async start(): Promise<void> {
    const { location } = this.#place
    const verdict = await this.#guard(location)
    if (verdict?.kind === 'redirect') await this.#go('REPLACE', verdict.to, null)
    else if (verdict !== undefined) this.#set({ location, action: 'POP', isLoading: false })
  }

  readonly place = (): Place => this.#place

  /** Has this tab shown a page of ours before this one? What lies before that is the browser's. */
  get hasPrevious(): boolean {
    return this.#index > 0
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** While the returned function has not been called and `isHolding` says so, `ask` decides whether this page may be left. */
  readonly hold = (ask: LeaveCheck, isHolding: Hold['isHolding'], takeOff?: Hold['takeOff']): (() => void) => {
    const hold: Hold = { ask, isHolding, takeOff }
    this.#holds.add(hold)
    return () => this.#holds.delete(hold)
  }

  /** Goes there whatever a page has to say about it (what is unsaved has been kept). */
  readonly force = (to: To, state?: unknown): void => {
    this.#holds.clear()
    void this.#go('PUSH', to, state)
  }

  // react-router takes these off the object and calls them alone.
  readonly createHref = (to: To): string => (typeof to === 'string' ? to : createPath(to))

  readonly push = (to: To, state?: unknown): void => void this.#go('PUSH', to, state)

  readonly replace = (to: To, state?: unknown): void => void this.#go('REPLACE', to, state)

  readonly go = (delta: number): void => window.history.go(delta)

  async #go(action: 'PUSH' | 'REPLACE', to: To, usr: unknown): Promise<void> {
    const path = typeof to === 'string' ? parsePath(to) : to
    const { pathname } = this.#place.location
    const location: Location = { pathname: path.pathname ?? pathname, search: path.search ?? '', hash: path.hash ?? '', state: usr ?? null, key: newKey() }
    const isSamePage = location.pathname === pathname
    if (this.#isHeld(location) && !(await this.#mayLeave(location))) return
    // At once where the page stays: a second change in the same moment begins with the first.
    const verdict = isSamePage ? this.#stay() : await this.#arrive(location)
    if (verdict === undefined) return
    if (verdict.kind === 'redirect') return this.#go(action, verdict.to, null)
    if (action === 'PUSH') this.#index += 1
    const state: HistoryState = { usr: location.state, key: location.key, index: this.#index }
    window.history[action === 'PUSH' ? 'pushState' : 'replaceState'](state, '', createPath(location))
    this.#set({ location, action, isLoading: false })
  }

  async #pop(): Promise<void> {
    if (this.#isUndoing) {
      this.#isUndoing = false
      return
    }
    const { usr, key, index } = readState(window.history.state)
    const location = hereWith(usr, key)
    const isSamePage = location.pathname === this.#place.location.pathname
    const isAllowed = this.#isAllowed
    this.#isAllowed = false
    const over = this.#over()
    if (!isAllowed && (over !== undefined || this.#isHeld(location))) {
      // The address has already changed: put it back, ask, and walk again if allowed.
      const delta = index - this.#index
      this.#isUndoing = true
      window.history.go(-delta)
      if (over !== undefined) {
        if (!over.isHolding() || (await over.ask(location))) over.takeOff?.()
      } else if (await this.#mayLeave(location)) {
        this.#isAllowed = true
        window.history.go(delta)
      }
      return
    }
    const verdict = isSamePage ? this.#stay() : await this.#arrive(location)
    if (verdict === undefined) return
    this.#index = index
    if (verdict.kind === 'redirect') return this.#go('REPLACE', verdict.to, null)
    this.#set({ location, action: 'POP', isLoading: false })
  }

  /** What lies uppermost over the page. */
  #over(): Hold | undefined {
    return [...this.#holds].findLast(({ takeOff }) => takeOff !== undefined)
  }

  async #mayLeave(next: Location): Promise<boolean> {
    // Who is asked about what lies over a page is not asked about the page as well: its draft is kept.
    const over = this.#over()
    if (over?.isHolding(next) === true) return over.ask(next)
    for (const hold of this.#holds) if (hold.isHolding(next) && !(await hold.ask(next))) return false
    return true
  }

  #isHeld(next?: Location): boolean {
    return [...this.#holds].some((hold) => hold.isHolding(next))
  }

  /** A change of the query alone is state of the page. */
  #stay(): Verdict {
    this.#latest += 1
    return { kind: 'show' }
  }

  /** Undefined also when another navigation has overtaken this one. */
  async #arrive(location: Location): Promise<Verdict> {
    const mine = ++this.#latest
    this.#set({ ...this.#place, isLoading: true })
    const verdict = await this.#guard(location)
    return mine === this.#latest ? verdict : undefined
  }

  #set(place: Place): void {
    this.#place = place
    for (const listener of this.#listeners) listener()
  }
}

function hereWith(usr: unknown, key: string): Location {
  const { pathname, search, hash } = window.location
  return { pathname, search, hash, state: usr, key }
}

/** An entry nothing has been said of is the first of its page: to write that down would cost the page a question to the browser before it is drawn. */
function readState(state: unknown): HistoryState {
  if (typeof state !== 'object' || state === null || !('index' in state) || typeof state.index !== 'number') return { usr: null, key: 'default', index: 0 }
  return { usr: 'usr' in state ? state.usr : null, key: 'key' in state ? String(state.key) : 'default', index: state.index }
}
