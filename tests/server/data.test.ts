import { beforeAll, describe, expect, it } from 'vitest'
import { groupCondition } from '#api/viewQuery.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { plainRegistries } from '../support/registries.ts'

let arus: TestApp
let admin: Session
let sales: Session
let bandung: Session

beforeAll(async () => {
  arus = await testApp({ registries: plainRegistries() })
  ;[admin, sales, bandung] = await Promise.all(['admin', 'sales', 'sales.bdg'].map((name) => arus.signIn(name)) as [Promise<Session>, Promise<Session>, Promise<Session>])
})

const filter = (condition: object) => JSON.stringify(condition)

async function newOrder(session: Session, over: object = {}, key?: string) {
  const customer = await arus.id('customer', session === bandung ? 'C0000003' : 'C0000001')
  const item = await arus.id('item', 'A')
  return session.post('/api/v1/data/sales-order', { CustomerID: customer, PoNumber: 'PO-1', Lines: [{ ItemID: item, Uom: 'CTN', Qty: '2' }], ...over }, key === undefined ? {} : { key })
}

describe('creating', () => {
  it('makes a draft without a number, with defaults, lines, territory of the customer and actions', async () => {
    const { status, data } = await newOrder(sales)
    expect(status).toBe(200)
    expect(data.record).toMatchObject({
      Code: `DRAFT-${data.record.ID}`, Status: 0, Version: 1, DocDate: '2026-11-20', CustomerCode: 'C0000001', CustomerName: 'Toko Makmur', Currency: 'IDR', Rate: '1.000000',
      OperatingUnitCode: 'JKT', TerritoryCode: 'JKT-N', OrderType: 'REG', Total: '0.00', BlockCodes: [], Source: 'WEB', Actions: ['submit', 'edit', 'delete'],
      Lines: [{ LineNo: 1, ItemCode: 'A', Qty: '2.000', QtyBase: '2.000', Uom: 'CTN', IsFree: false }],
    })
    expect(await arus.database.first(sql`select code from sales_order where id = ${data.record.ID}`)).toEqual({ code: null })
  })

  it('reports every wrong field at its place and stores nothing', async () => {
    const before = await arus.database.first(sql`select count(*) as n from sales_order`)
    const answer = await sales.post('/api/v1/data/sales-order', {
      PoNumber: 5, DocDate: '2026-13-01', Currency: 'RUPIAH', Nonsense: 1, OrderType: 'FOO', RequestedDate: 20261120,
      Lines: [{ ItemID: 'x', Uom: 'CTN', Qty: '1.2345', Price: 0.1 }, 'line', { Uom: 'C'.repeat(600), Qty: '1', Extra: true }],
    })
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
    expect(answer.data.errors.map((error: { field: string; code: string }) => `${error.field} ${error.code}`).toSorted()).toEqual([
      'Currency TOO_LONG', 'CustomerID REQUIRED', 'DocDate WRONG_TYPE', 'Lines[0].ItemID WRONG_TYPE', 'Lines[0].Price WRONG_TYPE', 'Lines[0].Qty WRONG_TYPE', 'Lines[1] WRONG_TYPE',
      'Lines[1].ItemID REQUIRED', 'Lines[1].Qty REQUIRED', 'Lines[1].Uom REQUIRED', 'Lines[2].Extra UNKNOWN_FIELD', 'Lines[2].ItemID REQUIRED', 'Lines[2].Uom TOO_LONG',
      'Nonsense UNKNOWN_FIELD', 'OperatingUnitID REQUIRED', 'OrderType NOT_A_CHOICE', 'PoNumber WRONG_TYPE', 'RequestedDate WRONG_TYPE',
    ].filter((line) => line !== 'OperatingUnitID REQUIRED'))
    expect(await arus.database.first(sql`select count(*) as n from sales_order`)).toEqual(before)
  })

  it('refuses records outside the scope or inactive ones', async () => {
    const foreign = await newOrder(sales, { CustomerID: await arus.id('customer', 'C0000003') })
    expect(foreign.data.errors).toEqual(expect.arrayContaining([expect.objectContaining({ field: 'CustomerID', code: 'NOT_IN_SCOPE' })]))
    await arus.database.run(sql`update item set is_active = false where code = 'B'`)
    const inactive = await newOrder(sales, { Lines: [{ ItemID: await arus.id('item', 'B'), Uom: 'CTN', Qty: '1' }] })
    expect(inactive.data.errors).toEqual([expect.objectContaining({ field: 'Lines[0].ItemID', code: 'INACTIVE' })])
    await arus.database.run(sql`update item set is_active = true where code = 'B'`)
  })

  it('needs the permission', async () => {
    const analyst = await arus.signIn('analyst')
    expect(await newOrder(analyst)).toMatchObject({ status: 403, code: 'FORBIDDEN_GUARD' })
  })

  it('is refused where records are not made by hand', async () => {
    expect((await admin.post('/api/v1/data/journal', {})).code).toBe('FORBIDDEN_GUARD')
    expect((await admin.post('/api/v1/data/stock-movement', {})).code).toBe('FORBIDDEN_GUARD')
    expect((await admin.post('/api/v1/data/user-session', {})).code).toBe('NOT_FOUND')
    expect((await admin.get('/api/v1/data/command-log')).code).toBe('NOT_FOUND')
    expect((await admin.get('/api/v1/data/constructor')).code).toBe('NOT_FOUND')
  })

  it('draws the code of a master from its series', async () => {
    const base = await admin.get(`/api/v1/data/customer/${await arus.id('customer', 'C0000003')}`)
    const { CustomerCategoryID, SalesChannelID, PaymentTermID, OperatingUnitID, TerritoryID } = base.data.record
    const answer = await admin.post('/api/v1/data/customer', { Name: 'Toko Baru', CustomerCategoryID, SalesChannelID, PaymentTermID, OperatingUnitID, TerritoryID })
    expect(answer.data.record.Code).toBe('C0000004')
    // A form sends the field nobody has filled in.
    const typed = await admin.post('/api/v1/data/customer', { Code: null, Name: 'Toko Lain', CustomerCategoryID, SalesChannelID, PaymentTermID, OperatingUnitID, TerritoryID })
    expect([typed.data.errors, typed.data.record?.Code]).toEqual([undefined, 'C0000005'])
  })

  it('names a key that is taken', async () => {
    expect((await admin.post('/api/v1/data/brand', { Code: 'X', Name: 'X' })).status).toBe(200)
    const twice = await admin.post('/api/v1/data/brand', { Code: 'X', Name: 'Y' })
    expect(twice).toMatchObject({ status: 409, code: 'DUPLICATE_DOCUMENT', data: { errors: [{ field: 'Code', code: 'DUPLICATE', text: 'X has this code already; capitals make no difference.' }] } })
  })

  it('takes codes that differ in capitals alone for one code, new and changed, of a record and of its addresses', async () => {
    const taken = [{ field: 'Code', code: 'DUPLICATE', text: 'Kappa Kappa Snacks has this code already; capitals make no difference.' }]
    const made = await admin.post('/api/v1/data/brand', { Code: 'Kappa', Name: 'Kappa Snacks' })
    const other = await admin.post('/api/v1/data/brand', { Code: 'Tau', Name: 'Tau' })
    expect(await admin.post('/api/v1/data/brand', { Code: 'KAPPA', Name: 'Other' })).toMatchObject({ status: 409, code: 'DUPLICATE_DOCUMENT', data: { errors: taken } })
    expect((await admin.put(`/api/v1/data/brand/${other.data.record.ID}`, { Code: 'kappa' }, { version: 1 })).data.errors).toMatchObject(taken)
    // Its own capitals are a record's own business.
    expect((await admin.put(`/api/v1/data/brand/${made.data.record.ID}`, { Code: 'KAPPA' }, { version: 1 })).data.record.Code).toBe('KAPPA')
    const both = await Promise.all(['Omega', 'OMEGA'].map((Code) => admin.post('/api/v1/data/brand', { Code, Name: Code })))
    expect(both.map(({ status }) => status).toSorted(), 'two at once').toEqual([200, 409])
    const partner = (await admin.post('/api/v1/data/business-partner', { Code: 'BP-1', Name: 'PT Mitra', Kinds: ['VENDOR'], ApAccountGroup: 'TRADE' })).data.record.ID
    const elsewhere = (await admin.post('/api/v1/data/business-partner', { Code: 'BP-2', Name: 'PT Lain', Kinds: ['VENDOR'], ApAccountGroup: 'TRADE' })).data.record.ID
    const address = async (BusinessPartnerID: number, Code: string) => (await admin.post('/api/v1/data/business-partner-address', { BusinessPartnerID, Code, Kind: 'OFFICE', Address: 'Jl. Melati 1' })).data.errors
    expect([await address(partner, 'a1'), await address(partner, 'A2'), await address(elsewhere, 'A1')]).toEqual([undefined, undefined, undefined])
    expect(await address(partner, 'A1'), 'told apart within its partner').toMatchObject([{ field: 'Code', code: 'DUPLICATE' }])
  })

  it('leaves codes that are there already as they are', async () => {
    await arus.database.run(sql`insert into brand (code, name, created_at, updated_at) values ('Rho', 'Rho', now(), now()), ('RHO', 'RHO', now(), now())`)
    const rho = await arus.database.first<{ id: number }>(sql`select id from brand where code = 'RHO'`)
    expect((await admin.put(`/api/v1/data/brand/${rho?.id}`, { Name: 'Rho too', Code: 'RHO' }, { version: 1 })).data.record).toMatchObject({ Code: 'RHO', Name: 'Rho too' })
  })

  it('names of a key of several fields the one that was typed, not whose it is', async () => {
    const view = { Screen: 'sales-order.list', Name: 'Twice', Definition: {} }
    expect((await admin.post('/api/v1/view', view)).status).toBe(200)
    expect(await admin.post('/api/v1/view', view)).toMatchObject({ status: 409, code: 'DUPLICATE_DOCUMENT', data: { errors: [{ field: 'Name', code: 'DUPLICATE' }] } })
  })
})

