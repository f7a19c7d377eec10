import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { accepted, openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let vendor: number
let unit: number
let warehouse: number
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  ;[vendor = 0] = await insertRows(scene.database, 'business_partner', [{ code: 'V1', name: 'PT Pemasok', kinds: ['VENDOR'], is_pkp: true, ap_account_group: 'TRADE' }])
  unit = await id('operating_unit', 'JKT')
  warehouse = await id('warehouse', 'WJKT')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()

/** An item nothing was ever received of. */
async function newItem(code: string, more: object = {}): Promise<number> {
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Item ${code}`, base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1, ...more }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'PCS', factor: '1', coretax_unit: 'UM.0021' }])
  return item
}

/** An order released. */
async function ordered(lines: readonly object[], more: object = {}): Promise<Record> {
  const draft = await scene.create('admin', 'purchase-order', { BpID: vendor, OperatingUnitID: unit, PoDate: '2026-11-10', DeliveryDate: '2026-11-20', Lines: lines, ...more })
  return scene.act('admin', 'purchase-order', draft.ID, 'release')
}
async function receipt(order: Record, lines: readonly object[], more: object = {}): Promise<Record> {
  return scene.create('warehouse', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: warehouse, GrDate: today(), SupplierDnNo: 'SJ-1', Lines: lines, ...more })
}
const post = (made: Record): Promise<Record> => scene.act('warehouse', 'goods-receipt', made.ID, 'post')
const received = async (order: Record, qty: string, line = 0, more: object = {}): Promise<Record> => post(await receipt(order, [{ PoLineID: order.Lines[line].ID, QtyReceived: qty, ...more }]))
const undo = async (made: Record): Promise<Record> => scene.act('warehouse', 'goods-receipt', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
const stockOf = async (item: number): Promise<object[]> =>
  scene.database.rows(sql`select b.on_hand, c.qty, c.value from stock_balance b join stock_cost c on c.item_id = b.item_id where b.item_id = ${item} and c.operating_unit_id = ${unit}`)
const refusals = async (made: Record, action: string, who: 'warehouse' | 'admin' = 'warehouse', resource = 'goods-receipt') =>
  (await scene.tryAct(who, resource, made.ID, action, action === 'post' ? {} : { ReasonID: await id('reason', 'V02') })).data.errors.map(({ field, key }: Record) => [field, key])

describe('PU1: 500 ordered at 12,000, received in parts', () => {
  test('200 and 150 are received, the order follows, and 211103 waits for the invoice', async () => {
    const item = await newItem('PU1')
    const order = await ordered([{ ItemID: item, Qty: '500', Price: '12000' }])
    expect(order).toMatchObject({ Status: 1, Total: '6000000.00', DocDate: '2026-11-10' })
    const first = await received(order, '200')
    expect(first.Lines[0]).not.toHaveProperty('UnitCost')
    expect(await scene.read('goods-receipt', first.ID)).toMatchObject({ Status: 1, Total: '2400000.00', Lines: [{ UnitCost: '12000.000000', Cost: '2400000.00', QtyOrdered: '500.000' }] })
    expect(first.Code).toMatch(/^GR\/JKT\/2611\//)
    expect(await scene.journal('goods_receipt', first.ID)).toEqual(['113101 2400000.00 0.00', '211103 0.00 2400000.00'])
    expect(await scene.read('purchase-order', order.ID)).toMatchObject({ Status: 2, Lines: [{ ReceivedQty: '200.000' }] })
    const second = await received(order, '150')
    expect(await scene.read('purchase-order', order.ID)).toMatchObject({ Status: 2, Lines: [{ ReceivedQty: '350.000', BilledQty: '0.000' }] })
    expect(await stockOf(item)).toEqual([{ on_hand: '350.000', qty: '350.000', value: '4200000.00' }])
    await undo(second)
    expect(await scene.read('purchase-order', order.ID)).toMatchObject({ Status: 2, Lines: [{ ReceivedQty: '200.000' }] })
    await undo(first)
    expect(await scene.read('purchase-order', order.ID)).toMatchObject({ Status: 1, Lines: [{ ReceivedQty: '0.000' }] })
    expect(await scene.journal('goods_receipt', first.ID)).toEqual(['113101 2400000.00 0.00', '211103 0.00 2400000.00', '113101 0.00 2400000.00', '211103 2400000.00 0.00'])
    expect(await stockOf(item)).toEqual([{ on_hand: '0.000', qty: '0.000', value: '0.00' }])
  })

  test('the whole closes the order; more than ordered is refused at the line', async () => {
    const order = await ordered([{ ItemID: await newItem('PU1B'), Qty: '100', Price: '5000' }])
    const over = await receipt(order, [{ PoLineID: order.Lines[0].ID, QtyReceived: '102' }])
    const refused = await scene.tryAct('warehouse', 'goods-receipt', over.ID, 'post')
    expect(refused).toMatchObject({ code: 'EXCEEDS_REMAINING', status: 422, data: { errors: [{ field: 'Lines[0].QtyReceived', text: 'At most 100 are left.' }] } })
    await received(order, '60')
    await received(order, '40', 0, { QtyRejected: '3' })
    expect(await scene.read('purchase-order', order.ID)).toMatchObject({ Status: 3, Lines: [{ ReceivedQty: '100.000' }] })
    const late = await receipt(order, [{ PoLineID: order.Lines[0].ID, QtyReceived: '1' }])
    expect(await refusals(late, 'post')).toEqual([['Lines[0].PoLineID', 'field.NOT_OPEN.document']])
  })
})

describe('two receipts of one order at once', () => {
  test('never use up more than was ordered', async () => {
    const order = await ordered([{ ItemID: await newItem('RACE'), Qty: '10', Price: '1000' }])
    const drafts = await Promise.all([1, 2, 3].map(() => receipt(order, [{ PoLineID: order.Lines[0].ID, QtyReceived: '6' }])))
    const answers = await Promise.all(drafts.map((draft) => scene.tryAct('warehouse', 'goods-receipt', draft.ID, 'post')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(await scene.read('purchase-order', order.ID)).toMatchObject({ Status: 2, Lines: [{ ReceivedQty: '6.000' }] })
  })

  test('nor do two lines of one receipt', async () => {
    const order = await ordered([{ ItemID: await newItem('TWICE'), Qty: '10', Price: '1000' }])
    const line = { PoLineID: order.Lines[0].ID, QtyReceived: '6' }
    expect(await refusals(await receipt(order, [line, line]), 'post')).toEqual([['Lines[1].QtyReceived', 'field.EXCEEDS_REMAINING.quantity']])
  })
})

describe('ST6: a receipt taken back after goods at another cost have left', () => {
  test('the stock gives what it has, the rest is purchase variance', async () => {
    const item = await newItem('ST6')
    const order = await ordered([{ ItemID: item, Qty: '10', Price: '100000' }, { ItemID: item, Qty: '5', Price: '130000' }])
    await received(order, '10')
    const second = await received(order, '5', 1)
    await scene.database.run(sql`update stock_balance set on_hand = 5 where item_id = ${item}`)
    await scene.database.run(sql`update stock_cost set qty = 5, value = 550000 where item_id = ${item}`)
    const [movement] = await scene.rows('stock_movement', sql`item_id = ${item}`)
    const { id: none, ...like } = movement ?? {}
    expect(none).toBeDefined()
    await insertRows(scene.database, 'stock_movement', [{ ...like, movement_type: '601', qty: '-10', cost_amount: '-1100000', doc_type: 'goods_issue', doc_id: 0 }])
    await undo(second)
    const booked = await scene.journal('goods_receipt', second.ID)
    expect(booked).toEqual(['113101 650000.00 0.00', '211103 0.00 650000.00', '113101 0.00 650000.00', '211103 650000.00 0.00', '113101 100000.00 0.00', '511102 0.00 100000.00'])
    expect(await stockOf(item)).toEqual([{ on_hand: '0.000', qty: '0.000', value: '0.00' }])
    // What left for the trial is booked by nobody else.
    await scene.database.run(sql`alter table stock_movement disable trigger stock_movement_immutable`)
    await scene.database.run(sql`delete from stock_movement where doc_type = 'goods_issue' and doc_id = 0`)
    await scene.database.run(sql`alter table stock_movement enable trigger stock_movement_immutable`)
    await scene.database.run(sql`update stock_balance set on_hand = 10 where item_id = ${item}`)
    await scene.database.run(sql`update stock_cost set qty = 10, value = 1100000 where item_id = ${item}`)
  })
})

describe('what a receipt is held to', () => {
  test('lines of its own order, goods and not services, a batch where the item has them, whole pieces', async () => {
    const plain = await newItem('PLAIN')
    const batched = await newItem('BATCH', { is_batch: true })
    const order = await ordered([{ ItemID: plain, Qty: '10', Price: '1000' }, { ItemID: batched, Qty: '10', Price: '1000' }, { ExpenseTypeID: (await scene.rows('expense_type'))[0]?.id, Qty: '1', Price: '50000' }])
    const other = await ordered([{ ItemID: plain, Qty: '10', Price: '1000' }])
    const [goods, lot, service] = order.Lines
    const told = async (lines: readonly object[], more: object = {}) => refusals(await receipt(order, lines, more), 'post')
    expect(await told([{ PoLineID: other.Lines[0].ID, QtyReceived: '1' }])).toEqual([['Lines[0].PoLineID', 'rule.line-of-order']])
    expect(await told([{ PoLineID: service.ID, QtyReceived: '1' }])).toEqual([['Lines[0].PoLineID', 'rule.line-of-goods']])
    expect(await told([{ PoLineID: lot.ID, QtyReceived: '1' }])).toEqual([['Lines[0].Batch', 'rule.batch-named']])
    expect(await told([{ PoLineID: goods.ID, QtyReceived: '1', Batch: 'B1' }])).toEqual([['Lines[0].Batch', 'rule.batch-kept']])
    expect(await told([{ PoLineID: goods.ID, QtyReceived: '1.5' }])).toEqual([['Lines[0].QtyReceived', 'field.INVALID.part-of-piece']])
    expect(await told([{ PoLineID: goods.ID, QtyReceived: '0' }])).toEqual([['Lines[0].QtyReceived', 'rule.something-came']])
    expect(await told([{ PoLineID: goods.ID, QtyReceived: '1' }], { GrDate: '2026-11-09' })).toEqual([['GrDate', 'rule.receipt-after-order']])
    const astray = await scene.create('admin', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: await id('warehouse', 'WBDG'), GrDate: today(), SupplierDnNo: 'SJ-2', Lines: [{ PoLineID: goods.ID, QtyReceived: '1' }] })
    expect(await refusals(astray, 'post', 'admin')).toEqual([['WarehouseID', 'rule.warehouse-of-unit']])
    const made = await post(await receipt(order, [{ PoLineID: lot.ID, QtyReceived: '4', Batch: 'L-77', Expiry: '2027-05-01' }]))
    expect(await scene.rows('stock_balance', sql`item_id = ${batched}`)).toMatchObject([{ batch: 'L-77', on_hand: '4.000' }])
    await undo(made)
  })

  test('its lines are those of the order still open', async () => {
    const order = await ordered([{ ItemID: await newItem('OPEN1'), Qty: '10', Price: '1000' }, { ItemID: await newItem('OPEN2'), Qty: '20', Price: '1000' }])
    await received(order, '10')
    const { record } = await scene.command('admin', 'derive-goods-receipt', { PurchaseOrderID: order.ID, GrDate: today(), Lines: [] })
    expect(record.Lines).toMatchObject([{ PoLineID: order.Lines[1].ID, QtyReceived: '20.000' }])
  })

  test('goods that are gone, or billed, are not taken back', async () => {
    const item = await newItem('GONE')
    const order = await ordered([{ ItemID: item, Qty: '10', Price: '1000' }])
    const made = await received(order, '10')
    await scene.database.run(sql`update stock_balance set reserved = 1 where item_id = ${item}`)
    const gone = await scene.tryAct('warehouse', 'goods-receipt', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(gone).toMatchObject({ code: 'STOCK_INSUFFICIENT' })
    await scene.database.run(sql`update stock_balance set reserved = 0 where item_id = ${item}`)
    await scene.database.run(sql`update goods_receipt_line set billed_qty = 4 where goods_receipt_id = ${made.ID}`)
    expect(await refusals(made, 'reverse')).toEqual([['Lines[0].BilledQty', 'rule.nothing-billed']])
    await scene.database.run(sql`update goods_receipt_line set billed_qty = 0 where goods_receipt_id = ${made.ID}`)
    expect(await undo(made)).toMatchObject({ Status: 7 })
  })

  test('an order received in part is closed, not cancelled', async () => {
    const order = await ordered([{ ItemID: await newItem('CLOSE'), Qty: '10', Price: '1000' }])
    const made = await received(order, '4')
    expect(await scene.act('admin', 'purchase-order', order.ID, 'close')).toMatchObject({ Status: 3 })
    await undo(made)
    expect(accepted(await scene.tryAct('admin', 'purchase-order', order.ID, 'cancel', { ReasonID: (await scene.rows('reason', sql`usage = 'CANCEL'`))[0]?.id })).record).toMatchObject({ Status: 6 })
  })
})
