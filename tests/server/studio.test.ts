import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StudioDraft } from '#api/studio.ts'
import { metadata } from '#generated/metadata.ts'
import { contentOf } from '#meta/authoring/proposal.ts'
import { sql } from '#server/db/sql.ts'
import { readSchemaFolder } from '#server/studio/readSchemaFolder.ts'
import { preview } from '#server/studio/preview.ts'
import type { Services } from '#server/services.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { testApp, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'

const base = '/api/v1/studio'
const root = path.resolve(import.meta.dirname, '../..')
const demo = await testApp({ template: demoTemplate })
let analyst: Session
let admin: Session
let sales: Session
let finance: Session

const report = (change: object = {}): string => JSON.stringify({
  kind: 'report', id: 'brand-trial.report', dataset: 'zdr_bill',
  parameters: [{ field: 'date_from', default: '2020-01-01' }, { field: 'date_to', default: { now: 'date' } }],
  columns: ['bill_date', 'brand_name', 'dpp'], groups: ['brand_name'], across: [{ field: 'bill_date', grain: 'month' }], measures: ['dpp'], opens: { rows: ['brand_name'] }, ...change,
}, null, 2)
const rows = { IsSummary: false, Query: {} }
const idOf = async (email: string): Promise<number> => (await demo.database.first<{ id: number }>(sql`select id from app_user where email = ${`${email}@arus.example`}`))?.id ?? 0
const made = async (session: Session, Name = 'Brands', Source = report()): Promise<StudioDraft> => (await session.post(`${base}/draft`, { Name, Source }, { key: `made-${Name.replaceAll(' ', '-')}-${Math.trunc(performance.now() * 1000)}` })).data.record

beforeAll(async () => {
  ;[analyst, admin, sales, finance] = await Promise.all([demo.signIn('analyst'), demo.signIn('admin'), demo.signIn('sales'), demo.signIn('finance')])
})

describe('who may compose', () => {
  it('the analyst and the administrator; everybody else is refused by every call', async () => {
    expect((await analyst.get(`${base}/dataset`)).data.datasets.length).toBe(Object.keys(metadata.datasets).length)
    expect((await admin.get(`${base}/draft`)).status).toBe(200)
    for (const session of [sales, finance]) {
      for (const path of ['dataset', 'draft', 'report/zdr-bill.report', 'draft/1', 'draft/1/people', 'draft/1/publication']) expect((await session.get(`${base}/${path}`)).code).toBe('FORBIDDEN_GUARD')
      expect((await session.post(`${base}/check`, { Source: report() })).code).toBe('FORBIDDEN_GUARD')
      expect((await session.post(`${base}/preview`, { Source: report(), ...rows })).code).toBe('FORBIDDEN_GUARD')
      expect((await session.post(`${base}/draft`, { Name: 'x', Source: '' })).code).toBe('FORBIDDEN_GUARD')
    }
    expect((await demo.anonymous.get(`${base}/dataset`)).status).toBe(401)
  })

  it('all proposals are for reviewers alone', async () => {
    expect((await analyst.get(`${base}/proposal`)).code).toBe('FORBIDDEN_GUARD')
    expect((await admin.get(`${base}/proposal`)).data.records).toEqual([])
  })

  it('a report to start from comes as its file', async () => {
    expect(JSON.parse((await analyst.get(`${base}/report/zdr-bill.report`)).data.Source)).toMatchObject({ id: 'zdr-bill.report', dataset: 'zdr_bill' })
    expect((await analyst.get(`${base}/report/sales-order.list`)).code).toBe('NOT_FOUND')
  })
})

