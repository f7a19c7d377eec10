import { atom, createStore } from 'jotai'
import { accept, type Result } from '#base/result.ts'
import type { CurrentUser, LoginAnswer, MenuAnswer, MenuEntry, PermissionAnswer } from '#api/session.ts'
import { removeCookie, writeCookie } from './cookies.ts'
import { followSignOut, forgetPerson, keysIn, readKept } from './kept.ts'
import { keepEverything, leaveForGood } from './leaving.ts'
import { loseSession, send, type Answer, type Refusal } from './http.ts'

/** Who is signed in and what he may open; loaded once per session. */
export interface Session {
  readonly user: CurrentUser
  readonly menu: readonly MenuEntry[]
  readonly guards: ReadonlySet<string>
}

/** The one store of the application; route guards read it outside of React. */
export const store = createStore()

export const sessionAtom = atom<Session | undefined>(undefined)

followSignOut(() => store.get(sessionAtom)?.user.user_id, leave)

/** Exchanges e-mail and password for a token, kept in cookies for 7 days. */
export async function signIn(email: string, password: string): Promise<Answer<LoginAnswer>> {
  const body = new FormData()
  body.set('email', email)
  body.set('password', password)
  body.set('user_agent', navigator.userAgent)
  const answer = await send<LoginAnswer>({ method: 'POST', path: '/api/v1/login', body, isOpen: true })
  if (answer.ok) keepToken(answer.value)
  return answer
}

/** From now on calls are made in the name of this session. */
export function keepToken({ token, log_login_id: id }: LoginAnswer): void {
  writeCookie('token', token)
  writeCookie('log_login_id', id)
}

/** A new session in place of the present one, which goes on meanwhile; the page stays as it is. */
export async function signInAgain(email: string, password: string): Promise<Answer<LoginAnswer>> {
  const answer = await signIn(email, password)
  if (answer.ok) await reloadSession()
  return answer
}

const unfinished = new Set<() => Promise<void>>()

/** `finish` is called and waited for before the user signs out: afterwards nothing can be sent in his name. Returns how to take it back. */
export function beforeSignOut(finish: () => Promise<void>): () => void {
  unfinished.add(finish)
  return () => void unfinished.delete(finish)
}

const signOutWork = new Set<() => void>()

/** `forget` is called when the user signs out: caches, choices and selections go back to where everybody starts. Returns how to take it back. */
export function onSignOut(forget: () => void): () => void {
  signOutWork.add(forget)
  return () => void signOutWork.delete(forget)
}

/** What speaks against signing out: drafts that go with it, visits that are not sent yet. */
export type Unfinished = 'drafts' | 'visits'

/** The question whether to sign out although something is not finished. */
export const signingOutAtom = atom<readonly Unfinished[]>([])

/** Signs out; with something typed and not saved, or kept and not sent, asks first. */
export function askSignOut(): void {
  keepEverything()
  const id = store.get(sessionAtom)?.user.user_id
  const open: Unfinished[] = keysIn('localStorage').some((key) => key.startsWith(`draft:${id}:`)) ? ['drafts'] : []
  if (Number(readKept(`visits:${id}`)) > 0) open.push('visits')
  if (open.length > 0) store.set(signingOutAtom, open)
  else void signOut()
}

/** Ends the session on the server, forgets everything here and opens the login page afresh. */
export async function signOut(): Promise<void> {
  await Promise.all([...unfinished].map((finish) => finish()))
  await send({ method: 'POST', path: '/api/v1/logout', isOpen: true })
  removeCookie('token')
  removeCookie('log_login_id')
  const { user_id: userId = 0 } = store.get(sessionAtom)?.user ?? {}
  for (const forget of [...signOutWork]) forget()
  store.set(sessionAtom, undefined)
  loading = undefined
  forgetPerson(userId)
  leave()
}

function leave(): void {
  leaveForGood()
  location.assign('/pages/login')
}

let loading: Promise<Result<Session, Refusal>> | undefined

/** Profile, menu and permissions, asked for together and kept until sign-out. */
export function loadSession(): Promise<Result<Session, Refusal>> {
  loading ??= fetchSession()
  return loading
}

/** Asks again, after something about the user has changed. */
export function reloadSession(): Promise<Result<Session, Refusal>> {
  loading = fetchSession()
  return loading
}

async function fetchSession(): Promise<Result<Session, Refusal>> {
  const [user, menu, permissions] = await Promise.all([
    send<CurrentUser>({ path: '/api/v1/setting/user-personal', isPart: true }),
    send<MenuAnswer>({ path: '/api/v1/menu', isPart: true }),
    send<PermissionAnswer>({ path: '/api/v1/permission', query: { module: '', source: 'OMS' } }),
  ])
  const refused = [user, menu, permissions].find((answer) => !answer.ok)
  if (!user.ok || !menu.ok || !permissions.ok) {
    loading = undefined
    // Without profile or menu there is no page, not even one for an error.
    if (!user.ok || !menu.ok) loseSession('PROFILE_FAILED')
    return refused as Result<Session, Refusal>
  }
  const session: Session = {
    user: user.value,
    menu: menu.value.records,
    guards: new Set(permissions.value.records.map((permission) => permission.GuardName)),
  }
  store.set(sessionAtom, session)
  return accept(session)
}

export function hasGuard(guard: string): boolean {
  return store.get(sessionAtom)?.guards.has(guard) ?? false
}
