import { expect, test } from 'vitest'
import { creditBlocks } from '#domain/credit/creditCheck.ts'
import { creditStanding } from '#server/credit/standing.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { openScene, type Record } from '../support/scene.ts'

test('the report of limits asks no more of whoever pays on delivery than his orders do', async () => {
  const scene = await openScene()
  const makmur = await scene.at.id('customer', 'C0000001')
  const term = await scene.database.first<{ id: number }>(sql`insert into payment_term (code, name, net_days, is_cod) values ('COD-1', 'On delivery', 0, true) returning id`)
  const [own] = await scene.rows('customer', sql`id = ${makmur}`)
  const reported = async (): Promise<Record> => {
    const { rows } = (await scene.people.credit.get('/api/v1/report/customer-limit.report', { length: 100 })).data
    return rows.find((row: Record) => row.CustomerID === makmur)
  }
  await scene.delivered('C0000001', [{ item: 'D', qty: '1' }])
  await scene.database.run(sql`update credit_limit set valid_to = '2026-11-01' where customer_id = ${makmur}`)
  await scene.database.run(sql`update customer set payment_term_id = ${term?.id} where id = ${makmur}`)
  const onDelivery = await reported()
  expect(Number(onDelivery.Exposure)).toBeGreaterThan(0)
  expect(onDelivery).toMatchObject({ BlockCodes: [], IsOverLimit: false })
  // On credit the same is above a limit that has run out.
  await scene.database.run(sql`update customer set payment_term_id = ${own.payment_term_id} where id = ${makmur}`)
  expect(await reported()).toMatchObject({ BlockCodes: ['CL01', 'CL06'], IsOverLimit: true })
})

test('the report of limits says of every customer what his next order would be asked about', async () => {
  const scene = await openScene()
  const { database } = scene
  const today = scene.at.clock.today()
  const makmur = await scene.at.id('customer', 'C0000001')
  const reported = async (): Promise<Record> => (await scene.people.credit.get('/api/v1/report/customer-limit.report', { length: 100 })).data.rows.find((row: Record) => row.CustomerID === makmur)
  /** What stands there, which is what the check of an order finds. */
  const stopped = async (): Promise<readonly string[]> => {
    const found = creditBlocks(await creditStanding(database, makmur, today), { total: '0', isCash: false, termDiffers: false }, today).map(({ code }) => code)
    expect((await reported()).BlockCodes).toEqual(found.toSorted())
    return found
  }
  const paid = await scene.invoiced('C0000001', [{ item: 'D', qty: '1' }])
  const giro = await scene.pay('C0000001', '2200000', [{ InvoiceID: paid.ID, Paid: '2200000' }], { Method: 'GIRO', HouseBankID: null, GiroNo: 'G1', GiroDueDate: today })
  expect(await stopped()).toEqual([])
  await scene.act('cashier', 'payment-received', giro.ID, 'bounce')
  expect(await stopped()).toEqual(['CL05'])
  await database.run(sql`update ar_payment set cancelled_at = '2026-01-01' where id = ${giro.ID}`)

  const limit = (change: Sql) => database.run(sql`update credit_limit set ${change} where customer_id = ${makmur}`)
  await limit(sql`max_open_invoices = 1`)
  expect(await stopped()).toEqual(['CL03'])
  await limit(sql`max_open_invoices = 2, max_overdue_amount = 1000000`)
  expect(await stopped()).toEqual([])
  await database.run(sql`update invoice set due_date = ${today}::date - 3 where id = ${paid.ID}`)
  expect(await stopped(), 'more is overdue than is allowed, however short').toEqual(['CL02'])
  await database.run(sql`update invoice set dispute = true where id = ${paid.ID}`)
  expect(await stopped(), 'what is disputed does not count').toEqual([])
  expect(await reported()).toMatchObject({ MaxDaysOverdue: 3, OverdueAmount: '2200000.00' })
  await database.run(sql`insert into setting_oms (key, value) values ('overdue_ignore_dispute', 'false') on conflict (key, operating_unit_id) do update set value = 'false'`)
  expect(await stopped(), 'unless the setting says so').toEqual(['CL02'])
  await database.run(sql`update invoice set due_date = ${today}::date + 30, dispute = false where id = ${paid.ID}`)

  await database.run(sql`update customer set block_reason_id = (select id from reason order by id limit 1) where id = ${makmur}`)
  expect(await stopped()).toEqual(['CL04'])
  await database.run(sql`update customer set block_reason_id = null where id = ${makmur}`)
  const [group] = await database.rows<{ id: number }>(sql`insert into customer_group (code, name, group_credit_limit) values ('CHAIN', 'Chain', 1000000) returning id`)
  await database.run(sql`update customer set customer_group_id = ${group?.id} where id = ${makmur}`)
  expect(await stopped(), 'his group owes more than it may').toEqual(['CL01'])
  await database.run(sql`insert into credit_limit (customer_group_id, kind, amount, valid_from) values (${group?.id}, 'TEMPORARY', 5000000, ${today})`)
  expect(await stopped()).toEqual([])
  await limit(sql`valid_to = ${today}::date - 1`)
  expect(await stopped()).toEqual(['CL01', 'CL06'])
})
