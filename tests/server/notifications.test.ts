import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { buildApp } from '#server/app.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql } from '#server/db/sql.ts'
import { notify } from '#server/notifications/notify.ts'
import { purgeNotifications } from '#server/notifications/notifications.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { engine, serverUrl } from '../support/database.ts'
import { listening, openStream, type OpenStream } from '../support/events.ts'
import { plainRegistries } from '../support/registries.ts'

const registries = plainRegistries()
let arus: TestApp
let base: string
let sales: Session
let credit: Session
let finance: Session
let other: Session

beforeAll(async () => {
  arus = await testApp({ registries })
  base = await listening(arus.app)
  ;[sales, credit, finance, other] = await Promise.all([arus.signIn('sales'), arus.signIn('credit'), arus.signIn('finance'), arus.signIn('sales.bdg')])
})

interface Told {
  readonly ID: number
  readonly Kind: string
  readonly Title: string
  readonly Params: Readonly<Record<string, string>>
  readonly Link: string | null
}

const told = async (session: Session, query = {}): Promise<readonly Told[]> => (await session.get('/api/v1/notifications', query)).data.records
const unread = async (session: Session): Promise<number> => (await session.get('/api/v1/notifications')).data.unread
const userId = (name: string) => arus.id('app_user', `${name}@arus.example`, 'email')

/** An order that waits for credit control; above 50,000,000 over the limit for finance after that. */
async function waiting(total = '2000000') {
  const { ID } = (await sales.post('/api/v1/data/sales-order', {
    CustomerID: await arus.id('customer', 'C0000001'), PoNumber: 'PO', Total: total, Lines: [{ ItemID: await arus.id('item', 'A'), Uom: 'CTN', Qty: '1' }],
  })).data.record
  const { Code } = (await sales.post(`/api/v1/data/sales-order/${ID}/submit`, {})).data.record
  const request = await arus.database.first<{ id: number }>(sql`select id from approval_request where doc_id = ${ID} and doc_type = 'sales_order' and status = 4`)
  return { id: ID, code: Code, request: request?.id ?? 0 }
}

const decide = (session: Session, request: number, decision: string, body: object = {}) => session.post(`/api/v1/approval/${request}/${decision}`, body)

describe('approval', () => {
  it('asked tells those who can decide, decided tells the maker, and what was asked is settled', async () => {
    const order = await waiting()
    expect((await told(credit))[0]).toMatchObject({
      Kind: 'APPROVAL_ASKED', Title: 'notification.approval-asked', Params: { document: 'sales_order', code: order.code, by: 'sales' }, Link: `/approval/sales-order?id=${order.request}`, ReadAt: null,
    })
    // Neither the maker, nor the next level, nor anybody without the permission.
    expect(await told(sales)).toEqual([])
    expect(await told(finance)).toEqual([])
    await decide(credit, order.request, 'approve')
    expect(await told(credit, { unread: true })).toEqual([])
    expect((await told(sales))[0]).toMatchObject({ Kind: 'APPROVAL_DECIDED', Title: 'notification.approved', Params: { document: 'sales_order', code: order.code, by: 'credit' }, Link: `/sales-order-list/${order.id}` })
  })

  it('goes on to the next level when the first is done', async () => {
    const order = await waiting('60000000')
    await decide(credit, order.request, 'approve')
    expect(await told(credit, { unread: true })).toEqual([])
    expect((await told(finance, { unread: true }))[0]).toMatchObject({ Kind: 'APPROVAL_ASKED', Params: { code: order.code, by: 'sales' } })
    await decide(finance, order.request, 'reject', { Note: 'Too much' })
    expect(await told(finance, { unread: true })).toEqual([])
    expect((await told(sales))[0]).toMatchObject({ Title: 'notification.rejected', Params: { code: order.code, by: 'finance' } })
  })

  it('taken back by its maker leaves nobody with anything to do', async () => {
    const order = await waiting()
    expect(await told(credit, { unread: true })).toHaveLength(1)
    expect((await sales.post(`/api/v1/data/sales-order/${order.id}/recall`, {})).status).toBe(200)
    expect(await told(credit, { unread: true })).toEqual([])
  })

  it('that fails tells nobody', async () => {
    const before = await arus.database.first(sql`select count(*) as n from notification`)
    await expect(arus.database.transaction(async (tx) => {
      await notify(tx, arus.clock.now(), [await userId('sales')], { kind: 'MENTION', title: 'notification.approved', params: {} })
      throw new Error('undone')
    })).rejects.toThrow('undone')
    expect(await arus.database.first(sql`select count(*) as n from notification`)).toEqual(before)
  })
})

