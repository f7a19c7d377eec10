import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let arus: TestApp
let admin: Session
let credit: Session
let finance: Session
let sales: Session
let customer: number
let longer: number

beforeAll(async () => {
  arus = await testApp()
  ;[admin, credit, finance, sales] = await Promise.all([arus.signIn('admin'), arus.signIn('credit'), arus.signIn('finance'), arus.signIn('sales')])
  longer = (await admin.post('/api/v1/data/payment-term', { Code: 'N60', Name: '60 days', NetDays: 60, Baseline: 'INVOICE' })).data.record.ID
})

// Each test has a customer of its own.
beforeEach(async () => {
  const [row] = await arus.database.rows<{ id: number }>(sql`
    insert into customer (code, name, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, status, created_at, updated_at)
    select 'K' || (select count(*) from customer), 'Toko Lama', customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, 1, created_at, updated_at
    from customer where code = 'C0000001' returning id`)
  customer = Number(row?.id)
})

const read = async (id = customer) => (await admin.get(`/api/v1/data/customer/${id}`)).data.record
const save = async (body: object, session = admin) => session.put(`/api/v1/data/customer/${customer}`, body, { version: (await read()).Version })
const queue = async (state = 'waiting', session = credit) =>
  (await session.get('/api/v1/approval/customer/change', { state, columns: 'name,payment_term_id', length: '100' })).data.rows.filter((row: { DocID: number }) => row.DocID === customer)
const decide = (id: number, decision: string, session = credit, body: object = {}) => session.post(`/api/v1/approval/${id}/${decision}`, body)
const actions = async () => (await admin.get(`/api/v1/data/customer/${customer}/history`)).data.records.map((entry: { Action: string }) => entry.Action)

/** Nobody is named who would decide; what happens then the company has settled. */
async function withoutApprovers(work: (setDefault: (value: unknown) => Promise<unknown>) => Promise<void>): Promise<void> {
  const rules = (await arus.database.rows<{ id: number }>(sql`select id from approval_matrix where doc_type = 'customer'`)).map(({ id }) => id)
  const key = await arus.database.first<{ value: unknown }>(sql`select value from setting_oms where key = 'approval_default' and operating_unit_id is null`)
  const setDefault = (value: unknown) => arus.database.run(sql`update setting_oms set value = ${JSON.stringify(value)}::jsonb where key = 'approval_default' and operating_unit_id is null`)
  // Customers of other tests may still wait by these rules.
  const answer = await admin.post('/api/v1/data/approval-matrix/bulk/deactivate', { IDs: rules }, { acknowledge: rules.map((id) => `relied-approval_step-matrix-${id}`) })
  expect(answer.data.results.map(({ ok }: { ok: boolean }) => ok)).toEqual(rules.map(() => true))
  try {
    await work(setDefault)
  } finally {
    await setDefault(key?.value)
    await admin.post('/api/v1/data/approval-matrix/bulk/activate', { IDs: rules })
  }
}

