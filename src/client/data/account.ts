import type { ChangeLogEntry, LegalText, ProfileAnswer, ProfileBody, SessionEntry, SignInProvider, VersionAnswer } from '#api/account.ts'
import type { LoginAnswer } from '#api/session.ts'
import { newKey, send, type Answer } from './http.ts'
import { keepToken } from './session.ts'

const resetPath = '/api/account/v1/auth/reset-password'

/** Asks for a link to a new password; the answer is the same whether there is such an account or not. */
export function requestReset(email: string): Promise<Answer<unknown>> {
  return send({ method: 'POST', path: resetPath, body: { email, host: location.origin }, isOpen: true })
}

/** Can the link still be used? */
export function checkReset(token: string, signal?: AbortSignal): Promise<Answer<unknown>> {
  return send({ path: `${resetPath}/${encodeURIComponent(token)}`, isOpen: true, signal })
}

export function resetPassword(token: string, password: string): Promise<Answer<unknown>> {
  return send({ method: 'POST', path: `${resetPath}/${encodeURIComponent(token)}`, body: { password }, isOpen: true })
}

/** Other houses whose people may sign in here; none is configured by itself. */
export async function listProviders(): Promise<readonly SignInProvider[]> {
  const answer = await send<{ readonly records: readonly SignInProvider[] }>({ path: '/api/v1/auth/providers', isOpen: true })
  return answer.ok ? answer.value.records : []
}

/** Exchanges what the provider sent back with the browser for a token. */
export async function finishSignIn(query: Readonly<Record<string, string>>): Promise<Answer<LoginAnswer>> {
  const { code = '', state, iss } = query
  const answer = await send<LoginAnswer>({ method: 'POST', path: '/api/v1/callback', body: { code, source_app_id: 'oms', state, iss, user_agent: navigator.userAgent }, isOpen: true })
  if (answer.ok) keepToken(answer.value)
  return answer
}

export function readLegal(kind: 'terms' | 'privacy', language: string, signal?: AbortSignal): Promise<Answer<LegalText>> {
  return send({ path: `/api/v1/legal/${kind}`, query: { language }, isOpen: true, signal })
}

/** Publishes a new version. `texts` without a language is read in English there. */
export function publishLegal(kind: 'terms' | 'privacy', body: { readonly version: string; readonly effective_from: string; readonly texts: object }): Promise<Answer<unknown>> {
  return send({ method: 'PUT', path: `/api/v1/legal/${kind}`, body, key: newKey() })
}

export function agreeToTerms(version: string | undefined): Promise<Answer<unknown>> {
  return send({ method: 'PUT', path: '/api/v1/setting/tos', body: { agree: true, version } })
}

export function readChangeLog(language: string, signal?: AbortSignal): Promise<Answer<{ readonly records: readonly ChangeLogEntry[] }>> {
  return send({ path: '/api/v1/change-log', query: { language }, isOpen: true, signal })
}

export function readVersion(signal?: AbortSignal): Promise<Answer<VersionAnswer>> {
  return send({ path: '/api/v1/version', isOpen: true, signal })
}

export function readProfile(signal?: AbortSignal): Promise<Answer<ProfileAnswer>> {
  return send({ path: '/api/v1/profile', signal })
}

export function saveProfile(body: ProfileBody): Promise<Answer<ProfileAnswer>> {
  return send({ method: 'PUT', path: '/api/v1/profile', body })
}

export function changePassword(old: string, next: string): Promise<Answer<unknown>> {
  return send({ method: 'PUT', path: '/api/v1/profile/password', body: { old_password: old, new_password: next } })
}

export function listSessions(signal?: AbortSignal): Promise<Answer<{ readonly records: readonly SessionEntry[] }>> {
  return send({ path: '/api/v1/profile/sessions', signal })
}

export function endSession(id: number): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: `/api/v1/profile/sessions/${id}` })
}

export function endOtherSessions(): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: '/api/v1/profile/sessions' })
}
