import type { ResetAnswer, SignInProvider } from '#api/account.ts'
import type { LoginAnswer } from '#api/session.ts'
import { send, type Answer } from './http.ts'
import { keepToken } from './session.ts'

const resetPath = '/api/account/v1/auth/reset-password'

/** Asks for a mail that leads to a new password; the answer is the same whether there is such an account or not. */
export function requestReset(email: string): Promise<Answer<ResetAnswer>> {
  return send({ method: 'POST', path: resetPath, body: { email, host: location.origin }, isOpen: true })
}

/** Can the link or code still be used? */
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