describe('the check and the preview', () => {
  it('say place and advice, and give the screen when there is nothing to say', async () => {
    const sound = await analyst.post(`${base}/check`, { Source: report() })
    expect(sound.data).toMatchObject({ findings: [], screen: { id: 'brand-trial.report', guard: 'report-zdr-bill-view' } })
    const { data } = await analyst.post(`${base}/check`, { Source: report({ measures: ['ddp'] }) })
    expect(data.screen).toBeUndefined()
    expect(data.findings).toEqual([expect.objectContaining({ severity: 'error', code: 'unknown-measure', message: expect.stringContaining('did you mean "dpp"?') })])
  })

  it('show at most 50 rows, the first page whatever is asked for, and groups', async () => {
    const all = await analyst.post(`${base}/preview`, { Source: report(), IsSummary: false, Query: { length: 5000, page: 3 } })
    expect(all.data.rows).toHaveLength(50)
    expect(all.data.recordsTotal).toBeGreaterThan(50)
    const published = await analyst.get('/api/v1/report/zdr-bill.report', { date_from: '2020-01-01', date_to: all.data.parameters.date_to, length: 1 })
    expect(all.data.recordsTotal).toBe(published.data.recordsTotal)
    expect(all.data.totals.dpp).toBe(published.data.totals.dpp)
    const summary = await analyst.post(`${base}/preview`, { Source: report(), IsSummary: true, Query: { group: 'brand_name', measures: 'dpp' } })
    expect(summary.data.rows.length).toBeGreaterThan(1)
    expect(summary.data.rows.length).toBeLessThanOrEqual(50)
  })

  it('refuse hostile JSON with the place, before any SQL is written', async () => {
    for (const [change, code] of [
      [{ dataset: 'app_user' }, 'unknown-dataset'], [{ dataset: 'constructor' }, 'unknown-dataset'], [{ sql: 'select 1' }, 'unknown-key'],
      [{ columns: ['password_hash'] }, 'unknown-column'], [{ columns: ['dpp"; drop table app_user; --'] }, 'unknown-column'], [{ groups: ['toString'] }, 'unknown-dimension'],
      [{ guard: 'nobody-view' }, 'unknown-guard'], [{ columns: [] }, 'too-few'], [{ id: '../../x.report' }, 'wrong-value'],
    ] as const) {
      const answer = await analyst.post(`${base}/preview`, { Source: report(change), ...rows })
      expect([answer.code, answer.data.findings?.[0]?.code, answer.data.errors?.[0]?.field]).toEqual(['VALIDATION_FAILED', code, 'Source'])
      expect(answer.data.findings[0].line).toBeGreaterThan(0)
    }
    for (const Source of [7, null, 'a\u0000b', 'x'.repeat(60_001), ['{}']]) expect((await analyst.post(`${base}/check`, { Source })).data.errors).toEqual([expect.objectContaining({ field: 'Source' })])
    expect((await analyst.post(`${base}/check`, { Source: '['.repeat(50_000) })).data.findings[0]).toMatchObject({ code: 'too-deep', line: 1, column: 41 })
    expect((await analyst.post(`${base}/preview`, { Source: report(), IsSummary: 'yes', Query: { group: { a: 1 } } })).data.errors.map(({ field }: { field: string }) => field)).toEqual(['IsSummary', 'Query'])
    expect((await analyst.post(`${base}/preview`, { Source: report(), IsSummary: true, Query: { group: 'customer_code', measures: 'dpp' } })).code).toBe('VALIDATION_FAILED')
    expect((await analyst.post(`${base}/preview`, { Source: report(), IsSummary: false, Query: { filter: '{"password_hash":"x"}' } })).code).toBe('VALIDATION_FAILED')
  })

  it('cancel a statement that runs away, and say so', async () => {
    const dataset = metadata.datasets['zdr_bill']
    const screen = (await analyst.post(`${base}/check`, { Source: report({ columns: ['brand_name', 'dpp'], groups: undefined, across: undefined, opens: undefined }) })).data.screen as ReportScreen
    if (dataset === undefined) throw new Error('There is no dataset of billed lines')
    const endless = { ...dataset, scope: {}, sql: `select n as invoice_line_id, n as invoice_id, 'x' as brand_name, ${dataset.dimensions.filter(({ name }) => !['invoice_line_id', 'invoice_id', 'brand_name'].includes(name)).map(({ name, type }) => `null::${type === 'date' ? 'date' : type === 'boolean' ? 'boolean' : type === 'integer' || type === 'ref' ? 'bigint' : 'text'} as ${name}`).join(', ')}, ${dataset.measures.filter(({ isColumn, agg }) => isColumn && agg.kind !== 'ratio').map(({ name }) => `1::numeric as ${name}`).join(', ')} from (select a.n from generate_series(1, 100000) a(n), generate_series(1, 1000000) b(m)) n(n) where :scope and :date_from is not null and :date_to is not null and :doc_type is not null` }
    const services = { database: demo.database, clock: demo.clock, metadata: { ...metadata, datasets: { ...metadata.datasets, zdr_bill: endless } } } as unknown as Services
    const user = { id: 1, guards: new Set(['report-zdr-bill-view']), operatingUnits: 'all', territories: 'all' } as unknown as Parameters<typeof preview>[1]
    const started = performance.now()
    await expect(preview(services, user, screen, rows, 700)).rejects.toMatchObject({ code: '57014' })
    expect(performance.now() - started).toBeLessThan(5_000)
    // The database goes on.
    expect((await analyst.post(`${base}/preview`, { Source: report(), ...rows })).status).toBe(200)
  })
})