describe('sending twice', () => {
  it('with the same key gives the first answer and one record', async () => {
    const first = await newOrder(sales, { PoNumber: 'TWICE' }, 'key-0001')
    const [second, third] = await Promise.all([newOrder(sales, { PoNumber: 'TWICE' }, 'key-0001'), newOrder(sales, { PoNumber: 'TWICE' }, 'key-0001')])
    expect(second?.data).toEqual(first.data)
    expect(third?.data).toEqual(first.data)
    expect(await arus.database.first(sql`select count(*) as n from sales_order where po_number = 'TWICE'`)).toEqual({ n: 1 })
  })

  it('at the same moment makes one record', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => newOrder(sales, { PoNumber: 'RACE' }, 'key-race-1')))
    expect(new Set(answers.map((answer) => answer.data.record.ID)).size).toBe(1)
    expect(await arus.database.first(sql`select count(*) as n from sales_order where po_number = 'RACE'`)).toEqual({ n: 1 })
  })

  it('with another payload is refused; a refusal frees the key', async () => {
    await newOrder(sales, { PoNumber: 'A' }, 'key-0002')
    expect(await newOrder(sales, { PoNumber: 'B' }, 'key-0002')).toMatchObject({ status: 409, code: 'DUPLICATE_REQUEST' })
    expect((await newOrder(sales, { PoNumber: 1 }, 'key-0003')).code).toBe('VALIDATION_FAILED')
    expect((await newOrder(sales, { PoNumber: 'good' }, 'key-0003')).status).toBe(200)
    expect((await newOrder(sales, {}, 'short')).code).toBe('VALIDATION_FAILED')
  })
})

