import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let [source, van, canvasser] = [0, 0, 0]
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  const unit = await id('operating_unit', 'JKT')
  source = await id('warehouse', 'WJKT')
  ;[canvasser = 0] = await insertRows(scene.database, 'employee', [{ work_number: 'V1', name: 'Canvasser', operating_unit_id: unit, position: 'CANVASSER' }])
  ;[van = 0] = await insertRows(scene.database, 'warehouse', [{ code: 'VAN1', name: 'Van 1', operating_unit_id: unit, kind: 'CANVAS', stock_class: 'CANVAS', employee_id: canvasser }])
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
let taken = 0

/** An item of which so many are in the main warehouse, at that cost each. */
async function newItem(code: string, qty: string, cost: string): Promise<number> {
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Item ${code}`, base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'PCS', factor: '1', coretax_unit: 'UM.0021' }])
  taken += 1
  const opening = { type: 'opening_balance', id: 910_000 + taken, code: `V${taken}` }
  const unit = await id('operating_unit', 'JKT')
  await scene.database.transaction((tx) => receiveStock(runOf(scene.database, tx), { kind: 'OB_STOCK', date: today(), operatingUnitId: unit, warehouseId: source, source: opening, lines: [{ itemId: item, batch: '', qty, cost }] }))
  return item
}

async function approved(item: number, qty: string): Promise<Record> {
  const made = await scene.create('sales', 'canvas', { VanWarehouseID: van, SourceWarehouseID: source, DocDate: today(), Lines: [{ ItemID: item, QtyRequested: qty }] })
  await scene.act('sales', 'canvas', made.ID, 'submit')
  await scene.decide('canvas_request', made.ID, 'approve', ['supervisor'])
  return scene.read('canvas', made.ID)
}
async function loaded(item: number, qty: string): Promise<Record> {
  const made = await approved(item, qty)
  await scene.act('warehouse', 'canvas', made.ID, 'start')
  await scene.act('warehouse', 'canvas', made.ID, 'pick', {})
  await scene.act('sales', 'canvas', made.ID, 'confirm-load', {})
  return scene.read('canvas', made.ID)
}
async function counted(made: Record, qty: string): Promise<Record> {
  await scene.act('sales', 'canvas', made.ID, 'unload')
  return scene.act('warehouse', 'canvas', made.ID, 'check', { Quantities: { [made.Lines[0].ID]: qty } })
}
const onVan = (item: number) => scene.database.first(sql`select qty, value from stock_cost where item_id = ${item} and stock_class = 'CANVAS'`)
const booked = (made: Record) => scene.journal('canvas_request', made.ID)

describe('a trip of a van', () => {
  test('loads, is counted short, and the canvasser owes what is missing', async () => {
    const item = await newItem('VN-A', '100', '1840000')
    const made = await loaded(item, '60')
    expect(made).toMatchObject({ Status: 8, Stage: 'SELLING', TripNo: 1, CanvasserID: canvasser, Total: '1104000.00' })
    expect(await onVan(item)).toEqual({ qty: '60.000', value: '1104000.00' })
    const after = await counted(made, '59')
    expect(after).toMatchObject({ Stage: 'PUTAWAY' })
    expect(after.Lines[0]).toMatchObject({ QtyLoaded: '60.000', QtySold: '0.000', QtyReturned: '59.000', QtyDiff: '1.000' })
    const done = await scene.act('admin', 'canvas', made.ID, 'putaway')
    expect(done).toMatchObject({ Status: 3, CostShort: '18400.00', Shortage: 'EMPLOYEE' })
    expect(await onVan(item)).toEqual({ qty: '0.000', value: '0.00' })
    expect(await booked(made)).toMatchInlineSnapshot(`
      [
        "113101 0.00 1104000.00",
        "113103 1104000.00 0.00",
        "113101 1085600.00 0.00",
        "113103 0.00 1085600.00",
        "112201 18400.00 0.00",
        "113103 0.00 18400.00",
      ]
    `)
    const moved = await scene.database.rows(sql`select movement_type as type, qty, cost_amount as cost from stock_movement where doc_type = 'canvas_request' and doc_id = ${made.ID} order by id`)
    expect(moved).toEqual([
      { type: 'V01', qty: '-60.000', cost: '-1104000.00' }, { type: 'V01', qty: '60.000', cost: '1104000.00' }, { type: 'V02', qty: '-59.000', cost: '-1085600.00' }, { type: 'V02', qty: '59.000', cost: '1085600.00' },
      { type: 'V09', qty: '-1.000', cost: '-18400.00' },
    ])
  })

  test('VN1, variant: a piece more than the book needs a reason and comes in as a gain first', async () => {
    const item = await newItem('VN-B', '100', '1840000')
    const made = await loaded(item, '12')
    await counted(made, '13')
    const refused = await scene.tryAct('warehouse', 'canvas', made.ID, 'putaway')
    expect(refused.data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['ReasonID', 'field.REQUIRED.van-found']])
    const done = await scene.act('admin', 'canvas', made.ID, 'putaway', { ReasonID: await id('reason', 'A01') })
    expect(done.Lines[0]).toMatchObject({ QtyDiff: '-1.000', CostFound: '18400.00', CostReturned: '239200.00' })
    expect(await onVan(item)).toEqual({ qty: '0.000', value: '0.00' })
    expect(await booked(made)).toMatchInlineSnapshot(`
      [
        "113101 0.00 220800.00",
        "113103 220800.00 0.00",
        "113103 18400.00 0.00",
        "511103 0.00 18400.00",
        "113101 239200.00 0.00",
        "113103 0.00 239200.00",
      ]
    `)
  })

  test('in work takes remarks until its goods are back, and nothing else', async () => {
    const item = await newItem('VN-N', '20', '1000')
    const made = await approved(item, '10')
    const noted = async (Note: string, more: object = {}) => {
      const { Version, VanWarehouseID, SourceWarehouseID, DocDate } = await scene.read('canvas', made.ID)
      return scene.people.sales.put(`/api/v1/data/canvas/${made.ID}`, { VanWarehouseID, SourceWarehouseID, DocDate, Note, ...more }, { key: scene.key(), version: Version })
    }
    expect((await noted('before work')).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('warehouse', 'canvas', made.ID, 'start')
    expect((await noted('tyre changed')).code).toBe('success')
    expect((await noted('tyre changed', { DocDate: '2025-01-02' })).data.errors).toMatchObject([{ field: 'DocDate', key: 'field.READ_ONLY.status' }])
    await scene.act('warehouse', 'canvas', made.ID, 'pick', {})
    await scene.act('sales', 'canvas', made.ID, 'confirm-load', {})
    expect((await noted('late start')).code).toBe('success')
    await counted(await scene.read('canvas', made.ID), '10')
    expect(await scene.read('canvas', made.ID)).toMatchObject({ Status: 8, Stage: 'PUTAWAY', Note: 'late start' })
    expect((await noted('too late')).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('admin', 'canvas', made.ID, 'putaway')
  })

  test('hands over at most what was approved and picked, goes back a stage, and ends only before it is loaded', async () => {
    const item = await newItem('VN-C', '20', '200000')
    const made = await approved(item, '10')
    const line = made.Lines[0].ID
    await scene.act('warehouse', 'canvas', made.ID, 'start')
    const told = async (action: string, qty: string) => (await scene.tryAct('warehouse', 'canvas', made.ID, action, { Quantities: { [line]: qty } })).data.errors.map(({ field, key }: Record) => [field, key])
    expect(await told('pick', '11')).toEqual([[`Quantities.${line}`, 'field.TOO_LARGE.stage']])
    await scene.act('warehouse', 'canvas', made.ID, 'pick', { Quantities: { [line]: '8' } })
    expect(await told('confirm-load', '9')).toEqual([[`Quantities.${line}`, 'field.TOO_LARGE.stage']])
    expect((await scene.tryAct('sales', 'canvas', made.ID, 'cancel', { ReasonID: await id('reason', 'C02') })).status).toBe(409)
    const out = await scene.act('warehouse', 'canvas', made.ID, 'confirm-load', { Quantities: { [line]: '7' } })
    expect(out.Lines[0]).toMatchObject({ QtyApproved: '10.000', QtyPicked: '8.000', QtyLoaded: '7.000' })
    const other = await approved(item, '3')
    await scene.act('warehouse', 'canvas', other.ID, 'start')
    await scene.act('warehouse', 'canvas', other.ID, 'pick', {})
    expect((await scene.tryAct('warehouse', 'canvas', other.ID, 'confirm-load', {})).data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.van-out', params: { document: out.Code } })
    await counted(out, '6')
    await scene.act('warehouse', 'canvas', out.ID, 'step-back')
    await scene.act('warehouse', 'canvas', out.ID, 'check', { Quantities: { [line]: '7' } })
    expect(await scene.act('admin', 'canvas', out.ID, 'putaway')).toMatchObject({ Status: 3, CostShort: '0.00' })
    const third = await approved(item, '3')
    expect(await scene.act('sales', 'canvas', third.ID, 'cancel', { ReasonID: await id('reason', 'C02') })).toMatchObject({ Status: 6 })
  })

  test('what is on a van is not sold by an order of the warehouse', async () => {
    const body = { CustomerID: await id('customer', 'C0000001'), DocDate: today(), OrderType: 'REG', WarehouseID: van, Lines: [{ ItemID: await id('item', 'A'), Uom: 'CTN', Qty: '1' }] }
    const answer = await scene.people.sales.post('/api/v1/data/sales-order', body, { key: scene.key() })
    expect(answer.data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['WarehouseID', 'field.NOT_A_CHOICE.warehouse-for-sale']])
  })

  test('is asked for a van of the unit with a canvasser, and for goods that are there', async () => {
    const item = await newItem('VN-D', '5', '50000')
    const body = { VanWarehouseID: source, SourceWarehouseID: source, DocDate: today(), Lines: [{ ItemID: item, QtyRequested: '6' }] }
    const made = await scene.create('sales', 'canvas', body)
    const refused = await scene.tryAct('sales', 'canvas', made.ID, 'submit')
    expect(refused.data.errors.map(({ key }: Record) => key)).toContain('rule.van-of-canvasser')
    const many = await scene.create('sales', 'canvas', { ...body, VanWarehouseID: van })
    expect((await scene.tryAct('sales', 'canvas', many.ID, 'submit')).data.errors.map(({ key }: Record) => key)).toEqual(['field.EXCEEDS_AVAILABLE.stock'])
  })
})

const held = (item: number) => scene.database.first(sql`
  select b.reserved, coalesce((select sum(r.open_qty) from stock_reservation r where r.item_id = b.item_id and r.warehouse_id = b.warehouse_id and r.kind = 'CANVAS'), 0)::numeric(18, 3) as open
  from stock_balance b where b.item_id = ${item} and b.warehouse_id = ${source}`)
const nothing = { reserved: '0.000', open: '0.000' }

describe('goods of a van between approval and loading', () => {
  test('are held for it, so that no order takes them, and given back by cancelling', async () => {
    const item = await newItem('VN-H1', '10', '100000')
    const made = await approved(item, '8')
    expect(await held(item)).toEqual({ reserved: '8.000', open: '8.000' })
    const other = await scene.create('sales', 'canvas', { VanWarehouseID: van, SourceWarehouseID: source, DocDate: today(), Lines: [{ ItemID: item, QtyRequested: '3' }] })
    const refused = await scene.tryAct('sales', 'canvas', other.ID, 'submit')
    expect(refused.data.errors.map(({ key, params }: Record) => [key, params])).toEqual([['field.EXCEEDS_AVAILABLE.stock', { stock: '2' }]])
    await scene.act('warehouse', 'canvas', made.ID, 'start')
    expect(await held(item)).toEqual({ reserved: '8.000', open: '8.000' })
    expect(await scene.act('sales', 'canvas', made.ID, 'cancel', { ReasonID: await id('reason', 'C02') })).toMatchObject({ Status: 6 })
    expect(await held(item)).toEqual(nothing)
    expect((await scene.tryAct('sales', 'canvas', other.ID, 'submit')).status).toBe(200)
  })

  test('are let go by loading, also what was picked and not loaded', async () => {
    const item = await newItem('VN-H2', '10', '100000')
    const made = await approved(item, '8')
    await scene.act('warehouse', 'canvas', made.ID, 'start')
    await scene.act('warehouse', 'canvas', made.ID, 'pick', { Quantities: { [made.Lines[0].ID]: '7' } })
    await scene.act('warehouse', 'canvas', made.ID, 'confirm-load', { Quantities: { [made.Lines[0].ID]: '5' } })
    expect(await held(item)).toEqual(nothing)
    expect(await scene.database.first(sql`select on_hand from stock_balance where item_id = ${item} and warehouse_id = ${source}`)).toEqual({ on_hand: '5.000' })
    await counted(made, '5')
    await scene.act('admin', 'canvas', made.ID, 'putaway')
  })

  test('are not held before it is approved, nor once it is rejected', async () => {
    const item = await newItem('VN-H3', '10', '100000')
    const made = await scene.create('sales', 'canvas', { VanWarehouseID: van, SourceWarehouseID: source, DocDate: today(), Lines: [{ ItemID: item, QtyRequested: '8' }] })
    await scene.act('sales', 'canvas', made.ID, 'submit')
    expect(await held(item)).toEqual(nothing)
    await scene.decide('canvas_request', made.ID, 'reject', ['supervisor'])
    expect(await held(item)).toEqual(nothing)
  })
})

describe('the approver of a loading', () => {
  const submitted = async (first: number, second: number): Promise<Record> => {
    const made = await scene.create('sales', 'canvas', { VanWarehouseID: van, SourceWarehouseID: source, DocDate: today(), Lines: [{ ItemID: first, QtyRequested: '8' }, { ItemID: second, QtyRequested: '6' }] })
    await scene.act('sales', 'canvas', made.ID, 'submit')
    return scene.read('canvas', made.ID)
  }
  const approve = async (made: Record, Quantities: unknown) => {
    const request = await scene.database.first<{ id: number }>(sql`select id from approval_request where doc_type = 'canvas_request' and doc_id = ${made.ID} and status = 4`)
    return scene.people.supervisor.post(`/api/v1/approval/${request?.id}/approve`, { Quantities }, { key: scene.key() })
  }

  test('may cut lines, never beyond what was asked, and the cut is held, shown and kept', async () => {
    const [first, second] = [await newItem('VN-K1', '10', '100000'), await newItem('VN-K2', '10', '100000')]
    const made = await submitted(first, second)
    const [a, b] = made.Lines.map(({ ID }: Record) => ID)
    const refused = async (quantities: unknown) => (await approve(made, quantities)).data.errors.map(({ field, key }: Record) => [field, key])
    expect(await refused({ [a]: '9' })).toEqual([[`Quantities.${a}`, 'field.TOO_LARGE.stage']])
    expect(await refused({ [a]: '-1' })).toEqual([[`Quantities.${a}`, 'field.NEGATIVE']])
    expect(await refused({ [a]: '1.5' })).toEqual([[`Quantities.${a}`, 'field.INVALID.part-of-piece']])
    expect(await refused({ [a]: 'many' })).toEqual([[`Quantities.${a}`, 'field.NEGATIVE']])
    expect(await refused({ 99999999: '1' })).toEqual([['Quantities.99999999', 'field.NOT_IN_SCOPE.line']])
    expect(await refused([1])).toEqual([['Quantities', 'field.INVALID.quantities']])
    expect(await refused({ [a]: '0', [b]: '0' })).toEqual([[`Quantities.${a}`, 'field.REQUIRED.something-approved']])
    expect(await scene.read('canvas', made.ID)).toMatchObject({ Status: 4 })
    expect((await approve(made, { [a]: '5', [b]: '0' })).status).toBe(200)
    const cut = await scene.read('canvas', made.ID)
    expect(cut).toMatchObject({ Status: 1 })
    expect(cut.Lines).toMatchObject([{ QtyRequested: '8.000', QtyApproved: '5.000', QtyLoaded: '5.000' }, { QtyRequested: '6.000', QtyApproved: '0.000', QtyLoaded: '0.000' }])
    expect([await held(first), await held(second)]).toEqual([{ reserved: '5.000', open: '5.000' }, nothing])
    const log = await scene.database.rows(sql`select action, diff from document_log where doc_type = 'canvas_request' and doc_id = ${made.ID} and action in ('cut', 'approve') order by id`)
    expect(log).toMatchObject([
      { action: 'cut', diff: [{ field: 'lines[0].qty_approved', from: '8.000', to: '5.000' }, { field: 'lines[1].qty_approved', from: '6.000', to: '0.000' }] },
      { action: 'approve' },
    ])
    await scene.act('warehouse', 'canvas', made.ID, 'start')
    expect((await scene.tryAct('warehouse', 'canvas', made.ID, 'pick', { Quantities: { [a]: '6' } })).data.errors.map(({ key }: Record) => key)).toEqual(['field.TOO_LARGE.stage'])
    await scene.act('warehouse', 'canvas', made.ID, 'pick', {})
    const out = await scene.act('sales', 'canvas', made.ID, 'confirm-load', {})
    expect(out.Lines.map(({ QtyLoaded }: Record) => QtyLoaded)).toEqual(['5.000', '0.000'])
    expect([await held(first), await held(second)]).toEqual([nothing, nothing])
    await scene.act('sales', 'canvas', made.ID, 'unload')
    await scene.act('warehouse', 'canvas', made.ID, 'check', { Quantities: { [a]: '5' } })
    await scene.act('admin', 'canvas', made.ID, 'putaway')
  })

  test('cuts nothing of a document that knows no cuts, nor while rejecting', async () => {
    const made = await submitted(await newItem('VN-K3', '10', '100000'), await newItem('VN-K4', '10', '100000'))
    const request = await scene.database.first<{ id: number }>(sql`select id from approval_request where doc_type = 'canvas_request' and doc_id = ${made.ID} and status = 4`)
    const answer = await scene.people.supervisor.post(`/api/v1/approval/${request?.id}/reject`, { Note: 'no', Quantities: {} }, { key: scene.key() })
    expect([answer.status, answer.data.errors.map(({ field }: Record) => field)]).toEqual([422, ['Quantities']])
  })

  test('is told when the goods have gone meanwhile, and may approve what is left', async () => {
    const [first, second] = [await newItem('VN-K5', '8', '100000'), await newItem('VN-K6', '6', '100000')]
    const [made, rival] = [await submitted(first, second), await submitted(first, second)]
    expect((await approve(rival, { [rival.Lines[0].ID]: '3' })).status).toBe(200)
    const refused = await approve(made, null)
    expect(refused.data.errors.map(({ key, params }: Record) => [key, params])).toEqual([['field.EXCEEDS_AVAILABLE.stock', { stock: '5' }], ['field.EXCEEDS_AVAILABLE.stock', { stock: '0' }]])
    expect((await approve(made, { [made.Lines[0].ID]: '5', [made.Lines[1].ID]: '0' })).status).toBe(200)
    expect(await held(first)).toEqual({ reserved: '8.000', open: '8.000' })
  })
})
