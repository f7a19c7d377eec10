import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

const sejahtera = 'C0000002'
/** A draft that wants its goods some weeks from now: its delivery is not late when it is sent. */
const draftOf = (lines: Parameters<Scene['draftOrder']>[1]) => scene.draftOrder(sejahtera, lines, { RequestedDate: '2026-12-21' })
/** D at 1,981,982 from today, at 2,000,000 from the 23rd on. */
const dearer = async () => {
  const [item, set] = [await scene.at.id('item', 'D'), await scene.at.id('price_set', 'BASE')]
  await scene.database.run(sql`update list_price set valid_to = '2026-11-22' where item_id = ${item} and price_set_id = ${set}`)
  await scene.database.run(sql`insert into list_price (price_set_id, item_id, uom, min_qty, price, valid_from) values (${set}, ${item}, 'CTN', 0, 2000000, '2026-11-23')`)
}

test('an order is of the day it is sent: an older draft gets the prices of that day, and whoever sends it is told both totals', async () => {
  const draft = await draftOf([{ item: 'D', qty: '1' }])
  const other = await draftOf([{ item: 'C', qty: '1' }])
  expect(draft).toMatchObject({ DocDate: '2026-11-20', Total: '2200000.00' })
  await dearer()
  await scene.moveTo('2026-11-24T03:00:00.000Z')
  const answer = await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')
  expect([answer.status, answer.data.warnings]).toMatchObject([412, [{ code: 'REPRICED', text: 'Priced as of 24/11/2026 the order comes to 2,220,000.00. The draft said 2,200,000.00.' }]])
  expect(await scene.read('sales-order', draft.ID)).toMatchObject({ Status: 0, Code: `DRAFT-${draft.ID}`, DocDate: '2026-11-20', Total: '2200000.00' })
  const sent = await scene.act('sales', 'sales-order', draft.ID, 'submit', {}, { acknowledge: answer.data.warnings.map(({ id }: Record) => id) })
  expect(sent).toMatchObject({ Status: 1, DocDate: '2026-11-24', Total: '2220000.00' })
  expect((await scene.read('sales-order', draft.ID)).Lines).toMatchObject([{ Price: '2000000.0000', Dpp: '2000000.00', Ppn: '220000.00' }])
  // Where nothing costs otherwise nobody is asked.
  expect(await scene.act('sales', 'sales-order', other.ID, 'submit')).toMatchObject({ Status: 1, DocDate: '2026-11-24', Total: '3300000.00' })
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
})

test('a warning of one price does not do for another', async () => {
  const draft = await draftOf([{ item: 'D', qty: '1' }])
  const price = (value: string) => scene.database.run(sql`update list_price set price = ${value} where item_id = (select id from item where code = 'D') and valid_from = '2026-11-23'`)
  await price('2100000')
  const first = await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')
  await price('2300000')
  const again = await scene.tryAct('sales', 'sales-order', draft.ID, 'submit', {}, { acknowledge: first.data.warnings.map(({ id }: Record) => id) })
  expect([again.status, again.data.warnings]).toMatchObject([412, [{ code: 'REPRICED', text: 'Priced as of 24/11/2026 the order comes to 2,553,000.00. The draft said 2,220,000.00.' }]])
  await price('2000000')
})

test('a gift that is no longer given is told though the total stays', async () => {
  const draft = await draftOf([{ item: 'A', qty: '10' }])
  expect(draft.Lines.filter((line: Record) => line.IsFree)).toHaveLength(1)
  await scene.database.run(sql`update promotion set valid_to = '2026-11-24' where code = 'P1'`)
  await scene.moveTo('2026-11-25T03:00:00.000Z')
  const answer = await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')
  expect([answer.status, answer.data.warnings]).toMatchObject([412, [{ code: 'REPRICED', text: 'Priced as of 25/11/2026 lines or gifts are others than the draft said. The total stays 1,332,000.00.' }]])
})

test('a day entered on purpose stays, and so does that of an order with a number', async () => {
  const made = await scene.people.admin.post('/api/v1/data/sales-order', { CustomerID: await scene.at.id('customer', sejahtera), DocDate: '2026-11-22', Lines: [{ ItemID: await scene.at.id('item', 'D'), Uom: 'CTN', Qty: '1' }] }, { key: scene.key() })
  const order = made.data.record
  expect(order).toMatchObject({ DocDate: '2026-11-22', Total: '2200000.00' })
  await scene.database.run(sql`update approval_matrix set is_active = false where doc_type = 'sales_order' and condition_code is null`)
  expect(await scene.act('admin', 'sales-order', order.ID, 'submit')).toMatchObject({ DocDate: '2026-11-22', Total: '2200000.00' })
  // Above the limit it waits; recalled and sent on another day it is the order its number says.
  const waits = await scene.order(sejahtera, [{ item: 'C', qty: '40' }])
  expect(waits).toMatchObject({ Status: 4, DocDate: '2026-11-25' })
  await scene.act('sales', 'sales-order', waits.ID, 'recall')
  await scene.moveTo('2026-11-26T03:00:00.000Z')
  expect(await scene.act('sales', 'sales-order', waits.ID, 'submit')).toMatchObject({ Status: 4, Code: waits.Code, DocDate: '2026-11-25' })
})

test('a draft of a month closed since is an order of today', async () => {
  const draft = await draftOf([{ item: 'C', qty: '1' }])
  await scene.moveTo('2026-12-02T03:00:00.000Z')
  await scene.database.run(sql`update accounting_period set status = 'CLOSED' where period = '202611' and module = 'SD'`)
  expect(await scene.act('sales', 'sales-order', draft.ID, 'submit')).toMatchObject({ DocDate: '2026-12-02' })
})
