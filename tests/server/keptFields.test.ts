import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { sql } from '#server/db/sql.ts'
import type { Session } from '../support/app.ts'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
let admin: Session

beforeAll(async () => {
  scene = await openScene()
  ;({ admin } = scene.people)
  const invoice = await scene.invoiced('C0000001', [{ item: 'A', qty: '10' }])
  await scene.pay('C0000001', invoice.Total, [{ InvoiceID: invoice.ID, Paid: invoice.Total }])
}, 60_000)

async function change(resource: string, record: number, values: object) {
  const { Version: version } = (await admin.get(`/api/v1/data/${resource}/${record}`)).data.record
  return admin.put(`/api/v1/data/${resource}/${record}`, values, { version })
}

const idOf = async (query: ReturnType<typeof sql>): Promise<number> => (await scene.at.database.first<{ id: number }>(query))?.id ?? 0
const stays = (field: string) => ({ status: 422, data: { errors: [{ field, code: 'READ_ONLY', key: 'field.READ_ONLY.used' }] } })

describe('what has been counted or booked by stays as it is', () => {
  it('the unit an item is counted in', async () => {
    const item = await scene.at.id('item', 'A')
    const refused = await change('item', item, { BaseUom: 'BOX' })
    expect(refused).toMatchObject(stays('BaseUom'))
    expect(refused.data.errors[0].text).toContain('Stock movement')
    expect(await change('item', item, { IsBatch: true })).toMatchObject(stays('IsBatch'))
    // Everything else of it, and sent as it is, may be saved.
    const { BaseUom } = (await admin.get(`/api/v1/data/item/${item}`)).data.record
    expect(await change('item', item, { BaseUom, ShortName: 'A short' })).toMatchObject({ status: 200 })
  })

  it('until then it can be put right', async () => {
    const made = (await admin.post('/api/v1/data/item', { Code: 'NEW-1', Name: 'New', BaseUom: 'PCS', SalesUom: 'PCS', TaxCodeID: await scene.at.id('tax_code', 'PPN04') })).data.record
    expect(await change('item', made.ID, { BaseUom: 'BOX', SalesUom: 'BOX' })).toMatchObject({ status: 200 })
  })

  it('unit and kind of stock of a warehouse', async () => {
    const used = await idOf(sql`select warehouse_id as id from stock_movement limit 1`)
    const other = await idOf(sql`select id from operating_unit where id <> (select operating_unit_id from warehouse where id = ${used}) limit 1`)
    expect(await change('warehouse', used, { OperatingUnitID: other })).toMatchObject(stays('OperatingUnitID'))
    expect(await change('warehouse', used, { StockClass: 'RETURN' })).toMatchObject(stays('StockClass'))
  })

  it('what an account is', async () => {
    const account = await scene.at.id('account', '411101')
    expect(await change('account', account, { Type: 'EXPENSE' })).toMatchObject(stays('Type'))
    expect(await change('account', account, { Normal: 'D' })).toMatchObject(stays('Normal'))
    expect(await change('account', account, { IsControl: true })).toMatchObject(stays('IsControl'))
  })

  it('unit and account of a bank and of a cash desk', async () => {
    const payment = await scene.at.database.first<{ cash: number | null; bank: number | null }>(sql`select cash_account_id as cash, house_bank_id as bank from ar_payment order by id desc limit 1`)
    const [resource, id] = payment?.bank == null ? (['cash-account', payment?.cash ?? 0] as const) : (['house-bank', payment.bank] as const)
    const { OperatingUnitID: unit } = (await admin.get(`/api/v1/data/${resource}/${id}`)).data.record
    expect(await change(resource, id, { OperatingUnitID: await idOf(sql`select id from operating_unit where id <> ${unit} limit 1`) })).toMatchObject(stays('OperatingUnitID'))
    expect(await change(resource, id, { GlAccountID: await scene.at.id('account', '411101') })).toMatchObject(stays('GlAccountID'))
  })

  it('the unit of a territory, the company of a unit', async () => {
    const home = await scene.at.database.first<{ territory_id: number; operating_unit_id: number }>(sql`select territory_id, operating_unit_id from invoice limit 1`)
    const other = await idOf(sql`select id from operating_unit where id <> ${home?.operating_unit_id} limit 1`)
    expect(await change('territory', home?.territory_id ?? 0, { OperatingUnitID: other })).toMatchObject(stays('OperatingUnitID'))
    const company = await admin.post('/api/v1/data/company', { Code: 'OTHER', Name: 'Another company', LegalName: 'PT Another' })
    expect(company, company.message).toMatchObject({ status: 200 })
    expect(await change('operating-unit', home?.operating_unit_id ?? 0, { CompanyID: company.data.record.ID })).toMatchObject(stays('CompanyID'))
  })

  it('rate and basis of a tax that orders and invoices bear', async () => {
    const used = await scene.at.id('tax_code', 'PPN04')
    for (const [field, value] of [['Rate', '11'], ['BaseNumerator', 10], ['BaseDenominator', 11], ['Kind', 'PPN_IN']] as const) expect(await change('tax-code', used, { [field]: value })).toMatchObject(stays(field))
    const { Rate, Kind } = (await admin.get(`/api/v1/data/tax-code/${used}`)).data.record
    expect(await change('tax-code', used, { Rate, Kind, Name: 'VAT' })).toMatchObject({ status: 200 })
    // Goods that name none bear the ordinary one; of another code nothing is sold yet.
    const made = (await admin.post('/api/v1/data/tax-code', { Code: 'PPN05', Name: 'Next', Kind: 'PPN_OUT', Rate: '12', BaseNumerator: 11, BaseDenominator: 12, ValidFrom: '2027-01-01' })).data.record
    expect(await change('tax-code', made.ID, { Rate: '13', Kind: 'PPN_IN' })).toMatchObject({ status: 200 })
    await scene.database.run(sql`update item set tax_code_id = null where code = 'A'`)
    expect(await change('tax-code', used, { Rate: '11' })).toMatchObject(stays('Rate'))
  })

  it('names only entities that refer to it', () => {
    for (const entity of Object.values(metadata.entities)) {
      for (const name of new Set(Object.values(entity.keptOnce ?? {}).flat())) {
        expect([entity.id, name, metadata.entities[name]?.fields.some((field) => field.entity === entity.id)]).toEqual([entity.id, name, true])
      }
    }
  })
})

