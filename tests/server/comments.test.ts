import { beforeAll, describe, expect, it } from 'vitest'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let arus: TestApp
let sales: Session
let credit: Session
let bandung: Session
let customer: number
let url: string

beforeAll(async () => {
  arus = await testApp()
  ;[sales, credit, bandung] = [await arus.signIn('sales'), await arus.signIn('credit'), await arus.signIn('sales.bdg')]
  customer = await arus.id('customer', 'C0000001')
  url = `/api/v1/data/customer/${customer}/comments`
})

const texts = async (session: Session) => (await session.get(url)).data.records.map((comment: { Text: string }) => comment.Text)

describe('a comment', () => {
  it('is written by whoever may see the record, and by nobody else', async () => {
    const { data } = await sales.post(url, { Text: '  Pays late, calls first.  ' })
    expect(data.record).toMatchObject({ Text: 'Pays late, calls first.', AuthorName: 'sales', AuthorPictureKey: null, EditedAt: null, Mentions: [], ChangeUntil: '2026-11-20T03:15:00.000Z' })
    expect((await credit.get(url)).data.records).toEqual([{ ...data.record, ChangeUntil: null }])
    expect((await bandung.get(url)).code).toBe('NOT_IN_SCOPE')
    expect((await bandung.post(url, { Text: 'Hello' })).code).toBe('NOT_IN_SCOPE')
    expect((await sales.get(`/api/v1/data/customer/${customer}`)).data.counts).toEqual({ Attachments: 0, Comments: 1 })
  })

  it('says something', async () => {
    for (const [body, field] of [[{ Text: ' ' }, 'Text'], [{}, 'Text'], [{ Text: 'x'.repeat(4001) }, 'Text'], [{ Text: 'x', Mentions: ['1'] }, 'Mentions'], [{ Text: 'x', Surprise: 1 }, 'Surprise']] as const) {
      expect((await sales.post(url, body)).data.errors).toEqual([expect.objectContaining({ field })])
    }
  })

  it('sent twice under one key is one comment', async () => {
    const first = await sales.post(url, { Text: 'Once' }, { key: 'comment-once' })
    expect((await sales.post(url, { Text: 'Once' }, { key: 'comment-once' })).data.record).toEqual(first.data.record)
    expect((await texts(sales)).filter((text: string) => text === 'Once')).toHaveLength(1)
  })

  it('is changed by its author for 15 minutes; what it said stays in the history', async () => {
    const { record } = (await sales.post(url, { Text: 'Limit is 5 million' })).data
    const one = `${url}/${record.ID}`
    expect((await credit.put(one, { Text: 'No' })).code).toBe('COMMENT_CLOSED')
    arus.moveTo('2026-11-20T03:14:59Z')
    expect((await sales.put(one, { Text: 'Limit is 50 million' })).data.record).toMatchObject({ Text: 'Limit is 50 million', EditedAt: '2026-11-20T03:14:59.000Z' })
    const history = (await sales.get(`/api/v1/data/customer/${customer}/history`)).data.records
    expect(history[0]).toMatchObject({ Action: 'comment-edit', ActorName: 'sales', Diff: [{ Field: 'comment', Label: 'field.comment', From: 'Limit is 5 million', To: 'Limit is 50 million' }] })
    arus.moveTo('2026-11-20T03:15:00Z')
    expect(await sales.put(one, { Text: 'Too late' })).toMatchObject({ status: 409, code: 'COMMENT_CLOSED', message: 'A comment can be changed for 15 minutes. Write another one.' })
    expect((await sales.delete(one)).code).toBe('COMMENT_CLOSED')
    arus.moveTo('2026-11-20T03:00:00Z')
  })

  it('is taken back by its author; what it said stays in the history', async () => {
    const { record } = (await sales.post(url, { Text: 'Oops' })).data
    expect((await credit.delete(`${url}/${record.ID}`)).code).toBe('COMMENT_CLOSED')
    expect((await sales.delete(`${url}/${record.ID}`)).status).toBe(200)
    expect((await sales.delete(`${url}/${record.ID}`)).code).toBe('NOT_FOUND')
    expect(await texts(sales)).not.toContain('Oops')
    const history = (await sales.get(`/api/v1/data/customer/${customer}/history`)).data.records
    expect(history[0]).toMatchObject({ Action: 'comment-delete', Diff: [{ From: 'Oops', To: null }] })
  })
})

describe('a mention', () => {
  const idOf = (name: string) => arus.id('app_user', `${name}@arus.example`, 'email')
  const people = async (search: string) => (await sales.get(`/api/v1/data/customer/${customer}/people`, { search })).data.records.map((person: { Name: string }) => person.Name)

  it('completes the names of those who may see the record', async () => {
    expect(await people('cre')).toEqual(['credit'])
    expect(await people('finance m')).toEqual(['finance'])
    expect(await people('sales')).toEqual(['sales', 'manager', 'supervisor'])
    expect(await people('%')).toEqual([])
    expect((await people('')).length).toBeGreaterThan(3)
    expect((await sales.get(`/api/v1/data/customer/${customer}/people`, { search: 'credit' })).data.records).toEqual([{ ID: await idOf('credit'), Name: 'credit', RoleName: 'Credit controller', PictureKey: null }])
  })

  it('names those who stand in the text', async () => {
    const [creditId, financeId] = [await idOf('credit'), await idOf('finance')]
    const { record } = (await sales.post(url, { Text: 'Please look, @credit', Mentions: [creditId, financeId] })).data
    expect(record.Mentions).toEqual([{ ID: creditId, Name: 'credit' }])
    const [notice] = (await credit.get('/api/v1/notifications')).data.records
    expect(notice).toMatchObject({ Kind: 'MENTION', Title: 'notification.mentioned', Params: { document: 'customer', code: 'C0000001', by: 'sales' }, Link: `/master/customers/edit/${customer}?notes=comments` })
    expect((await (await arus.signIn('finance')).get('/api/v1/notifications')).data.records).toEqual([])
  })

  it('added while changing the comment is told; told once only', async () => {
    const creditId = await idOf('credit')
    const { record } = (await sales.post(url, { Text: 'Somebody look' })).data
    const count = async () => (await credit.get('/api/v1/notifications')).data.records.length
    const before = await count()
    await sales.put(`${url}/${record.ID}`, { Text: '@credit look', Mentions: [creditId] })
    await sales.put(`${url}/${record.ID}`, { Text: '@credit please look', Mentions: [creditId] })
    expect(await count()).toBe(before + 1)
  })

  it('is a whole name typed and not chosen as well, of those who may see the record; a part of another word or name is none', async () => {
    const named = async (text: string) => (await sales.post(url, { Text: text })).data.record.Mentions.map((mention: { Name: string }) => mention.Name)
    const notices = async () => (await credit.get('/api/v1/notifications')).data.records.length
    const before = await notices()
    expect(await named('Please look, @Credit: late again')).toEqual(['credit'])
    expect(await notices()).toBe(before + 1)
    expect(await named('@creditor, mail to a@credit.example, @sales.bdg and @nobody')).toEqual([])
    expect(await notices()).toBe(before + 1)
  })

  it('of somebody who may not see the record is refused', async () => {
    const { data } = await sales.post(url, { Text: 'Hey @sales.bdg', Mentions: [await idOf('sales.bdg')] })
    expect(data.errors).toEqual([expect.objectContaining({ field: 'Mentions', code: 'NOT_IN_SCOPE' })])
  })
})
