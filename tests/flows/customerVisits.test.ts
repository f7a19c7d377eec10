import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { ExpiryRounds } from '#server/workflow/expiryRounds.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'
import type { VisitPrices } from '#api/visits.ts'
import type { Answer, Session } from '../support/app.ts'

let scene: Scene
let salesman: number
let field: Session
const shop: { [code: string]: number } = {}

beforeAll(async () => {
  scene = await openScene()
  const { database } = scene
  await database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  // Who enters orders in the north is its salesman here.
  await database.run(sql`update app_user set work_number = 'E1' where email = 'sales@arus.example'`)
  salesman = (await database.first<{ id: number }>(sql`select id from employee where work_number = 'E1' and user_id is not null`))?.id ?? 0
  await database.run(sql`insert into role_permission (role_id, guard_name) select id, 'customer-visit-create' from role where code = 'SALES_ADMIN'`)
  await database.run(sql`
    insert into role_menu (role_id, menu_id, can_view) select r.id, m.id, true from role r, menu m where r.code = 'SALES_ADMIN' and m.url = '/sales-force-automation/customer-visit/today'`)
  await database.run(sql`update customer set (operating_unit_id, territory_id) = (select operating_unit_id, territory_id from customer where code = 'C0000001')`)
  const customers = await database.rows<{ id: number; code: string }>(sql`select c.id, c.code from customer c join operating_unit u on u.id = c.operating_unit_id where u.code = 'JKT' order by c.code`)
  for (const { id, code } of customers) shop[code] = id
  await database.run(sql`update customer set latitude = -6.175392, longitude = 106.827153`)
  await database.run(sql`update customer_address set latitude = null, longitude = null`)
  await goTo('2025-12-20T03:00:00.000Z')
  await keepCalendar(database, scene.at.clock)
})

async function goTo(at: string): Promise<void> {
  await scene.database.run(sql`delete from rate_limit`)
  await scene.moveTo(at)
  field = scene.people.sales
}

const X = 'C0000001'
const Y = 'C0000002'
const Z = 'C0000003'
const line = (code: string, Pattern: string, Weekday: string, WeekNo: number | null) => ({ CustomerID: shop[code], Pattern, Weekday, WeekNo })
const plan = (PlanPeriod: string, Lines: readonly object[]) => scene.create('admin', 'customer-visit-plan', { SalesmanID: salesman, PlanPeriod, DocDate: scene.at.clock.today(), Lines })
const command = (name: string, body: object, key = scene.key()): Promise<Answer> => field.post(`/api/v1/command/${name}`, body, { key })
const arrive = (VisitKey: string, code: string, At: string, more: object = {}) => command('check-in', { VisitKey, CustomerID: shop[code], At, ...more })
const leave = (VisitKey: string, At: string, more: object) => command('check-out', { VisitKey, At, ...more })
const visit = async (key: string): Promise<Record> => (await scene.rows('customer_visit', sql`visit_key = ${key}`))[0]