describe('a draft', () => {
  it('is private, kept as typed even with mistakes, and changed only in the version seen', async () => {
    const draft = await made(analyst, 'Half done', '{ "kind": ')
    expect(draft).toMatchObject({ Version: 1, Name: 'Half done', Source: '{ "kind": ', Readers: [] })
    expect((await admin.get(`${base}/draft/${draft.ID}`)).code).toBe('NOT_FOUND')
    expect((await admin.put(`${base}/draft/${draft.ID}`, { Name: 'Mine' }, { version: 1 })).code).toBe('NOT_FOUND')
    expect((await admin.delete(`${base}/draft/${draft.ID}`, { version: 1 })).code).toBe('NOT_FOUND')
    expect((await analyst.put(`${base}/draft/${draft.ID}`, { Name: ' Done ', Source: report() }, { version: 1 })).data.record).toMatchObject({ Name: 'Done', Version: 2 })
    expect((await analyst.put(`${base}/draft/${draft.ID}`, { Name: 'Late' }, { version: 1 })).code).toBe('VERSION_CONFLICT')
    expect((await analyst.put(`${base}/draft/${draft.ID}`, { Name: 'Late' })).data.errors[0].field).toBe('If-Match')
    expect((await analyst.put(`${base}/draft/${draft.ID}`, { Name: '', Sauce: 1 }, { version: 2 })).data.errors.map(({ field }: { field: string }) => field)).toEqual(['Sauce', 'Name'])
    const log = await demo.database.rows<{ action: string }>(sql`select action from document_log where doc_type = 'report_draft' and doc_id = ${draft.ID} order by id`)
    expect(log.map(({ action }) => action)).toEqual(['create', 'edit'])
    expect((await analyst.delete(`${base}/draft/${draft.ID}`, { version: 2 })).status).toBe(200)
    expect((await analyst.get(`${base}/draft/${draft.ID}`)).code).toBe('NOT_FOUND')
  })

  it('is made once under one key', async () => {
    const body = { Name: 'Once', Source: report() }
    const [first, second] = [await analyst.post(`${base}/draft`, body, { key: 'draft-once-1' }), await analyst.post(`${base}/draft`, body, { key: 'draft-once-1' })]
    expect(second.data).toEqual(first.data)
    expect((await analyst.post(`${base}/draft`, { ...body, Name: 'Twice' }, { key: 'draft-once-1' })).code).toBe('DUPLICATE_REQUEST')
  })

  it('is tried by named colleagues under their own permission and scope, and by nobody else', async () => {
    const draft = await made(analyst, 'Orders by day', JSON.stringify({ kind: 'report', id: 'orders-trial.report', dataset: 'sales_order_o2c', parameters: [{ field: 'state', default: 'ALL' }, 'date_from', 'date_to', { field: 'as_of', default: { now: 'date' } }], columns: ['so_code', 'so_date', 'total'] }))
    const path = `${base}/draft/${draft.ID}/readers`
    const people: readonly { readonly ID: number }[] = (await analyst.get(`${base}/draft/${draft.ID}/people`, { search: '' })).data.records
    const [salesId, cashierId] = [await idOf('sales'), await idOf('cashier')]
    expect(people.some(({ ID }) => ID === cashierId)).toBe(false)
    expect((await analyst.put(path, { UserIDs: [cashierId] }, { version: 1 })).data.errors[0].field).toBe('UserIDs')
    expect((await sales.get(`${base}/trial/${draft.ID}`)).code).toBe('NOT_FOUND')
    const shared = (await analyst.put(path, { UserIDs: [salesId] }, { version: 1 })).data.record
    expect(shared).toMatchObject({ Version: 2, Readers: [expect.objectContaining({ ID: salesId })] })
    expect((await sales.get(`${base}/trial/${draft.ID}`)).data.record).toMatchObject({ Name: 'Orders by day', screen: { id: 'orders-trial.report' } })
    const [own, everything] = [await sales.post(`${base}/trial/${draft.ID}/answer`, rows), await analyst.post(`${base}/trial/${draft.ID}/answer`, rows)]
    expect(own.data.recordsTotal).toBeGreaterThan(0)
    expect(own.data.recordsTotal).toBeLessThan(everything.data.recordsTotal)
    const told = await demo.database.rows(sql`select kind, link from notification where user_id = ${salesId} and subject = ${`report_draft:${draft.ID}`}`)
    expect(told).toEqual([{ kind: 'REPORT_SHARED', link: `/report-trial/${draft.ID}` }])
    expect((await finance.post(`${base}/trial/${draft.ID}/answer`, rows)).code).toBe('NOT_FOUND')
    // Taken back, it is gone; shared over another dataset, the permission for that one decides.
    const other = (await analyst.put(`${base}/draft/${draft.ID}`, { Source: report() }, { version: 2 })).data.record
    expect((await sales.post(`${base}/trial/${draft.ID}/answer`, rows)).code).toBe('FORBIDDEN_GUARD')
    expect((await analyst.put(path, { UserIDs: [] }, { version: other.Version })).data.record.Readers).toEqual([])
    expect((await sales.get(`${base}/trial/${draft.ID}`)).code).toBe('NOT_FOUND')
  })
})

