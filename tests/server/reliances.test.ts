import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import type { Answer, Session } from '../support/app.ts'
import { accepted, openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let admin: Session

beforeAll(async () => {
  scene = await openScene()
  ;({ admin } = scene.people)
})

const id = (table: string, code: string, column?: string) => scene.at.id(table, code, column)
const user = (name: string) => id('app_user', `${name}@arus.example`, 'email')
const read = async (resource: string, record: number): Promise<Record> => accepted(await admin.get(`/api/v1/data/${resource}/${record}`)).record

async function change(resource: string, record: number, values: object, acknowledge: readonly string[] = []): Promise<Answer> {
  return admin.put(`/api/v1/data/${resource}/${record}`, values, { version: (await read(resource, record)).Version, acknowledge })
}

/** What is said to be relied on, in English. */
const told = (answer: Answer): [code: string, what: string[]] => [answer.code, (answer.data.obstacles ?? []).map(({ text }: { text: string }) => text)]
const lost = (...guards: string[]) => ['IN_USE', guards.map((guard) => `nobody could use the permission ${guard} any longer`)]

describe('the last administrator', () => {
  it('cannot be deactivated, deleted or moved to another role', async () => {
    const last = await user('admin')
    const all = lost('menu-edit', 'role-edit', 'role-menu-edit', 'user-edit')
    const sorted = (answer: Answer) => [told(answer)[0], told(answer)[1].toSorted()]
    expect(sorted(await change('user', last, { IsActive: false }))).toEqual(all)
    expect(sorted(await change('user', last, { RoleID: await id('role', 'SALES_ADMIN') }))).toEqual(all)
    const { results } = (await admin.post('/api/v1/data/user/bulk/deactivate', { IDs: [last] }, { acknowledge: [`used-app_user-${last}`] })).data
    expect(results).toEqual([expect.objectContaining({ ok: false, code: 'IN_USE' })])
    expect((await admin.delete(`/api/v1/data/user/${last}`, { version: (await read('user', last)).Version })).code).toBe('IN_USE')
  })

  it('keeps role, permissions and menu', async () => {
    const role = await id('role', 'ADMIN')
    const { GuardNames: guards, MenuIDs: menus } = await read('role', role)
    expect((await change('role', role, { IsActive: false })).code).toBe('IN_USE')
    for (const guard of ['user-edit', 'role-edit', 'role-menu-edit', 'menu-edit']) {
      const without = guards.filter((one: string) => one !== guard)
      expect(told(await change('role', role, { GuardNames: without }))).toEqual(lost(guard))
      expect(told(await admin.put(`/api/v1/role/${role}/guards`, { GuardNames: without }))).toEqual(lost(guard))
    }
    for (const [url, guard] of [['/setting/user', 'user-edit'], ['/setting/role', 'role-edit'], ['/setting/role-menu', 'role-menu-edit'], ['/setting/menu', 'menu-edit']] as const) {
      const entry = await id('menu', url, 'url')
      const without = menus.filter((one: number) => one !== entry)
      expect(told(await change('role', role, { MenuIDs: without }))).toEqual(lost(guard))
      expect(told(await admin.put(`/api/v1/role/${role}/menus`, { MenuIDs: without }))).toEqual(lost(guard))
      expect((await change('menu', entry, { IsActive: false })).status).toBe(422)
    }
    expect((await change('role', role, { GuardNames: guards.filter((guard: string) => guard !== 'announcement-delete'), MenuIDs: menus })).status).toBe(200)
  })

  it('may go once there is another, and then that one is the last; what was changed is in the history', async () => {
    const other = await user('director')
    expect((await change('user', other, { RoleID: await id('role', 'ADMIN') }, ['relied-approval_matrix-approver-' + other])).status).toBe(200)
    const first = await user('admin')
    const answers = await Promise.all([
      scene.people.director.put(`/api/v1/data/user/${first}`, { Name: 'admin', IsActive: false }, { version: (await read('user', first)).Version }),
      change('user', other, { IsActive: false }),
    ])
    // They may not take each other away at the same moment.
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b).filter((status) => status === 200)).toHaveLength(1)
    const [active] = await scene.database.rows<{ n: number }>(sql`select count(distinct user_id)::int as n from administrator`)
    expect(active?.n).toBe(1)
    await scene.database.run(sql`update app_user set is_active = true where id = any(${[first, other]}::bigint[])`)
    await scene.moveTo('2026-11-20T04:00:00.000Z')
    ;({ admin } = scene.people)
    expect((await change('user', other, { RoleID: await id('role', 'DIRECTOR') })).status).toBe(200)
    expect((await admin.get(`/api/v1/data/user/${other}/history`)).data.records[0].Diff).toEqual([expect.objectContaining({ Field: 'role_id', To: expect.stringContaining('DIRECTOR') })])
  })

  it('permissions given and taken are named in the history', async () => {
    const role = await id('role', 'AUDITOR')
    const { GuardNames: guards } = await read('role', role)
    expect(guards).toContain('journal-view')
    expect((await change('role', role, { GuardNames: [...guards.filter((guard: string) => guard !== 'journal-view'), 'sales-order-create'] })).status).toBe(200)
    const [entry] = (await admin.get(`/api/v1/data/role/${role}/history`)).data.records
    expect(entry.Diff).toEqual([expect.objectContaining({ Field: 'guard_names', Label: 'field.guard_names', From: 'journal-view', To: 'sales-order-create' })])
  })
})

