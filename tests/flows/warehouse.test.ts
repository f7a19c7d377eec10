import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  // C and D are counted, one of them by the carton; E is counted by the piece and sold by the carton.
  for (const [item, uom, unit] of [['C', 'CTN', 'UM.0037'], ['E', 'PCS', 'UM.0021'], ['D', 'CTN', 'UM.0003']] as const) {
    await scene.create('admin', 'item-uom', { ItemID: await scene.at.id('item', item), Uom: uom, Factor: '1', CoretaxUnit: unit })
  }
})

const makmur = 'C0000001'
const linesOf = async (order: Record): Promise<Record[]> => (await scene.read('sales-order', order.ID)).Lines
const plan = async (ids: readonly number[], Quantities: object) =>
  scene.people.warehouse.post('/api/v1/command/plan-delivery', { IDs: ids, PlanDate: scene.at.clock.today(), Release: true, Quantities }, { key: scene.key() })
const pick = (delivery: Record, Quantities: object) => scene.tryAct('warehouse', 'delivery-order', delivery.id, 'pick', { Quantities })
const deliveryLines = (delivery: Record) => scene.rows('delivery_order_line', sql`delivery_order_id = ${delivery.id}`)

describe('quantities of a plan', () => {
  test('are whole pieces where an item is counted, unless a part is all that is left', async () => {
    const order = await scene.order(makmur, [{ item: 'C', qty: '4' }, { item: 'D', qty: '4' }, { item: 'E', qty: '1' }])
    const [c, d, e] = await linesOf(order)
    const answer = await plan([c.ID, d.ID, e.ID], { [c.ID]: '1.5', [d.ID]: '1.5', [e.ID]: '12' })
    expect(answer.data.results.find((one: Record) => one.ID === c.ID)).toMatchObject({ ok: false, code: 'VALIDATION_FAILED', text: 'C: 1.5 CTN is no whole number of pieces.' })
    expect(answer.data.results.filter((one: Record) => one.ok).map((one: Record) => one.ID)).toEqual([d.ID, e.ID])
    expect((await linesOf(order)).map((line: Record) => line.PlannedQty)).toEqual(['0.000', '1.500', '12.000'])
    const part = await scene.draftOrder(makmur, [{ item: 'C', qty: '2.5' }])
    const asked = await scene.tryAct('sales', 'sales-order', part.ID, 'submit')
    await scene.act('sales', 'sales-order', part.ID, 'submit', {}, { acknowledge: asked.data.warnings.map((one: Record) => one.id) })
    const [half] = await linesOf(part)
    expect((await plan([half.ID], { [half.ID]: '2' })).data.results).toMatchObject([{ ok: true }])
    expect((await plan([half.ID], {})).data.results).toMatchObject([{ ok: true }])
  })

  test('may be none of a line: it stays on the order, and nothing was refused', async () => {
    const order = await scene.order(makmur, [{ item: 'C', qty: '2' }, { item: 'D', qty: '2' }])
    const [c, d] = await linesOf(order)
    expect((await plan([c.ID, d.ID], { [c.ID]: '0' })).data.results).toMatchObject([{ ID: c.ID, ok: true, text: `${order.Code}: none of 2 C planned, as asked; all of it stays on the order.` }, { ID: d.ID, ok: true }])
    expect((await linesOf(order)).map((line: Record) => Number(line.PlannedQty))).toEqual([0, 2])
  })

  test('belong to lines that are planned', async () => {
    const order = await scene.order(makmur, [{ item: 'C', qty: '2' }, { item: 'D', qty: '2' }])
    const [c, d] = await linesOf(order)
    expect(await plan([c.ID], { [d.ID]: '1' })).toMatchObject({ code: 'VALIDATION_FAILED', data: { errors: [{ field: `Quantities.${d.ID}`, key: 'field.NOT_IN_SCOPE.line' }] } })
    expect((await plan([c.ID], { [c.ID]: '3' })).data.results).toMatchObject([{ ok: false, code: 'EXCEEDS_AVAILABLE', text: `${order.Code}: only 2 of C are open; 3 were asked for.` }])
  })
})

