import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { ExpiryRounds } from '#server/workflow/expiryRounds.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let principal: number
const sejahtera = 'C0000002'
const today = () => scene.at.clock.today()
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await scene.database.run(sql`update app_user set role_id = (select id from role where code = 'PROMO_MGR') where email = 'receivables@arus.example'`)
  await scene.database.run(sql`update promotion set status = 0`)
  await keepCalendar(scene.database, scene.at.clock)
  principal = (await scene.database.first<{ id: number }>(sql`insert into business_partner (code, name, kinds) values ('V-PRN', 'PT Prinsipal', '{PRINCIPAL}') returning id`))?.id ?? 0
})

async function promotion(code: string, percent: string, more: object = {}): Promise<Record> {
  return scene.create('manager', 'promotion', {
    Code: code, Name: `Promotion ${code}`, PromotionTypeID: (await scene.rows('promotion_type'))[0].id, Mechanism: 'ON_INVOICE', Funding: 'COMPANY', OperatingUnitID: await scene.at.id('operating_unit', 'JKT'), DocDate: today(),
    ValidFrom: today(), ValidTo: '2026-11-30', PromotionCondition: [{ TierNo: 1, Kind: 'ITEM_QTY', ItemID: await scene.at.id('item', 'D'), Min: '1' }], Lines: [{ TierNo: 1, Kind: 'PCT', Value: percent }], ...more,
  })
}
const decided = async (made: Record): Promise<Record> => {
  await scene.act('manager', 'promotion', made.ID, 'submit')
  await scene.decide('promotion', made.ID, 'approve', ['receivables'])
  return scene.read('promotion', made.ID)
}
const budget = async (amount: string): Promise<Record> => {
  const made = await scene.create('manager', 'promotion-budget', { Name: 'Dukungan', PrincipalID: principal, OperatingUnitID: await scene.at.id('operating_unit', 'JKT'), DocDate: today(), PeriodFrom: today(), PeriodTo: addDays(today(), 30), Amount: amount })
  await scene.act('manager', 'promotion-budget', made.ID, 'submit')
  await scene.decide('promotion_budget', made.ID, 'approve', ['receivables', 'finance'])
  return made
}
const keysOf = (answer: { readonly data: Record }) => (answer.data.errors ?? []).map(({ field, key }: Record) => `${field} ${key}`).toSorted()
const refused = async (made: Record) => keysOf(await scene.tryAct('manager', 'promotion', made.ID, 'submit'))
/** What an order of three D gets off; one D is 1,981,982. */
const promoOf = (order: Record) => order.Promo
const draft = (qty = '3') => scene.draftOrder(sejahtera, [{ item: 'D', qty }])

