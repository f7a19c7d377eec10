import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { receiveStock } from '#server/inventory/receiveStock.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, runOf, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})

const broken = () => violations(scene.database, scene.at.clock.today())
const reason = (code: string) => scene.at.id('reason', code)

describe('an invoice is undone on no day on which that would say something else of the days between', () => {
  const ask = async (invoice: Record, mode: 'CANCEL' | 'REVERSAL') => {
    const request = await scene.create('billing', 'invoice-cancel-request', { InvoiceID: invoice.ID, Mode: mode, ReasonID: await reason('C02') })
    return { request, answer: await scene.tryAct('billing', 'invoice-cancel-request', request.ID, 'submit') }
  }

  test('dated ahead it is reversed on its own day, not before', async () => {
    const { issue } = await scene.delivered('C0000001', [{ item: 'B', qty: '3' }])
    const [invoice] = await scene.bill([issue.id], '2026-12-05')
    const { request } = await ask(invoice, 'REVERSAL')
    await scene.decide('invoice_cancel_request', request.ID)
    const [reversal] = await scene.rows('invoice', sql`reversal_of_id = ${invoice.ID}`)
    expect(reversal).toMatchObject({ posting_date: '2026-12-05', doc_date: '2026-12-05', period: '202612' })
    expect(reversal?.code).toMatch(/^INR\/JKT\/2612\//)
    for (const day of ['2026-11-20', '2026-11-30', '2026-12-04', '2026-12-05']) expect(await violations(scene.database, day)).toEqual([])
    expect(await scene.bill([issue.id])).toMatchObject([{ Status: 1 }])
  })

  test('paid for some days it is reversed, not cancelled: the days on which it was paid stay what they were', async () => {
    const invoice = await scene.invoiced('C0000001', [{ item: 'B', qty: '3' }])
    const payment = await scene.pay('C0000001', invoice.Total, [{ InvoiceID: invoice.ID, Paid: invoice.Total }])
    await scene.moveTo('2026-11-23T03:00:00.000Z')
    await scene.act('cashier', 'payment-received', payment.ID, 'request-reversal', { ReasonID: await reason('V02') })
    await scene.decide('ar_payment', payment.ID)
    expect((await ask(invoice, 'CANCEL')).answer).toMatchObject({ code: 'ILLEGAL_TRANSITION', data: { key: 'problem.ILLEGAL_TRANSITION.invoice-was-settled' } })
    const { request } = await ask(invoice, 'REVERSAL')
    await scene.decide('invoice_cancel_request', request.ID)
    for (const day of ['2026-11-20', '2026-11-21', '2026-11-23']) expect(await violations(scene.database, day)).toEqual([])
    await scene.moveTo('2026-11-20T03:00:00.000Z')
  })

  test('of gifts alone, settled from the start, it can be undone too', async () => {
    const order = await scene.order('C0000001', [{ item: 'A', qty: '24' }])
    const lines: Record[] = (await scene.read('sales-order', order.ID)).Lines
    const deliver = async (isFree: boolean): Promise<Record> => {
      const { Plans: plans } = await scene.command('warehouse', 'plan-delivery', { IDs: lines.filter((line) => line.IsFree === isFree).map((line) => line.ID), PlanDate: scene.at.clock.today(), Release: true })
      const [delivery] = await scene.rows('delivery_order', sql`delivery_plan_id = ${plans[0].ID}`)
      return scene.issue(delivery ?? {})
    }
    // Gifts go with their goods or after them.
    await deliver(false)
    const issue = await deliver(true)
    const [invoice] = await scene.bill([issue.id])
    expect(invoice).toMatchObject({ Total: '0.00', Status: 3 })
    const { request } = await ask(invoice, 'CANCEL')
    await scene.decide('invoice_cancel_request', request.ID)
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Status: 6 })
    expect(await scene.database.rows(sql`select id from billing_due where id = ${issue.id}`)).toEqual([{ id: issue.id }])
    expect(await broken()).toEqual([])
  })
})

describe('goods do not leave in the future', () => {
  test('an issue dated ahead is refused at its date', async () => {
    const order = await scene.order('C0000001', [{ item: 'B', qty: '1' }])
    const [delivery] = await scene.plan(order)
    await scene.act('warehouse', 'delivery-order', delivery.id, 'pick')
    const answer = await scene.tryAct('warehouse', 'delivery-order', delivery.id, 'issue', { PostingDate: '2026-11-21' })
    expect(answer).toMatchObject({ code: 'VALIDATION_FAILED', data: { errors: [{ field: 'PostingDate', key: 'field.TOO_LATE.goods-issue' }] } })
    await scene.act('warehouse', 'delivery-order', delivery.id, 'issue', { PostingDate: '2026-11-20' })
  })
})

describe('goods leave on no day on which they were not there', () => {
  const ready = async (item: 'B' | 'D', qty: string): Promise<Record> => {
    const [delivery] = await scene.plan(await scene.order('C0000001', [{ item, qty }]))
    await scene.act('warehouse', 'delivery-order', delivery?.id, 'pick')
    return delivery ?? {}
  }
  const issue = (delivery: Record, PostingDate: string) => scene.tryAct('warehouse', 'delivery-order', delivery.id, 'issue', { PostingDate })

  test('not before they were ordered', async () => {
    await scene.moveTo('2026-11-24T03:00:00.000Z')
    const delivery = await ready('B', '1')
    expect((await issue(delivery, '2026-11-23')).data.errors).toMatchObject([{ field: 'PostingDate', key: 'field.TOO_EARLY.order' }])
    await scene.moveTo('2026-11-25T03:00:00.000Z')
    expect((await issue(delivery, '2026-11-24')).code).toBe('success')
  })

  test('nor before they came', async () => {
    const [item, unit, warehouse] = [await scene.at.id('item', 'D'), await scene.at.id('operating_unit', 'JKT'), await scene.at.id('warehouse', 'WJKT')]
    await scene.database.run(sql`update credit_limit set amount = null`)
    // Five hundred are there; ten more come on the 27th.
    const delivery = await ready('D', '500')
    await scene.moveTo('2026-11-27T03:00:00.000Z')
    await scene.database.transaction((tx) => receiveStock(runOf(scene.database, tx, '2026-11-27T03:00:00.000Z'), {
      kind: 'GR', date: '2026-11-27', operatingUnitId: unit, warehouseId: warehouse, source: { type: 'receipt', id: 77, code: 'GR-77' }, lines: [{ itemId: item, qty: '10', cost: '15000000' }],
    }))
    const more = await ready('D', '4')
    await scene.moveTo('2026-11-28T03:00:00.000Z')
    expect((await issue(delivery, '2026-11-26')).code).toBe('success')
    expect((await issue(more, '2026-11-27')).code).toBe('success')
    // Entered now for an earlier day, as those may who set prices by hand.
    const last = await ready('D', '2')
    await scene.database.run(sql`update sales_order set doc_date = '2026-11-25' where id = (select max(id) from sales_order)`)
    expect(await issue(last, '2026-11-26')).toMatchObject({ code: 'STOCK_INSUFFICIENT', data: { key: 'problem.STOCK_INSUFFICIENT.then' }, message: 'D: 2 are needed, and on 26/11/2026 only 0 were there.' })
    expect((await issue(last, '2026-11-27')).code).toBe('success')
    expect(await broken()).toEqual([])
  })
})