describe('saving', () => {
  it('leaves out who did it where the server did: its readers say so in their language', async () => {
    const { record } = (await newOrder(sales, {})).data
    await arus.database.run(sql`insert into document_log (doc_type, doc_id, action, at) values ('sales_order', ${record.ID}, 'edit', now())`)
    const { records } = (await sales.get(`/api/v1/data/sales-order/${record.ID}/history`)).data
    expect(records.map((entry: { ActorName: string | null }) => entry.ActorName)).toEqual([null, 'sales'])
  })

  it('changes header and lines, counts the version, keeps a history of values', async () => {
    const a = await arus.id('item', 'A')
    const b = await arus.id('item', 'B')
    const { record } = (await newOrder(sales, { Lines: [{ ItemID: a, Uom: 'CTN', Qty: '1' }, { ItemID: b, Uom: 'CTN', Qty: '2' }, { ItemID: a, Uom: 'CTN', Qty: '3' }] })).data
    const [first, , third] = record.Lines
    const saved = await sales.put(`/api/v1/data/sales-order/${record.ID}`, {
      PoNumber: 'PO-2', RequestedDate: '2026-12-01', Lines: [{ ID: third.ID, ItemID: b, Uom: 'CTN', Qty: '3' }, { ID: first.ID, Uom: 'CTN', Qty: '9', ItemID: a }, { ItemID: b, Uom: 'CTN', Qty: '4' }],
    }, { version: 1 })
    expect(saved.data.record).toMatchObject({ Version: 2, PoNumber: 'PO-2', RequestedDate: '2026-12-01' })
    expect(saved.data.record.Lines.map((line: { ID: number; LineNo: number; ItemCode: string; Qty: string }) => [line.ID, line.LineNo, line.ItemCode, line.Qty])).toEqual([
      [third.ID, 1, 'B', '3.000'], [first.ID, 2, 'A', '9.000'], [expect.any(Number), 3, 'B', '4.000'],
    ])
    const { records } = (await sales.get(`/api/v1/data/sales-order/${record.ID}/history`)).data
    expect(records.map((entry: { Action: string }) => entry.Action)).toEqual(['edit', 'create'])
    expect(records[0].ActorName).toBe('sales')
    expect(records[0].Diff).toEqual(expect.arrayContaining([
      expect.objectContaining({ Field: 'po_number', Label: expect.any(String), From: 'PO-1', To: 'PO-2' }),
      expect.objectContaining({ Field: 'lines[0].item_id', Label: expect.any(String), From: 'A Item A', To: 'B Item B' }),
      expect.objectContaining({ Field: 'lines[1].qty', Label: expect.any(String), From: '1.000', To: '9' }),
      expect.objectContaining({ Field: 'lines[2]', Type: 'line', Line: 3, From: null, To: true, Parts: expect.arrayContaining([expect.objectContaining({ Label: 'field.qty' })]) }),
    ]))
  })

  it('leaves lines alone that the request does not mention, and takes back what was read', async () => {
    const { record } = (await newOrder(sales)).data
    const { Lines: _lines, ...header } = record
    const saved = await sales.put(`/api/v1/data/sales-order/${record.ID}`, header, { version: 1 })
    expect(saved.status).toBe(200)
    expect(saved.data.record.Lines).toHaveLength(1)
  })

  it('at an old version answers with the record as it stands', async () => {
    const { record } = (await newOrder(sales)).data
    await sales.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'newer' }, { version: 1 })
    const stale = await sales.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'older' }, { version: 1 })
    expect(stale).toMatchObject({ status: 409, code: 'VERSION_CONFLICT', data: { current: { ID: record.ID, Version: 2, PoNumber: 'newer' } } })
    // Who it was and when is said: to the other one by name.
    const time = String.raw`\d\d/\d\d/\d{4} \d\d:\d\d`
    expect(stale.message).toMatch(new RegExp(`^You changed this record elsewhere at ${time}, after opening it here\\.$`))
    const other = await admin.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'older' }, { version: 1 })
    const [{ name } = { name: '' }] = await arus.database.rows<{ name: string }>(sql`select name from app_user where id = ${stale.data.current.UpdatedBy}`)
    expect(other.message).toMatch(new RegExp(`^${name} changed this record at ${time}, after you opened it\\.$`))
    expect((await admin.post(`/api/v1/data/sales-order/${record.ID}/submit`, {}, { version: 1 })).message).toBe(other.message)
    expect((await sales.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'x' })).data.errors).toEqual([expect.objectContaining({ field: 'If-Match' })])
  })

  it('never reaches somebody else’s territory, and does not tell that it exists', async () => {
    const { record } = (await newOrder(bandung)).data
    const missing = await sales.get('/api/v1/data/sales-order/99999999')
    for (const answer of [
      await sales.get(`/api/v1/data/sales-order/${record.ID}`),
      await sales.put(`/api/v1/data/sales-order/${record.ID}`, { PoNumber: 'mine' }, { version: 1 }),
      await sales.delete(`/api/v1/data/sales-order/${record.ID}`, { version: 1 }),
      await sales.post(`/api/v1/data/sales-order/${record.ID}/submit`, {}),
      await sales.get(`/api/v1/data/sales-order/${record.ID}/history`),
      await sales.get(`/api/v1/data/sales-order/${record.ID}/flow`),
    ]) {
      expect(answer).toMatchObject({ status: 404, code: 'NOT_IN_SCOPE', message: missing.message })
    }
    expect(await arus.database.first(sql`select status, po_number from sales_order where id = ${record.ID}`)).toEqual({ status: 0, po_number: 'PO-1' })
  })

  it('does not let a line of another record be taken over', async () => {
    const one = (await newOrder(sales)).data.record
    const two = (await newOrder(sales)).data.record
    const answer = await sales.put(`/api/v1/data/sales-order/${one.ID}`, { Lines: [{ ...two.Lines[0] }] }, { version: 1 })
    expect(answer.data.errors).toEqual(expect.arrayContaining([expect.objectContaining({ field: 'Lines[0].ID', code: 'NOT_IN_SCOPE' })]))
  })
})

