import { afterEach, beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  await insertRows(scene.database, 'business_partner', [{ code: 'V1', name: 'PT Pemasok', kinds: ['VENDOR'], ap_account_group: 'TRADE' }])
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()

async function newItem(code: string): Promise<number> {
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Item ${code}`, base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'CTN', factor: '1', coretax_unit: 'UM.0037' }])
  await insertRows(scene.database, 'list_price', [{ price_set_id: await id('price_set', 'BASE'), item_id: item, uom: 'CTN', min_qty: '0', price: '200000', valid_from: '2025-01-01' }])
  return item
}
async function received(item: number, qty: string, price: string, day: string): Promise<Record> {
  const order = await scene.create('admin', 'purchase-order', { BpID: await id('business_partner', 'V1'), OperatingUnitID: await id('operating_unit', 'JKT'), PoDate: day, DeliveryDate: day, Lines: [{ ItemID: item, Qty: qty, Price: price }] })
  await scene.act('admin', 'purchase-order', order.ID, 'release')
  const made = await scene.create('admin', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: await id('warehouse', 'WJKT'), GrDate: day, SupplierDnNo: `SJ-${scene.key()}`, Lines: [{ PoLineID: order.Lines[0].ID, QtyReceived: qty }] })
  return scene.act('admin', 'goods-receipt', made.ID, 'post')
}
const cost = (item: number) => scene.database.first(sql`select qty, value from stock_cost where item_id = ${item} and stock_class = 'UNRESTRICTED'`)
const asOf = (item: number, day: string) => scene.database.first(sql`select sum(qty) as qty, sum(cost_amount) as value from stock_movement where item_id = ${item} and posting_date <= ${day}::date`)

test('ST4: a receipt dated before an issue costs nothing anew: the order of entry counts', async () => {
  const item = await newItem('ST4')
  await received(item, '10', '100000', '2026-11-01')
  const { issue } = await scene.delivered('C0000001', [{ item: 'ST4', qty: '6' }])
  expect(issue).toMatchObject({ cost: '600000.00' })
  await scene.moveTo('2026-11-22T03:00:00.000Z')
  await received(item, '10', '130000', '2026-11-05')
  expect(await cost(item)).toEqual({ qty: '14.000', value: '1700000.00' })
  expect(await asOf(item, '2026-11-05')).toEqual({ qty: '20.000', value: '2300000.00' })
  expect(await scene.journal('goods_issue', issue.id)).toEqual(['113101 0.00 600000.00', '113106 600000.00 0.00'])
  // The next goods leave at the average of all there is.
  const next = await scene.delivered('C0000002', [{ item: 'ST4', qty: '1' }])
  expect(next.issue).toMatchObject({ cost: '121428.57' })
})

test('ST5: what was not there then does not leave then, nor more than there is now; no number is drawn', async () => {
  const item = await newItem('ST5')
  await received(item, '10', '50000', '2026-11-18')
  const order = await scene.order('C0000001', [{ item: 'ST5', qty: '8' }])
  const [delivery] = await scene.plan(order)
  await scene.act('warehouse', 'delivery-order', delivery?.id, 'pick')
  // Entered now for an earlier day, as those may who set prices by hand.
  await scene.database.run(sql`update sales_order set doc_date = '2026-11-15' where id = ${order.ID}`)
  const issues = async () => (await scene.rows('goods_issue')).length
  const before = await issues()
  const early = await scene.tryAct('warehouse', 'delivery-order', delivery?.id, 'issue', { PostingDate: '2026-11-16' })
  expect(early).toMatchObject({ code: 'STOCK_INSUFFICIENT' })
  expect(early.message).toContain('ST5')
  expect(await issues()).toBe(before)
  const short = await newItem('ST5B')
  await received(short, '3', '50000', today())
  const scrap = await scene.create('admin', 'scrap', { WarehouseID: await id('warehouse', 'WJKT'), DocDate: today(), Lines: [{ ItemID: short, Qty: '5', ReasonID: await id('reason', 'A02') }] })
  const refused = await scene.tryAct('admin', 'scrap', scrap.ID, 'submit')
  expect(refused.data.errors).toMatchObject([{ field: 'Lines[0].Qty' }])
  expect(refused.data.errors[0].text).toContain('3')
  expect((await scene.read('scrap', scrap.ID)).Code).toMatch(/^DRAFT-/)
})

test('G6: 50 B stand at the customer, 35 are counted: 15 sold, revenue and cost only then', async () => {
  await scene.database.run(sql`update customer set is_consignment = true where code = 'C0000002'`)
  const customer = await id('customer', 'C0000002')
  await scene.create('admin', 'warehouse', { Code: 'WRIA', Name: 'Swalayan Ria', OperatingUnitID: await id('operating_unit', 'JKT'), Kind: 'CONSIGNMENT', StockClass: 'CONSIGNMENT', CustomerID: customer, IsActive: true })
  const { issue } = await scene.delivered('C0000002', [{ item: 'B', qty: '50' }], { OrderType: 'CONSIGN' })
  expect(await scene.journal('goods_issue', issue.id)).toEqual(['113101 0.00 9500000.00', '113102 9500000.00 0.00'])
  expect(await scene.balance('411103')).toBe('0.00')
  const draft = await scene.create('billing', 'consignment-sales', { CustomerID: customer, SalesPeriod: '202611', CountDate: today(), DocDate: today(), Lines: [{ ItemID: await id('item', 'B'), Counted: '35' }] })
  expect(draft).toMatchObject({ Dpp: '3750000.00', Ppn: '412500.00', Total: '4162500.00' })
  await scene.act('billing', 'consignment-sales', draft.ID, 'submit')
  await scene.decide('consignment_sales', draft.ID)
  const { InvoiceID } = await scene.read('consignment-sales', draft.ID)
  expect(await scene.journal('invoice', InvoiceID, 'INV')).toEqual(['112101 4162500.00 0.00', '213101 0.00 412500.00', '411103 0.00 3750000.00'])
  expect(await scene.journal('invoice', InvoiceID, 'COGS')).toEqual(['113102 0.00 2850000.00', '511101 2850000.00 0.00'])
  expect(await scene.balance('113102')).toBe('6650000.00')
})
