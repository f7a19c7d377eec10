import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { buyAndGet, insertPromotion } from '../support/promotions.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'

let scene: Scene
const makmur = 'C0000001'
const sejahtera = 'C0000002'
beforeAll(async () => {
  scene = await openScene()
  await returnsWarehouse()
})
const returnsWarehouse = async () => insertRows(scene.database, 'warehouse', [{ code: 'RJKT', name: 'Jakarta returns', operating_unit_id: await id('operating_unit', 'JKT'), kind: 'RETURN', stock_class: 'RETURN' }])
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const today = () => scene.at.clock.today()
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]
const movements = async (ID: number) => (await scene.rows('stock_movement', sql`doc_type = 'sales_return' and doc_id = ${ID}`)).map(({ movement_type: type, stock_class: place, qty, cost_amount: cost }: Record) => `${type} ${place} ${qty} ${cost}`)
const journals = async (ID: number, event: string) => scene.journal('sales_return', ID, event)

/** Goods of an item of its own, at one price a piece and in stock at one cost. */
async function goods(code: string, price: string, stock: string, cost: string, more: object = {}): Promise<number> {
  const [item = 0] = await insertRows(scene.database, 'item', [{ code, name: `Goods ${code}`, base_uom: 'CTN', sales_uom: 'CTN', pack_qty: '1', tax_code_id: await id('tax_code', 'PPN04'), status: 1 }])
  await insertRows(scene.database, 'item_uom', [{ item_id: item, uom: 'CTN', factor: '1', coretax_unit: 'UM.0021' }])
  await insertRows(scene.database, 'list_price', [{ price_set_id: await id('price_set', 'BASE'), item_id: item, uom: 'CTN', min_qty: '0', price, valid_from: '2025-01-01', ...more }])
  await stocked(item, stock, cost)
  return item
}
let receipts = 100
async function stocked(item: number, qty: string, cost: string): Promise<void> {
  const source = { type: 'opening', id: (receipts += 1), code: `OPENING-${receipts}` }
  const [unit, warehouse] = [await id('operating_unit', 'JKT'), await id('warehouse', 'WJKT')]
  await scene.database.transaction(async (tx) => {
    await receiveStock(runOf(scene.database, tx, `${today()}T03:00:00.000Z`), { kind: 'OB_STOCK', date: today(), operatingUnitId: unit, warehouseId: warehouse, source, lines: [{ itemId: item, qty, cost }] })
  })
}
const linesOf = (invoice: Record): Promise<Record[]> => scene.rows('invoice_line', sql`invoice_id = ${invoice.ID}`)
const head = async (customer: string, more: object) => ({ CustomerID: await id('customer', customer), ReturnDate: today(), CauseID: await id('reason', 'T01'), ...more })
const ask = async (customer: string, invoice: Record, lines: readonly object[]) => scene.create('sales', 'sales-return', await head(customer, { Kind: 'WITH_REF', InvoiceID: invoice.ID, Lines: lines }))
async function approved(made: Record): Promise<Record> {
  await scene.act('sales', 'sales-return', made.ID, 'submit')
  await scene.decide('sales_return', made.ID)
  return scene.read('sales-return', made.ID)
}
async function credited(made: Record, received: object = {}, looked: object = {}): Promise<Record> {
  await approved(made)
  await scene.act('warehouse', 'sales-return', made.ID, 'receive', received)
  await scene.act('warehouse', 'sales-return', made.ID, 'inspect', looked)
  return scene.act('receivables', 'sales-return', made.ID, 'credit')
}
const undo = async (ID: number) => scene.tryAct('receivables', 'sales-return', ID, 'reverse', { ReasonID: await id('reason', 'V02') })

