import { beforeAll, describe, expect, it } from 'vitest'
import { deviceOf } from '#server/access/device.ts'
import { makeAdministrator } from '#server/access/makeAdministrator.ts'
import { wasUsed } from '#server/access/passwordHistory.ts'
import { hashPassword } from '#server/access/passwords.ts'
import { sql } from '#server/db/sql.ts'
import { noRegistries } from '../support/registries.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { password } from '../support/company.ts'

let arus: TestApp

beforeAll(async () => {
  arus = await testApp({ registries: noRegistries })
})

const login = (email: string, secret: string) => arus.anonymous.post('/api/v1/login', { email: `${email}@arus.example`, password: secret })
const fields = (errors: readonly { readonly field: string; readonly code: string }[]): readonly string[] => errors.map((error) => `${error.field} ${error.code}`)

describe('/profile and /profile/edit', () => {
  it('shows what is known of the user', async () => {
    const sales = await arus.signIn('sales')
    const { data } = await sales.get('/api/v1/profile')
    expect(data).toMatchObject({
      name: 'sales', email: 'sales@arus.example', phone: null, role: 'SALES_ADMIN', role_name: 'Sales administrator', operating_unit: 'Jakarta',
      territories: ['Jakarta north', 'Jakarta south'], language: null, theme: null, tos_version: '1',
      password_change_date: '2026-11-01T00:00:00.000Z', password_expires_at: '2027-05-02T00:00:00.000Z',
    })
    expect((await (await arus.signIn('admin')).get('/api/v1/profile')).data).toMatchObject({ territories: [], operating_unit: null })
  })

  it('takes name, phone and preferences, and nothing else', async () => {
    const sales = await arus.signIn('sales')
    const before = (await sales.get('/api/v1/profile')).data
    const saved = await sales.put('/api/v1/profile', { name: ' Sari Wijaya ', phone: '0812', language: 'id', theme: 'semi-dark', density: 'compact', date_format: 'YYYY-MM-DD' })
    expect(saved.data).toMatchObject({ name: 'Sari Wijaya', phone: '0812', language: 'id', theme: 'semi-dark', density: 'compact', date_format: 'YYYY-MM-DD', version: before.version + 1 })
    expect((await sales.get('/api/v1/setting/user-personal')).data).toMatchObject({ name: 'Sari Wijaya', language: 'id', theme: 'semi-dark' })
    expect(fields((await sales.put('/api/v1/profile', { name: '', theme: 'pink', role_id: 1, phone: 'x'.repeat(41) })).data.errors)).toEqual(['name REQUIRED', 'theme NOT_A_CHOICE', 'role_id UNKNOWN_FIELD', 'phone TOO_LONG'])
    expect((await sales.put('/api/v1/profile', {})).code).toBe('VALIDATION_FAILED')
    expect((await sales.put('/api/v1/profile', { name: 'a\u0000b' })).code).toBe('VALIDATION_FAILED')
    const id = await arus.id('app_user', 'sales@arus.example', 'email')
    expect(await arus.database.rows(sql`select action, actor_id from document_log where doc_type = 'app_user' and doc_id = ${id}`)).toEqual([{ action: 'edit', actor_id: id }])
  })
})

