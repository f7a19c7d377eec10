import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { ident, sql } from '#server/db/sql.ts'
import { testApp, type Answer, type Session, type TestApp } from '../support/app.ts'
import { describedCalls, type DescribedCall } from '../support/calls.ts'
import { demoTemplate } from '../support/demo.ts'
import { Imports } from '../support/imports.ts'
import { onlookers, type Onlookers } from '../support/oneTerritory.ts'
import type { Record as Answered } from '../support/scene.ts'
import { pixel, upload } from '../support/upload.ts'

/** A word that stands only in what others have written, about records of other territories or for themselves. */
const secret = 'Kwartalrabatt'

let demo: TestApp
let admin: Session
let one: Session
let empty: Session
let oneId: number
let calls: readonly DescribedCall[]
let home: Onlookers['home']
/** Records of another territory of the same unit, and of another unit. */
const strangers: { readonly resource: string; readonly entity: string; readonly id: number; readonly comment: number; readonly file: { readonly id: number; readonly key: string } }[] = []
/** Paths of what others keep for themselves. */
const others: Record<string, number> = {}
let request: number

beforeAll(async () => {
  demo = await testApp({ template: demoTemplate })
  calls = describedCalls((await demo.app.inject('/api/v1/openapi.json')).json()).filter((call) => !call.isPublic && !call.isStream)
  ;({ home, admin, one, empty } = await onlookers(demo))
  oneId = await demo.id('app_user', 'one@arus.example', 'email')
  await plant()
}, 240_000)

let keys = 0
async function sent(session: Session, path: string, body: unknown): Promise<Answered> {
  const answer = await session.post(path, body, { key: `planted-${keys++}` })
  expect([path, answer.status, answer.message]).toEqual([path, 200, answer.message])
  return answer.data.record
}

async function plant(): Promise<void> {
  for (const entity of ['customer', 'sales_order', 'invoice', 'ar_payment', 'delivery_order']) {
    const { table = '', resource = '' } = metadata.entities[entity] ?? {}
    for (const where of [sql`operating_unit_id = ${home.unit} and territory_id <> ${home.territory}`, sql`operating_unit_id <> ${home.unit}`]) {
      const id = (await demo.database.first<{ id: number }>(sql`select id from ${ident(table)} where ${where} order by id desc limit 1`))?.id ?? 0
      const path = `/api/v1/data/${resource}/${id}`
      const comment: number = (await sent(admin, `${path}/comments`, { Text: `${secret} agreed`, Mentions: [] })).ID
      await admin.put(`${path}/comments/${comment}`, { Text: `${secret} agreed, told to @Administrator` })
      const file = (await upload(demo.app, admin.token, `${path}/attachments`, { name: `${secret}.png`, bytes: pixel })).data.record
      strangers.push({ resource, entity, id, comment, file: { id: file.ID, key: file.Key } })
    }
  }
  others['/api/v1/view/{id}'] = (await sent(admin, '/api/v1/view', { Screen: 'sales-order.list', Name: secret, Definition: { columns: [{ name: 'code' }], filters: [], sort: [] } })).ID
  const report = { screen: 'ar-aging.report', format: 'xlsx', language: 'en', hasTotals: true, columns: [{ name: 'remaining' }], sort: [], parameters: { as_of: 'now:date' }, summary: { rows: ['customer_code'] } }
  const schedule = { Name: secret, Request: report, Every: 'DAY', Weekdays: [], MonthDay: 1, At: '07:00', Zone: 'Asia/Jakarta', RecipientIDs: [oneId] }
  others['/api/v1/report-schedule/{id}'] = (await sent(admin, '/api/v1/report-schedule', schedule)).ID
  others['/api/v1/studio/draft/{id}'] = (await sent(admin, '/api/v1/studio/draft', { Name: secret, Source: `{ "title": "${secret}" }` })).ID
  others['/api/v1/studio/trial/{id}'] = others['/api/v1/studio/draft/{id}'] ?? 0
  const deputy = await demo.id('app_user', 'credit@arus.example', 'email')
  others['/api/v1/delegation/{id}'] = (await sent(await demo.signIn('finance'), '/api/v1/delegation', { ToUserID: deputy, ValidFrom: demo.clock.today(), ValidTo: demo.clock.today(), Note: secret })).ID
  const files = new Imports(demo, admin)
  const elsewhere = await demo.database.first<{ code: string; unit: string }>(sql`select t.code, u.code as unit from territory t join operating_unit u on u.id = t.operating_unit_id where t.operating_unit_id <> ${home.unit} limit 1`)
  others['/api/v1/import-batch/{id}'] = (await files.take('customer.import', `Name,Territory\n${secret},${elsewhere?.code}\n`, { name: `${secret}.csv` })).ID
  const waiting = await demo.database.first<{ id: number }>(sql`select id from approval_request where status = 4 and territory_id <> ${home.territory} order by id limit 1`)
  request = waiting?.id ?? 0
  await demo.database.run(sql`update approval_request set reasons = jsonb_build_array(jsonb_build_object('code', 'LIMIT', 'text', ${secret}::text, 'value', null)) where id = ${request}`)
}