describe('a field that is changed through approval', () => {
  it('keeps its value while the others are saved at once; the request shows old and new', async () => {
    const saved = await save({ Name: 'Toko Baru', Phone: '021 1' })
    expect(saved.data.record).toMatchObject({ Name: 'Toko Lama', Phone: '021 1' })
    expect(saved.data.record.Proposed).toMatchObject({ IsMine: true, IsNew: false, Changes: [{ Field: 'name', Label: expect.stringMatching(/name$/), From: { text: 'Toko Lama' }, To: { text: 'Toko Baru' } }] })
    const [asked] = (await admin.get(`/api/v1/data/customer/${customer}/history`)).data.records.filter((entry: { Action: string }) => entry.Action === 'ask-change')
    expect(asked).toMatchObject({ ActorName: 'admin', Diff: [{ Field: 'name', From: 'Toko Lama', To: 'Toko Baru' }] })
    const [row] = await queue()
    expect(row).toMatchObject({ CanDecide: true, RequestedByName: 'admin', MaxLevel: 1, Document: { Name: 'Toko Lama' }, Reasons: [expect.objectContaining({ code: 'NAME', text: 'Name: Toko Lama → Toko Baru' })] })
    expect((await credit.get(`/api/v1/approval/request/${row.ID}`)).data.Changes).toEqual(saved.data.record.Proposed.Changes)
  })

  it('gets its new value with the last approval, and the history says by whom', async () => {
    await save({ PaymentTermID: longer })
    const [row] = await queue()
    expect(row).toMatchObject({ MaxLevel: 2 })
    expect((await decide(row.ID, 'approve')).data).toMatchObject({ isFinal: false })
    expect((await read()).PaymentTermCode).toBe('N30')
    expect((await decide(row.ID, 'approve', finance)).data).toMatchObject({ isFinal: true })
    expect(await read()).toMatchObject({ PaymentTermCode: 'N60', Proposed: null })
    const [latest] = (await admin.get(`/api/v1/data/customer/${customer}/history`)).data.records
    expect(latest).toMatchObject({ Action: 'change', ActorName: 'finance', Diff: [expect.objectContaining({ Field: 'payment_term_id' })] })
  })

  it('is never decided by who asked, nor by who may not', async () => {
    await save({ Name: 'Sendiri' })
    const [row] = await queue()
    expect(await decide(row.ID, 'approve', admin)).toMatchObject({ code: 'SELF_APPROVAL' })
    expect(await decide(row.ID, 'approve', sales)).toMatchObject({ code: 'FORBIDDEN_GUARD' })
    expect((await read()).Name).toBe('Toko Lama')
  })

  it('stays as it is when the request is rejected or returned', async () => {
    await save({ Name: 'Ditolak' })
    expect((await decide((await queue())[0].ID, 'reject', credit, { Note: 'No deed' })).status).toBe(200)
    expect(await read()).toMatchObject({ Name: 'Toko Lama', Status: 1, Proposed: null })
    await save({ Name: 'Dikembalikan' })
    expect((await decide((await queue())[0].ID, 'return', credit, { Note: 'Which deed?' })).status).toBe(200)
    expect(await read()).toMatchObject({ Name: 'Toko Lama', Proposed: null })
    expect((await actions()).slice(0, 2)).toEqual(['return-change', 'ask-change'])
  })

  it('whose value has moved on since is not approved: the request is out of date', async () => {
    await save({ Name: 'Terlambat' })
    const [row] = await queue()
    await arus.database.run(sql`update customer set name = 'Toko Lain', version = version + 1 where id = ${customer}`)
    expect(await decide(row.ID, 'approve')).toMatchObject({ code: 'VERSION_CONFLICT', message: expect.stringContaining('Name has changed since') })
    expect((await read()).Name).toBe('Toko Lain')
    expect(await queue()).toHaveLength(1)
  })

  it('is asked for once at a time; who asked may take it back, nobody else', async () => {
    await save({ Name: 'Pertama' })
    const second = await save({ Name: 'Kedua', Phone: '021 2' })
    expect(second).toMatchObject({ status: 422, data: { errors: [expect.objectContaining({ field: 'Name', code: 'PENDING_CHANGE' })] } })
    expect((await read()).Phone).not.toBe('021 2')
    expect((await save({ Name: 'Toko Lama', Phone: '021 3' })).data.record.Phone).toBe('021 3')
    const [row] = await queue()
    expect(await decide(row.ID, 'withdraw', finance)).toMatchObject({ code: 'NOT_IN_SCOPE' })
    expect(await decide(row.ID, 'withdraw', admin, { Force: true })).toMatchObject({ status: 422 })
    expect((await decide(row.ID, 'withdraw', admin)).status).toBe(200)
    expect(await decide(row.ID, 'approve')).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
    expect((await save({ Name: 'Kedua' })).data.record.Proposed).toMatchObject({ Changes: [expect.objectContaining({ To: { text: 'Kedua' } })] })
  })

  it('joins what its maker has asked for already, as long as nobody has spoken about it', async () => {
    await save({ Name: 'Toko Gabung' })
    const [first] = await queue()
    expect((await save({ PaymentTermID: longer })).data.record.Proposed.Changes.map(({ Field }: { Field: string }) => Field)).toEqual(['name', 'payment_term_id'])
    const [row, ...more] = await queue()
    expect(more).toEqual([])
    expect(row.Reasons.map(({ code }: { code: string }) => code)).toEqual(['NAME', 'PAYMENT_TERM'])
    expect(await decide(first.ID, 'approve')).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
    await decide(row.ID, 'approve')
    // One level has approved: what it has seen is what it is.
    expect(await save({ Name: 'Toko Lain Lagi' })).toMatchObject({ status: 422, data: { errors: [expect.objectContaining({ code: 'PENDING_CHANGE' })] } })
    await decide(row.ID, 'approve', finance)
    expect(await read()).toMatchObject({ Name: 'Toko Gabung', PaymentTermCode: 'N60', Proposed: null })
  })

  it('does not join what somebody else has asked for', async () => {
    await save({ Name: 'Toko Admin' })
    await arus.database.run(sql`update approval_request set requested_by = (select id from app_user where email like 'finance@%') where doc_id = ${customer} and doc_type = 'customer'`)
    expect(await save({ PaymentTermID: longer })).toMatchObject({ status: 422, data: { errors: [expect.objectContaining({ field: 'PaymentTermID', code: 'PENDING_CHANGE' })] } })
  })

  it('is held against the rules again when it is approved: what no longer fits is refused with the reason, and nothing is written', async () => {
    const brief = (await admin.post('/api/v1/data/payment-term', { Code: 'N45', Name: '45 days', NetDays: 45, Baseline: 'INVOICE' })).data.record
    await save({ Name: 'Toko Telat', PaymentTermID: brief.ID })
    const [row] = await queue()
    await decide(row.ID, 'approve')
    expect((await admin.post('/api/v1/data/payment-term/bulk/deactivate', { IDs: [brief.ID] })).data.results[0]).toMatchObject({ ok: true })
    const refused = await decide(row.ID, 'approve', finance)
    expect(refused).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', message: expect.stringContaining('Payment term: This record is no longer active.') })
    expect(await read()).toMatchObject({ Name: 'Toko Lama', PaymentTermCode: 'N30', Proposed: { IsMine: true } })
    expect((await decide(row.ID, 'reject', finance, { Note: 'The term is gone' })).status).toBe(200)
    await admin.post('/api/v1/data/payment-term/bulk/delete', { IDs: [brief.ID] })
  })

  it('is checked before it is asked for', async () => {
    expect(await save({ PaymentTermID: 999_999 })).toMatchObject({ status: 422, data: { errors: [expect.objectContaining({ field: 'PaymentTermID' })] } })
    expect(await save({ Name: '' })).toMatchObject({ status: 422 })
    expect(await queue()).toEqual([])
  })

  it('without anybody to ask is refused, or counts at once where the company says so', async () => {
    await withoutApprovers(async (setDefault) => {
      await setDefault({ '*': 'BLOCK' })
      expect(await save({ Name: 'Tanpa aturan' })).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
      expect((await read()).Name).toBe('Toko Lama')
      await setDefault({ '*': 'BLOCK', customer: 'AUTO' })
      expect((await save({ Name: 'Langsung' })).data.record).toMatchObject({ Name: 'Langsung', Proposed: null })
    })
  })
})