describe('a promotion', () => {
  test('counts once it is approved, and stops counting when it is stopped', async () => {
    const made = await promotion('D-1', '2')
    expect([made.Status, made.CurrentVersion, promoOf(await draft())]).toEqual([0, 1, '0.00'])
    await scene.act('manager', 'promotion', made.ID, 'submit')
    expect(promoOf(await draft())).toBe('0.00')
    await expect(scene.decide('promotion', made.ID, 'approve', ['manager', 'sales'])).rejects.toThrow('Nobody could decide')
    await scene.decide('promotion', made.ID, 'approve', ['receivables'])
    expect(await scene.read('promotion', made.ID)).toMatchObject({ Status: 1, EffectiveFrom: today(), EffectiveTo: null })
    const order = await scene.order(sejahtera, [{ item: 'D', qty: '3' }])
    expect(promoOf(order)).toBe('118918.92')
    await scene.act('manager', 'promotion', made.ID, 'stop', { ReasonID: await scene.at.id('reason', 'C02') })
    expect([promoOf(await draft()), promoOf(await scene.read('sales-order', order.ID))]).toEqual(['0.00', '118918.92'])
  })

  test('stopped in the course of a day it stays with the orders sent before, also where they are priced again; others of the day have it no longer', async () => {
    await scene.moveTo(`${today()}T06:00:00.000Z`)
    const made = await decided(await promotion('D-1S', '2'))
    const order = await scene.order(sejahtera, [{ item: 'D', qty: '60' }])
    const later = await draft()
    expect([order.Status, order.Promo, later.Promo]).toEqual([4, '2378378.40', '118918.92'])
    await scene.moveTo(`${today()}T07:00:00.000Z`)
    await scene.act('manager', 'promotion', made.ID, 'stop', { ReasonID: await scene.at.id('reason', 'C02') })
    await scene.act('sales', 'sales-order', order.ID, 'recall')
    const stand = await scene.read('sales-order', order.ID)
    const Lines = [{ ID: stand.Lines[0].ID, ItemID: stand.Lines[0].ItemID, Uom: 'CTN', Qty: '70' }]
    const typed = await scene.people.sales.post('/api/v1/command/price-order', { ID: order.ID, CustomerID: stand.CustomerID, DocDate: stand.DocDate, Lines })
    expect(typed.data.record.Promo).toBe('2774774.80')
    const changed = await scene.people.sales.put(`/api/v1/data/sales-order/${order.ID}`, { Lines }, { key: scene.key(), version: stand.Version })
    expect(changed.data.record.Promo).toBe('2774774.80')
    expect(await scene.act('sales', 'sales-order', order.ID, 'submit')).toMatchObject({ Status: 4, Promo: '2774774.80' })
    expect(await scene.act('sales', 'sales-order', later.ID, 'submit', {}, { acknowledge: ['REPRICED-6600000.00'] })).toMatchObject({ Promo: '0.00' })
    expect(promoOf(await draft())).toBe('0.00')
  })

  test('says what is missing before it is sent', async () => {
    expect(await refused(await promotion('D-2', '2', { PromotionCondition: [], Lines: [] }))).toEqual(['Lines field.REQUIRED.lines', 'PromotionCondition field.REQUIRED.lines'])
    const D = await scene.at.id('item', 'D')
    const tiers = (...rows: readonly object[]) => rows.map((row) => ({ TierNo: 1, Kind: 'ITEM_QTY', ItemID: D, Min: '1', ...row }))
    expect(await refused(await promotion('D-3', '2', { PromotionCondition: tiers({ Min: '10' }, { TierNo: 2, Min: '10' }, { TierNo: 4, Uom: 'DRUM', Min: '20' }) }))).toEqual([
      'PromotionCondition[1].Min field.TOO_SMALL.tier-rises', 'PromotionCondition[1].TierNo field.INVALID.tier-without-benefit', 'PromotionCondition[2].TierNo field.INVALID.tier-gap',
      'PromotionCondition[2].TierNo field.INVALID.tier-without-benefit', 'PromotionCondition[2].Uom field.NOT_IN_SCOPE.unit',
    ])
    expect(await refused(await promotion('D-4', '2', { PromotionCondition: tiers({ Min: '1', Max: '5' }, { TierNo: 2, Min: '9' }), Lines: [{ TierNo: 1, Kind: 'PCT', Value: '101' }, { TierNo: 2, Kind: 'FREE_ITEM' }] }))).toEqual([
      'Lines[0].Value field.TOO_LARGE.percent', 'Lines[1].FreeQty field.TOO_SMALL.above-zero', 'PromotionCondition[1].Min field.TOO_LARGE.tier-follows',
    ])
    const body = { Code: 'D-5', Name: 'X', PromotionTypeID: 1, OperatingUnitID: await scene.at.id('operating_unit', 'JKT'), DocDate: today(), ValidFrom: today(), ValidTo: addDays(today(), -1), PromotionScope: [{ Include: true }] }
    expect(keysOf(await scene.people.manager.post('/api/v1/data/promotion', body, { key: scene.key() }))).toContain('PromotionScope[0].SalesChannelID field.INVALID.one-scope')
  })

  test('its budget must cover what it is expected to cost, in the time it runs', async () => {
    const money = await budget('1000000')
    const of = { Funding: 'PRINCIPAL', PrincipalID: principal, BudgetID: money.ID }
    expect(await refused(await promotion('D-6', '2', { ...of, EstimatedCost: '1000000.01' }))).toEqual(['EstimatedCost rule.budget-covers'])
    expect(await refused(await promotion('D-7', '2', { ...of, EstimatedCost: '0' }))).toEqual(['EstimatedCost rule.cost-estimated'])
    expect(await refused(await promotion('D-8', '2', { ...of, EstimatedCost: '1', ValidTo: addDays(today(), 31) }))).toEqual(['ValidTo rule.within-budget-period'])
    expect(await refused(await promotion('D-9', '2', { BudgetID: money.ID, Funding: 'SHARED', PrincipalShare: '0', EstimatedCost: '1' }))).toEqual(['PrincipalID rule.principal-pays', 'PrincipalShare rule.promotion-share'])
    expect(await decided(await promotion('D-10', '1', { ...of, EstimatedCost: '1000000', Lines: [{ TierNo: 1, Kind: 'AMOUNT', Value: '1' }], PromotionCondition: [{ TierNo: 1, Kind: 'ORDER_VALUE', Min: '900000000' }] }))).toMatchObject({ Status: 1 })
    expect(await scene.read('promotion-budget', money.ID)).toMatchObject({ Committed: '0.00', Available: '1000000.00' })
    const [running] = await scene.rows('promotion', sql`code = 'D-10'`)
    const rounds = async () => {
      await new ExpiryRounds(await scene.database.transaction(async (tx) => runOf(scene.database, tx).services)).run()
      return scene.read('promotion', running.id)
    }
    // What orders hold may still come back.
    await scene.database.run(sql`update promotion_budget set used = 999999, committed = 1, available = 0 where id = ${money.ID}`)
    expect(await rounds()).toMatchObject({ Status: 1 })
    await scene.database.run(sql`update promotion_budget set used = 1000000, committed = 0 where id = ${money.ID}`)
    expect(await rounds()).toMatchObject({ Status: 9, EffectiveTo: today() })
  })
})

