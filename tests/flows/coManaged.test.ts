import { afterEach, beforeAll, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { violations } from '#server/ledger/invariants.ts'
import { Imports } from '../support/imports.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let files: Imports
beforeAll(async () => {
  scene = await openScene()
  files = new Imports(scene.at, scene.people.admin)
  const { database } = scene
  await database.run(sql`update customer set is_cmi = true where code = 'C0000002'`)
  await database.transaction(async (tx) => {
    const unit = await id('operating_unit', 'JKT')
    const [item] = await insertRows(tx, 'item', [{ code: 'TEH', name: 'Teh', base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
    await insertRows(tx, 'list_price', [{ price_set_id: await id('price_set', 'BASE'), item_id: item, uom: 'CTN', min_qty: '0', price: '10000', valid_from: '2025-01-01' }])
    await receiveStock(runOf(database, tx), {
      kind: 'OB_STOCK', date: '2026-11-01', operatingUnitId: unit, warehouseId: await id('warehouse', 'WJKT'), source: { type: 'opening', id: 2, code: 'OPENING 2' }, lines: [{ itemId: item ?? 0, qty: '300', cost: '1800000' }],
    })
    await insertRows(tx, 'customer_item', [{ customer_id: await id('customer', 'C0000002'), customer_item_code: 'SW-77', item_id: item }])
  })
  await scene.create('admin', 'warehouse', { Code: 'WKA', Name: 'DC', OperatingUnitID: await id('operating_unit', 'JKT'), Kind: 'CONSIGNMENT', StockClass: 'CONSIGNMENT', CustomerID: await id('customer', 'C0000002'), IsActive: true })
  await scene.delivered('C0000002', [{ item: 'TEH', qty: '280' }], { OrderType: 'CMI' })
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const head = 'Customer,Period,CustomerItemCode,Opening,Receipt,Usage,Adjustment,Closing'
const documents = () => scene.rows('cmi_consumption')
async function taken(...rows: readonly string[]): Promise<{ readonly batch: Record; readonly told: unknown }> {
  const batch = await files.take('cmi.import', [head, ...rows].join('\n'))
  return { batch, told: (await files.rows(batch)).map((row) => [row.State, row.Errors.map(({ column, code, text }) => [column, code, text])]) }
}

test('CO2: a closing that does not follow is E11, the opening is the closing before; what is validated is billed once', async () => {
  const october = await taken('C0000002,202610,sw-77,0,200,0,0,200')
  expect(october.told).toEqual([['VALID', []]])
  await files.commit(october.batch as never)
  expect((await taken('C0000002,202611,SW-77,200,80,130,-5,150')).told).toEqual([['ERROR', [['Closing', 'E11', 'By opening, receipt, usage and adjustment it must be 145.']]]])
  expect((await taken('C0000002,202611,SW-77,190,80,130,-5,135')).told).toEqual([['ERROR', [['Opening', 'E11', 'The period before closed at 200.']]]])
  expect((await taken('C0000002,202611,SW-78,200,80,130,-5,145')).told).toEqual([['ERROR', [['CustomerItemCode', 'E02', 'No item of this customer is called SW-78.']]]])
  expect((await taken('C0000002,202611,SW-77,200,300,281,0,219')).told).toEqual([['ERROR', [['Usage', 'E12', 'Only 280 are there that nobody has reserved.']]]])
  const november = await taken('C0000002,202611,SW-77,200,80,100,-5,175')
  await files.commit(november.batch as never)
  const right = await taken('C0000002,202611,SW-77,200,80,130,-5,145')
  expect(right.told).toEqual([['VALID', []]])
  await files.commit(right.batch as never)
  expect((await documents()).map(({ sales_period, status }: Record) => [sales_period, status])).toEqual([['202610', 1], ['202611', 6], ['202611', 1]])
  const consumption = (await documents())[2]
  await scene.act('billing', 'billing-cmi', consumption.id, 'bill')
  const billed = await scene.read('billing-cmi', consumption.id)
  expect(billed).toMatchObject({ Status: 3, Dpp: '1300000.00', Ppn: '143000.00', Total: '1443000.00' })
  const invoice = await scene.read('invoice', billed.InvoiceID)
  expect(invoice).toMatchObject({ InvoiceType: 'CMI', Status: 1, Total: '1443000.00' })
  expect(await scene.journal('invoice', invoice.ID, 'INV')).toEqual(['112101 1443000.00 0.00', '213101 0.00 143000.00', '411103 0.00 1300000.00'])
  expect(await scene.journal('invoice', invoice.ID, 'COGS')).toEqual(['113102 0.00 780000.00', '511101 780000.00 0.00'])
  // Five are missing at the customer's: the ledger has what he counted, as after a count of our own.
  expect(await scene.journal('cmi_consumption', consumption.id)).toEqual(['113102 0.00 30000.00', '511103 30000.00 0.00'])
  const stands = await scene.database.first(sql`select c.qty, c.value, b.on_hand from stock_cost c join item i on i.id = c.item_id join stock_balance b on b.item_id = i.id join warehouse w on w.id = b.warehouse_id and w.code = 'WKA' where i.code = 'TEH' and c.stock_class = 'CONSIGNMENT'`)
  expect(stands).toEqual({ qty: '145.000', value: '870000.00', on_hand: '145.000' })
  expect((await taken('C0000002,202611,SW-77,200,80,120,-5,155')).told).toMatchObject([['ERROR', [['', 'E10', 'CMI/JKT/2611/00003 has billed 11/2026 already.']]]])
})

test('the report goes on from what was brought and used; undone with its invoice, the month is open again', async () => {
  const { rows } = (await scene.people.admin.get('/api/v1/report/cmi-monitoring.report', { date_from: '2026-11-01', date_to: '2026-11-30' })).data
  expect(rows).toMatchObject([{ FillUps: '280.000', ReportedUsage: '130.000', BilledUsage: '130.000', Adjustments: '-5.000', SystemClosing: '145.000', ReportedClosing: '145.000', StockDifference: '0.000' }])
  const consumption = (await documents())[2]
  const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: consumption.invoice_id, Mode: 'REVERSAL', ReasonID: await id('reason', 'V02') })
  await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
  await scene.decide('invoice_cancel_request', request.ID)
  expect(await scene.read('billing-cmi', consumption.id)).toMatchObject({ Status: 7 })
  expect(await scene.balance('411103')).toBe('0.00')
  expect([await scene.balance('511103'), await scene.balance('113102')]).toEqual(['0.00', '1680000.00'])
  expect((await taken('C0000002,202611,SW-77,200,80,120,-5,155')).told).toEqual([['VALID', []]])
})

test('what a customer finds beyond the book comes in at the average of what is there, and goes again with its invoice', async () => {
  const batch = await taken('C0000002,202611,SW-77,200,80,120,4,164')
  expect(batch.told).toEqual([['VALID', []]])
  await files.commit(batch.batch as never)
  const consumption = (await documents()).at(-1)
  await scene.act('billing', 'billing-cmi', consumption.id, 'bill')
  expect(await scene.journal('cmi_consumption', consumption.id)).toEqual(['113102 24000.00 0.00', '511103 0.00 24000.00'])
  expect(await scene.balance('113102')).toBe('984000.00')
  const billed = await scene.read('billing-cmi', consumption.id)
  const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: billed.InvoiceID, Mode: 'CANCEL', ReasonID: await id('reason', 'V02') })
  await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
  await scene.decide('invoice_cancel_request', request.ID)
  expect([await scene.balance('113102'), await scene.balance('511103')]).toEqual(['1680000.00', '0.00'])
})

test('its orders call on no contract', async () => {
  const [contract] = await insertRows(scene.database, 'sales_contract', [{
    code: 'CT-CMI', status: 1, operating_unit_id: await id('operating_unit', 'JKT'), doc_date: '2026-11-01', customer_id: await id('customer', 'C0000002'), kind: 'PRICE', valid_from: '2026-01-01', valid_to: '2027-12-31',
  }])
  const refused = await scene.people.sales.post('/api/v1/data/sales-order', {
    CustomerID: await id('customer', 'C0000002'), OrderType: 'CMI', ContractID: contract, Lines: [{ ItemID: await id('item', 'TEH'), Uom: 'CTN', Qty: '1' }],
  }, { key: scene.key() })
  expect(refused.data.errors.map(({ field, key }: Record) => [field, key])).toContainEqual(['ContractID', 'field.NOT_A_CHOICE.contract-consigned'])
})
