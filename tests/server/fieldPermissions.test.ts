import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { fieldGuards, permitted } from '#meta/permitted.ts'
import type { Field, ReportScreen, ResolvedEntity } from '#meta/resolved.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { ident, sql } from '#server/db/sql.ts'
import { isInternal } from '#server/documents/entities.ts'
import { isGroupable } from '#server/documents/listGroups.ts'
import type { Answer, Session } from '../support/app.ts'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
/** Hold everything; everything but the permissions of fields; these and those to read fields, not to write them. */
let sees: Session
let blind: Session
let reader: Session
let invoice: number
let issue: number
let item: number

const asked = fieldGuards(metadata)
const writing = new Set(Object.values(metadata.entities).flatMap(({ fields }) => fields.flatMap(({ writeBy }) => writeBy ?? [])))

beforeAll(async () => {
  scene = await openScene()
  const { database } = scene
  await scene.invoiced('C0000001', [{ item: 'A', qty: '24' }])
  invoice = (await database.first<{ id: number }>(sql`select id from invoice order by id desc limit 1`))?.id ?? 0
  issue = (await database.first<{ id: number }>(sql`select id from goods_issue order by id desc limit 1`))?.id ?? 0
  item = await scene.at.id('item', 'A')
  const { password_hash: hash } = (await database.first<{ password_hash: string }>(sql`select password_hash from app_user where email = 'admin@arus.example'`)) ?? { password_hash: '' }
  const guards = (await database.rows<{ guard_name: string }>(sql`select guard_name from permission`)).map(({ guard_name }) => guard_name)
  const menus = await database.rows<{ id: number }>(sql`select id from menu`)
  const signIn = async (name: string, without: (guard: string) => boolean): Promise<Session> => {
    const [role = 0] = await insertRows(database, 'role', [{ code: name.toUpperCase(), name }])
    await insertRows(database, 'role_permission', guards.filter((guard) => !without(guard)).map((guard_name) => ({ role_id: role, guard_name })))
    await insertRows(database, 'role_menu', menus.map(({ id }) => ({ role_id: role, menu_id: id, can_view: true })))
    await insertRows(database, 'app_user', [{ email: `${name}@arus.example`, name, role_id: role, territory_scope: false, password_hash: hash, password_change_date: '2026-11-01T00:00:00Z' }])
    return scene.at.signIn(name)
  }
  sees = await signIn('sees', () => false)
  blind = await signIn('blind', (guard) => asked.includes(guard))
  reader = await signIn('reader', (guard) => writing.has(guard))
  await database.run(sql`update item set standard_cost = 81234.5 where id = ${item}`)
}, 240_000)

/** A road to a field: the call, and the key under which its value would come; without one the very call is refused to him who may not read it. */
interface Road {
  readonly road: string
  readonly of: string
  readonly call: (session: Session) => Promise<Answer>
  readonly key?: string
}

const guarded = Object.values(metadata.entities).flatMap((entity) => (isInternal(entity) ? [] : entity.fields.flatMap((field) => (field.readBy === undefined ? [] : [{ entity, field }]))))
/** Over references too: `item_id.standard_cost` of an order line. */
const hops = guarded.flatMap(({ entity: target, field }) =>
  Object.values(metadata.entities).flatMap((entity) => (isInternal(entity) ? [] : entity.fields.filter((reference) => reference.entity === target.id).map((reference) => ({ entity, name: `${reference.name}.${field.name}`, field })))))
const named = [...guarded.map(({ entity, field }) => ({ entity, name: field.name, field })), ...hops]

const test = (name: string): string => JSON.stringify({ [name]: { ge: '0' } })
const exported = (entity: ResolvedEntity, more: object): object | undefined => {
  const screen = Object.values(metadata.screens).find((one) => one.kind === 'list' && one.entity === entity.id)
  return screen === undefined ? undefined : { screen: screen.id, format: 'csv', language: 'en', hasTotals: false, columns: [{ name: 'id' }], sort: [], ...more }
}

