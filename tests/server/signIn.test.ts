import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import { metadata } from '#generated/metadata.ts'
import { networkOf, purgeRateLimits } from '#server/access/rateLimit.ts'
import { clockOf } from '#server/clock.ts'
import { sql } from '#server/db/sql.ts'
import { noRegistries } from '../support/registries.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { password, testDay } from '../support/company.ts'

let arus: TestApp

beforeAll(async () => {
  arus = await testApp({ registries: noRegistries })
})

const login = (email: string, secret: string, app = arus.app, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/v1/login', payload: new URLSearchParams({ email, password: secret, user_agent: 'test' }).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })

const minutesLater = (minutes: number): string => new Date(Date.parse(testDay) + minutes * 60_000).toISOString()

describe('“POST /api/v1/login | form data: email, password, user_agent | code, message, data.token, data.log_login_id”', () => {
  it('takes form data and answers exactly these', async () => {
    const answer = (await login('sales@arus.example', password)).json()
    expect(answer).toEqual({
      code: 200, status: 'success', message: 'OK', data: { token: expect.stringMatching(/^[\w-]{43}$/), log_login_id: expect.stringMatching(/^[\w-]{16}$/), hostname: expect.any(String) },
    })
  })

  it('keeps the user agent and the address of the session', async () => {
    const { log_login_id: id } = (await login('sales@arus.example', password)).json().data
    expect(await arus.database.rows(sql`select user_agent, ip, end_reason from user_session where log_login_id = ${id}`)).toEqual([{ user_agent: 'test', ip: '127.0.0.1', end_reason: null }])
  })
})

describe('“Login cookie lifetime: 7 days”', () => {
  it('is the lifetime of the session on the server too, and the user is told when it ends', async () => {
    const session = await arus.signIn('billing')
    expect((await session.get('/api/v1/setting/user-personal')).data.session_expires_at).toBe('2026-11-27T03:00:00.000Z')
    arus.moveTo('2026-11-27T02:59:59Z')
    expect((await session.get('/api/v1/menu')).status).toBe(200)
    // The session is remembered for three seconds.
    arus.moveTo('2026-11-27T03:00:03Z')
    expect(await session.get('/api/v1/menu')).toMatchObject({ status: 401, code: 'SESSION_EXPIRED' })
    arus.moveTo(testDay)
  })

  it('signing out ends it at once', async () => {
    const session = await arus.signIn('billing')
    expect((await session.post('/api/v1/logout')).status).toBe(200)
    expect(await session.get('/api/v1/menu')).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  })
})

describe('brute force on one account', () => {
  it.each([['of an account', 'cashier@arus.example'], ['without an account', 'nobody@arus.example']])('locks the address %s for 15 minutes with the fifth failure, and says for how long', async (_, email) => {
    for (let i = 0; i < 4; i++) expect((await login(email, 'wrong')).json()).toMatchObject({ code: 401, status: 'LOGIN_FAILED' })
    const locked = { code: 429, status: 'ACCOUNT_LOCKED', message: 'Too many failed sign-ins. Try again in 15 minutes.', data: { minutes: 15 } }
    expect((await login(email, 'wrong')).json()).toMatchObject(locked)
    expect((await login(email, password)).json()).toMatchObject(locked)
    arus.moveTo(minutesLater(14.5))
    expect((await login(email, password)).json()).toMatchObject({ message: 'Too many failed sign-ins. Try again in 1 minute.', data: { minutes: 1 } })
    arus.moveTo(minutesLater(15.1))
    expect((await login(email, password)).statusCode).toBe(email.startsWith('cashier') ? 200 : 401)
    arus.moveTo(testDay)
  })

  it('says the same of an address with an account and of one without while time goes on', async () => {
    let tick = 0
    const clock = clockOf(() => new Date(Date.parse(testDay) + 86_400_000 + 7 * tick++))
    const app = await buildApp({ database: arus.database, clock, metadata, registries: noRegistries, version: 'test' })
    const told = async (email: string): Promise<readonly string[]> => {
      const messages: string[] = []
      for (let i = 0; i < 7; i++) messages.push((await login(email, 'wrong', app)).json().message)
      return messages
    }
    const known = await told('manager@arus.example')
    expect(known.slice(4)).toEqual(Array.from({ length: 3 }, () => 'Too many failed sign-ins. Try again in 15 minutes.'))
    expect(await told('nowhere@arus.example')).toEqual(known)
    await app.close()
  })

  it('forgets failures after a day, those of an account as those of an address without one', async () => {
    const told = async (email: string): Promise<readonly string[]> => {
      const messages: string[] = []
      for (let i = 0; i < 8; i++) {
        arus.moveTo(minutesLater(i < 4 ? i : 60 * 24 + i))
        messages.push((await login(email, 'wrong')).json().status)
      }
      arus.moveTo(testDay)
      return messages
    }
    const known = await told('warehouse@arus.example')
    expect(known).toEqual(Array.from({ length: 8 }, () => 'LOGIN_FAILED'))
    expect(await told('no.warehouse@arus.example')).toEqual(known)
    await arus.database.run(sql`delete from rate_limit`)
  })

  it('answers the same for a wrong password and an unknown address', async () => {
    const wrong = (await login('analyst@arus.example', 'nope')).json()
    expect((await login('somebody@arus.example', 'nope')).json()).toEqual(wrong)
  })

  it('does not slip past the count by guessing in parallel', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => login('analyst@arus.example', 'guess')))
    expect(answers.some((answer) => answer.json().status === 'ACCOUNT_LOCKED')).toBe(true)
    expect((await login('analyst@arus.example', password)).json().status).toBe('ACCOUNT_LOCKED')
  })
})

