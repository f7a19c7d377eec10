import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#base/date.ts'
import type { ApprovalRequestAnswer, Delegation } from '#api/approval.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Answer, type Session, type TestApp } from '../support/app.ts'
import { plainRegistries } from '../support/registries.ts'

let arus: TestApp
let people: Map<string, Session>
const ids = new Map<string, number>()

/** Noon of a day in Jakarta. */
const noon = (day: string): string => `${day}T05:00:00.000Z`
const firstDay = '2026-11-20'

beforeAll(async () => {
  arus = await testApp({ registries: plainRegistries() })
  // A second credit controller who also enters orders, so that makers, deciders and deputies overlap.
  await arus.database.run(sql`
    insert into app_user (email, name, password_hash, role_id, territory_scope, password_change_date)
    select n || '@arus.example', n, u.password_hash, u.role_id, false, u.password_change_date from app_user u, unnest(array['credit2', 'credit3']) as n where u.email = 'credit@arus.example'`)
  await arus.database.run(sql`
    insert into role_permission (role_id, guard_name) select r.id, g from role r, unnest(array['sales-order-view', 'sales-order-create', 'sales-order-submit', 'sales-order-edit']) as g
    where r.code = 'CREDIT_CTRL' on conflict do nothing`)
  await arus.database.run(sql`
    insert into role_menu (role_id, menu_id, can_view) select r.id, m.id, true from role r, menu m where r.code = 'CREDIT_CTRL' and (m.url in ('/sales-order-form', '/sales-order-list') or m.name = 'Sales')
    on conflict do nothing`)
  await arus.database.run(sql`insert into tos_agreement (user_id, version, at) select u.id, t.version, t.at from app_user u, (select version, at from tos_agreement limit 1) t where u.email like 'credit_@%'`)
  for (const row of await arus.database.rows<{ id: number; name: string }>(sql`select id, name from app_user`)) ids.set(row.name, row.id)
  await signIn()
}, 60_000)

async function signIn(): Promise<void> {
  people = new Map()
  for (const name of ['credit', 'credit2', 'credit3', 'finance', 'sales', 'cashier', 'director']) people.set(name, await arus.signIn(name))
}

async function goTo(at: string): Promise<void> {
  arus.moveTo(at)
  await signIn()
}

const as = (name: string): Session => people.get(name) ?? arus.anonymous
const idOf = (name: string): number => ids.get(name) ?? 0

async function handOver(from: string, to: string, body: object = {}): Promise<Answer> {
  return as(from).post('/api/v1/delegation', { ToUserID: idOf(to), ValidFrom: arus.clock.today(), ValidTo: addDays(arus.clock.today(), 2), ...body })
}

/** A request of an order entered by `maker`: 2 million asks credit control, 60 million finance as well. */
async function requestOf(maker: string, total = '2000000'): Promise<{ readonly id: number; readonly document: number }> {
  const draft = await as(maker).post('/api/v1/data/sales-order', {
    CustomerID: await arus.id('customer', 'C0000001'), Total: total, Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '1' }],
  })
  expect(draft, JSON.stringify(draft.data)).toMatchObject({ status: 200 })
  const { ID } = draft.data.record
  expect((await as(maker).post(`/api/v1/data/sales-order/${ID}/submit`, {})).data.record.Status).toBe(4)
  const row = await arus.database.first<{ id: number }>(sql`select id from approval_request where doc_type = 'sales_order' and doc_id = ${ID} and status = 4`)
  return { id: row?.id ?? 0, document: ID }
}

const decide = (who: string, request: number, decision = 'approve', body: object = {}): Promise<Answer> => as(who).post(`/api/v1/approval/${request}/${decision}`, body)
const actionsOf = (request: number) => arus.database.rows<{ actor_id: number; on_behalf_of_id: number | null; level: number; action: string }>(sql`
  select actor_id, on_behalf_of_id, level, action from approval_action where request_id = ${request} order by id`)
const told = async (who: string) => (await as(who).get('/api/v1/notifications')).data.records[0]

