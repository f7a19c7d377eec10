import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let at: TestApp
let admin: Session
/** Administrator of one territory. */
let local: Session
/** May keep users, not roles. */
let keeper: Session
let home: number
let elsewhere: number

beforeAll(async () => {
  at = await testApp()
  admin = await at.signIn('admin')
  const [first, second] = await at.database.rows<{ id: number }>(sql`select id from territory order by id limit 2`)
  home = first?.id ?? 0
  elsewhere = second?.id ?? 0
  const { role_id: role, password_hash } = (await at.database.first<{ role_id: number; password_hash: string }>(sql`select role_id, password_hash from app_user where email = 'admin@arus.example'`)) ?? { role_id: 0, password_hash: '' }
  const common = { password_hash, password_change_date: '2026-11-01T00:00:00Z' }
  const [localId = 0] = await insertRows(at.database, 'app_user', [{ email: 'local@arus.example', name: 'Local', role_id: role, territory_scope: true, ...common }])
  await insertRows(at.database, 'user_territory', [{ user_id: localId, territory_id: home, operating_unit_id: (await at.database.first<{ id: number }>(sql`select operating_unit_id as id from territory where id = ${home}`))?.id }])
  const [keeping = 0] = await insertRows(at.database, 'role', [{ code: 'KEEPER', name: 'Keeps users' }])
  await insertRows(at.database, 'role_permission', ['user-view', 'user-create', 'user-edit', 'sales-order-view'].map((guard_name) => ({ role_id: keeping, guard_name })))
  await insertRows(at.database, 'role_menu', (await at.database.rows<{ id: number }>(sql`select id from menu`)).map(({ id }) => ({ role_id: keeping, menu_id: id, can_view: true })))
  const [looking = 0] = await insertRows(at.database, 'role', [{ code: 'LOOKER', name: 'Looks at orders' }])
  await insertRows(at.database, 'role_permission', [{ role_id: looking, guard_name: 'sales-order-view' }])
  await insertRows(at.database, 'app_user', [{ email: 'keeper@arus.example', name: 'Keeper', role_id: keeping, territory_scope: false, ...common }])
  local = await at.signIn('local')
  keeper = await at.signIn('keeper')
})

const userId = (name: string) => at.id('app_user', `${name}@arus.example`, 'email')
const create = async (as: Session, name: string, values: object) => as.post('/api/v1/data/user', { Email: `${name}@arus.example`, Name: name, Password: 'First-pass-1', RoleID: await at.id('role', 'LOOKER'), ...values })

async function change(as: Session, id: number, values: object) {
  const { Version: version } = (await admin.get(`/api/v1/data/user/${id}`)).data.record
  return as.put(`/api/v1/data/user/${id}`, values, { version })
}

const refused = (field: string, key: string) => ({ status: 422, data: { errors: expect.arrayContaining([expect.objectContaining({ field, key: `field.${key}` })]) } })

it('limits nobody to territories without naming one: he would see nothing', async () => {
  expect(await create(admin, 'nowhere', { TerritoryScope: true })).toMatchObject(refused('TerritoryIDs', 'REQUIRED.territories'))
  expect(await create(admin, 'nowhere', { TerritoryScope: true, TerritoryIDs: [] })).toMatchObject(refused('TerritoryIDs', 'REQUIRED.territories'))
  expect(await create(admin, 'anywhere', {})).toMatchObject({ status: 200 })
  const id = await userId('anywhere')
  expect(await change(admin, id, { TerritoryScope: true })).toMatchObject(refused('TerritoryIDs', 'REQUIRED.territories'))
  expect(await change(admin, id, { TerritoryIDs: [home] })).toMatchObject({ status: 200 })
  expect(await change(admin, id, { TerritoryScope: true })).toMatchObject({ status: 200 })
})

describe('somebody with certain territories', () => {
  it('makes users of these', async () => {
    expect(await create(local, 'mine', { TerritoryScope: true, TerritoryIDs: [home] })).toMatchObject({ status: 200 })
    expect(await create(local, 'theirs', { TerritoryScope: true, TerritoryIDs: [home, elsewhere] })).toMatchObject(refused('TerritoryIDs', 'NOT_IN_SCOPE.given'))
    expect(await create(local, 'all', {})).toMatchObject(refused('TerritoryScope', 'NOT_IN_SCOPE.all-territories'))
  })

  it('gives himself no more of them', async () => {
    const self = await userId('local')
    expect(await change(local, self, { TerritoryScope: false })).toMatchObject(refused('TerritoryScope', 'NOT_IN_SCOPE.all-territories'))
    expect(await change(local, self, { TerritoryIDs: [home, elsewhere] })).toMatchObject(refused('TerritoryIDs', 'NOT_IN_SCOPE.given'))
    expect(await change(local, self, { Phone: '0811' })).toMatchObject({ status: 200 })
  })

  it('leaves users alone who see more: with their password he would see it, too', async () => {
    expect(await change(local, await userId('admin'), { Password: 'Taken-over-1' })).toMatchObject(refused('TerritoryScope', 'NOT_IN_SCOPE.user'))
    await create(admin, 'wider', { TerritoryScope: true, TerritoryIDs: [home, elsewhere] })
    expect(await change(local, await userId('wider'), { Name: 'Renamed' })).toMatchObject(refused('TerritoryScope', 'NOT_IN_SCOPE.user'))
    expect(await change(local, await userId('mine'), { Name: 'Renamed' })).toMatchObject({ status: 200 })
  })
})

