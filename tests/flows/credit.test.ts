import { beforeAll, describe, expect, test } from 'vitest'
import { wireName } from '#base/wireName.ts'
import type { PricedLine } from '#domain/pricing/priceOrder.ts'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { lineColumns } from '#server/sales/repriceOrder.ts'
import type { Answer } from '../support/app.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let makmur: number
beforeAll(async () => {
  scene = await openScene()
  makmur = await scene.at.id('customer', 'C0000001')
})

const exposure = async (): Promise<number> => Number((await scene.database.first<{ exposure: string }>(sql`select exposure from v_customer_exposure where customer_id = ${makmur}`))?.exposure)
const requestOf = async (docType: string, id: number): Promise<Record> => (await scene.rows('approval_request', sql`doc_type = ${docType} and doc_id = ${id}`)).at(-1)

describe('credit', () => {
  test('an order over the limit waits for the credit controller, measured by the excess', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '40' }])
    expect(order).toMatchObject({ Status: 4, Stage: 'APPROVAL', BlockCodes: ['CL01'] })
    expect(await requestOf('sales_order', order.ID)).toMatchObject({ status: 4, reasons: [{ code: 'CL01', text: 'The credit limit is exceeded by 28,700,001.00.', value: '28700001.00' }] })
    expect(await exposure()).toBe(0)
    const self = await scene.people.sales.post(`/api/v1/approval/${(await requestOf('sales_order', order.ID)).id}/approve`, {}, { key: scene.key() })
    expect(self.status).toBe(403)
    await scene.decide('sales_order', order.ID, 'approve', ['credit'])
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 1, Stage: 'ALLOCATED', Total: '128700001.00' })
    expect(await exposure()).toBe(128_700_001.17)
  })

  test('delivery and billing keep the exposure, payment lowers it by the money', async () => {
    const [order] = await scene.rows('sales_order', sql`customer_id = ${makmur} and status = 1`)
    const [delivery] = await scene.plan({ ID: order.id })
    const issue = await scene.issue(delivery)
    expect(await exposure()).toBe(128_700_001.17)
    const [invoice] = await scene.bill([issue.id])
    expect(await exposure()).toBe(128_700_001)
    await scene.pay('C0000001', '100000000', [{ InvoiceID: invoice.ID, Paid: '100000000', ReasonID: await scene.at.id('reason', 'R01') }])
    expect(await exposure()).toBe(28_700_001)
  })

  test('returned to entry, changed, submitted again: one number all along', async () => {
    const order = await scene.order('C0000001', [{ item: 'C', qty: '30' }])
    await scene.decide('sales_order', order.ID, 'return', ['credit'])
    const draft = await scene.read('sales-order', order.ID)
    expect(draft).toMatchObject({ Status: 0, Code: order.Code })
    const [line] = draft.Lines
    const saved = await scene.people.sales.put(`/api/v1/data/sales-order/${order.ID}`, { Lines: [{ ID: line.ID, ItemID: line.ItemID, Uom: 'CTN', Qty: '2' }] }, { key: scene.key(), version: draft.Version })
    expect(saved.data.record).toMatchObject({ Total: '6435000.00', Promo: '148648.65' })
    expect(await scene.act('sales', 'sales-order', order.ID, 'submit')).toMatchObject({ Status: 1, Code: order.Code, Total: '6435000.00' })
  })

  test('the limit of a group counts what all of its members owe', async () => {
    const [owed] = await scene.database.rows<{ exposure: string }>(sql`select sum(exposure) as exposure from v_customer_exposure where customer_id in (select id from customer where code in ('C0000001', 'C0000002'))`)
    const group = await scene.database.first<{ id: number }>(sql`insert into customer_group (code, name, group_credit_limit) values ('G-LIMIT', 'Makmur group', ${owed?.exposure}::numeric + 1000000) returning id`)
    const setGroup = (id: number | null) => scene.database.run(sql`update customer set customer_group_id = ${id}::bigint where code in ('C0000001', 'C0000002')`)
    await setGroup(group?.id ?? null)
    const order = await scene.order('C0000001', [{ item: 'C', qty: '2' }])
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL01'], Total: '6435000.00' })
    expect(await requestOf('sales_order', order.ID)).toMatchObject({ reasons: [{ code: 'CL01', value: '5435000.00' }] })
    await scene.act('sales', 'sales-order', order.ID, 'recall')
    await setGroup(null)
  })

  test('overdue beyond the grace of the limit', async () => {
    await scene.moveTo('2027-02-19T03:00:00.000Z')
    await scene.database.run(sql`insert into accounting_period (period, year, month, module, status) select '202702', 2027, 2, m, 'OPEN' from unnest('{SD,ST,AR,AP,CB,GL,TX}'::text[]) m`)
    const order = await scene.order('C0000001', [{ item: 'A', qty: '1' }])
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL02'] })
    // A line approved before that is not planned either, unless somebody may override.
    const [approved] = await scene.rows('sales_order', sql`customer_id = ${makmur} and status = 1`)
    const lines = await scene.rows('sales_order_line', sql`sales_order_id = ${approved.id}`)
    const plan = await scene.command('warehouse', 'plan-delivery', { IDs: lines.map((line: Record) => line.id), PlanDate: '2027-02-19' })
    expect(plan.results).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED' }])
    await scene.act('sales', 'sales-order', order.ID, 'recall')
    const overridden = await scene.command('credit', 'override-credit', { IDs: [approved.id], ReasonText: 'promised for Monday' })
    expect(overridden.results).toMatchObject([{ ok: true }])
    const again = await scene.command('warehouse', 'plan-delivery', { IDs: lines.map((line: Record) => line.id), PlanDate: '2027-02-19' })
    expect(again.results.every((row: Record) => row.ok)).toBe(true)
    await scene.moveTo('2026-11-20T03:00:00.000Z')
  })

  test('a blocked customer orders nothing', async () => {
    await scene.act('admin', 'customer', makmur, 'block', { ReasonText: 'does not pay' })
    const draft = await scene.draftOrder('C0000001', [{ item: 'A', qty: '1' }])
    expect((await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')).code).toBe('CREDIT_BLOCKED')
    await scene.act('admin', 'customer', makmur, 'unblock')
    expect(await scene.act('sales', 'sales-order', draft.ID, 'submit')).toMatchObject({ Status: 1 })
    // Nobody had to be asked: the history names the seller, and says that it was not he who approved.
    const history = (await scene.people.sales.get(`/api/v1/data/sales-order/${draft.ID}/history`)).data.records
    expect(history.slice(0, 2)).toMatchObject([{ Action: 'approve-unasked', ActorName: 'sales', FromStatus: 4, ToStatus: 1 }, { Action: 'submit', FromStatus: 0, ToStatus: 4 }])
  })

  test('a customer blocked while an order waits: nobody approves it, nor plans what was approved before, until he is unblocked', async () => {
    const waiting = await scene.order('C0000001', [{ item: 'C', qty: '30' }])
    expect(waiting).toMatchObject({ Status: 4, BlockCodes: ['CL01'] })
    const approved = await scene.order('C0000001', [{ item: 'A', qty: '1' }])
    expect(approved).toMatchObject({ Status: 1 })
    await scene.act('admin', 'customer', makmur, 'block', { ReasonText: 'does not pay' })

    const { id } = await requestOf('sales_order', waiting.ID)
    const refused = await scene.people.credit.post(`/api/v1/approval/${id}/approve`, {}, { key: scene.key() })
    expect([refused.status, refused.code, refused.data.key]).toEqual([422, 'CREDIT_BLOCKED', 'problem.CREDIT_BLOCKED.customer'])
    expect(await scene.read('sales-order', waiting.ID)).toMatchObject({ Status: 4 })
    expect((await requestOf('sales_order', waiting.ID)).status).toBe(4)
    expect(await scene.rows('sales_order_line', sql`sales_order_id = ${waiting.ID} and reserved_qty > 0`)).toEqual([])
    const lines = (await scene.rows('sales_order_line', sql`sales_order_id = ${approved.ID}`)).map((line: Record) => line.id)
    // Whoever may go past what an approval opens goes past no block.
    for (const who of ['warehouse', 'admin'] as const) {
      expect((await scene.command(who, 'plan-delivery', { IDs: lines, PlanDate: '2026-11-20' })).results, who).toMatchObject([{ ok: false, code: 'CREDIT_BLOCKED' }])
    }

    await scene.act('admin', 'customer', makmur, 'unblock')
    await scene.decide('sales_order', waiting.ID, 'approve', ['credit'])
    expect(await scene.read('sales-order', waiting.ID)).toMatchObject({ Status: 1 })
    for (const order of [waiting, approved]) await scene.act('sales', 'sales-order', order.ID, 'cancel', { ReasonID: await scene.at.id('reason', 'C01') })
  })

  test('a discount by hand needs the permission, and then an approval', async () => {
    const draft = await scene.draftOrder('C0000002', [{ item: 'B', qty: '4', manual: '50000' }])
    expect(draft).toMatchObject({ Gross: '1000000.00', Discount: '50000.00', Dpp: '950000.00' })
    expect((await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')).data.errors).toMatchObject([{ field: 'Lines[0].ManualDiscount' }])
    const order = await scene.act('supervisor', 'sales-order', draft.ID, 'submit')
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['PR02'] })
    const request = await requestOf('sales_order', order.ID)
    expect(request.reasons).toMatchObject([{ code: 'PR02', value: '50000.00' }])
    // What the order itself brings stays true as long as it waits.
    expect((await scene.people.credit.get(`/api/v1/approval/request/${request.id}`)).data.ReasonsNow).toMatchObject([{ code: 'PR02', value: '50000.00' }])
  })

  test('what has come up since an order was submitted is told to whoever approves it', async () => {
    const draft = await scene.draftOrder('C0000002', [{ item: 'B', qty: '4', manual: '50000' }])
    const order = await scene.act('manager', 'sales-order', draft.ID, 'submit')
    expect(order.BlockCodes).toEqual(['PR02'])
    const of = sql`customer_id = ${await scene.at.id('customer', 'C0000002')}`
    const limits = await scene.database.rows<{ id: number; amount: string }>(sql`select id, amount from credit_limit where ${of}`)
    await scene.database.run(sql`update credit_limit set amount = 1000 where ${of}`)
    const approve = async (acknowledge: readonly string[] = []) => scene.people.supervisor.post(`/api/v1/approval/${(await requestOf('sales_order', order.ID)).id}/approve`, {}, { key: scene.key(), acknowledge })
    const asked = await approve()
    expect(asked).toMatchObject({ status: 412, data: { warnings: [{ code: 'CL01', text: expect.stringMatching(/^New since approval was asked for: Over the limit by is [\d,.]+\.$/) }] } })
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 4 })
    expect((await approve(asked.data.warnings.map(({ id }: { id: string }) => id))).code).toBe('success')
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Status: 1 })
    for (const { id, amount } of limits) await scene.database.run(sql`update credit_limit set amount = ${amount} where id = ${id}`)
  })

  test('numbers that have become worse since approval was asked for are acknowledged at every level, at the value they have by then', async () => {
    const of = sql`customer_id = ${await scene.at.id('customer', 'C0000002')}`
    const limits = await scene.database.rows<{ id: number; amount: string }>(sql`select id, amount from credit_limit where ${of}`)
    const set = (amount: string) => scene.database.run(sql`update credit_limit set amount = ${amount} where ${of}`)
    await set('6000000')
    const order = await scene.order('C0000002', [{ item: 'C', qty: '60' }])
    expect(order).toMatchObject({ Status: 4, BlockCodes: ['CL01'] })
    const { id } = await requestOf('sales_order', order.ID)
    const send = (who: 'credit' | 'finance', acknowledge: readonly string[] = []) => scene.people[who].post(`/api/v1/approval/${id}/approve`, {}, { key: scene.key(), acknowledge })
    const worse = (answer: Answer): readonly { readonly id: string; readonly code: string; readonly text: string }[] => (answer.status === 412 ? answer.data.warnings : [])
    const { FactsAsked } = (await scene.people.credit.get(`/api/v1/approval/request/${id}`)).data
    const then: string = FactsAsked.find(({ name }: { name: string }) => name === 'excess').value
    // What stands in the way is told as it is now, whatever it was when approval was asked for; nothing of it is said in the present once it is over.
    const reasonsNow = async (): Promise<readonly (readonly [string, string])[]> =>
      (await scene.people.credit.get(`/api/v1/approval/request/${id}`)).data.ReasonsNow.map(({ code, value }: { code: string; value: string }) => [code, value])
    expect(await reasonsNow()).toEqual([['CL01', then]])
    await set('900000000')
    expect(await reasonsNow()).toEqual([])
    expect((await requestOf('sales_order', order.ID)).reasons).toMatchObject([{ code: 'CL01', value: then }])
    await set('5000000')
    expect(await reasonsNow()).toEqual([['CL01', (Number(then) + 1_000_000).toFixed(2)]])
    const first = worse(await send('credit'))
    const grouped = (amount: number) => amount.toLocaleString('en-US', { minimumFractionDigits: 2 })
    expect(first.map(({ code, text }) => [code, text])).toEqual([['CL01', `Worse since approval was asked for: Over the limit by was ${grouped(Number(then))}, is ${grouped(Number(then) + 1_000_000)}.`]])
    // Seen at one number is not seen at the next.
    await set('4000000')
    const second = worse(await send('credit', first.map((one) => one.id)))
    expect(second.map(({ text }) => text)).toEqual([expect.stringContaining(grouped(Number(then) + 2_000_000))])
    expect((await send('credit', second.map((one) => one.id))).data).toMatchObject({ isFinal: false })
    const third = worse(await send('finance'))
    expect(third.map(({ code }) => code)).toEqual(['CL01'])
    // Back where it stood: nothing to say.
    await set('6000000')
    expect((await send('finance')).data).toMatchObject({ isFinal: true })
    for (const limit of limits) await scene.database.run(sql`update credit_limit set amount = ${limit.amount} where id = ${limit.id}`)
  })

  test('nothing contradicts itself', async () => expect(await violations(scene.database, '2026-11-20')).toEqual([]))
})