describe('a new customer', () => {
  const create = async (session = admin) => {
    const { CustomerCategoryID, SalesChannelID, PaymentTermID, OperatingUnitID, TerritoryID } = await read()
    const answer = await session.post('/api/v1/data/customer', { Name: 'Toko Anyar', CustomerCategoryID, SalesChannelID, PaymentTermID, OperatingUnitID, TerritoryID })
    customer = answer.data.record.ID
    return answer.data.record
  }

  it('waits as a whole, does not order, and counts once somebody else has approved him', async () => {
    expect(await create()).toMatchObject({ Status: 4, Version: 1, Proposed: { IsNew: true } })
    const [row] = await queue()
    expect(row.Reasons[0]).toMatchObject({ code: 'NEW' })
    const order = await admin.post('/api/v1/data/sales-order', { CustomerID: customer, WarehouseID: await arus.id('warehouse', 'WJKT'), RequestedDate: '2026-11-21', Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '1' }] })
    const refused = await admin.post(`/api/v1/data/sales-order/${order.data.record?.ID}/submit`, {})
    expect(refused).toMatchObject({ code: 'CREDIT_BLOCKED', message: expect.stringContaining('not approved yet') })
    expect((await decide(row.ID, 'approve')).data).toMatchObject({ isFinal: true })
    expect(await read()).toMatchObject({ Status: 1, Proposed: null })
  })

  it('is not decided by who has changed him, or an address of his, while he waited', async () => {
    await create()
    const [asked] = await queue()
    expect(asked.CanDecide).toBe(true)
    const guards = await arus.database.rows<{ id: number }>(sql`select role_id as id from app_user where email = 'credit@arus.example'`)
    await arus.database.run(sql`insert into role_permission (role_id, guard_name) select ${guards[0]?.id ?? 0}, g from unnest(array['customer-edit', 'customer-address-edit', 'customer-address-create']) g on conflict do nothing`)
    const editor = await arus.signIn('credit')
    expect((await save({ Phone: '021 9' }, editor)).status).toBe(200)
    const [row] = await queue()
    expect([row.CanDecide, await decide(row.ID, 'approve')]).toMatchObject([false, { code: 'SELF_APPROVAL' }])
    expect((await decide(row.ID, 'approve', finance)).status).not.toBe(500)
    await create()
    const answer = await editor.post('/api/v1/data/customer-address', { CustomerID: customer, Code: 'SHIP-9', Kind: 'SHIP_TO', Address: 'Jl. Baru 1', IsActive: true })
    expect([answer.status, answer.message]).toMatchObject([200, expect.any(String)])
    const [other] = await queue()
    expect([other.CanDecide, await decide(other.ID, 'approve')]).toMatchObject([false, { code: 'SELF_APPROVAL' }])
  })

  it('whose master has been put out of use meanwhile is not approved', async () => {
    const channel = (await admin.post('/api/v1/data/sales-channel', { Code: 'UJI-C', Name: 'Uji' })).data.record
    const { CustomerCategoryID, PaymentTermID, OperatingUnitID, TerritoryID } = await read()
    customer = (await admin.post('/api/v1/data/customer', { Name: 'Toko Kanal', CustomerCategoryID, SalesChannelID: channel.ID, PaymentTermID, OperatingUnitID, TerritoryID })).data.record.ID
    const [row] = await queue()
    await admin.post('/api/v1/data/sales-channel/bulk/deactivate', { IDs: [channel.ID] }, { acknowledge: [`used-sales_channel-${channel.ID}`] })
    expect(await decide(row.ID, 'approve')).toMatchObject({ status: 422, message: expect.stringContaining('Sales channel: This record is no longer active.') })
    expect(await read()).toMatchObject({ Status: 4 })
  })

  it('that is rejected is a draft, and is asked for again with its next saving', async () => {
    await create()
    await decide((await queue())[0].ID, 'reject', credit, { Note: 'NPWP is missing' })
    expect(await read()).toMatchObject({ Status: 0, Proposed: null })
    expect((await save({ Name: 'Toko Anyar Jaya', Npwp: '0012345678901000' })).data.record).toMatchObject({ Status: 4, Name: 'Toko Anyar Jaya', Proposed: { IsNew: true } })
    await decide((await queue())[0].ID, 'approve')
    expect((await read()).Status).toBe(1)
  })

  it('that was rejected counts with its next saving where nobody need be asked any more', async () => {
    await create()
    await decide((await queue())[0].ID, 'reject', credit, { Note: 'NPWP is missing' })
    await withoutApprovers(async (setDefault) => {
      await setDefault({ '*': 'BLOCK', customer: 'AUTO' })
      expect((await save({ Npwp: '0012345678901000' })).data.record).toMatchObject({ Status: 1, Proposed: null })
    })
  })

  it('that is deleted leaves nothing to decide', async () => {
    const { Version } = await create()
    const [row] = await queue()
    expect((await admin.delete(`/api/v1/data/customer/${customer}`, { version: Version })).status).toBe(200)
    expect(await decide(row.ID, 'approve')).toMatchObject({ code: 'ILLEGAL_TRANSITION' })
  })
})