describe('/profile/change-password: “sets password_change_date, revokes other sessions; rule: ≥ 8 chars, letter+digit, not the last 3”', () => {
  it('asks for the old password and holds the new one against the rules', async () => {
    const session = await arus.signIn('warehouse')
    const change = async (old: string, next: string) => fields((await session.put('/api/v1/profile/password', { old_password: old, new_password: next })).data.errors ?? [])
    expect(await change('', 'Another-pass-1')).toEqual(['old_password REQUIRED'])
    expect(await change('wrong', 'Another-pass-1')).toEqual(['old_password WRONG'])
    expect(await change(password, 'short-1')).toEqual(['new_password WEAK_PASSWORD'])
    expect(await change(password, 'only-letters')).toEqual(['new_password WEAK_PASSWORD'])
    expect(await change(password, '1234567890')).toEqual(['new_password WEAK_PASSWORD'])
    expect(await change(password, password)).toEqual(['new_password PASSWORD_REUSED'])
  })

  it('refuses what everybody knows of the user: address, name and company, with digits and signs around them', async () => {
    await arus.database.run(sql`update app_user set email = 'budi1985santoso@arus.example', name = 'Budi Santoso' where email = 'receivables@arus.example'`)
    await arus.database.run(sql`update company set name = 'Sumber Jaya 88'`)
    const session = await arus.signIn('budi1985santoso')
    const change = (next: string) => session.put('/api/v1/profile/password', { old_password: password, new_password: next })
    for (const known of ['budi1985santoso@arus.example', 'Budi1985Santoso@Arus.Example-1', 'budi1985santoso', 'BUDI1985SANTOSO!', 'Budi Santoso 1', 'budi.santoso2026', 'Sumber Jaya 88', 'sumberjaya-2026', 'PT Sumber Jaya 1', 'PT. Arus 2026']) {
      expect((await change(known)).data.errors, known).toMatchObject([{ field: 'new_password', code: 'WEAK_PASSWORD', text: 'Not your e-mail address, your name or the name of the company.' }])
    }
    await arus.database.run(sql`delete from rate_limit`)
    const id = await arus.id('app_user', 'budi1985santoso@arus.example', 'email')
    const admin = await arus.signIn('admin')
    const { Version: version } = (await admin.get(`/api/v1/data/user/${id}`)).data.record
    const given = async (body: object) => fields((await admin.put(`/api/v1/data/user/${id}`, body, { version })).data.errors ?? [])
    expect(await given({ Password: 'Budi Santoso 1' })).toEqual(['Password WEAK_PASSWORD'])
    expect(await given({ Email: 'siti2001wati@arus.example', Password: 'siti2001wati' })).toEqual(['Password WEAK_PASSWORD'])
    expect((await change('Budi goes home 1')).status).toBe(200)
  })

  it('keeps this session, ends the others with a word about it, and sets the date', async () => {
    const one = await arus.signIn('warehouse')
    const two = await arus.signIn('warehouse')
    expect((await one.put('/api/v1/profile/password', { old_password: password, new_password: 'Another-pass-1' })).status).toBe(200)
    expect((await one.get('/api/v1/menu')).status).toBe(200)
    expect(await two.get('/api/v1/menu')).toMatchObject({ status: 401, code: 'SESSION_ENDED', message: expect.stringContaining('was ended') })
    expect((await one.get('/api/v1/setting/user-personal')).data.password_change_date).toBe('2026-11-20T03:00:00.000Z')
    expect((await login('warehouse', 'Another-pass-1')).status).toBe(200)
  })

  it('refuses the last three passwords, and takes the one before them again', async () => {
    const session = await arus.signIn('billing')
    const change = (old: string, next: string) => session.put('/api/v1/profile/password', { old_password: old, new_password: next })
    const words = [password, 'Second-word-2', 'Third-word-3', 'Fourth-word-4']
    expect((await change(password, 'Second-word-2')).status).toBe(200)
    expect((await change('Second-word-2', 'Third-word-3')).status).toBe(200)
    for (const used of words.slice(0, 3)) expect(fields((await change('Third-word-3', used)).data.errors), used).toEqual(['new_password PASSWORD_REUSED'])
    expect((await change('Third-word-3', 'Fourth-word-4')).status).toBe(200)
    expect((await change('Fourth-word-4', password)).status).toBe(200)
    const stored = await arus.database.rows<{ password_hash: string }>(sql`select password_hash from password_history where user_id = ${await arus.id('app_user', 'billing@arus.example', 'email')}`)
    expect(stored).toHaveLength(2)
    expect(stored.every((row) => row.password_hash.startsWith('scrypt$'))).toBe(true)
  })

  it('cannot be used to guess the password of an open session', async () => {
    const session = await arus.signIn('credit')
    const codes = []
    for (let i = 0; i < 11; i++) codes.push((await session.put('/api/v1/profile/password', { old_password: 'guess', new_password: 'Another-pass-1' })).code)
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'VALIDATION_FAILED'), 'TOO_MANY_REQUESTS'])
  })

  it('a password given on the command line ends all sessions, makes an administrator, and the one before counts as used', async () => {
    const { database, clock } = arus
    await database.transaction(async (tx) => makeAdministrator(tx, { email: 'Recovered@arus.example', name: 'Recovered', hash: await hashPassword('First-word-31') }, clock.now()))
    expect((await login('recovered', 'First-word-31')).status).toBe(200)
    const open = async () => database.rows(sql`select s.id from user_session s join app_user u on u.id = s.user_id where u.email = 'recovered@arus.example' and s.revoked_at is null`)
    expect(await open()).toHaveLength(1)
    const changed = await database.transaction(async (tx) => makeAdministrator(tx, { email: 'recovered@arus.example', name: 'ignored', hash: await hashPassword('Second-word-32') }, clock.now()))
    expect(changed).toBe('changed')
    expect(await open()).toEqual([])
    const user = await database.first<{ id: number; name: string; role: string }>(sql`select u.id, u.name, r.code as role from app_user u join role r on r.id = u.role_id where u.email = 'recovered@arus.example'`)
    expect(user).toMatchObject({ name: 'Recovered', role: 'ADMIN' })
    for (const used of ['First-word-31', 'Second-word-32']) expect(await wasUsed(database, user?.id ?? 0, used)).toBe(true)
    expect(await wasUsed(database, user?.id ?? 0, 'Third-word-33')).toBe(false)
  })

  it('leaves a history of the administrator it makes', async () => {
    const { database, clock } = arus
    const make = async (email: string, word: string) => database.transaction(async (tx) => makeAdministrator(tx, { email, name: 'Made by hand', hash: await hashPassword(word) }, clock.now()))
    await make('made@arus.example', 'First-word-31')
    await make('supervisor@arus.example', 'First-word-31')
    const admin = await arus.signIn('admin')
    const history = async (email: string) => (await admin.get(`/api/v1/data/user/${await arus.id('app_user', email, 'email')}/history`)).data.records
    expect(await history('made@arus.example')).toMatchObject([{ Action: 'create-admin', ActorName: null, At: '2026-11-20T03:00:00.000Z' }])
    expect(await history('supervisor@arus.example')).toMatchObject([{ Action: 'create-admin', ActorName: null, Diff: [{ Field: 'role_id', From: 'SALES_SPV Sales supervisor', To: 'ADMIN Administrator' }] }])
  })

  it('an administrator’s new password ends all sessions and is one of the last three, too', async () => {
    const admin = await arus.signIn('admin')
    const cashier = await arus.signIn('cashier')
    const id = await arus.id('app_user', 'cashier@arus.example', 'email')
    const { Version: version } = (await admin.get(`/api/v1/data/user/${id}`)).data.record
    expect((await admin.put(`/api/v1/data/user/${id}`, { Password: 'Given-word-1' }, { version })).status).toBe(200)
    expect((await cashier.get('/api/v1/menu')).code).toBe('SESSION_ENDED')
    const again = (await login('cashier', 'Given-word-1')).data.token
    const change = await arus.app.inject({ method: 'PUT', url: '/api/v1/profile/password', headers: { authorization: `Bearer ${again}` }, payload: { old_password: 'Given-word-1', new_password: password } })
    expect(fields(change.json().data.errors)).toEqual(['new_password PASSWORD_REUSED'])
  })
})

