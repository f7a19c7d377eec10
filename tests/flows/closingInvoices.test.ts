import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const makmur = 'C0000001'
const id = (table: string, code: string) => scene.at.id(table, code)
beforeAll(async () => {
  scene = await openScene()
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

/** An invoice of 2,200,000 of which so much is left. */
async function leftOver(rest: number): Promise<Record> {
  const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
  const paid = String(2_200_000 - rest)
  await scene.pay(makmur, paid, [{ InvoiceID: invoice.ID, Paid: paid, ReasonID: await id('reason', 'R01') }])
  return invoice
}
const ask = async (invoice: Record): Promise<Record> => scene.create('admin', 'close-invoice', { InvoiceID: invoice.ID, DocDate: scene.at.clock.today(), ReasonID: await id('reason', 'W02') })
const submit = (made: Record) => scene.tryAct('admin', 'close-invoice', made.ID, 'submit')
const refusals = async (made: Record) => (await submit(made)).data.errors?.map(({ field, key }: Record) => [field, key])

describe('a small rest is closed', () => {
  let invoice: Record
  let made: Record
  test('asked for with the facts of the invoice, one request at a time', async () => {
    invoice = await leftOver(7_500)
    made = await ask(invoice)
    expect(made).toMatchObject({ InvoiceTotal: '2200000.00', Amount: '7500.00', CustomerCode: makmur, OperatingUnitCode: 'JKT' })
    await scene.act('admin', 'close-invoice', made.ID, 'submit')
    const second = await ask(invoice)
    expect(await submit(second)).toMatchObject({ code: 'DUPLICATE_DOCUMENT' })
    const { rows } = (await scene.people.finance.get('/api/v1/approval/invoice_close_request/submit', { state: 'waiting', columns: 'invoice_id,invoice_total,amount' })).data
    expect(rows).toMatchObject([{ DocID: made.ID, Amount: '7500.00' }])
  })

  test('approved it is allocated as CLOSE and booked', async () => {
    await scene.decide('invoice_close_request', made.ID)
    expect(await scene.read('close-invoice', made.ID)).toMatchObject({ Status: 3 })
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 3, Remaining: '0.00' })
    expect(await scene.journal('invoice_close_request', made.ID)).toEqual(['112101 0.00 7500.00', '613102 7500.00 0.00'])
    expect(await scene.rows('ar_allocation', sql`invoice_id = ${invoice.ID} and source_type = 'CLOSE'`)).toMatchObject([{ amount: '7500.00', source_id: made.ID, reversed_at: null }])
  })

  test('reversed it is open again', async () => {
    await scene.act('admin', 'close-invoice', made.ID, 'request-reversal', { ReasonID: await id('reason', 'V02') })
    await scene.decide('invoice_close_request', made.ID)
    expect(await scene.read('close-invoice', made.ID)).toMatchObject({ Status: 7 })
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 2, Remaining: '7500.00' })
  })
})

describe('what is not a small rest', () => {
  test('more than the tolerance, and an invoice nobody has paid of, are refused', async () => {
    expect(await refusals(await ask(await leftOver(10_001)))).toEqual([['Amount', 'field.EXCEEDS_TOLERANCE.close']])
    expect(await refusals(await ask(await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])))).toEqual([['InvoiceID', 'rule.close-part-paid']])
  })

  test('the limit itself is tolerated; what is paid meanwhile is not given up', async () => {
    const invoice = await leftOver(10_000)
    const made = await ask(invoice)
    await scene.act('admin', 'close-invoice', made.ID, 'submit')
    await scene.pay(makmur, '4000', [{ InvoiceID: invoice.ID, Paid: '4000', ReasonID: await id('reason', 'R01') }])
    await expect(scene.decide('invoice_close_request', made.ID)).rejects.toThrow()
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 2, Remaining: '6000.00' })
  })
})

describe('cancelling and reversing', () => {
  test('each has its queue, with the facts of the invoice', async () => {
    for (const [id, mode] of [['cancel-invoice.approval', 'CANCEL'], ['invoice-reversal.approval', 'REVERSAL']] as const) {
      expect(metadata.screens[id]).toMatchObject({ guard: 'invoice-cancel-request-approve', where: { mode }, columns: expect.arrayContaining([expect.objectContaining({ name: 'invoice_id' })]) })
    }
    const made: Record[] = []
    for (const Mode of ['CANCEL', 'REVERSAL']) {
      const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
      const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode, ReasonID: await id('reason', 'C02') })
      await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
      made.push(request)
    }
    const { rows } = (await scene.people.finance.get('/api/v1/approval/invoice_cancel_request/submit', { state: 'waiting', columns: 'invoice_id,amount,reason_id' })).data
    expect(rows.map(({ DocID, Amount }: Record) => [DocID, Amount]).toSorted()).toEqual(made.map(({ ID }) => [ID, '2200000.00']))
  })

  test('an invoice that is out on a handover list is not cancelled', async () => {
    const invoice = await scene.invoiced(makmur, [{ item: 'D', qty: '1' }])
    const today = scene.at.clock.today()
    const list = await scene.create('admin', 'invoice-exchange', { CustomerID: await id('customer', makmur), DocDate: today, ExchangeDate: today, Lines: [{ InvoiceID: invoice.ID }] })
    await scene.act('admin', 'invoice-exchange', list.ID, 'hand-over')
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: 'CANCEL', ReasonID: await id('reason', 'C02') })
    expect(await scene.tryAct('billing', 'invoice-cancel-request', request.ID, 'submit')).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
    const [line] = (await scene.read('invoice-exchange', list.ID)).Lines
    await scene.command('admin', 'exchange-returned', { IDs: [line.ID] })
    await scene.act('billing', 'invoice-cancel-request', request.ID, 'submit')
    await scene.decide('invoice_cancel_request', request.ID)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 6 })
  })
})