function roadsOf({ entity, name }: { readonly entity: ResolvedEntity; readonly name: string }): readonly Road[] {
  const of = `${entity.id}.${name}`
  const base = `/api/v1/data/${entity.resource}`
  const by = entity.fields.find((one) => isGroupable(one) && one.readBy === undefined)?.name ?? 'id'
  const list = (road: string, query: Readonly<Record<string, string>>): Road => ({ road, of, call: (session) => session.get(base, query) })
  const files = [['export column', { columns: [{ name }] }], ['export filter', { filter: { [name]: { ge: '0' } } }], ['export order', { sort: [{ field: name, dir: 'asc' }] }]] as const
  return [
    list('column', { columns: name }),
    list('filter', { filter: test(name) }),
    list('order', { order: name, sort: 'asc' }),
    list('total', { totals: name }),
    { road: 'total of groups', of, call: (session) => session.get(`${base}/groups`, { by, totals: name }) },
    { road: 'filter of groups', of, call: (session) => session.get(`${base}/groups`, { by, filter: test(name) }) },
    { road: 'count', of, call: (session) => session.get(`${base}/counts`, { filters: `[${test(name)}]` }) },
    { road: 'selection', of, call: (session) => session.post(`${base}/selection`, { count: 1, filter: test(name) }) },
    { road: 'neighbours', of, call: (session) => session.get(`${base}/1/around`, { order: name, sort: 'asc' }) },
    { road: 'look-up column', of, call: (session) => session.get(`/api/v1/lookup/${entity.id}`, { columns: name }) },
    { road: 'look-up filter', of, call: (session) => session.get(`/api/v1/lookup/${entity.id}`, { filter: test(name) }) },
    { road: 'codes', of, call: (session) => session.post(`/api/v1/lookup/${entity.id}/resolve`, { codes: ['A'], columns: [name] }) },
    ...files.flatMap(([road, more]): readonly Road[] => {
      const body = exported(entity, more)
      return body === undefined ? [] : [{ road, of, call: (session) => session.post('/api/v1/export', body) }]
    }),
  ]
}

/** What is answered without the field being named. */
const unnamed = guarded.flatMap(({ entity, field }): readonly Road[] => {
  const of = `${entity.id}.${field.name}`
  const key = field.wire
  const one = async (): Promise<number> => (await scene.database.first<{ id: number }>(sql`select id from ${ident(entity.table)} order by id limit 1`).catch(() => undefined))?.id ?? 1
  return [
    { road: 'rows', of, key, call: (session) => session.get(`/api/v1/data/${entity.resource}`) },
    { road: 'record', of, key, call: async (session) => session.get(`/api/v1/data/${entity.resource}/${await one()}`) },
  ]
})

function holdsKey(value: unknown, key: string): boolean {
  if (Array.isArray(value)) return value.some((part) => holdsKey(part, key))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, part]) => name === key || holdsKey(part, key))
}

/** Walks the roads; those that lead nowhere for anybody are told apart. */
async function walk(roads: readonly Road[]): Promise<{ readonly leaks: readonly string[]; readonly walked: ReadonlySet<string>; readonly fields: ReadonlySet<string> }> {
  const leaks: string[] = []
  const walked = new Set<string>()
  const fields = new Set<string>()
  for (const { road, of, key, call } of roads) {
    const [all, none] = [await call(sees), await call(blind)]
    const isSeen = all.status === 200 && (key === undefined || holdsKey(all.data, key))
    if (isSeen) {
      walked.add(road)
      fields.add(of)
    }
    const isOpen = none.status === 200 && (key === undefined || holdsKey(none.data, key))
    // A selection whose rows have moved has looked at them all the same.
    if (isOpen || none.code === 'SELECTION_CHANGED' || none.status >= 500) leaks.push(`${road} ${of}: ${none.status} ${none.code}`)
  }
  return { leaks, walked, fields }
}