describe('case SF1', () => {
  let january: Record
  test('weeks count from the Monday of the first plan, and go on in the next', async () => {
    january = await plan('202601', [line(X, 'BIWEEKLY', 'WED', 1), line(Y, 'MONTHLY', 'FRI', 5), line(Z, 'WEEKLY', 'THU', null)])
    // 2 at X, 1 at Y, 5 at Z.
    expect(january).toMatchObject({ Status: 0, Anchor: '2025-12-29', EndsOn: '2026-01-31', Planned: 8 })
    await scene.act('admin', 'customer-visit-plan', january.ID, 'submit')
    await scene.decide('visit_plan', january.ID, 'approve', ['supervisor'])
    expect(await scene.read('customer-visit-plan', january.ID)).toMatchObject({ Status: 1, Code: expect.stringMatching(/^VP\//), Visited: 0, Coverage: '0.0000', Productivity: null })
    const february = await plan('202602', [line(X, 'BIWEEKLY', 'WED', 1), line(Y, 'MONTHLY', 'FRI', 5), line(Z, 'WEEKLY', 'THU', null)])
    expect(february).toMatchObject({ Anchor: '2025-12-29', Planned: 7 })
  })

  test('a visit at X on its Wednesday is planned, one in the week between only counts as a visit', async () => {
    await goTo('2026-01-07T08:00:00.000Z')
    const reason = await scene.at.id('reason', 'K01')
    expect((await arrive('visit-2', X, '2026-01-07T02:00:00Z')).status).toBe(200)
    expect(await visit('visit-2')).toMatchObject({ is_planned: false, distance_m: null })
    expect((await leave('visit-2', '2026-01-07T02:20:00Z', { Result: 'NO_ORDER', ReasonID: reason })).status).toBe(200)
    await goTo('2026-01-14T08:00:00.000Z')
    expect((await arrive('visit-1', X, '2026-01-14T02:00:00Z', { Latitude: '-6.175392', Longitude: '106.828153' })).status).toBe(200)
    expect(await visit('visit-1')).toMatchObject({ status: 8, is_planned: true, distance_m: 111, doc_date: '2026-01-14', code: expect.stringMatching(/^VS\//) })
    expect((await leave('visit-1', '2026-01-14T02:20:00Z', { Result: 'NO_ORDER', ReasonID: reason })).status).toBe(200)
    expect(await scene.read('customer-visit-plan', january.ID)).toMatchObject({ Planned: 8, Visited: 2, VisitedPlanned: 1, Effective: 0, Productivity: '0.0000', Coverage: '12.5000' })
  })

  test('an order makes a call effective: productivity is effective of visited', async () => {
    await goTo('2026-01-15T08:00:00.000Z')
    await arrive('visit-3', Z, '2026-01-15T02:00:00Z')
    expect((await leave('visit-3', '2026-01-15T02:30:00Z', { Result: 'ORDER' })).data.errors[0]).toMatchObject({ field: 'Result', key: 'field.REQUIRED.visit-order' })
    const order = accepted(await field.post('/api/v1/data/sales-order', { CustomerID: shop[Z], Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '2' }] }, { key: scene.key() })).record
    expect((await leave('visit-3', '2026-01-15T02:30:00Z', { Result: 'ORDER' })).status).toBe(200)
    expect(await visit('visit-3')).toMatchObject({ status: 3, result: 'ORDER', sales_order_id: order.ID })
    expect(await scene.read('customer-visit-plan', january.ID)).toMatchObject({ Visited: 3, VisitedPlanned: 2, Effective: 1, Productivity: '33.3333', Coverage: '25.0000' })
    await scene.act('sales', 'sales-order', order.ID, 'submit')
    await scene.decide('sales_order', order.ID)
    await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await scene.at.id('reason', 'C01') })
    expect(await scene.read('customer-visit-plan', january.ID)).toMatchObject({ Visited: 3, Effective: 0, Productivity: '0.0000' })
  })

  test('ends with its month', async () => {
    await goTo('2026-02-01T03:00:00.000Z')
    const services = await scene.database.transaction(async (tx) => runOf(scene.database, tx, '2026-02-01T03:00:00.000Z').services)
    expect(await new ExpiryRounds(services).run()).toBe(1)
    expect((await scene.read('customer-visit-plan', january.ID)).Status).toBe(9)
  })
})

describe('a visit', () => {
  test('begins once under its key, one at a time, and is called off only while it is open', async () => {
    const twice = await Promise.all([arrive('visit-9', X, '2026-02-01T02:00:00Z'), arrive('visit-9', X, '2026-02-01T02:00:00Z')])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(await scene.rows('customer_visit', sql`visit_key = 'visit-9'`)).toHaveLength(1)
    expect((await arrive('visit-10', Y, '2026-02-01T02:10:00Z')).data.key).toBe('problem.ILLEGAL_TRANSITION.visit-open')
    const { id } = await visit('visit-9')
    await scene.act('supervisor', 'customer-visit', id, 'cancel', { ReasonID: await scene.at.id('reason', 'C02') })
    expect((await leave('visit-9', '2026-02-01T02:30:00Z', { Result: 'ORDER' })).data.key).toBe('problem.ILLEGAL_TRANSITION.visit-ended')
  })

  test('is refused ahead of time, after seven days, without a reason, and to who is no salesman', async () => {
    expect((await arrive('visit-11', X, '2026-02-01T04:00:00Z')).data.errors[0].key).toBe('field.TOO_LATE.visit')
    expect((await arrive('visit-11', X, '2026-01-24T02:00:00Z')).data.errors[0].key).toBe('field.TOO_EARLY.visit')
    await arrive('visit-12', X, '2026-02-01T02:00:00Z')
    expect((await leave('visit-12', '2026-02-01T02:30:00Z', { Result: 'CLOSED' })).data.errors[0]).toMatchObject({ field: 'ReasonID' })
    expect((await leave('visit-12', '2026-02-01T02:30:00Z', { Result: 'CLOSED', ReasonID: await scene.at.id('reason', 'C02') })).data.errors[0].key).toBe('field.NOT_A_CHOICE.visit-reason')
    expect((await leave('visit-12', '2026-02-01T01:30:00Z', { Result: 'ORDER' })).data.errors[0].key).toBe('field.TOO_EARLY.check-out')
    expect((await scene.people.admin.post('/api/v1/command/check-in', { VisitKey: 'visit-13', CustomerID: shop[X], At: '2026-02-01T02:00:00Z' }, { key: scene.key() })).data.key).toBe('problem.VALIDATION_FAILED.no-employee')
  })
})

test('cash collected at a visit pays the oldest invoices, once, and is with the salesman until he hands it over', async () => {
  await goTo('2026-02-02T03:00:00.000Z')
  await keepCalendar(scene.database, scene.at.clock)
  await leave('visit-12', '2026-02-01T02:30:00Z', { Result: 'CLOSED', ReasonID: (await scene.rows('reason', sql`usage = 'VISIT' and not needs_note`))[0].id })
  const [first, second] = [await scene.invoiced(Y, [{ item: 'A', qty: '1' }]), await scene.invoiced(Y, [{ item: 'A', qty: '2' }])]
  expect((await arrive('visit-20', Y, '2026-02-02T02:00:00Z')).status).toBe(200)
  const open = (Number(first.Total) + Number(second.Total)).toFixed(2)
  const day = (await command('visit-day', {})).data as unknown as { Customers: Record[] }
  expect(day.Customers.find(({ ID }) => ID === shop[Y])).toMatchObject({ Open: open, Due: '0.00' })
  const collect = (Amount: string, key = scene.key()) => command('collect-cash', { VisitKey: 'visit-20', At: '2026-02-02T02:10:00Z', Amount }, key)
  expect((await leave('visit-20', '2026-02-02T02:30:00Z', { Result: 'COLLECTION' })).data.errors[0].key).toBe('field.REQUIRED.visit-payment')
  expect((await collect((Number(open) + 1).toFixed(2))).data.errors[0]).toMatchObject({ field: 'Amount', key: 'field.EXCEEDS_REMAINING' })
  expect((await collect('0')).data.errors[0]).toMatchObject({ field: 'Amount' })
  const amount = (Number(first.Total) + 1000).toFixed(2)
  const key = scene.key()
  const [one, again] = [await collect(amount, key), await collect(amount, key)]
  expect([one.status, again.status, again.data]).toEqual([200, 200, one.data])
  expect(await scene.rows('ar_payment', sql`customer_id = ${shop[Y]} and method = 'CIT'`)).toMatchObject([{ id: one.data.ID, status: 1, amount, collector_id: salesman, handed_over_on: null }])
  expect(await scene.journal('ar_payment', one.data.ID)).toEqual([`111103 ${amount} 0.00`, `112101 0.00 ${amount}`])
  expect([(await scene.read('invoice', first.ID)).Remaining, (await scene.read('invoice', second.ID)).Remaining]).toEqual(['0.00', (Number(second.Total) - 1000).toFixed(2)])
  expect((await leave('visit-20', '2026-02-02T02:30:00Z', { Result: 'COLLECTION' })).status).toBe(200)
  expect(await visit('visit-20')).toMatchObject({ status: 3, result: 'COLLECTION', payment_id: one.data.ID })
  expect((await collect('1')).data.key).toBe('problem.ILLEGAL_TRANSITION.visit-ended')
})

test('everything sold goes along to the customers of the day, with what one costs each after his discounts', async () => {
  await arrive('visit-21', X, '2026-02-02T02:40:00Z')
  await scene.database.run(sql`insert into item (code, name, base_uom, sales_uom, pack_qty, principal_id, brand_id, category_id) select 'UNPRICED', 'No price', base_uom, sales_uom, pack_qty, principal_id, brand_id, category_id from item where code = 'A'`)
  const { Day, Items, Prices } = (await command('visit-prices', {})).data as unknown as VisitPrices
  expect([Day, Object.keys(Prices)]).toEqual(['2026-02-02', [X, Y].map((code) => String(shop[code]))])
  const costs = (code: string) => Object.fromEntries(Items.map(({ Code, Uom }, at) => [`${Code} ${Uom}`, Prices[String(shop[code])]?.[at]]))
  expect(costs(Y)).toEqual({ 'A CTN': '120000.00', 'B CTN': '250000.00', 'C CTN': '2972973.00', 'D CTN': '1981982.00', 'E CTN': '30012.00', 'UNPRICED CTN': null })
  // 118,000 less 3 % and 2 % of the rest; 250,000 less 1 %.
  expect(costs(X)).toMatchObject({ 'A CTN': '112170.80', 'B CTN': '247500.00' })
})

describe('a visit plan', () => {
  test('is refused where a week is none of its rhythm, where a day comes twice, and a second time for the month', async () => {
    const wrong = await scene.people.admin.post('/api/v1/data/customer-visit-plan', {
      SalesmanID: salesman, PlanPeriod: '202603', DocDate: '2026-02-01', Lines: [line(X, 'BIWEEKLY', 'WED', 3), line(Y, 'WEEKLY', 'MON', null), line(Y, 'MONTHLY', 'MON', 1)],
    }, { key: scene.key() })
    expect(wrong.data.errors.map(({ field: at, key }: Record) => [at, key])).toEqual([['Lines[0].WeekNo', 'field.NOT_A_CHOICE.visit-week'], ['Lines[2].CustomerID', 'field.DUPLICATE.visit']])
    const first = await plan('202603', [line(X, 'WEEKLY', 'MON', null)])
    await scene.act('admin', 'customer-visit-plan', first.ID, 'submit')
    const second = await plan('202603', [line(Y, 'WEEKLY', 'MON', null)])
    expect((await scene.tryAct('admin', 'customer-visit-plan', second.ID, 'submit')).data.errors[0].key).toBe('field.DUPLICATE.visit-plan')
    const over = await plan('202512', [line(X, 'WEEKLY', 'MON', null)])
    expect((await scene.tryAct('admin', 'customer-visit-plan', over.ID, 'submit')).data.errors[0].key).toBe('rule.plan-not-over')
  })
})

function accepted(answer: Answer): Record {
  expect(answer.status).toBe(200)
  return answer.data
}
