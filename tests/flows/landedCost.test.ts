import { afterEach, beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let carrier: Record
let numbers = 0
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  await insertRows(scene.database, 'business_partner', [{ code: 'V1', name: 'PT Pemasok', kinds: ['VENDOR'], ap_account_group: 'TRADE' }])
  carrier = await scene.create('admin', 'business-partner', { Code: 'V-ANGKUT', Name: 'PT Angkut Jaya', Kinds: ['VENDOR'], IsPkp: true, ApAccountGroup: 'NON_TRADE', PaymentTermID: await id('payment_term', 'N30') })
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()

async function newItem(code: string, weight = '0'): Promise<number> {
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Item ${code}`, base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', weight_kg: weight, tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'CTN', factor: '1', coretax_unit: 'UM.0037' }])
  await insertRows(scene.database, 'list_price', [{ price_set_id: await id('price_set', 'BASE'), item_id: item, uom: 'CTN', min_qty: '0', price: '90000', valid_from: '2025-01-01' }])
  return item
}
async function received(lines: readonly (readonly [item: number, qty: string, price: string])[], day = today()): Promise<Record> {
  const order = await scene.create('admin', 'purchase-order', { BpID: await id('business_partner', 'V1'), OperatingUnitID: await id('operating_unit', 'JKT'), PoDate: day, DeliveryDate: day, Lines: lines.map(([ItemID, Qty, Price]) => ({ ItemID, Qty, Price })) })
  await scene.act('admin', 'purchase-order', order.ID, 'release')
  const made = await scene.create('admin', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: await id('warehouse', 'WJKT'), GrDate: day, SupplierDnNo: `SJ-${scene.key()}`, Lines: order.Lines.map(({ ID, Qty }: Record) => ({ PoLineID: ID, QtyReceived: Qty })) })
  return scene.act('admin', 'goods-receipt', made.ID, 'post')
}
async function billed(by: string, receipts: readonly Record[], { amount = '900000', ppn = '9900', faktur = true, day = today(), ...more } = {}): Promise<Record> {
  numbers += 1
  return scene.create('vendors', 'vendor-invoice', {
    VendorID: carrier.ID, VendorInvoiceNo: `ANGKUT-${numbers}`, DocDate: day, OperatingUnitID: await id('operating_unit', 'JKT'), ContractNo: 'SPK-ANGKUT', Ppn: ppn, LandedBy: by,
    ...(faktur ? { FakturNumber: `0400250001234${String(numbers).padStart(4, '0')}`, FakturDate: day } : {}),
    Lines: [{ ExpenseTypeID: await id('expense_type', 'E-MASUK'), Qty: '1', Price: amount }], VendorInvoiceNamedReceipt: receipts.map(({ ID }) => ({ GoodsReceiptID: ID })), ...more,
  })
}
async function posted(by: string, receipts: readonly Record[], more: object = {}): Promise<Record> {
  const made = await billed(by, receipts, more)
  await scene.act('vendors', 'vendor-invoice', made.ID, 'register')
  await scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
  return scene.read('vendor-invoice', made.ID)
}
const taken = async (invoice: Record): Promise<Record> => {
  await scene.act('vendors', 'vendor-invoice', invoice.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide('vendor_invoice', invoice.ID)
  return scene.read('vendor-invoice', invoice.ID)
}
const stock = (item: number) => scene.database.first(sql`select qty, value from stock_cost where item_id = ${item} and stock_class = 'UNRESTRICTED'`)
const landed = (invoice: Record) => invoice.VendorInvoiceShare.map(({ QtyLeft, Share, InStock, Gone }: Record) => [QtyLeft, Share, InStock, Gone])
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]

test('LC1: freight-in is an expense unless it is to be borne by goods: 612101, VAT of 1.1 % by its tax code, PPh 23 of 2 %', async () => {
  const invoice = await posted('NONE', [])
  expect(invoice).toMatchObject({ Status: 1, ValidationStatus: 'MATCHED', Dpp: '900000.00', Ppn: '9900.00', Pph: '18000.00', Total: '891900.00' })
  expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['114101 9900.00 0.00', '211102 0.00 891900.00', '213103 0.00 18000.00', '612101 900000.00 0.00'])
  // VAT of 11 % is not what the line's tax code asks.
  const wrong = await billed('NONE', [], { ppn: '99000' })
  expect(await scene.act('vendors', 'vendor-invoice', wrong.ID, 'register')).toMatchObject({ ValidationStatus: 'EXCEPTION' })
})

test('LC1: borne by value: 225,000 + 600,000 into stock, 75,000 with the 50 that are sold; taken back it is as before', async () => {
  const [x, y] = [await newItem('LX'), await newItem('LY')]
  const receipt = await received([[x, '200', '10000'], [y, '100', '40000']])
  await scene.delivered('C0000001', [{ item: 'LX', qty: '50' }])
  const invoice = await posted('VALUE', [receipt])
  expect(landed(invoice)).toEqual([['150.000', '300000.00', '225000.00', '75000.00'], ['100.000', '600000.00', '600000.00', '0.00']])
  expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['113101 825000.00 0.00', '114101 9900.00 0.00', '211102 0.00 891900.00', '213103 0.00 18000.00', '511102 75000.00 0.00'])
  expect(await scene.rows('stock_movement', sql`doc_type = 'vendor_invoice' and doc_id = ${invoice.ID}`)).toMatchObject([{ qty: '0.000', cost_amount: '225000.00', item_id: x }, { qty: '0.000', cost_amount: '600000.00', item_id: y }])
  // 1,725,000 / 150 and 4,600,000 / 100: what is sold next costs 11,500 a piece.
  expect([await stock(x), await stock(y)]).toEqual([{ qty: '150.000', value: '1725000.00' }, { qty: '100.000', value: '4600000.00' }])
  expect(errorsOf(await scene.tryAct('admin', 'goods-receipt', receipt.ID, 'reverse', { ReasonID: await id('reason', 'V02') }))[1]).toEqual(['Lines[0].LandedCost', 'rule.nothing-landed'])
  const { issue } = await scene.delivered('C0000001', [{ item: 'LX', qty: '30' }])
  expect(issue).toMatchObject({ cost: '345000.00' })
  // 30 of the 150 took 45,000 along: the 120 left give back 180,000 and are worth 10,000 each again.
  expect(await taken(invoice)).toMatchObject({ Status: 7, Remaining: '0.00' })
  expect([await stock(x), await stock(y)]).toEqual([{ qty: '120.000', value: '1200000.00' }, { qty: '100.000', value: '4000000.00' }])
  expect(await scene.journal('vendor_invoice', invoice.ID, 'STOCK_REST')).toEqual(['113101 45000.00 0.00', '511102 0.00 45000.00'])
  expect((await scene.read('goods-receipt', receipt.ID)).Lines.map(({ LandedCost }: Record) => LandedCost)).toEqual(['0.00', '0.00'])
})

test('by quantity and by weight; of goods all gone nothing is left to bear it', async () => {
  const [heavy, light] = [await newItem('LH', '7'), await newItem('LL', '1')]
  const receipt = await received([[heavy, '10', '1000'], [light, '20', '9000']])
  expect(landed(await posted('QUANTITY', [receipt], { amount: '100000', ppn: '1100' }))).toEqual([['10.000', '33333.33', '33333.33', '0.00'], ['20.000', '66666.67', '66666.67', '0.00']])
  await scene.delivered('C0000001', [{ item: 'LL', qty: '20' }])
  const invoice = await posted('WEIGHT', [receipt], { amount: '90000', ppn: '990' })
  expect(landed(invoice)).toEqual([['10.000', '70000.00', '70000.00', '0.00'], ['0.000', '20000.00', '0.00', '20000.00']])
  expect(await stock(light)).toEqual({ qty: '0.000', value: '0.00' })
  // What bore it has all left by then: the stock has nothing to give back.
  await scene.delivered('C0000001', [{ item: 'LH', qty: '10' }])
  await taken(invoice)
  expect([await stock(heavy), await scene.journal('vendor_invoice', invoice.ID, 'STOCK_REST')]).toEqual([{ qty: '0.000', value: '0.00' }, ['113101 70000.00 0.00', '511102 0.00 70000.00']])
})

test('a bill dated before the goods came is booked on the day they did; two receipts of an item share what there is', async () => {
  const item = await newItem('LD')
  const [first, second] = [await received([[item, '10', '5000']], '2026-11-16'), await received([[item, '10', '5000']], '2026-11-18')]
  await scene.delivered('C0000001', [{ item: 'LD', qty: '12' }])
  const invoice = await posted('VALUE', [second, first], { amount: '20000', ppn: '220', day: '2026-11-14' })
  expect(invoice).toMatchObject({ PostingDate: '2026-11-18', DueDate: '2026-12-14' })
  expect(landed(invoice)).toEqual([['0.000', '10000.00', '0.00', '10000.00'], ['8.000', '10000.00', '8000.00', '2000.00']])
})

test('goods are named, once, posted, of the unit, and with something to share by', async () => {
  const item = await newItem('LW')
  const receipt = await received([[item, '4', '0']])
  const refused = async (by: string, receipts: readonly Record[], more: object = {}) => errorsOf(await scene.tryAct('vendors', 'vendor-invoice', (await billed(by, receipts, more)).ID, 'register'))[1]
  expect(await refused('VALUE', [])).toEqual(['VendorInvoiceNamedReceipt', 'field.REQUIRED.landed-goods'])
  expect(await refused('QUANTITY', [receipt, receipt])).toEqual(['VendorInvoiceNamedReceipt[1].GoodsReceiptID', 'field.DUPLICATE.line'])
  expect(await refused('VALUE', [receipt])).toEqual(['LandedBy', 'field.INVALID.landed-nothing'])
  expect(await refused('WEIGHT', [receipt])).toEqual(['LandedBy', 'field.INVALID.landed-weight'])
  const other = await received([[item, '1', '100']])
  await scene.act('admin', 'goods-receipt', other.ID, 'reverse', { ReasonID: await id('reason', 'V02') })
  expect(await refused('QUANTITY', [other])).toEqual(['VendorInvoiceNamedReceipt[0].GoodsReceiptID', 'field.INVALID.receipt-not-posted'])
  // Without a basis no goods are kept.
  expect((await billed('NONE', [receipt])).VendorInvoiceNamedReceipt).toEqual([])
})