async function ask(session: Session, path: string, query: Readonly<Record<string, string>> = {}): Promise<{ readonly status: number; readonly body: string }> {
  const answer = await demo.app.inject({ method: 'GET', url: path, query, headers: { authorization: `Bearer ${session.token}` } })
  return { status: answer.statusCode, body: answer.body }
}

/** Parameters a call must have, and the secret word where something is searched for. */
function questions(call: DescribedCall): readonly Readonly<Record<string, string>>[] {
  const asks = (name: string): boolean => call.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name)
  const must = Object.fromEntries(call.parameters.filter((parameter) => parameter.in === 'query' && parameter.required).map(({ name }) => [name, '2026-11-01']))
  return [must, ...(asks('search') ? [{ ...must, search: secret }] : []), ...(asks('key') ? strangers.map(({ file }) => ({ ...must, key: file.key })) : [])]
}

describe('what others have written about records of other territories, and for themselves', () => {
  it('stands in no answer to somebody outside', async () => {
    const heard: string[] = []
    let asked = 0
    for (const call of calls.filter(({ method, path }) => method === 'GET' && !path.includes('{') && !/\/template$|\/groups$/.test(path))) {
      for (const query of questions(call)) {
        for (const session of [one, empty]) {
          const { body } = await ask(session, call.path, query)
          asked++
          // A search that found nothing may say what it searched for.
          if (body.includes(secret) && !(query['search'] === secret && body.split(secret).length === 2 && body.includes(`"search":"${secret}"`))) heard.push(`${call.path} ${JSON.stringify(query)}`)
        }
      }
    }
    expect(heard).toEqual([])
    expect(asked).toBeGreaterThan(1000)
    expect((await ask(admin, '/api/v1/report-schedule')).body).toContain(secret)
  }, 240_000)

  it('is not there for somebody outside who knows its number, to read, to answer or to change', async () => {
    const reached: string[] = []
    const take = (told: string, { status, message, data }: Answer): void => {
      if (status < 400 || `${message}${JSON.stringify(data)}`.includes(secret)) reached.push(`${told}: ${status}`)
    }
    for (const { resource, id, comment, file } of strangers) {
      const path = `/api/v1/data/${resource}/${id}`
      for (const session of [one, empty]) {
        for (const part of ['', '/comments', '/attachments', '/history', '/counts', '/people', '/flow', '/actions']) take(`GET ${path}${part}`, await session.get(`${path}${part}`))
        take(`POST ${path}/comments`, await session.post(`${path}/comments`, { Text: 'What is it about?' }, { key: `outside-${keys++}` }))
        take(`PUT ${path}/comments`, await session.put(`${path}/comments/${comment}`, { Text: 'Never mind' }, { key: `outside-${keys++}` }))
        take(`DELETE ${path}/comments`, await session.delete(`${path}/comments/${comment}`, { key: `outside-${keys++}` }))
        take(`DELETE ${path}/attachments`, await session.delete(`${path}/attachments/${file.id}`, { key: `outside-${keys++}` }))
        take(`GET preview ${path}`, await session.get('/api/v1/general/preview', { key: file.key }))
        take(`POST download ${path}`, await session.post('/api/v1/general/download', { key: file.key }))
      }
    }
    for (const [start, id] of Object.entries(others)) {
      for (const call of calls.filter(({ path }) => path.startsWith(start))) {
        const path = call.path.replace('{id}', String(id))
        // With the version it has: nothing but whose it is stands in the way.
        const answer = await demo.app.inject({ method: call.method, url: path, headers: { authorization: `Bearer ${empty.token}`, 'if-match': '1', 'idempotency-key': `outside-${keys++}` }, ...(call.method === 'GET' || call.method === 'DELETE' ? {} : { payload: {} }) })
        if (answer.statusCode < 400 || answer.body.includes(secret)) reached.push(`${call.method} ${path}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
      }
    }
    for (const session of [one, empty]) {
      take('GET request', await session.get(`/api/v1/approval/request/${request}`))
      for (const decision of ['approve', 'reject', 'return', 'withdraw']) take(decision, await session.post(`/api/v1/approval/${request}/${decision}`, { Note: 'x', ReasonText: 'x' }, { key: `outside-${keys++}` }))
      const bulk = (await session.post('/api/v1/approval/bulk/approve', { IDs: [request] }, { key: `outside-${keys++}` })).data.results
      expect(bulk).toMatchObject([{ ok: false }])
    }
    expect(reached).toEqual([])
    expect(await demo.database.rows(sql`select count(*) as n from document_comment where text like ${`${secret} agreed, told%`}`)).toEqual([{ n: strangers.length }])
    expect(await demo.database.rows(sql`select status from approval_request where id = ${request}`)).toEqual([{ status: 4 }])
  }, 120_000)
})

describe('a mention', () => {
  it('calls nobody to a record he does not see: he is not offered, not told, and no mail is written', async () => {
    const mails = async (): Promise<unknown> => (await demo.database.first(sql`select count(*) as n from mail`))?.['n']
    const before = await mails()
    for (const { resource, id } of strangers) {
      const path = `/api/v1/data/${resource}/${id}`
      const offered: readonly Answered[] = (await admin.get(`${path}/people`, { search: 'one' })).data.records
      expect([resource, offered.map(({ Name }) => Name)]).toEqual([resource, []])
      const refused = await admin.post(`${path}/comments`, { Text: `@one look: ${secret}`, Mentions: [oneId] }, { key: `mention-${keys++}` })
      expect([resource, refused.status, refused.data.errors?.[0]?.field]).toEqual([resource, 422, 'Mentions'])
      // A name that is only typed calls nobody.
      await sent(admin, `${path}/comments`, { Text: `@one look: ${secret}`, Mentions: [] })
    }
    expect((await one.get('/api/v1/notifications')).data.records).toEqual([])
    expect(await mails()).toBe(before)
    const own = await demo.database.first<{ id: number }>(sql`select id from customer where territory_id = ${home.territory} order by id limit 1`)
    await sent(admin, `/api/v1/data/customer/${own?.id}/comments`, { Text: '@one look', Mentions: [oneId] })
    expect((await one.get('/api/v1/notifications')).data.records).toMatchObject([{ Kind: 'MENTION' }])
  })

  it('names who stands in the text, not whose name begins another’s', async () => {
    const namesake = await demo.database.first<{ id: number }>(sql`
      insert into app_user (email, name, password_hash, role_id, territory_scope, password_change_date) select 'one.more@arus.example', 'one more', password_hash, role_id, false, password_change_date from app_user where id = ${oneId} returning id`)
    const own = await demo.database.first<{ id: number }>(sql`select id from customer where territory_id = ${home.territory} order by id desc limit 1`)
    const before = (await one.get('/api/v1/notifications')).data.records.length
    const made = await sent(admin, `/api/v1/data/customer/${own?.id}/comments`, { Text: 'Please look, @one more', Mentions: [oneId, namesake?.id] })
    expect(made.Mentions).toEqual([{ ID: namesake?.id, Name: 'one more' }])
    expect((await one.get('/api/v1/notifications')).data.records).toHaveLength(before)
  })
})

describe('figures of a dashboard', () => {
  it('of somebody with a territory where nobody buys count nobody’s money, and those of one territory its own', async () => {
    const counted: Record<string, unknown> = {}
    const { tiles } = (await empty.get('/api/v1/dashboard/dashboard')).data
    for (const { id } of tiles) {
      const { data } = await empty.get(`/api/v1/dashboard/dashboard/${id}`)
      const amounts: readonly Answered[] = data.amounts ?? (data.items ?? []).flatMap((item: Answered) => item.amounts ?? [])
      const values: readonly unknown[] = amounts.map(({ value }) => value).filter((value) => value !== null && Number(value) !== 0)
      const rows: readonly unknown[] = data.summary?.rows ?? []
      const waiting = (data.items ?? []).filter((item: Answered) => item.count > 0).map((item: Answered) => item.docType)
      if (values.length + rows.length + waiting.length > 0) counted[id] = [values, rows, waiting]
    }
    expect(tiles.length).toBeGreaterThan(10)
    // The periods of his unit, its stock, its purchases, its cash entries and the statements of its banks are there, whoever buys.
    expect(Object.keys(counted)).toEqual(['cash', 'money', 'approvals', 'closing', 'stock'])
    const { items } = (await empty.get('/api/v1/dashboard/dashboard/money')).data
    expect(items.filter(({ amounts }: Answered) => amounts.some(({ value }: Answered) => Number(value) !== 0)).map(({ id }: Answered) => id)).toEqual(['statements-drafts', 'statements-waiting'])
    const [values, rows, waiting] = counted['approvals'] as readonly (readonly string[])[]
    const ofCustomers = (await demo.database.rows<{ name: string }>(sql`select table_name as name from information_schema.columns where column_name = 'customer_id' and is_nullable = 'NO'`)).map(({ name }) => name)
    expect([values, rows, waiting?.length, waiting?.filter((kind) => ofCustomers.includes(kind))]).toEqual([[], [], expect.any(Number), []])
    expect(ofCustomers).toEqual(expect.arrayContaining(['sales_order', 'invoice', 'credit_note', 'ar_payment']))
    const [open] = await demo.database.rows<{ n: string }>(sql`select sum(i.remaining) as n from invoice i where i.territory_id = ${home.territory} and i.status in (1, 2)`)
    const { data } = await one.get('/api/v1/dashboard/dashboard/receivables')
    expect([data.amounts[0].value, Number(open?.n) > 0]).toEqual([open?.n, true])
  })
})
