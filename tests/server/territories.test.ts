import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { describedCalls, type DescribedCall } from '../support/calls.ts'
import { demoTemplate } from '../support/demo.ts'
import type { Record as Answered } from '../support/scene.ts'

/** All permissions and screens of the administrator, and one territory of a unit that has several. */
let one: Session
/** The same, in a territory of that unit where nobody buys. */
let empty: Session
let demo: TestApp
let calls: readonly DescribedCall[]
let home: { readonly territory: number; readonly unit: number }
/** A customer of another territory with prices and discounts of his own, and a change of them. */
let buyer: { readonly id: number; readonly territory: number; readonly unit: number }
const own: { prices: number; discounts: number; change: number } = { prices: 0, discounts: 0, change: 0 }
/** Words only records of other territories bear, and whose. */
const foreign = new Map<string, string>()
/** Of each entity a record of another territory. */
const strangers = new Map<string, number>()

const entities = Object.values(metadata.entities)
/** Names of people and places are borne by several. */
const spoken = ['code', 'name', 'tax_number', 'number', 'npwp', 'po_number', 'phone', 'email', 'account_number']
const ambiguous = new Set(['employee.name', 'territory.name', 'operating_unit.name', 'warehouse.name'])

/** Where a bank account of the unit says what came in: it is the unit's, whoever paid. */
const ofTheUnit = new Set(['/api/v1/report/bank-statement.report', '/api/v1/data/bank-statement-line'])

beforeAll(async () => {
  demo = await testApp({ template: demoTemplate })
  calls = describedCalls((await demo.app.inject('/api/v1/openapi.json')).json()).filter((call) => call.method === 'GET' && !call.isPublic && !call.isStream)
  const territory = await demo.database.first<{ id: number; operating_unit_id: number }>(sql`select id, operating_unit_id from territory order by id limit 1`)
  home = { territory: territory?.id ?? 0, unit: territory?.operating_unit_id ?? 0 }
  const [nobody = 0] = await insertRows(demo.database, 'territory', [{ code: 'NOBODY', name: 'Nobody buys here', operating_unit_id: home.unit }])
  one = await signIn('one', home.territory)
  empty = await signIn('empty', nobody)
  await pricesOfAnother()
  await collect()
}, 240_000)

async function pricesOfAnother(): Promise<void> {
  const { database } = demo
  const other = await database.first<{ id: number; territory: number; unit: number }>(sql`select id, territory_id as territory, operating_unit_id as unit from customer where territory_id <> ${home.territory} and operating_unit_id = ${home.unit} order by id limit 1`)
  buyer = other ?? { id: 0, territory: 0, unit: 0 }
  const set = { name: 'Agreed with one customer', scheme: 'V2', scope_kind: 'CUSTOMER', ref_id: buyer.id, valid_from: '2026-01-01' }
  const [prices = 0] = await insertRows(database, 'price_set', [{ ...set, code: 'PRICES-OF-ANOTHER' }])
  const [discounts = 0] = await insertRows(database, 'discount_set', [{ ...set, code: 'DISCOUNTS-OF-ANOTHER' }])
  const item = (await database.first<{ id: number }>(sql`select id from item order by id limit 1`))?.id
  await insertRows(database, 'list_price', [{ price_set_id: prices, item_id: item, uom: 'CTN', min_qty: '0', price: '123456.7', valid_from: '2026-01-01' }])
  await insertRows(database, 'discount', [{ discount_set_id: discounts, seq: 1, name: 'Discount of another', kind: 'PCT', value: '3', base: 'RUNNING', valid_from: '2026-01-01' }])
  const admin = await demo.signIn('admin')
  const body = { Kind: 'LIST_PRICE', Scheme: 'V2', IsPartial: true, PriceSetID: prices, EffectiveFrom: demo.clock.today(), Lines: [{ ItemID: item, Uom: 'CTN', Value: '120000' }] }
  const made = (await admin.post('/api/v1/data/price-change', body)).data.record
  await admin.post(`/api/v1/data/price-change/${made.ID}/submit`, {})
  Object.assign(own, { prices, discounts, change: made.ID })
}

