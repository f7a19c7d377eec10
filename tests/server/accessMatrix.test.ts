import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import type { MenuEntry } from '#api/session.ts'
import { isAllowed } from '#api/menuAccess.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { isRouteOpen, verdictsFor, type Holder } from '../support/accessRule.ts'
import { testApp, type Answer, type Session, type TestApp } from '../support/app.ts'
import { describedCalls, emptyCall, type DescribedCall } from '../support/calls.ts'
import { fingerprint } from '../support/fingerprint.ts'

interface Role extends Holder {
  readonly code: string
  readonly session: Session
}

let test: TestApp
let calls: readonly DescribedCall[]
let roles: readonly Role[]
let ended: Session
let inactive: Session

/** Tables that only keep track of who calls. */
const passing = ['user_session', 'rate_limit']
const entries = metadata.menu.flatMap((node) => node.submenu.map(({ url }) => ({ parent: node.name, url })))
/** Entries spread over the whole menu: more people than this cannot sign in within a minute, and all screens are guarded by the same few functions. */
const sampled = entries.filter((_, i) => i % Math.ceil(entries.length / 16) === 0)

beforeAll(async () => {
  test = await testApp()
  const described = describedCalls((await test.app.inject('/api/v1/openapi.json')).json())
  // What stands for every resource is tried on a few. A stream does not end; ending sessions would end the round: both have tests of their own.
  calls = described
    .flatMap((call) => (call.path.includes('{resource}') ? ['sales-order', 'invoice', 'customer', 'payment-received'].map((resource) => ({ ...call, path: call.path.replace('{resource}', resource) })) : [call]))
    .filter((call) => !/\/(logout|notifications\/stream|profile\/sessions)$/.test(call.path))
  await addStrangeRoles()
  const found = await test.database.rows<{ id: number; code: string; guards: readonly string[]; menu: readonly string[] }>(sql`
    select r.id, r.code, array(select guard_name from role_permission p where p.role_id = r.id) as guards,
      array(select p.name || ' ' || m.url from role_menu rm join menu m on m.id = rm.menu_id join menu p on p.id = m.parent_id where rm.role_id = r.id) as menu
    from role r order by r.code`)
  const hash = await test.database.first(sql`select password_hash from app_user where email = 'admin@arus.example'`)
  await insertRows(test.database, 'app_user', found.map(({ id, code }) => ({
    email: `role.${code.toLowerCase()}@arus.example`, name: code, role_id: id, territory_scope: false, password_hash: hash?.['password_hash'], password_change_date: '2026-11-01T00:00:00Z',
  })))
  ended = await test.signIn('analyst')
  inactive = await test.signIn('billing')
  // One after another: hashing passwords side by side is no faster.
  const signedIn: Role[] = []
  for (const { code, guards, menu } of found) signedIn.push({ code, guards: new Set(guards), menu: new Set(menu), session: await test.signIn(`role.${code.toLowerCase()}`) })
  roles = signedIn
}, 240_000)

/** Beside the roles of the product: all permissions without a menu, the whole menu without permissions, and all permissions with a single screen. */
async function addStrangeRoles(): Promise<void> {
  const guards = await test.database.rows<{ guard_name: string }>(sql`select guard_name from permission`)
  const menus = await test.database.rows<{ id: number; parent_id: number | null; url: string | null }>(sql`select id, parent_id, url from menu`)
  const add = async (code: string, names: readonly string[], seen: readonly number[]): Promise<void> => {
    const [id = 0] = await insertRows(test.database, 'role', [{ code, name: code }])
    await insertRows(test.database, 'role_permission', names.map((guard_name) => ({ role_id: id, guard_name })))
    await insertRows(test.database, 'role_menu', seen.map((menu_id) => ({ role_id: id, menu_id, can_view: true })))
  }
  const all = guards.map((row) => row.guard_name)
  await add('X_NO_MENU', all, [])
  await add('X_NO_PERMISSION', [], menus.map((row) => row.id))
  for (const { url } of sampled) {
    const entry = menus.find((row) => row.url === url)
    if (entry?.parent_id != null) await add(`X_ONLY ${url}`, all, [entry.id, entry.parent_id])
  }
}

interface Cell {
  readonly role: string
  readonly call: string
  readonly expected: string
  readonly answer: string
}

/** Rows under one another, for people who look at a failure. */
function table(cells: readonly Cell[]): string {
  const width = (key: keyof Cell): number => Math.max(...cells.map((cell) => cell[key].length), key.length)
  const line = (cell: Cell): string => [cell.role.padEnd(width('role')), cell.call.padEnd(width('call')), cell.expected.padEnd(8), cell.answer].join('  ')
  return ['', line({ role: 'role', call: 'call', expected: 'expected', answer: 'answer' }), ...cells.slice(0, 60).map(line), cells.length > 60 ? `… ${cells.length} in all` : ''].join('\n')
}