test('G3: 2 of 24 A come back good: base and VAT to the rupiah, goods at what they cost, VAT when the nota retur is there', async () => {
  const invoice = await scene.invoiced(makmur, [{ item: 'A', qty: '24' }, { item: 'B', qty: '10' }])
  const a = (await linesOf(invoice)).find(({ qty }) => qty === '24.000')
  const made = await ask(makmur, invoice, [{ InvoiceLineID: a?.id, ItemID: a?.item_id, QtyRequested: '2' }])
  expect(made).toMatchObject({ Dpp: '218733.00', Ppn: '24061.00', Total: '242794.00', GiftDeduction: '0.00' })
  expect(errorsOf(await scene.tryAct('sales', 'sales-return', (await ask(makmur, invoice, [{ InvoiceLineID: a?.id, ItemID: a?.item_id, QtyRequested: '25' }])).ID, 'submit'))).toEqual(['EXCEEDS_REMAINING', ['Lines[0].QtyRequested', 'field.EXCEEDS_REMAINING.quantity']])
  const done = await credited(made)
  expect(done).toMatchObject({ Status: 3, Code: 'RTN/JKT/2611/00001', Total: '242794.00', PpnPending: true })
  expect(await journals(made.ID, 'RET_RECEIPT')).toEqual(['113105 170000.00 0.00', '113106 0.00 170000.00'])
  expect(await journals(made.ID, 'RET_GOOD')).toEqual(['113101 170000.00 0.00', '113105 0.00 170000.00'])
  expect(await journals(made.ID, 'CN_RETURN_COGS')).toEqual(['113106 170000.00 0.00', '511101 0.00 170000.00'])
  const note = await scene.read('credit-note', done.CreditNoteID)
  expect(note).toMatchObject({ Kind: 'RETURN', Status: 1, Dpp: '218733.00', Ppn: '24061.00', Total: '242794.00', Remaining: '242794.00', PpnPending: true, SalesReturnID: made.ID })
  expect(await scene.journal('credit_note', note.ID)).toEqual(['112101 0.00 242794.00', '213104 24061.00 0.00', '413101 218733.00 0.00'])
  expect(await movements(made.ID)).toEqual(['651 RETURN 2.000 170000.00', '653 RETURN -2.000 -170000.00', '653 UNRESTRICTED 2.000 170000.00'])
  // An invoice of which goods came back stays as it is, and so does its credit note.
  expect(errorsOf(await scene.tryAct('receivables', 'credit-note', note.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') }))).toEqual(['VALIDATION_FAILED', ['Kind', 'rule.return-reversed-there']])
  await scene.act('receivables', 'sales-return', made.ID, 'tax-return', { NotaReturNumber: 'NR-2041', NotaReturDate: today() })
  expect(await scene.journal('credit_note', note.ID, 'CN_TAXDOC')).toEqual(['213101 24061.00 0.00', '213104 0.00 24061.00'])
  expect(await scene.read('sales-return', made.ID)).toMatchObject({ NotaReturNumber: 'NR-2041', PpnPending: false })
  expect(await scene.read('credit-note', note.ID)).toMatchObject({ NotaReturNumber: 'NR-2041', PpnPending: false })
  // Taken back whole: goods, cost, credit note, VAT.
  expect((await undo(made.ID)).status).toBe(200)
  expect(await scene.read('credit-note', note.ID)).toMatchObject({ Status: 7, Remaining: '0.00' })
  expect((await linesOf(invoice)).find(({ qty }) => qty === '24.000')).toMatchObject({ returned_qty: '0.000' })
  expect([await scene.balance('113105'), await scene.balance('113106'), await scene.balance('213104'), await scene.balance('413101')]).toEqual(['0.00', '0.00', '0.00', '0.00'])
})

test('PR7: what comes back is credited at its net; the rest keeps the percentage of the order it was', async () => {
  await goods('PR7', '100000', '100', '6000000')
  const invoice = await scene.invoiced(sejahtera, [{ item: 'PR7', qty: '52' }])
  expect(invoice).toMatchObject({ Gross: '5200000.00', Promo: '130000.00', Dpp: '5070000.00' })
  const [line] = await linesOf(invoice)
  const done = await credited(await ask(sejahtera, invoice, [{ InvoiceLineID: line?.id, ItemID: line?.item_id, QtyRequested: '10' }]))
  expect(await scene.read('credit-note', done.CreditNoteID)).toMatchObject({ Dpp: '975000.00' })
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Promo: '130000.00', Dpp: '5070000.00' })
})

test('RT2: without an invoice at the lowest net price of six months, both days included; somebody always decides', async () => {
  const item = await goods('RT2', '99000', '1000', '85000000')
  for (const [day, price] of [['2025-11-20', '99000'], ['2026-01-15', '118000'], ['2026-02-03', '112500'], ['2026-04-28', '121000']] as const) {
    const invoice = await scene.invoiced(sejahtera, [{ item: 'RT2', qty: '10' }])
    await scene.database.run(sql`update invoice_line set dpp = ${price}::numeric * 10 where invoice_id = ${invoice.ID}`)
    await scene.database.run(sql`update invoice set doc_date = ${day}::date where id = ${invoice.ID}`)
  }
  const lines = [{ ItemID: item, QtyRequested: '4' }]
  const priced = async (day: string) => scene.create('sales', 'sales-return', await head(sejahtera, { Kind: 'WITHOUT_REF', FormVersion: 1, ReturnDate: day, Lines: lines }))
  expect(await priced('2026-06-10')).toMatchObject({ Dpp: '450000.00', Ppn: '49500.00', Total: '499500.00', Lines: [{ Price: '112500.0000' }] })
  expect((await priced('2026-08-03')).Lines).toMatchObject([{ Price: '112500.0000' }])
  expect((await priced('2026-08-04')).Lines).toMatchObject([{ Price: '121000.0000' }])
  await scene.database.run(sql`update setting_oms set value = value || '{"sales_return": "AUTO"}'::jsonb where key = 'approval_default'`)
  const made = await priced('2026-06-10')
  expect((await scene.act('sales', 'sales-return', made.ID, 'submit')).Status).toBe(4)
  await scene.decide('sales_return', made.ID)
  await scene.act('warehouse', 'sales-return', made.ID, 'receive')
  expect(await journals(made.ID, 'RET_RECEIPT')).toEqual(['113105 340000.00 0.00', '113106 0.00 340000.00'])
  await scene.act('warehouse', 'sales-return', made.ID, 'inspect', {})
  expect(await scene.act('receivables', 'sales-return', made.ID, 'credit')).toMatchObject({ Status: 3, Total: '499500.00' })
  // Never sold: the floor of today's list, and without one no price.
  const floor = await goods('RT2F', '50000', '10', '400000', { floor_price: '41000' })
  const bare = await goods('RT2N', '50000', '10', '400000')
  const other = (ItemID: number) => head(sejahtera, { Kind: 'WITHOUT_REF', Lines: [{ ItemID, QtyRequested: '1' }] }).then((body) => scene.create('sales', 'sales-return', body))
  expect(await other(floor)).toMatchObject({ Dpp: '41000.00' })
  expect(errorsOf(await scene.tryAct('sales', 'sales-return', (await other(bare)).ID, 'submit'))).toEqual(['VALIDATION_FAILED', ['Lines[0].ItemID', 'field.PR00']])
  // The days of the scene are restored for what follows.
  await scene.database.run(sql`update invoice i set doc_date = i.posting_date where exists (select 1 from invoice_line l where l.invoice_id = i.id and l.item_id = ${item})`)
})

test('RT4: asked 10, came 9: 6 good, 2 damaged, 1 sent back; the tenth is never credited', async () => {
  const item = await goods('RT4', '75000', '100', '5000000')
  const invoice = await scene.invoiced(sejahtera, [{ item: 'RT4', qty: '20' }])
  const [line] = await linesOf(invoice)
  const before = [Number(await scene.balance('113105')), Number(await scene.balance('113106'))]
  const made = await approved(await ask(sejahtera, invoice, [{ InvoiceLineID: line?.id, ItemID: item, QtyRequested: '10' }]))
  const [own] = made.Lines
  // What is on its way is not asked for twice.
  expect(errorsOf(await scene.tryAct('sales', 'sales-return', (await ask(sejahtera, invoice, [{ InvoiceLineID: line?.id, ItemID: item, QtyRequested: '11' }])).ID, 'submit'))).toEqual(['EXCEEDS_REMAINING', ['Lines[0].QtyRequested', 'field.EXCEEDS_REMAINING.quantity']])
  expect(errorsOf(await scene.tryAct('warehouse', 'sales-return', made.ID, 'receive', { Quantities: { [own.ID]: '11' } }))).toEqual(['VALIDATION_FAILED', [`Quantities.${own.ID}`, 'field.EXCEEDS_REMAINING.quantity']])
  await scene.act('warehouse', 'sales-return', made.ID, 'receive', { Quantities: { [own.ID]: '9' } })
  expect(await journals(made.ID, 'RET_RECEIPT')).toEqual(['113105 450000.00 0.00', '113106 0.00 450000.00'])
  expect((await scene.tryAct('receivables', 'sales-return', made.ID, 'credit')).code).toBe('ILLEGAL_TRANSITION')
  await scene.act('warehouse', 'sales-return', made.ID, 'inspect', { Bad: { [own.ID]: '2' }, Refused: { [own.ID]: '1' } })
  expect(await journals(made.ID, 'RET_GOOD')).toEqual(['113101 300000.00 0.00', '113105 0.00 300000.00'])
  expect(await journals(made.ID, 'RET_REFUSED')).toEqual(['113105 0.00 50000.00', '113106 50000.00 0.00'])
  const done = await scene.act('receivables', 'sales-return', made.ID, 'credit')
  expect(done).toMatchObject({ Dpp: '600000.00', Ppn: '66000.00', Total: '666000.00', Lines: [{ QtyGood: '6.000', QtyBad: '2.000', QtyRefused: '1.000' }] })
  expect(await journals(made.ID, 'CN_RETURN_COGS')).toEqual(['113106 400000.00 0.00', '511101 0.00 400000.00'])
  expect([Number(await scene.balance('113105')) - (before[0] ?? 0), Number(await scene.balance('113106')) - (before[1] ?? 0)]).toEqual([100_000, 0])
  expect((await linesOf(invoice))[0]).toMatchObject({ returned_qty: '8.000' })
  expect(errorsOf(await scene.tryAct('billing', 'invoice-cancel-request', (await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'CANCEL', ReasonID: await id('reason', 'C02'), DocDate: today() })).ID, 'submit'))).toMatchObject(['ILLEGAL_TRANSITION'])
  // Used, it is not taken back.
  expect((await undo(made.ID)).status).toBe(200)
  expect(await movements(made.ID)).toEqual([
    '651 RETURN 9.000 450000.00', '652 RETURN -1.000 -50000.00', '653 RETURN -6.000 -300000.00', '653 UNRESTRICTED 6.000 300000.00',
    '653 UNRESTRICTED -6.000 -300000.00', '653 RETURN 6.000 300000.00', '652 RETURN 1.000 50000.00', '652 RETURN -9.000 -450000.00',
  ])
})