async function signIn(name: string, territory: number): Promise<Session> {
  const { database } = demo
  const admin = await database.first<{ role_id: number; password_hash: string }>(sql`select role_id, password_hash from app_user where email = 'admin@arus.example'`)
  const [user = 0] = await insertRows(database, 'app_user', [{ email: `${name}@arus.example`, name, territory_scope: true, password_change_date: '2026-11-01T00:00:00Z', ...admin }])
  await insertRows(database, 'user_territory', [{ user_id: user, territory_id: territory, operating_unit_id: home.unit }])
  return demo.signIn(name)
}

async function collect(): Promise<void> {
  for (const entity of entities) {
    const elsewhere = elsewhereOf(entity)
    if (!elsewhere) continue
    const columns = entity.fields.map(({ name }) => name).filter((name) => spoken.includes(name) && !ambiguous.has(`${entity.id}.${name}`))
    const rows = await demo.database.rows<Record<string, unknown> & { id: number }>(sql`select * from ${ident(entity.table)} where ${elsewhere} order by id desc`)
    if (rows[0]) strangers.set(entity.id, rows[0].id)
    for (const row of rows) for (const column of columns) if (isWord(row[column])) foreign.set(row[column], `${entity.id}.${column}`)
  }
  for (const entity of entities) {
    const { territory } = entity.scope
    if (territory === undefined) continue
    for (const row of await demo.database.rows(sql`select * from ${ident(entity.table)} where ${ident(territory)} = ${home.territory}`)) for (const name of spoken) foreign.delete(String(row[name]))
  }
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length > 5
}

/** Where records of other territories stand, as far as this file knows by itself. */
function elsewhereOf(entity: ResolvedEntity): Sql | undefined {
  const { territory, operating_unit: unit } = entity.scope
  const column = territory ?? entity.fields.find(({ name }) => name === 'territory_id')?.name
  if (column !== undefined) return sql`${ident(column)} <> ${home.territory}`
  if (entity.fields.some(({ name }) => name === 'customer_id')) return sql`customer_id in (select id from customer where territory_id <> ${home.territory})`
  return unit === undefined ? undefined : sql`${ident(unit)} <> ${home.unit}`
}

/** Words of other territories in an answer. */
function told(body: string): readonly string[] {
  const texts = new Set([...body.matchAll(/"((?:[^"\\]|\\.)*)"/g)].flatMap(([, text = '']) => [text, ...text.split(/[\s,;:|()]+/)]))
  return [...texts].filter((text) => foreign.has(text)).map((text) => `${text} (${foreign.get(text)})`)
}

interface Asked {
  readonly status: number
  readonly body: string
  readonly data: Answered
}

async function ask(session: Session, path: string, query: Readonly<Record<string, string>>): Promise<Asked> {
  const answer = await demo.app.inject({ method: 'GET', url: path, query, headers: { authorization: `Bearer ${session.token}` } })
  return { status: answer.statusCode, body: answer.body, data: answer.headers['content-type']?.toString().startsWith('application/json') === true ? answer.json().data : {} }
}

/** As many rows and columns as the call gives. */
function widest(call: DescribedCall): Readonly<Record<string, string>> {
  const entity = entityOf(call)
  const asks = (name: string): boolean => call.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name)
  const length = call.parameters.find(({ name }) => name === 'length')?.schema['maximum']
  return {
    ...Object.fromEntries(call.parameters.filter((parameter) => parameter.in === 'query' && parameter.required).map(({ name }) => [name, '2026-11-01'])),
    ...(asks('length') ? { length: String(typeof length === 'number' ? length : lengthOf(call)) } : {}),
    ...(asks('columns') && asks('page') && entity ? { columns: entity.fields.filter(({ hidden, type }) => !hidden && type !== 'json').map(({ name }) => name).join(',') } : {}),
  }
}