describe('somebody who may not change roles', () => {
  it('gives none that may do more than his own, neither to others nor to himself', async () => {
    const role = await at.id('role', 'ADMIN')
    expect(await create(keeper, 'boss', { RoleID: role })).toMatchObject(refused('RoleID', 'NOT_A_CHOICE.role-above'))
    expect(await change(keeper, await userId('keeper'), { RoleID: role })).toMatchObject(refused('RoleID', 'NOT_A_CHOICE.role-above'))
    expect(await create(keeper, 'looks', {})).toMatchObject({ status: 200 })
  })

  it('takes over no account that may do more', async () => {
    expect(await change(keeper, await userId('admin'), { Password: 'Taken-over-1' })).toMatchObject(refused('RoleID', 'NOT_A_CHOICE.role-above'))
    expect(await change(keeper, await userId('admin'), { IsActive: false })).toMatchObject({ status: 422 })
    expect(await change(keeper, await userId('looks'), { Password: 'Another-pass-1' })).toMatchObject({ status: 200 })
  })
})

describe('whatever is done to users and roles', () => {
  const named = (answer: { data: { errors?: readonly { field: string; key: string }[] } }) => (answer.data.errors ?? []).map(({ field, key }) => `${field} ${key}`)
  const remove = async (as: Session, resource: string, id: number) => as.delete(`/api/v1/data/${resource}/${id}`, { version: (await admin.get(`/api/v1/data/${resource}/${id}`)).data.record.Version })
  const above = ['TerritoryScope field.NOT_IN_SCOPE.user']

  it('who sees more is neither deleted nor put out of use, one by one or many at once', async () => {
    await create(admin, 'far', { TerritoryScope: true, TerritoryIDs: [elsewhere] })
    const id = await userId('far')
    expect(named(await remove(local, 'user', id))).toEqual(above)
    expect(named(await change(local, id, { IsActive: false }))).toEqual(above)
    for (const action of ['deactivate', 'delete']) {
      const { results } = (await local.post(`/api/v1/data/user/bulk/${action}`, { IDs: [id] })).data
      expect([action, results[0].ok]).toEqual([action, false])
    }
    expect((await admin.get(`/api/v1/data/user/${id}`)).data.record.IsActive).toBe(true)
    await create(local, 'near', { TerritoryScope: true, TerritoryIDs: [home] })
    expect((await remove(local, 'user', await userId('near'))).status).toBe(200)
  })

  it('who may do more is not deleted either', async () => {
    await at.database.run(sql`insert into role_permission (role_id, guard_name) select id, 'user-delete' from role where code = 'KEEPER'`)
    const deleter = await at.signIn('keeper')
    expect(named(await remove(deleter, 'user', await userId('credit')))).toEqual(['RoleID field.NOT_A_CHOICE.role-above'])
  })

  it('a role is given nothing its editor does not have, and one that has more is left alone', async () => {
    await at.database.run(sql`insert into role_permission (role_id, guard_name) select id, g from role, unnest(array['role-view', 'role-edit', 'role-create', 'role-delete']) g where code = 'KEEPER'`)
    const editor = await at.signIn('keeper')
    const edit = async (code: string, values: object) => {
      const id = await at.id('role', code)
      return editor.put(`/api/v1/data/role/${id}`, values, { version: (await admin.get(`/api/v1/data/role/${id}`)).data.record.Version })
    }
    expect(named(await edit('LOOKER', { GuardNames: ['sales-order-view', 'invoice-post'] }))).toEqual(['GuardNames field.NOT_IN_SCOPE.permissions-given'])
    expect(named(await edit('KEEPER', { GuardNames: ['user-edit', 'invoice-post'] }))).toEqual(['GuardNames field.NOT_IN_SCOPE.permissions-given'])
    expect((await edit('LOOKER', { GuardNames: ['sales-order-view', 'user-view'] })).status).toBe(200)
    expect(named(await edit('CASHIER', { Name: 'Nobody' }))).toEqual(['Code field.NOT_A_CHOICE.role-above'])
    expect(named(await edit('CASHIER', { IsActive: false }))).toEqual(['Code field.NOT_A_CHOICE.role-above'])
    await insertRows(at.database, 'role', [{ code: 'SPARE', name: 'Spare' }])
    await at.database.run(sql`insert into role_permission (role_id, guard_name) select id, 'invoice-post' from role where code = 'SPARE'`)
    expect(named(await remove(editor, 'role', await at.id('role', 'SPARE')))).toEqual(['Code field.NOT_A_CHOICE.role-above'])
    // Who may change roles gives none above his own, either.
    expect(named(await editor.post('/api/v1/data/user', { Email: 'up@arus.example', Name: 'Up', Password: 'First-pass-1', RoleID: await at.id('role', 'ADMIN') }))).toEqual(['RoleID field.NOT_A_CHOICE.role-above'])
    await at.database.run(sql`delete from role_menu where role_id = (select id from role where code = 'KEEPER') and menu_id = (select max(id) from menu)`)
    const hidden = (await at.database.first<{ id: number }>(sql`select max(id) as id from menu`))?.id
    expect(named(await edit('LOOKER', { MenuIDs: [hidden] }))).toEqual(['MenuIDs field.NOT_IN_SCOPE.menu-given'])
  })

  it('a role of people who see more is not changed by who sees certain territories', async () => {
    const id = await at.id('role', 'CASHIER')
    await at.database.run(sql`update app_user set territory_scope = false where role_id = ${id}`)
    const { Version: version } = (await admin.get(`/api/v1/data/role/${id}`)).data.record
    expect(named(await local.put(`/api/v1/data/role/${id}`, { Name: 'Mine' }, { version }))).toEqual(['Code field.NOT_IN_SCOPE.role-users'])
  })
})