describe('CN4 and CN5', () => {
  test('three returns of one invoice add up to it, base and VAT', async () => {
    const item = await goods('CN4', '142857.1429', '10', '500000')
    const invoice = await scene.invoiced(sejahtera, [{ item: 'CN4', qty: '7' }])
    expect(invoice).toMatchObject({ Dpp: '1000000.00', Ppn: '110000.00' })
    const [line] = await linesOf(invoice)
    const parts: Record[] = []
    for (const QtyRequested of ['2', '2', '3']) parts.push(await credited(await ask(sejahtera, invoice, [{ InvoiceLineID: line?.id, ItemID: item, QtyRequested }])))
    expect(parts.map(({ Dpp, Ppn, Total }) => [Dpp, Ppn, Total])).toEqual([['285714.00', '31429.00', '317143.00'], ['285715.00', '31429.00', '317144.00'], ['428571.00', '47142.00', '475713.00']])
  })
})

test('approved it can be cancelled; rejected goods of an invoice come back by a draft of the proof of delivery', async () => {
  const { issue } = await scene.delivered(sejahtera, [{ item: 'C', qty: '10' }])
  const [invoice] = await scene.bill([issue.id])
  const [line] = await scene.rows('delivery_order_line', sql`delivery_order_id = ${issue.delivery_order_id}`)
  const pod = await scene.create('billing', 'pod', {
    DeliveryOrderID: issue.delivery_order_id, ReceivedDate: today(), DocDate: today(), ReceiverName: 'Pak Budi', Lines: [{ DeliveryOrderLineID: line?.id, QtyReceived: '8', QtyRejected: '2', ReasonID: await id('reason', 'P03') }],
  })
  await scene.act('billing', 'pod', pod.ID, 'confirm')
  const [draft] = await scene.rows('sales_return', sql`pod_id = ${pod.ID}`)
  const made = await scene.read('sales-return', draft?.id)
  expect(made).toMatchObject({ Status: 0, Kind: 'WITH_REF', InvoiceID: invoice.ID, Lines: [{ QtyRequested: '2.000' }] })
  expect(Number(made.Dpp)).toBeGreaterThan(0)
  expect(await approved(made)).toMatchObject({ Status: 1 })
  await scene.act('sales', 'sales-return', made.ID, 'cancel', { ReasonID: await id('reason', 'C01') })
  expect(await scene.read('sales-return', made.ID)).toMatchObject({ Status: 6 })
})

