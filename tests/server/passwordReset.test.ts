import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { smtpTransport } from '#server/mail/smtp.ts'
import { noRegistries } from '../support/registries.ts'
import { testApp, type Answer, type TestApp } from '../support/app.ts'
import { password, testDay } from '../support/company.ts'
import { mailServer, readableText, type MailServer } from '../support/mailServer.ts'

const resetPath = '/api/account/v1/auth/reset-password'

let arus: TestApp
let server: MailServer

beforeAll(async () => {
  server = await mailServer()
  arus = await testApp({ registries: noRegistries, server: { mail: smtpTransport(server.url, 'Arus <arus@example.com>'), publicUrl: 'https://arus.example' } })
})

beforeEach(async () => {
  arus.moveTo(testDay)
  await arus.database.run(sql`delete from rate_limit`)
})

const ask = (email: string, host = 'https://arus.example') => arus.anonymous.post(resetPath, { email, host })
const use = (token: string, next: string) => arus.anonymous.post(`${resetPath}/${token}`, { password: next })
const login = (email: string, secret: string) => arus.anonymous.post('/api/v1/login', { email, password: secret })

/** Asks for a link and reads it from the mail. */
async function tokenFor(email: string): Promise<string> {
  const before = server.received.length
  expect(await ask(email)).toMatchObject({ status: 200, data: { way: 'link' } })
  for (let i = 0; i < 100 && server.received.length === before; i++) {
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  const text = readableText(server.received.at(-1)?.source ?? '')
  return /https:\/\/arus\.example\/pages\/reset-password\/([\w-]{43})\b/.exec(text)?.[1] ?? ''
}

describe('“POST {gateway}/api/account/v1/auth/reset-password | JSON: email, host”', () => {
  it('mails a one-time link, in the language of the user, by a real mail server', async () => {
    await arus.database.run(sql`update app_user set language = 'id' where email = 'sales@arus.example'`)
    const token = await tokenFor('Sales@arus.example')
    const mail = server.received.at(-1)
    expect(mail).toMatchObject({ from: 'arus@example.com', to: ['sales@arus.example'] })
    expect(mail?.source).toContain('Subject: Kata sandi baru Anda untuk Arus')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await arus.database.rows(sql`select expires_at from password_reset where token_hash = ${token}`)).toEqual([])
  })

  it('sets a new password once, ends every session, and lets the user in with it', async () => {
    const open = await arus.signIn('billing')
    const token = await tokenFor('billing@arus.example')
    expect((await arus.anonymous.get(`${resetPath}/${token}`)).status).toBe(200)
    const weak: readonly (readonly [next: string, code: string])[] = [['short-1', 'WEAK_PASSWORD'], ['nodigits', 'WEAK_PASSWORD'], ['Billing-2026', 'WEAK_PASSWORD'], [password, 'PASSWORD_REUSED']]
    for (const [next, code] of weak) expect((await use(token, next)).data.errors).toEqual([expect.objectContaining({ field: 'password', code })])
    expect((await use(token, 'Brand-new-word-1')).status).toBe(200)
    expect(await use(token, 'Brand-new-word-2')).toMatchObject({ status: 410, code: 'RESET_INVALID' })
    expect((await arus.anonymous.get(`${resetPath}/${token}`)).code).toBe('RESET_INVALID')
    expect((await open.get('/api/v1/menu')).code).toBe('SESSION_ENDED')
    expect((await login('billing@arus.example', password)).code).toBe('LOGIN_FAILED')
    expect((await login('billing@arus.example', 'Brand-new-word-1')).status).toBe(200)
  })

  it('opens a locked account, and a used link takes all others of the user with it', async () => {
    for (let i = 0; i < 5; i++) await login('cashier@arus.example', 'wrong')
    expect((await login('cashier@arus.example', password)).code).toBe('ACCOUNT_LOCKED')
    const [first, second] = [await tokenFor('cashier@arus.example'), await tokenFor('cashier@arus.example')]
    expect((await use(second, 'Brand-new-word-1')).status).toBe(200)
    expect((await login('cashier@arus.example', 'Brand-new-word-1')).status).toBe(200)
    expect((await use(first, 'Brand-new-word-2')).code).toBe('RESET_INVALID')
  })

  it('holds for 60 minutes', async () => {
    const token = await tokenFor('credit@arus.example')
    arus.moveTo('2026-11-20T03:59:59Z')
    expect((await arus.anonymous.get(`${resetPath}/${token}`)).status).toBe(200)
    arus.moveTo('2026-11-20T04:00:00Z')
    expect((await use(token, 'Brand-new-word-1')).code).toBe('RESET_INVALID')
  })

  it('gives no hint whether an address exists: the answer is the same and leaves before anything is looked up', async () => {
    const known = await ask('finance@arus.example')
    const unknown = await ask('stranger@arus.example')
    const gone = await ask('x@y')
    const told = ({ status, code, message, data }: Answer) => ({ status, code, message, data })
    expect(told(unknown)).toEqual(told(known))
    expect(told(gone)).toEqual(told(known))
    // What an account costs more happens after the answer: the table is locked, and the answer comes all the same. The embedded database
    // does one thing at a time, so that it cannot show this.
    if (arus.database.engine === 'embedded') return
    const answer = await arus.database.transaction(async (tx) => {
      await tx.run(sql`lock table password_reset in access exclusive mode`)
      return ask('director@arus.example')
    })
    expect(answer.status).toBe(200)
  })

  it('writes nothing for strangers and inactive people, and at most three mails an hour to one address', async () => {
    await arus.database.run(sql`update app_user set is_active = false where email = 'analyst@arus.example'`)
    const before = server.received.length
    for (const email of ['stranger@arus.example', 'analyst@arus.example']) await ask(email)
    for (let i = 0; i < 5; i++) await ask('manager@arus.example')
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500)
    })
    const written = server.received.slice(before).flatMap((mail) => mail.to)
    expect(written.filter((to) => to === 'manager@arus.example')).toHaveLength(3)
    expect(written.filter((to) => /stranger|analyst/.test(to))).toEqual([])
  })

  it('an address that is none is refused, and one network is slowed after ten a minute', async () => {
    expect((await ask('nonsense')).data.errors).toEqual([expect.objectContaining({ field: 'email' })])
    expect((await arus.anonymous.post(resetPath, {})).data.errors).toEqual([expect.objectContaining({ field: 'email', code: 'REQUIRED' })])
    const codes = []
    for (let i = 0; i < 9; i++) codes.push((await ask('x@y')).code)
    expect(codes.at(-2)).toBe('success')
    expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS')
  })
})

