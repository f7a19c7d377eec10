import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { ident, sql } from '#server/db/sql.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { installReference } from '#server/seed/reference.ts'
import { isShipped } from '#server/seed/shipped.ts'
import { testDatabase } from '../support/database.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let arus: TestApp
let admin: Session
let sales: Session

beforeAll(async () => {
  arus = await testApp()
  ;[admin, sales] = await Promise.all([arus.signIn('admin'), arus.signIn('sales')])
})

async function made(resource: string, body: object) {
  const answer = await admin.post(`/api/v1/data/${resource}`, body)
  expect(answer, answer.message).toMatchObject({ status: 200 })
  return answer.data.record
}

/** What is wrong with a record, by field. */
async function refused(resource: string, body: object): Promise<Record<string, string>> {
  const answer = await admin.post(`/api/v1/data/${resource}`, body)
  expect(answer.status).toBe(422)
  return Object.fromEntries(answer.data.errors.map(({ field, key }: { field: string; key: string }) => [field, key]))
}

describe('what comes with the product', () => {
  it.each([
    'role', 'allocation-rule', 'approval-matrix', 'reason', 'write-off-parameter', 'promotion-type',
  ])('is not deleted, nor called otherwise, for each start would bring it back: %s', async (resource) => {
    const table = resource.replaceAll('-', '_')
    const before = await arus.database.rows<{ id: number; code: string; version: number }>(sql`select id, code, version from ${ident(table)} order by id`)
    const codes = async (): Promise<readonly string[]> => (await arus.database.rows<{ code: string }>(sql`select code from ${ident(table)} order by id`)).map(({ code }) => code)
    const shipped = before.find(({ code }) => isShipped(knownEntity(metadata, table), { code }))
    expect(shipped, 'a record of the product').toBeDefined()
    const { id = 0, version = 0 } = shipped ?? {}
    const answer = await admin.delete(`/api/v1/data/${resource}/${id}`, { version })
    expect(answer).toMatchObject({ status: 409, code: 'IN_USE' })
    expect((await admin.put(`/api/v1/data/${resource}/${id}`, { Code: 'OTHERWISE' }, { version })).data.errors).toMatchObject([{ field: 'Code', key: 'field.INVALID.shipped' }])
    await installReference(arus.database, arus.clock)
    expect(await codes()).toEqual(before.map(({ code }) => code))
  })

  it('says so where nothing else stands in the way, and goes out of use instead', async () => {
    const rounding = await arus.database.first<{ id: number; version: number }>(sql`select id, version from rounding_rule where doc_type = 'invoice' and currency = 'IDR'`)
    expect((await admin.delete(`/api/v1/data/rounding-rule/${rounding?.id}`, { version: rounding?.version ?? 0 })).data).toMatchObject({ key: 'problem.IN_USE.shipped' })
    const id = await arus.id('write_off_parameter', (await arus.database.first<{ code: string }>(sql`select code from write_off_parameter order by id`))?.code ?? '')
    expect((await admin.delete(`/api/v1/data/write-off-parameter/${id}`, { version: 1 })).data).toMatchObject({ key: 'problem.IN_USE.shipped' })
    expect((await admin.post('/api/v1/data/write-off-parameter/bulk/deactivate', { IDs: [id] })).data.results).toMatchObject([{ ok: true }])
    await installReference(arus.database, arus.clock)
    expect(await arus.database.first(sql`select is_active from write_off_parameter where id = ${id}`)).toEqual({ is_active: false })
    await admin.post('/api/v1/data/write-off-parameter/bulk/activate', { IDs: [id] })
  })

  it('is every master that the first start adds', async () => {
    const empty = await testDatabase()
    await installReference(empty, arus.clock)
    const left: string[] = []
    let known = 0
    // Settings refuse by themselves, menu and posting rules are the administrator's as soon as they are there.
    const others = ['menu', 'posting_rule', 'setting_oms']
    for (const entity of Object.values(metadata.entities).filter(({ id, base }) => base === 'master' && !others.includes(id))) {
      const rows = await empty.rows(sql`select * from ${ident(entity.id)}`)
      const own = rows.filter((row) => isShipped(entity, row)).length
      if (own < rows.length) left.push(`${entity.id} ${own}/${rows.length}`)
      known += own
    }
    expect(left).toEqual([])
    expect(known).toBeGreaterThan(100)
  })
})

