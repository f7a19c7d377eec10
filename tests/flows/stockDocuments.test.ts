import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let jkt: number
let bdg: number
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  await insertRows(scene.database, 'business_partner', [{ code: 'V1', name: 'PT Pemasok', kinds: ['VENDOR'], ap_account_group: 'TRADE' }])
  jkt = await id('warehouse', 'WJKT')
  bdg = await id('warehouse', 'WBDG')
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()

async function newItem(code: string, price?: string): Promise<number> {
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Item ${code}`, base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'CTN', factor: '1', coretax_unit: 'UM.0037' }])
  if (price !== undefined) await insertRows(scene.database, 'list_price', [{ price_set_id: await id('price_set', 'BASE'), item_id: item, uom: 'CTN', min_qty: '0', price, valid_from: '2025-01-01' }])
  return item
}

/** So many of an item bought at this price. */
async function bought(item: number, qty: string, price: string): Promise<void> {
  const order = await scene.create('admin', 'purchase-order', { BpID: await id('business_partner', 'V1'), OperatingUnitID: await id('operating_unit', 'JKT'), PoDate: today(), DeliveryDate: today(), Lines: [{ ItemID: item, Qty: qty, Price: price }] })
  await scene.act('admin', 'purchase-order', order.ID, 'release')
  const made = await scene.create('admin', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: jkt, GrDate: today(), SupplierDnNo: `SJ-${item}`, Lines: [{ PoLineID: order.Lines[0].ID, QtyReceived: qty }] })
  await scene.act('admin', 'goods-receipt', made.ID, 'post')
}
const onHand = async (item: number, warehouse = jkt): Promise<Record | undefined> => (await scene.database.rows(sql`select on_hand, reserved from stock_balance where item_id = ${item} and warehouse_id = ${warehouse}`))[0]

/** A count begun of these items. */
async function begun(items: readonly number[], more: object = {}): Promise<Record> {
  const draft = await scene.create('admin', 'stock-opname', { WarehouseID: jkt, CountDate: today(), Freeze: true, Lines: items.map((ItemID) => ({ ItemID })), ...more })
  return scene.act('admin', 'stock-opname', draft.ID, 'start')
}
async function counted(made: Record, quantities: readonly string[], action = 'count'): Promise<Record> {
  return scene.act('admin', 'stock-opname', made.ID, action, { Quantities: Object.fromEntries(made.Lines.map((line: Record, i: number) => [line.ID, quantities[i]])) })
}
async function approved(made: Record): Promise<Record> {
  await scene.act('admin', 'stock-opname', made.ID, 'submit')
  await scene.decide('stock_opname', made.ID, 'approve', ['warehouse', 'finance'])
  return scene.read('stock-opname', made.ID)
}

describe('ST2: a count of 240 finds 236, and 30 leave meanwhile', () => {
  test('frozen: that line is refused and says by what, the other posts; it is counted anew against the new book', async () => {
    const [moved, still] = [await newItem('ST2', '20000'), await newItem('ST2B')]
    await bought(moved, '240', '12500')
    await bought(still, '50', '10000')
    const made = await begun([moved, still])
    expect(made).toMatchObject({ Status: 8, Lines: [{ SystemQty: '240.000', UnitCost: '12500.000000' }, { SystemQty: '50.000' }] })
    expect(await counted(made, ['236', '52'])).toMatchObject({ DiffValue: '70000.00', Lines: [{ CountedQty: '236.000', Diff: '-4.000', DiffValue: '-50000.00' }, { Diff: '2.000', DiffValue: '20000.00' }] })
    const { issue } = await scene.delivered('C0000001', [{ item: 'ST2', qty: '30' }])
    const done = await approved(made)
    expect(done).toMatchObject({ Status: 3, Lines: [{ MovedBy: issue.code, Gain: '0.000', Loss: '0.000' }, { MovedBy: null, Gain: '2.000' }] })
    expect(await scene.journal('stock_opname', made.ID)).toEqual(['113101 20000.00 0.00', '511103 0.00 20000.00'])
    expect(await onHand(moved)).toMatchObject({ on_hand: '210.000' })
    const again = await begun([moved])
    expect(again.Lines).toMatchObject([{ SystemQty: '210.000' }])
    await counted(again, ['206'])
    await approved(again)
    expect(await scene.journal('stock_opname', again.ID)).toEqual(['113101 0.00 50000.00', '511103 50000.00 0.00'])
    expect(await onHand(moved)).toMatchObject({ on_hand: '206.000' })
  })

  test('not frozen: the difference is that of the book when it was counted', async () => {
    const item = await newItem('ST2C', '20000')
    await bought(item, '240', '12500')
    const made = await begun([item], { Freeze: false })
    await counted(made, ['236'])
    await scene.delivered('C0000001', [{ item: 'ST2C', qty: '30' }])
    expect(await approved(made)).toMatchObject({ Status: 3, Lines: [{ Loss: '4.000', LossCost: '50000.00' }] })
    expect(await scene.journal('stock_opname', made.ID)).toEqual(['113101 0.00 50000.00', '511103 50000.00 0.00'])
    expect(await onHand(item)).toMatchObject({ on_hand: '206.000' })
  })
})

describe('ST3: 50 on hand, 48 reserved, 45 counted', () => {
  test('the newest reservation gives way', async () => {
    const item = await newItem('ST3', '1000')
    await bought(item, '50', '1000')
    const first = await scene.order('C0000001', [{ item: 'ST3', qty: '30' }])
    const second = await scene.order('C0000002', [{ item: 'ST3', qty: '18' }])
    const made = await begun([item])
    await counted(made, ['45'])
    await approved(made)
    expect(await onHand(item)).toMatchObject({ on_hand: '45.000', reserved: '45.000' })
    const reserved = async (order: Record): Promise<unknown> => (await scene.rows('sales_order_line', sql`sales_order_id = ${order.ID}`))[0]?.['reserved_qty']
    expect([await reserved(first), await reserved(second)]).toEqual(['30.000', '15.000'])
  })
})

describe('a count', () => {
  test('is whole before anybody decides, counts pieces, names each item once, and is counted again against the book as it is', async () => {
    const item = await newItem('WHOLE')
    await bought(item, '10', '1000')
    const told = async (made: Record, action: string, body: object = {}) => (await scene.tryAct('admin', 'stock-opname', made.ID, action, body)).data.errors.map(({ field, key }: Record) => [field, key])
    const twice = await scene.create('admin', 'stock-opname', { WarehouseID: jkt, CountDate: today(), Freeze: true, Lines: [{ ItemID: item }, { ItemID: item }] })
    expect(await told(twice, 'start')).toEqual([['Lines[1].ItemID', 'field.DUPLICATE.line']])
    const made = await begun([item])
    expect(await told(made, 'submit')).toEqual([['Lines[0].CountedQty', 'field.REQUIRED.counted']])
    const line = made.Lines[0].ID
    expect(await told(made, 'count', { Quantities: { [line]: '1.5' } })).toEqual([[`Quantities.${line}`, 'field.INVALID.part-of-piece']])
    expect(await told(made, 'count', { Quantities: { [line]: '-1' } })).toEqual([[`Quantities.${line}`, 'field.NEGATIVE']])
    expect(await told(made, 'count', { Quantities: { 999999: '1' } })).toEqual([['Quantities.999999', 'field.NOT_IN_SCOPE.line']])
    await counted(made, ['8'])
    await bought(item, '5', '1000')
    expect(await counted(made, ['15'], 'recount')).toMatchObject({ Lines: [{ SystemQty: '15.000', CountedQty: '8.000', RecountQty: '15.000', Diff: '0.000' }] })
    expect(await approved(made)).toMatchObject({ Status: 3 })
    expect(await scene.journal('stock_opname', made.ID)).toEqual([])
  })

  test('of a warehouse begins with all there is', async () => {
    const draft = await scene.create('admin', 'stock-opname', { WarehouseID: jkt, CountDate: today(), Freeze: true, Lines: [] })
    const made = await scene.act('admin', 'stock-opname', draft.ID, 'start')
    const there = await scene.rows('stock_balance', sql`warehouse_id = ${jkt} and on_hand > 0`)
    expect(made.Lines).toHaveLength(there.length)
    expect(await scene.act('admin', 'stock-opname', draft.ID, 'cancel', { ReasonID: await id('reason', 'C02') })).toMatchObject({ Status: 6 })
  })
})

describe('scrap', () => {
  test('goods leave at average cost once it is approved, and come back at what they left at', async () => {
    const item = await newItem('SCRAP')
    await bought(item, '10', '15000')
    const made = await scene.create('admin', 'scrap', { WarehouseID: jkt, DocDate: today(), Lines: [{ ItemID: item, Qty: '4', ReasonID: await id('reason', 'A02') }] })
    expect(await scene.act('admin', 'scrap', made.ID, 'submit')).toMatchObject({ Status: 4, StockClass: 'UNRESTRICTED' })
    expect(await onHand(item)).toMatchObject({ on_hand: '10.000' })
    await scene.decide('scrap', made.ID, 'approve', ['warehouse', 'finance'])
    expect(await scene.read('scrap', made.ID)).toMatchObject({ Status: 3, Total: '60000.00', Lines: [{ Cost: '60000.00', UnitCost: '15000.000000' }] })
    expect(await scene.journal('scrap', made.ID)).toEqual(['113101 0.00 60000.00', '511104 60000.00 0.00'])
    expect(await onHand(item)).toMatchObject({ on_hand: '6.000' })
    await scene.act('admin', 'scrap', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('scrap', made.ID, 'approve', ['finance'])
    expect(await scene.read('scrap', made.ID)).toMatchObject({ Status: 7 })
    expect(await onHand(item)).toMatchObject({ on_hand: '10.000' })
    expect(await scene.database.rows(sql`select movement_type, qty, cost_amount from stock_movement where doc_type = 'scrap' and doc_id = ${made.ID} order by id`)).toEqual([
      { movement_type: '551', qty: '-4.000', cost_amount: '-60000.00' }, { movement_type: '552', qty: '4.000', cost_amount: '60000.00' },
    ])
  })

  test('of returned goods is booked against their account; reserved goods, or goods that are not there, stay', async () => {
    const item = await newItem('SCRAP2', '1000')
    await bought(item, '10', '1000')
    await scene.order('C0000001', [{ item: 'SCRAP2', qty: '8' }])
    const submit = async (lines: readonly object[]) => {
      const made = await scene.create('admin', 'scrap', { WarehouseID: jkt, DocDate: today(), Lines: lines })
      return (await scene.tryAct('admin', 'scrap', made.ID, 'submit')).data.errors.map(({ field, text, key }: Record) => [field, key.startsWith('rule') ? key : text])
    }
    const ReasonID = await id('reason', 'A02')
    expect(await submit([{ ItemID: item, Qty: '3', ReasonID }])).toEqual([['Lines[0].Qty', 'Only 2 are there that nobody has reserved.']])
    expect(await submit([{ ItemID: item, Qty: '1', ReasonID: await id('reason', 'C02') }])).toEqual([['Lines[0].ReasonID', 'rule.reason-of-adjustment']])
    await scene.database.run(sql`update reason set needs_attachment = true where code = 'A03'`)
    expect(await submit([{ ItemID: item, Qty: '1', ReasonID: await id('reason', 'A03') }])).toEqual([['Lines[0].EvidenceID', 'rule.evidence']])
  })
})

describe('a transfer to another unit', () => {
  test('leaves at average cost, is on its way, and arrives in parts', async () => {
    const item = await newItem('TRF')
    await bought(item, '9', '1000.333333')
    const made = await scene.create('admin', 'stock-transfer', { FromWarehouseID: jkt, ToPlaceID: bdg, DocDate: today(), Lines: [{ ItemID: item, Qty: '3' }] })
    expect(await scene.act('admin', 'stock-transfer', made.ID, 'send')).toMatchObject({ Status: 1, Total: '3001.00' })
    expect(await scene.journal('stock_transfer', made.ID)).toEqual(['113101 0.00 3001.00', '113104 3001.00 0.00'])
    expect(await scene.balance('113104')).toBe('3001.00')
    const [draft] = await scene.rows('stock_transfer_receipt', sql`stock_transfer_id = ${made.ID}`)
    expect(draft).toMatchObject({ status: 0, operating_unit_id: await id('operating_unit', 'BDG'), warehouse_id: bdg })
    const arrived = await scene.act('admin', 'stock-transfer-receipt', draft?.id, 'post')
    expect(arrived).toMatchObject({ Status: 1, Total: '3001.00' })
    expect(await scene.journal('stock_transfer_receipt', draft?.id)).toEqual(['113101 3001.00 0.00', '113104 0.00 3001.00'])
    expect(await scene.read('stock-transfer', made.ID)).toMatchObject({ Status: 3, Lines: [{ ArrivedQty: '3.000' }] })
    expect([await onHand(item), await onHand(item, bdg)]).toMatchObject([{ on_hand: '6.000' }, { on_hand: '3.000' }])
    await scene.act('admin', 'stock-transfer-receipt', draft?.id, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await scene.read('stock-transfer', made.ID)).toMatchObject({ Status: 1, Lines: [{ ArrivedQty: '0.000' }] })
    expect(await scene.balance('113104')).toBe('3001.00')
    await scene.act('admin', 'stock-transfer', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await scene.balance('113104')).toBe('0.00')
    expect([await onHand(item), await onHand(item, bdg)]).toMatchObject([{ on_hand: '9.000' }, { on_hand: '0.000' }])
  })

  test('is taken back while nothing has arrived, and goes to another unit only', async () => {
    const item = await newItem('TRF2')
    await bought(item, '9', '1000')
    const draft = async (to: number) => scene.create('admin', 'stock-transfer', { FromWarehouseID: jkt, ToPlaceID: to, DocDate: today(), Lines: [{ ItemID: item, Qty: '3' }] })
    const same = await scene.tryAct('admin', 'stock-transfer', (await draft(jkt)).ID, 'send')
    expect(same.data.errors).toMatchObject([{ field: 'ToPlaceID', key: 'rule.to-another-unit' }])
    const made = await draft(bdg)
    await scene.act('admin', 'stock-transfer', made.ID, 'send')
    const [receipt] = await scene.rows('stock_transfer_receipt', sql`stock_transfer_id = ${made.ID}`)
    await scene.act('admin', 'stock-transfer', made.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
    expect(await scene.rows('stock_transfer_receipt', sql`id = ${receipt?.id}`)).toMatchObject([{ status: 6 }])
  })
})

describe('D28: what was counted stays', () => {
  test('nothing is booked on the day of a posted count or before, once it is over', async () => {
    const item = await newItem('D28')
    await bought(item, '10', '1000')
    const made = await begun([item])
    await counted(made, ['9'])
    await approved(made)
    await scene.moveTo('2026-11-21T03:00:00.000Z')
    const late = await scene.create('admin', 'scrap', { WarehouseID: jkt, DocDate: '2026-11-20', Lines: [{ ItemID: item, Qty: '1', ReasonID: await id('reason', 'A02') }] })
    await scene.act('admin', 'scrap', late.ID, 'submit')
    const [request] = await scene.rows('approval_request', sql`doc_type = 'scrap' and doc_id = ${late.ID}`)
    expect(await scene.people.warehouse.post(`/api/v1/approval/${request?.id}/approve`, {}, { key: scene.key() })).toMatchObject({ code: 'ILLEGAL_TRANSITION', message: expect.stringContaining('D28 was counted on 20/11/2026') })
  })
})
