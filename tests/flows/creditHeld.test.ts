import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import type { Answer } from '../support/app.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let makmur: number
beforeAll(async () => {
  scene = await openScene()
  makmur = await scene.at.id('customer', 'C0000001')
})
// Orders of one test owe nothing in the next.
afterEach(async () => {
  await limits('100000000')
  for (const order of await scene.rows('sales_order', sql`status = 4`)) await scene.act('sales', 'sales-order', order.id, 'recall')
  for (const plan of await scene.rows('delivery_plan', sql`status in (0, 1)`)) await scene.act('warehouse', 'delivery-plan', plan.id, 'cancel', { Note: 'x' })
  for (const order of await scene.rows('sales_order', sql`status = 1`)) await scene.act('admin', 'sales-order', order.id, 'cancel', { ReasonID: await scene.at.id('reason', 'C01') })
})

const limits = (amount: string): Promise<number> => scene.database.run(sql`update credit_limit set amount = ${amount}, valid_to = null where customer_id = ${makmur}`)
const put = async (order: Record, Qty: string, next = ''): Promise<Answer> => {
  const { Version, Lines } = await scene.read('sales-order', order.ID)
  const [line] = Lines.filter((one: Record) => !one.IsFree)
  return scene.people.sales.put(`/api/v1/data/sales-order/${order.ID}${next}`, { Lines: [{ ID: line.ID, ItemID: line.ItemID, Uom: 'CTN', Qty }] }, { key: scene.key(), version: Version })
}
const override = async (order: Record, who: 'credit' | 'supervisor' = 'credit'): Promise<Record> =>
  (await scene.command(who, 'override-credit', { IDs: [order.ID], ReasonText: 'promised' })).results[0]
/** Plans what is open of an order without releasing the plan. */
const plan = async (order: Record): Promise<Record[]> => {
  const ids = (await scene.rows('sales_order_line', sql`sales_order_id = ${order.ID}`)).map((line: Record) => line.id)
  return (await scene.command('warehouse', 'plan-delivery', { IDs: ids, PlanDate: scene.at.clock.today() })).results
}

describe('a credit override', () => {
  test('holds for the amount it was given for: an order that has grown past it is asked again', async () => {
    await limits('1000')
    const draft = await scene.draftOrder('C0000001', [{ item: 'C', qty: '1' }])
    expect(await override(draft)).toMatchObject({ ok: true })
    await put(draft, '10')
    expect(await scene.act('sales', 'sales-order', draft.ID, 'submit')).toMatchObject({ Status: 4, BlockCodes: ['CL01'] })
    await scene.act('sales', 'sales-order', draft.ID, 'recall')
    await put(draft, '1')
    expect(await scene.act('sales', 'sales-order', draft.ID, 'submit')).toMatchObject({ Status: 1, BlockCodes: [] })
  })

  test('holds for the reasons it was given for', async () => {
    await limits('1000')
    const draft = await scene.draftOrder('C0000001', [{ item: 'C', qty: '1' }])
    expect(await override(draft)).toMatchObject({ ok: true })
    await scene.database.run(sql`update credit_limit set review_date = '2026-09-01' where customer_id = ${makmur}`)
    expect(await scene.act('sales', 'sales-order', draft.ID, 'submit')).toMatchObject({ Status: 4, BlockCodes: ['CL06'] })
    await scene.database.run(sql`update credit_limit set review_date = null where customer_id = ${makmur}`)
  })

  test('goes no further than an approval by the same person', async () => {
    const draft = await scene.draftOrder('C0000001', [{ item: 'C', qty: '60' }])
    expect(await override(draft)).toMatchObject({ ok: false, code: 'NOT_YOUR_LEVEL', text: 'Level 2 of 2 is decided by Finance manager.' })
    const smaller = await scene.draftOrder('C0000001', [{ item: 'C', qty: '40' }])
    expect(await override(smaller, 'supervisor')).toMatchObject({ ok: false, code: 'NOT_YOUR_LEVEL', text: 'Level 1 of 1 is decided by Credit controller.' })
    expect(await override(smaller)).toMatchObject({ ok: true })
  })
})