describe('a field with a permission, as somebody who has all others', () => {
  it('is on no road, and on every one for him who has it', async () => {
    const roads = named.flatMap(roadsOf)
    const { leaks, walked, fields } = await walk([...roads, ...unnamed])
    expect(leaks).toEqual([])
    expect([...new Set([...roads, ...unnamed].map(({ road }) => road))].filter((road) => !walked.has(road) && road !== 'selection')).toEqual([])
    expect(guarded.map(({ entity, field }) => `${entity.id}.${field.name}`).filter((name) => !fields.has(name))).toEqual([])
  }, 240_000)

  it('is there: cost and margin of items, invoices, goods issues and stock', () => {
    expect(guarded.map(({ entity, field }) => `${entity.id}.${field.name}`).toSorted()).toEqual([
      'billable_order_line.price', 'billing_due.cost', 'canvas_request.cost_short', 'canvas_request.total', 'canvas_request_line.cost_found', 'canvas_request_line.cost_loaded', 'canvas_request_line.cost_returned', 'canvas_request_line.cost_short', 'canvas_request_line.unit_cost', 'cmi_consumption_line.cost', 'consignment_pickup.cost', 'consignment_pickup_line.cost', 'consignment_sales_line.cost', 'debit_note_line.billed_price', 'debit_note_line.cost', 'debit_note_line.difference', 'debit_note_line.grir', 'debit_note_line.grir_price', 'free_goods_request.estimate', 'free_goods_request.total', 'free_goods_request_line.cost', 'free_goods_request_line.standard_cost', 'free_goods_request_line.unit_cost', 'free_goods_request_line.value', 'goods_issue.cost', 'goods_issue_line.cost', 'goods_issue_line.returned_cost', 'goods_issue_line.unit_cost', 'goods_issue_return.cost', 'goods_issue_return_line.cost', 'goods_issue_return_line.unit_cost', 'goods_receipt.total', 'goods_receipt_line.billed_price',
      'goods_receipt_line.cost', 'goods_receipt_line.landed_cost', 'goods_receipt_line.unit_cost', 'invoice_line.cogs', 'item.standard_cost', 'kitting_order.estimate', 'kitting_order.total', 'kitting_order_line.cost_in',
      'kitting_order_line.cost_out', 'kitting_order_line.unit_cost', 'opening_balance.unit_cost', 'purchase_order.total',
      'purchase_order_line.amount', 'purchase_order_line.price', 'returnable_goods.price', 'sales_return.cost', 'sales_return_line.cost', 'sales_return_line.cost_credited', 'sales_return_line.cost_good', 'sales_return_line.cost_refused', 'scrap.estimate', 'scrap.total', 'scrap_line.cost',
      'scrap_line.standard_cost', 'scrap_line.unit_cost', 'scrap_line.value', 'sku_cost.avg_cost', 'sku_cost.value', 'stock_cost.value', 'stock_movement.cost_amount',
      'stock_movement.unit_cost', 'stock_opname.diff_value', 'stock_opname_line.diff_value', 'stock_opname_line.gain_cost', 'stock_opname_line.loss_cost',
      'stock_opname_line.unit_cost', 'stock_transfer.total', 'stock_transfer_line.cost', 'stock_transfer_line.unit_cost', 'stock_transfer_receipt.total',
      'stock_transfer_receipt_line.cost', 'stock_transfer_receipt_line.cost_sent', 'vendor_invoice_line.po_price', 'vendor_invoice_receipt.value',
      'vendor_invoice_share.gone', 'vendor_invoice_share.in_stock', 'vendor_invoice_share.share',
    ])
    expect(hops.some(({ entity, name }) => entity.id === 'sales_order_line' && name === 'item_id.standard_cost')).toBe(true)
  })

  it('is in no line of a record that is read', async () => {
    const [all, none] = [await sees.get(`/api/v1/data/invoice/${invoice}`), await blind.get(`/api/v1/data/invoice/${invoice}`)]
    expect(Number(all.data.record.Lines[0].Cogs)).toBeGreaterThan(0)
    expect(none.data.record.Lines[0].ItemCode).toBe('A')
    expect(holdsKey(none.data, 'Cogs')).toBe(false)
  })

  it('is not written: neither when a record is made nor when it is changed', async () => {
    const { record } = (await sees.get(`/api/v1/data/item/${item}`)).data
    for (const session of [blind, reader]) {
      const sent = await session.put(`/api/v1/data/item/${item}`, { ShortName: session === blind ? 'One' : 'Two', StandardCost: '1' }, { version: (await sees.get(`/api/v1/data/item/${item}`)).data.record.Version })
      if (session === blind) expect(sent).toMatchObject({ status: 422, data: { errors: [{ field: 'StandardCost' }] } })
      else expect(sent.status).toBe(200)
      expect((await sees.get(`/api/v1/data/item/${item}`)).data.record.StandardCost).toBe(record.StandardCost)
    }
    // Without the key he changes what else there is, and the cost stays.
    const { Version: version } = (await sees.get(`/api/v1/data/item/${item}`)).data.record
    expect((await blind.put(`/api/v1/data/item/${item}`, { ShortName: 'Three' }, { version })).status).toBe(200)
    expect((await sees.get(`/api/v1/data/item/${item}`)).data.record).toMatchObject({ ShortName: 'Three', StandardCost: record.StandardCost })
    const written = await sees.put(`/api/v1/data/item/${item}`, { StandardCost: '81000.00' }, { version: version + 1 })
    expect(written).toMatchObject({ status: 200, data: { record: { StandardCost: '81000.00' } } })
  })

  it('is in no history, and what a colleague has changed meanwhile does not tell it', async () => {
    const [all, none] = [await sees.get(`/api/v1/data/item/${item}/history`), await blind.get(`/api/v1/data/item/${item}/history`)]
    expect(JSON.stringify(all.data)).toContain('standard_cost')
    expect(JSON.stringify(none.data)).toContain('Three')
    expect(JSON.stringify(none.data)).not.toContain('standard_cost')
    const stale = await blind.put(`/api/v1/data/item/${item}`, { ShortName: 'Four' }, { version: 1 })
    expect(stale.status).toBe(409)
    expect(holdsKey(stale.data, 'StandardCost')).toBe(false)
  })

  it('is no amount in the flow of documents', async () => {
    const amounts = async (session: Session): Promise<readonly unknown[]> =>
      (await session.get(`/api/v1/data/invoice/${invoice}/flow`)).data.records.flatMap((one: { DocType: string; Amount: string | null }) => (one.DocType === 'goods_issue' ? [one.Amount] : []))
    expect(await amounts(sees)).toEqual([expect.stringMatching(/^[1-9]/)])
    expect(await amounts(blind)).toEqual([null])
  })

  it('is not booked for him to see: journals of a document leave out those of cost', async () => {
    for (const [resource, id, events] of [['invoice', invoice, ['INV']], ['goods-issue', issue, []]] as const) {
      const journals = async (session: Session): Promise<readonly string[]> => (await session.get(`/api/v1/data/${resource}/${id}/journal`)).data.records.map((one: { SourceEvent: string }) => one.SourceEvent)
      expect((await journals(sees)).length).toBeGreaterThan(events.length)
      expect(await journals(blind)).toEqual(events)
    }
    // Their mirrors too.
    await scene.database.run(sql`alter table journal disable trigger user`)
    await scene.database.run(sql`update journal set source_event = 'COGS_REV' where source_event = 'COGS'`)
    expect((await blind.get(`/api/v1/data/invoice/${invoice}/journal`)).data.records.map((one: { SourceEvent: string }) => one.SourceEvent)).toEqual(['INV'])
    await scene.database.run(sql`update journal set source_event = 'COGS' where source_event = 'COGS_REV'`)
    await scene.database.run(sql`alter table journal enable trigger user`)
  })
})

