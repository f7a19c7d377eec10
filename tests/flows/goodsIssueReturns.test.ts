import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let quarantine: number
const makmur = 'C0000001'
beforeAll(async () => {
  scene = await openScene()
  ;[quarantine = 0] = await insertRows(scene.database, 'warehouse', [{ code: 'RJKT', name: 'Jakarta returns', operating_unit_id: await scene.at.id('operating_unit', 'JKT'), kind: 'RETURN', stock_class: 'RETURN' }])
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const reason = (code: string) => scene.at.id('reason', code)
const errorsOf = ({ code, data }: Record) => [code, ...(data.errors ?? []).map(({ field, key }: Record) => [field, key])]
const movements = async (ID: number) => (await scene.rows('stock_movement', sql`doc_type = 'goods_issue_return' and doc_id = ${ID}`)).map(({ movement_type: type, stock_class: place, qty, cost_amount: cost }: Record) => `${type} ${place} ${qty} ${cost}`)

interface Sent {
  readonly order: Record
  readonly delivery: Record
  readonly issue: Record
  readonly lines: Record[]
}
async function sent(lines: readonly { readonly item: string; readonly qty: string }[]): Promise<Sent> {
  const order = await scene.order(makmur, lines)
  const [delivery] = await scene.plan(order)
  const issue = await scene.issue(delivery)
  return { order, delivery, issue, lines: await scene.rows('goods_issue_line', sql`goods_issue_id = ${issue.id}`) }
}
const enter = (issue: Record, lines: readonly object[], more: object = {}): Promise<Record> =>
  scene.create('sales', 'goods-issue-return', { GoodsIssueID: issue.id, ReturnDate: scene.at.clock.today(), QuarantineID: quarantine, Lines: lines, ...more })
async function received(made: Record): Promise<Record> {
  await scene.act('sales', 'goods-issue-return', made.ID, 'submit')
  await scene.decide('goods_issue_return', made.ID, 'approve', ['warehouse'])
  return scene.read('goods-issue-return', made.ID)
}
const undo = async (ID: number) => scene.tryAct('warehouse', 'goods-issue-return', ID, 'reverse', { ReasonID: await reason('V02') })

describe('goods back before billing', () => {
  test('come in at what they left at; the order waits for them again or does without them, and what is left is invoiced', async () => {
    const { order, issue, lines: [c, d] } = await sent([{ item: 'C', qty: '10' }, { item: 'D', qty: '3' }])
    const { record } = await scene.command('sales', 'derive-goods-issue-return', { GoodsIssueID: issue.id, ReturnDate: scene.at.clock.today(), Lines: [] })
    expect(record.Lines).toMatchObject([{ GiLineID: c?.id, Qty: '10.000' }, { GiLineID: d?.id, Qty: '3.000' }])
    const line = async (of: Record | undefined, Qty: string, why: string, more: object = {}) => ({ GiLineID: of?.id, Qty, ReasonID: await reason(why), ...more })
    const submit = async (lines: readonly object[], more: object = {}) => errorsOf(await scene.tryAct('sales', 'goods-issue-return', (await enter(issue, lines, more)).ID, 'submit'))
    expect(await submit([await line(c, '11', 'P01')])).toEqual(['EXCEEDS_REMAINING', ['Lines[0].Qty', 'field.EXCEEDS_REMAINING.quantity']])
    expect(await submit([await line(c, '1', 'C01')])).toEqual(['VALIDATION_FAILED', ['Lines[0].ReasonID', 'rule.reason-of-return']])
    expect(await submit([await line(c, '1', 'T01', { Condition: 'DAMAGED' })], { QuarantineID: null })).toEqual(['VALIDATION_FAILED', ['Lines[0].Condition', 'rule.damaged-has-place']])
    const made = await received(await enter(issue, [await line(c, '4', 'P01'), await line(d, '1', 'T01', { Condition: 'DAMAGED' })]))
    expect(made).toMatchObject({ Status: 1, Cost: '9500000.00', Code: 'GIR/JKT/2611/00001', CustomerID: issue.customer_id })
    expect(await movements(made.ID)).toEqual(['602 UNRESTRICTED 4.000 8000000.00', '602 RETURN 1.000 1500000.00'])
    expect(await scene.journal('goods_issue_return', made.ID)).toEqual(['113101 8000000.00 0.00', '113105 1500000.00 0.00', '113106 0.00 9500000.00'])
    // Four C are to be sent again and kept for it, the broken D is not.
    const open = await scene.read('sales-order', order.ID)
    expect(open).toMatchObject({ Status: 2, DeliveryStatus: 2, Lines: [{ DeliveredQty: '6.000', ReservedQty: '4.000', CancelledQty: '0.000' }, { DeliveredQty: '2.000', ReservedQty: '0.000', CancelledQty: '1.000' }] })
    expect(errorsOf(await scene.tryAct('warehouse', 'goods-issue', issue.id, 'cancel', { ReasonID: await reason('C02') }))).toEqual(['ILLEGAL_TRANSITION'])
    const [invoice] = await scene.bill([issue.id])
    expect(invoice.Lines).toMatchObject([{ Qty: '6.000', Cogs: '12000000.00' }, { Qty: '2.000', Cogs: '3000000.00' }])
    expect(errorsOf(await undo(made.ID))).toEqual(['ILLEGAL_TRANSITION'])
    expect(await submit([await line(c, '1', 'P01')])).toEqual(['VALIDATION_FAILED', ['Lines[0].GiLineID', 'rule.not-invoiced']])
    // Sent again and invoiced: together it is the order to the rupiah.
    const [again] = await scene.plan(open)
    const [rest] = await scene.bill([(await scene.issue(again)).id])
    expect(rest.Lines).toMatchObject([{ Qty: '4.000' }])
    expect(Number(invoice.Lines[0].Dpp) + Number(rest.Lines[0].Dpp)).toBe(Number(order.Lines[0].Dpp))
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 3 })
    expect(await scene.balance('113106')).toBe('0.00')
  })

  test('parts of an issue add up to what it cost; all of it back closes the issue, and undone it is at the buyer again', async () => {
    const { order, issue, lines: [e] } = await sent([{ item: 'E', qty: '7' }])
    const line = async (Qty: string, why: string) => [{ GiLineID: e?.id, Qty, ReasonID: await reason(why) }]
    const first = await received(await enter(issue, await line('50', 'P01')))
    const second = await received(await enter(issue, await line('118', 'T03')))
    expect(Number(first.Cost) + Number(second.Cost)).toBe(Number(issue.cost))
    expect((await scene.rows('goods_issue', sql`id = ${issue.id}`))[0]).toMatchObject({ status: 3 })
    expect(await scene.rows('billing_due', sql`id = ${issue.id}`)).toEqual([])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 1, Lines: [{ DeliveredQty: '0.000', CancelledQty: '118.000', ReservedQty: '50.000' }] })
    await undo(second.ID)
    expect((await scene.rows('goods_issue', sql`id = ${issue.id}`))[0]).toMatchObject({ status: 1 })
    await scene.plan(await scene.read('sales-order', order.ID))
    expect(errorsOf(await undo(first.ID))).toEqual(['ILLEGAL_TRANSITION'])
  })

  test('of nothing kept the order is closed; undone while the goods are there', async () => {
    const { order, issue, lines: [c] } = await sent([{ item: 'C', qty: '2' }])
    const made = await received(await enter(issue, [{ GiLineID: c?.id, Qty: '2', ReasonID: await reason('P03') }]))
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 3, Lines: [{ CancelledQty: '2.000', DeliveredQty: '0.000' }] })
    expect((await undo(made.ID)).status).toBe(200)
    expect(await movements(made.ID)).toEqual(['602 UNRESTRICTED 2.000 4000000.00', '602 UNRESTRICTED -2.000 -4000000.00'])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 2, Lines: [{ CancelledQty: '0.000', DeliveredQty: '2.000' }] })
    expect(await scene.bill([issue.id])).toHaveLength(1)
  })

  test('what the buyer did not take comes back by a draft of its proof of delivery; opened again the draft is gone', async () => {
    const { delivery, issue, lines: [c] } = await sent([{ item: 'C', qty: '10' }])
    await received(await enter(issue, [{ GiLineID: c?.id, Qty: '1', ReasonID: await reason('P03') }]))
    const [line] = await scene.rows('delivery_order_line', sql`delivery_order_id = ${delivery.id}`)
    const proof = async () => scene.create('billing', 'pod', {
      DeliveryOrderID: delivery.id, ReceivedDate: scene.at.clock.today(), DocDate: scene.at.clock.today(), ReceiverName: 'Pak Budi', Lines: [{ DeliveryOrderLineID: line?.id, QtyReceived: '7', QtyRejected: '3', ReasonID: await reason('P01') }],
    })
    const pod = await proof()
    await scene.act('billing', 'pod', pod.ID, 'confirm')
    const made = () => scene.rows('goods_issue_return', sql`pod_id is not null and goods_issue_id = ${issue.id}`)
    const [draft] = await made()
    // One of the three had come back already.
    expect(draft).toMatchObject({ status: 0, goods_issue_id: issue.id, customer_id: issue.customer_id })
    expect(await scene.read('goods-issue-return', draft?.id)).toMatchObject({ Lines: [{ GiLineID: c?.id, Qty: '2.000', Redelivers: true, Condition: 'GOOD' }] })
    await scene.act('billing', 'pod', pod.ID, 'reopen', { ReasonID: await reason('V02') })
    expect((await made()).map(({ status }) => status)).toEqual([6])
    await scene.act('billing', 'pod', (await proof()).ID, 'confirm')
    const again = (await made()).find(({ status }) => status === 0)
    await received(await scene.read('goods-issue-return', again?.id))
    expect((await scene.tryAct('billing', 'pod', (await scene.rows('pod', sql`status = 1`))[0]?.id, 'reopen', { ReasonID: await reason('V02') })).code).toBe('ILLEGAL_TRANSITION')
    const [invoice] = await scene.bill([issue.id])
    expect(invoice.Lines).toMatchObject([{ Qty: '7.000' }])
  })

  test('gifts come back with the goods they were given for', async () => {
    const { issue, lines } = await sent([{ item: 'A', qty: '10' }])
    const paid = lines.find(({ qty }) => qty === '10.000')
    const gift = lines.find(({ qty }) => qty === '1.000')
    const back = async (of: Record | undefined, Qty: string) => ({ GiLineID: of?.id, Qty, ReasonID: await reason('P03') })
    const made = await enter(issue, [await back(paid, '3')])
    await scene.act('sales', 'goods-issue-return', made.ID, 'submit')
    await expect(scene.decide('goods_issue_return', made.ID, 'approve', ['warehouse'])).rejects.toThrow('A 1')
    await scene.act('sales', 'goods-issue-return', made.ID, 'recall')
    expect(await received(await enter(issue, [await back(paid, '3'), await back(gift, '1')]))).toMatchObject({ Status: 1, Cost: '340000.00' })
  })
})