describe('the list', () => {
  it('belongs to one person: nobody reads or marks another’s', async () => {
    const id = await userId('sales')
    await arus.database.transaction((tx) => notify(tx, arus.clock.now(), [id, id], { kind: 'MENTION', title: 'notification.approved', params: { by: 'x', document: 'item', code: 'A' } }))
    const [mine] = await told(sales)
    expect(mine).toMatchObject({ Kind: 'MENTION', Link: null })
    expect((await told(other)).some((record) => record.ID === mine?.ID)).toBe(false)
    expect((await other.put(`/api/v1/notifications/${mine?.ID}/read`)).code).toBe('NOT_FOUND')
    expect((await sales.get('/api/v1/data/notification')).code).toBe('NOT_FOUND')
    expect((await arus.anonymous.get('/api/v1/notifications')).status).toBe(401)
  })

  it('is read in pages, and marked one by one or all at once', async () => {
    const id = await userId('sales')
    await arus.database.transaction(async (tx) => {
      for (let i = 0; i < 5; i++) await notify(tx, arus.clock.now(), [id], { kind: 'MENTION', title: 'notification.approved', params: { code: String(i) } })
    })
    const first = (await sales.get('/api/v1/notifications', { length: 3 })).data
    expect(first).toMatchObject({ more: true, latest: first.records[0].ID })
    expect(first.records.map((record: Told) => record.Params['code'])).toEqual(['4', '3', '2'])
    const second = (await sales.get('/api/v1/notifications', { length: 3, before: first.records[2].ID })).data
    expect(second.records.map((record: Told) => record.Params['code']).slice(0, 2)).toEqual(['1', '0'])
    const before = await unread(sales)
    expect((await sales.put(`/api/v1/notifications/${first.records[0].ID}/read`)).data).toMatchObject({ unread: before - 1 })
    // Marking twice is no error and changes nothing.
    expect((await sales.put(`/api/v1/notifications/${first.records[0].ID}/read`)).data).toMatchObject({ unread: before - 1 })
    expect((await sales.put('/api/v1/notifications/read')).data).toMatchObject({ unread: 0 })
    expect(await told(sales, { unread: true })).toEqual([])
    expect((await sales.get('/api/v1/notifications', { length: 0 })).code).toBe('VALIDATION_FAILED')
  })

  it('forgets what is long past', async () => {
    await arus.database.run(sql`update notification set created_at = '2026-01-01T00:00:00Z' where user_id = ${await userId('sales')}`)
    await purgeNotifications(arus.database, arus.clock.now())
    expect(await told(sales)).toEqual([])
  })
})

describe('the stream', () => {
  it('says how things stand, then what comes, to the right person only', async () => {
    const [mine, foreign] = await Promise.all([openStream(base, credit.token), openStream(base, other.token)])
    expect(mine.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(mine.headers.get('content-security-policy')).toContain("default-src 'self'")
    const state = await mine.next('state')
    expect(state.data).toEqual({ unread: await unread(credit), latest: expect.any(Number) })
    const order = await waiting()
    const { data } = await mine.next('notification')
    expect(data).toMatchObject({ Kind: 'APPROVAL_ASKED', Params: { code: order.code } })
    await mine.next('state', (next) => next.unread === state.data.unread + 1 && next.latest === data.ID)
    // Read in another window: the count follows.
    await credit.put('/api/v1/notifications/read')
    await mine.next('state', (next) => next.unread === 0)
    expect(foreign.events.filter((event) => event.event === 'notification')).toEqual([])
    mine.close()
    foreign.close()
  })

  it('needs a session, and ends with it', async () => {
    expect((await openStream(base, 'x'.repeat(43))).status).toBe(401)
    const session = await arus.signIn('credit')
    const stream = await openStream(base, session.token)
    await stream.next('state')
    await session.post('/api/v1/logout')
    // Whatever happens next is no longer told to a session that has ended.
    await waiting()
    await stream.ended
    expect(stream.events.filter((event) => event.event === 'notification')).toEqual([])
  })

  it('asks nothing of the database while nothing happens, and lets go of windows that went away', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(base, finance.token)))
    await Promise.all(streams.map((stream) => stream.next('state')))
    for (const stream of streams) stream.close()
    // All twelve places of the user are free again.
    const next: OpenStream[] = []
    for (let i = 0; i < 12; i++) {
      await expect.poll(async () => {
        const stream = await openStream(base, finance.token)
        if (stream.status === 200) next.push(stream)
        return stream.status
      }).toBe(200)
    }
    expect((await openStream(base, finance.token)).status).toBe(429)
    for (const stream of next) stream.close()
  })

  it('ends when the server stops', async () => {
    const app = await buildApp({ database: arus.database, clock: arus.clock, metadata, registries, version: 'test' })
    const stream = await openStream(await listening(app), credit.token)
    await stream.next('state')
    await app.close()
    await stream.ended
  })
})

describe.runIf(engine === 'postgres')('two server processes on one database', () => {
  it('tell the windows of both, whichever did the work; after the listening connection was lost too', async () => {
    const { name } = (await arus.database.first<{ name: string }>(sql`select current_database() as name`)) ?? { name: '' }
    const database = await openDatabase({ kind: 'postgres', url: `${serverUrl}/${name}` })
    const second = await buildApp({ database, clock: arus.clock, metadata, registries, version: 'test' })
    afterAll(async () => {
      await second.close()
      await database.close()
    })
    const here = await openStream(base, credit.token)
    const there = await openStream(await listening(second), credit.token)
    await Promise.all([here.next('state'), there.next('state')])
    const one = await waiting()
    const isAbout = (code: string) => (data: Told) => data.Params['code'] === code
    await Promise.all([here.next('notification', isAbout(one.code)), there.next('notification', isAbout(one.code))])
    await arus.database.run(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and query like 'listen%'`)
    const two = await waiting()
    await Promise.all([here.next('notification', isAbout(two.code)), there.next('notification', isAbout(two.code))])
    here.close()
    there.close()
  })
})
