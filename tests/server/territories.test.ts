import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql, type Sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { describedCalls, type DescribedCall } from '../support/calls.ts'
import { demoTemplate } from '../support/demo.ts'
import { Imports } from '../support/imports.ts'
import { onlookers, type Onlookers } from '../support/oneTerritory.ts'
import type { Record as Answered } from '../support/scene.ts'

let admin: Session
let one: Session
let empty: Session
let demo: TestApp
let calls: readonly DescribedCall[]
let home: Onlookers['home']
/** A customer of another territory with prices and discounts of his own, and a change of them. */
let buyer: { readonly id: number; readonly territory: number; readonly unit: number }
const own: { prices: number; discounts: number; change: number } = { prices: 0, discounts: 0, change: 0 }
/** Words only records of other territories bear, and whose. */
const foreign = new Map<string, string>()
/** Of each entity a record of another territory. */
const strangers = new Map<string, number>()

const entities = Object.values(metadata.entities)
/** Names of people and places are borne by several; the number of a transfer stands in the deposit of him who gave and of him who got. */
const spoken = ['code', 'name', 'tax_number', 'number', 'npwp', 'po_number', 'phone', 'email', 'account_number']
const ambiguous = new Set(['employee.name', 'territory.name', 'operating_unit.name', 'warehouse.name', 'warehouse.code', 'shipment_cost.code', 'withholding_slip.npwp', 'customer_deposit_transfer.code'])

/** Where a bank account of the unit says what came in, or what its trips cost: that is the unit's, whoever paid and whoever's goods were on board. */
const ofTheUnit = new Set([
  '/api/v1/report/bank-statement.report', '/api/v1/data/bank-statement-line', '/api/v1/approval/shipment_cost/submit', '/api/v1/lookup/shipment_cost', '/api/v1/data/shipment-cost', '/api/v1/data/shipment-cost-execution-line', '/api/v1/data/vendor-invoice-line',
])