describe('handing approvals over', () => {
  it('is kept, told to both, written down, and ended by either', async () => {
    const given: Delegation = (await handOver('finance', 'credit2', { Note: 'Leave' })).data.record
    expect(given).toMatchObject({ FromUserName: 'finance', ToUserName: 'credit2', ValidFrom: firstDay, ValidTo: '2026-11-22', DocTypes: [], Note: 'Leave', State: 'RUNNING', EndedAt: null })
    expect(await told('credit2')).toMatchObject({ Title: 'notification.delegation-received', Params: { by: 'finance', from: '20/11/2026', until: '22/11/2026' }, Link: '/approval/delegation' })
    expect(await told('finance')).toMatchObject({ Title: 'notification.delegation-given', Params: { to: 'credit2' } })
    expect((await as('finance').get('/api/v1/delegation')).data).toMatchObject({ given: [{ ID: given.ID }], received: [], docTypes: expect.arrayContaining(['sales_order']) })
    expect((await as('credit2').get('/api/v1/delegation')).data).toMatchObject({ given: [], received: [{ ID: given.ID }] })
    expect((await as('credit').get('/api/v1/delegation')).data).toMatchObject({ given: [], received: [] })
    expect((await as('credit').post(`/api/v1/delegation/${given.ID}/end`)).code).toBe('NOT_IN_SCOPE')
    expect((await as('credit2').post(`/api/v1/delegation/${given.ID}/end`)).data.record).toMatchObject({ State: 'ENDED', EndedByName: 'credit2' })
    expect((await as('finance').post(`/api/v1/delegation/${given.ID}/end`)).code).toBe('ILLEGAL_TRANSITION')
    expect(await told('finance')).toMatchObject({ Title: 'notification.delegation-ended', Params: { by: 'credit2' } })
    expect(await arus.database.rows(sql`select action, actor_id from document_log where doc_type = 'approval_delegation' and doc_id = ${given.ID} order by id`)).toEqual([
      { action: 'create', actor_id: idOf('finance') }, { action: 'end', actor_id: idOf('credit2') },
    ])
  })

  it('says what is wrong with it', async () => {
    const fields = async (from: string, to: string, body: object) => ((await handOver(from, to, body)).data.errors ?? []).map((error: { field: string; key: string }) => `${error.field} ${error.key}`)
    expect(await fields('finance', 'finance', {})).toEqual(['ToUserID field.NOT_A_CHOICE.delegate-self'])
    expect(await fields('finance', 'nobody', { ToUserID: 999_999 })).toEqual(['ToUserID field.NOT_A_CHOICE.delegate'])
    // The clerk has no queue: what he cannot decide himself cannot be handed to him, nor by him.
    expect(await fields('finance', 'sales', {})).toEqual(['ToUserID field.NOT_A_CHOICE.delegate-right'])
    expect(await fields('sales', 'finance', {})).toEqual(['DocTypes field.NOT_A_CHOICE.delegated'])
    expect(await fields('finance', 'credit', { DocTypes: ['invoice'] })).toEqual(['DocTypes field.NOT_A_CHOICE.delegated'])
    expect(await fields('finance', 'credit', { ValidFrom: '2026-11-19' })).toEqual(['ValidFrom field.TOO_SMALL.past-day'])
    expect(await fields('finance', 'credit', { ValidFrom: '2026-11-25', ValidTo: '2026-11-24' })).toEqual(['ValidTo field.TOO_SMALL.before-start'])
    expect(await fields('finance', 'credit', { ValidTo: '2027-11-21' })).toEqual(['ValidTo field.TOO_LARGE.days'])
    expect(await fields('finance', 'credit', { ValidFrom: 'soon', DocTypes: 'all', Surprise: 1 })).toEqual(['Surprise field.UNKNOWN_FIELD', 'ValidFrom field.WRONG_TYPE.date', 'DocTypes field.WRONG_TYPE.list'])
    expect((await as('sales').get('/api/v1/delegation')).data.docTypes).toEqual([])
    const people_ = (await as('finance').get('/api/v1/delegation/people', { search: 'credit' })).data.records
    expect(people_.map((person: { Name: string }) => person.Name)).toEqual(['credit', 'credit2', 'credit3'])
    expect((await as('finance').get('/api/v1/delegation/people', { search: 'cashier' })).data.records).toEqual([])
  })

  it('is handed over once, also when it is sent twice at once', async () => {
    const days = { ValidFrom: '2026-12-20', ValidTo: '2026-12-22' }
    const answers = await Promise.all([1, 2].map(() => handOver('finance', 'credit3', days)))
    expect(answers.map(({ status, data }) => [status, data.errors?.[0]?.key]).toSorted()).toEqual([[200, undefined], [422, 'field.DUPLICATE.delegation']])
    for (const { data } of answers.filter(({ status }) => status === 200)) await as('finance').post(`/api/v1/delegation/${data.record.ID}/end`)
  })

  it('is not handed to the same person twice for the same days and documents: ended once, it would still be in force', async () => {
    const given: Delegation = (await handOver('finance', 'credit2', { DocTypes: ['sales_order'] })).data.record
    const again = await handOver('finance', 'credit2', { ValidFrom: '2026-11-22', ValidTo: '2026-11-25' })
    expect(again.data.errors).toMatchObject([{ field: 'ValidFrom', key: 'field.DUPLICATE.delegation', params: { from: '20/11/2026', until: '22/11/2026' } }])
    // Another person, other documents and the days after are no repetition.
    const others = await Promise.all([
      handOver('finance', 'credit', { DocTypes: ['sales_order'] }), handOver('finance', 'credit2', { ValidFrom: '2026-11-23', ValidTo: '2026-11-25' }), handOver('director', 'credit2', { DocTypes: ['sales_order'] }),
    ])
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200])
    await as('finance').post(`/api/v1/delegation/${given.ID}/end`)
    const renewed = await handOver('finance', 'credit2', { ValidTo: '2026-11-22' })
    expect(renewed.status).toBe(200)
    await arus.database.run(sql`delete from approval_delegation`)
  })

  it('says what of it nobody decides: what the deputy may not, and what the other has lost since', async () => {
    const given: Delegation = (await handOver('finance', 'credit2')).data.record
    const own: readonly string[] = (await as('finance').get('/api/v1/delegation')).data.docTypes
    const theirs: readonly string[] = (await as('credit2').get('/api/v1/delegation')).data.docTypes
    const beyond = own.filter((docType) => !theirs.includes(docType))
    expect(beyond.length).toBeGreaterThan(0)
    expect(given.Unable).toEqual([{ UserName: 'credit2', DocTypes: beyond }])
    const unable = async (): Promise<unknown> => (await as('finance').get('/api/v1/delegation')).data.given.find((one: Delegation) => one.ID === given.ID).Unable
    await arus.database.run(sql`update app_user set is_active = false where name = 'credit2'`)
    expect(await unable()).toEqual([{ UserName: 'credit2', DocTypes: own }])
    await arus.database.run(sql`update app_user set is_active = true where name = 'credit2'`)
    const role = (await arus.database.first<{ role_id: number }>(sql`select role_id from app_user where name = 'finance'`))?.role_id ?? 0
    await arus.database.run(sql`update app_user set role_id = (select role_id from app_user where name = 'cashier') where name = 'finance'`)
    const received = await as('credit2').get('/api/v1/delegation')
    expect(received.data.received.find((one: Delegation) => one.ID === given.ID).Unable).toEqual([{ UserName: 'finance', DocTypes: [] }])
    await arus.database.run(sql`update app_user set role_id = ${role} where name = 'finance'`)
    await as('credit2').post(`/api/v1/delegation/${given.ID}/end`)
    expect(await unable()).toEqual([])
  })

  it('says whose deputy does not see all he sees', async () => {
    const given: Delegation = (await handOver('finance', 'credit2')).data.record
    const offered = async () => (await as('finance').get('/api/v1/delegation/people', { search: 'credit2' })).data.records[0].IsNarrower
    expect([given.IsNarrower, await offered()]).toEqual([false, false])
    await arus.database.run(sql`update app_user set territory_scope = true, operating_unit_id = (select min(id) from operating_unit) where name = 'credit2'`)
    const received: readonly Delegation[] = (await (await arus.signIn('credit2')).get('/api/v1/delegation')).data.received
    expect([received.find(({ ID }) => ID === given.ID)?.IsNarrower, await offered()]).toEqual([true, true])
    await arus.database.run(sql`update app_user set territory_scope = false, operating_unit_id = null where name = 'credit2'`)
    await arus.database.run(sql`delete from approval_delegation`)
    await signIn()
  })
})