const reports = Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'report' ? [screen] : []))
const figures = reports.flatMap((report) => {
  const dataset = metadata.datasets[report.dataset]
  return [...(dataset?.dimensions ?? []), ...(dataset?.measures ?? [])].flatMap((field) => (field.readBy === undefined ? [] : [{ report, field }]))
})
const days = { date_from: '2026-11-01', date_to: '2026-11-30', as_of: '2026-11-30' }
const parametersOf = ({ dataset }: ReportScreen): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(days).filter(([name]) => metadata.datasets[dataset]?.parameters.some((one) => one.name === name)))

function figureRoads({ report, field }: { readonly report: ReportScreen; readonly field: Field }): readonly Road[] {
  const of = `${report.dataset}.${field.name}`
  const parameters = parametersOf(report)
  const path = `/api/v1/report/${report.id}`
  const isAdded = report.measures.some(({ name, agg }) => name === field.name && agg.kind !== 'none')
  const row = report.groups[0]?.key ?? ''
  const file = { screen: report.id, format: 'csv', language: 'en', hasTotals: false, columns: [{ name: report.columns[0]?.name }], sort: [], parameters }
  return [
    { road: 'filter of a report', of, call: (session) => session.get(path, { ...parameters, filter: test(field.name) }) },
    { road: 'order of a report', of, call: (session) => session.get(path, { ...parameters, order: field.name, sort: 'desc' }) },
    { road: 'rows of a report', of, key: field.wire, call: (session) => session.get(path, parameters) },
    { road: 'export of a report', of, call: (session) => session.post('/api/v1/export', { ...file, columns: [{ name: field.name }] }) },
    { road: 'filter of an export', of, call: (session) => session.post('/api/v1/export', { ...file, filter: { [field.name]: { ge: '0' } } }) },
    ...(isAdded
      ? [
          { road: 'groups of a report', of, call: (session: Session) => session.get(`${path}/summary`, { ...parameters, group: row, measures: field.name }) },
          { road: 'export of groups', of, call: (session: Session) => session.post('/api/v1/export', { ...file, columns: [{ name: field.name }], summary: { rows: [row] } }) },
        ]
      : []),
  ]
}