describe('deleting', () => {
  it('removes a draft and an unused master, not a used one', async () => {
    const { record } = (await newOrder(sales)).data
    expect((await sales.delete(`/api/v1/data/sales-order/${record.ID}`, { version: 1 })).status).toBe(200)
    expect((await sales.get(`/api/v1/data/sales-order/${record.ID}`)).code).toBe('NOT_IN_SCOPE')
    const brand = (await admin.post('/api/v1/data/brand', { Code: 'DEL', Name: 'Delete me' })).data.record
    expect((await admin.delete(`/api/v1/data/brand/${brand.ID}`, { version: 1 })).status).toBe(200)
    const category = await arus.id('customer_category', 'RETAIL')
    expect(await admin.delete(`/api/v1/data/customer-category/${category}`, { version: 1 })).toMatchObject({ status: 409, code: 'IN_USE' })
    const unit = await arus.id('operating_unit', 'JKT')
    expect(await admin.delete(`/api/v1/data/operating-unit/${unit}`, { version: 1 })).toMatchObject({ status: 409, code: 'IN_USE' })
  })
})

describe('listing', () => {
  beforeAll(async () => {
    const rows = Array.from({ length: 250 }, (_, i) => ({ code: `L${String(i).padStart(4, '0')}`, name: `Brand ${i % 10} ${i}`, principal_id: null }))
    await arus.database.transaction((tx) => insertRows(tx, 'brand', rows))
  })
  const codes = (answer: { data: { rows: { Code: string }[] } }) => answer.data.rows.map((row) => row.Code)

  it('gives all rows with length=All as far as one answer holds them, and says what to do where it does not', async () => {
    await insertRows(arus.database, 'brand', Array.from({ length: 1_001 }, (_, i) => ({ code: `ALL${String(i).padStart(4, '0')}`, name: `Whole ${i}`, principal_id: null })))
    const all = async (code: object) => admin.get('/api/v1/data/brand', { length: 'All', columns: 'code', order: 'code', filter: filter({ code }) })
    const whole = await all({ startsWith: 'ALL0' })
    expect([whole.status, whole.data.recordsTotal, whole.data.rows.length, whole.data.next]).toEqual([200, 1_000, 1_000, undefined])
    const more = await all({ startsWith: 'ALL' })
    expect(more).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
    expect(more.data.errors).toEqual([expect.objectContaining({ field: 'length', text: expect.stringContaining('page by page') as string })])
    await arus.database.run(sql`delete from brand where code like 'ALL%'`)
  })

  it('sends each row once', async () => {
    const { data } = await admin.get('/api/v1/data/brand', { length: 1, columns: 'code', filter: filter({ code: 'L0007' }) })
    expect(JSON.stringify(data).match(/"L0007"/g)).toHaveLength(1)
  })

  it('counts, pages and follows the position without a gap or a repeat, in every order', async () => {
    for (const [order, sort] of [['code', 'asc'], ['code', 'desc'], ['name,code', 'desc,asc'], ['principal_id,name', 'asc,desc'], ['is_active,code', 'asc,desc']]) {
      const query = { order: order ?? '', sort: sort ?? '', length: 40, columns: 'code,name', filter: filter({ code: { startsWith: 'L' } }) }
      const paged: string[] = []
      const followed: string[] = []
      let after: string | undefined
      for (let page = 1; page <= 7; page++) {
        const byPage = await admin.get('/api/v1/data/brand', { ...query, page })
        expect(byPage.data.recordsTotal).toBe(250)
        paged.push(...codes(byPage))
        const byKey = await admin.get('/api/v1/data/brand', { ...query, count: false, ...(after === undefined ? {} : { after }) })
        followed.push(...codes(byKey))
        after = byKey.data.next
      }
      expect(after).toBeUndefined()
      expect(new Set(paged).size).toBe(250)
      expect(followed).toEqual(paged)
    }
  })

  it('filters by the closed grammar', async () => {
    const found = async (condition: object) => (await admin.get('/api/v1/data/brand', { filter: filter(condition), length: 1000, columns: 'code', order: 'code' })).data.recordsTotal
    expect(await found({ code: 'L0001' })).toBe(1)
    expect(await found({ code: { in: ['L0001', 'L0002', 'nope'] } })).toBe(2)
    expect(await found({ all: [{ code: { ge: 'L0010' } }, { code: { lt: 'L0020' } }] })).toBe(10)
    expect(await found({ any: [{ code: 'L0001' }, { name: { contains: 'brand 3 3' } }] })).toBe(3)
    expect(await found({ all: [{ code: { startsWith: 'L' } }, { not: { name: { contains: 'Brand 1 ' } } }] })).toBe(225)
    expect(await found({ principal_id: { empty: true }, code: { startsWith: 'L' } })).toBe(250)
    expect(await found({ name: { contains: '%' } })).toBe(0)
    // More digits than are ever stored are a number all the same.
    const limits = async (condition: object) => (await admin.get('/api/v1/data/customer-group', { filter: filter(condition), length: 1 })).data.recordsTotal
    expect(await limits({ group_credit_limit: { ge: '0.00001' } })).toBe(await limits({ group_credit_limit: { ge: '0.01' } }))
    expect(await found({ created_at: { within: 'last:7d' }, code: { startsWith: 'L' } })).toBeGreaterThanOrEqual(0)
  })

  it('tells words apart by nothing but their letters, and numbers of documents by their index', async () => {
    const made = Array.from({ length: 3 }, (_, i) => ({ code: `Mixed-${i}`, name: ['Kecap Manis', 'KECAP MANIS', 'kecap asin'][i], principal_id: null }))
    await arus.database.transaction((tx) => insertRows(tx, 'brand', made))
    const found = async (condition: object, entity = 'brand') => (await admin.get(`/api/v1/data/${entity}`, { filter: filter(condition), length: 1, columns: 'code' })).data.recordsTotal
    expect(await found({ code: 'mIXED-1' })).toBe(1)
    expect(await found({ name: { eq: 'kecap manis' } })).toBe(2)
    expect(await found({ name: { in: ['Kecap MANIS', 'KECAP ASIN'] } })).toBe(3)
    expect(await found({ name: { ne: 'kecap manis' }, code: { startsWith: 'mixed' } })).toBe(1)
    expect(await found({ name: { nin: ['kecap manis', 'nothing'] }, code: { startsWith: 'mixed' } })).toBe(1)
    expect(await found({ principal_id: { empty: true }, name: { in: [] } })).toBe(0)
    // A group is of one spelling.
    const { data } = await admin.get('/api/v1/data/brand/groups', { by: 'name', filter: filter({ name: { eq: 'kecap manis' } }) })
    expect(await Promise.all(data.groups.map((group: { value: string }) => found(groupCondition({ field: 'name' }, group.value))))).toEqual([1, 1])
    await arus.database.run(sql`delete from brand where code like 'Mixed-%'`)
    const draft = await newOrder(sales)
    await arus.database.run(sql`update sales_order set code = 'SO/JKT/2611/99999' where id = ${draft.data.record.ID}`)
    expect(await found({ code: 'so/jkt/2611/99999' }, 'sales-order')).toBe(1)
    expect(await found({ code: { in: ['so/jkt/2611/99999', 'So/Nowhere'] } }, 'sales-order')).toBe(1)
  })

  it('a reference sorts by the name that is read first, so do its groups', async () => {
    for (const code of ['C0000001', 'C0000002', 'C0000003']) await newOrder(admin, { CustomerID: await arus.id('customer', code), PoNumber: 'BY-NAME' })
    const narrowed = { filter: filter({ po_number: 'BY-NAME' }), columns: 'customer_id' }
    const names = (rows: readonly { CustomerName: string }[]) => rows.map((row) => row.CustomerName)
    const sorted = ['Toko Bandung', 'Toko Makmur', 'Toko Sejahtera']
    expect(names((await admin.get('/api/v1/data/sales-order', { ...narrowed, order: 'customer_id', length: 10 })).data.rows)).toEqual(sorted)
    expect(names((await admin.get('/api/v1/data/sales-order', { ...narrowed, order: 'customer_id', sort: 'desc', length: 10 })).data.rows)).toEqual(sorted.toReversed())
    const { data } = await admin.get('/api/v1/data/sales-order/groups', { ...narrowed, by: 'customer_id' })
    expect(names(data.groups.map((group: { record: { CustomerName: string } }) => group.record))).toEqual(sorted)
  })

  it('a column that is empty in every row has no total, no rows at all come to zero', async () => {
    const plan = { customer_id: await arus.id('customer', 'C0000001'), operating_unit_id: await arus.id('operating_unit', 'JKT'), warehouse_id: (await arus.database.first<{ id: number }>(sql`select id from warehouse order by id limit 1`))?.id, ship_to_id: (await arus.database.first<{ id: number }>(sql`select id from customer_address order by id limit 1`))?.id, doc_date: '2026-11-20', territory_id: await arus.id('territory', 'JKT-N') }
    await arus.database.transaction((tx) => insertRows(tx, 'delivery_order', [{ code: 'SUM1', ...plan }, { code: 'SUM2', ...plan }]))
    const of = async (condition: object) => (await admin.get('/api/v1/data/delivery-order', { filter: filter(condition), totals: 'cod_amount', length: 1, columns: 'code' })).data.totals
    expect(await of({ code: { startsWith: 'SUM' } })).toEqual({})
    await arus.database.run(sql`update delivery_order set cod_amount = 5 where code = 'SUM1'`)
    expect(await of({ code: { startsWith: 'SUM' } })).toEqual({ cod_amount: '5.00' })
    expect(await of({ code: 'nobody' })).toEqual({ cod_amount: '0.00' })
  })

  it.each([
    ['an unknown column', { nope: 1 }], ['a hidden column', { password_hash: 'x' }], ['an unknown operator', { code: { like: 'x' } }], ['a prototype', { __proto__: null, constructor: 1 }],
    ['the wrong type', { is_active: 'yes' }], ['a period of what holds no days', { name: { within: 'today' } }], ['SQL', { 'code"; drop table brand; --': 1 }], ['a list', []], ['too deep', { not: { not: { not: { not: { not: { not: { not: { not: { code: 'x' } } } } } } } } }],
  ])('refuses %s', async (_name, condition) => {
    const answer = await admin.get('/api/v1/data/user', { filter: filter(condition) })
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', data: { errors: [{ field: 'filter' }] } })
  })

  it('refuses other lists’ columns, orders and positions', async () => {
    for (const query of [{ order: 'nope' }, { order: 'code', sort: 'sideways' }, { columns: 'password_hash' }, { columns: 'code,x.y' }, { totals: 'name' }, { length: 0 }, { length: 5000 }, { page: 0 }, { after: 'AAAA' }, { length: 'x' }]) {
      expect(await admin.get('/api/v1/data/user', query), JSON.stringify(query)).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
    }
  })

  it('adds up the whole filter and searches references', async () => {
    const item = await arus.id('item', 'A')
    for (const [po, total] of [['SUM-1', '100.50'], ['SUM-2', '200.25'], ['SUM-3', '99999999999999.99']]) await newOrder(sales, { PoNumber: po, Total: total, Lines: [{ ItemID: item, Uom: 'CTN', Qty: '1' }] })
    const summed = await sales.get('/api/v1/data/sales-order', { filter: filter({ po_number: { startsWith: 'SUM-' } }), totals: 'total', length: 1, columns: 'code,customer_id.phone,total' })
    expect(summed.data).toMatchObject({ recordsTotal: 3, totals: { total: '100000000000300.74' }, rows: [{ CustomerPhone: null }] })
    const found = await sales.get('/api/v1/data/sales-order', { search: 'makmur', columns: 'code,customer_id', length: 100 })
    expect(found.data.recordsTotal).toBeGreaterThan(3)
    expect((await sales.get('/api/v1/data/sales-order', { search: 'bandung', columns: 'code,customer_id' })).data.recordsTotal).toBe(0)
    expect((await sales.get('/api/v1/data/sales-order', { search: `DRAFT-${summed.data.rows[0].ID}`, columns: 'code' })).data.recordsTotal).toBe(1)
  })

  it('finds months as they are shown and as they are kept', async () => {
    const months = async (search: string): Promise<readonly string[]> => {
      const { rows } = (await admin.get('/api/v1/data/accounting-period', { search, columns: 'period,module', length: 100 })).data
      return [...new Set<string>(rows.map((row: { Period: string }) => row.Period))]
    }
    expect(await months('11/2026')).toEqual(['202611'])
    expect(await months('202611')).toEqual(['202611'])
    expect(await months('13/2026')).toEqual([])
    expect(await months('2026')).toEqual([])
  })

  it('shows each user his own scope', async () => {
    await newOrder(bandung)
    const units = async (session: Session) => {
      const { data } = await session.get('/api/v1/data/sales-order', { length: 200, columns: 'operating_unit_id' })
      return new Set(data.rows.map((row: { OperatingUnitCode: string }) => row.OperatingUnitCode))
    }
    expect(await units(sales)).toEqual(new Set(['JKT']))
    expect(await units(bandung)).toEqual(new Set(['BDG']))
    expect(await units(admin)).toEqual(new Set(['BDG', 'JKT']))
    const lines = await bandung.get('/api/v1/data/sales-order-line', { length: 200, columns: 'sales_order_id' })
    expect(lines.data.recordsTotal).toBeGreaterThan(0)
    expect((await sales.get('/api/v1/data/customer', { columns: 'code' })).data.recordsTotal).toBe(2)
    expect((await sales.get('/api/v1/data/customer-address', { columns: 'code' })).data.recordsTotal).toBe(4)
    expect((await sales.get('/api/v1/lookup/warehouse')).data.records).toHaveLength(1)
    // The list of all of them is for who keeps them.
    expect((await sales.get('/api/v1/data/warehouse', { columns: 'code' })).code).toBe('FORBIDDEN_GUARD')
  })

  it('never shows secrets', async () => {
    expect(JSON.stringify((await admin.get('/api/v1/data/user', { length: 50 })).data)).not.toContain('scrypt')
    expect(JSON.stringify((await admin.get(`/api/v1/data/user/${await arus.id('app_user', 'admin@arus.example', 'email')}`)).data)).not.toContain('scrypt')
  })
})

