import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))
const id = (table: string, code: string) => scene.at.id(table, code)

describe('a container', () => {
  test('is loaded, leaves, stands at a customer, comes back and is emptied', async () => {
    const made = await scene.create('admin', 'inventory-container', {
      Code: 'KRAT-1', Kind: 'CRATE', OperatingUnitID: await id('operating_unit', 'JKT'), WarehouseID: await id('warehouse', 'WJKT'), DepositValue: '75000', Lines: [{ ItemID: await id('item', 'A'), Qty: '12' }],
    })
    expect(made).toMatchObject({ Status: 0 })
    const act = (action: string, body: object = {}) => scene.act('admin', 'inventory-container', made.ID, action, body)
    expect(await act('load')).toMatchObject({ Status: 8 })
    expect(await act('depart', { Eta: scene.at.clock.today() })).toMatchObject({ Status: 2, Eta: scene.at.clock.today() })
    const nobody = await scene.tryAct('admin', 'inventory-container', made.ID, 'hand-over')
    expect(nobody.data.errors.map(({ field }: Record) => field)).toEqual(['CustomerID'])
    const makmur = await id('customer', 'C0000001')
    expect(await act('hand-over', { CustomerID: makmur })).toMatchObject({ Status: 1, CustomerID: makmur })
    expect(await act('return', { WarehouseID: await id('warehouse', 'WJKT') })).toMatchObject({ Status: 3, CustomerID: null, Eta: null })
    expect(await act('empty')).toMatchObject({ Status: 0, Lines: [] })
    expect((await scene.tryAct('admin', 'inventory-container', made.ID, 'load')).status).toBe(422)
  })
})

const makmurCode = 'C0000001'
let made = 0
/** A crate worth so much of deposit. */
async function crate(deposit: string): Promise<Record> {
  made += 1
  return scene.create('admin', 'inventory-container', { Code: `K-${made}`, Kind: 'CRATE', OperatingUnitID: await id('operating_unit', 'JKT'), WarehouseID: await id('warehouse', 'WJKT'), DepositValue: deposit })
}
const step = (one: Record, action: string, body: object = {}) => scene.act('warehouse', 'inventory-container', one.ID, action, body)
const moves = (customer: number) => scene.rows('container_move', sql`customer_id = ${customer}`)
const booked = async (move: Record) => scene.journal('container_move', move.id)
const reasonFor = async () => ({ ReasonID: await id('reason', 'A01') })
async function atCustomer(deposit: string, customer: string): Promise<Record> {
  const one = await crate(deposit)
  await step(one, 'depart')
  return step(one, 'hand-over', { CustomerID: await id('customer', customer) })
}
const last = async () => (await scene.rows('container_move')).at(-1)