describe('approvals that wait', () => {
  let order: Record

  beforeAll(async () => {
    // Rules of the company's own: those that come with the product are not deleted at all.
    await scene.database.run(sql`update approval_matrix set code = 'OWN-' || code where doc_type = 'sales_order'`)
    await scene.database.run(sql`update credit_limit set amount = 1000 where customer_id = ${await id('customer', 'C0000002')}`)
    order = await scene.order('C0000002', [{ item: 'D', qty: '1' }])
    expect(order.Status).toBe(4)
  })

  const waiting = async (): Promise<Record> => (await scene.rows('approval_step', sql`doc_type = 'sales_order' and doc_id = ${order.ID}`))[0]

  it('keep somebody who can decide them: the row of the matrix and the document are named', async () => {
    const step = await waiting()
    expect(step).toMatchObject({ approver_kind: 'ROLE', approver_ref: 'CREDIT_CTRL', matrix_code: expect.stringMatching(/./) })
    const reason = ['IN_USE', [`nobody could decide ${step.doc_code} at level ${step.level} (row ${step.matrix_code} of the approval matrix)`]]
    const credit = await user('credit')
    const refused = await change('user', credit, { IsActive: false })
    expect(told(refused)).toEqual(reason)
    expect(refused.data.obstacles[0].path).toBe(`/sales-order-list/${order.ID}`)
    expect(told(await change('user', credit, { RoleID: await id('role', 'AUDITOR') }))).toEqual(reason)
    expect(told(await change('user', credit, { TerritoryScope: true, TerritoryIDs: [await id('territory', 'BDG-W')] }))).toEqual(reason)
    const role = await id('role', 'CREDIT_CTRL')
    expect(told(await change('role', role, { IsActive: false }))).toEqual(reason)
    const { GuardNames: guards } = await read('role', role)
    expect(told(await change('role', role, { GuardNames: guards.filter((guard: string) => guard !== 'sales-order-approve') }))).toEqual(reason)
    // Another change of the same records is not held up.
    expect((await change('user', credit, { Name: 'Credit control' })).status).toBe(200)
    expect((await change('role', role, { Name: 'Credit control' })).status).toBe(200)
  })

  it('are named to whoever takes off, changes or deletes the row of the matrix they come from; they go on waiting', async () => {
    const step = await waiting()
    const row = await id('approval_matrix', step.matrix_code)
    const named = { id: `relied-approval_step-matrix-${row}`, code: 'IN_USE', text: `This is relied on: ${step.doc_code} goes on waiting at level ${step.level}.` }
    for (const answer of [await change('approval-matrix', row, { IsActive: false }), await change('approval-matrix', row, { Level: 7 }), await admin.delete(`/api/v1/data/approval-matrix/${row}`, { version: (await read('approval-matrix', row)).Version })]) {
      expect([answer.status, answer.data.warnings]).toEqual([412, [expect.objectContaining({ ...named, obstacles: [expect.objectContaining({ text: `${step.doc_code} goes on waiting at level ${step.level}`, path: `/sales-order-list/${order.ID}` })] })]])
    }
    expect((await change('approval-matrix', row, { SlaHours: 12 })).status).toBe(200)
    expect((await change('approval-matrix', row, { IsActive: false }, [named.id])).status).toBe(200)
    expect(await waiting()).toMatchObject({ doc_code: step.doc_code, level: step.level, approver_ref: step.approver_ref })
    expect((await change('approval-matrix', row, { IsActive: true })).status).toBe(200)
  })

  it('once they are decided, only the matrix is warned about', async () => {
    await scene.decide('sales_order', order.ID)
    const credit = await user('credit')
    const warned = await change('user', credit, { IsActive: false })
    expect([warned.status, warned.data.warnings.map(({ text }: { text: string }) => text)]).toEqual([412, [expect.stringMatching(/row \S+ of the approval matrix would have no approver/)]])
    expect((await change('user', credit, { IsActive: false }, warned.data.warnings.map((warning: { id: string }) => warning.id))).status).toBe(200)
  })

  it('hold for a person and for a position alike', async () => {
    const row = { DocType: 'sales_order', Transition: 'approve', Mode: 'ANY', ValidFrom: '2026-01-01' }
    const boss = await user('manager')
    expect((await admin.post('/api/v1/data/approval-matrix', { ...row, Code: 'SO-BOSS', Level: 1, ApproverKind: 'USER', ApproverRef: 'manager@arus.example' })).status).toBe(200)
    expect((await change('user', await user('supervisor'), { WorkNumber: 'E1' })).status).toBe(200)
    expect((await admin.post('/api/v1/data/approval-matrix', { ...row, Code: 'SO-POS', Level: 2, ApproverKind: 'POSITION', ApproverRef: 'SALESMAN' })).status).toBe(200)
    const { Code, ID } = await scene.order('C0000001', [{ item: 'D', qty: '1' }])
    const reason = (level: number, code: string) => ['IN_USE', [`nobody could decide ${Code} at level ${level} (row ${code} of the approval matrix)`]]
    expect(told(await change('user', boss, { IsActive: false }))).toEqual(reason(1, 'SO-BOSS'))
    expect(told(await change('employee', await id('employee', 'E1', 'work_number'), { Position: 'DRIVER' }))).toEqual(reason(2, 'SO-POS'))
    expect(told(await change('user', await user('supervisor'), { WorkNumber: null }))).toEqual(reason(2, 'SO-POS'))
    await scene.decide('sales_order', ID)
  })
})