describe('sold at plain prices', () => {
  beforeAll(async () => {
    scene = await openScene()
    await returnsWarehouse()
    await scene.database.run(sql`update promotion set status = 0 where code = 'P2'`)
  })

  test('RT1: price and cost are those of the sale, not of today', async () => {
    const item = await goods('RT1', '96000', '40', '2450000')
    const invoice = await scene.invoiced(sejahtera, [{ item: 'RT1', qty: '40' }])
    await scene.database.run(sql`update list_price set price = 105000 where item_id = ${item}`)
    await stocked(item, '100', '6400000')
    const [line] = await linesOf(invoice)
    const done = await credited(await ask(sejahtera, invoice, [{ InvoiceLineID: line?.id, ItemID: item, QtyRequested: '5' }]))
    expect(done).toMatchObject({ Dpp: '480000.00', Ppn: '52800.00', Total: '532800.00' })
    expect(await journals(done.ID, 'RET_RECEIPT')).toEqual(['113105 306250.00 0.00', '113106 0.00 306250.00'])
    expect(await journals(done.ID, 'CN_RETURN_COGS')).toEqual(['113106 306250.00 0.00', '511101 0.00 306250.00'])
    expect(await journals(done.ID, 'RET_GOOD')).toEqual(['113101 306250.00 0.00', '113105 0.00 306250.00'])
    expect(await scene.rows('stock_cost', sql`item_id = ${item} and stock_class = 'UNRESTRICTED'`)).toMatchObject([{ qty: '105.000', value: '6706250.00' }])
  })

  test('RT3: what of the free goods is not earned any more comes back or is paid for', async () => {
    const item = await goods('RT3', '54000', '100', '4100000')
    await insertPromotion(scene.database, { code: 'P12', name: 'Buy 12 get 1', valid_from: '2025-01-01', ...buyAndGet(item, '12', '1', 5) })
    const invoice = await scene.invoiced(sejahtera, [{ item: 'RT3', qty: '60' }])
    const lines = await linesOf(invoice)
    const paid = lines.find((line) => !line.is_free)
    const free = lines.find((line) => line.is_free)
    expect(free?.qty).toBe('5.000')
    const made = await ask(sejahtera, invoice, [{ InvoiceLineID: paid?.id, ItemID: item, QtyRequested: '15' }, { InvoiceLineID: free?.id, ItemID: item, QtyRequested: '1' }])
    const done = await credited(made)
    expect(done).toMatchObject({ GiftDeduction: '54000.00', Dpp: '756000.00', Ppn: '83160.00', Total: '839160.00' })
    expect(await journals(made.ID, 'CN_RETURN_COGS')).toEqual(['113106 656000.00 0.00', '511101 0.00 615000.00', '611101 0.00 41000.00'])
    // The rest comes back: nothing is deducted twice, and all parts add up to the invoice.
    const rest = await credited(await ask(sejahtera, invoice, [{ InvoiceLineID: paid?.id, ItemID: item, QtyRequested: '45' }, { InvoiceLineID: free?.id, ItemID: item, QtyRequested: '3' }]))
    expect(rest).toMatchObject({ GiftDeduction: '0.00', Dpp: '2430000.00' })
    expect((await undo(rest.ID)).status).toBe(200)
  })
})