beforeAll(async () => {
  demo = await testApp({ template: demoTemplate })
  calls = describedCalls((await demo.app.inject('/api/v1/openapi.json')).json()).filter((call) => call.method === 'GET' && !call.isPublic && !call.isStream)
  ;({ home, admin, one, empty } = await onlookers(demo))
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
    // What is settled with vendors and held for nobody in particular belongs to the unit, in no territory.
    const filters: Readonly<Record<string, object>> = { ar_allocation: { item_id: { empty: true } }, stock_reservation: { customer_id: { empty: false } } }
    for (const id of bought) counted[id] = (await ask(empty, `/api/v1/data/${metadata.entities[id]?.resource}`, { length: '1', ...(filters[id] === undefined ? {} : { filter: JSON.stringify(filters[id]) }) })).data.recordsTotal
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

describe('a record that holds lines of several territories', () => {
  let key = 0
  const tell = async (session: Session, resource: string, id: number): Promise<Answered> => (await session.get(`/api/v1/data/${resource}/${id}`)).data.record
  const another = (): Promise<{ id: number } | undefined> => demo.database.first(sql`select id from territory where operating_unit_id = ${home.unit} and id <> ${home.territory} and code <> 'NOBODY' order by id`)

  it('shows somebody who sees one of them his own lines, and is changed by who sees all', async () => {
    const elsewhere = (await another())?.id
    const made: Answered = (await admin.post('/api/v1/data/sales-target', {
      Code: 'SHARED', Name: 'Shared', OperatingUnitID: home.unit, ValidFrom: '2026-01-01', ValidTo: '2026-12-31', Amount: '100',
      Lines: [{ TerritoryID: home.territory, Amount: '60' }, { TerritoryID: elsewhere, Amount: '40' }],
    })).data.record
    const amounts = (record: Answered): readonly string[] => record.Lines.map((line: Answered) => line.Amount)
    const seen = await tell(one, 'sales-target', made.ID)
    expect([amounts(made), amounts(seen)]).toEqual([['60.00', '40.00'], ['60.00']])
    const path = `/api/v1/data/sales-target/${made.ID}`
    for (const answer of [
      await one.put(path, { Name: 'Mine' }, { version: seen.Version }),
      await one.put(path, { Lines: [{ ID: seen.Lines[0].ID }] }, { version: seen.Version }),
      await one.delete(path, { version: seen.Version }),
    ]) expect([answer.status, answer.code, answer.message]).toEqual([403, 'FORBIDDEN_GUARD', 'It holds lines of territories you do not see. Only who sees all of it can change it or move it on.'])
    const bulk = (await one.post('/api/v1/data/sales-target/bulk/deactivate', { IDs: [made.ID], Versions: [seen.Version] })).data.results
    expect(bulk).toMatchObject([{ ok: false, code: 'FORBIDDEN_GUARD' }])
    expect(amounts(await tell(admin, 'sales-target', made.ID))).toEqual(['60.00', '40.00'])
    expect((await admin.put(path, { Name: 'All of it' }, { version: made.Version })).status).toBe(200)
    expect((await empty.get(path)).code).toBe('NOT_IN_SCOPE')
  })

  it('that is a tour is neither released nor taken back by who sees a part of it, nor seen by who sees none', async () => {
    // What is due in the unit is of two orders, one of them his.
    const order = await demo.database.first<{ id: number; lines: readonly number[] }>(sql`
      select sales_order_id as id, array_agg(id order by id) as lines from sales_order_line_due where operating_unit_id = ${home.unit} group by 1 order by count(*) desc, 1 limit 1`)
    await demo.database.run(sql`update sales_order set territory_id = ${home.territory} where id = ${order?.id}`)
    const theirOrder = await demo.database.first<{ id: number }>(sql`
      update sales_order set status = 1 where id = (select id from sales_order where operating_unit_id = ${home.unit} and territory_id <> ${home.territory} and warehouse_id is not null order by id desc limit 1) returning id`)
    await demo.database.run(sql`update sales_order_line set sales_order_id = ${theirOrder?.id}, line_no = 999 where id = ${order?.lines[0]}`)
    const due = await demo.database.rows<{ id: number; territory_id: number }>(sql`select id, territory_id from sales_order_line_due where operating_unit_id = ${home.unit} order by id`)
    const [mine, theirs] = [due.find((line) => line.territory_id === home.territory), due.find((line) => line.territory_id !== home.territory)]
    const planned = await admin.post('/api/v1/command/plan-delivery', { IDs: [mine?.id, theirs?.id], PlanDate: '2026-11-23' }, { key: `shared-tour-${key++}` })
    const plan: number = planned.data.Plans[0].ID
    const path = `/api/v1/data/delivery-plan/${plan}`
    const lines = (record: Answered): readonly number[] => record.Lines.map((line: Answered) => line.OrderLineID)
    expect(lines(await tell(admin, 'delivery-plan', plan)).toSorted()).toEqual([mine?.id, theirs?.id].toSorted())
    const seen = await tell(one, 'delivery-plan', plan)
    expect(lines(seen)).toEqual([mine?.id])
    expect((await one.get('/api/v1/data/delivery-plan-line', { filter: JSON.stringify({ delivery_plan_id: plan }) })).data.recordsTotal).toBe(1)
    expect([(await empty.get(path)).code, (await empty.get('/api/v1/data/delivery-plan', { filter: JSON.stringify({ id: plan }) })).data.recordsTotal]).toEqual(['NOT_IN_SCOPE', 0])
    const actions: readonly Answered[] = (await one.get(`${path}/actions`)).data.records
    expect(actions.filter(({ Action }) => Action === 'release' || Action === 'edit').map(({ Refusal }) => Refusal.key)).toEqual(['problem.FORBIDDEN_GUARD.partly', 'problem.FORBIDDEN_GUARD.partly'])
    const release = await one.post(`${path}/release`, {}, { version: seen.Version })
    expect([release.code, release.data.key]).toEqual(['FORBIDDEN_GUARD', 'problem.FORBIDDEN_GUARD.partly'])
    expect((await admin.post(`${path}/release`, {}, { version: seen.Version })).status).toBe(200)
    expect((await one.post('/api/v1/data/delivery-plan/bulk/cancel', { IDs: [plan], ReasonText: 'mine is not ready' })).data.results).toMatchObject([{ ok: false, code: 'FORBIDDEN_GUARD' }])
    expect((await one.post('/api/v1/command/change-trip', { IDs: [plan], PlanDate: '2026-11-24' })).data.results).toMatchObject([{ ok: false, code: 'FORBIDDEN_GUARD' }])
    expect((await empty.post('/api/v1/command/change-trip', { IDs: [plan], PlanDate: '2026-11-24' })).data.results).toMatchObject([{ ok: false, code: 'NOT_IN_SCOPE' }])
    expect((await admin.get(path)).data.record).toMatchObject({ PlanDate: '2026-11-23' })
    expect((await admin.get('/api/v1/data/delivery-order', { filter: JSON.stringify({ delivery_plan_id: plan, status: { ne: 6 } }) })).data.recordsTotal).toBe(2)
  })

  it('that is a journal shows lines of his territory and of none', async () => {
    const shared = await demo.database.first<{ id: number }>(sql`
      select j.id from journal j where j.operating_unit_id = ${home.unit} and exists (select 1 from journal_line l where l.journal_id = j.id and l.territory_id is null)
        and exists (select 1 from journal_line l where l.journal_id = j.id and l.territory_id <> ${home.territory}) limit 1`)
    const territories = async (session: Session): Promise<ReadonlySet<unknown>> => new Set((await tell(session, 'journal', shared?.id ?? 0)).Lines.map((line: Answered) => line.TerritoryID))
    expect((await territories(admin)).size).toBeGreaterThan(1)
    expect([...(await territories(one))].filter((id) => id !== null && id !== home.territory)).toEqual([])
  })
})

describe('what is named beside the rows of a command, or only typed', () => {
  const due = (): Promise<{ id: number } | undefined> => demo.database.first(sql`select id from sales_order_line_due where territory_id = ${home.territory} order by id desc limit 1`)

  it('is of the user’s units: no vehicle or driver of another plans his tour, none that is not there, none that was taken off', async () => {
    const vehicle = await demo.database.first<{ id: number }>(sql`select id from vehicle where operating_unit_id <> ${home.unit} limit 1`)
    const own = await demo.database.first<{ id: number }>(sql`select id from vehicle where operating_unit_id = ${home.unit} limit 1`)
    const driver = await demo.database.first<{ id: number }>(sql`select id from employee where operating_unit_id <> ${home.unit} limit 1`)
    const plan = async (more: object): Promise<unknown> => (await one.post('/api/v1/command/plan-delivery', { IDs: [(await due())?.id], PlanDate: '2026-11-23', ...more })).data.errors
    expect(await plan({ VehicleID: vehicle?.id, DriverID: driver?.id })).toMatchObject([{ field: 'VehicleID', code: 'NOT_IN_SCOPE' }, { field: 'DriverID', code: 'NOT_IN_SCOPE' }])
    expect(await plan({ VehicleID: 999_999 })).toMatchObject([{ field: 'VehicleID', code: 'NOT_IN_SCOPE' }])
    await demo.database.run(sql`update vehicle set is_active = false where id = ${own?.id}`)
    expect(await plan({ VehicleID: own?.id })).toMatchObject([{ field: 'VehicleID', code: 'INACTIVE' }])
    await demo.database.run(sql`update vehicle set is_active = true where id = ${own?.id}`)
    expect(await plan({ VehicleID: own?.id })).toBeUndefined()
  })

  it('tells no stock of another unit’s warehouse while an order is typed', async () => {
    const stocked = (unit: Sql) => demo.database.first<{ warehouse_id: number; item_id: number; uom: string }>(sql`
      select b.warehouse_id, b.item_id, i.base_uom as uom from stock_balance b join warehouse w on w.id = b.warehouse_id join item i on i.id = b.item_id
      where ${unit} and w.kind = 'MAIN' and b.on_hand > b.reserved order by b.id limit 1`)
    const customer = await demo.database.first<{ id: number }>(sql`select id from customer where territory_id = ${home.territory} limit 1`)
    const free = async (place: Awaited<ReturnType<typeof stocked>>): Promise<unknown> => {
      const answer = await one.post('/api/v1/command/price-order', { CustomerID: customer?.id, WarehouseID: place?.warehouse_id, Lines: [{ ItemID: place?.item_id, Uom: place?.uom, Qty: '1' }] })
      return answer.data.record.Lines[0].AtpQty
    }
    expect(Number(await free(await stocked(sql`w.operating_unit_id = ${home.unit}`)))).toBeGreaterThan(0)
    expect(Number(await free(await stocked(sql`w.operating_unit_id <> ${home.unit}`)))).toBe(0)
  })

  it('warns in a file that a tax number is known, without a word about whose', async () => {
    const npwp = '0099887766554000'
    await demo.database.run(sql`update customer set npwp = ${npwp} where id = ${strangers.get('customer') ?? 0}`)
    const errors = async (session: Session): Promise<string> => {
      const files = new Imports(demo, session)
      return (await files.errors(await files.take('customer.import', `Name,NPWP\nToko Baru,${npwp}\n`))).filter((line) => line.includes('E04')).join()
    }
    expect(await errors(one)).toContain(`${npwp} is there already, in a record you do not see.`)
    expect(await errors(admin)).toMatch(new RegExp(`${npwp} is there already \\(C\\w+\\)`))
  })

  it('is refused where it is taken, without a word about where', async () => {
    const draft = await demo.database.first<{ id: number; trx_code: string; status_code: string; version: number }>(sql`select id, trx_code, status_code, version from tax_invoice where territory_id = ${home.territory} and status = 'APPROVED' limit 1`)
    const taken = `${draft?.trx_code}${draft?.status_code}0002698765432`
    await demo.database.run(sql`update tax_invoice set faktur_number = ${taken} where id = ${strangers.get('tax_invoice') ?? 0}`)
    const ask = async (session: Session): Promise<Answered> => (await session.put(`/api/v1/data/tax-invoice/${draft?.id}`, { FakturNumber: taken }, { version: draft?.version ?? 1 })).data.errors
    expect(await ask(one)).toMatchObject([{ field: 'FakturNumber', code: 'DUPLICATE', key: 'field.DUPLICATE' }])
    expect(await ask(admin)).toMatchObject([{ field: 'FakturNumber', key: 'field.DUPLICATE.faktur' }])
  })
})
