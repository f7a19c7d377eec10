import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let jkt: number
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  jkt = await id('warehouse', 'WJKT')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)

async function entered(more: object, qty = '2'): Promise<Record> {
  return scene.create('admin', 'free-good', { WarehouseID: jkt, DocDate: scene.at.clock.today(), Lines: [{ ItemID: await id('item', 'A'), Qty: qty }], ...more })
}
async function issued(more: object): Promise<Record> {
  const made = await entered(more)
  await scene.act('admin', 'free-good', made.ID, 'submit')
  await scene.decide('free_goods_request', made.ID, 'approve', ['manager', 'finance'])
  return scene.act('admin', 'free-good', made.ID, 'issue')
}
const moved = (made: Record) => scene.database.rows(sql`select movement_type as type, qty, cost_amount as cost from stock_movement where doc_type = 'free_goods_request' and doc_id = ${made.ID} order by id`)

describe('goods given away', () => {
  test('leave at cost, the company pays the VAT on it, and come back whole', async () => {
    const made = await issued({ Purpose: 'PROMO', CustomerID: await id('customer', 'C0000001') })
    expect(made).toMatchObject({ Status: 3, Total: '170000.00', Ppn: '18700.00' })
    expect(await scene.journal('free_goods_request', made.ID)).toEqual(['113101 0.00 170000.00', '611101 170000.00 0.00', '213101 0.00 18700.00', '613105 18700.00 0.00'])
    expect(await moved(made)).toEqual([{ type: 'F01', qty: '-2.000', cost: '-170000.00' }])
    await scene.act('admin', 'free-good', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await moved(made)).toEqual([{ type: 'F01', qty: '-2.000', cost: '-170000.00' }, { type: 'F02', qty: '2.000', cost: '170000.00' }])
    expect([await scene.balance('613105'), await scene.balance('611101')]).toEqual(['0.00', '0.00'])
  })

  test('samples have an account of their own; without the setting no VAT is booked', async () => {
    await scene.database.run(sql`update setting_oms set value = 'false'::jsonb where key = 'vat_on_free_goods'`)
    const made = await issued({ Purpose: 'SAMPLE', Event: 'Pameran Kemayoran' })
    expect(await scene.journal('free_goods_request', made.ID)).toEqual(['113101 0.00 170000.00', '611103 170000.00 0.00'])
  })

  test('somebody gets them, and what is not there is not given', async () => {
    const nobody = await scene.people.admin.post('/api/v1/data/free-good', { Purpose: 'SAMPLE', WarehouseID: jkt, DocDate: scene.at.clock.today(), Lines: [{ ItemID: await id('item', 'A'), Qty: '1' }] }, { key: scene.key() })
    expect(nobody.data.errors.map(({ key }: Record) => key)).toEqual(['rule.free-goods-recipient'])
    const many = await entered({ Purpose: 'SAMPLE', Event: 'Pameran' }, '99999')
    expect((await scene.tryAct('admin', 'free-good', many.ID, 'submit')).data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['Lines[0].Qty', 'field.EXCEEDS_AVAILABLE.stock']])
  })
})
