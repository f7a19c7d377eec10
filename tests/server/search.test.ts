import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'
import { noRegistries } from '../support/registries.ts'

let arus: TestApp
let admin: Session
let sales: Session
let warehouse: Session

beforeAll(async () => {
  arus = await testApp({ registries: noRegistries, template: demoTemplate })
  ;[admin, sales, warehouse] = await Promise.all([arus.signIn('admin'), arus.signIn('sales'), arus.signIn('warehouse')])
})

interface Hit {
  readonly Entity: string
  readonly ID: number
  readonly Code: string
  readonly Name: string | null
  readonly Url: string
}

const search = async (session: Session, text: string, query = {}): Promise<readonly Hit[]> => (await session.get('/api/v1/search', { search: text, ...query })).data.records

describe('the search over everything', () => {
  it('finds a document by its whole number, its end and its customer’s order number', async () => {
    const order = await arus.database.first<{ id: number; code: string; name: string }>(sql`
      select o.id, o.code, c.name from sales_order o join customer c on c.id = o.customer_id where o.code is not null order by o.id desc limit 1`)
    const wanted = { Entity: 'sales_order', ID: order?.id, Code: order?.code, Name: order?.name, Url: `/sales-order-list/${order?.id}` }
    expect((await search(admin, order?.code ?? ''))[0]).toMatchObject(wanted)
    expect(await search(admin, (order?.code ?? '').toLowerCase())).toContainEqual(expect.objectContaining(wanted))
    expect(await search(admin, (order?.code ?? '').slice(-8))).toContainEqual(expect.objectContaining(wanted))
    const draft = await arus.database.first<{ id: number }>(sql`select id from sales_order where code is null limit 1`)
    if (draft) expect((await search(admin, `draft-${draft.id}`))[0]).toMatchObject({ ID: draft.id, Code: `DRAFT-${draft.id}` })
  })

  it('finds customers and items by code and by words of their names, in any order', async () => {
    const customer = await arus.database.first<{ id: number; code: string; name: string }>(sql`select id, code, name from customer where is_active and name like '% % %' order by id limit 1`)
    expect((await search(admin, customer?.code ?? ''))[0]).toMatchObject({ Entity: 'customer', ID: customer?.id, Url: `/master/customers/edit/${customer?.id}` })
    const words = (customer?.name ?? '').split(' ').toReversed().join(' ')
    expect(await search(admin, words)).toContainEqual(expect.objectContaining({ Entity: 'customer', ID: customer?.id }))
    const item = await arus.database.first<{ id: number; code: string }>(sql`select id, code from item where is_active order by id limit 1`)
    expect((await search(admin, item?.code ?? ''))[0]).toMatchObject({ Entity: 'item', Code: item?.code, Url: `/master/sku-view?edit=${item?.id}` })
  })

  it('finds a customer by name for people who may only read customers', async () => {
    const own = await arus.database.first<{ id: number; name: string }>(sql`
      select id, name from customer where is_active and territory_id in (select territory_id from user_territory where user_id = ${await arus.id('app_user', 'sales@arus.example', 'email')}) order by id limit 1`)
    expect(await search(sales, own?.name ?? '')).toContainEqual(expect.objectContaining({ Entity: 'customer', ID: own?.id, Url: `/master/customers/edit/${own?.id}` }))
  })

  it('shows only what lies within the user’s territories', async () => {
    const foreign = await arus.database.first<{ code: string }>(sql`
      select code from customer where is_active and territory_id not in (select territory_id from user_territory where user_id = ${await arus.id('app_user', 'sales@arus.example', 'email')}) limit 1`)
    expect(await search(admin, foreign?.code ?? '')).not.toEqual([])
    expect(await search(sales, foreign?.code ?? '')).toEqual([])
    const foreignOrder = await arus.database.first<{ code: string }>(sql`select o.code from sales_order o join customer c on c.id = o.customer_id where c.code = ${foreign?.code} and o.code is not null limit 1`)
    if (foreignOrder) expect((await search(sales, foreignOrder.code)).filter((hit) => hit.Code === foreignOrder.code)).toEqual([])
  })

  it('shows only kinds the role may read and pages its menu has', async () => {
    const kinds = async (session: Session, text: string) => [...new Set((await search(session, text, { length: 20 })).map((hit) => hit.Entity))]
    const invoice = await arus.database.first<{ code: string }>(sql`
      select i.code from invoice i join customer c on c.id = i.customer_id
      where c.territory_id in (select territory_id from user_territory where user_id = ${await arus.id('app_user', 'warehouse@arus.example', 'email')}) and i.code is not null limit 1`)
    expect(await kinds(admin, invoice?.code ?? '')).toContain('invoice')
    expect(await kinds(warehouse, invoice?.code ?? '')).toEqual([])
    await arus.database.run(sql`delete from role_menu where role_id = ${await arus.id('role', 'ADMIN')} and menu_id in (select id from menu where url = '/billing')`)
    expect(await kinds(await arus.signIn('admin'), invoice?.code ?? '')).not.toContain('invoice')
  })

  it('asks for three letters, takes signs literally and gives at most what was asked', async () => {
    expect(await search(admin, '')).toEqual([])
    expect(await search(admin, 'to')).toEqual([])
    expect(await search(admin, '%%%')).toEqual([])
    expect(await search(admin, `'; drop table customer; --`)).toEqual([])
    const some = await search(admin, 'toko', { length: 2 })
    expect(some.filter((hit) => hit.Entity === 'customer')).toHaveLength(2)
    expect((await admin.get('/api/v1/search', { search: 'toko', length: 21 })).code).toBe('VALIDATION_FAILED')
    expect((await arus.anonymous.get('/api/v1/search', { search: 'toko' })).status).toBe(401)
  })
})
