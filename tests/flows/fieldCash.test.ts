import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let driver: number
let collector: number
let till: number
const makmur = 'C0000001'
beforeAll(async () => {
  scene = await openScene()
  const employee = async (code: string, position: string): Promise<number> => Number((await scene.database.first<{ id: number }>(sql`
    insert into employee (work_number, name, operating_unit_id, position) select ${code}, ${code}, id, ${position} from operating_unit where code = 'JKT' returning id`))?.id)
  driver = await employee('SPR-1', 'DRIVER')
  collector = await employee('KOL-1', 'COLLECTOR')
  till = await scene.at.id('cash_account', 'KAS-JKT')
  const term = await scene.database.first<{ id: number }>(sql`insert into payment_term (code, name, net_days, is_cod) values ('COD-1', 'On delivery', 0, true) returning id`)
  await scene.database.run(sql`update customer set payment_term_id = ${term?.id} where code = ${makmur}`)
})
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

const today = () => scene.at.clock.today()
const id = (table: string, code: string) => scene.at.id(table, code)

/** Two cartons of D on a trip of the driver, invoiced. */
async function trip(): Promise<{ readonly delivery: Record; readonly invoice: Record }> {
  const order = await scene.order(makmur, [{ item: 'D', qty: '2' }])
  const [delivery] = await scene.plan(order)
  await scene.database.run(sql`update delivery_plan set driver_id = ${driver} where id = ${delivery?.delivery_plan_id}`)
  const [invoice] = await scene.bill([(await scene.issue(delivery)).id])
  return { delivery, invoice }
}
const paid = async ({ delivery, invoice }: { readonly delivery: Record; readonly invoice: Record }, amount: string, more: object = {}): Promise<Record> =>
  scene.create('cashier', 'payment-received', {
    CustomerID: await id('customer', makmur), PaymentDate: today(), DocDate: today(), Method: 'COD', DeliveryOrderID: delivery.id, Amount: amount,
    Lines: [{ InvoiceID: invoice.ID, Paid: amount, ReasonID: await id('reason', 'R01'), Credits: [], Deductions: [] }], ...more,
  })
/** A trip that brought 2,345,500, every delivery confirmed. */
async function brought(): Promise<{ readonly plan: number; readonly payment: Record }> {
  const made = await trip()
  const payment = await paid(made, '2345500')
  await scene.act('cashier', 'payment-received', payment.ID, 'post')
  await scene.act('warehouse', 'delivery-order', made.delivery.id, 'deliver')
  return { plan: made.delivery.delivery_plan_id, payment }
}
const count = (plan: number, counted: string, payment: Record, more: object = {}): Promise<Record> =>
  scene.create('cashier', 'reconcile-cod', { DeliveryPlanID: plan, CashAccountID: till, DocDate: today(), Counted: counted, Lines: [{ ArPaymentID: payment.ID }], ...more })
const refused = async (made: Record, action: string) => (await scene.tryAct('cashier', 'reconcile-cod', made.ID, action)).data.errors?.map(({ field, key }: Record) => [field, key])

describe('cash on delivery', () => {
  test('the driver of the delivery has the money; what is no delivery of the customer is refused', async () => {
    const made = await trip()
    const payment = await paid(made, made.invoice.Total)
    expect(payment).toMatchObject({ DeliveryPlanID: made.delivery.delivery_plan_id, CollectorID: driver, Method: 'COD' })
    await scene.act('cashier', 'payment-received', payment.ID, 'post')
    expect(await scene.journal('ar_payment', payment.ID)).toEqual([`111103 ${made.invoice.Total} 0.00`, `112101 0.00 ${made.invoice.Total}`])
    const send = (body: object) => scene.people.cashier.post('/api/v1/data/payment-received', body, { key: scene.key() })
    const body = { CustomerID: await id('customer', makmur), PaymentDate: today(), DocDate: today(), Amount: '1', Lines: [] }
    expect((await send({ ...body, Method: 'COD' })).data.errors).toMatchObject([{ field: 'DeliveryOrderID', key: 'field.REQUIRED.delivery' }])
    expect((await send({ ...body, Method: 'COD', DeliveryOrderID: made.delivery.id, CustomerID: await id('customer', 'C0000002') })).data.errors).toMatchObject([{ field: 'DeliveryOrderID', key: 'field.NOT_A_CHOICE.delivery' }])
    expect((await send({ ...body, Method: 'CIT' })).data.errors).toMatchObject([{ field: 'CollectorID', key: 'field.REQUIRED.collector' }])
    // Its trip is under way: nothing is counted before the delivery is confirmed.
    const early = await count(made.delivery.delivery_plan_id, made.invoice.Total, payment)
    expect((await scene.tryAct('cashier', 'reconcile-cod', early.ID, 'post')).message).toContain(made.delivery.code)
    await scene.act('warehouse', 'delivery-order', made.delivery.id, 'deliver')
    expect(await scene.act('cashier', 'reconcile-cod', early.ID, 'post')).toMatchObject({ Status: 3, Diff: '0.00' })
    expect(await scene.journal('cod_reconciliation', early.ID)).toEqual([`111102 ${made.invoice.Total} 0.00`, `111103 0.00 ${made.invoice.Total}`])
  })
})