describe('the limit at delivery planning', () => {
  test('lowered after the approval it holds the order until somebody lets it go', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '2' }])
    expect(order.Status).toBe(1)
    await limits('1000')
    expect(await plan(order)).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED', text: 'The credit limit is exceeded by 6,433,999.67.' }])
    expect(await override(order)).toMatchObject({ ok: true })
    expect(await plan(order)).toMatchObject([{ ok: true }])
  })

  test('exceeded with an approval it holds nothing, unless more is owed than that', async () => {
    const before = await scene.order('C0000001', [{ item: 'D', qty: '1' }])
    const order = await scene.order('C0000001', [{ item: 'C', qty: '40' }])
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL01'] })
    await scene.decide('sales_order', order.ID, 'approve', ['credit'])
    // What was within the limit goes too: who approved the later order knew of it.
    for (const one of [before, order]) expect(await plan(one)).toMatchObject([{ ok: true }])
    const later = await scene.order('C0000001', [{ item: 'D', qty: '2' }])
    await scene.decide('sales_order', later.ID, 'approve', ['credit'])
    expect(await plan(later)).toMatchObject([{ ok: true }])
    const last = await scene.order('C0000001', [{ item: 'D', qty: '2' }])
    await scene.decide('sales_order', last.ID, 'approve', ['credit'])
    await limits('99000000')
    expect(await plan(last)).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED' }])
    await limits('100000000')
    expect(await plan(last)).toMatchObject([{ ok: true }])
  })

  test('approved by a higher level it is no matter of an override: what has come up since is', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '60' }])
    await scene.decide('sales_order', order.ID, 'approve', ['credit', 'finance'])
    expect(await plan(order)).toMatchObject([{ ok: true }])
    for (const made of await scene.rows('delivery_plan', sql`status in (0, 1)`)) await scene.act('warehouse', 'delivery-plan', made.id, 'cancel', { Note: 'x' })
    await scene.database.run(sql`update credit_limit set review_date = '2026-09-01' where customer_id = ${makmur}`)
    expect(await plan(order)).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED' }])
    expect(await override(order)).toMatchObject({ ok: true })
    expect((await scene.rows('credit_override', sql`sales_order_id = ${order.ID}`))[0].block_codes).toEqual(['CL06'])
    expect(await plan(order)).toMatchObject([{ ok: true }])
    await scene.database.run(sql`update credit_limit set review_date = null where customer_id = ${makmur}`)
  })

  test('approved by an override at submission it is approved at planning', async () => {
    const small = await scene.order('C0000001', [{ item: 'D', qty: '1' }])
    const draft = await scene.draftOrder('C0000001', [{ item: 'C', qty: '40' }])
    await override(draft)
    expect(await scene.act('sales', 'sales-order', draft.ID, 'submit')).toMatchObject({ Status: 1 })
    for (const one of [small, draft]) expect(await plan(one)).toMatchObject([{ ok: true }])
  })

  test('matters to nobody who pays on delivery', async () => {
    const term = await scene.database.first<{ id: number }>(sql`insert into payment_term (code, name, net_days, is_cod) values ('COD-1', 'On delivery', 0, true) returning id`)
    const [own] = await scene.rows('customer', sql`id = ${makmur}`)
    await scene.database.run(sql`update customer set payment_term_id = ${term?.id} where id = ${makmur}`)
    const order = await scene.order('C0000001', [{ item: 'D', qty: '1' }])
    expect(order.Status).toBe(1)
    await scene.database.run(sql`update credit_limit set valid_to = '2026-11-01' where customer_id = ${makmur}`)
    expect(await plan(order)).toMatchObject([{ ok: true }])
    await scene.database.run(sql`update customer set payment_term_id = ${own.payment_term_id} where id = ${makmur}`)
    // Agreed on credit the same is held.
    await limits('100000000')
    const onCredit = await scene.order('C0000001', [{ item: 'D', qty: '1' }])
    await scene.database.run(sql`update credit_limit set valid_to = '2026-11-01' where customer_id = ${makmur}`)
    expect(await plan(onCredit)).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED' }])
  })
})