test('PR6: the day of the order decides, and the version of that day; an amendment is of that day too', async () => {
  const first = await decided(await promotion('D-6V', '3'))
  // 30 November 23:40 in Jakarta; a second one waits as well, and is amended later.
  await scene.moveTo('2026-11-30T16:40:00.000Z')
  const [kept, amended] = [await scene.order(sejahtera, [{ item: 'D', qty: '60' }]), await scene.order(sejahtera, [{ item: 'D', qty: '60' }])]
  expect([kept, amended]).toMatchObject([{ Status: 4, DocDate: '2026-11-30', Promo: '3567567.60' }, { Status: 4, Promo: '3567567.60' }])
  const next = await scene.act('manager', 'promotion', first.ID, 'revise')
  expect(next).toMatchObject({ Status: 1 })
  const [version] = await scene.rows('promotion', sql`version_of_id = ${first.ID}`)
  expect(version).toMatchObject({ code: 'D-6V-V2', current_version: 2, status: 0, valid_to: '2026-11-30' })
  expect((await scene.tryAct('manager', 'promotion', first.ID, 'revise')).code).toBe('ILLEGAL_TRANSITION')
  // 1 December 00:10 in Jakarta.
  await scene.moveTo('2026-11-30T17:10:00.000Z')
  await keepCalendar(scene.database, scene.at.clock)
  expect(await draft()).toMatchObject({ DocDate: '2026-12-01', Promo: '0.00' })
  await scene.moveTo('2026-12-02T03:00:00.000Z')
  await scene.decide('sales_order', kept.ID)
  expect(await scene.read('sales-order', kept.ID)).toMatchObject({ Status: 1, Promo: '3567567.60' })
  const { Version } = await scene.read('promotion', version.id)
  const changed = await scene.people.manager.put(`/api/v1/data/promotion/${version.id}`, { ValidTo: '2026-12-31', Lines: [{ TierNo: 1, Kind: 'PCT', Value: '5' }] }, { key: scene.key(), version: Version })
  expect(changed.status).toBe(200)
  expect(await decided({ ID: version.id })).toMatchObject({ Status: 1, EffectiveFrom: '2026-12-02', CurrentVersion: 2 })
  expect(await scene.read('promotion', first.ID)).toMatchObject({ Status: 1, EffectiveTo: '2026-12-01' })
  expect(await draft()).toMatchObject({ DocDate: '2026-12-02', Promo: '297297.30' })
  await scene.moveTo('2026-12-03T03:00:00.000Z')
  const services = await scene.database.transaction(async (tx) => runOf(scene.database, tx, '2026-12-03T03:00:00.000Z').services)
  await new ExpiryRounds(services).run()
  expect(await scene.read('promotion', first.ID)).toMatchObject({ Status: 9 })
  await scene.act('sales', 'sales-order', amended.ID, 'recall')
  const stand = await scene.read('sales-order', amended.ID)
  const more = await scene.people.sales.put(`/api/v1/data/sales-order/${amended.ID}`, { Lines: [{ ID: stand.Lines[0].ID, ItemID: stand.Lines[0].ItemID, Uom: 'CTN', Qty: '70' }] }, { key: scene.key(), version: stand.Version })
  expect(more.status).toBe(200)
  expect(await scene.act('sales', 'sales-order', amended.ID, 'submit')).toMatchObject({ DocDate: '2026-11-30', Promo: '4162162.20', Lines: [{ PromotionID: first.ID }] })
})