describe('sessions in the profile', () => {
  it('are listed with device, address, since, last seen and which is this one', async () => {
    const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'
    const one = await arus.signIn('analyst')
    const other = (await arus.anonymous.post('/api/v1/login', { email: 'analyst@arus.example', password, user_agent: chrome })).data.token
    arus.moveTo('2026-11-20T03:05:00Z')
    const { records } = (await one.get('/api/v1/profile/sessions')).data
    expect(records).toEqual([
      { id: expect.any(Number), browser: '', system: '', ip: '127.0.0.1', created_at: '2026-11-20T03:00:00.000Z', last_seen_at: '2026-11-20T03:05:00.000Z', expires_at: '2026-11-27T03:00:00.000Z', is_current: true },
      { id: expect.any(Number), browser: 'Chrome 129', system: 'Windows', ip: '127.0.0.1', created_at: '2026-11-20T03:00:00.000Z', last_seen_at: '2026-11-20T03:00:00.000Z', expires_at: '2026-11-27T03:00:00.000Z', is_current: false },
    ])
    const authorization = { authorization: `Bearer ${other}` }
    expect((await arus.app.inject({ url: '/api/v1/menu', headers: authorization })).statusCode).toBe(200)
    expect((await one.delete(`/api/v1/profile/sessions/${records[1].id}`)).status).toBe(200)
    expect((await arus.app.inject({ url: '/api/v1/menu', headers: authorization })).json()).toMatchObject({ code: 401, status: 'SESSION_ENDED' })
    expect((await one.delete(`/api/v1/profile/sessions/${records[1].id}`)).code).toBe('NOT_FOUND')
    arus.moveTo('2026-11-20T03:00:00Z')
  })

  it('of others cannot be ended; all other own ones at once can', async () => {
    const [mine, second, third] = [await arus.signIn('director'), await arus.signIn('director'), await arus.signIn('director')]
    const admin = await arus.signIn('admin')
    const [foreign] = (await admin.get('/api/v1/profile/sessions')).data.records
    expect((await mine.delete(`/api/v1/profile/sessions/${foreign.id}`)).code).toBe('NOT_FOUND')
    expect((await mine.delete('/api/v1/profile/sessions')).data.ended).toBe(2)
    expect((await second.get('/api/v1/menu')).code).toBe('SESSION_ENDED')
    expect((await third.get('/api/v1/menu')).code).toBe('SESSION_ENDED')
    expect((await mine.get('/api/v1/menu')).status).toBe(200)
    expect((await admin.get('/api/v1/menu')).status).toBe(200)
  })

  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36 Edg/129.0.0.0', 'Edge 129 Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15', 'Safari 17 macOS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1', 'Safari 17 iOS'],
    ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36', 'Chrome 128 Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox 130 Linux'],
    ['curl/8.5.0', ' '],
  ])('%s is told as "%s"', (agent, told) => {
    const { browser, system } = deviceOf(agent)
    expect(`${browser} ${system}`).toBe(told)
  })
})