describe('the day of an order', () => {
  const send = async (DocDate: string, who: 'sales' | 'supervisor' = 'sales', more: object = {}): Promise<Answer> =>
    scene.people[who].post('/api/v1/data/sales-order', { ...more, CustomerID: makmur, DocDate, Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '1' }] }, { key: scene.key() })
  const errors = (answer: Answer): unknown => [answer.status, answer.data.errors?.map(({ field, code }: Record) => [field, code])]

  test('is today: never later, and earlier only by who may set prices, in an open month', async () => {
    for (const day of ['2027-03-01', '2026-11-21']) expect(errors(await send(day, 'supervisor')), day).toEqual([422, [['DocDate', 'TOO_LATE']]])
    for (const day of ['2025-10-01', '2026-11-19']) expect(errors(await send(day)), day).toEqual([422, [['DocDate', 'TOO_EARLY']]])
    expect((await send('2026-11-20')).status).toBe(200)
    // Nobody gets there by a file he does not have, nor by changing a draft.
    expect((await send('2026-11-01', 'sales', { Source: 'IMPORT' })).status).toBe(422)
    const draft = await scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }])
    expect(errors(await scene.people.sales.put(`/api/v1/data/sales-order/${draft.ID}`, { DocDate: '2026-11-19' }, { key: scene.key(), version: draft.Version }))).toEqual([422, [['DocDate', 'TOO_EARLY']]])
    expect((await send('2026-11-19', 'supervisor')).status).toBe(200)
    await scene.database.run(sql`update accounting_period set status = 'CLOSED' where period = '202610' and module = 'SD'`)
    expect(errors(await send('2026-10-31', 'supervisor'))).toEqual([422, [['DocDate', 'PERIOD_CLOSED']]])
    await scene.database.run(sql`update accounting_period set status = 'OPEN' where period = '202610' and module = 'SD'`)
  })

  test('lies in an open month at submission, or there is no order and no number', async () => {
    const draft = await scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }])
    const number = (): Promise<Record[]> => scene.database.rows(sql`select * from number_counter order by series_id, bucket`)
    const before = await number()
    await scene.database.run(sql`update accounting_period set status = 'CLOSED' where period = '202611' and module = 'SD'`)
    const refused = await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')
    expect([refused.status, refused.code, refused.message, refused.data.errors[0].field]).toEqual([422, 'PERIOD_CLOSED', 'Period 11/2026 for Sales in JKT is closed. Choose a day of an open period, or have it reopened by whoever closes the books.', 'DocDate'])
    expect(await number()).toEqual(before)
    await scene.database.run(sql`update accounting_period set status = 'CLOSING' where period = '202611' and module = 'SD'`)
    expect((await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')).code).toBe('PERIOD_CLOSED')
    await scene.database.run(sql`update accounting_period set status = 'OPEN' where period = '202611' and module = 'SD'`)
    expect(await scene.act('sales', 'sales-order', draft.ID, 'submit')).toMatchObject({ Status: 1 })
  })
})