describe('looking up', () => {
  it('finds by code and name, best first, active ones in scope', async () => {
    const { records } = (await sales.get('/api/v1/lookup/customer', { search: 'toko', columns: 'payment_term_id,phone' })).data
    expect(records).toEqual([
      expect.objectContaining({ ID: expect.any(Number), Code: 'C0000001', Name: 'Toko Makmur', PaymentTermCode: 'N30', Phone: null }),
      expect.objectContaining({ Code: 'C0000002' }),
    ])
    expect((await sales.get('/api/v1/lookup/customer', { ids: `${await arus.id('customer', 'C0000001')},${await arus.id('customer', 'C0000003')}` })).data.records).toHaveLength(1)
    expect((await sales.get('/api/v1/lookup/item', { filter: filter({ code: 'A' }) })).data.records).toHaveLength(1)
    expect((await sales.get('/api/v1/lookup/app_user')).code).toBe('FORBIDDEN_GUARD')
    expect((await sales.get('/api/v1/lookup/nothing')).code).toBe('NOT_FOUND')
  })

  it('turns pasted codes into records in one call', async () => {
    const { records } = (await sales.post('/api/v1/lookup/item/resolve', { codes: ['b', 'nope', ' A '], columns: ['base_uom'] })).data
    expect(records).toEqual([expect.objectContaining({ Code: 'B', BaseUom: 'CTN' }), null, expect.objectContaining({ Code: 'A' })])
    expect((await sales.post('/api/v1/lookup/item/resolve', { codes: 'A' })).code).toBe('VALIDATION_FAILED')
  })
})