describe('the deposit of a container (D49)', () => {
  test('is charged when it is handed over and credited when it is back', async () => {
    const makmur = await id('customer', makmurCode)
    const before = await scene.balance('112101', makmur)
    const one = await atCustomer('75000', makmurCode)
    expect(one).toMatchObject({ Status: 1, DepositHeld: '75000.00' })
    const charge = await last()
    expect(charge).toMatchObject({ kind: 'CHARGE', status: 1, deposit: '75000.00', total: '75000.00', ppn: '0.00' })
    expect(await booked(charge)).toEqual(['112101 75000.00 0.00', '212105 0.00 75000.00'])
    const memo = await scene.read('invoice', charge.invoice_id)
    expect(memo).toMatchObject({ InvoiceType: 'DEBIT_MEMO', Status: 1, Total: '75000.00', Remaining: '75000.00', Ppn: '0.00', CustomerID: makmur })
    expect(memo.Code).toMatch(/^DM\//)
    const back = await step(one, 'return', { WarehouseID: await id('warehouse', 'WJKT') })
    expect(back).toMatchObject({ Status: 3, DepositHeld: '0.00', CustomerID: null })
    const credit = await last()
    expect(await booked(credit)).toEqual(['112101 0.00 75000.00', '212105 75000.00 0.00'])
    expect(await scene.read('credit-note', credit.credit_note_id)).toMatchObject({ Status: 1, Total: '75000.00', Remaining: '75000.00', CustomerID: makmur })
    expect([await scene.balance('212105'), await scene.balance('112101', makmur)]).toEqual(['0.00', before])
  })

  test('lost, it is kept with the VAT in it; found again, it is the customer\'s again', async () => {
    const one = await atCustomer('75000', makmurCode)
    const bare = await scene.tryAct('warehouse', 'inventory-container', one.ID, 'lose')
    expect(bare.data.errors.map(({ field }: Record) => field)).toEqual(['ReasonID'])
    expect(await step(one, 'lose', await reasonFor())).toMatchObject({ Status: 6, DepositHeld: '0.00' })
    const lost = await last()
    // 75,000 / 1.11 = 67,567.57, in whole rupiah.
    expect(await booked(lost)).toEqual(['212105 75000.00 0.00', '213101 0.00 7432.00', '414101 0.00 67568.00'])
    expect(lost).toMatchObject({ invoice_id: null, credit_note_id: null })
    expect(await step(one, 'find')).toMatchObject({ Status: 1, DepositHeld: '75000.00' })
    expect(await scene.rows('container_move', sql`id = ${lost.id}`)).toMatchObject([{ status: 7 }])
    expect([await scene.balance('414101'), await scene.balance('213101')]).toEqual(['0.00', '0.00'])
    await step(one, 'return', { WarehouseID: await id('warehouse', 'WJKT') })
    expect(await scene.balance('212105')).toBe('0.00')
  })

  test('lost without a deposit, its value is claimed by a debit memo that nobody cancels past the container', async () => {
    const makmur = await id('customer', makmurCode)
    const one = await crate('55500')
    await step(one, 'depart', { CustomerID: makmur })
    await step(one, 'lose', await reasonFor())
    const claim = await last()
    expect(await booked(claim)).toEqual(['112101 55500.00 0.00', '213101 0.00 5500.00', '414101 0.00 50000.00'])
    expect(await scene.read('invoice', claim.invoice_id)).toMatchObject({ InvoiceType: 'DEBIT_MEMO', Dpp: '50000.00', Ppn: '5500.00', Total: '55500.00', Remaining: '55500.00' })
    expect((await scene.tryAct('warehouse', 'inventory-container', one.ID, 'find')).data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.container-claimed' })
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: claim.invoice_id, Mode: 'CANCEL', ReasonID: await id('reason', 'C02') })
    expect((await scene.tryAct('billing', 'invoice-cancel-request', request.ID, 'submit')).data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.invoice-of-container' })
  })

  test('lost, it owes a tax invoice like a sale: drafted, in the file, dropped when it is found before, kept once it has left the house', async () => {
    const { database } = scene
    await database.run(sql`insert into tax_invoice_period (period, deadline, status) values ('202611', '2026-12-20', 'OPEN') on conflict do nothing`)
    await database.run(sql`update company set npwp = '0123456789012345', is_pkp = true`)
    await database.run(sql`update customer set npwp = '0987654321098765', tax_id_type = 'TIN', tax_name = 'PT Makmur' where code = ${makmurCode}`)
    const tax = async (name: string) => (await scene.command('admin', name, { Period: '202611' })).results
    const fakturs = async (move: Record) => (await scene.rows('tax_invoice', sql`container_move_id = ${move.id}`)).map(({ code, status, dpp, dpp_other: other, ppn }: Record) => [code, status, dpp, other, ppn])
    const one = await atCustomer('60000', makmurCode)
    await step(one, 'lose', await reasonFor())
    const lost = await last()
    await tax('draft-tax-invoices')
    // 60,000 / 1.11 = 54,054; 11/12 of it at 12 % are 5,945.94.
    expect(await fakturs(lost)).toEqual([[lost.code, 'DRAFT', '54054.00', '49549.50', '5946.00']])
    await tax('draft-tax-invoices')
    expect(await fakturs(lost)).toHaveLength(1)
    await step(one, 'find')
    expect(await fakturs(lost)).toEqual([[lost.code, 'CANCELLED', '54054.00', '49549.50', '5946.00']])
    await step(one, 'lose', await reasonFor())
    const again = await last()
    const [file] = (await tax('export-tax-invoices')).filter(({ ok }: Record) => ok)
    expect(await fakturs(again)).toEqual([[again.code, 'EXPORTED', '54054.00', '49549.50', '5946.00']])
    const admin = await scene.at.signIn('admin')
    const xml = await scene.at.app.inject({ url: `/api/v1/tax-invoice-xml/${file.ID}`, headers: { authorization: `Bearer ${admin.token}` } })
    expect(xml.body).toContain(`<Name>Wadah tidak kembali ${one.Code}</Name>`)
    expect((await scene.tryAct('warehouse', 'inventory-container', one.ID, 'find')).data).toMatchObject({ key: 'problem.ILLEGAL_TRANSITION.document-taxed' })
  })

  test('without a deposit nothing is booked', async () => {
    const before = (await scene.rows('container_move')).length
    const one = await atCustomer('0', makmurCode)
    await step(one, 'lose', await reasonFor())
    expect((await scene.rows('container_move')).length).toBe(before)
  })

  test('its credit note is not reversed by itself', async () => {
    const one = await atCustomer('20000', makmurCode)
    await step(one, 'return', { WarehouseID: await id('warehouse', 'WJKT') })
    const { credit_note_id: note } = await last()
    const refused = await scene.tryAct('receivables', 'credit-note', note, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    expect(refused.data.errors.map(({ key }: Record) => key)).toEqual(['rule.container-credited-there'])
  })

  test('its memo is paid like any other', async () => {
    await atCustomer('30000', makmurCode)
    const { invoice_id: memo } = await last()
    await scene.pay(makmurCode, '30000', [{ InvoiceID: memo, Paid: '30000' }])
    expect(await scene.read('invoice', memo)).toMatchObject({ Status: 3, Remaining: '0.00' })
  })
})

describe('containers that go along with a delivery', () => {
  const balances = async (customer: number) => (await scene.people.warehouse.get(`/api/v1/data/container-balance?filter=${encodeURIComponent(JSON.stringify({ customer_id: customer }))}`)).data.rows.map((row: Record) => [row.Kind, row.AtCustomer, row.InTransit, row.DepositHeld])
  test('leave with the goods, arrive with the receipt, are charged together and counted by customer', async () => {
    const customer = await id('customer', 'C0000002')
    const order = await scene.order('C0000002', [{ item: 'A', qty: '2' }])
    const [delivery] = await scene.plan(order)
    const crates = [await crate('75000'), await crate('75000'), await crate('0')]
    for (const one of crates) expect(await step(one, 'load', { DeliveryOrderID: delivery.id })).toMatchObject({ Status: 8, DeliveryOrderID: delivery.id })
    const issue = await scene.issue(delivery)
    const stand = async () => (await Promise.all(crates.map((one) => scene.read('inventory-container', one.ID)))).map((one: Record) => [one.Status, one.CustomerID, one.DepositHeld])
    expect(await stand()).toEqual([[2, customer, '0.00'], [2, customer, '0.00'], [2, customer, '0.00']])
    await scene.act('warehouse', 'goods-issue', issue.id, 'cancel', { ReasonID: await id('reason', 'C02') })
    expect(await stand()).toEqual([[8, null, '0.00'], [8, null, '0.00'], [8, null, '0.00']])
    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue')
    expect(await balances(customer)).toEqual([['CRATE', 0, 3, '0.00']])
    await scene.act('warehouse', 'delivery-order', delivery.id, 'deliver')
    expect(await stand()).toEqual([[1, customer, '75000.00'], [1, customer, '75000.00'], [1, customer, '0.00']])
    expect(await balances(customer)).toEqual([['CRATE', 3, 0, '150000.00']])
    const [charge, ...others] = await moves(customer)
    expect([charge, others]).toMatchObject([{ kind: 'CHARGE', deposit: '150000.00', delivery_order_id: delivery.id }, []])
    expect(await booked(charge)).toEqual(['112101 150000.00 0.00', '212105 0.00 150000.00'])
    expect((await scene.read('container-move', charge.id)).Lines.map((line: Record) => line.Deposit)).toEqual(['75000.00', '75000.00'])
    for (const one of crates) await step(one, 'return', { WarehouseID: await id('warehouse', 'WJKT') })
    expect(await balances(customer)).toEqual([])
    expect(await scene.balance('212105', customer)).toBe('0.00')
  })

  test('the receipt taken back, what was charged with it is credited', async () => {
    const customer = await id('customer', 'C0000002')
    const order = await scene.order('C0000002', [{ item: 'A', qty: '1' }])
    const [delivery] = await scene.plan(order)
    const one = await crate('40000')
    await step(one, 'load', { DeliveryOrderID: delivery.id })
    await scene.issue(delivery)
    await scene.act('warehouse', 'delivery-order', delivery.id, 'deliver')
    await scene.database.transaction((tx) => runOf(scene.database, tx).transition('delivery_order', delivery.id, 'undeliver'))
    expect(await scene.read('inventory-container', one.ID)).toMatchObject({ Status: 2, DepositHeld: '0.00', CustomerID: customer })
    expect((await moves(customer)).at(-1)).toMatchObject({ kind: 'BACK', deposit: '40000.00', delivery_order_id: delivery.id })
    expect(await scene.balance('212105', customer)).toBe('0.00')
  })

  test('are refused for a delivery that has left, and without goods or a delivery', async () => {
    const order = await scene.order('C0000002', [{ item: 'A', qty: '1' }])
    const [delivery] = await scene.plan(order)
    await scene.issue(delivery)
    const one = await crate('75000')
    const refused = await scene.tryAct('warehouse', 'inventory-container', one.ID, 'load', { DeliveryOrderID: delivery.id })
    expect(refused.data.errors.map(({ field, key }: Record) => [field, key])).toEqual([['DeliveryOrderID', 'rule.goes-with-delivery']])
    expect((await scene.tryAct('warehouse', 'inventory-container', one.ID, 'load')).data.errors.map(({ key }: Record) => key)).toEqual(['field.REQUIRED.lines'])
  })
})
