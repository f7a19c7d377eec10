import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { violations } from '#server/ledger/invariants.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
const ids: { [code: string]: number } = {}
beforeAll(async () => {
  scene = await openScene()
  for (const code of ['PPN04', 'PPN01', 'PPH23']) ids[code] = await scene.at.id('tax_code', code)
  for (const code of ['A', 'B', 'D']) ids[code] = await scene.at.id('item', code)
})

const sejahtera = 'C0000002'
const change = async (resource: string, id: number, body: object) => {
  const { Version } = (await scene.people.admin.get(`/api/v1/data/${resource}/${id}`)).data.record
  return scene.people.admin.put(`/api/v1/data/${resource}/${id}`, body, { key: scene.key(), version: Version })
}
const entered = async (item: 'A' | 'B' | 'D', more: object = {}) => scene.people.admin.post('/api/v1/data/sales-order', {
  CustomerID: await scene.at.id('customer', sejahtera), Lines: [{ ItemID: ids[item], Uom: 'CTN', Qty: '1' }], ...more,
}, { key: scene.key() })

/** D costs 1,981,982: 11/12 of it are 1,816,816.83. */
const at12 = { Dpp: '1981982.00', Ppn: '218018.00', Total: '2200000.00' }

describe('the tax of goods without a code', () => {
  test('is one of the tax codes, said there, and no other sort of tax', async () => {
    expect(await scene.read('tax-code', ids['PPN04'] ?? 0)).toMatchObject({ IsDefault: true })
    expect(await scene.read('tax-code', ids['PPN01'] ?? 0)).toMatchObject({ IsDefault: false })
    await scene.database.run(sql`update item set tax_code_id = null where code in ('B', 'D')`)
    expect((await entered('D')).data.record).toMatchObject(at12)
    expect((await change('tax-code', ids['PPH23'] ?? 0, { IsDefault: true })).data.errors).toMatchObject([{ field: 'IsDefault', key: 'field.NOT_A_CHOICE.default-tax' }])
    // One for each day.
    expect((await change('tax-code', ids['PPN01'] ?? 0, { IsDefault: true })).data.errors).toMatchObject([{ field: 'IsDefault', key: 'field.DUPLICATE.default-tax', text: 'On these days PPN04 is the tax of goods without a code.' }])
    expect((await change('item', ids['A'] ?? 0, { TaxCodeID: ids['PPH23'] })).data.errors).toMatchObject([{ field: 'TaxCodeID', key: 'field.NOT_A_CHOICE.sales-tax' }])
  })

  test('is another one from its day on; what was made before keeps the rate it was made with', async () => {
    const order = await scene.order(sejahtera, [{ item: 'D', qty: '2' }])
    const [delivery] = await scene.plan(order)
    const issue = await scene.issue(delivery)
    const invoice = await scene.invoiced(sejahtera, [{ item: 'D', qty: '1' }])
    expect((await change('tax-code', ids['PPN04'] ?? 0, { ValidTo: '2026-11-22' })).status).toBe(200)
    const next = await scene.create('admin', 'tax-code', { Code: 'PPN06', Name: 'PPN 12 % penuh', Kind: 'PPN_OUT', Rate: '12', BaseNumerator: 1, BaseDenominator: 1, TrxCode: '01', ValidFrom: '2026-11-23', IsDefault: true })
    expect((await entered('D')).data.record).toMatchObject(at12)
    await scene.moveTo('2026-11-23T03:00:00.000Z')
    const late = await scene.order(sejahtera, [{ item: 'D', qty: '1' }])
    expect(late).toMatchObject({ Dpp: '1981982.00', Ppn: '237838.00', Total: '2219820.00' })
    // Two of them earn 1.5 %. Goods billed today bear the tax of today, those billed on the day before that of the day before.
    await scene.command('billing', 'bill-deliveries', { IDs: [issue.id], InvoiceDate: '2026-11-22' })
    const [run] = await scene.rows('billing_run')
    await scene.decide('billing_run', run.id)
    const [{ InvoiceID: billed }] = (await scene.read('generate-invoice', run.id)).Lines
    expect(await scene.read('invoice', billed)).toMatchObject({ Dpp: '3904505.00', Ppn: '429496.00', Total: '4334001.00' })
    const [again] = await scene.plan(late)
    expect((await scene.bill([(await scene.issue(again)).id]))[0]).toMatchObject({ Ppn: '237838.00' })
    expect(await scene.read('sales-order', order.ID)).toMatchObject({ Ppn: '429496.00' })
    expect(await scene.read('invoice', invoice.ID)).toMatchObject({ Ppn: '218018.00' })
    expect(next).toMatchObject({ IsDefault: true })
    expect(await violations(scene.database, scene.at.clock.today())).toEqual([])
  })
})

describe('a tax on a day on which it does not apply', () => {
  test('is refused at the line of the order, while it is typed and when it is sent', async () => {
    // A has the code itself, which has ended yesterday.
    const refused = [{ field: 'Lines[0].ItemID', key: 'field.TX00', text: 'On 23/11/2026 PPN04, the tax of A, does not apply.' }]
    const body = { CustomerID: await scene.at.id('customer', sejahtera), Lines: [{ ItemID: ids['A'], Uom: 'CTN', Qty: '1' }] }
    expect((await scene.people.sales.post('/api/v1/command/price-order', { ...body, DocDate: scene.at.clock.today() })).data.errors).toMatchObject(refused)
    const draft = await scene.draftOrder(sejahtera, [{ item: 'A', qty: '1' }])
    const answer = await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')
    expect([answer.status, answer.data.errors]).toMatchObject([422, refused])
    // Dated back to a day it applied on, it does.
    expect((await entered('A', { DocDate: '2026-11-22' })).data.record).toMatchObject({ Ppn: '13200.00' })
  })

  test('and where goods without a code have none', async () => {
    await scene.database.run(sql`update tax_code set valid_from = '2026-12-01' where code = 'PPN06'`)
    const draft = await scene.draftOrder(sejahtera, [{ item: 'B', qty: '1' }])
    expect((await scene.tryAct('sales', 'sales-order', draft.ID, 'submit')).data.errors).toMatchObject([{ field: 'Lines[0].ItemID', key: 'field.TX00.none', text: 'On 23/11/2026 there is no tax for goods without a tax code, such as B.' }])
  })

  test('is refused at the day of the invoice', async () => {
    await scene.database.run(sql`update tax_code set valid_to = '2026-11-30' where code = 'PPN04'`)
    const { issue } = await scene.delivered(sejahtera, [{ item: 'A', qty: '1' }])
    await scene.database.run(sql`update tax_code set valid_to = '2026-11-22' where code = 'PPN04'`)
    const { results } = (await scene.people.billing.post('/api/v1/command/bill-deliveries', { IDs: [issue.id], InvoiceDate: scene.at.clock.today() }, { key: scene.key() })).data
    expect(results).toMatchObject([{ ID: issue.id, ok: false, key: 'field.TX00', text: 'On 23/11/2026 PPN04, the tax of A, does not apply.' }])
    const bad = await scene.rows('invoice', sql`doc_date = ${scene.at.clock.today()}::date and ppn = 0`)
    expect(bad.map((one: Record) => one.code)).toEqual([])
  })
})
