import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { describedCalls, emptyCall, type DescribedCall } from '../support/calls.ts'

let test: TestApp
let calls: readonly DescribedCall[]
let roles: readonly { readonly code: string; readonly guards: ReadonlySet<string>; readonly session: Session }[]

beforeAll(async () => {
  test = await testApp()
  const document: unknown = (await test.app.inject('/api/v1/openapi.json')).json()
  // Ending sessions would end the round; that has its own test.
  calls = describedCalls(document).filter((call) => call.path !== '/api/v1/logout' && !call.path.startsWith('/api/v1/profile/sessions') && !call.isStream)
  roles = await Promise.all((await addUserPerRole()).map(async ({ code, guards }) => ({ code, guards, session: await test.signIn(`role.${code.toLowerCase()}`) })))
}, 240_000)

/** A user of every role who sees everything, with the password of the others. */
async function addUserPerRole(): Promise<readonly { readonly code: string; readonly guards: ReadonlySet<string> }[]> {
  const found = await test.database.rows<{ id: number; code: string; guards: readonly string[] }>(sql`
    select r.id, r.code, array(select guard_name from role_permission p where p.role_id = r.id) as guards from role r order by r.code`)
  const hash = await test.database.first(sql`select password_hash from app_user where email = 'admin@arus.example'`)
  await insertRows(test.database, 'app_user', found.map(({ id, code }) => ({
    email: `role.${code.toLowerCase()}@arus.example`, name: code, role_id: id, territory_scope: false, password_hash: hash?.['password_hash'], password_change_date: '2026-11-01T00:00:00Z',
  })))
  return found.map(({ code, guards }) => ({ code, guards: new Set(guards) }))
}

describe('permissions', () => {
  it('default roles exist and differ', () => {
    expect(roles.length).toBeGreaterThan(10)
    expect(new Set(roles.map(({ guards }) => [...guards].toSorted().join())).size).toBe(roles.length)
  })

  it('actions offered on records are those the role may take', async () => {
    for (const { code, guards, session } of roles) {
      const answer = await session.get('/api/v1/data/payment-term', { length: 5 })
      if (answer.status !== 200) continue
      const actions: readonly string[] = answer.data.rows[0].Actions
      expect({ code, edit: actions.includes('edit'), delete: actions.includes('delete') }).toEqual({ code, edit: guards.has('payment-term-edit'), delete: guards.has('payment-term-delete') })
    }
  })

  it('whoever only chooses payment terms gets code and name of each, and neither the list nor more of them', async () => {
    const sales = roles.find(({ code }) => code === 'SALES_ADMIN')
    expect(sales?.guards.has('payment-term-view')).toBe(false)
    expect((await sales?.session.get('/api/v1/data/payment-term'))?.code).toBe('FORBIDDEN_GUARD')
    const chosen = await sales?.session.get('/api/v1/lookup/payment_term', { length: 1 })
    expect([chosen?.status, Object.keys(chosen?.data.records[0] ?? {})]).toEqual([200, expect.arrayContaining(['ID', 'Code', 'Name'])])
    expect((await sales?.session.get('/api/v1/lookup/payment_term', { columns: 'created_at' }))?.status).not.toBe(200)
    expect(sales?.guards.has('customer-payment-account-view')).toBe(false)
  })

  it('a permission taken away is gone with the next call', async () => {
    const auditor = roles.find(({ code }) => code === 'AUDITOR')
    const admin = await test.signIn('admin')
    expect((await auditor?.session.get('/api/v1/data/bank'))?.status).toBe(200)
    const role = await test.id('role', 'AUDITOR')
    const held = (await admin.get(`/api/v1/role/${role}/guards`)).data.records.filter((row: { Held: boolean }) => row.Held).map((row: { GuardName: string }) => row.GuardName)
    expect((await admin.put(`/api/v1/role/${role}/guards`, { GuardNames: held.filter((name: string) => name !== 'bank-view') })).status).toBe(200)
    expect((await auditor?.session.get('/api/v1/data/bank'))?.code).toBe('FORBIDDEN_GUARD')
    expect((await admin.put(`/api/v1/role/${role}/guards`, { GuardNames: held })).status).toBe(200)
  })

  it('what a call read of a role before it changed is not remembered after that', async () => {
    const auditor = await test.signIn('role.auditor')
    const admin = await test.signIn('admin')
    const role = await test.id('role', 'AUDITOR')
    const held = (await admin.get(`/api/v1/role/${role}/guards`)).data.records.filter((row: { Held: boolean }) => row.Held).map((row: { GuardName: string }) => row.GuardName)
    const { database } = test
    const first = database.first.bind(database)
    let goOn = (): void => undefined
    const isRead = new Promise<void>((read) => {
      const mayGoOn = new Promise<void>((resolve) => (goOn = resolve))
      database.first = async (query) => {
        const row = await first(query)
        if (row?.['email'] === 'role.auditor@arus.example' && 'guards' in row) {
          read()
          await mayGoOn
        }
        return row as never
      }
    })
    const slow = auditor.get('/api/v1/data/bank')
    await isRead
    database.first = first
    expect((await admin.put(`/api/v1/role/${role}/guards`, { GuardNames: held.filter((name: string) => name !== 'bank-view') })).status).toBe(200)
    goOn()
    expect((await slow).status).toBe(200)
    expect((await auditor.get('/api/v1/data/bank')).code).toBe('FORBIDDEN_GUARD')
    expect((await admin.put(`/api/v1/role/${role}/guards`, { GuardNames: held })).status).toBe(200)
  })
})