describe('pricing as typed', () => {
  test('prices, free lines, stock, hints, and what is wrong with a line', async () => {
    const [a, b] = [await scene.at.id('item', 'A'), await scene.at.id('item', 'B')]
    const data = await scene.command('sales', 'price-order', {
      CustomerID: makmur,
      Lines: [{ LineNo: 1, ItemID: a, Uom: 'CTN', Qty: '24' }, { LineNo: 2, ItemID: b, Uom: 'CTN', Qty: '10' }, { LineNo: 3, ItemID: b, Uom: 'KRAT', Qty: '1' }, { LineNo: 4, ItemID: a }, { LineNo: 5, ItemID: a, Uom: 'CTN', Qty: '-1' }],
    })
    expect(data.record).toMatchObject({ Gross: '5332000.00', Discount: '164900.80', Promo: '129177.48', Total: '5592093.00' })
    expect(data.record.Lines.map((line: Record) => [line.LineNo, line.ParentLineNo ?? null, line.Dpp ?? null, line.IsFree ?? null])).toEqual([
      [1, null, '2624797.00', false], [2, null, '2413125.00', false], [3, null, null, null], [4, null, null, null], [5, null, null, null], [null, 1, '0.00', true],
    ])
    // Every line whose item is known offers its units, also one that cannot be priced yet.
    const units = data.record.Lines.map((line: Record) => line.Offers?.Uom)
    expect(units).toEqual([units[0], units[1], units[1], units[0], units[0], undefined])
    expect(units[0]).toContain('CTN')
    expect(data.record.Lines[0].PriceTrace).toBeUndefined()
    const traced = await scene.command('sales', 'price-order', { CustomerID: makmur, Trace: true, Lines: [{ LineNo: 1, ItemID: a, Uom: 'CTN', Qty: '24' }] })
    expect(traced.record.Lines[0].PriceTrace[0]).toMatchObject({ step: 'PRICE', source: 'GROUP:SILVER' })
    // Every column that saving writes of a line is told while it is typed.
    expect(Object.keys(traced.record.Lines[0])).toEqual(expect.arrayContaining(Object.keys(lineColumns({} as PricedLine)).map(wireName)))
    expect(data.errors).toMatchObject([{ field: 'Lines[2].Uom', code: 'NOT_A_CHOICE' }, { field: 'Lines[4].Qty' }])
  })

  test('whatever is sent gets an answer', async () => {
    const hostile: unknown[] = [
      {}, { CustomerID: 'x' }, { CustomerID: 999_999 }, { CustomerID: makmur, Lines: 'no' }, { CustomerID: makmur, Lines: [null, 1, {}, { ItemID: 1e300, Qty: '1e9', Uom: {} }] },
      { CustomerID: makmur, DocDate: '0000-99-99', Lines: [{ ItemID: 1, Uom: "'; drop table item; --", Qty: '1' }] }, { CustomerID: makmur, Lines: Array.from({ length: 2001 }, () => ({})) },
    ]
    for (const body of hostile) {
      const answer = await scene.people.sales.post('/api/v1/command/price-order', body, { key: scene.key() })
      expect([200, 422]).toContain(answer.status)
    }
  })
})

describe('scope', () => {
  test('another branch sees and touches nothing of it', async () => {
    const bdg = await scene.at.signIn('sales.bdg')
    const list = await bdg.get('/api/v1/data/sales-order')
    expect(list.data.rows).toEqual([])
    expect((await bdg.post('/api/v1/command/price-order', { CustomerID: makmur, Lines: [{ LineNo: 1, ItemID: 1, Uom: 'CTN', Qty: '1' }] }, { key: scene.key() })).data.record.Total).toBe('0.00')
    expect((await bdg.post('/api/v1/data/sales-order', { CustomerID: makmur, Lines: [] }, { key: scene.key() })).status).toBe(422)
    const [order] = await scene.rows('sales_order', sql`status in (1, 4)`)
    expect((await bdg.post(`/api/v1/data/sales-order/${order.id}/cancel`, { Note: 'x' }, { key: scene.key(), version: order.version })).code).toBe('NOT_IN_SCOPE')
  })
})