describe('numbers of an item', () => {
  it('are none that would divide by nothing or be less than nothing', async () => {
    const item = await scene.at.id('item', 'A')
    for (const [field, value] of [['PackQty', '0'], ['PackQty', '-1'], ['WeightKg', '-1'], ['VolumeM3', '-1'], ['ShelfLifeDays', -1], ['StandardCost', '-5']] as const) {
      expect(await change('item', item, { [field]: value })).toMatchObject({ status: 422, data: { errors: [{ field, code: 'TOO_SMALL' }] } })
    }
    expect(await admin.post('/api/v1/data/item-uom', { ItemID: item, Uom: 'BAL', Factor: '0' })).toMatchObject({ status: 422, data: { errors: [{ field: 'Factor', code: 'TOO_SMALL' }] } })
  })
})

describe('units of an item', () => {
  it('say of the unit it is sold in what the item says', async () => {
    const tax = await scene.at.id('tax_code', 'PPN04')
    const item = (await admin.post('/api/v1/data/item', { Code: 'UNITS', Name: 'Units', BaseUom: 'PCS', SalesUom: 'CTN', PackQty: '24', TaxCodeID: tax })).data.record.ID
    const unit = (Uom: string, Factor: string) => admin.post('/api/v1/data/item-uom', { ItemID: item, Uom, Factor })
    const refused = (field: string, text: string) => ({ status: 422, data: { errors: [{ field, key: 'field.INVALID.unit-factor', text }] } })
    expect(await unit('CTN', '12')).toMatchObject(refused('Factor', 'One CTN of this item is 24 PCS.'))
    expect(await unit('PCS', '2')).toMatchObject(refused('Factor', 'One PCS of this item is 1 PCS.'))
    const carton = await unit('CTN', '24')
    expect(carton).toMatchObject({ status: 200 })
    expect(await unit('BOX', '12')).toMatchObject({ status: 200 })
    expect(await change('item-uom', carton.data.record.ID, { Factor: '20' })).toMatchObject(refused('Factor', 'One CTN of this item is 24 PCS.'))
    expect(await change('item', item, { PackQty: '20' })).toMatchObject(refused('PackQty', 'One CTN of this item is 24 PCS.'))
    expect(await change('item', item, { BaseUom: 'BOX' })).toMatchObject(refused('BaseUom', 'One BOX of this item is 12 BOX.'))
    expect(await change('item', item, { SalesUom: 'KARTON' })).toMatchObject({ status: 422, data: { errors: [{ field: 'SalesUom', key: 'field.NOT_A_CHOICE.uom' }] } })
    expect(await change('item', item, { SalesUom: 'BOX', PackQty: '12' })).toMatchObject({ status: 200 })
    expect(await change('item', item, { Name: 'Units of many sizes' })).toMatchObject({ status: 200 })
  })
})

describe('numbers and days of limits', () => {
  it('are none below nothing, and no limit ends before it begins', async () => {
    const limit = await idOf(sql`select id from credit_limit limit 1`)
    for (const [field, value] of [['OverdueGraceDays', -5], ['MaxOverdueAmount', '-1'], ['MaxOpenInvoices', -1]] as const) {
      expect(await change('credit-limit', limit, { [field]: value })).toMatchObject({ status: 422, data: { errors: [{ field, code: 'TOO_SMALL' }] } })
    }
    expect(await change('credit-limit', limit, { ValidTo: '1990-01-01' })).toMatchObject({ status: 422, data: { errors: [{ field: 'ValidTo', key: 'rule.valid-range' }] } })
    expect(await change('approval-matrix', await idOf(sql`select id from approval_matrix limit 1`), { MinAmount: '-5' })).toMatchObject({ status: 422, data: { errors: [{ field: 'MinAmount', code: 'TOO_SMALL' }] } })
  })
})

describe('an account', () => {
  it('takes postings as long as a bank, a cash desk or a tax code books on it', async () => {
    for (const [table, column] of [['house_bank', 'gl_account_id'], ['cash_account', 'gl_account_id'], ['tax_code', 'account_id']] as const) {
      const row = await scene.at.database.first<{ account: number; code: string }>(
        table === 'tax_code'
          ? sql`select account_id as account, code from tax_code where account_id is not null and is_active order by id limit 1`
          : sql`select gl_account_id as account, code from ${table === 'house_bank' ? sql`house_bank` : sql`cash_account`} where is_active order by id limit 1`,
      )
      const refused = await change('account', row?.account ?? 0, { IsPostable: false })
      expect([table, column, refused.code]).toEqual([table, column, 'IN_USE'])
      expect(refused.data.obstacles.map(({ text }: { readonly text: string }) => text).join()).toContain(row?.code)
    }
  })
})