describe('brute force from one network', () => {
  it('is slowed by all server processes together, told for how many seconds, and forgotten afterwards', async () => {
    const other = await buildApp({ database: arus.database, clock: arus.clock, metadata, version: 'test', registries: noRegistries })
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const statuses: number[] = []
    for (let i = 0; i < 64; i++) statuses.push((await login('', '', i % 2 === 0 ? arus.app : other, from)).statusCode)
    expect(statuses.slice(0, 60).every((status) => status === 422)).toBe(true)
    expect(statuses.slice(60)).toEqual([429, 429, 429, 429])
    const refused = await login('', '', arus.app, from)
    expect(refused.json()).toMatchObject({ status: 'TOO_MANY_REQUESTS', message: 'Too many attempts from your network. Try again in 60 seconds.', data: { seconds: 60 } })
    expect(refused.headers['retry-after']).toBe('60')
    expect((await login('', '', arus.app, { 'x-forwarded-for': '203.0.113.10' })).statusCode).toBe(422)
    arus.moveTo(minutesLater(1.1))
    expect((await login('', '', other, from)).statusCode).toBe(422)
    arus.moveTo(minutesLater(60 * 25))
    await purgeRateLimits(arus.database, arus.clock)
    expect(await arus.database.rows(sql`select bucket from rate_limit`)).toEqual([])
    arus.moveTo(testDay)
    await other.close()
  })

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:12:34:aaaa:bbbb:cccc:dddd', '2001:db8:12:34::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s is held against %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('“Password age: if the password change date is missing or invalid, or at least 182 days old, the user is forced toward /home”', () => {
  const dated = async (date: string | null) => {
    await arus.database.run(sql`update app_user set password_change_date = ${date}::timestamptz where email = 'finance@arus.example'`)
    return arus.signIn('finance')
  }

  it.each([
    ['missing', null, true],
    ['“the zero date 0001-01-01T00:00:00Z means never changed”', '0001-01-01T00:00:00Z', true],
    ['182 days old', '2026-05-22T03:00:00Z', true],
    ['181 days old', '2026-05-23T03:00:00Z', false],
  ])('%s', async (_, date, isExpired) => {
    const session = await dated(date)
    const user = (await session.get('/api/v1/setting/user-personal')).data
    expect(user).toMatchObject({ is_password_expired: isExpired, password_change_date: expect.stringMatching(date === null || date.startsWith('0001') ? /^0001-01-01T00:00:00/ : /^2026-05-2/) })
    expect((await session.get('/api/v1/data/customer')).code).toBe(isExpired ? 'PASSWORD_EXPIRED' : 'success')
    expect((await session.get('/api/v1/report/ar-aging')).code === 'PASSWORD_EXPIRED').toBe(isExpired)
  })

  it('leaves open what /home and the profile need, until the password is changed', async () => {
    const session = await dated(null)
    for (const path of ['/api/v1/menu', '/api/v1/permission', '/api/v1/home', '/api/v1/approval/mine', '/api/v1/profile', '/api/v1/profile/sessions', '/api/v1/data/announcement', '/api/v1/data/starred-page']) {
      expect((await session.get(path)).status, path).toBe(200)
    }
    expect((await session.post('/api/v1/data/sales-order', {})).code).toBe('PASSWORD_EXPIRED')
    expect((await session.put('/api/v1/profile/password', { old_password: password, new_password: 'Fresh-word-2026' })).status).toBe(200)
    expect((await session.get('/api/v1/data/customer')).status).toBe(200)
    expect((await session.get('/api/v1/setting/user-personal')).data).toMatchObject({ is_password_expired: false, password_change_date: '2026-11-20T03:00:00.000Z' })
  })
})

describe('under HTTPS', () => {
  it('browsers are told to stay there; on plain http they are not', async () => {
    const secure = await arus.app.inject({ url: '/api/v1/health', headers: { 'x-forwarded-proto': 'https' } })
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000')
    expect((await arus.app.inject('/api/v1/health')).headers['strict-transport-security']).toBeUndefined()
  })

  it.each([
    ['no proxy trusted', false, '203.0.113.5', undefined],
    ['a proxy at a named address', '203.0.113.5', '203.0.113.5', 'max-age=31536000'],
    ['another address than the named', '203.0.113.6', '203.0.113.5', undefined],
    ['one hop', 1, '203.0.113.5', 'max-age=31536000'],
  ])('TRUST_PROXY: %s', async (_, trustProxy, remoteAddress, header) => {
    const app = await buildApp({ database: arus.database, clock: arus.clock, metadata, version: 'test', registries: noRegistries, trustProxy })
    const answer = await app.inject({ url: '/api/v1/health', headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.1' }, remoteAddress })
    expect(answer.headers['strict-transport-security']).toBe(header)
    await app.close()
  })
})

describe('somebody whose role was taken off', () => {
  it('is told what everybody without an account is told, instead of signing in to nothing', async () => {
    await arus.database.run(sql`update role set is_active = false where id = (select role_id from app_user where email = 'warehouse@arus.example')`)
    const [off, nobody] = [(await login('warehouse@arus.example', password)).json(), (await login('nobody-else@arus.example', password)).json()]
    expect([off.status, off.message]).toEqual(['LOGIN_FAILED', nobody.message])
    await arus.database.run(sql`update role set is_active = true where id = (select role_id from app_user where email = 'warehouse@arus.example')`)
    expect((await login('warehouse@arus.example', password)).json().status).toBe('success')
  })
})
