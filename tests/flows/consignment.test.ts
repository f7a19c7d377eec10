import { afterEach, beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let place: Record
let fill: Record
beforeAll(async () => {
  scene = await openScene()
  const { database } = scene
  await database.run(sql`update customer set is_consignment = true where code = 'C0000002'`)
  await database.transaction(async (tx) => {
    const unit = await id('operating_unit', 'JKT')
    const tax = await id('tax_code', 'PPN04')
    const items = await insertRows(tx, 'item', ['RIA', 'TETAP'].map((code) => ({ code, name: code, base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: tax, status: 1 })))
    const base = await id('price_set', 'BASE')
    await insertRows(tx, 'list_price', [
      { price_set_id: base, item_id: items[0], uom: 'CTN', min_qty: '0', price: '23000', valid_from: '2025-01-01', valid_to: '2026-11-28' },
      { price_set_id: base, item_id: items[0], uom: 'CTN', min_qty: '0', price: '24500', valid_from: '2026-11-29', valid_to: null },
      { price_set_id: base, item_id: items[1], uom: 'CTN', min_qty: '0', price: '10000', valid_from: '2025-01-01', valid_to: null },
    ])
    await receiveStock(runOf(database, tx), {
      kind: 'OB_STOCK', date: '2026-11-01', operatingUnitId: unit, warehouseId: await id('warehouse', 'WJKT'), source: { type: 'opening', id: 2, code: 'OPENING 2' },
      lines: items.map((itemId) => ({ itemId, qty: '200', cost: '3050000' })),
    })
  })
  place = await scene.create('admin', 'warehouse', { Code: 'WRIA', Name: 'Swalayan Ria', OperatingUnitID: await id('operating_unit', 'JKT'), Kind: 'CONSIGNMENT', StockClass: 'CONSIGNMENT', CustomerID: await id('customer', 'C0000002'), IsActive: true })
  fill = (await scene.delivered('C0000002', [{ item: 'RIA', qty: '120' }, { item: 'TETAP', qty: '50' }], { OrderType: 'CONSIGN' })).issue
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]
const settlementOf = (ID: number) => scene.read('consignment-sales', ID)
async function settle(counted: object, more: object = {}): Promise<Record> {
  const today = scene.at.clock.today()
  const Lines = await Promise.all(Object.entries(counted).map(async ([item, qty]) => ({ ItemID: await id('item', item), Counted: String(qty) })))
  return scene.create('billing', 'consignment-sales', { CustomerID: await id('customer', 'C0000002'), SalesPeriod: '202611', CountDate: today, DocDate: today, Lines, ...more })
}

test('a fill-up is no sale: goods change their place at cost, nothing is left to be billed', async () => {
  expect(fill).toMatchObject({ status: 3 })
  expect(await scene.journal('goods_issue', fill.id)).toEqual(['113101 0.00 2592500.00', '113102 2592500.00 0.00'])
  expect((await scene.rows('stock_movement', sql`doc_type = 'goods_issue' and doc_id = ${fill.id} and item_id = ${await id('item', 'RIA')}`)).map(({ movement_type, qty, stock_class }: Record) => [movement_type, qty, stock_class]))
    .toEqual([['631', '-120.000', 'UNRESTRICTED'], ['631', '120.000', 'CONSIGNMENT']])
  const data = await scene.command('billing', 'bill-deliveries', { IDs: [fill.id], InvoiceDate: scene.at.clock.today() })
  expect(data.Invoices).toEqual([])
})

test('goods stand only at customers who have agreed to it, with a warehouse for them', async () => {
  const answer = await scene.people.sales.post('/api/v1/data/sales-order', { OrderType: 'CONSIGN', CustomerID: await id('customer', 'C0000001'), Lines: [{ ItemID: await id('item', 'RIA'), Uom: 'CTN', Qty: '1' }] }, { key: scene.key() })
  expect(errorsOf(answer)).toEqual(['VALIDATION_FAILED', ['CustomerID', 'field.NOT_A_CHOICE.no-consignment']])
})

test('CO1: 120 brought, 10 taken back, 68 counted: 42 sold at the price of the end of the period; undone with its invoice', async () => {
  const pickup = await scene.create('warehouse', 'consignment-pickup', {
    CustomerID: await id('customer', 'C0000002'), FromWarehouseID: place.ID, ToWarehouseID: await id('warehouse', 'WJKT'), DocDate: scene.at.clock.today(), Lines: [{ ItemID: await id('item', 'RIA'), Qty: '10' }],
  })
  await scene.act('warehouse', 'consignment-pickup', pickup.ID, 'post')
  expect(await scene.journal('consignment_pickup', pickup.ID)).toEqual(['113101 152500.00 0.00', '113102 0.00 152500.00'])
  const draft = await settle({ RIA: 68, TETAP: 50 })
  expect(draft).toMatchObject({ Dpp: '1029000.00', Ppn: '113190.00', Total: '1142190.00' })
  expect(draft.Lines.map(({ Opening, Filled, PickedUp, Counted, Sold, Price }: Record) => [Opening, Filled, PickedUp, Counted, Sold, Price])).toEqual([
    ['0.000', '120.000', '10.000', '68.000', '42.000', '24500.0000'], ['0.000', '50.000', '0.000', '50.000', '0.000', null],
  ])
  await scene.act('billing', 'consignment-sales', draft.ID, 'submit')
  await scene.decide('consignment_sales', draft.ID)
  const settled = await settlementOf(draft.ID)
  const invoice = await scene.read('invoice', settled.InvoiceID)
  expect(invoice).toMatchObject({ InvoiceType: 'CONSIGNMENT', Status: 1, Dpp: '1029000.00', Ppn: '113190.00', Total: '1142190.00' })
  expect(await scene.journal('invoice', invoice.ID, 'INV')).toEqual(['112101 1142190.00 0.00', '213101 0.00 113190.00', '411103 0.00 1029000.00'])
  expect(await scene.journal('invoice', invoice.ID, 'COGS')).toEqual(['113102 0.00 640500.00', '511101 640500.00 0.00'])
  const left = await scene.rows('stock_cost', sql`stock_class = 'CONSIGNMENT' and item_id = ${await id('item', 'RIA')}`)
  expect(left.map(({ qty, value }: Record) => [qty, value])).toEqual([['68.000', '1037000.00']])
  expect((await settlementOf(draft.ID)).Lines[0]).toMatchObject({ Cost: '640500.00' })

  const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'REVERSAL', ReasonID: await id('reason', 'V02') })
  await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
  await scene.decide('invoice_cancel_request', request.ID)
  expect(await settlementOf(draft.ID)).toMatchObject({ Status: 7 })
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 7, Remaining: '0.00' })
  expect((await scene.rows('stock_movement', sql`doc_type = 'consignment_sales' and doc_id = ${draft.ID}`)).map(({ movement_type, qty }: Record) => [movement_type, qty])).toEqual([['633', '-42.000'], ['634', '42.000']])
  expect(await scene.balance('411103')).toBe('0.00')
})

