import { afterEach, beforeAll, describe, expect, test } from 'vitest'
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
let items = 0

/** An order of an item never bought before, released, with its line. */
async function ordered(qty: string, price: string): Promise<Record> {
  const code = `G${(items += 1)}`
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Goods ${code}`, base_uom: 'PCS', sales_uom: 'PCS', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'PCS', factor: '1', coretax_unit: 'UM.0021' }])
  const draft = await scene.create('admin', 'purchase-order', {
    BpID: vendor, OperatingUnitID: await id('operating_unit', 'JKT'), PoDate: '2026-11-10', DeliveryDate: '2026-11-20', Lines: [{ ItemID: item, Qty: qty, Price: price, TaxCodeID: await id('tax_code', 'PPNIN') }],
  })
  return scene.act('admin', 'purchase-order', draft.ID, 'release')
}
async function received(order: Record, qty: string): Promise<Record> {
  const made = await scene.create('warehouse', 'goods-receipt', { PurchaseOrderID: order.ID, WarehouseID: await id('warehouse', 'WJKT'), GrDate: scene.at.clock.today(), SupplierDnNo: 'SJ', Lines: [{ PoLineID: order.Lines[0].ID, QtyReceived: qty }] })
  return scene.act('warehouse', 'goods-receipt', made.ID, 'post')
}
let numbers = 0
async function registered(order: Record, qty: string, price: string, ppn: string, more: object = {}): Promise<Record> {
  const made = await scene.create('vendors', 'vendor-invoice', {
    Kind: 'TRADE', VendorID: vendor, VendorInvoiceNo: `T-${(numbers += 1)}`, DocDate: scene.at.clock.today(), OperatingUnitID: await id('operating_unit', 'JKT'), Ppn: ppn,
    FakturNumber: `0400250000000${String(1000 + numbers)}`, FakturDate: scene.at.clock.today(), Lines: [{ PoLineID: order.Lines[0].ID, Qty: qty, Price: price }], ...more,
  })
  return scene.act('vendors', 'vendor-invoice', made.ID, 'register')
}
const posted = async (made: Record): Promise<Record> => scene.act('vendors', 'vendor-invoice', made.ID, 'submit')
const results = (made: Record) => made.VendorInvoiceMatch.map(({ Rule, Expected, Actual, Difference, IsFine }: Record) => [Rule, Expected, Actual, Difference, IsFine])
const billed = async (order: Record) => {
  const receipts = await scene.rows('goods_receipt_line', sql`po_line_id = ${order.Lines[0].ID}`)
  return [(await scene.read('purchase-order', order.ID)).Lines[0].BilledQty, receipts.map(({ billed_qty: qty }: Record) => qty)]
}
const open = async (): Promise<string> => scene.balance('211103')

describe('PU1: 500 ordered at 12,000, 200 and 150 received', () => {
  let order: Record
  let invoice: Record
  test('300 at 12,040 match; the difference of price is 12,000; GR/IR keeps 600,000', async () => {
    order = await ordered('500', '12000')
    await received(order, '200')
    await received(order, '150')
    const draft = (await scene.command('vendors', 'derive-vendor-invoice', { Kind: 'TRADE', VendorID: vendor, OperatingUnitID: await id('operating_unit', 'JKT'), Lines: [] })).record
    expect(draft.Lines).toMatchObject([{ PoLineID: order.Lines[0].ID, Qty: '350.000', Price: expect.stringMatching(/^12000\.0/) }])
    invoice = await registered(order, '300', '12040', '397320')
    expect(invoice).toMatchObject({ ValidationStatus: 'MATCHED', Dpp: '3612000.00', Total: '4009320.00' })
    expect(results(invoice)).toEqual([
      ['AP_QTY', '350', '300', '0', true], ['AP_PRICE', '12,000.00', '12,040.00', '12,000.00', true], ['AP_DATE', '2026-11-20', '2026-11-20', '', true], ['AP_TAX', '397,320.00', '397,320.00', '0.00', true],
    ])
    await posted(invoice)
    expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['114101 397320.00 0.00', '211101 0.00 4009320.00', '211103 3600000.00 0.00', '511102 12000.00 0.00'])
    expect(await open()).toBe('-600000.00')
    expect(await billed(order)).toEqual(['300.000', ['200.000', '100.000']])
    invoice = await scene.read('vendor-invoice', invoice.ID)
    expect(invoice.VendorInvoiceReceipt.map(({ Qty, Value }: Record) => [Qty, Value])).toEqual([['200.000', '2400000.00'], ['100.000', '1200000.00']])
  })

  test('60 more are an exception: only 50 are received and not billed', async () => {
    const more = await registered(order, '60', '12000', '79200')
    expect(more.ValidationStatus).toBe('EXCEPTION')
    expect(results(more)[0]).toEqual(['AP_QTY', '50', '60', '10', false])
    await scene.act('vendors', 'vendor-invoice', more.ID, 'cancel', { ReasonText: 'Dikembalikan ke pemasok' })
  })

  test('taken back, its receipts may be billed again', async () => {
    await scene.act('vendors', 'vendor-invoice', invoice.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('vendor_invoice', invoice.ID)
    expect(await billed(order)).toEqual(['0.000', ['0.000', '0.000']])
    expect(await open()).toBe('-4200000.00')
    const again = await posted(await registered(order, '350', '12000', '462000'))
    expect(await scene.journal('vendor_invoice', again.ID)).toEqual(['114101 462000.00 0.00', '211101 0.00 4662000.00', '211103 4200000.00 0.00'])
    expect(await open()).toBe('0.00')
  })
})

test('PU2: the limit of price is per line total and percent, both directions, inclusive', async () => {
  const large = await ordered('2000', '30000')
  await received(large, '2000')
  const first = await registered(large, '2000', '30100', '6622000')
  expect([first.ValidationStatus, results(first)[1]]).toEqual(['EXCEPTION', ['AP_PRICE', '30,000.00', '30,100.00', '200,000.00', false]])
  const small = await ordered('10', '30000')
  await received(small, '10')
  const second = await registered(small, '10', '30150', '33165')
  expect([second.ValidationStatus, results(second)[1]]).toEqual(['MATCHED', ['AP_PRICE', '30,000.00', '30,150.00', '1,500.00', true]])
  await posted(second)
  expect(await scene.journal('vendor_invoice', second.ID)).toEqual(['114101 33165.00 0.00', '211101 0.00 334665.00', '211103 300000.00 0.00', '511102 1500.00 0.00'])
  const third = await ordered('10', '30000')
  await received(third, '10')
  expect((await registered(third, '10', '29700', '32670')).ValidationStatus).toBe('EXCEPTION')
})

test('PU3: 100 invoiced, 90 received: forced it stays in 211103 until the rest comes', async () => {
  const before = Number(await open())
  const order = await ordered('100', '20000')
  await received(order, '90')
  const invoice = await registered(order, '100', '20000', '220000')
  expect(results(invoice)[0]).toEqual(['AP_QTY', '90', '100', '10', false])
  expect((await scene.tryAct('vendors', 'vendor-invoice', invoice.ID, 'submit')).data.errors[0].key).toBe('rule.matched')
  await scene.act('vendors', 'vendor-invoice', invoice.ID, 'force-valid', { ReasonText: 'Sisa menyusul' })
  await scene.decide('vendor_invoice', invoice.ID)
  expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['114101 220000.00 0.00', '211101 0.00 2220000.00', '211103 2000000.00 0.00'])
  expect(Number(await open()) - before).toBe(200_000)
  expect(await billed(order)).toEqual(['100.000', ['90.000']])
  await received(order, '10')
  expect(Number(await open()) - before).toBe(0)
  expect((await registered(order, '10', '20000', '22000')).VendorInvoiceMatch[0]).toMatchObject({ Rule: 'AP_QTY', Expected: '0', IsFine: false })
})

test('lines of another vendor or unit are refused, and goods need an order line', async () => {
  const order = await ordered('5', '1000')
  const [other = 0] = await insertRows(scene.database, 'business_partner', [{ code: 'V2', name: 'PT Lain', kinds: ['VENDOR'], is_pkp: true, ap_account_group: 'TRADE' }])
  await expect(registered(order, '5', '1000', '550', { VendorID: other })).rejects.toThrow('PoLineID')
  await expect(registered(order, '5', '1000', '550', { Lines: [{ Qty: '1', Price: '1000' }] })).rejects.toThrow('order-line-needed')
})

test('a tax invoice is of a day and has VAT: an invoice is not registered otherwise', async () => {
  const order = await ordered('10', '1000')
  await received(order, '10')
  const told = async (more: object) => {
    const made = await scene.create('vendors', 'vendor-invoice', {
      Kind: 'TRADE', VendorID: vendor, VendorInvoiceNo: `T-${(numbers += 1)}`, DocDate: scene.at.clock.today(), OperatingUnitID: await id('operating_unit', 'JKT'), Ppn: '1100',
      FakturNumber: `0400250000001${String(1000 + numbers)}`, FakturDate: scene.at.clock.today(), Lines: [{ PoLineID: order.Lines[0].ID, Qty: '10', Price: '1000' }], ...more,
    })
    return ((await scene.tryAct('vendors', 'vendor-invoice', made.ID, 'register')).data.errors ?? []).map(({ field }: Record) => field)
  }
  expect([await told({ FakturDate: null }), await told({ Ppn: '0' }), await told({ FakturNumber: null, FakturDate: null, Ppn: '0' })]).toEqual([['FakturDate'], ['FakturNumber'], []])
})