describe('CS1: 2,345,500 brought, counted with a difference; tolerance 1,000', () => {
  test('(a) 600 short is our cost', async () => {
    const { plan, payment } = await brought()
    const { record } = await scene.command('cashier', 'derive-reconcile-cod', { DeliveryPlanID: plan, DocDate: today(), Counted: '2344900', Lines: [] })
    expect(record).toMatchObject({ Expected: '2345500.00', Diff: '-600.00', Lines: [{ ArPaymentID: payment.ID, Amount: '2345500.00' }] })
    const made = await count(plan, '2344900', payment)
    expect(made).toMatchObject({ DriverID: driver })
    expect(await scene.act('cashier', 'reconcile-cod', made.ID, 'post')).toMatchObject({ Status: 3, Short: '600.00', Owed: '0.00' })
    expect(await scene.journal('cod_reconciliation', made.ID)).toEqual(['111102 2344900.00 0.00', '111103 0.00 2345500.00', '613106 600.00 0.00'])
    expect(await scene.balance('111103')).toBe('0.00')
    expect(await scene.read('payment-received', payment.ID)).toMatchObject({ Status: 1, HandedOverOn: today() })
    expect(await refused(await count(plan, '2345500', payment), 'post')).toEqual([['Lines[0].ArPaymentID', 'field.NOT_A_CHOICE.handed-over']])
  })

  test('(b) 2,500 short is owed by the driver, with a reason and the approval of the receivables manager; taken back it is as before', async () => {
    const { plan, payment } = await brought()
    const made = await count(plan, '2343000', payment)
    expect((await scene.tryAct('cashier', 'reconcile-cod', made.ID, 'post')).code).toBe('ILLEGAL_TRANSITION')
    expect(await refused(made, 'submit')).toEqual([['DiffReasonID', 'field.REQUIRED.difference']])
    await scene.database.run(sql`update cod_reconciliation set diff_reason_id = ${await id('reason', 'A01')} where id = ${made.ID}`)
    await scene.act('cashier', 'reconcile-cod', made.ID, 'submit')
    await scene.decide('cod_reconciliation', made.ID)
    expect(await scene.journal('cod_reconciliation', made.ID)).toEqual(['111102 2343000.00 0.00', '111103 0.00 2345500.00', '112201 2500.00 0.00'])
    expect(await scene.rows('journal_line', sql`partner_kind = 'EMPLOYEE'`)).toMatchObject([{ partner_id: driver, debit: '2500.00' }])
    expect(await scene.balance('111103')).toBe('0.00')
    await scene.act('cashier', 'reconcile-cod', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('cod_reconciliation', made.ID)
    expect(await scene.read('reconcile-cod', made.ID)).toMatchObject({ Status: 7 })
    expect(await scene.balance('112201')).toBe('0.00')
    expect(await scene.balance('111103')).toBe('2345500.00')
    expect(await scene.read('payment-received', payment.ID)).toMatchObject({ HandedOverOn: null })
    await scene.act('cashier', 'reconcile-cod', (await count(plan, '2345500', payment)).ID, 'post')
  })

  test('(c) 500 too much is income', async () => {
    const { plan, payment } = await brought()
    const made = await count(plan, '2346000', payment)
    await scene.act('cashier', 'reconcile-cod', made.ID, 'post')
    expect(await scene.journal('cod_reconciliation', made.ID)).toEqual(['111102 2346000.00 0.00', '111103 0.00 2345500.00', '613106 0.00 500.00'])
    expect(await scene.balance('111103')).toBe('0.00')
  })

  test('what was handed over goes to the bank out of the till; a count whose money moved on stays', async () => {
    const { plan, payment } = await brought()
    const made = await count(plan, '2345500', payment)
    await scene.act('cashier', 'reconcile-cod', made.ID, 'post')
    const slip = await scene.create('cashier', 'deposit-payment', { HouseBankID: await id('house_bank', 'BCA1'), DocDate: today(), SlipNo: 'COD-1', Lines: [{ ArPaymentID: payment.ID, Amount: '2345500' }] })
    await scene.act('cashier', 'deposit-payment', slip.ID, 'submit')
    await scene.decide('cash_deposit', slip.ID)
    expect(await scene.journal('cash_deposit', slip.ID)).toEqual(['111102 0.00 2345500.00', '111301 2345500.00 0.00'])
    const reversal = await scene.tryAct('cashier', 'reconcile-cod', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    expect(reversal.message).toContain((await scene.read('payment-received', payment.ID)).Code)
  })
})

test('a collector\'s receipt undone after it was handed over: the cashier gives the money back', async () => {
  const { invoice } = await trip()
  await scene.database.run(sql`update invoice set due_date = ${today()}::date where id = ${invoice.ID}`)
  const list = await scene.create('admin', 'payment-collection', { CollectorID: collector, ListDate: today(), DocDate: today(), Lines: [{ InvoiceID: invoice.ID }] })
  await scene.act('admin', 'payment-collection', list.ID, 'release')
  await scene.act('admin', 'payment-collection', list.ID, 'hand-out')
  const payment = await scene.create('cashier', 'payment-received', {
    CustomerID: await id('customer', makmur), PaymentDate: today(), DocDate: today(), Method: 'CIT', CollectorID: collector, Amount: invoice.Total, Lines: [{ InvoiceID: invoice.ID, Paid: invoice.Total, Credits: [], Deductions: [] }],
  })
  await scene.act('cashier', 'payment-received', payment.ID, 'post')
  expect(await scene.read('payment-received', payment.ID)).toMatchObject({ CollectionListID: list.ID })
  await scene.act('admin', 'payment-collection', list.ID, 'close')
  const before = Number(await scene.balance('111102'))
  await scene.act('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
  await scene.decide('ar_payment', payment.ID)
  expect(before - Number(await scene.balance('111102'))).toBe(Number(invoice.Total))
  expect(await scene.balance('111103')).toBe('0.00')
  expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 1, Remaining: invoice.Total })
})
