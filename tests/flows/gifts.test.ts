import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { accepted, openScene, type Record, type Scene } from '../support/scene.ts'

// P1: of every ten A one is given, at most three.
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterEach(async () => {
  await backorder('KEEP')
  expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
})

const makmur = 'C0000001'
const backorder = (policy: string) => scene.database.run(sql`update setting_oms set value = ${JSON.stringify(policy)}::jsonb where key = 'backorder'`)
const linesOf = async (order: Record): Promise<Record[]> => (await scene.read('sales-order', order.ID)).Lines
const plan = async (ids: readonly number[], Quantities: object = {}) =>
  (await scene.command('warehouse', 'plan-delivery', { IDs: ids, PlanDate: scene.at.clock.today(), Release: true, Quantities })).results
const deliveryOf = async (order: Record): Promise<Record> => (await scene.rows('delivery_order', sql`sales_order_id = ${order.ID} and status in (0, 1, 8)`)).at(-1)
const reason = (code: string) => scene.at.id('reason', code)

describe('a gift goes with the goods it is given for', () => {
  test('planned alone it waits; planned with part of them, its part goes', async () => {
    const order = await scene.order(makmur, [{ item: 'A', qty: '24' }])
    const [goods, gift] = await linesOf(order)
    expect(gift).toMatchObject({ IsFree: true, QtyBase: '2.000' })
    expect(await plan([gift.ID])).toMatchObject([{ ok: false, code: 'ILLEGAL_TRANSITION', text: `${order.Code}: A is a gift and goes with the goods it is given for.` }])
    const planned = await plan([goods.ID, gift.ID], { [goods.ID]: '12' })
    expect(planned.map((one: Record) => one.ok)).toEqual([true, true])
    expect((await linesOf(order)).map((line) => line.PlannedQty)).toEqual(['12.000', '1.000'])
  })

  test('nothing of it is picked without them, and their issue is not cancelled before its own', async () => {
    const order = await scene.order(makmur, [{ item: 'A', qty: '24' }])
    const [goods, gift] = await linesOf(order)
    await plan([goods.ID], { [goods.ID]: '20' })
    const first = await deliveryOf(order)
    await plan([gift.ID])
    const second = await deliveryOf(order)
    const [giftLine] = await scene.rows('delivery_order_line', sql`delivery_order_id = ${second.id}`)
    expect((await scene.tryAct('warehouse', 'delivery-order', second.id, 'pick')).data.errors).toMatchObject([{ field: `Quantities.${giftLine.id}`, text: 'A is a gift: with what goes out of the goods it is given for, at most 0.' }])
    const issue = await scene.issue(first)
    const given = await scene.issue(second)
    expect(await scene.tryAct('warehouse', 'goods-issue', issue.id, 'cancel', { ReasonID: await reason('C02') })).toMatchObject({ code: 'ILLEGAL_TRANSITION', message: 'Gifts given for these goods have left: A 2. Cancel their goods issue first.' })
    await scene.act('warehouse', 'goods-issue', given.id, 'cancel', { ReasonID: await reason('C02') })
    await scene.act('warehouse', 'goods-issue', issue.id, 'cancel', { ReasonID: await reason('C02') })
  })

  test('picked short, the goods leave their gift behind; what is cancelled then takes it along', async () => {
    const order = await scene.order(makmur, [{ item: 'A', qty: '24' }])
    const [delivery] = await scene.plan(order)
    const [goods, gift] = await scene.rows('delivery_order_line', sql`delivery_order_id = ${delivery.id}`)
    const pick = (Quantities: object) => scene.tryAct('warehouse', 'delivery-order', delivery.id, 'pick', { Quantities })
    expect((await pick({ [goods.id]: '19' })).data.errors).toMatchObject([{ field: `Quantities.${gift.id}`, key: 'field.TOO_LARGE.gift' }])
    expect((await pick({ [goods.id]: '19', [gift.id]: '1' })).code).toBe('success')
    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
    await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await reason('C01') })
    expect((await linesOf(order)).map((line) => [line.DeliveredQty, line.CancelledQty])).toEqual([['19.000', '5.000'], ['1.000', '1.000']])
  })

  test('cut for want of stock, it is cut with them; an order with nothing left is refused', async () => {
    await backorder('CUT')
    const stock = (qty: string) => scene.database.run(sql`update stock_balance set reserved = on_hand - ${qty} where item_id = (select id from item where code = 'A')`)
    const [{ reserved }] = await scene.rows('stock_balance', sql`item_id = (select id from item where code = 'A')`)
    await stock('21')
    const order = await scene.order(makmur, [{ item: 'A', qty: '30' }])
    expect(order.Status).toBe(1)
    expect((await linesOf(order)).map((line) => [line.QtyBase, line.ReservedQty, line.CancelledQty])).toEqual([['30.000', '21.000', '9.000'], ['3.000', '0.000', '3.000']])
    await stock('0')
    const none = await scene.draftOrder(makmur, [{ item: 'A', qty: '30' }])
    expect(await scene.tryAct('sales', 'sales-order', none.ID, 'submit')).toMatchObject({ code: 'STOCK_INSUFFICIENT', message: 'Nothing of this order is in stock and what is short is cut: nothing would be left of it.' })
    await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await reason('C01') })
    await scene.database.run(sql`update stock_balance set reserved = ${reserved} where item_id = (select id from item where code = 'A')`)
    await stock('24')
    const held = await scene.order(makmur, [{ item: 'A', qty: '22' }])
    expect((await linesOf(held)).map((line) => [line.ReservedQty, line.CancelledQty])).toEqual([['22.000', '0.000'], ['2.000', '0.000']])
    await scene.act('sales', 'sales-order', held.ID, 'cancel', { ReasonID: await reason('C01') })
    await scene.database.run(sql`update stock_balance set reserved = ${reserved} where item_id = (select id from item where code = 'A')`)
    // Saved and submitted in one go.
    await stock('15')
    const body = { CustomerID: await scene.at.id('customer', makmur), Lines: [{ ItemID: await scene.at.id('item', 'A'), Uom: 'CTN', Qty: '20' }] }
    const { record } = accepted(await scene.people.sales.post('/api/v1/data/sales-order?next=submit', body, { key: scene.key() }))
    expect((await linesOf(record)).map((line) => [line.ReservedQty, line.CancelledQty])).toEqual([['15.000', '5.000'], ['0.000', '2.000']])
    await scene.act('sales', 'sales-order', record.ID, 'cancel', { ReasonID: await reason('C01') })
    await scene.database.run(sql`update stock_balance set reserved = ${reserved} where item_id = (select id from item where code = 'A')`)
    await stock('24')
    const again = accepted(await scene.people.sales.post('/api/v1/data/sales-order?next=submit', body, { key: scene.key() })).record
    expect((await linesOf(again)).map((line) => [line.ReservedQty, line.CancelledQty])).toEqual([['20.000', '0.000'], ['2.000', '0.000']])
    await scene.act('sales', 'sales-order', again.ID, 'cancel', { ReasonID: await reason('C01') })
    await scene.database.run(sql`update stock_balance set reserved = ${reserved} where item_id = (select id from item where code = 'A')`)
  })
})
