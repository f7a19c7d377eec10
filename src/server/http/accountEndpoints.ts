import type { ResetAnswer } from '#api/account.ts'
import type { LoginAnswer } from '#api/session.ts'
import { assertResetToken, mailReset, resetPassword, resetWay } from '#server/access/passwordReset.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import type { Api } from './api.ts'
import type { SessionCache } from './authenticate.ts'
import { formOf, visitorOf } from './form.ts'
import { bodyOf } from './read.ts'

const resetPath = '/api/account/v1/auth/reset-password'
/** Sent along to the callback alone, and never readable by scripts. */
const ssoCookie = 'arus-sso'
const callbackPath = '/api/v1/callback'

/** Ways in without a password: a reset by mail, and the account of another house. */
export function accountEndpoints(api: Api, sessions: SessionCache): void {
  resetEndpoints(api, sessions)
  singleSignOnEndpoints(api)
}

function resetEndpoints(api: Api, sessions: SessionCache): void {
  const tag = 'Password reset'
  api.open('POST', resetPath, { summary: 'Mail a one-time link for a new password, or a code where the server has no configured address; the answer is the same whether there is such an account or not', tag }, async ({ services, request, body }) => {
    const form = await formOf(request, body, ['email'])
    const email = form('email')
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) invalid([wrong('email', 'WRONG_TYPE.email')])
    services.later(() => mailReset(services, email))
    return { way: resetWay(services) } satisfies ResetAnswer
  }, 10)
  api.open('GET', `${resetPath}/:token`, { summary: 'Can the link or code still be used?', tag }, async ({ services, params }) => {
    await assertResetToken(services, params['token'] ?? '')
    return {}
  }, 60)
  api.open('POST', `${resetPath}/:token`, { summary: 'Set a new password with the link or code; ends all sessions of the account', tag }, async ({ services, params, body }) => {
    const { password } = bodyOf({ body })
    if (typeof password !== 'string' || password === '') return invalid([wrong('password', 'REQUIRED')])
    await resetPassword(services, params['token'] ?? '', password)
    await sessions.forget()
    return {}
  }, 30)
}

function singleSignOnEndpoints(api: Api): void {
  const tag = 'Single sign-on'
  api.open('GET', '/api/v1/auth/providers', { summary: 'Other houses whose people may sign in here', tag }, async ({ services: { sso } }) => ({
    records: sso === undefined ? [] : [{ name: sso.name, url: '/api/v1/auth/start' }],
  }))
  api.open('GET', '/api/v1/auth/start', { summary: 'Go to the provider to sign in (a redirect)', tag }, async ({ services, request, reply }) => {
    const { sso, publicUrl } = services
    if (sso === undefined) return fail('NOT_FOUND.address')
    const base = publicUrl ?? `${request.protocol}://${request.host}`
    try {
      const { url, secret } = await sso.start(`${base}/auth/callback`)
      void reply.header('set-cookie', `${ssoCookie}=${secret}; Path=${callbackPath}; HttpOnly; SameSite=Lax; Max-Age=600${request.protocol === 'https' ? '; Secure' : ''}`)
      void reply.redirect(url)
    } catch (error) {
      services.log(`Single sign-on: ${error instanceof Error ? error.message : String(error)}`)
      void reply.redirect('/auth/callback?error=unavailable')
    }
    return {}
  }, 30)
  api.open('POST', callbackPath, { summary: 'Exchange the code of the provider for a token of 7 days', tag }, async ({ services, request, body }) => {
    const form = await formOf(request, body, ['code', 'source_app_id'])
    if (services.sso === undefined) return fail('SSO_FAILED.unconfigured')
    if (form('source_app_id') !== 'oms') return fail('SSO_FAILED.application')
    const secret = cookieOf(request.headers.cookie ?? '', ssoCookie)
    if (secret === undefined) return fail('SSO_FAILED.late')
    const answer = { code: form('code'), state: form('state') || undefined, iss: form('iss') || undefined }
    const { token, logLoginId } = await services.sso.finish(secret, answer, visitorOf(request, form('user_agent')))
    return { token, log_login_id: logLoginId } satisfies LoginAnswer
  }, 30)
}

function cookieOf(header: string, name: string): string | undefined {
  const found = header.split(/; */).find((part) => part.startsWith(`${name}=`))
  const value = found?.slice(name.length + 1)
  return value === undefined || value === '' ? undefined : value
}