function lengthOf({ path }: DescribedCall): number {
  if (path.endsWith('/search')) return 20
  return path.endsWith('/notifications') ? 100 : 1000
}

function entityOf({ path }: DescribedCall): ResolvedEntity | undefined {
  const resource = /^\/api\/v1\/data\/([\w-]+)/.exec(path)?.[1]
  return entities.find((entity) => entity.resource === resource)
}

describe('somebody with one territory', () => {
  it('hears nothing of the others from any call that reads', async () => {
    expect(foreign.size).toBeGreaterThan(1000)
    const heard: string[] = []
    let answered = 0
    for (const call of calls.filter(({ path }) => !path.includes('{') && !path.endsWith('/groups') && !ofTheUnit.has(path))) {
      const answer = await ask(one, call.path, widest(call))
      if (answer.status === 200) answered++
      const words = told(answer.body)
      if (words.length > 0) heard.push(`${call.path}: ${words.slice(0, 3).join(', ')} (${words.length})`)
    }
    expect(heard).toEqual([])
    expect(answered).toBeGreaterThan(400)
  }, 240_000)

  it('finds none of their records, nor what hangs on them', async () => {
    const wrong: string[] = []
    let asked = 0
    for (const call of calls.filter(({ path }) => /^\/api\/v1\/data\/[\w-]+\/\{id\}/.test(path))) {
      const resource = entityOf(call)
      for (const entity of resource ? [resource] : entities.filter(({ id }) => strangers.has(id))) {
        const id = strangers.get(entity.id)
        if (id === undefined) continue
        const path = call.path.replace('{resource}', entity.resource).replace('{id}', String(id))
        const answer = await ask(one, path, {})
        asked++
        if (answer.status < 400 || told(answer.body).length > 0) wrong.push(`${path}: ${answer.status} ${answer.body.slice(0, 80)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(150)
  }, 240_000)
})

describe('prices of a single customer', () => {
  it('are those of his territory: others neither see nor change them', async () => {
    const request = await demo.database.first(sql`select territory_id, operating_unit_id from approval_request where doc_type = 'price_change' and doc_id = ${own.change}`)
    expect(request).toEqual({ territory_id: buyer.territory, operating_unit_id: buyer.unit })
    for (const [resource, id] of [['price-set', own.prices], ['price-set-row', own.prices], ['discount-set', own.discounts], ['discount-set-row', own.discounts], ['price-change', own.change]] as const) {
      expect([resource, (await ask(one, `/api/v1/data/${resource}/${id}`, {})).status]).toEqual([resource, 404])
    }
    for (const [resource, filter] of [['list-price', { price_set_id: own.prices }], ['price-row', { price_set_id: own.prices }], ['discount', { discount_set_id: own.discounts }], ['discount-row', { discount_set_id: own.discounts }]] as const) {
      expect([resource, (await ask(one, `/api/v1/data/${resource}`, { length: '1', filter: JSON.stringify(filter) })).data.recordsTotal]).toEqual([resource, 0])
    }
    const change = { Kind: 'LIST_PRICE', Scheme: 'V2', IsPartial: true, EffectiveFrom: demo.clock.today(), Lines: [] }
    const notSeen = (field: string) => ({ status: 422, data: { errors: [{ field, code: 'NOT_IN_SCOPE' }] } })
    expect(await one.post('/api/v1/data/price-change', { ...change, PriceSetID: own.prices })).toMatchObject(notSeen('PriceSetID'))
    expect(await one.post('/api/v1/command/compare-prices', { ...change, IsPartial: false, PriceSetID: own.prices })).toMatchObject(notSeen('PriceSetID'))
    expect(await one.post('/api/v1/command/compare-prices', { ...change, Kind: 'DISCOUNT', DiscountSetID: own.discounts })).toMatchObject(notSeen('DiscountSetID'))
    const set = { Kind: 'PRICE_SET', Scheme: 'V2', SetCode: 'MINE', SetName: 'Mine', ScopeKind: 'CUSTOMER', ScopeCustomerID: buyer.id, EffectiveFrom: demo.clock.today(), Lines: [] }
    expect(await one.post('/api/v1/data/price-change', set)).toMatchObject(notSeen('ScopeCustomerID'))
  })

  it('everybody’s prices are everybody’s, whoever changed them', async () => {
    const total = async (session: Session) => (await ask(session, '/api/v1/data/price-set', { length: '1', filter: JSON.stringify({ scope_kind: 'BASE' }) })).data.recordsTotal
    expect(await total(one)).toBeGreaterThan(0)
    expect(await total(empty)).toBe(await total(one))
  })

  it('change by documents that somebody approves, never by the way', async () => {
    const admin = await demo.signIn('admin')
    for (const [resource, id] of [['price-set', own.prices], ['discount-set', own.discounts], ['list-price', 1], ['discount', 1]] as const) {
      expect([resource, (await admin.put(`/api/v1/data/${resource}/${id}`, { ValidTo: '2026-11-30' }, { version: 1 })).status]).toEqual([resource, 403])
    }
  })
})

describe('somebody with a territory where nobody buys', () => {
  it('sees no amount of customers, in rows or in totals', async () => {
    const bought = ['customer', 'sales_order', 'delivery_order', 'goods_issue', 'invoice', 'invoice_line', 'ar_payment', 'ar_allocation', 'credit_note', 'customer_deposit', 'credit_limit', 'stock_reservation', 'tax_invoice', 'work_team', 'sales_target']
    const counted: Record<string, number> = {}
    for (const id of bought) counted[id] = (await ask(empty, `/api/v1/data/${metadata.entities[id]?.resource}`, { length: '1' })).data.recordsTotal
    expect(counted).toEqual(Object.fromEntries(bought.map((id) => [id, 0])))
    for (const screen of ['ar-aging', 'fbl5n', 'payment', 'so-do-gi-bill', 'customer-limit', 'zdr-bill', 'sales-order-o2c', 'stock-fulfillment']) {
      const path = `/api/v1/report/${screen}.report`
      const known = new Set(calls.find((call) => call.path === path)?.parameters.map(({ name }) => name))
      const days = Object.entries({ date_from: '2025-01-01', date_to: '2026-11-20' }).filter(([name]) => known.has(name))
      const [mine, theirs] = [await ask(empty, path, Object.fromEntries(days)), await ask(one, path, Object.fromEntries(days))]
      expect([screen, mine.data.recordsTotal, theirs.data.recordsTotal > 0]).toEqual([screen, 0, true])
    }
  })

  it('sees of the ledger what belongs to no territory, never a customer', async () => {
    const lines = await ask(empty, '/api/v1/data/journal-line', { length: '1000', columns: 'partner_kind,territory_id' })
    expect(lines.data.recordsTotal).toBeGreaterThan(0)
    expect(lines.data.rows.filter((row: Readonly<Record<string, unknown>>) => row['PartnerKind'] === 'CUSTOMER')).toEqual([])
    const all = await demo.database.first<{ n: number }>(sql`select count(*) as n from journal where operating_unit_id = ${home.unit}`)
    const seen = (await ask(empty, '/api/v1/data/journal', { length: '1' })).data.recordsTotal
    expect(seen).toBeLessThan((all?.n ?? 0) / 2)
  })

  it('sees quotas of sales channels, not of other territories', async () => {
    for (const resource of ['sales-quota', 'sales-quota-use']) {
      const { data } = await ask(empty, `/api/v1/data/${resource}`, { length: '100', columns: 'scope_kind' })
      expect([resource, new Set(data.rows.map((row: Readonly<Record<string, unknown>>) => row['ScopeKind']))]).toEqual([resource, new Set(['CHANNEL'])])
    }
  })
})