describe('without a session', () => {
  it('every call but the public ones is 401', async () => {
    const open: string[] = []
    for (const call of calls) {
      const answer = await emptyCall(test.anonymous, call)
      if (call.isPublic ? answer.code === 'UNAUTHENTICATED' : answer.status !== 401 || answer.code !== 'UNAUTHENTICATED') open.push(`${call.method} ${call.path}: ${answer.status} ${answer.code}`)
    }
    expect(open).toEqual([])
    expect(calls.filter((call) => call.isPublic).map((call) => call.path).toSorted()).toEqual([
      '/api/account/v1/auth/reset-password', '/api/account/v1/auth/reset-password/{token}', '/api/account/v1/auth/reset-password/{token}', '/api/v1/auth/providers',
      '/api/v1/auth/start', '/api/v1/callback', '/api/v1/change-log', '/api/v1/general/file/{token}/{name}', '/api/v1/health', '/api/v1/legal/{kind}', '/api/v1/login', '/api/v1/version',
    ])
  }, 120_000)

  it.each([
    ['nonsense', 'Bearer nonsense'],
    ['a token nobody was given', `Bearer ${'x'.repeat(43)}`],
    ['another scheme', 'Basic YWRtaW46YWRtaW4='],
    ['an empty token', 'Bearer '],
  ])('%s is 401', async (_, authorization) => {
    const answer = await test.app.inject({ url: '/api/v1/menu', headers: { authorization } })
    expect([answer.statusCode, answer.json().status]).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('a session ended, expired, or of a deactivated user is 401', async () => {
    const left = await test.signIn('analyst')
    expect((await left.post('/api/v1/logout')).status).toBe(200)
    expect((await left.get('/api/v1/menu')).status).toBe(401)

    const admin = await test.signIn('admin')
    const gone = await test.signIn('cashier')
    const user = await test.id('app_user', 'cashier@arus.example', 'email')
    const record = (await admin.get(`/api/v1/data/user/${user}`)).data.record
    expect((await admin.put(`/api/v1/data/user/${user}`, { IsActive: false }, { version: record.Version })).status).toBe(200)
    expect((await gone.get('/api/v1/menu')).status).toBe(401)
    expect((await test.anonymous.post('/api/v1/login', { email: 'cashier@arus.example', password: 'Arus-demo-1' })).code).toBe('LOGIN_FAILED')

    const expired = await test.signIn('finance')
    test.moveTo('2026-12-20T03:00:00.000Z')
    expect((await expired.get('/api/v1/menu')).status).toBe(401)
  })
})
