import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#base/date.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { ExpiryRounds } from '#server/workflow/expiryRounds.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let jkt: number
let item: number
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  jkt = await scene.at.id('warehouse', 'WJKT')
  item = await scene.at.id('item', 'C')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const today = () => scene.at.clock.today()
const balance = () => scene.database.first(sql`select on_hand, reserved from stock_balance where item_id = ${item} and warehouse_id = ${jkt}`)
const reservedOf = async (order: Record) => (await scene.read('sales-order', order.ID)).Lines[0].ReservedQty

async function kept(holder: object, qty: string, more: object = {}): Promise<Record> {
  const made = await scene.create('admin', 'reservation', { WarehouseID: jkt, DocDate: today(), ExpiresOn: addDays(today(), 7), ...holder, Lines: [{ ItemID: item, Qty: qty }], ...more })
  await scene.act('admin', 'reservation', made.ID, 'submit')
  await scene.decide('reservation', made.ID, 'approve', ['manager'])
  return scene.read('reservation', made.ID)
}

describe('a reservation', () => {
  test('keeps goods for a customer: his orders draw on them first, others get what is left, and it ends when all is drawn', async () => {
    await scene.database.run(sql`update credit_limit set amount = 99000000000`)
    const makmur = await scene.at.id('customer', 'C0000001')
    const made = await kept({ CustomerID: makmur }, '490')
    expect(made).toMatchObject({ Status: 1, Lines: [{ Qty: '490.000', OpenQty: '490.000' }] })
    expect(await balance()).toEqual({ on_hand: '500.000', reserved: '490.000' })
    expect(await reservedOf(await scene.order('C0000002', [{ item: 'C', qty: '15' }]))).toBe('10.000')
    expect(await reservedOf(await scene.order('C0000001', [{ item: 'C', qty: '400' }]))).toBe('400.000')
    expect(await scene.read('reservation', made.ID)).toMatchObject({ Status: 1, Lines: [{ OpenQty: '90.000' }] })
    expect(await balance()).toEqual({ on_hand: '500.000', reserved: '500.000' })
    const last = await scene.order('C0000001', [{ item: 'C', qty: '100' }])
    expect(await reservedOf(last)).toBe('90.000')
    expect(await scene.read('reservation', made.ID)).toMatchObject({ Status: 3, Lines: [{ OpenQty: '0.000' }] })
    await scene.act('sales', 'sales-order', last.ID, 'cancel', { ReasonID: await scene.at.id('reason', 'C02') })
    expect(await balance()).toEqual({ on_hand: '500.000', reserved: '410.000' })
  })

  test('is released by hand, ends by itself after its last day, and promises only what is there', async () => {
    const before = await balance()
    const project = await kept({ Project: 'Gedung baru' }, '20')
    expect(await balance()).toMatchObject({ reserved: '430.000' })
    expect(await scene.act('admin', 'reservation', project.ID, 'release', { ReasonID: await scene.at.id('reason', 'C02') })).toMatchObject({ Status: 6, Lines: [{ OpenQty: '0.000' }] })
    expect(await balance()).toEqual(before)
    const short = await kept({ Project: 'Pameran' }, '30', { ExpiresOn: today() })
    await scene.database.run(sql`update reservation set doc_date = doc_date - 5, expires_on = expires_on - 3 where id = ${short.ID}`)
    const services = await scene.database.transaction(async (tx) => runOf(scene.database, tx).services)
    const rounds = new ExpiryRounds(services)
    expect(await rounds.run()).toBe(1)
    expect(await rounds.run()).toBe(0)
    expect(await scene.read('reservation', short.ID)).toMatchObject({ Status: 9, Lines: [{ OpenQty: '0.000' }] })
    expect(await balance()).toEqual(before)
    const many = await scene.create('admin', 'reservation', { WarehouseID: jkt, DocDate: today(), ExpiresOn: today(), Project: 'X', Lines: [{ ItemID: item, Qty: '91' }] })
    expect((await scene.tryAct('admin', 'reservation', many.ID, 'submit')).data.errors.map(({ field, text }: Record) => [field, text])).toEqual([['Lines[0].Qty', 'Only 90 are there that nobody has reserved.']])
    const nobody = await scene.people.admin.post('/api/v1/data/reservation', { WarehouseID: jkt, DocDate: today(), ExpiresOn: today(), Lines: [{ ItemID: item, Qty: '1' }] }, { key: scene.key() })
    expect(nobody.data.errors.map(({ key }: Record) => key)).toEqual(['rule.reservation-holder'])
  })

  test('of a channel serves its customers', async () => {
    const customer = await scene.database.first<{ channel: number }>(sql`select sales_channel_id as channel from customer where code = 'C0000001'`)
    const made = await kept({ SalesChannelID: customer?.channel }, '80')
    expect(await reservedOf(await scene.order('C0000001', [{ item: 'C', qty: '85' }]))).toBe('85.000')
    expect(await scene.read('reservation', made.ID)).toMatchObject({ Status: 3 })
  })
})
