import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { keepCalendar } from '#server/seed/reference.ts'
import { buyAndGet, insertPromotion } from '../support/promotions.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'
import { loadedTrip, newGoods, openVan, sell, trySell, type VanScene } from '../support/van.ts'

let scene: Scene
let van: VanScene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
  await keepCalendar(scene.database, scene.at.clock)
  await insertRows(scene.database, 'payment_term', [{ code: 'CASH', name: 'Cash', net_days: 0, baseline: 'INVOICE', is_cash: true }])
  van = await openVan(scene)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const onVan = (item: number) => scene.database.first(sql`select qty, value from stock_cost where item_id = ${item} and stock_class = 'CANVAS'`)
const booked = (type: string, id: number, event?: string) => scene.journal(type, id, event)
const lineOf = async (trip: Record, at = 0) => (await scene.read('canvas', trip.ID)).Lines[at]
const orders = async () => (await scene.database.rows<{ id: number }>(sql`select id from sales_order where order_type = 'CANVAS'`)).length
const wrongs = ({ data }: Record) => data.errors.map(({ field, key }: Record) => [field, key])

async function putAway(trip: Record, counted: readonly string[], reason?: number): Promise<Record> {
  await scene.act('sales', 'canvas', trip.ID, 'unload')
  await scene.act('warehouse', 'canvas', trip.ID, 'check', { Quantities: Object.fromEntries(trip.Lines.map((line: Record, i: number) => [line.ID, counted[i]])) })
  return scene.act('admin', 'canvas', trip.ID, 'putaway', reason === undefined ? {} : { ReasonID: reason })
}

/** The cashier counts what the canvasser brings. */
async function handOver(trip: Record, sale: Record, counted: string, more: object = {}): Promise<Record> {
  return scene.create('cashier', 'reconcile-cod', { CanvasRequestID: trip.ID, CashAccountID: await scene.at.id('cash_account', 'KAS-JKT'), DocDate: scene.at.clock.today(), Counted: counted, Lines: [{ ArPaymentID: sale.PaymentID }], ...more })
}