describe('a figure with a permission', () => {
  it('is on no road of a report, and margins take the permission of what they are worked out of', async () => {
    expect(figures.map(({ report, field }) => `${report.dataset}.${field.name}`).toSorted()).toEqual([
      'cmi_monitoring.stock_value', 'debit_note_return_report.cost', 'debit_note_return_report.difference', 'inbound.cost', 'promotion_effect.gain', 'promotion_effect.roi', 'purchase_order_report.open_value', 'purchase_order_report.price',
      'purchase_order_report.value', 'scrap_report.cost', 'so_do_gi_bill.gi_cost', 'stock_opname_report.accuracy', 'stock_opname_report.diff_value',
      'stock_opname_report.matched_value', 'stock_opname_report.system_value', 'stock_territory.avg_cost', 'stock_territory.value', 'zdr_bill.cogs', 'zdr_bill.margin',
      'zdr_bill.margin_pct',
    ])
    const roads = figures.flatMap(figureRoads)
    const { leaks, walked, fields } = await walk(roads)
    expect(leaks).toEqual([])
    expect([...new Set(roads.map(({ road }) => road))].filter((road) => !walked.has(road))).toEqual([])
    expect(new Set(roads.map(({ of }) => of))).toEqual(fields)
  }, 120_000)

  it('is on no tile of a dashboard', async () => {
    const tile = '/api/v1/dashboard/dashboard/sales-month'
    const [all, none] = [await sees.get(tile), await blind.get(tile)]
    expect(all.data.second.name).toBe('margin_pct')
    expect(none).toMatchObject({ status: 200, data: { kind: 'kpi' } })
    expect(JSON.stringify(none.data)).not.toContain('margin')
  })

  it('is nothing to compose a report of', async () => {
    const offered = async (session: Session): Promise<readonly string[]> =>
      (await session.get('/api/v1/studio/dataset')).data.datasets.find((one: { ID: string }) => one.ID === 'zdr_bill').Measures.map((one: { name: string }) => one.name)
    expect(await offered(sees)).toContain('margin')
    expect(await offered(blind)).not.toContain('margin')
    expect(await offered(blind)).toContain('dpp')
    const { Source: source } = (await sees.get('/api/v1/studio/report/zdr-bill.report')).data
    const seen = await sees.post('/api/v1/studio/preview', { Source: source, IsSummary: false, Query: parametersOf(reports.find(({ id }) => id === 'zdr-bill.report') ?? never()) })
    expect(holdsKey(seen.data, 'Margin')).toBe(true)
    const unseen = await blind.post('/api/v1/studio/preview', { Source: source, IsSummary: false, Query: { date_from: '2026-11-01', date_to: '2026-11-30' } })
    expect([unseen.status, unseen.data.rows.length > 0, holdsKey(unseen.data, 'Margin'), holdsKey(unseen.data, 'MarginPct')]).toEqual([200, true, false, false])
    const check = await blind.post('/api/v1/studio/check', { Source: source })
    expect(JSON.stringify(check.data.screen.measures)).not.toContain('margin')
  })
})

describe('a screen without what may not be read', () => {
  const screens = (holds: boolean) => Object.values(metadata.screens).map((screen) => permitted(screen, () => holds))

  it('names no such field, whatever its kind', () => {
    expect(JSON.stringify(screens(true))).toContain('"readBy"')
    expect(JSON.stringify(screens(false))).not.toContain('"readBy"')
  })

  it('is the very same for whoever may read all', () => {
    expect(screens(true).every((screen, i) => screen === Object.values(metadata.screens)[i])).toBe(true)
  })

  it('has no sheet to import that would leave out what it must have', () => {
    const sheets = (holds: boolean) => screens(holds).flatMap((screen) => (screen.kind === 'import' ? screen.sheets.map(({ id }) => `${screen.id} ${id}`) : []))
    expect(sheets(true).filter((name) => !sheets(false).includes(name))).toEqual([expect.stringMatching(/^opening-balance\.import /)])
  })
})

function never(): never {
  throw new Error('There is no such report')
}
