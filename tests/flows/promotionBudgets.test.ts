import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { endPromotionBudgets } from '#server/pricing/promotionBudget.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let principal: number
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await scene.database.run(sql`update app_user set role_id = (select id from role where code = 'PROMO_MGR') where email = 'receivables@arus.example'`)
  await keepCalendar(scene.database, scene.at.clock)
  principal = (await scene.database.first<{ id: number }>(sql`insert into business_partner (code, name, kinds) values ('V-PRN', 'PT Prinsipal', '{PRINCIPAL}') returning id`))?.id ?? 0
})

const today = () => scene.at.clock.today()
async function budget(more: object = {}): Promise<Record> {
  return scene.create('manager', 'promotion-budget', { Name: 'Dukungan', PrincipalID: principal, OperatingUnitID: await scene.at.id('operating_unit', 'JKT'), DocDate: today(), PeriodFrom: today(), PeriodTo: addDays(today(), 30), Amount: '1000000', ...more })
}
async function approved(more: object = {}): Promise<Record> {
  const made = await budget(more)
  await scene.act('manager', 'promotion-budget', made.ID, 'submit')
  await scene.decide('promotion_budget', made.ID, 'approve', ['receivables', 'finance'])
  return scene.read('promotion-budget', made.ID)
}
async function change(of: Record, amount: string): Promise<Record> {
  const made = await scene.create('manager', 'promotion-budget-adjustment', { PromotionBudgetID: of.ID, DocDate: today(), Amount: amount, Note: 'Uji' })
  await scene.act('manager', 'promotion-budget-adjustment', made.ID, 'submit')
  return made
}

describe('a promotion budget', () => {
  test('is there to be used once it is approved', async () => {
    const made = await budget()
    expect(made).toMatchObject({ Status: 0, Committed: '0.00', Used: '0.00', Claimed: '0.00', Available: '1000000.00' })
    await scene.act('manager', 'promotion-budget', made.ID, 'submit')
    await scene.decide('promotion_budget', made.ID, 'approve', ['receivables'])
    expect(await scene.read('promotion-budget', made.ID)).toMatchObject({ Status: 1, Available: '1000000.00' })
    expect((await scene.rows('promotion_budget'))[0]?.code).toMatch(/^PBG\//)
  })

  test('above 500 million finance decides too', async () => {
    const made = await budget({ Amount: '500000001' })
    await scene.act('manager', 'promotion-budget', made.ID, 'submit')
    await scene.decide('promotion_budget', made.ID, 'approve', ['receivables', 'finance'])
    const steps = await scene.database.rows(sql`select 1 from approval_action s join approval_request r on r.id = s.request_id where r.doc_type = 'promotion_budget' and r.doc_id = ${made.ID}`)
    expect(steps).toHaveLength(2)
  })

  test('refuses a period that ends before it begins, one that is over, and nothing to spend', async () => {
    const turned = await scene.people.manager.post('/api/v1/data/promotion-budget', { Name: 'X', PrincipalID: principal, OperatingUnitID: await scene.at.id('operating_unit', 'JKT'), DocDate: today(), PeriodFrom: today(), PeriodTo: addDays(today(), -1), Amount: '1' }, { key: scene.key() })
    expect(turned.data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['PeriodTo', 'rule.budget-period']])
    const over = await budget({ PeriodFrom: addDays(today(), -30), PeriodTo: addDays(today(), -1), Amount: '0' })
    expect((await scene.tryAct('manager', 'promotion-budget', over.ID, 'submit')).data.errors.map(({ key }: Record) => key).toSorted()).toEqual(['rule.amount-above-zero', 'rule.budget-not-over'])
  })

  test('becomes more and less by adjustments of their own approval, never less than is taken', async () => {
    const made = await approved()
    const more = await change(made, '500000')
    expect(await scene.read('promotion-budget', made.ID)).toMatchObject({ Amount: '1000000.00' })
    await scene.decide('promotion_budget_adjustment', more.ID, 'approve', ['receivables'])
    expect(await scene.read('promotion-budget', made.ID)).toMatchObject({ Amount: '1500000.00', Available: '1500000.00' })
    expect(await scene.read('promotion-budget-adjustment', more.ID)).toMatchObject({ Status: 1, AmountBefore: '1000000.00', AmountAfter: '1500000.00' })
    await scene.database.run(sql`update promotion_budget set committed = 900000, used = 400000, available = amount - 1300000 where id = ${made.ID}`)
    const less = await change(made, '-300000')
    await expect(scene.decide('promotion_budget_adjustment', less.ID, 'approve', ['receivables'])).rejects.toThrow(/Only 200000/)
    expect(await scene.read('promotion-budget', made.ID)).toMatchObject({ Amount: '1500000.00', Available: '200000.00' })
    const fits = await change(made, '-200000')
    await scene.decide('promotion_budget_adjustment', fits.ID, 'approve', ['receivables'])
    expect(await scene.read('promotion-budget', made.ID)).toMatchObject({ Amount: '1300000.00', Available: '0.00' })
  })

  test('rejected it changes nothing, and only approved budgets are adjusted', async () => {
    const made = await approved()
    const more = await change(made, '500000')
    await scene.decide('promotion_budget_adjustment', more.ID, 'reject', ['receivables'])
    expect(await scene.read('promotion-budget', made.ID)).toMatchObject({ Amount: '1000000.00' })
    const draft = await budget()
    const early = await scene.create('manager', 'promotion-budget-adjustment', { PromotionBudgetID: draft.ID, DocDate: today(), Amount: '1', Note: 'Uji' })
    expect((await scene.tryAct('manager', 'promotion-budget-adjustment', early.ID, 'submit')).data.errors.map(({ key }: Record) => key)).toEqual(['rule.budget-open'])
  })

  test('ends with its period, unless something committed waits for its invoice', async () => {
    const [free, bound] = [await approved(), await approved()]
    await scene.database.run(sql`update promotion_budget set committed = 1000, available = amount - 1000 where id = ${bound.ID}`)
    await scene.moveTo('2027-01-05T03:00:00.000Z')
    await endPromotionBudgets(scene.database, scene.at.clock)
    expect([await scene.read('promotion-budget', free.ID), await scene.read('promotion-budget', bound.ID)]).toMatchObject([{ Status: 9 }, { Status: 1 }])
  })
})