describe('accounts', () => {
  it('that a posting rule books on are kept', async () => {
    const answer = await change('account', await id('account', '411101'), { IsPostable: false })
    expect(told(answer)).toEqual(['IN_USE', expect.arrayContaining([expect.stringMatching(/^INV books on it \(line \d+, gross\)$/)])])
  })
})

describe('series and posting rules', () => {
  const takenOff = async (resource: string, record: number) => change(resource, record, { IsActive: false })
  const listed = (answer: Answer) => (answer.data.obstacles ?? []).map(({ text, path }: { text: string; path?: string }) => [text, path])

  it('are not taken off while documents wait for them: each is named, with the list of all', async () => {
    const approved = await scene.order('C0000001', [{ item: 'D', qty: '1' }])
    const rule = await scene.database.first<{ id: number }>(sql`select id from posting_rule where event = 'GI_SALE' order by id limit 1`)
    const refused = await takenOff('posting-rule', rule?.id ?? 0)
    const orders = (await scene.rows('sales_order', sql`status in (1, 2, 4)`)).length
    expect([refused.status, refused.code, listed(refused)]).toEqual([409, 'IN_USE', expect.arrayContaining([
      [`Sales order (${orders})`, expect.stringContaining('/sales-order-list?')], [`Sales order ${approved.Code}`, `/sales-order-list/${approved.ID}`],
    ])])
    // What the list then shows is what was counted.
    const path = new URL(String(listed(refused)[0]?.[1]), 'http://localhost')
    expect(JSON.parse((path.searchParams.get('f.status') ?? '').replace(/^in:/, ''))).toEqual([1, 2, 4])
    const journal = await takenOff('number-series', await id('number_series', 'JV'))
    expect(listed(journal)).toEqual(expect.arrayContaining(listed(refused)))

    const draft = await scene.draftOrder('C0000001', [{ item: 'D', qty: '1' }])
    const series = await takenOff('number-series', await id('number_series', 'SO'))
    expect([series.code, listed(series)]).toEqual(['IN_USE', [['Sales order (1)', expect.stringContaining('f.status=')], [`Sales order #${draft.ID}`, `/sales-order-list/${draft.ID}`]]])
  })

  it('of whatever a workflow says is booked: write-offs of the category the rule is for', async () => {
    const rule = async (event: string) => (await scene.database.first<{ id: number }>(sql`select id from posting_rule where event = ${event} order by id limit 1`))?.id ?? 0
    const parameter = await scene.database.first<{ id: number }>(sql`select id from write_off_parameter where category = 'BAD_DEBT' and is_active order by id limit 1`)
    const customer = await id('customer', 'C0000001')
    await scene.create('admin', 'write-off', { CustomerID: customer, ParameterID: parameter?.id, DocDate: scene.at.clock.today(), CutoffDate: scene.at.clock.today(), Lines: [] })
    const [bad, small] = [await takenOff('posting-rule', await rule('WRITE_OFF')), await takenOff('posting-rule', await rule('TAX_DIFF'))]
    expect([bad.code, listed(bad)[0]]).toEqual(['IN_USE', ['Write-off (1)', expect.stringContaining('/finance/write-off?')]])
    expect(small.code).not.toBe('IN_USE')
  })

  it('are not taken off either while none does: the next one would', async () => {
    const refused = await takenOff('number-series', await id('number_series', 'BS'))
    expect([refused.status, refused.data.errors]).toEqual([422, [expect.objectContaining({ field: 'IsActive', key: 'rule.series-in-use' })]])
  })
})