describe('goods sold from a van', () => {
  test('G5: 30 loaded, 22 sold for cash, 7 counted', async () => {
    const item = await newGoods(van, 'G5', { qty: '100', cost: '8500000', price: '120000' })
    const trip = await loadedTrip(van, [[item, '30']])
    expect(await booked('canvas_request', trip.ID)).toEqual(['113101 0.00 2550000.00', '113103 2550000.00 0.00'])
    const sale = await sell(van, trip, { lines: [[item, '22']], received: '2930400' })
    expect(sale).toMatchObject({ Total: '2930400.00' })
    const invoice = await scene.read('invoice', sale.Invoices[0].ID)
    expect(invoice).toMatchObject({ InvoiceType: 'CANVAS', Dpp: '2640000.00', Ppn: '290400.00', Total: '2930400.00', Remaining: '0.00', Status: 3, SalesmanID: van.canvasser })
    expect(await booked('invoice', invoice.ID, 'INV')).toEqual(['112101 2930400.00 0.00', '213101 0.00 290400.00', '411102 0.00 2640000.00'])
    expect(await booked('invoice', invoice.ID, 'COGS')).toEqual(['113103 0.00 1870000.00', '511101 1870000.00 0.00'])
    expect(await booked('ar_payment', sale.PaymentID)).toEqual(['111103 2930400.00 0.00', '112101 0.00 2930400.00'])
    expect(await scene.read('sales-order', sale.OrderID)).toMatchObject({ OrderType: 'CANVAS', Status: 3, BlockCodes: [] })
    expect(await scene.database.rows(sql`select movement_type as type, qty, cost_amount as cost from stock_movement where item_id = ${item} and movement_type like 'V03'`)).toEqual([{ type: 'V03', qty: '-22.000', cost: '-1870000.00' }])
    expect(await lineOf(trip)).toMatchObject({ QtyLoaded: '30.000', QtySold: '22.000' })
    const done = await putAway(trip, ['7'])
    expect(done).toMatchObject({ Status: 3, CostShort: '85000.00', Shortage: 'EMPLOYEE' })
    expect(done.Lines[0]).toMatchObject({ QtySold: '22.000', QtyReturned: '7.000', QtyDiff: '1.000', CostReturned: '595000.00' })
    expect(await onVan(item)).toEqual({ qty: '0.000', value: '0.00' })
    expect(await scene.balance('113103')).toBe('0.00')
    const proposed = await scene.command('cashier', 'derive-reconcile-cod', { CanvasRequestID: trip.ID, DocDate: scene.at.clock.today(), Counted: '2930400', Lines: [] })
    expect(proposed.record.Lines.map((line: Record) => [line.ArPaymentID, line.Amount])).toEqual([[sale.PaymentID, '2930400.00']])
    const count = await handOver(trip, sale, '2930400')
    expect(count).toMatchObject({ DriverID: van.canvasser, OperatingUnitID: await scene.at.id('operating_unit', 'JKT') })
    expect(await scene.act('cashier', 'reconcile-cod', count.ID, 'post')).toMatchObject({ Status: 3, Diff: '0.00' })
    expect(await booked('cod_reconciliation', count.ID)).toEqual(['111102 2930400.00 0.00', '111103 0.00 2930400.00'])
    expect(await scene.balance('111103')).toBe('0.00')
  })

  test('VN1: gifts leave the van too, and the VAT of them is ours', async () => {
    const item = await newGoods(van, 'VN1', { qty: '100', cost: '1840000', price: '25000' })
    await insertPromotion(scene.database, { code: 'VN1', name: 'Buy 15 get 1', valid_from: '2025-01-01', ...buyAndGet(item, '15', '1', 10) })
    const trip = await loadedTrip(van, [[item, '60']])
    const sale = await sell(van, trip, { lines: [[item, '45']], received: '1248750' })
    const invoice = await scene.read('invoice', sale.Invoices[0].ID)
    expect(invoice).toMatchObject({ Dpp: '1125000.00', Ppn: '123750.00', Total: '1248750.00' })
    expect(invoice.Lines.map((line: Record) => [line.Qty, line.IsFree])).toEqual([['45.000', false], ['3.000', true]])
    expect(await booked('invoice', invoice.ID, 'COGS')).toEqual(['113103 0.00 883200.00', '511101 828000.00 0.00', '611101 55200.00 0.00'])
    expect(await booked('invoice', invoice.ID, 'FREE_VAT')).toEqual(['213101 0.00 6072.00', '613105 6072.00 0.00'])
    expect(await lineOf(trip)).toMatchObject({ QtySold: '48.000' })
    const done = await putAway(trip, ['11'])
    expect(done.Lines[0]).toMatchObject({ QtyReturned: '11.000', QtyDiff: '1.000', CostReturned: '202400.00', CostShort: '18400.00' })
    expect(await scene.balance('113103')).toBe('0.00')
    const count = await handOver(trip, sale, '1240000', { DiffReasonID: await scene.at.id('reason', 'A01') })
    expect((await scene.tryAct('cashier', 'reconcile-cod', count.ID, 'post')).code).toBe('ILLEGAL_TRANSITION')
    await scene.act('cashier', 'reconcile-cod', count.ID, 'submit')
    await scene.decide('cod_reconciliation', count.ID)
    expect(await booked('cod_reconciliation', count.ID)).toEqual(['111102 1240000.00 0.00', '111103 0.00 1248750.00', '112201 8750.00 0.00'])
    expect(await scene.balance('111103')).toBe('0.00')
  })

  test('money is counted for the trip it was received on, and for one trip', async () => {
    const item = await newGoods(van, 'HO', { qty: '50', cost: '500000', price: '20000' })
    const trip = await loadedTrip(van, [[item, '5']])
    const sale = await sell(van, trip, { lines: [[item, '1']], received: '22200' })
    const nowhere = await scene.create('cashier', 'reconcile-cod', { CashAccountID: await scene.at.id('cash_account', 'KAS-JKT'), DocDate: scene.at.clock.today(), Counted: '22200', Lines: [{ ArPaymentID: sale.PaymentID }] })
    expect(wrongs(await scene.tryAct('cashier', 'reconcile-cod', nowhere.ID, 'submit'))).toEqual([['DeliveryPlanID', 'rule.one-trip']])
    await putAway(trip, ['4'])
    const other = await loadedTrip(van, [[item, '1']])
    const wrongTrip = await handOver(other, sale, '22200')
    expect(wrongs(await scene.tryAct('cashier', 'reconcile-cod', wrongTrip.ID, 'post'))).toEqual([['Lines[0].ArPaymentID', 'field.NOT_A_CHOICE.trip-payment']])
    const count = await handOver(trip, sale, '22200')
    await scene.act('cashier', 'reconcile-cod', count.ID, 'post')
    await putAway(other, ['1'])
  })

  test('more than is on the van is refused with nothing changed, gifts included', async () => {
    const item = await newGoods(van, 'OV', { qty: '50', cost: '500000', price: '20000' })
    const trip = await loadedTrip(van, [[item, '5']])
    const before = [await orders(), await scene.balance('113103'), await scene.balance('112101'), await onVan(item)]
    const refused = await trySell(van, trip, { lines: [[item, '6']], received: '133200' })
    expect([refused.status, wrongs(refused)]).toEqual([422, [['Lines[0].Qty', 'field.TOO_LARGE.stock']]])
    expect([await orders(), await scene.balance('113103'), await scene.balance('112101'), await onVan(item)]).toEqual(before)
    expect(await lineOf(trip)).toMatchObject({ QtySold: '0.000' })
    const strange = await trySell(van, trip, { lines: [[await scene.at.id('item', 'A'), '1']], received: '1' })
    expect(strange.status).toBe(422)
    await putAway(trip, ['5'])
  })

  test('two sales of the last goods at once: one is made', async () => {
    const item = await newGoods(van, 'TW', { qty: '50', cost: '500000', price: '20000' })
    const trip = await loadedTrip(van, [[item, '5']])
    const answers = await Promise.all(['a', 'b'].map(() => trySell(van, trip, { lines: [[item, '3']], received: '66600' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await lineOf(trip)).toMatchObject({ QtySold: '3.000' })
    await putAway(trip, ['2'])
  })

  test('sent twice it is made once', async () => {
    const item = await newGoods(van, 'ID', { qty: '50', cost: '500000', price: '20000' })
    const trip = await loadedTrip(van, [[item, '5']])
    const key = scene.key()
    const first = await trySell(van, trip, { lines: [[item, '1']], received: '22200' }, key)
    const again = await trySell(van, trip, { lines: [[item, '1']], received: '22200' }, key)
    expect(again.data.OrderID).toBe(first.data.OrderID)
    expect(await lineOf(trip)).toMatchObject({ QtySold: '1.000' })
    await putAway(trip, ['4'])
  })

  test('its invoice undone, the goods are on the van again; once they are counted that is refused', async () => {
    const item = await newGoods(van, 'RV', { qty: '50', cost: '500000', price: '20000' })
    const other = await newGoods(van, 'RV2', { qty: '50', cost: '250000', price: '10000', tax: 'PPN01' })
    const trip = await loadedTrip(van, [[item, '10'], [other, '10']])
    const sale = await sell(van, trip, { lines: [[item, '4'], [other, '2']] })
    expect(sale.Invoices.length).toBe(2)
    expect(sale.PaymentID).toBeNull()
    const undo = async (invoice: number, mode: string) => {
      const asked = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice, Mode: mode, ReasonID: await scene.at.id('reason', 'C02'), ReasonText: 'Wrong customer' })
      await scene.act('billing', 'invoice-cancel-request', asked.ID, 'submit')
      return scene.decide('invoice_cancel_request', asked.ID)
    }
    await undo(sale.Invoices[0].ID, 'CANCEL')
    expect((await scene.read('invoice', sale.Invoices[0].ID)).Status).toBe(6)
    expect((await scene.read('invoice', sale.Invoices[1].ID)).Status).toBe(6)
    expect((await scene.read('sales-order', sale.OrderID)).Status).toBe(6)
    expect((await scene.read('canvas', trip.ID)).Lines.map((line: Record) => line.QtySold)).toEqual(['0.000', '0.000'])
    expect(await onVan(item)).toEqual({ qty: '10.000', value: '100000.00' })
    expect(await scene.database.rows(sql`select qty, cost_amount as cost from stock_movement where item_id = ${item} and movement_type = 'V04'`)).toEqual([{ qty: '4.000', cost: '40000.00' }])
    const second = await sell(van, trip, { lines: [[item, '1']] })
    await undo(second.Invoices[0].ID, 'REVERSAL')
    expect(await onVan(item)).toEqual({ qty: '10.000', value: '100000.00' })
    const third = await sell(van, trip, { lines: [[item, '1']] })
    await putAway(trip, ['9', '10'])
    await expect(undo(third.Invoices[0].ID, 'CANCEL')).rejects.toThrow(/counted/)
    await scene.database.run(sql`update invoice set pending_transition = null where id = ${third.Invoices[0].ID}`)
  })

  test('unpaid it is held to the credit of the customer, paid it is not; a customer of another unit is none of its', async () => {
    const item = await newGoods(van, 'CR', { qty: '50', cost: '500000', price: '20000' })
    const trip = await loadedTrip(van, [[item, '10']])
    const customer = await scene.at.id('customer', 'C0000001')
    await scene.database.run(sql`update credit_limit set amount = 1 where customer_id = ${customer}`)
    const refused = await trySell(van, trip, { lines: [[item, '1']] })
    expect([refused.status, refused.data.key ?? refused.code]).toEqual([422, 'block.CL01'])
    const sold = await sell(van, trip, { lines: [[item, '1']], received: '22200' })
    expect(await scene.read('invoice', sold.Invoices[0].ID)).toMatchObject({ Status: 3, PaymentTermID: await scene.at.id('payment_term', 'CASH') })
    await scene.database.run(sql`update credit_limit set amount = 100000000 where customer_id = ${customer}`)
    const part = await sell(van, trip, { lines: [[item, '1']], received: '10000' })
    expect(await scene.read('invoice', part.Invoices[0].ID)).toMatchObject({ Status: 2, Remaining: '12200.00' })
    expect(wrongs(await trySell(van, trip, { lines: [[item, '1']], received: '22201' }))).toEqual([['Received', 'field.TOO_LARGE.van-sale']])
    const elsewhere = await trySell(van, trip, { customer: 'C0000003', lines: [[item, '1']], received: '22200' })
    expect(elsewhere.status).toBe(422)
    await putAway(trip, ['8'])
    expect((await trySell(van, trip, { lines: [[item, '1']], received: '22200' })).data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.van-not-selling' })
  })

  test('who may not sell does not, nor from the van of another; no order of a van is made by hand', async () => {
    const item = await newGoods(van, 'WH', { qty: '50', cost: '500000', price: '20000' })
    const trip = await loadedTrip(van, [[item, '10']])
    const other = await openVan(scene, 'van2')
    expect((await trySell(other, trip, { lines: [[item, '1']], received: '22200' })).status).toBe(404)
    expect((await trySell({ ...van, seller: scene.people.warehouse }, trip, { lines: [[item, '1']], received: '22200' })).status).toBe(403)
    const byHand = await scene.people.sales.post('/api/v1/data/sales-order', { CustomerID: await scene.at.id('customer', 'C0000001'), OrderType: 'CANVAS', WarehouseID: van.van, Lines: [{ ItemID: item, Uom: 'PCS', Qty: '1' }] }, { key: scene.key() })
    expect(wrongs(byHand)).toEqual([['OrderType', 'field.NOT_A_CHOICE.order-type'], ['WarehouseID', 'field.NOT_A_CHOICE.warehouse-for-sale']])
    await putAway(trip, ['10'])
  })
})