test('CO2: 50 brought before, 53 counted: refused, for −3 would be sold', async () => {
  const draft = await settle({ TETAP: 53 })
  expect(draft.Lines[0]).toMatchObject({ Sold: '-3.000' })
  expect(errorsOf(await scene.tryAct('billing', 'consignment-sales', draft.ID, 'submit'))).toEqual(['VALIDATION_FAILED', ['Total', 'rule.something-sold'], ['Lines[0].Counted', 'rule.sold-not-negative']])
})

test('one settlement after the other: none beside one that waits, none before the last', async () => {
  const [first, second] = [await settle({ TETAP: 48 }), await settle({ TETAP: 47 })]
  await scene.act('billing', 'consignment-sales', first.ID, 'submit')
  expect((await scene.tryAct('billing', 'consignment-sales', second.ID, 'submit')).data.key).toBe('problem.ILLEGAL_TRANSITION.settlement-before')
  await scene.decide('consignment_sales', first.ID)
  expect((await scene.tryAct('billing', 'consignment-sales', second.ID, 'submit')).data.key).toBe('problem.ILLEGAL_TRANSITION.settlement-before')
})

test('a fill-up is cancelled as long as its goods still stand there: they are back at cost, and the order may be delivered again', async () => {
  const before = [await scene.balance('113101'), await scene.balance('113102')]
  const { order, issue } = await scene.delivered('C0000002', [{ item: 'TETAP', qty: '20' }], { OrderType: 'CONSIGN' })
  expect(await scene.balance('113102')).not.toBe(before[1])
  await scene.act('warehouse', 'goods-issue', issue.id, 'cancel', { ReasonID: await id('reason', 'C02') })
  expect([await scene.balance('113101'), await scene.balance('113102')]).toEqual(before)
  expect((await scene.rows('stock_movement', sql`doc_type = 'goods_issue' and doc_id = ${issue.id}`)).map(({ movement_type, qty, stock_class }: Record) => [movement_type, qty, stock_class]))
    .toEqual([['631', '-20.000', 'UNRESTRICTED'], ['631', '20.000', 'CONSIGNMENT'], ['632', '-20.000', 'CONSIGNMENT'], ['632', '20.000', 'UNRESTRICTED']])
  expect((await scene.read('sales-order', order.ID)).Lines[0]).toMatchObject({ DeliveredQty: '0.000', BilledQty: '0.000', ReservedQty: '20.000' })
  const [delivery] = await scene.rows('delivery_order', sql`id = ${issue.delivery_order_id}`)
  await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
  await scene.act('warehouse', 'goods-issue', (await scene.rows('goods_issue', sql`delivery_order_id = ${delivery.id} and status = 3`))[0].id, 'cancel', { ReasonID: await id('reason', 'C02') })
  expect(await scene.balance('113102')).toBe(before[1])
})

test('goods issued and invoiced are not cancelled', async () => {
  const { issue } = await scene.delivered('C0000001', [{ item: 'A', qty: '1' }])
  await scene.bill([issue.id])
  expect((await scene.tryAct('warehouse', 'goods-issue', issue.id, 'cancel', { ReasonID: await id('reason', 'C02') })).data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.goods-invoiced' })
})
