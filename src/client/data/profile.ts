import type { ChangeLogEntry, LegalText, ProfileAnswer, ProfileBody, SessionEntry, VersionAnswer } from '#api/account.ts'
import { newKey, send, type Answer } from './http.ts'

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