describe('a user of certain territories', () => {
  it('has at least one', async () => {
    expect(await create(admin, 'nowhere', { TerritoryScope: true, TerritoryIDs: [] })).toMatchObject(refused('TerritoryIDs', 'REQUIRED.territories'))
    expect(await create(admin, 'everywhere', { TerritoryScope: false, TerritoryIDs: [] })).toMatchObject({ status: 200 })
  })
})

describe('what is taken elsewhere', () => {
  it('a work number: by whom, since whoever changes users sees all of them', async () => {
    await at.database.run(sql`update app_user set work_number = 'E2' where email = 'sales.bdg@arus.example'`)
    const mine = await userId('mine')
    const seen = (await local.get(`/api/v1/data/user/${await userId('sales.bdg')}`)).status
    const answer = await change(local, mine, { WorkNumber: 'E2' })
    expect([seen, answer.data.errors]).toMatchObject([200, [{ field: 'WorkNumber', key: 'field.DUPLICATE.work-number', params: { user: 'sales.bdg@arus.example' } }]])
  })

  it('an opening balance: that it is there, not which it is, to somebody who does not see it', async () => {
    await at.database.run(sql`update setting_oms set value = 'true' where key = 'begbal_open'`)
    await at.database.run(sql`update setting_oms set value = '"2026-10-31"' where key = 'cut_over_date'`)
    const [vendor] = await insertRows(at.database, 'business_partner', [{ code: 'V-1', name: 'PT Sumber', kinds: ['PRINCIPAL'], ap_account_group: 'TRADE' }])
    const unit = async (territory: number) => (await at.database.first<{ id: number }>(sql`select operating_unit_id as id from territory where id = ${territory}`))?.id
    const other = (await at.database.first<{ id: number }>(sql`select id from operating_unit where id <> ${await unit(home)} limit 1`))?.id
    const body = { Section: 'AP', VendorID: vendor, DocNo: 'F-1', DocDate: '2026-10-01', DueDate: '2026-11-01', Remaining: '100' }
    const made = await admin.post('/api/v1/data/opening-balance', { ...body, UnitID: other })
    expect([made.status, made.message]).toMatchObject([200, expect.any(String)])
    expect((await local.get(`/api/v1/data/opening-balance/${made.data.record.ID}`)).status).toBe(404)
    const twin = (as: Session) => as.post('/api/v1/data/opening-balance', { ...body, UnitID: other })
    expect((await twin(admin)).data.errors).toMatchObject([{ field: 'DocNo', key: 'field.DUPLICATE.opening', params: { document: `#${made.data.record.ID}` } }])
    const hidden = await local.post('/api/v1/data/opening-balance', { ...body, UnitID: await unit(home) })
    expect([hidden.data.errors, JSON.stringify(hidden.data).includes(`#${made.data.record.ID}`)]).toMatchObject([[{ field: 'DocNo', key: 'field.DUPLICATE' }], false])
  })
})