describe('users and roles', () => {
  it('are saved with password and territories, the password never coming back', async () => {
    const role = await arus.id('role', 'SALES_ADMIN')
    const territory = await arus.id('territory', 'BDG-W')
    const body = { Email: 'New@arus.example', Name: 'New', RoleID: role, TerritoryScope: true, TerritoryIDs: [territory], Password: 'short' }
    expect((await admin.post('/api/v1/data/user', body)).data.errors).toEqual([expect.objectContaining({ field: 'Password', code: 'WEAK_PASSWORD' })])
    const made = await admin.post('/api/v1/data/user', { ...body, Password: 'Arus-demo-1' })
    expect(made.data.record).toMatchObject({ Email: 'new@arus.example', TerritoryIDs: [territory], Territories: [expect.objectContaining({ TerritoryCode: 'BDG-W' })] })
    const session = await arus.signIn('new')
    // A password somebody else has chosen opens nothing but the way to one's own.
    expect((await session.get('/api/v1/data/customer')).code).toBe('PASSWORD_EXPIRED')
    expect((await session.put('/api/v1/profile/password', { old_password: 'Arus-demo-1', new_password: 'My-own-word-1' })).status).toBe(200)
    expect((await session.get('/api/v1/data/customer', { columns: 'code' })).data.rows.map((row: { Code: string }) => row.Code)).toEqual(expect.arrayContaining(['C0000003']))
    const off = await admin.put(`/api/v1/data/user/${made.data.record.ID}`, { IsActive: false }, { version: 1 })
    expect(off.status).toBe(200)
    expect((await session.get('/api/v1/menu')).status).toBe(401)
  })

  it('cannot lose their last administrator', async () => {
    const id = await arus.id('app_user', 'admin@arus.example', 'email')
    const role = await arus.id('role', 'ADMIN')
    expect(await admin.put(`/api/v1/data/user/${id}`, { IsActive: false }, { version: 1 })).toMatchObject({ status: 409, code: 'IN_USE' })
    expect((await admin.put(`/api/v1/role/${role}/guards`, { GuardNames: ['sales-order-view'] })).code).toBe('IN_USE')
    expect((await admin.get('/api/v1/menu')).status).toBe(200)
  })

  it('hold exactly the permissions and menus they are given', async () => {
    const role = (await admin.post('/api/v1/data/role', { Code: 'TMP', Name: 'Temporary' })).data.record
    expect((await admin.put(`/api/v1/role/${role.ID}/guards`, { GuardNames: ['sales-order-view', 'no-such-guard'] })).code).toBe('VALIDATION_FAILED')
    expect((await admin.put(`/api/v1/role/${role.ID}/guards`, { GuardNames: ['sales-order-view', 'customer-view'] }, { version: 1 })).status).toBe(200)
    const { records } = (await admin.get(`/api/v1/role/${role.ID}/guards`)).data
    expect(records.filter((row: { Held: boolean }) => row.Held).map((row: { GuardName: string }) => row.GuardName)).toEqual(['customer-view', 'sales-order-view'])
    expect((await admin.put(`/api/v1/role/${role.ID}/guards`, { GuardNames: [] }, { version: 1 })).code).toBe('VERSION_CONFLICT')
    const menus = (await admin.get(`/api/v1/role/${role.ID}/menus`)).data.records
    const leaf = menus.find((row: { ParentID: number | null }) => row.ParentID !== null)
    expect((await admin.put(`/api/v1/role/${role.ID}/menus`, { MenuIDs: [leaf.ID] })).status).toBe(200)
    const seen = (await admin.get(`/api/v1/role/${role.ID}/menus`)).data.records.filter((row: { CanView: boolean }) => row.CanView).map((row: { ID: number }) => row.ID)
    expect(new Set(seen)).toEqual(new Set([leaf.ID, leaf.ParentID]))
    expect((await sales.get(`/api/v1/role/${role.ID}/guards`)).code).toBe('FORBIDDEN_GUARD')
  })
})