describe('what is picked', () => {
  test('is corrected while the goods are here: lines not named stay as they were picked', async () => {
    const order = await scene.order(makmur, [{ item: 'C', qty: '3' }, { item: 'D', qty: '3' }])
    const [delivery] = await scene.plan(order)
    const [c, d] = await deliveryLines(delivery)
    const correct = (Quantities: object) => scene.tryAct('warehouse', 'delivery-order', delivery.id, 'repick', { Quantities })
    expect((await correct({ [c.id]: '1' })).code).toBe('ILLEGAL_TRANSITION')
    await pick(delivery, { [c.id]: '1', [d.id]: '2' })
    expect(await correct({ [c.id]: '4' })).toMatchObject({ code: 'EXCEEDS_AVAILABLE' })
    expect((await correct({ [c.id]: '3' })).data.record).toMatchObject({ Status: 1 })
    expect((await deliveryLines(delivery)).map((line) => Number(line['qty_picked']))).toEqual([3, 2])
    expect((await correct({ [c.id]: '0', [d.id]: '0' })).data.errors).toMatchObject([{ field: 'Quantities' }])
    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
    expect((await linesOf(order)).map((line: Record) => Number(line.DeliveredQty))).toEqual([3, 2])
    expect((await correct({ [d.id]: '3' })).code).toBe('ILLEGAL_TRANSITION')
  })

  test('is of lines of this delivery', async () => {
    const [one, other] = [await scene.order(makmur, [{ item: 'D', qty: '2' }]), await scene.order(makmur, [{ item: 'D', qty: '2' }])]
    const [[delivery], [foreign]] = [await scene.plan(one), await scene.plan(other)]
    const [line] = await deliveryLines(foreign)
    expect(await pick(delivery, { [line.id]: '1' })).toMatchObject({ code: 'VALIDATION_FAILED', data: { errors: [{ field: `Quantities.${line.id}`, key: 'field.NOT_IN_SCOPE.line' }] } })
    expect(await pick(delivery, { nonsense: '1' })).toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('is whole pieces where an item is counted', async () => {
    const [delivery] = await scene.plan(await scene.order(makmur, [{ item: 'C', qty: '3' }]))
    const [line] = await deliveryLines(delivery)
    expect(await pick(delivery, { [line.id]: '0.5' })).toMatchObject({ code: 'VALIDATION_FAILED', data: { errors: [{ field: `Quantities.${line.id}`, text: 'C: 0.5 CTN is no whole number of pieces.' }] } })
    expect(await pick(delivery, { [line.id]: '2' })).toMatchObject({ code: 'success' })
  })

  test('short of what was planned, the rest is to be planned again: so says the flow of the order, before and after', async () => {
    const order = await scene.order(makmur, [{ item: 'D', qty: '6' }])
    const day = scene.at.clock.today()
    const flow = async () => {
      const { rows } = (await scene.people.finance.get('/api/v1/report/so-do-gi-bill.report', { DateFrom: day, DateTo: day, AsOf: day, length: 1000 })).data
      return rows.filter((row: Record) => row.SoCode === order.Code).map((row: Record) => [row.SoQty, row.DoQty, row.GiQty, row.GapDo, row.GapGi].map(Number))
    }
    const [delivery] = await scene.plan(order)
    const [line] = await deliveryLines(delivery)
    await pick(delivery, { [line.id]: '2' })
    expect(await flow()).toEqual([[6, 6, 0, 0, 6]])
    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
    expect(await flow()).toEqual([[6, 2, 2, 4, 0]])
    await scene.plan(order)
    expect((await flow()).toSorted((one: number[], other: number[]) => (other[0] ?? 0) - (one[0] ?? 0))).toEqual([[6, 2, 2, 0, 0], [0, 4, 0, 0, 4]])
  })
})

describe('a trip', () => {
  const vehicle = (code: string, limits: object) => scene.create('admin', 'vehicle', { Code: code, Name: code, OperatingUnitID: unitId, Kind: 'VAN', ...limits })
  const change = (id: number, trip: object, acknowledge: readonly string[] = []) =>
    scene.people.warehouse.post('/api/v1/command/change-trip', { IDs: [id], PlanDate: scene.at.clock.today(), ...trip }, { key: scene.key(), acknowledge })
  const history = async (id: number): Promise<readonly string[]> => {
    const { records } = (await scene.people.warehouse.get(`/api/v1/data/delivery-plan/${id}/history`)).data
    return records.flatMap(({ Diff }: Record) => (Diff ?? []).map((one: Record) => one.field ?? one.Field))
  }
  let unitId = 0
  let light: Record, heavy: Record
  beforeAll(async () => {
    unitId = await scene.at.id('operating_unit', 'JKT')
    light = await vehicle('B 1 LGT', { MaxWeight: '5', MaxVolume: '100' })
    heavy = await vehicle('B 1 HVY', { MaxWeight: '5000', MaxVolume: '0.001' })
    // What the orders before have used of it.
    await scene.database.run(sql`update credit_limit set amount = 1000000000`)
    await scene.database.run(sql`update item set weight_kg = 2, volume_m3 = 0.01 where code in ('C', 'D')`)
  })

  test('is asked about before its vehicle carries more than it may, and goes when that is accepted', async () => {
    const order = await scene.order(makmur, [{ item: 'D', qty: '4' }])
    const [d] = await linesOf(order)
    const ask = (VehicleID: number, acknowledge: readonly string[] = []) =>
      scene.people.warehouse.post('/api/v1/command/plan-delivery', { IDs: [d.ID], PlanDate: scene.at.clock.today(), VehicleID, Release: true }, { key: scene.key(), acknowledge })
    const warned = await ask(light.ID)
    expect([warned.status, warned.data.warnings]).toMatchObject([412, [{ code: 'OVERLOADED', text: 'B 1 LGT may carry 5 kg and would carry 8 kg.' }]])
    expect((await ask(heavy.ID)).data.warnings).toMatchObject([{ text: 'B 1 HVY holds 0.001 m³ and would carry 0.04 m³.' }])
    expect((await linesOf(order)).map((line: Record) => Number(line.PlannedQty))).toEqual([0])
    const answer = await ask(light.ID, warned.data.warnings.map((one: Record) => one.id))
    expect(answer.data.results).toMatchObject([{ ok: true }])
    expect((await linesOf(order)).map((line: Record) => Number(line.PlannedQty))).toEqual([4])
  })

  test('is another until it leaves: deliveries nothing was issued for take the new day, the history says what changed', async () => {
    const order = await scene.order(makmur, [{ item: 'D', qty: '4' }])
    const [delivery] = await scene.plan(order)
    const id = delivery['delivery_plan_id']
    const tomorrow = new Date(Date.parse(scene.at.clock.today()) + 86_400_000).toISOString().slice(0, 10)
    expect((await change(id, {})).data.results).toMatchObject([{ ok: true, key: 'done.trip-unchanged' }])
    const warned = (await change(id, { VehicleID: light.ID, Helper: 'Budi' })).data.results[0]
    expect(warned).toMatchObject({ ok: false, warnings: [{ code: 'OVERLOADED' }] })
    expect(await scene.read('delivery-plan', id)).toMatchObject({ VehicleID: null, Helper: null })
    const accepted = await change(id, { PlanDate: tomorrow, VehicleID: light.ID, Helper: 'Budi' }, warned.warnings.map((one: Record) => one.id))
    expect(accepted.data.results).toMatchObject([{ ok: true, key: 'done.trip-changed' }])
    expect(await scene.read('delivery-plan', id)).toMatchObject({ PlanDate: tomorrow, VehicleID: light.ID, Helper: 'Budi' })
    expect(await scene.read('delivery-order', delivery.id)).toMatchObject({ DocDate: tomorrow })
    expect((await history(id)).toSorted()).toEqual(expect.arrayContaining(['helper', 'plan_date', 'vehicle_id']))
    // What is not named stays, what is named without a value goes; a vehicle kept is not asked about again.
    expect((await change(id, { Helper: null })).data.results).toMatchObject([{ ok: true }])
    expect(await scene.read('delivery-plan', id)).toMatchObject({ PlanDate: scene.at.clock.today(), VehicleID: light.ID, Helper: null })
    await scene.act('warehouse', 'delivery-order', delivery.id, 'pick', {})
    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
    await scene.act('warehouse', 'delivery-plan', id, 'depart')
    expect((await change(id, { Helper: 'Too late' })).data.results).toMatchObject([{ ok: false, code: 'ILLEGAL_TRANSITION' }])
  })
})

test('nothing contradicts itself', async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

describe('what a command has made', () => {
  test('is named with its page, document by document; what was refused and undone is not', async () => {
    const orders = [await scene.order(makmur, [{ item: 'C', qty: '1' }]), await scene.order('C0000002', [{ item: 'D', qty: '1' }])]
    const lines = (await Promise.all(orders.map(linesOf))).flat().map((line) => line.ID)
    const planned = (await plan(lines, {})).data
    const [trip] = planned.Plans
    const deliveries = await scene.rows('delivery_order', sql`delivery_plan_id = ${trip.ID}`)
    expect(deliveries).toHaveLength(2)
    expect(planned.made).toEqual([
      expect.objectContaining({ text: `Delivery plan ${trip.Code}`, path: `/delivery_plan?tab=plans&edit=${trip.ID}` }),
      ...deliveries.map(({ id, code }) => expect.objectContaining({ text: `Delivery order ${code}`, path: `/delivery_plan?tab=deliveries&v=none&edit=${id}` })),
    ])
    const [first, second] = deliveries
    for (const { id } of [first, second]) await scene.act('warehouse', 'delivery-order', id, 'pick')
    // One of them by itself, then both in one call: what has gone cannot go again.
    const one = (await scene.tryAct('warehouse', 'delivery-order', first?.id, 'issue')).data
    expect(one.made).toEqual([expect.objectContaining({ text: expect.stringMatching(/^Goods issue GI\//) })])
    const both = await scene.people.warehouse.post('/api/v1/data/delivery-order/bulk/issue', { IDs: deliveries.map(({ id }) => id) }, { key: scene.key() })
    expect(both.data.results.map((row: Record) => [row.ok, row.made?.length])).toEqual([[false, undefined], [true, 1]])
    const issues = await scene.rows('goods_issue', sql`delivery_order_id in (${first?.id}, ${second?.id})`)
    const billed = await scene.command('billing', 'bill-deliveries', { IDs: issues.map(({ id }) => id), InvoiceDate: scene.at.clock.today() })
    expect(billed.made.map(({ text }: Record) => text)).toEqual(billed.Invoices.map((invoice: Record) => `Invoice ${invoice.Code}`).toSorted())
    expect((await plan(lines, {})).data.made, 'nothing left to plan').toBeUndefined()
  })
})
