import { beforeAll, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const sejahtera = 'C0000002'
const today = () => scene.at.clock.today()
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await scene.database.run(sql`update app_user set role_id = (select id from role where code = 'PROMO_MGR') where email = 'receivables@arus.example'`)
  await scene.database.run(sql`update promotion set status = 0`)
  await scene.database.run(sql`update sales_order set status = 6`)
  await keepCalendar(scene.database, scene.at.clock)
})

async function promotion(code: string, more: object = {}): Promise<Record> {
  const made = await scene.create('manager', 'promotion', {
    Code: code, Name: `Promotion ${code}`, PromotionTypeID: (await scene.rows('promotion_type'))[0].id, Mechanism: 'ON_INVOICE', Funding: 'COMPANY', OperatingUnitID: await scene.at.id('operating_unit', 'JKT'), DocDate: today(),
    ValidFrom: addDays(today(), 1), ValidTo: addDays(today(), 20), PromotionCondition: [{ TierNo: 1, Kind: 'ITEM_QTY', ItemID: await scene.at.id('item', 'D'), Min: '2' }], Lines: [{ TierNo: 1, Kind: 'PCT', Value: '2' }], ...more,
  })
  return made
}
const simulated = async (made: Record): Promise<Record> => {
  await scene.act('manager', 'promotion', made.ID, 'simulate')
  return scene.read('promotion', made.ID)
}
const trials = (made: Record) => scene.rows('promotion_trial', sql`promotion_id = ${made.ID}`)

test('a simulation tells which orders of the last month would have earned a promotion, and what it would have cost', async () => {
  // One D is 1,981,982: three of them earn 2 % of 5,945,946, one does not reach the tier.
  const [three, one, six] = [await scene.order(sejahtera, [{ item: 'D', qty: '3' }]), await scene.order(sejahtera, [{ item: 'D', qty: '1' }]), await scene.order(sejahtera, [{ item: 'D', qty: '6' }])]
  await scene.moveTo(`${addDays(today(), 1)}T03:00:00.000Z`)
  const made = await promotion('T-1')
  expect(made).toMatchObject({ TrialAt: null, TrialCost: null })
  expect(await simulated(made)).toMatchObject({ Status: 0, TrialTo: addDays(today(), -1), TrialOrders: 3, TrialEarning: 2, TrialCost: '356756.76', TrialLeft: null })
  expect(await trials(made)).toMatchObject([{ sales_order_id: three.ID, benefit: '118918.92', budget_left: null }, { sales_order_id: six.ID, benefit: '237837.84' }])
  expect(one.Status).toBeGreaterThan(0)
  // The orders themselves stand as they were.
  expect((await scene.read('sales-order', three.ID)).Promo).toBe('0.00')
  // A limit is kept as it is in orders: whole or not at all.
  const capped = await promotion('T-2', { MaxPerCustomer: '200000' })
  expect(await simulated(capped)).toMatchObject({ TrialEarning: 1, TrialCost: '118918.92' })
  const capped3 = await promotion('T-3', { MaxTotal: '300000' })
  expect(await simulated(capped3)).toMatchObject({ TrialEarning: 1, TrialCost: '118918.92' })
  // What a customer claims afterwards, and goods at their standard cost.
  expect(await simulated(await promotion('T-4', { Mechanism: 'OFF_INVOICE' }))).toMatchObject({ TrialEarning: 2, TrialCost: '356756.76' })
  await scene.database.run(sql`update item set standard_cost = 1500000 where code = 'D'`)
  const gifts = await promotion('T-5', { PromotionCondition: [{ TierNo: 1, Kind: 'ITEM_QTY', ItemID: await scene.at.id('item', 'D'), Min: '3', IsMultiple: true }], Lines: [{ TierNo: 1, Kind: 'FREE_ITEM', FreeQty: '1' }] })
  expect(await simulated(gifts)).toMatchObject({ TrialEarning: 2, TrialCost: '4500000.00' })
  // A price 100,000 below the list's.
  const price = await promotion('T-6', { Lines: [{ TierNo: 1, Kind: 'SPECIAL_PRICE', Value: '1881982', FreeUom: 'CTN' }] })
  expect(await simulated(price)).toMatchObject({ TrialEarning: 2, TrialCost: '900000.00' })
  expect(await simulated(await promotion('T-7', { PromotionScope: [{ CustomerID: await scene.at.id('customer', 'C0000001'), Include: true }] }))).toMatchObject({ TrialOrders: 3, TrialEarning: 0, TrialCost: '0.00' })
})

test('promotions of the day stand beside it, a change makes the figures go, sending it for approval brings them', async () => {
  const rival = await promotion('T-8', { Stacking: 'EXCLUSIVE', ValidFrom: addDays(today(), -5), Lines: [{ TierNo: 1, Kind: 'PCT', Value: '3' }] })
  await scene.database.run(sql`update promotion set status = 1, effective_from = ${addDays(today(), -5)} where id = ${rival.ID}`)
  const made = await promotion('T-9', { Stacking: 'EXCLUSIVE' })
  expect(await simulated(made)).toMatchObject({ TrialEarning: 0, TrialCost: '0.00' })
  const { Version } = await scene.read('promotion', made.ID)
  const put = await scene.people.manager.put(`/api/v1/data/promotion/${made.ID}`, { Lines: [{ TierNo: 1, Kind: 'PCT', Value: '4' }] }, { key: scene.key(), version: Version })
  expect(put.status).toBe(200)
  expect([await scene.read('promotion', made.ID), await trials(made)]).toMatchObject([{ TrialAt: null, TrialOrders: null, TrialCost: null }, []])
  expect(await scene.act('manager', 'promotion', made.ID, 'submit')).toMatchObject({ Status: 4, TrialEarning: 2, TrialCost: '713513.52' })
  expect(await trials(made)).toHaveLength(2)
})

test('of its budget it tells what would be left, below zero where it would not do', async () => {
  const principal = await scene.database.first<{ id: number }>(sql`insert into business_partner (code, name, kinds) values ('V-PRN', 'PT Prinsipal', '{PRINCIPAL}') returning id`)
  const budget = await scene.create('manager', 'promotion-budget', { Name: 'Dukungan', PrincipalID: principal?.id, OperatingUnitID: await scene.at.id('operating_unit', 'JKT'), DocDate: today(), PeriodFrom: today(), PeriodTo: addDays(today(), 30), Amount: '300000' })
  await scene.act('manager', 'promotion-budget', budget.ID, 'submit')
  await scene.decide('promotion_budget', budget.ID, 'approve', ['receivables', 'finance'])
  await scene.database.run(sql`update promotion set status = 0`)
  const made = await promotion('T-10', { Funding: 'PRINCIPAL', PrincipalID: principal?.id, BudgetID: budget.ID, EstimatedCost: '250000' })
  expect(await simulated(made)).toMatchObject({ TrialCost: '356756.76', TrialLeft: '-56756.76' })
  expect(await trials(made)).toMatchObject([{ budget_left: '181081.08' }, { budget_left: '-56756.76' }])
  expect(await scene.read('promotion-budget', budget.ID)).toMatchObject({ Committed: '0.00', Available: '300000.00' })
})
