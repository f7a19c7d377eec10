import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { openScene, type Record, type Scene } from '../support/scene.ts'

let scene: Scene
let admin: Scene['people']['admin']

beforeAll(async () => {
  scene = await openScene()
  ;({ admin } = scene.people)
})

const id = (table: string, code: string) => scene.at.id(table, code)
const change = (resource: string, record: Record, body: object) => admin.put(`/api/v1/data/${resource}/${record.ID}`, body, { version: Number(record['Version']) })

describe('a new document', () => {
  it('is in the currency of the books it goes into, also where its unit is found out only while it is saved', async () => {
    const statement = async (bank: string) => scene.create('admin', 'bank-statement', { HouseBankID: await id('house_bank', bank), StatementNo: `S-${bank}`, OpeningBalance: '0', ClosingBalance: '0' })
    expect(await statement('BCA1')).toMatchObject({ Currency: 'IDR' })
    await scene.database.transaction(async (tx) => {
      const [company] = await insertRows(tx, 'company', [{ code: 'UK', name: 'Arus UK', legal_name: 'Arus Ltd', base_currency: 'GBP', default_trx_code: '04' }])
      await tx.run(sql`update operating_unit set company_id = ${company} where code = 'BDG'`)
      await insertRows(tx, 'house_bank', [{
        code: 'UKB', operating_unit_id: await id('operating_unit', 'BDG'), name: 'Bank', bank_id: await id('bank', 'BCA'), account_no: '7', account_name: 'Arus Ltd', gl_account_id: await id('account', '111201'), is_collection: true,
      }])
    })
    expect(await statement('UKB')).toMatchObject({ Currency: 'GBP' })
  })
})

describe('a festive assortment', () => {
  const dates = (month: string) => ({ OrderFrom: `2026-${month}-01`, OrderTo: `2026-${month}-20`, DeliverFrom: `2026-${month}-05`, DeliverTo: `2026-${month}-25` })
  const festive = async (Code: string, month: string) =>
    scene.create('admin', 'product-festive', { Code, Name: Code, Season: 'LEBARAN', ...dates(month), Lines: [{ ItemID: await id('item', 'A'), QuotaQty: '10' }] })

  it('does not move to days on which another one sells its items, nor is it taken up again there', async () => {
    await festive('LEBARAN-1', '03')
    const second = await festive('LEBARAN-2', '05')
    const moved = await change('product-festive', second, dates('03'))
    expect([moved.status, moved.data.errors]).toMatchObject([422, [{ field: 'Lines[0].ItemID', key: 'field.DUPLICATE.festive', params: { festive: 'LEBARAN-1' } }]])
    await scene.decide('product_festive', second.ID)
    expect((await change('product-festive', await scene.read('product-festive', second.ID), { IsActive: false })).status).toBe(200)
    // As if its new days had been approved meanwhile.
    await scene.database.run(sql`update product_festive set order_from = '2026-03-01', order_to = '2026-03-20', deliver_from = '2026-03-05', deliver_to = '2026-03-25' where id = ${second.ID}`)
    const again = await change('product-festive', await scene.read('product-festive', second.ID), { IsActive: true })
    expect([again.status, again.data.errors]).toMatchObject([422, [{ key: 'field.DUPLICATE.festive' }]])
  })

  it('sells an item in one of a season, also when two are entered at once', async () => {
    const item = await id('item', 'B')
    const answers = await Promise.all(['1', '2'].map((n) =>
      scene.people.admin.post('/api/v1/data/product-festive', { Code: `AT-ONCE-${n}`, Name: n, Season: 'LEBARAN', ...dates('09'), Lines: [{ ItemID: item, QuotaQty: '10' }] }, { key: scene.key() })))
    expect(answers.map(({ status, data }) => [status, data.errors?.[0]?.key]).toSorted()).toEqual([[200, undefined], [422, 'field.DUPLICATE.festive']])
  })
})

describe('an opening balance that is not posted yet', () => {
  it('is mended without being its own duplicate', async () => {
    await scene.database.run(sql`update setting_oms set value = 'true' where key = 'begbal_open'`)
    await scene.database.run(sql`update setting_oms set value = '"2026-10-31"' where key = 'cut_over_date'`)
    await scene.database.transaction((tx) => insertRows(tx, 'business_partner', [{ code: 'V-1', name: 'PT Sumber', kinds: ['PRINCIPAL'], ap_account_group: 'TRADE' }]))
    const body = { Section: 'AP', VendorID: await id('business_partner', 'V-1'), UnitID: await id('operating_unit', 'JKT'), DocNo: 'F-1', DocDate: '2026-10-01', DueDate: '2026-11-01', Remaining: '100' }
    const draft = await scene.create('admin', 'opening-balance', body)
    const mended = await change('opening-balance', draft, { Remaining: '110' })
    expect([mended.status, mended.message]).toEqual([200, expect.any(String)])
    const twin = await admin.post('/api/v1/data/opening-balance', body, { key: scene.key() })
    expect(twin.data.errors).toMatchObject([{ field: 'DocNo', key: 'field.DUPLICATE.opening' }])
  })
})

describe('a change of a master taken back', () => {
  it('never empties a field whose old value is out of use by now', async () => {
    await scene.database.transaction((tx) => insertRows(tx, 'pricing_group', [{ code: 'GOLD', name: 'Gold' }]))
    const made = await scene.create('admin', 'master-change', { EntityKind: 'CUSTOMER', Code: 'C0000001', FieldName: 'PricingGroupID', ValueBefore: 'SILVER', ValueAfter: 'GOLD' })
    await scene.database.run(sql`update pricing_group set is_active = false where code = 'SILVER'`)
    const back = await admin.delete(`/api/v1/data/master-change/${made.ID}`, { version: Number(made['Version']) })
    expect([back.status, back.data.key]).toEqual([409, 'problem.ILLEGAL_TRANSITION.old-value-gone'])
    expect(await scene.read('customer', await id('customer', 'C0000001'))).toMatchObject({ PricingGroupCode: 'GOLD' })
    await scene.database.run(sql`update pricing_group set is_active = true where code = 'SILVER'`)
    expect((await admin.delete(`/api/v1/data/master-change/${made.ID}`, { version: Number(made['Version']) })).status).toBe(200)
    expect(await scene.read('customer', await id('customer', 'C0000001'))).toMatchObject({ PricingGroupCode: 'SILVER' })
  })
})

describe('the days after which closing warns of unbilled deliveries', () => {
  it('are a setting that is offered, because closing asks for them', async () => {
    const { rows } = (await admin.get('/api/v1/data/setting-oms', { filter: JSON.stringify({ key: 'gin_unbilled_alert_days' }), columns: 'key,is_active,number' })).data
    expect(rows).toMatchObject([{ IsActive: true, Number: 3 }])
  })
})
