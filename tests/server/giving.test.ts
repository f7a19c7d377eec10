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
