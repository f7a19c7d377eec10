import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { trusted, sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.database.run(sql`update app_user set password_change_date = '2027-11-01'`)
})
afterEach(async () => expect(await violations(scene.database, scene.at.clock.today())).toEqual([]))

const buyer = 'C0000002'
const rule = (columns: string) => scene.database.run(sql`update customer set ${trusted(columns)} where code = ${buyer}`)
const groups = async (): Promise<Record[]> => (await scene.people.billing.get('/api/v1/data/billing-customer', { filter: JSON.stringify({ customer_id: await scene.at.id('customer', buyer) }) })).data.rows
const billed = async (ids: readonly number[], InvoiceDate: string) => scene.command('billing', 'bill-customers', { IDs: ids, InvoiceDate })
const asked = (ids: readonly number[], InvoiceDate: string) => scene.command('billing', 'bill-deliveries', { IDs: ids, InvoiceDate })

describe('collective billing by the rule of the customer', () => {
  test('a week’s deliveries are one invoice, complete on its Sunday', async () => {
    await rule(`billing_rule = 'WEEKLY'`)
    await scene.delivered(buyer, [{ item: 'B', qty: '1' }])
    await scene.moveTo('2026-11-21T03:00:00.000Z')
    await scene.delivered(buyer, [{ item: 'A', qty: '2' }])
    const [group, ...others] = await groups()
    expect(others).toEqual([])
    expect(group).toMatchObject({ BillingRule: 'WEEKLY', FirstDate: '2026-11-20', LastDate: '2026-11-21', CompleteOn: '2026-11-22', Deliveries: 2, Waiting: 0 })
    const answer = await billed([group.ID], '2026-11-21')
    expect(answer.results).toMatchObject([{ ID: group.ID, ok: true, key: 'done.invoiced' }])
    const invoice = await scene.read('invoice', answer.Invoices[0].ID)
    expect([answer.Invoices.length, invoice.Total, invoice.Lines.length]).toEqual([1, group.Amount, 2])
    expect(await groups()).toEqual([])
    expect((await billed([group.ID], '2026-11-21')).results).toMatchObject([{ ok: false, key: 'problem.ILLEGAL_TRANSITION.nothing-to-bill' }])
  })

  test('orders of one number go together, deliveries of none each by themselves', async () => {
    await rule(`billing_rule = 'PER_PO'`)
    const order = await scene.order(buyer, [{ item: 'B', qty: '2' }], { PoNumber: 'PO-9' })
    const [line] = (await scene.read('sales-order', order.ID)).Lines
    for (const part of ['1', '1']) for (const delivery of await scene.plan(order, { [line.ID]: part })) await scene.issue(delivery)
    await scene.delivered(buyer, [{ item: 'A', qty: '1' }])
    const all = await groups()
    expect(all.map(({ Deliveries, PoNumber }: Record) => [Deliveries, PoNumber]).toSorted()).toEqual([[1, null], [2, 'PO-9']])
    const { Invoices: invoices } = await billed(all.map(({ ID }: Record) => ID), '2026-11-21')
    expect(invoices.length).toBe(2)
    await rule(`billing_rule = 'PER_DELIVERY'`)
  })
})

describe('a billing run', () => {
  let issue: Record
  let run: Record
  test('dated back waits for a decision, and what is in it is billed by nobody else', async () => {
    ;({ issue } = await scene.delivered(buyer, [{ item: 'B', qty: '2' }]))
    await scene.moveTo('2026-11-24T03:00:00.000Z')
    const answer = await asked([issue.id], '2026-11-23')
    ;[run] = await scene.rows('billing_run')
    expect(answer).toMatchObject({ Invoices: [], results: [{ ID: issue.id, ok: true, key: 'done.billing-run-asked', params: { run: run.code } }] })
    expect(run).toMatchObject({ status: 4, cause: 'BACK_DATED', invoice_date: '2026-11-23', deliveries: 1, total: '555000.00' })
    expect((await asked([issue.id], '2026-11-24')).results).toMatchObject([{ ok: false, key: 'problem.PENDING_TRANSITION.billing-run' }])
    expect(await groups()).toEqual([])
  })

  test('is billed by who decides, on the day that was asked for', async () => {
    await scene.decide('billing_run', run.id)
    const done = await scene.read('generate-invoice', run.id)
    expect(done).toMatchObject({ Status: 3, Invoices: 1, Failed: 0, Lines: [{ Result: 'BILLED', GoodsIssueID: issue.id }] })
    expect(await scene.read('invoice', done.Lines[0].InvoiceID)).toMatchObject({ PostingDate: '2026-11-23', Total: run.total })
  })

  test('of more lines than the setting allows waits too; what is not there any more is left out and said', async () => {
    await scene.database.run(sql`update setting_oms set value = '1'::jsonb where key = 'billing_run_auto_max'`)
    const [one, two] = [await scene.delivered(buyer, [{ item: 'A', qty: '1' }]), await scene.delivered(buyer, [{ item: 'B', qty: '1' }])]
    expect((await asked([one.issue.id, two.issue.id], '2026-11-24')).Invoices).toEqual([])
    const [, large] = await scene.rows('billing_run')
    expect(large).toMatchObject({ status: 4, cause: 'LARGE', deliveries: 2 })
    await scene.database.run(sql`update customer set billing_trigger = 'POD' where code = ${buyer}`)
    await scene.decide('billing_run', large.id)
    const done = await scene.read('generate-invoice', large.id)
    expect(done).toMatchObject({ Status: 3, Invoices: 0, Failed: 2 })
    expect(done.Lines.map(({ Result, InvoiceID, Failure }: Record) => [Result, InvoiceID, Failure])).toEqual([['FAILED', null, 'The customer is billed after delivery is confirmed.'], ['FAILED', null, 'The customer is billed after delivery is confirmed.']])
    await scene.database.run(sql`update customer set billing_trigger = 'GI' where code = ${buyer}`)
    await scene.database.run(sql`update setting_oms set value = '200'::jsonb where key = 'billing_run_auto_max'`)
    expect((await groups()).length).toBe(2)
  })

  test('that is rejected leaves its deliveries to be billed; none is asked for before the goods have left', async () => {
    const ids = (await groups()).map(({ ID }: Record) => ID as number).toSorted((a, b) => a - b)
    expect((await billed(ids, '2026-11-23')).results).toMatchObject(ids.map((id) => ({ ID: id, ok: false, code: 'VALIDATION_FAILED' })))
    await scene.moveTo('2026-11-25T03:00:00.000Z')
    await billed(ids, '2026-11-24')
    const run = (await scene.rows('billing_run')).at(-1)
    expect(run).toMatchObject({ status: 4, deliveries: 2 })
    await scene.decide('billing_run', run.id, 'reject')
    expect((await billed(ids, '2026-11-25')).Invoices.length).toBe(2)
  })
})
