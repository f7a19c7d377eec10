import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { noRegistries } from '../support/registries.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { testDay } from '../support/company.ts'
import { clientId, clientSecret, identityProvider, type IdentityProvider } from '../support/identityProvider.ts'

const home = 'http://arus.example:4000'

let provider: IdentityProvider
let arus: TestApp

beforeAll(async () => {
  provider = await identityProvider(`${home}/auth/callback`)
  arus = await testApp({ registries: noRegistries, server: { sso: { issuer: provider.issuer, clientId, clientSecret, name: 'Company account' }, publicUrl: home } })
})

/** Follows the button of the sign-in page: where the provider sends the browser back to, and the cookie it carries. */
async function leave(person: string, app: TestApp = arus, at: IdentityProvider = provider) {
  const start = await app.app.inject('/api/v1/auth/start')
  expect(start.statusCode).toBe(302)
  const set = String(start.headers['set-cookie'])
  const back = await at.walk(String(start.headers['location']), person)
  return { set, cookie: set.split(';')[0] ?? '', query: Object.fromEntries(back.searchParams), back }
}

const callback = (body: object, cookie = '', app: TestApp = arus) => app.app.inject({ method: 'POST', url: '/api/v1/callback', payload: body, headers: { cookie } })

describe('“POST /api/v1/callback | code, source_app_id | data.token”', () => {
  it('exchanges the code of a real provider for a token of the user with that verified address', async () => {
    const { set, cookie, query, back } = await leave('sales@arus.example')
    expect(set).toMatch(/; Path=\/api\/v1\/callback; HttpOnly; SameSite=Lax; Max-Age=600$/)
    expect(`${back.origin}${back.pathname}`).toBe(`${home}/auth/callback`)
    const answer = await callback({ ...query, source_app_id: 'oms' }, cookie)
    expect(answer.json()).toMatchObject({ code: 200, data: { token: expect.stringMatching(/^[\w-]{43}$/), log_login_id: expect.any(String) } })
    const user = await arus.app.inject({ url: '/api/v1/setting/user-personal', headers: { authorization: `Bearer ${answer.json().data.token}` } })
    expect(user.json().data.email).toBe('sales@arus.example')
  })

  it('takes exactly the two keys of the specification: the cookie binds the rest', async () => {
    const { cookie, query } = await leave('Finance@Arus.example')
    const answer = await callback({ code: query['code'], source_app_id: 'oms', iss: query['iss'] }, cookie)
    expect(answer.statusCode).toBe(200)
  })

  it('works once', async () => {
    const { cookie, query } = await leave('sales@arus.example')
    expect((await callback({ ...query, source_app_id: 'oms' }, cookie)).statusCode).toBe(200)
    expect((await callback({ ...query, source_app_id: 'oms' }, cookie)).json()).toMatchObject({ code: 401, status: 'SSO_FAILED' })
  })

  it('reads the address from the token where it is there, instead of asking for it', async () => {
    const talkative = await identityProvider(`${home}/auth/callback`, { isAddressInToken: true })
    const other = await testApp({ registries: noRegistries, server: { sso: { issuer: talkative.issuer, clientId, clientSecret, name: 'Other' }, publicUrl: home } })
    const { cookie, query } = await leave('billing@arus.example', other, talkative)
    expect((await callback({ ...query, source_app_id: 'oms' }, cookie, other)).statusCode).toBe(200)
  })

  it.each([
    ['an address the provider does not vouch for', 'unverified:sales@arus.example', 'SSO_FAILED'],
    ['nobody’s address', 'nobody', 'SSO_FAILED'],
    ['an address without an account: nobody is created', 'stranger@arus.example', 'SSO_UNKNOWN_USER'],
  ])('refuses %s', async (_, person, code) => {
    const { cookie, query } = await leave(person)
    expect((await callback({ ...query, source_app_id: 'oms' }, cookie)).json()).toMatchObject({ status: code })
    expect(await arus.database.rows(sql`select 1 from app_user where lower(email) like '%stranger%'`)).toEqual([])
  })

  it('refuses an inactive user, another state, another browser, another application, an invented code and no code', async () => {
    await arus.database.run(sql`update app_user set is_active = false where email = 'analyst@arus.example'`)
    const inactive = await leave('analyst@arus.example')
    expect((await callback({ ...inactive.query, source_app_id: 'oms' }, inactive.cookie)).json().status).toBe('SSO_UNKNOWN_USER')
    const { cookie, query } = await leave('sales@arus.example')
    expect((await callback({ ...query, state: 'another', source_app_id: 'oms' }, cookie)).json().status).toBe('SSO_FAILED')
    const next = await leave('sales@arus.example')
    expect((await callback({ ...next.query, source_app_id: 'oms' })).json().status).toBe('SSO_FAILED')
    expect((await callback({ ...next.query, source_app_id: 'other' }, next.cookie)).json().status).toBe('SSO_FAILED')
    expect((await callback({ code: 'invented', source_app_id: 'oms' }, next.cookie)).json().status).toBe('SSO_FAILED')
    expect((await callback({ source_app_id: 'oms' }, next.cookie)).json().status).toBe('VALIDATION_FAILED')
  })

  it('refuses after ten minutes on the way', async () => {
    const { cookie, query } = await leave('sales@arus.example')
    arus.moveTo('2026-11-20T03:10:00Z')
    expect((await callback({ ...query, source_app_id: 'oms' }, cookie)).json().status).toBe('SSO_FAILED')
    arus.moveTo(testDay)
  })
})

describe('the button on the sign-in page', () => {
  it('is there with a provider', async () => {
    expect((await arus.anonymous.get('/api/v1/auth/providers')).data.records).toEqual([{ name: 'Company account', url: '/api/v1/auth/start' }])
  })

  it('is not there without one, and nothing behind it works', async () => {
    const plain = await testApp({ registries: noRegistries })
    expect((await plain.anonymous.get('/api/v1/auth/providers')).data.records).toEqual([])
    expect((await plain.anonymous.get('/api/v1/auth/start')).status).toBe(404)
    expect((await callback({ code: 'x', source_app_id: 'oms' }, 'arus-sso=x', plain)).json().status).toBe('SSO_FAILED')
  })

  it('leads back when the provider is away', async () => {
    const lonely = await testApp({ registries: noRegistries, server: { sso: { issuer: 'http://127.0.0.1:9', clientId, name: 'Away' } } })
    const start = await lonely.app.inject('/api/v1/auth/start')
    expect([start.statusCode, start.headers['location']]).toEqual([302, '/auth/callback?error=unavailable'])
    expect(lonely.log.join()).toContain('Single sign-on')
  })
})
