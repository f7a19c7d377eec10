import { beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { plainRegistries } from '../support/registries.ts'

let arus: TestApp
let admin: Session
let sales: Session
let bandung: Session

const orders = '/api/v1/data/sales-order'
const json = (value: unknown): string => JSON.stringify(value)

beforeAll(async () => {
  arus = await testApp({ registries: plainRegistries() })
  ;[admin, sales, bandung] = await Promise.all(['admin', 'sales', 'sales.bdg'].map((name) => arus.signIn(name)) as [Promise<Session>, Promise<Session>, Promise<Session>])
  const id = (table: string, code: string) => arus.id(table, code)
  const [makmur, sejahtera, bdg] = await Promise.all(['C0000001', 'C0000002', 'C0000003'].map((code) => id('customer', code)))
  const [jkt, west, north] = [await id('operating_unit', 'JKT'), await id('operating_unit', 'BDG'), await id('territory', 'JKT-N')]
  const order = (code: string, customer: number | undefined, date: string, status: number, total: string, currency = 'IDR', unit = jkt, territory = north) => ({
    code, customer_id: customer, doc_date: date, status, total, currency, operating_unit_id: unit, territory_id: territory, order_type: 'REG', stage: 'ENTRY',
  })
  await arus.database.transaction(async (tx) =>
    insertRows(tx, 'sales_order', [
      order('SO-1', makmur, '2026-10-02', 1, '100.00'),
      order('SO-2', makmur, '2026-10-20', 1, '250.50'),
      order('SO-3', sejahtera, '2026-11-03', 2, '40.00'),
      order('SO-4', sejahtera, '2026-11-04', 2, '10.00', 'USD'),
      order('SO-5', makmur, '2026-11-05', 0, '5.25', 'USD'),
      order('SO-6', bdg, '2026-11-06', 1, '999.00', 'IDR', west, await id('territory', 'BDG-W')),
    ]),
  )
})

describe('groups', () => {
  it('have count and sums over the whole filter, in the order of their value', async () => {
    const { data } = await admin.get(`${orders}/groups`, { by: 'customer_id', totals: 'total', filter: json({ currency: 'IDR' }) })
    expect(data.groupsTotal).toBe(3)
    expect(data.groups.map((group: { record: { CustomerCode: string; CustomerName: string }; count: number; totals: object }) => [group.record.CustomerCode, group.record.CustomerName, group.count, group.totals])).toEqual([
      ['C0000003', 'Toko Bandung', 1, { total: '999.00' }],
      ['C0000001', 'Toko Makmur', 2, { total: '350.50' }],
      ['C0000002', 'Toko Sejahtera', 1, { total: '40.00' }],
    ])
  })

  it('never add up amounts of two currencies', async () => {
    const { data } = await admin.get(`${orders}/groups`, { by: 'status', totals: 'total' })
    expect(data.groups).toEqual([
      { value: 0, record: { Status: 0 }, count: 1, totals: { total: '5.25' } },
      { value: 1, record: { Status: 1 }, count: 3, totals: { total: '1349.50' } },
      {
        value: 2, record: { Status: 2 }, count: 2, totals: {},
        currencies: [{ currency: 'IDR', count: 1, totals: { total: '40.00' } }, { currency: 'USD', count: 1, totals: { total: '10.00' } }],
      },
    ])
  })

  it('put days of a month together, and stand by sum or count when asked', async () => {
    const months = await admin.get(`${orders}/groups`, { by: 'doc_date:month', sort: 'desc' })
    expect(months.data.groups.map((group: { value: string; count: number }) => [group.value, group.count])).toEqual([['2026-11-01', 4], ['2026-10-01', 2]])
    const dearest = await admin.get(`${orders}/groups`, { by: 'customer_id', totals: 'total', order: 'total', sort: 'desc', filter: json({ currency: 'IDR' }), length: 1 })
    expect(dearest.data).toMatchObject({ groupsTotal: 3, groups: [{ record: { CustomerCode: 'C0000003' } }] })
    const most = await admin.get(`${orders}/groups`, { by: 'customer_id', order: 'count', sort: 'desc', length: 1, page: 2 })
    expect(most.data.groups).toHaveLength(1)
  })

  it('by a sum of money stand within their currency, the usual one first: amounts of two are never compared', async () => {
    for (const [sort, order] of [['asc', [2, 1, 0]], ['desc', [1, 2, 0]]] as const) {
      const { data } = await admin.get(`${orders}/groups`, { by: 'status', totals: 'total', order: 'total', sort })
      expect([sort, data.groups.map((group: { value: number }) => group.value)]).toEqual([sort, order])
    }
  })

  it('keep to the scope, the search and what can be grouped', async () => {
    const { data } = await bandung.get(`${orders}/groups`, { by: 'customer_id' })
    expect(data.groups.map((group: { record: { CustomerCode: string } }) => group.record.CustomerCode)).toEqual(['C0000003'])
    expect((await admin.get(`${orders}/groups`, { by: 'customer_id', search: 'sejah', columns: 'customer_id' })).data.groups).toHaveLength(1)
    for (const by of ['block_codes', 'note', 'id', 'nonsense', 'status:month', 'doc_date:week', 'credit_snapshot']) expect((await admin.get(`${orders}/groups`, { by })).code).toBe('VALIDATION_FAILED')
    expect((await admin.get(`${orders}/groups`)).data.errors).toEqual([expect.objectContaining({ field: 'by', code: 'REQUIRED' })])
  })
})

describe('totals', () => {
  it('of one currency are one sum, of several one for each', async () => {
    const one = await admin.get(orders, { totals: 'total', filter: json({ currency: 'IDR' }) })
    expect(one.data).toMatchObject({ totals: { total: '1389.50' }, recordsTotal: 4 })
    expect(one.data.currencies).toBeUndefined()
    const both = await admin.get(orders, { totals: 'total', length: 1 })
    expect(both.data).toMatchObject({
      recordsTotal: 6, totals: {},
      currencies: [{ currency: 'IDR', count: 4, totals: { total: '1389.50' } }, { currency: 'USD', count: 2, totals: { total: '15.25' } }],
    })
  })
})

describe('amounts whose record has no currency of its own', () => {
  beforeAll(async () => {
    const jkt = await arus.id('operating_unit', 'JKT')
    await arus.database.transaction(async (tx) => {
      await tx.run(sql`insert into company select (jsonb_populate_record(c, '{"id": 9001, "code": "SGP", "base_currency": "SGD"}')).* from company c order by id limit 1`)
      await tx.run(sql`insert into operating_unit select (jsonb_populate_record(u, '{"id": 9001, "code": "SIN", "company_id": 9001}')).* from operating_unit u where id = ${jkt}`)
      const target = (code: string, unit: number, amount: string) => ({ code, name: code, operating_unit_id: unit, valid_from: '2026-10-01', valid_to: '2026-10-31', amount })
      await insertRows(tx, 'sales_target', [target('T-1', jkt, '100.00'), target('T-2', jkt, '20.50'), target('T-3', 9001, '7.00')])
    })
  })

  it('are added up within the currency their record leads to: in totals, in groups, in files', async () => {
    const targets = '/api/v1/data/sales-target'
    const currencies = [{ currency: 'IDR', count: 2, totals: { amount: '120.50' } }, { currency: 'SGD', count: 1, totals: { amount: '7.00' } }]
    expect((await admin.get(targets, { totals: 'amount', length: 1 })).data).toMatchObject({ totals: {}, currencies })
    expect((await admin.get(`${targets}/groups`, { by: 'level', totals: 'amount' })).data.groups).toMatchObject([{ totals: {}, currencies }])
    expect((await admin.get(targets, { columns: 'code,currency', order: 'code', sort: 'asc', filter: json({ currency: 'SGD' }) })).data.rows).toMatchObject([{ Code: 'T-3', Currency: 'SGD' }])
    const file = await arus.app.inject({ method: 'POST', url: '/api/v1/export', headers: { authorization: `Bearer ${admin.token}` }, payload: { screen: 'sales-target.list', format: 'csv', language: 'en', columns: [{ name: 'code' }, { name: 'amount' }], hasTotals: true } })
    expect(file.body).toContain('SGD')
    expect(file.body).not.toContain('127.5')
  })

  it('are not added up at all where nothing says in which currency they are', async () => {
    expect((await admin.get('/api/v1/data/approval-matrix', { totals: 'min_amount' })).data.errors).toEqual([expect.objectContaining({ field: 'totals', code: 'UNKNOWN_FIELD' })])
  })
})

describe('counts', () => {
  it('answer several filters at once, within scope and search', async () => {
    const filters = json([{ status: 1 }, { doc_date: { within: 'past' } }, { doc_date: { within: 'lastMonth' } }, null])
    expect((await admin.get(`${orders}/counts`, { filters })).data).toMatchObject({ counts: [3, 6, 2, 6], limit: 1000 })
    expect((await sales.get(`${orders}/counts`, { filters })).data.counts).toEqual([2, 5, 2, 5])
    expect((await admin.get(`${orders}/counts`, { filters, search: 'SO-6' })).data.counts).toEqual([1, 1, 0, 1])
    const sought = { search: 'toko makmur', columns: 'code,customer_id' }
    const { recordsTotal } = (await admin.get(orders, { ...sought, length: 1 })).data
    expect(recordsTotal).toBeGreaterThan(0)
    expect((await admin.get(`${orders}/counts`, { filters: json([null]), ...sought })).data.counts, 'as the list does, by the name of a customer').toEqual([recordsTotal])
    expect((await admin.get(`${orders}/counts`, { filters: json([null]), ...sought, columns: 'code' })).data.counts, 'which is not shown here').toEqual([0])
    expect((await admin.get(`${orders}/counts`, { filters: '{}' })).code).toBe('VALIDATION_FAILED')
    expect((await admin.get(`${orders}/counts`, { filters: '[{"nonsense":1}]' })).code).toBe('VALIDATION_FAILED')
  })
})

describe('selecting all rows of a filter', () => {
  it('hands out every row with what may be done, when the number is the one seen', async () => {
    const { data } = await sales.post(`${orders}/selection`, { filter: { currency: 'IDR' }, columns: 'code,total', order: 'code', sort: 'asc', count: 3 })
    expect(data.rows.map((row: { Code: string }) => row.Code)).toEqual(['SO-1', 'SO-2', 'SO-3'])
    expect(data.rows[0]).toMatchObject({ Version: 1, Total: '100.00', Actions: expect.any(Array) })
  })

  it('refuses when the number has moved meanwhile', async () => {
    const refused = await sales.post(`${orders}/selection`, { filter: { currency: 'IDR' }, count: 4 })
    expect(refused).toMatchObject({ status: 409, code: 'SELECTION_CHANGED', data: { count: 3 } })
    expect((await sales.post(`${orders}/selection`, { count: 20_000 })).code).toBe('VALIDATION_FAILED')
    expect((await sales.post(`${orders}/selection`, { filter: { currency: 'IDR' } })).code).toBe('VALIDATION_FAILED')
  })

  it('works on versions seen: a record that has moved on is refused, the others go through', async () => {
    const { data } = await sales.post(`${orders}/selection`, { filter: { status: 0 }, count: 1 })
    const [draft] = data.rows
    await arus.database.run(sql`update sales_order set version = 2 where id = ${draft.ID}`)
    const bulk = await sales.post(`${orders}/bulk/submit`, { IDs: [draft.ID], Versions: [1] })
    expect(bulk.data.results).toEqual([expect.objectContaining({ ID: draft.ID, ok: false, code: 'VERSION_CONFLICT' })])
    expect((await sales.post(`${orders}/bulk/submit`, { IDs: [draft.ID], Versions: [] })).code).toBe('VALIDATION_FAILED')
  })
})

describe('saved views', () => {
  const definition = { columns: [{ name: 'code', width: 120, pin: 'left' }, { name: 'total' }], filters: [{ field: 'status', op: 'in', value: [1, 2] }], sort: [{ field: 'total', dir: 'desc' }], groupBy: [{ field: 'doc_date', by: 'month' }] }
  const names = async (session: Session): Promise<readonly string[]> => (await session.get('/api/v1/view')).data.records.map((view: { Name: string }) => view.Name)

  it('belong to their owner: nobody else sees or touches them', async () => {
    const made = await sales.post('/api/v1/view', { Screen: 'sales-order.list', Name: ' Mine ', Definition: definition }, { key: 'view-key-1' })
    expect(made.data.record).toMatchObject({ Name: 'Mine', OwnerName: 'sales', RoleID: null, IsDefault: false, CanEdit: true, Version: 1, Definition: definition })
    expect((await sales.post('/api/v1/view', { Screen: 'sales-order.list', Name: ' Mine ', Definition: definition }, { key: 'view-key-1' })).data.record.ID).toBe(made.data.record.ID)
    expect(await names(sales)).toEqual(['Mine'])
    expect(await names(bandung)).toEqual([])
    const { ID: id } = made.data.record
    expect((await bandung.put(`/api/v1/view/${id}`, { Name: 'Theirs' }, { version: 1 })).code).toBe('NOT_FOUND')
    expect((await admin.delete(`/api/v1/view/${id}`, { version: 1 })).code).toBe('NOT_FOUND')
    expect((await sales.post('/api/v1/view', { Screen: 'sales-order.list', Name: 'Mine', Definition: {} })).code).toBe('DUPLICATE_DOCUMENT')
    expect((await sales.delete(`/api/v1/view/${id}`, { version: 1 })).status).toBe(200)
  })

  it('shared with a role are seen by it and changed by their owner', async () => {
    const { RoleID: role } = (await admin.get('/api/v1/data/user', { filter: json({ email: 'sales@arus.example' }), columns: 'role_id' })).data.rows[0]
    const { record } = (await sales.post('/api/v1/view', { Screen: 'sales-order.list', Name: 'Ours', RoleID: role, Definition: definition })).data
    expect(record).toMatchObject({ RoleID: role, RoleName: expect.any(String), CanEdit: true })
    expect(await names(bandung)).toEqual(['Ours'])
    const seen = (await bandung.get('/api/v1/view', { screen: 'sales-order.list' })).data.records[0]
    expect(seen.CanEdit).toBe(false)
    expect((await bandung.put(`/api/v1/view/${record.ID}`, { Name: 'Changed' }, { version: 1 })).code).toBe('FORBIDDEN_GUARD')
    expect((await bandung.delete(`/api/v1/view/${record.ID}`, { version: 1 })).code).toBe('FORBIDDEN_GUARD')
    expect(await names(await arus.signIn('warehouse'))).toEqual([])
    expect((await sales.post('/api/v1/view', { Screen: 'sales-order.list', Name: 'Elsewhere', RoleID: 1, Definition: {} })).data.errors).toEqual([expect.objectContaining({ field: 'RoleID' })])
    expect((await sales.put(`/api/v1/view/${record.ID}`, { IsDefault: true }, { version: 1 })).data.errors).toEqual([expect.objectContaining({ field: 'IsDefault' })])
    // Whoever keeps the views of roles says what a role sees first.
    const kept = await admin.put(`/api/v1/view/${record.ID}`, { IsDefault: true }, { version: 1 })
    expect(kept.data.record).toMatchObject({ IsDefault: true, Version: 2, IsOfRole: false })
    const ofRole = (await sales.get('/api/v1/view')).data.records.find(({ ID }: { ID: number }) => ID === record.ID)
    expect(ofRole).toMatchObject({ IsDefault: true, IsOfRole: true })
    expect((await sales.put(`/api/v1/view/${record.ID}`, { Name: 'Older' }, { version: 1 })).code).toBe('VERSION_CONFLICT')
    await sales.delete(`/api/v1/view/${record.ID}`, { version: 2 })
  })

  it('shared afterwards are the role’s from then on, and the owner’s alone again when he or a keeper takes that back: nobody else says what he opens first', async () => {
    const { RoleID: role } = (await admin.get('/api/v1/data/user', { filter: json({ email: 'sales@arus.example' }), columns: 'role_id' })).data.rows[0]
    const { record } = (await sales.post('/api/v1/view', { Screen: 'invoice.list', Name: 'First mine', IsDefault: true, Definition: {} })).data
    expect((await sales.put(`/api/v1/view/${record.ID}`, { RoleID: role, IsDefault: false }, { version: 1 })).data.record).toMatchObject({ RoleID: role, CanEdit: true })
    expect(await names(bandung)).toEqual(['First mine'])
    await admin.put(`/api/v1/view/${record.ID}`, { IsDefault: true }, { version: 2 })
    // Somebody else of the role may have one of the same name.
    const other = (await bandung.post('/api/v1/view', { Screen: 'invoice.list', Name: 'First mine', RoleID: role, Definition: {} })).data.record
    expect((await admin.put(`/api/v1/view/${record.ID}`, { RoleID: null, IsDefault: true }, { version: 3 })).data.record).toMatchObject({ RoleID: null, IsDefault: false, CanEdit: false })
    expect((await admin.put(`/api/v1/view/${record.ID}`, { Name: 'Too late' }, { version: 4 })).code).toBe('NOT_FOUND')
    expect((await bandung.get('/api/v1/view')).data.records.map(({ ID }: { ID: number }) => ID)).toEqual([other.ID])
    expect((await sales.put(`/api/v1/view/${record.ID}`, { IsDefault: true }, { version: 4 })).data.record).toMatchObject({ IsDefault: true, RoleID: null, CanEdit: true })
    await sales.delete(`/api/v1/view/${record.ID}`, { version: 5 })
    await bandung.delete(`/api/v1/view/${other.ID}`, { version: 1 })
  })

  it('of a role stay the role’s when their owner has left it: he changes them no more, whoever keeps the views of roles finds and tidies them', async () => {
    const me = (await admin.get('/api/v1/data/user', { filter: json({ email: 'sales@arus.example' }), columns: 'role_id' })).data.rows[0]
    const { RoleID: other } = (await admin.get('/api/v1/data/user', { filter: json({ email: 'warehouse@arus.example' }), columns: 'role_id' })).data.rows[0]
    const { record } = (await sales.post('/api/v1/view', { Screen: 'sales-order.list', Name: 'Left behind', RoleID: me.RoleID, Definition: definition })).data
    await admin.put(`/api/v1/view/${record.ID}`, { IsDefault: true }, { version: 1 })
    const before = (await admin.get(`/api/v1/data/user/${me.ID}`)).data.record
    await arus.database.run(sql`update app_user set role_id = ${other} where id = ${me.ID}`)
    const left = await arus.signIn('sales')
    const seen = (await left.get('/api/v1/view')).data.records.find(({ ID }: { ID: number }) => ID === record.ID)
    expect(seen).toMatchObject({ CanEdit: false, IsOfRole: false })
    expect((await left.put(`/api/v1/view/${record.ID}`, { Definition: {} }, { version: 2 })).code).toBe('FORBIDDEN_GUARD')
    expect((await left.delete(`/api/v1/view/${record.ID}`, { version: 2 })).code).toBe('FORBIDDEN_GUARD')
    expect(await names(bandung)).toEqual(['Left behind'])
    await arus.database.run(sql`update app_user set role_id = ${before.RoleID}, is_active = false where id = ${me.ID}`)
    const kept = (await admin.get('/api/v1/view', { screen: 'sales-order.list' })).data.records.find(({ ID }: { ID: number }) => ID === record.ID)
    expect(kept).toMatchObject({ CanEdit: true, IsOfRole: false, OwnerName: 'sales' })
    await arus.database.run(sql`update app_user set is_active = true where id = ${me.ID}`)
    sales = await arus.signIn('sales')
    expect((await admin.delete(`/api/v1/view/${record.ID}`, { version: 2 })).status).toBe(200)
    expect(await names(bandung)).toEqual([])
  })

  it('have one default for each owner and screen', async () => {
    const make = async (name: string, screen = 'sales-order.list') => (await sales.post('/api/v1/view', { Screen: screen, Name: name, IsDefault: true, Definition: {} })).data.record
    await make('First')
    await make('Second')
    await make('Third', 'customer.list')
    const records = (await sales.get('/api/v1/view')).data.records
    expect(records.map((view: { Name: string; IsDefault: boolean }) => [view.Name, view.IsDefault])).toEqual([['Third', true], ['First', false], ['Second', true]])
  })

  it('may be the screen as delivered: its owner’s default then, whatever his role sees first', async () => {
    const standard = (await sales.post('/api/v1/view', { Screen: 'payment-term.list', Name: 'standard', IsDefault: true, Definition: { standard: true } })).data.record
    expect(standard).toMatchObject({ IsDefault: true, Definition: { standard: true } })
    const other = (await sales.post('/api/v1/view', { Screen: 'payment-term.list', Name: 'Other', IsDefault: true, Definition: {} })).data.record
    const records = (await sales.get('/api/v1/view', { screen: 'payment-term.list' })).data.records
    expect(records.filter((view: { IsDefault: boolean }) => view.IsDefault).map((view: { ID: number }) => view.ID)).toEqual([other.ID])
  })

  it('refuse what is no view', async () => {
    const post = async (body: object) => (await sales.post('/api/v1/view', { Screen: 'sales-order.list', Name: 'X', Definition: {}, ...body })).data.errors?.map((error: { field: string }) => error.field)
    expect(await post({ Screen: 'sales-order.form' })).toEqual(['Screen'])
    expect(await post({ Screen: 'constructor' })).toEqual(['Screen'])
    expect(await post({ Name: '  ' })).toEqual(['Name'])
    expect(await post({ Owner: 1 })).toEqual(['Owner'])
    for (const wrong of [[], 'x', { nonsense: 1 }, { standard: 'yes' }, { columns: [{ name: '<b>' }] }, { filters: [{ field: 'status', op: 'shout', value: 1 }] }, { groupBy: [{ field: 'a' }, { field: 'b' }, { field: 'c' }] }]) {
      expect(await post({ Definition: wrong })).toEqual(['Definition'])
    }
    expect((await sales.get('/api/v1/data/saved-view')).code).toBe('NOT_FOUND')
  })
})
