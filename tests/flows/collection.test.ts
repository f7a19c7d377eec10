import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let collector: number
let customer: number
const makmur = 'C0000001'
beforeAll(async () => {
  scene = await openScene()
  customer = await scene.at.id('customer', makmur)
  collector = Number((await scene.database.first<{ id: number }>(sql`
    insert into employee (work_number, name, operating_unit_id, position) select 'KOL-1', 'Kolektor', id, 'COLLECTOR' from operating_unit where code = 'JKT' returning id`))?.id)
  await scene.database.run(sql`update customer set collector_id = ${collector} where id = ${customer}`)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const today = () => scene.at.clock.today()
/** An invoice of so many D of which so much is left. */
async function owed(qty: number, rest: number): Promise<Record> {
  const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: String(qty) }])
  const paid = String(Number(invoice.Total) - rest)
  await scene.pay(makmur, paid, [{ InvoiceID: invoice.ID, Paid: paid, ReasonID: await scene.at.id('reason', 'R01') }])
  await scene.database.run(sql`update invoice set due_date = ${today()}::date where id = ${invoice.ID}`)
  return invoice
}
const list = (invoices: readonly Record[]): Promise<Record> =>
  scene.create('admin', 'payment-collection', { CollectorID: collector, ListDate: today(), DocDate: today(), Lines: invoices.map(({ ID }) => ({ InvoiceID: ID })) })
const refusals = async (made: Record, action: string) => (await scene.tryAct('admin', 'payment-collection', made.ID, action)).data.errors.map(({ field, key }: Record) => [field, key])

describe('CL1: what a collector brings back', () => {
  let [k1, k2, k3]: Record[] = []
  let made: Record
  test('lines are proposed from what is due of the collector', async () => {
    k1 = await owed(1, 1_500_000)
    k2 = await owed(2, 2_750_000)
    k3 = await owed(1, 800_000)
    const { record } = await scene.command('admin', 'derive-payment-collection', { CollectorID: collector, ListDate: today(), Lines: [] })
    expect(record.Lines.map(({ InvoiceID, AmountDue }: Record) => [InvoiceID, AmountDue])).toEqual([[k1?.ID, '1500000.00'], [k2?.ID, '2750000.00'], [k3?.ID, '800000.00']])
    made = await list([k1, k2, k3] as Record[])
    expect(made).toMatchObject({ Total: '5050000.00', OperatingUnitCode: 'JKT' })
    await scene.act('admin', 'payment-collection', made.ID, 'release')
    expect(await scene.act('admin', 'payment-collection', made.ID, 'hand-out')).toMatchObject({ Status: 8 })
  })

  test('an invoice on it is on no second list', async () => {
    const second = await list([k2] as Record[])
    expect(await refusals(second, 'release')).toEqual([['Lines[0].InvoiceID', 'field.DUPLICATE.exchange']])
  })

  test('K1 in cash, 1,000,000 on K2, K3 transferred at noon', async () => {
    await scene.pay(makmur, '800000', [{ InvoiceID: k3?.ID, Paid: '800000' }])
    const receipt = await scene.create('admin', 'payment-received', {
      CustomerID: customer, PaymentDate: today(), DocDate: today(), Method: 'CIT', Amount: '2500000',
      Lines: [{ InvoiceID: k1?.ID, Paid: '1500000', Credits: [], Deductions: [] }, { InvoiceID: k2?.ID, Paid: '1000000', ReasonID: await scene.at.id('reason', 'R01'), Credits: [], Deductions: [] }],
    })
    await scene.act('admin', 'payment-received', receipt.ID, 'post')
    expect(await scene.journal('ar_payment', receipt.ID)).toEqual(['111103 2500000.00 0.00', '112101 0.00 2500000.00'])
    expect(await scene.rows('ar_allocation', sql`document_type = 'ar_payment' and document_id = ${receipt.ID}`)).toMatchObject([{ invoice_id: k1?.ID, amount: '1500000.00' }, { invoice_id: k2?.ID, amount: '1000000.00' }])
    expect((await scene.read('payment-collection', made.ID)).Lines).toMatchObject([{ Result: 'PAID', ArPaymentID: receipt.ID }, { Result: 'PARTIAL', ArPaymentID: receipt.ID }, { Result: null }])
    expect((await scene.rows('collection_list_row', sql`collection_list_id = ${made.ID}`)).map((row) => row['result'])).toEqual(['PAID', 'PARTIAL', 'PAID_OTHER'])
  })

  test('it closes once the papers of K2 are back; K2 is free for the next list', async () => {
    expect(await refusals(made, 'close')).toEqual([['Lines[1].DocumentsBack', 'field.REQUIRED.papers']])
    const lines = (await scene.read('payment-collection', made.ID)).Lines
    expect((await scene.command('admin', 'collection-result', { IDs: [lines[0].ID], Result: 'NOT_MET' })).results).toMatchObject([{ ok: false }])
    await scene.command('admin', 'collection-papers-back', { IDs: [lines[1].ID] })
    expect(await scene.act('admin', 'payment-collection', made.ID, 'close')).toMatchObject({ Status: 3, HandedOver: '2500000.00' })
    expect(await scene.journal('collection_list', made.ID)).toEqual(['111102 2500000.00 0.00', '111103 0.00 2500000.00'])
    expect(await scene.balance('111103')).toBe('0.00')
    expect((await scene.read('payment-collection', made.ID)).Lines).toMatchObject([{ Result: 'PAID' }, { Result: 'PARTIAL', DocumentsBack: true }, { Result: 'PAID_OTHER' }])
    const next = await list([k2] as Record[])
    await scene.act('admin', 'payment-collection', next.ID, 'release')
    await scene.act('admin', 'payment-collection', next.ID, 'hand-out')
    expect(await refusals(next, 'close')).toEqual([['Lines[0].Result', 'field.REQUIRED.result']])
    const [line] = (await scene.read('payment-collection', next.ID)).Lines
    expect((await scene.people.admin.post('/api/v1/command/collection-result', { IDs: [line.ID], Result: 'PROMISE' }, { key: scene.key() })).code).toBe('VALIDATION_FAILED')
    await scene.command('admin', 'collection-result', { IDs: [line.ID], Result: 'PROMISE', PromiseDate: '2026-12-01' })
    await scene.command('admin', 'collection-papers-back', { IDs: [line.ID] })
    expect(await scene.act('admin', 'payment-collection', next.ID, 'close')).toMatchObject({ Status: 3 })
  })

  test('a receipt taken back opens its lines again', async () => {
    const list3 = await list([k2] as Record[])
    await scene.act('admin', 'payment-collection', list3.ID, 'release')
    await scene.act('admin', 'payment-collection', list3.ID, 'hand-out')
    const receipt = await scene.create('cashier', 'payment-received', {
      CustomerID: customer, PaymentDate: today(), DocDate: today(), Method: 'CIT', Amount: '1750000', Lines: [{ InvoiceID: k2?.ID, Paid: '1750000', Credits: [], Deductions: [] }],
    })
    await scene.act('cashier', 'payment-received', receipt.ID, 'post')
    expect((await scene.read('payment-collection', list3.ID)).Lines).toMatchObject([{ Result: 'PAID' }])
    await scene.act('cashier', 'payment-received', receipt.ID, 'request-reversal', { ReasonID: await scene.at.id('reason', 'V02') })
    await scene.decide('ar_payment', receipt.ID)
    expect((await scene.read('payment-collection', list3.ID)).Lines).toMatchObject([{ Result: null, ArPaymentID: null }])
  })
})
