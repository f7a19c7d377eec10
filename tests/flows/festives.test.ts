import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let item: number
beforeAll(async () => {
  scene = await openScene()
  item = await scene.at.id('item', 'B')
  await scene.database.run(sql`update item set is_festive = true where id = ${item}`)
})

const order = async (qty: string): Promise<Record> => {
  const draft = await scene.draftOrder('C0000002', [{ item: 'B', qty }])
  return (await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')) as Record
}

test('an assortment counts once another has approved it; orders keep to its window, its minimum and what is left of its quota', async () => {
  expect((await order('2')).status, 'before it is in any assortment').toBe(200)
  const today = scene.at.clock.today()
  const made = await scene.create('admin', 'product-festive', {
    Code: 'NATAL-T', Name: 'Natal', Season: 'NATAL', OrderFrom: '2026-12-24', OrderTo: '2026-12-31', DeliverFrom: '2026-12-24', DeliverTo: '2026-12-31', Lines: [{ ItemID: item, QuotaQty: '10', MinQty: '3' }],
  })
  expect((await scene.read('product-festive', made.ID)).Status).toBe(4)
  expect((await order('2')).status, 'while it waits').toBe(200)
  await scene.decide('product_festive', made.ID)
  expect((await scene.read('product-festive', made.ID)).Status).toBe(1)
  expect((await order('4')).data.errors[0].key).toBe('field.FESTIVE.from')
  await scene.database.run(sql`update product_festive set order_from = ${today}::date where id = ${made.ID}`)
  expect((await order('2')).data.errors[0].key).toBe('field.FESTIVE.least')
  const first = await order('4')
  expect(first.status).toBe(200)
  if ((await scene.read('sales-order', first.data.record.ID)).Status === 4) await scene.decide('sales_order', first.data.record.ID)
  // The two orders of 2 from before it counted are of the window since it was moved: 8 of 10 are taken.
  expect((await order('3')).data.errors[0].key).toBe('field.FESTIVE.quota')
})