describe('a deputy', () => {
  it('sees the request, decides it in the other’s name, and everybody is told', async () => {
    const { id, document } = await requestOf('sales', '60000000')
    await decide('credit', id)
    const row = async (who: string) => (await as(who).get('/api/v1/approval/sales_order/submit', { length: 100 })).data.rows.find((one: { ID: number }) => one.ID === id)
    expect(await row('credit2')).toMatchObject({ CanDecide: false, OnBehalfOfName: null })
    const mine = async (who: string, query: Record<string, string | number> = {}) => (await as(who).get('/api/v1/approval/sales_order/submit', { length: 100, mine: 'true', ...query })).data
    const isAmong = async (who: string) => (await mine(who)).rows.some((one: { ID: number }) => one.ID === id)
    expect([await isAmong('finance'), await isAmong('credit2')]).toEqual([true, false])
    const before = (await as('credit2').get('/api/v1/approval/mine')).data.records
    const given: Delegation = (await handOver('finance', 'credit2')).data.record
    expect(await row('credit2')).toMatchObject({ CanDecide: true, OnBehalfOfName: 'finance' })
    expect(await row('finance')).toMatchObject({ CanDecide: true, OnBehalfOfName: null })
    expect((await as('credit2').get('/api/v1/approval/mine')).data.records[0].Count).toBe((before[0]?.Count ?? 0) + 1)
    // His turn alone: the rows, their total and the number beside the tab agree; what is decided already knows no turns.
    const turns = await mine('credit2')
    expect(turns.rows.every((one: { CanDecide: boolean }) => one.CanDecide) && turns.rows.some((one: { ID: number }) => one.ID === id)).toBe(true)
    expect([turns.recordsTotal, turns.mine]).toEqual([turns.rows.length, turns.rows.length])
    expect((await mine('credit2', { mine: 'false' })).mine).toBe(turns.mine)
    expect((await mine('credit2', { mine: 'perhaps' })).errors).toMatchObject([{ field: 'mine', code: 'WRONG_TYPE' }])
    expect((await mine('credit2', { state: 'approved' })).recordsTotal).toBe((await mine('credit2', { state: 'approved', mine: 'false' })).recordsTotal)
    expect((await decide('credit2', id, 'approve', { Note: 'Agreed by phone' })).data).toMatchObject({ isFinal: true })
    expect(await told('finance')).toMatchObject({ Title: 'notification.approved-for-you', Params: { by: 'credit2' } })
    expect(await told('sales')).toMatchObject({ Title: 'notification.approved', Params: { by: 'credit2' } })
    const { Steps, Approvers }: ApprovalRequestAnswer = (await as('credit').get(`/api/v1/approval/request/${id}`)).data
    expect(Steps).toMatchObject([
      { Action: 'ASK', Level: 0, ActorName: 'sales', OnBehalfOfName: null },
      { Action: 'APPROVE', Level: 1, ActorName: 'credit', OnBehalfOfName: null, Note: null },
      { Action: 'APPROVE', Level: 2, ActorName: 'credit2', OnBehalfOfName: 'finance', Note: 'Agreed by phone' },
    ])
    expect(Approvers).toEqual([])
    const history = (await as('sales').get(`/api/v1/data/sales-order/${document}/history`)).data.records
    expect(history.slice(0, 2)).toMatchObject([{ Action: 'approve', ActorName: 'credit2', OnBehalfOfName: 'finance' }, { Action: 'approve-level', ActorName: 'credit', OnBehalfOfName: null }])
    await as('finance').post(`/api/v1/delegation/${given.ID}/end`)
  })

  it('is told when something is asked of the one he stands in for', async () => {
    const given: Delegation = (await handOver('credit', 'finance')).data.record
    const { id } = await requestOf('sales')
    expect(await told('finance')).toMatchObject({ Kind: 'APPROVAL_ASKED', Title: 'notification.approval-asked', Link: `/approval/sales-order?id=${id}` })
    expect((await decide('finance', id, 'reject', { Note: 'No' })).data).toMatchObject({ isFinal: true })
    expect(await actionsOf(id)).toEqual([{ actor_id: idOf('finance'), on_behalf_of_id: idOf('credit'), level: 1, action: 'REJECT' }])
    await as('credit').post(`/api/v1/delegation/${given.ID}/end`)
  })

  it('never decides what he has made, nor in the name of who has made it, nor twice', async () => {
    await handOver('credit3', 'finance')
    const own = await requestOf('credit3')
    expect((await decide('credit3', own.id)).code).toBe('SELF_APPROVAL')
    expect((await decide('finance', own.id)).code).toBe('NOT_YOUR_LEVEL')
    // One who made it cannot get round it by standing in for somebody.
    await handOver('credit2', 'credit3')
    expect((await decide('credit3', own.id)).code).toBe('SELF_APPROVAL')
    // Credit control and finance are two persons, also where one stands in for the other.
    await handOver('finance', 'credit')
    const large = await requestOf('sales', '60000000')
    expect((await decide('credit', large.id)).data).toMatchObject({ isFinal: false })
    const { rows } = (await as('credit').get('/api/v1/approval/sales_order/submit', { length: 100 })).data
    expect(rows.find((one: { ID: number }) => one.ID === large.id)).toMatchObject({ CanDecide: false, WhyNot: 'SPOKEN' })
    const refused = await decide('credit', large.id)
    expect([refused.code, refused.message]).toEqual(['NOT_YOUR_LEVEL', expect.stringContaining('already approved')])
    expect((await decide('finance', large.id)).data).toMatchObject({ isFinal: true })
    await arus.database.run(sql`update approval_delegation set ended_at = now() where ended_at is null`)
  })

  it('never decides what he has entered or changed, though another submitted it, nor does anybody in his name', async () => {
    const draft = await as('credit3').post('/api/v1/data/sales-order', {
      CustomerID: await arus.id('customer', 'C0000001'), Total: '2000000', Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '1' }],
    })
    const { ID, Version } = draft.data.record
    expect((await as('credit2').put(`/api/v1/data/sales-order/${ID}`, { PoNumber: 'PO-7' }, { version: Version })).status).toBe(200)
    expect((await as('sales').post(`/api/v1/data/sales-order/${ID}/submit`, {})).data.record.Status).toBe(4)
    const { id = 0 } = (await arus.database.first<{ id: number }>(sql`select id from approval_request where doc_type = 'sales_order' and doc_id = ${ID} and status = 4`)) ?? {}
    await handOver('credit3', 'finance')
    for (const who of ['credit2', 'credit3', 'finance']) {
      const { rows } = (await as(who).get('/api/v1/approval/sales_order/submit', { length: 100 })).data
      expect(rows.find((one: { ID: number }) => one.ID === id), who).toMatchObject({ CanDecide: false, WhyNot: who === 'finance' ? null : 'MAKER' })
    }
    for (const who of ['credit2', 'credit3']) {
      const refused = await decide(who, id)
      expect([refused.code, refused.message], who).toEqual(['SELF_APPROVAL', expect.stringContaining('entered or changed')])
    }
    expect((await decide('finance', id)).code).toBe('NOT_YOUR_LEVEL')
    const asked = await arus.database.rows<{ user_id: number }>(sql`select user_id from notification where subject = ${`approval_request:${id}`} order by user_id`)
    expect(asked.map(({ user_id }) => user_id)).toEqual([idOf('credit')])
    expect((await decide('credit', id)).data).toMatchObject({ isFinal: true })
    await arus.database.run(sql`update approval_delegation set ended_at = now() where ended_at is null`)
  })

  it('decides from the first minute to the last of the days named, in local time, and only the documents named', async () => {
    await handOver('finance', 'credit2', { ValidFrom: '2026-11-21', ValidTo: '2026-11-22', DocTypes: ['sales_order'] })
    const waiting = []
    for (let n = 0; n < 4; n++) {
      const { id } = await requestOf('sales', '60000000')
      await decide('credit', id)
      waiting.push(id)
    }
    const [a = 0, b = 0, c = 0, d = 0] = waiting
    await goTo('2026-11-20T16:59:00.000Z')
    expect((await decide('credit2', a)).code).toBe('NOT_YOUR_LEVEL')
    await goTo('2026-11-20T17:00:00.000Z')
    expect((await decide('credit2', b)).status).toBe(200)
    await goTo('2026-11-22T16:59:59.000Z')
    expect((await decide('credit2', c)).status).toBe(200)
    await goTo('2026-11-22T17:00:00.000Z')
    expect((await decide('credit2', d)).code).toBe('NOT_YOUR_LEVEL')
    await goTo('2026-11-23T05:00:00.000Z')
    expect((await as('finance').get('/api/v1/delegation')).data.given[0]).toMatchObject({ State: 'OVER' })
    await handOver('finance', 'credit2')
    await arus.database.run(sql`update approval_delegation set doc_types = '{invoice}' where ended_at is null and valid_from = '2026-11-23'`)
    expect((await decide('credit2', a)).code).toBe('NOT_YOUR_LEVEL')
    // What the other may no longer decide himself cannot be decided for him.
    await arus.database.run(sql`update approval_delegation set doc_types = '{}' where ended_at is null and valid_from = '2026-11-23'`)
    await arus.database.run(sql`update app_user set is_active = false where name = 'finance'`)
    expect((await decide('credit2', a)).code).toBe('NOT_YOUR_LEVEL')
    await arus.database.run(sql`update app_user set is_active = true where name = 'finance'`)
    expect((await decide('credit2', a)).status).toBe(200)
    await arus.database.run(sql`update approval_delegation set ended_at = now() where ended_at is null`)
  }, 60_000)
})

