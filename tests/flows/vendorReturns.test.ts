import { afterEach, beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let vendor: number
beforeAll(async () => {
  scene = await openScene()
  ;[vendor = 0] = await insertRows(scene.database, 'business_partner', [{ code: 'V1', name: 'PT Pemasok', kinds: ['VENDOR'], is_pkp: true, ap_account_group: 'TRADE', payment_term_id: await id('payment_term', 'N30') }])
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]
let items = 0

async function newItem(): Promise<number> {
  const code = `G${(items += 1)}`
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Goods ${code}`, base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'PCS', factor: '1', coretax_unit: 'UM.0021' }])
  return item
}
/** Ordered and received: the order, the receipt and its line. */
async function received(item: number, qty: string, price: string, ordered = qty): Promise<{ readonly order: Record; readonly receipt: Record; readonly line: number }> {
  const draft = await scene.create('admin', 'purchase-order', {
    BpID: vendor, OperatingUnitID: await id('operating_unit', 'JKT'), PoDate: '2026-11-10', DeliveryDate: '2026-11-20', Lines: [{ ItemID: item, Qty: ordered, Price: price, TaxCodeID: await id('tax_code', 'PPNIN') }],
  })
  const order = await scene.act('admin', 'purchase-order', draft.ID, 'release')
  const made = await scene.create('warehouse', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: await id('warehouse', 'WJKT'), GrDate: scene.at.clock.today(), SupplierDnNo: 'SJ', Lines: [{ PoLineID: order.Lines[0].ID, QtyReceived: qty }] })
  const receipt = await scene.act('warehouse', 'goods-receipt', made.ID, 'post')
  return { order, receipt, line: receipt.Lines[0].ID }
}
let numbers = 0
async function billed(order: Record, qty: string, price: string, ppn: string): Promise<Record> {
  const made = await scene.create('vendors', 'vendor-invoice', {
    Kind: 'TRADE', VendorID: vendor, VendorInvoiceNo: `T-${(numbers += 1)}`, DocDate: scene.at.clock.today(), OperatingUnitID: await id('operating_unit', 'JKT'), Ppn: ppn,
    FakturNumber: `0400250000000${String(1000 + numbers)}`, FakturDate: scene.at.clock.today(), Lines: [{ PoLineID: order.Lines[0].ID, Qty: qty, Price: price }],
  })
  return scene.act('vendors', 'vendor-invoice', made.ID, 'register')
}
const note = async (kind: string, lines: readonly object[], more: object = {}) => scene.create('vendors', 'dn', { Kind: kind, VendorID: vendor, OperatingUnitID: await id('operating_unit', 'JKT'), DocDate: scene.at.clock.today(), Lines: lines, ...more })
async function approved(ID: number): Promise<Record> {
  await scene.act('vendors', 'dn', ID, 'submit')
  await scene.decide('debit_note', ID)
  return scene.read('dn', ID)
}
const goesBack = async (receipt: Record, lines: readonly object[], more: object = {}) => note('RETURN', lines, { GoodsReceiptID: receipt.ID, WarehouseID: await id('warehouse', 'WJKT'), ...more })
async function reversed(ID: number): Promise<Record> {
  await scene.act('vendors', 'dn', ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide('debit_note', ID)
  return scene.read('dn', ID)
}
const receiptLine = async (line: number): Promise<Record> => (await scene.rows('goods_receipt_line', sql`id = ${line}`))[0] ?? {}
const movements = async (ID: number) => (await scene.rows('stock_movement', sql`doc_type = 'debit_note' and doc_id = ${ID}`)).map(({ movement_type: type, qty, cost_amount: cost }: Record) => `${type} ${qty} ${cost}`)

test('PU3: of 100 invoiced 90 came; a debit note for 10 clears 211103 and lowers what is billed', async () => {
  const { order } = await received(await newItem(), '90', '20000', '100')
  const invoice = await billed(order, '100', '20000', '220000')
  await scene.act('vendors', 'vendor-invoice', invoice.ID, 'force-valid', { ReasonText: 'Sisa ditagih balik' })
  await scene.decide('vendor_invoice', invoice.ID)
  expect(await scene.balance('211103')).toBe('200000.00')
  const head = { VendorInvoiceID: invoice.ID, PurchaseOrderID: order.ID, TaxCodeID: await id('tax_code', 'PPNIN') }
  const line = (qty: string) => [{ Basis: 'QUANTITY', OrderLineID: order.Lines[0].ID, Qty: qty, Price: '20000' }]
  expect(errorsOf(await scene.tryAct('vendors', 'dn', (await note('PO', line('11'), head)).ID, 'submit'))).toEqual(['EXCEEDS_REMAINING', ['Lines[0].Qty', 'field.EXCEEDS_REMAINING.quantity']])
  const made = await approved((await note('PO', line('10'), head)).ID)
  expect(made).toMatchObject({ Status: 1, Total: '222000.00' })
  expect(await scene.journal('debit_note', made.ID)).toEqual(['112203 222000.00 0.00', '114101 0.00 22000.00', '211103 0.00 200000.00'])
  expect((await scene.read('purchase-order', order.ID)).Lines[0].BilledQty).toBe('90.000')
  expect(await scene.balance('211103')).toBe('0.00')
  await scene.act('vendors', 'vendor-invoice', invoice.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await expect(scene.decide('vendor_invoice', invoice.ID)).rejects.toThrow('given back')
  await reversed(made.ID)
  expect((await scene.read('purchase-order', order.ID)).Lines[0].BilledQty).toBe('100.000')
  await scene.decide('vendor_invoice', invoice.ID)
  expect((await scene.read('purchase-order', order.ID)).Lines[0].BilledQty).toBe('0.000')
})

test('PU5: 6 of 40 go back before the invoice: GR/IR falls by what they came in at, no claim, no VAT; 34 are billed', async () => {
  const item = await newItem()
  const { order, receipt, line } = await received(item, '40', '55000')
  await received(item, '40', '53200')
  const before = Number(await scene.balance('211103'))
  expect(errorsOf(await scene.tryAct('vendors', 'dn', (await goesBack(receipt, [{ GrLineID: line, ItemID: item, QtyOpen: '41', Qty: '0', Price: '0' }])).ID, 'submit'))).toEqual(['EXCEEDS_REMAINING', ['Lines[0].QtyOpen', 'field.EXCEEDS_REMAINING.quantity']])
  const made = await approved((await goesBack(receipt, [{ GrLineID: line, ItemID: item, QtyOpen: '6', Qty: '0', Price: '0' }], { TaxCodeID: await id('tax_code', 'PPNIN') })).ID)
  expect(made).toMatchObject({ Status: 3, Total: '0.00', Remaining: '0.00', Ppn: '0.00' })
  expect(await scene.journal('debit_note', made.ID)).toEqual(['113101 0.00 324600.00', '211103 330000.00 0.00', '511102 0.00 5400.00'])
  expect(await movements(made.ID)).toEqual(['122 -6.000 -324600.00'])
  expect(Number(await scene.balance('211103')) - before).toBe(330_000)
  expect(await receiptLine(line)).toMatchObject({ qty_received: '34.000', cost: '1870000.00', returned_open: '6.000', returned_qty: '0.000' })
  const order34 = await scene.read('purchase-order', order.ID)
  expect([order34.Status, order34.Lines[0].ReceivedQty]).toEqual([2, '34.000'])
  expect(errorsOf(await scene.tryAct('warehouse', 'goods-receipt', receipt.ID, 'reverse', { ReasonID: await id('reason', 'V02') }))).toEqual(['VALIDATION_FAILED', ['Lines[0].QtyReceived', 'rule.nothing-gone-back']])
  const invoice = await billed(order, '34', '55000', '205700')
  expect(invoice.ValidationStatus).toBe('MATCHED')
  await scene.act('vendors', 'vendor-invoice', invoice.ID, 'submit')
  expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['114101 205700.00 0.00', '211101 0.00 2075700.00', '211103 1870000.00 0.00'])
  // Taken back: the goods are there again, at the value they left at.
  await reversed(made.ID)
  expect(await movements(made.ID)).toEqual(['122 -6.000 -324600.00', '161 6.000 324600.00'])
  expect(await receiptLine(line)).toMatchObject({ qty_received: '40.000', cost: '2200000.00', returned_open: '0.000' })
})

test('PU6: 12 go back after the invoice at 86,000, stock stands at 84,200: claim with VAT, the gap is a difference of price', async () => {
  const item = await newItem()
  const { order, receipt, line } = await received(item, '100', '86000')
  await received(item, '100', '82400')
  await scene.act('vendors', 'vendor-invoice', (await billed(order, '100', '86000', '946000')).ID, 'submit')
  const offered = (await scene.people.vendors.get('/api/v1/data/returnable-goods', { filter: JSON.stringify({ goods_receipt_id: { eq: receipt.ID } }), length: 5 })).data.rows
  expect(offered).toMatchObject([{ ID: line, OpenBefore: '0.000', OpenAfter: '100.000' }])
  const VAT = { TaxCodeID: await id('tax_code', 'PPNIN') }
  // What the vendor billed decides, not what is typed.
  const made = await approved((await goesBack(receipt, [{ GrLineID: line, ItemID: item, Qty: '12', Price: '1' }], VAT)).ID)
  expect(made).toMatchObject({ Status: 1, Dpp: '1032000.00', Ppn: '113520.00', Total: '1145520.00', Remaining: '1145520.00' })
  expect(await scene.journal('debit_note', made.ID)).toEqual(['112203 1145520.00 0.00', '113101 0.00 1010400.00', '114101 0.00 113520.00', '511102 0.00 21600.00'])
  expect(await receiptLine(line)).toMatchObject({ qty_received: '100.000', returned_qty: '12.000' })
  expect(errorsOf(await scene.tryAct('vendors', 'dn', (await goesBack(receipt, [{ GrLineID: line, ItemID: item, Qty: '89', Price: '1' }], VAT)).ID, 'submit'))).toEqual(['EXCEEDS_REMAINING', ['Lines[0].Qty', 'field.EXCEEDS_REMAINING.quantity']])
  expect(errorsOf(await scene.tryAct('vendors', 'dn', (await goesBack(receipt, [{ GrLineID: line, ItemID: item, Qty: '0', Price: '1' }], VAT)).ID, 'submit'))).toEqual(['VALIDATION_FAILED', ['Lines[0].Qty', 'rule.something-returned']])
  expect(errorsOf(await scene.tryAct('vendors', 'dn', (await note('MANUAL', [{ GrLineID: line, Price: '1', AccountID: await id('account', '421103') }])).ID, 'submit'))).toEqual(['VALIDATION_FAILED', ['Lines[0].GrLineID', 'rule.only-of-returns']])
  await reversed(made.ID)
  expect(await receiptLine(line)).toMatchObject({ returned_qty: '0.000' })
  expect(await movements(made.ID)).toEqual(['122 -12.000 -1010400.00', '161 12.000 1010400.00'])
})