describe('the limit of a group', () => {
  test('is that of its rows in force, whatever the group itself says', async () => {
    const group = await scene.database.first<{ id: number }>(sql`insert into customer_group (code, name, group_credit_limit) values ('G-ROWS', 'Group', 900000000) returning id`)
    const members = (id: number | null): Promise<number> => scene.database.run(sql`update customer set customer_group_id = ${id}::bigint where code in ('C0000001', 'C0000002')`)
    await members(group?.id ?? null)
    const { ID } = await scene.create('admin', 'credit-limit', { CustomerGroupID: group?.id, Kind: 'REGULER', Amount: '5000000', ValidFrom: '2026-11-01' })
    expect((await scene.order('C0000002', [{ item: 'D', qty: '1' }])).Status).toBe(1)
    const order = await scene.order('C0000001', [{ item: 'D', qty: '2' }])
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL01'] })
    await scene.act('sales', 'sales-order', order.ID, 'recall')
    await scene.create('admin', 'credit-limit', { CustomerGroupID: group?.id, Kind: 'TEMPORARY', Amount: '3000000', ValidFrom: '2026-11-01', ValidTo: '2026-11-30' })
    expect((await scene.act('sales', 'sales-order', order.ID, 'submit')).Status).toBe(1)
    // Without the regular row the group's own amount counts, and what is temporary on top of it.
    await scene.database.run(sql`update credit_limit set valid_to = '2026-11-10' where id = ${ID}`)
    expect((await scene.order('C0000001', [{ item: 'D', qty: '2' }])).Status).toBe(1)
    await members(null)
    await scene.database.run(sql`delete from credit_limit where customer_group_id = ${group?.id}`)
  })
})

describe('the limit of a group at delivery planning', () => {
  test('counts what was approved for any of its members', async () => {
    const group = await scene.database.first<{ id: number }>(sql`insert into customer_group (code, name, group_credit_limit) values ('G-PLAN', 'Group', 5000000) returning id`)
    const members = (id: number | null): Promise<number> => scene.database.run(sql`update customer set customer_group_id = ${id}::bigint where code in ('C0000001', 'C0000002')`)
    await members(group?.id ?? null)
    const within = await scene.order('C0000001', [{ item: 'D', qty: '1' }])
    const over = await scene.order('C0000002', [{ item: 'D', qty: '2' }])
    expect([within.Status, over.Status]).toEqual([1, 4])
    await scene.decide('sales_order', over.ID, 'approve', ['credit'])
    for (const one of [within, over]) expect(await plan(one)).toMatchObject([{ ok: true }])
    for (const made of await scene.rows('delivery_plan', sql`status in (0, 1)`)) await scene.act('warehouse', 'delivery-plan', made.id, 'cancel', { Note: 'x' })
    await scene.database.run(sql`update customer_group set group_credit_limit = 4000000 where id = ${group?.id}`)
    for (const one of [within, over]) expect(await plan(one)).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED' }])
    await members(null)
    // Apart from the group each is within his own limit.
    for (const one of [within, over]) expect(await plan(one)).toMatchObject([{ ok: true }])
  })
})