describe('a proposal', () => {
  const texts = { Title: { en: 'Brand trial', cn: '品牌试用', id: 'Uji merek' }, Sentence: { en: 'Net sales {DateFrom}.', cn: '净销售额 {DateFrom}。', id: 'Penjualan {DateFrom}.' } }
  const body = { Area: 'sales', Path: '/report/brand-trial', Group: 'Reports', ...texts, Note: 'For the sales meeting' }

  it('holds file, route, menu entry and texts as a patch, is reviewed, and can be withdrawn', async () => {
    const draft = await made(analyst)
    const offer = (await analyst.get(`${base}/draft/${draft.ID}/publication`)).data
    expect(offer.record).toMatchObject({ Area: 'billing', Path: '/report/brand-trial', Group: 'Reports', Sentence: { en: expect.stringContaining('{DateFrom}'), cn: expect.stringContaining('{DateTo}') } })
    const { data, status } = await analyst.post(`${base}/draft/${draft.ID}/proposal`, { ...body, HasOwnPermission: true }, { version: 1, key: 'propose-brand-1' })
    expect([status, data.record?.State, data.record?.Files]).toEqual([200, 'PROPOSED', ['schemas/sales/brand-trial/brand-trial.report.json', 'schemas/routes.json', 'schemas/menu.json', 'schemas/messages/en.json', 'schemas/messages/cn.json', 'schemas/messages/id.json']])
    const patch = (await analyst.get(`${base}/proposal/${data.record.ID}/patch`)).message
    expect(patch).toContain('+++ b/schemas/sales/brand-trial/brand-trial.report.json')
    expect(patch).toContain('+  "guard": "brand-trial-view",')
    expect(patch).toContain('"url":"/report/brand-trial","guard":"brand-trial-view"')
    expect(patch).toContain('"screen.brand-trial.report": "品牌试用"')
    expect((await sales.get(`${base}/proposal/${data.record.ID}/patch`)).code).toBe('NOT_FOUND')
    expect((await admin.get(`${base}/proposal`)).data.records[0]).toMatchObject({ ID: data.record.ID, IsOwn: false, Note: 'For the sales meeting', State: 'PROPOSED' })
    expect((await admin.get(`${base}/proposal/${data.record.ID}/patch`)).message).toBe(patch)
    expect((await admin.post(`${base}/proposal/${data.record.ID}/withdraw`, {})).code).toBe('NOT_FOUND')
    expect((await analyst.post(`${base}/proposal/${data.record.ID}/withdraw`, {})).data.record.State).toBe('WITHDRAWN')
    expect((await analyst.post(`${base}/proposal/${data.record.ID}/withdraw`, {})).code).toBe('ILLEGAL_TRANSITION')
  })

  it('puts a tile on the dashboard by the same patch, and the last proposal of a draft takes the place of those before it', async () => {
    const draft = await made(analyst, 'With a tile', report({ id: 'tile-trial.report', opens: { rows: ['brand_name'], compare: 'year' } }))
    const offer = (await analyst.get(`${base}/draft/${draft.ID}/publication`)).data.tile
    expect(offer.record).toMatchObject({ Dashboard: 'dashboard', Type: 'chart', Measure: 'dpp', By: 'brand_name' })
    expect(offer.groups.map(({ key }: { key: string }) => key)).toEqual(['brand_name', 'bill_date:month'])
    const wanted = { ...body, Path: '/report/tile-trial', Tile: { ...offer.record, Title: { en: 'Brands of the year', cn: '年度品牌', id: 'Merek tahun ini' } } }
    const send = async (change: object) => (await analyst.post(`${base}/draft/${draft.ID}/proposal`, { ...wanted, Tile: { ...wanted.Tile, ...change } }, { version: 1 })).data
    const fields = (data: { errors?: readonly { field: string }[] }) => data.errors?.map(({ field }) => field)
    expect(fields(await send({ Dashboard: 'none', Measure: 'bill_date', By: 'item_code' }))).toEqual(['Tile.Dashboard', 'Tile.Measure', 'Tile.By'])
    expect(fields(await send({ Type: 'list', By: '' }))).toEqual(['Tile.By'])
    expect(fields(await send({ Type: 'poem', Title: { en: 'A', cn: '', id: 'B' } }))).toEqual(['Tile.Type', 'Tile.Title.cn'])
    const first = (await send({})).record
    expect(first).toMatchObject({ State: 'PROPOSED', DraftID: draft.ID, Files: expect.arrayContaining(['schemas/home/dashboard/dashboard.dashboard.json']) })
    const patch = (await analyst.get(`${base}/proposal/${first.ID}/patch`)).message
    expect(patch).toContain('"from": { "report": "tile-trial.report", "compare": "year" }')
    expect(patch).toContain('+ "tile.dashboard.tile-trial": "年度品牌"')
    const second = (await analyst.post(`${base}/draft/${draft.ID}/proposal`, { ...wanted, Tile: undefined }, { version: 1 })).data.record
    const own = (await analyst.get(`${base}/draft`)).data.proposals.filter(({ DraftID }: { DraftID: number }) => DraftID === draft.ID)
    expect(own.map(({ ID, State }: { ID: number; State: string }) => [ID, State])).toEqual([[second.ID, 'PROPOSED'], [first.ID, 'WITHDRAWN']])
  })

  it('is published when the running program has the screen', async () => {
    await demo.database.run(sql`insert into report_proposal (owner_id, screen, path, title, files, patch) values (${await idOf('analyst')}, 'zdr-bill.report', '/report/zdr-bill', 'Register', '{}', '')`)
    expect((await analyst.get(`${base}/draft`)).data.proposals[0]).toMatchObject({ Title: 'Register', State: 'PUBLISHED' })
  })

  it('changes a published report where it stands, as often as it is proposed; what came into force stays published', async () => {
    const source = (await analyst.get(`${base}/report/zdr-bill.report`)).data.Source
    const register: { readonly columns: readonly unknown[] } = JSON.parse(source)
    const draft = await made(analyst, 'Register again', source)
    const offer = (await analyst.get(`${base}/draft/${draft.ID}/publication`)).data
    expect(offer).toMatchObject({ isChange: true, areas: ['billing'], record: { Area: 'billing', Path: '/report/zdr-bill', Group: 'Reports', Title: { en: 'Billing register' } } })
    const propose = async (version: number, change: object = {}) => (await analyst.post(`${base}/draft/${draft.ID}/proposal`, { ...offer.record, ...change }, { version })).data
    expect((await propose(1)).errors).toEqual([expect.objectContaining({ field: 'Source' })])

    const change = async (version: number, columns: number) => (await analyst.put(`${base}/draft/${draft.ID}`, { Source: JSON.stringify({ ...register, columns: register.columns.slice(0, -columns) }) }, { version })).data.record.Version
    const first = (await propose(await change(1, 1), { Path: '/somewhere/else', HasOwnPermission: true })).record
    expect(first).toMatchObject({ State: 'PROPOSED', Path: '/report/zdr-bill', Files: ['schemas/billing/zdr-bill/zdr-bill.report.json'] })
    // Only its texts: the file stays as it is.
    const unchanged = (await analyst.put(`${base}/draft/${draft.ID}`, { Source: source }, { version: 2 })).data.record.Version
    const named = (await propose(unchanged, { Title: { en: 'Bills', cn: '账单', id: 'Tagihan' } })).record
    expect(named).toMatchObject({ State: 'PROPOSED', Files: ['schemas/messages/en.json', 'schemas/messages/cn.json', 'schemas/messages/id.json'] })
    expect((await analyst.get(`${base}/proposal/${named.ID}/patch`)).message).toContain('+ "screen.zdr-bill.report": "账单"')

    // Its patch is applied and the program started with it: here the proposal says what the program says.
    const files = readSchemaFolder(path.join(root, 'schemas'), root)
    await demo.database.run(sql`update report_proposal set content = ${contentOf(files, 'schemas/billing/zdr-bill/zdr-bill.report.json', 'zdr-bill.report') ?? ''} where id = ${named.ID}`)
    const states = async () => (await analyst.get(`${base}/draft`)).data.proposals.filter(({ DraftID }: { DraftID: number }) => DraftID === draft.ID).map(({ State }: { State: string }) => State)
    expect(await states()).toEqual(['PUBLISHED', 'WITHDRAWN'])
    await propose(await change(3, 2))
    expect(await states()).toEqual(['PROPOSED', 'PUBLISHED', 'WITHDRAWN'])
    await demo.database.run(sql`update report_proposal set content = 'changed since' where id = ${named.ID}`)
    expect(await states()).toEqual(['PROPOSED', 'PUBLISHED', 'WITHDRAWN'])
    expect((await analyst.post(`${base}/proposal/${named.ID}/withdraw`, {})).code).toBe('ILLEGAL_TRANSITION')
  })

  it('is refused with the field or the place that is wrong', async () => {
    const draft = await made(analyst, 'Refused')
    const send = async (change: object, version = 1) => (await analyst.post(`${base}/draft/${draft.ID}/proposal`, { ...body, ...change }, { version })).data.errors?.map(({ field }: { field: string }) => field)
    expect(await send({ Area: '../..', Path: 'x', Group: '"],' })).toEqual(['Area', 'Path', 'Group'])
    expect(await send({ Title: { en: 'A', cn: '' }, Sentence: 7 })).toEqual(['Title.cn', 'Title.id', 'Sentence'])
    expect(await send({ Path: '/report/zdr-bill' })).toEqual(['Path'])
    expect(await send({ Surprise: 1 })).toEqual(['Surprise'])
    expect((await analyst.post(`${base}/draft/${draft.ID}/proposal`, body, { version: 9 })).code).toBe('VERSION_CONFLICT')
    const wrong = await analyst.post(`${base}/draft/${draft.ID}/proposal`, { ...body, Sentence: { ...texts.Sentence, cn: '{Day}' } }, { version: 1 })
    expect(wrong.data.findings).toEqual([expect.objectContaining({ path: 'schemas/messages/cn.json', code: 'wrong-placeholder' })])
    const broken = await made(analyst, 'Broken', report({ measures: ['ddp'] }))
    expect((await analyst.post(`${base}/draft/${broken.ID}/proposal`, body, { version: 1 })).data.findings[0]).toMatchObject({ code: 'unknown-measure' })
    expect(await demo.database.rows(sql`select id from report_proposal where title = 'Refused'`)).toEqual([])
  })
})