describe('starred pages', () => {
  it('are everybody’s own', async () => {
    const star = (await sales.post('/api/v1/data/starred-page', { UserID: 1, Url: '/sales-order-list', Title: 'Orders', SortOrder: 0 })).data.record
    expect((await sales.get('/api/v1/home')).data.starred).toEqual([expect.objectContaining({ Url: '/sales-order-list' })])
    expect((await admin.get('/api/v1/data/starred-page')).data.recordsTotal).toBe(0)
    expect((await admin.delete(`/api/v1/data/starred-page/${star.ID}`, { version: 1 })).code).toBe('NOT_IN_SCOPE')
    expect((await sales.delete(`/api/v1/data/starred-page/${star.ID}`, { version: 1 })).status).toBe(200)
  })
})

describe('the status of a customer', () => {
  it('moves by blocking and unblocking alone: what is saved does not touch it', async () => {
    const admin = await arus.signIn('admin')
    const id = await arus.id('customer', 'C0000002')
    const before = (await admin.get(`/api/v1/data/customer/${id}`)).data.record
    const saved = await admin.put(`/api/v1/data/customer/${id}`, { Status: 6, Name: 'Toko Sejahtera' }, { version: before.Version })
    expect([saved.status, saved.data.record.Status]).toEqual([200, 1])
  })
})
