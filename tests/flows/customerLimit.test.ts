import { expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
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
  // On credit the same is above a limit of nothing.
  await scene.database.run(sql`update customer set payment_term_id = ${own.payment_term_id} where id = ${makmur}`)
  expect(await reported()).toMatchObject({ BlockCodes: ['CL01'], IsOverLimit: true })
})
