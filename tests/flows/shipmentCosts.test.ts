import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let carrier: Record
let plan: Record
beforeAll(async () => {
  scene = await openScene()
  carrier = await scene.create('admin', 'business-partner', { Code: 'V-ANGKUT', Name: 'PT Angkut Cepat', Kinds: ['VENDOR', 'TRANSPORTER'], IsPkp: false, ApAccountGroup: 'NON_TRADE', PaymentTermID: await id('payment_term', 'N30') })
  plan = await trip()
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const id = (table: string, code: string) => scene.at.id(table, code)
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]
const costOf = (ID: number) => scene.read('shipment-cost', ID)

/** A released trip to two customers, one with three times the weight of the other. */
async function trip(): Promise<Record> {
  await scene.database.run(sql`update item set weight_kg = 2 where code = 'C'`)
  const orders = [await scene.order('C0000001', [{ item: 'C', qty: '10' }]), await scene.order('C0000002', [{ item: 'C', qty: '30' }])]
  const lines = (await Promise.all(orders.map(({ ID }) => scene.read('sales-order', ID)))).flatMap(({ Lines }) => Lines.map((line: Record) => line.ID))
  const { Plans } = await scene.command('warehouse', 'plan-delivery', { IDs: lines, PlanDate: scene.at.clock.today(), Release: true })
  return scene.read('delivery-plan', Plans[0].ID)
}
async function cost(type: string, estimate: string, more: object = {}): Promise<Record> {
  return scene.create('vendors', 'shipment-cost', { DeliveryPlanID: plan.ID, TransporterID: carrier.ID, ExpenseTypeID: await id('expense_type', type), Basis: 'TRIP', Estimate: estimate, DocDate: scene.at.clock.today(), ...more })
}
async function approved(type: string, estimate: string): Promise<Record> {
  const made = await cost(type, estimate)
  await scene.act('vendors', 'shipment-cost', made.ID, 'submit')
  await scene.decide('shipment_cost', made.ID)
  return costOf(made.ID)
}
async function bill(lines: readonly object[], more: object = {}): Promise<Record> {
  return scene.create('vendors', 'shipment-cost-execution', { TransporterID: carrier.ID, VendorInvoiceNo: `AC-${scene.key()}`, OperatingUnitID: plan.OperatingUnitID, DocDate: scene.at.clock.today(), Ppn: '0', Lines: lines, ...more })
}
async function reversed(resource: string, ID: number, action: string): Promise<void> {
  await scene.act('payables', resource, ID, action, { ReasonID: await id('reason', 'V02') })
}

describe('freight of a trip', () => {
  test('G13: 450,000 accrued, 480,000 billed with 2 % withheld; taken back, the accrual stands again', async () => {
    const made = await cost('E-ANGKUT', '450000')
    expect(made).toMatchObject({ PlanDate: scene.at.clock.today(), OperatingUnitID: plan.OperatingUnitID })
    expect(made.Lines.map(({ Weight, WeightShare, Amount }: Record) => [Weight, WeightShare, Amount])).toEqual([['20.000', '25.0000', '112500.00'], ['60.000', '75.0000', '337500.00']])
    await scene.act('vendors', 'shipment-cost', made.ID, 'submit')
    await scene.decide('shipment_cost', made.ID)
    expect(await scene.journal('shipment_cost', made.ID)).toEqual(['211104 0.00 450000.00', '612101 450000.00 0.00'])
    const draft = await bill([{ ShipmentCostID: made.ID, InvoiceAmount: '480000' }], { VendorInvoiceNo: 'AC/01' })
    expect(draft).toMatchObject({ Accrued: '450000.00', Dpp: '480000.00', Difference: '30000.00', Pph: '9600.00', Total: '470400.00' })
    const posted = await scene.act('vendors', 'shipment-cost-execution', draft.ID, 'post')
    expect(posted).toMatchObject({ Status: 1 })
    expect(posted.Code).toMatch(/^SHX\/JKT\/2611\/\d{5}$/)
    const invoice = await scene.read('vendor-invoice', posted.VendorInvoiceID)
    expect(invoice).toMatchObject({ Kind: 'SHIPMENT', Status: 1, VendorInvoiceNo: 'AC/01', Total: '470400.00', Remaining: '470400.00', ValidationStatus: 'MATCHED' })
    expect(await scene.journal('vendor_invoice', invoice.ID)).toEqual(['211102 0.00 470400.00', '211104 450000.00 0.00', '213103 0.00 9600.00', '612101 30000.00 0.00'])
    expect(await costOf(made.ID)).toMatchObject({ Status: 3, Actual: '480000.00' })
    expect(await scene.balance('211104')).toBe('0.00')
    await scene.act('vendors', 'vendor-invoice', invoice.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('vendor_invoice', invoice.ID)
    expect(await costOf(made.ID)).toMatchObject({ Status: 1, Actual: null })
    expect(await scene.read('shipment-cost-execution', draft.ID)).toMatchObject({ Status: 7 })
    expect(await scene.balance('211104')).toBe('-450000.00')
    await reversed('shipment-cost', made.ID, 'reverse')
    expect(await scene.balance('211104')).toBe('0.00')
  })

  test('a carrier who bills less gives the rest of the accrual back; VAT is what the tax codes come to', async () => {
    const [freight, unloading] = [await approved('E-ANGKUT', '300000'), await approved('E-BONGKAR', '100000.01')]
    const lines = [{ ShipmentCostID: freight.ID, InvoiceAmount: '280000' }, { ShipmentCostID: unloading.ID, InvoiceAmount: '100000.01' }]
    const wrong = await bill(lines, { Ppn: '30800' })
    expect(errorsOf(await scene.tryAct('vendors', 'shipment-cost-execution', wrong.ID, 'post'))).toEqual(['VALIDATION_FAILED', ['Ppn', 'field.INVALID.vat-of-upload']])
    const right = await bill(lines)
    const { VendorInvoiceID } = await scene.act('vendors', 'shipment-cost-execution', right.ID, 'post')
    expect(await scene.journal('vendor_invoice', VendorInvoiceID)).toEqual(['211102 0.00 372400.01', '211104 400000.01 0.00', '213103 0.00 7600.00', '612101 0.00 20000.00'])
  })

  test('a trip has a kind of cost once, of a released plan and of shipments alone; a cost is billed once', async () => {
    const tried = async (made: Record) => errorsOf(await scene.tryAct('vendors', 'shipment-cost', made.ID, 'submit'))
    const toll = await approved('E-TOL', '75000')
    expect(await tried(await cost('E-TOL', '80000'))).toEqual(['DUPLICATE_DOCUMENT'])
    expect(await tried(await cost('E-LISTRIK', '1'))).toEqual(['VALIDATION_FAILED', ['ExpenseTypeID', 'rule.expense-of-shipment']])
    const [first, second] = [await bill([{ ShipmentCostID: toll.ID, InvoiceAmount: '75000' }]), await bill([{ ShipmentCostID: toll.ID, InvoiceAmount: '75000' }])]
    await scene.act('vendors', 'shipment-cost-execution', first.ID, 'post')
    expect(errorsOf(await scene.tryAct('vendors', 'shipment-cost-execution', second.ID, 'post'))).toEqual(['VALIDATION_FAILED', ['Lines[0].ShipmentCostID', 'rule.cost-approved']])
    expect((await scene.tryAct('payables', 'shipment-cost', toll.ID, 'reverse', { ReasonID: await id('reason', 'V02') })).code).toBe('ILLEGAL_TRANSITION')
  })
})