describe('a master record', () => {
  it('is made, found, changed and deleted again, each step in its history', async () => {
    const record = await made('expense-type', { Code: 'E-UJI', Name: 'Biaya uji', Usage: 'CASH', AccountID: await arus.id('account', '615101') })
    expect(record).toMatchObject({ Code: 'E-UJI', IsActive: true, Version: 1, Actions: ['edit', 'deactivate', 'delete'] })
    const found = await admin.get('/api/v1/data/expense-type', { search: 'biaya uji', length: '5' })
    expect(found.data.rows.map((row: { Code: string }) => row.Code)).toEqual(['E-UJI'])
    expect((await admin.put(`/api/v1/data/expense-type/${record.ID}`, { Name: 'Biaya uji coba' }, { version: 1 })).data.record).toMatchObject({ Name: 'Biaya uji coba', Version: 2 })
    const history = (await admin.get(`/api/v1/data/expense-type/${record.ID}/history`)).data.records
    expect(history.map((entry: { Action: string }) => entry.Action)).toEqual(['edit', 'create'])
    const { results } = (await admin.post('/api/v1/data/expense-type/bulk/delete', { IDs: [record.ID], Versions: [2] })).data
    expect(results).toEqual([expect.objectContaining({ ID: record.ID, ok: true, text: 'E-UJI is deleted.' })])
    expect(await arus.database.first(sql`select 1 from expense_type where code = 'E-UJI'`)).toBeUndefined()
  })

  it('that is used is not deleted: the refusal says where it is used', async () => {
    const channel = await arus.id('sales_channel', 'GT')
    const { results } = (await admin.post('/api/v1/data/sales-channel/bulk/delete', { IDs: [channel] })).data
    const customers = await arus.database.first(sql`select count(*)::int as n from customer where sales_channel_id = ${channel}`)
    expect(results[0]).toMatchObject({ ok: false, code: 'IN_USE', key: 'problem.IN_USE.where' })
    expect(results[0].text).toContain(`Customer (${Number(customers?.['n'])})`)
    expect(results[0].text).toContain('Deactivate it instead')
    expect(await arus.database.first(sql`select is_active from sales_channel where id = ${channel}`)).toEqual({ is_active: true })
  })

  it('that is used is deactivated after a warning; it can no longer be chosen, and what has it keeps it', async () => {
    const term = await arus.database.first(sql`select payment_term_id as id from customer where code = 'C0000001'`)
    const id = Number(term?.['id'])
    const warned = (await admin.post('/api/v1/data/payment-term/bulk/deactivate', { IDs: [id] })).data.results[0]
    expect(warned).toMatchObject({ ok: false, warnings: [expect.objectContaining({ id: `used-payment_term-${id}`, key: 'warning.deactivate' })] })
    const done = (await admin.post('/api/v1/data/payment-term/bulk/deactivate', { IDs: [id] }, { acknowledge: [`used-payment_term-${id}`] })).data.results[0]
    expect(done.ok).toBe(true)
    const offered = (await admin.get('/api/v1/lookup/payment_term', { length: '100' })).data.records
    expect(offered.map((one: { ID: number }) => one.ID)).not.toContain(id)
    const customer = await arus.id('customer', 'C0000001')
    expect((await admin.get(`/api/v1/data/customer/${customer}`)).data.record.PaymentTermID).toBe(id)
    const back = (await admin.post('/api/v1/data/payment-term/bulk/activate', { IDs: [id] })).data.results[0]
    expect(back).toMatchObject({ ok: true })
  })

  it('is left alone by those who may only look, and by those who have not seen its last change', async () => {
    const category = await arus.database.first(sql`select id, version from customer_category order by id limit 1`)
    const ids = [Number(category?.['id'])]
    expect(await sales.post('/api/v1/data/customer-category/bulk/deactivate', { IDs: ids })).toMatchObject({ status: 403, code: 'FORBIDDEN_GUARD' })
    expect((await admin.post('/api/v1/data/customer-category/bulk/delete', { IDs: ids, Versions: [Number(category?.['version']) + 1] })).data.results).toEqual([expect.objectContaining({ ok: false, code: 'VERSION_CONFLICT' })])
    expect(await admin.post('/api/v1/data/customer-category/bulk/delete', { IDs: ids, Force: true })).toMatchObject({ status: 422 })
    expect(await admin.post('/api/v1/data/sales-order/bulk/deactivate', { IDs: [1] })).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('rules of entity files', () => {
  it('hold for days of one record', async () => {
    const account = await arus.id('account', '613101')
    const body = { Code: 'WO-X', Name: 'Uji', AccountID: account, ValidFrom: '2026-05-01', MaxAmountPerItem: '100', MaxTotal: '50' }
    expect(await refused('write-off-parameter', { ...body, ValidTo: '2026-04-30' })).toEqual({ ValidTo: 'rule.valid-range', MaxTotal: 'rule.total-above-item' })
    const record = await made('write-off-parameter', { ...body, MaxTotal: '100' })
    // Only the end is sent: it is held against the beginning that stands.
    const answer = await admin.put(`/api/v1/data/write-off-parameter/${record.ID}`, { ValidTo: '2026-04-30' }, { version: 1 })
    expect(answer.data.errors).toEqual([expect.objectContaining({ field: 'ValidTo', code: 'RULE', text: 'This day lies before the first day.' })])
  })

  it('hold for what a treatment means: rewards carry no VAT, a price cut is not withheld upon', async () => {
    const pph = await arus.id('tax_code', 'PPH23')
    const body = { Code: 'KLAIM-UJI', Name: 'Klaim uji', DebitAccountID: await arus.id('account', '611102') }
    expect(await refused('credit-note-promo-type', { ...body, Treatment: 'REWARD', HasPpn: true })).toEqual({ HasPpn: 'rule.reward-without-vat', Treatment: 'rule.withheld-by-what' })
    expect(await refused('credit-note-promo-type', { ...body, Treatment: 'PRICE_CUT', NeedsFaktur: true, PphCodeID: pph })).toEqual({ NeedsFaktur: 'rule.tax-invoice-with-vat', PphCodeID: 'rule.withheld-from-whom' })
    expect(await made('credit-note-promo-type', { ...body, Treatment: 'SERVICE', HasPpn: true, NeedsFaktur: true, PphCodeID: pph, PphRate: '2' })).toMatchObject({ Treatment: 'SERVICE', PphRate: '2.0000' })
    const kept = await arus.database.rows(sql`select p.code, t.code as claim_type, t.treatment from promotion_type p join credit_note_promo_type t on t.id = p.credit_note_promo_type_id order by p.code`)
    expect(kept).toEqual([{ code: 'NILAI', claim_type: 'KLAIM-HARGA', treatment: 'PRICE_CUT' }, { code: 'POTONGAN-P', claim_type: 'KLAIM-HARGA', treatment: 'PRICE_CUT' }])
  })

  it('hold for the sum of lines', async () => {
    const [item, part] = [await arus.id('item', 'A'), await arus.id('item', 'B')]
    const lines = (shares: readonly string[]) => shares.map((CostShare) => ({ ItemID: part, Qty: '1', CostShare }))
    const body = { Code: 'K-UJI', Name: 'Paket uji', ItemID: item, Kind: 'KIT', ValidFrom: '2026-01-01' }
    expect(await refused('combo', { ...body, Lines: lines(['60', '39.9999']) })).toEqual({ Lines: 'rule.shares' })
    expect(await refused('combo', body)).toEqual({ Lines: 'rule.shares' })
    const record = await made('combo', { ...body, Lines: lines(['60', '40']) })
    // Without lines in the request those that stand are added up.
    expect((await admin.put(`/api/v1/data/combo/${record.ID}`, { Name: 'Paket' }, { version: 1 })).status).toBe(200)
  })

  it('for periods are kept by the database: nobody is in a team twice at a time', async () => {
    const employee = await arus.database.first(sql`select id, operating_unit_id from employee order by id limit 1`)
    const team = await made('work-team', { Code: 'T-UJI', Name: 'Tim uji', OperatingUnitID: Number(employee?.['operating_unit_id']) })
    const member = (from: string, to: string | null) => admin.post('/api/v1/data/work-team-member', { WorkTeamID: team.ID, EmployeeID: Number(employee?.['id']), ValidFrom: from, ValidTo: to })
    expect((await member('2026-01-01', '2026-03-31')).status).toBe(200)
    expect(await member('2026-03-31', null)).toMatchObject({ code: 'DUPLICATE_DOCUMENT' })
    expect((await member('2026-04-01', null)).status).toBe(200)
  })

  it('of a team come from its unit; who is in it stays when the team moves', async () => {
    const [jkt, bdg] = [await arus.id('operating_unit', 'JKT'), await arus.id('operating_unit', 'BDG')]
    const employee = (number: string, unit: number) => made('employee', { WorkNumber: number, Name: number, OperatingUnitID: unit, Position: 'SALESMAN' })
    const [ours, theirs] = [await employee('TM-1', jkt), await employee('TM-2', bdg)]
    const team = await made('work-team', { Code: 'T-UNIT', Name: 'Tim unit', OperatingUnitID: jkt })
    const body = { WorkTeamID: team.ID, ValidFrom: '2026-01-01' }
    expect(await refused('work-team-member', { ...body, EmployeeID: theirs.ID })).toEqual({ EmployeeID: 'field.NOT_IN_SCOPE.team-unit' })
    const member = await made('work-team-member', { ...body, EmployeeID: ours.ID })
    expect(member.OperatingUnitID).toBe(jkt)
    expect((await admin.put(`/api/v1/data/work-team/${team.ID}`, { OperatingUnitID: bdg }, { version: 1 })).status).toBe(200)
    expect((await admin.put(`/api/v1/data/work-team-member/${member.ID}`, { ValidTo: '2026-12-31' }, { version: member.Version })).data.record).toMatchObject({ OperatingUnitID: bdg, ValidTo: '2026-12-31' })
  })
})