describe('two orders of a customer at the same moment', () => {
  test.each(['at once', 'saved before', 'numbered before'] as const)('together stay within the limit: %s', async (how) => {
    const lines = [{ ItemID: await scene.at.id('item', 'D'), Uom: 'CTN', Qty: '1' }]
    for (let n = 0; n < 4; n++) {
      const [{ exposure }] = (await scene.database.rows<{ exposure: string }>(sql`select exposure from v_customer_exposure where customer_id = ${makmur}`)) as [{ exposure: string }]
      const body = { CustomerID: makmur, Lines: lines }
      const drafts = how === 'at once' ? [] : await Promise.all([1, 2, 3].map(() => scene.create('sales', 'sales-order', body)))
      await limits('0')
      // Drawing a number makes orders wait for one another as well; a recalled order has its number.
      if (how === 'numbered before') for (const draft of drafts) for (const action of ['submit', 'recall']) draft.Version = (await scene.act('sales', 'sales-order', draft.ID, action)).Version
      await limits(String(Number(exposure) + 3_000_000))
      const answers = how === 'at once'
        ? await Promise.all([1, 2, 3].map(() => scene.people.sales.post('/api/v1/data/sales-order?next=submit', body, { key: scene.key() })))
        : await Promise.all(drafts.map((draft) => scene.people.sales.post(`/api/v1/data/sales-order/${draft.ID}/submit`, {}, { key: scene.key(), version: draft.Version })))
      expect(answers.map((answer) => [answer.data.record?.Status, answer.data.record?.BlockCodes]).sort()).toEqual([[1, []], [4, ['CL01']], [4, ['CL01']]])
    }
  })

  test('nor do those of two members of a group exceed its limit', async () => {
    await limits('0')
    const group = await scene.database.first<{ id: number }>(sql`insert into customer_group (code, name, group_credit_limit) values ('G-ONCE', 'Group', 0) returning id`)
    await scene.database.run(sql`update customer set customer_group_id = ${group?.id} where code in ('C0000001', 'C0000002')`)
    await limits('900000000')
    const lines = [{ ItemID: await scene.at.id('item', 'D'), Uom: 'CTN', Qty: '1' }]
    const members = await Promise.all(['C0000001', 'C0000002'].map((code) => scene.at.id('customer', code)))
    for (let n = 0; n < 4; n++) {
      await scene.database.run(sql`
        update customer_group g set group_credit_limit = 3000000 + (select sum(exposure) from v_customer_exposure where customer_group_id = g.id) where id = ${group?.id}`)
      const answers = await Promise.all([0, 1, 0].map((at) => scene.people.sales.post('/api/v1/data/sales-order?next=submit', { CustomerID: members[at], Lines: lines }, { key: scene.key() })))
      expect(answers.map((answer) => [answer.data.record?.Status, answer.data.record?.BlockCodes]).sort()).toEqual([[1, []], [4, ['CL01']], [4, ['CL01']]])
    }
  })

  test('nothing contradicts itself', async () => expect(await violations(scene.database, '2026-11-20')).toEqual([]))
})

describe('an order whose delivery credit stops', () => {
  const state = async (order: Record) => (await scene.read('sales-order', order.ID)).CreditHold
  const history = async (order: Record) => (await scene.people.admin.get(`/api/v1/data/sales-order/${order.ID}/history`)).data.records.flatMap((one: Record) => JSON.stringify(one.Changes ?? one.Diff ?? one)).filter((one: string) => one.includes('credit_hold') || one.includes('CreditHold'))
  const due = async (order: Record) => (await scene.people.warehouse.get('/api/v1/data/delivery-plan-due', { columns: 'credit_hold,order_code', length: 100 })).data.rows.filter((row: Record) => row.OrderCode === order.Code).map((row: Record) => row.CreditHold)

  test('is held, in the lists and in its history, until the check passes', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '1' }])
    expect(await state(order)).toBe(false)
    await limits('1000')
    expect(await plan(order)).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED' }])
    expect(await state(order)).toBe(true)
    expect(await due(order)).toEqual([true])
    await plan(order)
    expect(await history(order)).toHaveLength(1)
    await limits('100000000')
    expect(await plan(order)).toMatchObject([{ ok: true }])
    expect(await state(order)).toBe(false)
    expect(await history(order)).toHaveLength(2)
  })

  test('or until somebody overrides it; nobody sets it by hand; with the order it ends', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '1' }])
    await limits('1000')
    await plan(order)
    expect(await override(order)).toMatchObject({ ok: true })
    expect(await state(order)).toBe(false)
    const other = await scene.order('C0000002', [{ item: 'C', qty: '1' }])
    await scene.database.run(sql`update customer set status = 6 where code = 'C0000002'`)
    expect(await plan(other)).toMatchObject([{ ok: false }])
    expect(await state(other)).toBe(true)
    await scene.database.run(sql`update customer set status = 1 where code = 'C0000002'`)
    await scene.act('sales', 'sales-order', other.ID, 'cancel', { ReasonID: await scene.at.id('reason', 'C01') })
    expect(await state(other)).toBe(false)
    const draft = await scene.draftOrder('C0000001', [{ item: 'C', qty: '1' }], { CreditHold: true })
    expect(await state(draft)).toBe(false)
  })
})