/** Numbers that look random and are the same every time. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe('whatever is handed over to whom and when', () => {
  const roleOf: Readonly<Record<string, string>> = { credit: 'CREDIT_CTRL', credit2: 'CREDIT_CTRL', credit3: 'CREDIT_CTRL', finance: 'FIN_MGR', director: 'DIRECTOR', sales: 'SALES_ADMIN', cashier: 'CASHIER' }
  const able = ['credit', 'credit2', 'credit3', 'finance', 'director']

  it.each([7, 2026, 99])('nobody approves his own, nobody outside the period, each action is somebody’s turn (seed %i)', async (seed) => {
    const roll = dice(seed)
    const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T
    await arus.database.run(sql`update approval_delegation set ended_at = now() where ended_at is null`)
    const start = addDays('2027-01-04', seed % 50)
    const rows = Array.from({ length: 8 }, () => {
      const from = pick(able)
      const first = addDays(start, roll(6))
      return { from, to: pick(able.filter((name) => name !== from)), first, last: addDays(first, roll(4)), types: roll(4) === 0 ? ['invoice'] : [] }
    })
    await insertRows(arus.database, 'approval_delegation', rows.map((row) => ({
      from_user_id: idOf(row.from), to_user_id: idOf(row.to), valid_from: row.first, valid_to: row.last, doc_types: row.types, created_by: idOf(row.from),
    })))
    for (let day = start; day <= addDays(start, 7); day = addDays(day, 1)) {
      await goTo(noon(day))
      const makers = ['sales', 'credit', 'credit3']
      const { id } = await requestOf(pick(makers), roll(2) === 0 ? '2000000' : '60000000')
      const request = await arus.database.first<{ requested_by: number }>(sql`select requested_by from approval_request where id = ${id}`)
      for (let attempt = 0; attempt < 6; attempt++) {
        const who = pick([...able, 'sales', 'cashier'])
        const before = await actionsOf(id)
        const { status, current_level: level } = (await arus.database.first<{ status: number; current_level: number }>(sql`select status, current_level from approval_request where id = ${id}`)) ?? { status: 0, current_level: 0 }
        if (status !== 4) break
        const queued = able.includes(who) ? (await as(who).get('/api/v1/approval/sales_order/submit', { length: 100 })).data.rows.find((row: { ID: number }) => row.ID === id) : undefined
        const answer = await decide(who, id)
        // The rule, said a second time: whose role the level asks for, himself or handed over for today, neither of them the maker, nobody speaking twice.
        const wanted = level === 1 ? 'CREDIT_CTRL' : 'FIN_MGR'
        const principals = rows.filter((row) => row.to === who && row.types.length === 0 && row.first <= day && day <= row.last).map((row) => row.from)
        const isMaker = (name: string): boolean => idOf(name) === request?.requested_by
        const hasSpoken = before.some((one) => one.actor_id === idOf(who))
        const isOwn = roleOf[who] === wanted
        const expected = able.includes(who) && !isMaker(who) && !hasSpoken && (isOwn || principals.some((name) => roleOf[name] === wanted && !isMaker(name)))
        expect([day, who, level, answer.status === 200, queued?.CanDecide ?? false], JSON.stringify(rows)).toEqual([day, who, level, expected, expected])
        if (!expected) {
          expect(await actionsOf(id)).toEqual(before)
          continue
        }
        const written = (await actionsOf(id)).at(-1)
        expect(written).toMatchObject({ actor_id: idOf(who), level })
        const behalf = [...ids].find(([, userId]) => userId === written?.on_behalf_of_id)?.[0]
        if (isOwn) expect(behalf).toBeUndefined()
        else expect([principals.includes(behalf ?? ''), roleOf[behalf ?? '']]).toEqual([true, wanted])
        expect(queued?.OnBehalfOfName ?? undefined).toBe(behalf)
      }
    }
  }, 120_000)
})

describe('the note of a hand-over', () => {
  it('keeps no note of which nothing is seen, and refuses one that no text is', async () => {
    const { ID, Note } = (await handOver('credit', 'credit3', { Note: '\u200b\u2060 ' })).data.record
    expect(Note).toBeNull()
    expect((await as('credit').post(`/api/v1/delegation/${ID}/end`, {})).status).toBe(200)
    const broken = await handOver('credit', 'credit3', { Note: 'Leave \ud800' })
    expect(broken).toMatchObject({ status: 422 })
    expect(JSON.stringify(broken)).toContain('Note')
  })
})
