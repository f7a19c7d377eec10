import { beforeAll, expect, test } from 'vitest'
import { endCreditRequests } from '#server/credit/limitRequests.ts'
import { sql } from '#server/db/sql.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const makmur = 'C0000001'
let customer: number
const id = (table: string, code: string) => scene.at.id(table, code)

beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  customer = await id('customer', makmur)
})

const request = (type: string, more: object): Promise<Record> => scene.create('admin', 'cl-request', { CustomerID: customer, Type: type, DocDate: scene.at.clock.today(), Justification: 'Uji', ...more })
const refusals = async (made: Record) => (await scene.tryAct('admin', 'cl-request', made.ID, 'submit')).data.errors.map(({ field, key }: Record) => [field, key])
async function decided(made: Record): Promise<Record> {
  await scene.act('admin', 'cl-request', made.ID, 'submit')
  await scene.decide('credit_limit_request', made.ID)
  return scene.read('cl-request', made.ID)
}
const limits = () => scene.database.rows(sql`select kind, amount, valid_from, valid_to, is_active, risk_class from credit_limit where customer_id = ${customer} order by id`)

test('the scorecard stands on the request, with the limit of 4.12', async () => {
  // Sales of 60,000,000 in six months: 10,000,000 a month, thirty days net, class B: 10,000,000 x 45 / 30 = 15,000,000.
  await scene.invoiced(makmur, [{ item: 'D', qty: '3' }])
  await scene.database.run(sql`update invoice set dpp = 60000000 where customer_id = ${customer}`)
  await scene.database.run(sql`update payment_term set net_days = 30 where id = (select payment_term_id from customer where id = ${customer})`)
  await scene.database.run(sql`update credit_limit set risk_class = 'B' where customer_id = ${customer}`)
  const made = await request('REGULER', { RequestedLimit: '150000000' })
  expect(made).toMatchObject({ AvgMonthlySales: '10000000.00', RecommendedLimit: '15000000.00', CurrentLimit: '100000000.00', BouncedGiros: 0 })
})

test('a permanent limit takes the place of the one before', async () => {
  expect(await refusals(await request('REGULER', {}))).toEqual([['RequestedLimit', 'rule.limit-needed']])
  const uneven = await scene.people.admin.post('/api/v1/data/cl-request', { CustomerID: customer, Type: 'REGULER', DocDate: scene.at.clock.today(), RequestedLimit: '1500500', Justification: 'x' }, { key: scene.key() })
  expect(uneven.data.errors).toMatchObject([{ field: 'RequestedLimit', key: 'field.INVALID.thousands' }])
  expect(await decided(await request('REGULER', { RequestedLimit: '150000000', RiskClass: 'A' }))).toMatchObject({ Status: 1, ApprovedLimit: '150000000.00' })
  expect(await limits()).toMatchObject([{ amount: '100000000.00', valid_to: '2026-11-19', is_active: true }, { kind: 'REGULER', amount: '150000000.00', valid_from: '2026-11-20', valid_to: null, risk_class: 'A' }])
})

test('a limit for a time is added and ends with it', async () => {
  expect(await refusals(await request('TEMPORARY', { RequestedLimit: '20000000' }))).toEqual([['ValidTo', 'rule.limit-ends']])
  const made = await decided(await request('TEMPORARY', { RequestedLimit: '20000000', ValidTo: '2026-11-25' }))
  expect(await limits()).toHaveLength(3)
  await endCreditRequests(scene.database, scene.at.clock)
  expect(await scene.read('cl-request', made.ID)).toMatchObject({ Status: 1 })
  await scene.moveTo('2026-11-26T03:00:00.000Z')
  await keepCalendar(scene.database, scene.at.clock)
  await endCreditRequests(scene.database, scene.at.clock)
  expect(await scene.read('cl-request', made.ID)).toMatchObject({ Status: 9 })
})

test('another payment term, and one order let go once', async () => {
  const term = await scene.database.first<{ id: number }>(sql`insert into payment_term (code, name, net_days) values ('N45', '45 days', 45) returning id`)
  await decided(await request('PAYMENT_TERM', { NewPaymentTermID: term?.id }))
  expect((await scene.database.first(sql`select payment_term_id from customer where id = ${customer}`))?.['payment_term_id']).toBe(term?.id)
  await scene.database.run(sql`update credit_limit set amount = 1000 where customer_id = ${customer}`)
  const draft = await scene.draftOrder(makmur, [{ item: 'D', qty: '1' }])
  const order = await scene.act('sales', 'sales-order', draft.ID, 'submit')
  expect(order).toMatchObject({ Status: 4 })
  await scene.act('sales', 'sales-order', order.ID, 'recall')
  await decided(await request('ONE_TIME', { SalesOrderID: order.ID }))
  expect(await scene.act('sales', 'sales-order', order.ID, 'submit')).toMatchObject({ Status: 1 })
})
