import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const makmur = 'C0000001'
beforeAll(async () => {
  scene = await openScene()
  const term = await scene.database.first<{ id: number }>(sql`insert into payment_term (code, name, net_days, baseline) values ('P30', '30 days after delivery', 30, 'POD') returning id`)
  await scene.database.run(sql`update customer set payment_term_id = ${term?.id} where code = ${makmur}`)
})
afterEach(async () => expect(await violations(scene.database, today())).toEqual([]))

const today = () => scene.at.clock.today()
const reason = (code: string) => scene.at.id('reason', code)

/** Ten C and three D have left on 20 November. */
async function sent(): Promise<{ readonly delivery: Record; readonly issue: Record; readonly lines: Record[] }> {
  const order = await scene.order(makmur, [{ item: 'C', qty: '10' }, { item: 'D', qty: '3' }])
  const [delivery] = await scene.plan(order)
  const issue = await scene.issue(delivery)
  return { delivery, issue, lines: await scene.rows('delivery_order_line', sql`delivery_order_id = ${delivery?.id} and qty_issued > 0`) }
}
const enter = (delivery: Record, lines: readonly object[], more: object = {}): Promise<Record> =>
  scene.create('billing', 'pod', { DeliveryOrderID: delivery.id, ReceivedDate: today(), DocDate: today(), ReceiverName: 'Pak Budi', Lines: lines, ...more })
const refusals = async (made: Record, action: string) => (await scene.tryAct('billing', 'pod', made.ID, action)).data.errors?.map(({ field, key }: Record) => [field, key])

describe('proof of delivery', () => {
  test('all lines are proposed as received; received and rejected come to what was issued', async () => {
    const { delivery, lines: [c, d] } = await sent()
    const { record } = await scene.command('billing', 'derive-pod', { DeliveryOrderID: delivery.id, ReceivedDate: today(), Lines: [] })
    expect(record).toMatchObject({ CustomerID: delivery.customer_id, Lines: [{ DeliveryOrderLineID: c?.id, QtyIssued: '10.000', QtyReceived: '10.000' }, { DeliveryOrderLineID: d?.id, QtyReceived: '3.000' }] })
    const line = (of: Record | undefined, QtyReceived: string, QtyRejected: string, more: object = {}) => ({ DeliveryOrderLineID: of?.id, QtyReceived, QtyRejected, ...more })
    expect(await refusals(await enter(delivery, [line(c, '9', '0'), line(d, '3', '0')]), 'confirm')).toEqual([['Lines[0].QtyReceived', 'field.INVALID.pod-quantity']])
    expect(await refusals(await enter(delivery, [line(c, '9', '1'), line(d, '3', '0')]), 'confirm')).toEqual([['Lines[0].ReasonID', 'field.REQUIRED.rejected']])
    expect(await refusals(await enter(delivery, [line(c, '10', '0'), line(c, '10', '0')]), 'confirm')).toEqual([['Lines[1].DeliveryOrderLineID', 'field.DUPLICATE.line']])
    expect(await refusals(await enter(delivery, [line(c, '10', '0')]), 'confirm')).toEqual([['Lines', 'field.REQUIRED.pod-lines']])
    expect(await refusals(await enter(delivery, [line(c, '11', '-1'), line(d, '3', '0')]), 'confirm')).toEqual([['Lines[0].QtyRejected', 'field.TOO_SMALL.quantity']])
    expect(await refusals(await enter(delivery, [line(c, '10', '0'), line(d, '3', '0')], { ReceivedDate: '2026-11-19' }), 'confirm')).toEqual([['ReceivedDate', 'field.TOO_EARLY.pod']])
    const made = await enter(delivery, [line(c, '9', '1', { ReasonID: await reason('P03') }), line(d, '3', '0')])
    expect(await scene.act('billing', 'pod', made.ID, 'confirm')).toMatchObject({ Status: 1 })
    expect(await scene.read('delivery-order', delivery.id)).toMatchObject({ Status: 3, DeliveredDate: today(), Lines: [{ QtyReceived: '9.000', QtyRejected: '1.000' }, { QtyReceived: '3.000', QtyRejected: '0.000' }] })
    expect(await refusals(await enter(delivery, [line(c, '10', '0'), line(d, '3', '0')]), 'confirm')).toEqual([['DeliveryOrderID', 'field.NOT_A_CHOICE.pod-delivery']])
    expect(await scene.act('billing', 'pod', made.ID, 'papers-back')).toMatchObject({ Status: 1, DocumentsReturned: true, ReturnedDate: today() })
  })

  test('an invoice on terms of delivery is due from that day; taken back it has its provisional day again', async () => {
    const { delivery, issue, lines } = await sent()
    const [invoice] = await scene.bill([issue.id])
    expect(invoice).toMatchObject({ DueDate: '2026-12-20', PodDate: null })
    await scene.moveTo('2026-11-24T03:00:00.000Z')
    const whole = lines.map((line) => ({ DeliveryOrderLineID: line.id, QtyReceived: line.qty_issued, QtyRejected: '0' }))
    const made = await enter(delivery, whole, { ReceivedDate: '2026-11-23' })
    await scene.act('billing', 'pod', made.ID, 'confirm')
    expect(await scene.read('pod', made.ID)).toMatchObject({ InvoiceID: invoice?.ID })
    expect(await scene.read('invoice', invoice?.ID)).toMatchObject({ PodDate: '2026-11-23', BaselineDate: '2026-11-23', DueDate: '2026-12-23' })
    await scene.act('billing', 'pod', made.ID, 'reopen', { ReasonID: await reason('V02') })
    expect(await scene.read('delivery-order', delivery.id)).toMatchObject({ Status: 2, DeliveredDate: null })
    expect(await scene.read('invoice', invoice?.ID)).toMatchObject({ PodDate: null, DueDate: '2026-12-20' })
    const again = await enter(delivery, whole, { ReceivedDate: '2026-11-24' })
    await scene.act('billing', 'pod', again.ID, 'confirm')
    expect(await scene.read('invoice', invoice?.ID)).toMatchObject({ DueDate: '2026-12-24' })
    await scene.pay(makmur, '1000000', [{ InvoiceID: invoice?.ID, Paid: '1000000', ReasonID: await reason('R01') }])
    expect((await scene.tryAct('billing', 'pod', again.ID, 'reopen', { ReasonID: await reason('V02') })).message).toContain(invoice?.Code)
  })
})