describe('the mail of a server that has not been told its address', () => {
  let other: TestApp
  beforeAll(async () => {
    other = await testApp({ registries: noRegistries })
  })

  async function bodyFor(headers: Readonly<Record<string, string>>, host: string): Promise<string> {
    await other.database.run(sql`delete from mail`)
    const answer = await other.app.inject({ method: 'POST', url: resetPath, headers, payload: { email: 'sales@arus.example', host } })
    expect(answer.json()).toMatchObject({ code: 200, data: { way: 'code' } })
    let body = ''
    for (let i = 0; i < 60 && body === ''; i++) {
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
      body = String((await other.database.first(sql`select body from mail limit 1`))?.['body'] ?? '')
    }
    return body
  }

  it.each([
    ['the caller names a host', { host: 'evil.example' }, 'https://evil.example'],
    ['a proxy names one', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }, 'https://evil.example'],
    ['all agree', {}, 'http://localhost:80'],
  ])('holds no address, whoever asks: %s', async (_, headers, host) => {
    const body = await bodyFor(headers, host)
    expect(body).toMatch(/\b[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}\b/)
    expect(body).not.toMatch(/evil|https?:|\/pages|localhost/)
  })

  it('holds a code that is typed instead, in capitals or not, with or without dashes', async () => {
    await other.database.run(sql`delete from rate_limit`)
    const code = /\b[0-9A-Z]{4}(-[0-9A-Z]{4}){3}\b/.exec(await bodyFor({}, 'http://localhost:80'))?.[0] ?? ''
    for (const typed of [code, code.toLowerCase().replaceAll('-', ' '), code.replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l')]) {
      expect((await other.anonymous.get(`${resetPath}/${encodeURIComponent(typed)}`)).status, typed).toBe(200)
    }
    expect((await other.anonymous.get(`${resetPath}/${code.slice(0, -1)}`)).code).toBe('RESET_INVALID')
    const next = await other.anonymous.post(`${resetPath}/${code.toLowerCase()}`, { password: 'Brand-new-word-1' })
    expect(next.status).toBe(200)
    expect((await other.anonymous.post(`${resetPath}/${code}`, { password: 'Brand-new-word-2' })).code).toBe('RESET_INVALID')
  })
})