async function walk(role: Role, wanted: readonly DescribedCall[]): Promise<readonly Cell[]> {
  const verdict = verdictsFor(role)
  const wrong: Cell[] = []
  for (const call of wanted) {
    const expected = call.isPublic ? 'allowed' : verdict(call)
    const answer = await emptyCall(role.session, call)
    const isRefused = answer.status === 403 && answer.code === 'FORBIDDEN_GUARD'
    const isWrong = answer.status >= 500 || answer.code === 'UNAUTHENTICATED' || expected === undefined || isRefused !== (expected === 'refused')
    if (isWrong) wrong.push({ role: role.code, call: `${call.method} ${call.path}`, expected: expected ?? 'no rule', answer: `${answer.status} ${answer.code} ${answer.message}` })
  }
  return wrong
}

describe('“Routes are checked against it”: every route as every role', () => {
  it('is open exactly where its parent and url are in the menu the server returns', async () => {
    const wrong: Cell[] = []
    for (const role of roles) {
      const menu: readonly MenuEntry[] = (await role.session.get('/api/v1/menu')).data.records
      const served = new Set(menu.flatMap((parent) => parent.submenu.map(({ url }) => `${parent.name} ${url}`)))
      expect([role.code, [...served].toSorted()]).toEqual([role.code, [...role.menu].toSorted()])
      for (const route of metadata.routes) {
        const expected = isRouteOpen(route, role.menu)
        if (isAllowed(route, menu) !== expected) wrong.push({ role: role.code, call: route.path, expected: expected ? 'open' : 'hidden', answer: expected ? 'hidden' : 'open' })
      }
    }
    expect(table(wrong)).toBe(table([]))
  }, 60_000)
})

describe('every endpoint as every role', () => {
  it('answers what menu and permissions say, and nothing changes', async () => {
    const before = await fingerprint(test.database, passing)
    const wrong: Cell[] = []
    for (const role of roles.filter(({ code }) => !code.startsWith('X_ONLY'))) wrong.push(...(await walk(role, calls)))
    expect(table(wrong)).toBe(table([]))
    expect(await fingerprint(test.database, passing)).toEqual(before)
  }, 600_000)

  it('gives nothing of hidden screens to somebody who holds every permission and a single screen', async () => {
    const reading = calls.filter((call) => call.method === 'GET' && !call.isPublic && !/\{id\}\/(history|flow|journal|actions|around|attachments|comments|people)/.test(call.path))
    const wrong: Cell[] = []
    for (const role of roles.filter(({ code }) => code.startsWith('X_ONLY'))) wrong.push(...(await walk(role, reading)))
    expect(table(wrong)).toBe(table([]))
  }, 600_000)

  it('the roles of the product differ, and none but the administrator may do everything', () => {
    const own = roles.filter(({ code }) => !code.startsWith('X_'))
    expect(own.length).toBeGreaterThan(10)
    const open = own.map((role) => {
      const verdict = verdictsFor(role)
      return calls.filter((call) => verdict(call) === 'allowed').length
    })
    expect(new Set(own.map((role) => [...role.guards].toSorted().join())).size).toBe(own.length)
    expect(own.filter((_, i) => open[i] === Math.max(...open)).map(({ code }) => code)).toEqual(['ADMIN'])
  })
})

describe('without a live session', () => {
  const isRefused = (answer: Answer): boolean => answer.status === 401 && ['UNAUTHENTICATED', 'SESSION_ENDED', 'SESSION_EXPIRED'].includes(answer.code)

  async function expectClosed(session: Session, who: string): Promise<void> {
    const wrong: Cell[] = []
    for (const call of calls) {
      const answer = await emptyCall(session, call)
      if (call.isPublic === isRefused(answer)) wrong.push({ role: who, call: `${call.method} ${call.path}`, expected: call.isPublic ? 'allowed' : 'refused', answer: `${answer.status} ${answer.code}` })
    }
    expect(table(wrong)).toBe(table([]))
  }

  it('“A missing or rejected token”: every call but the public ones is 401', async () => {
    await expectClosed(test.anonymous, 'nobody')
  }, 60_000)

  it('a session that was ended opens nothing', async () => {
    expect((await ended.post('/api/v1/logout')).status).toBe(200)
    await expectClosed(ended, 'ended')
  }, 60_000)

  it('the session of somebody deactivated opens nothing', async () => {
    const admin = roles.find(({ code }) => code === 'ADMIN')?.session ?? test.anonymous
    const user = await test.id('app_user', 'billing@arus.example', 'email')
    const record = (await admin.get(`/api/v1/data/user/${user}`)).data.record
    expect((await admin.put(`/api/v1/data/user/${user}`, { IsActive: false }, { version: record.Version })).status).toBe(200)
    await expectClosed(inactive, 'inactive')
  }, 60_000)
})
