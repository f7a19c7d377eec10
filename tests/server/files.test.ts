import { beforeAll, describe, expect, it } from 'vitest'
import { fileTypes, largestFile } from '#api/files.ts'
import { sql } from '#server/db/sql.ts'
import { purgeFiles } from '#server/files/purge.ts'
import { addFileRow } from '#server/files/fileRows.ts'
import { diskStore } from '#server/files/diskStore.ts'
import { fileName } from '#server/files/receive.ts'
import { sniffType } from '#server/files/sniff.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { testFolder } from '../support/database.ts'
import { pdf, pixel, upload } from '../support/upload.ts'

let arus: TestApp
let admin: Session
let sales: Session
let bandung: Session
let analyst: Session
let customer: number
let url: string

beforeAll(async () => {
  arus = await testApp()
  ;[admin, sales, bandung, analyst] = [await arus.signIn('admin'), await arus.signIn('sales'), await arus.signIn('sales.bdg'), await arus.signIn('analyst')]
  customer = await arus.id('customer', 'C0000001')
  url = `/api/v1/data/customer/${customer}/attachments`
})

const attach = (session: Session, name: string, bytes: Buffer | string, headers = {}) => upload(arus.app, session.token, url, { name, bytes }, headers)
const stored = async () => (await arus.database.rows(sql`select name from attachment order by id`)).map((row) => row['name'])

describe('an attachment', () => {
  it('is kept with what it really is, listed, counted and noted in the history', async () => {
    const sent = await attach(admin, 'C:\\scans\\receipt.txt', pixel)
    expect(sent).toMatchObject({ status: 200, data: { record: { Name: 'receipt.txt', Type: 'image/png', Size: pixel.length, UploadedByName: 'admin', CanPreview: true, CanDelete: true } } })
    const { data } = await sales.get(url)
    expect(data).toMatchObject({ CanAttach: false, records: [{ ID: sent.data.record.ID, Key: expect.stringMatching(/^[0-9a-f]{40}$/), CanDelete: false }] })
    expect((await sales.get(`/api/v1/data/customer/${customer}`)).data.counts).toEqual({ Attachments: 1, Comments: 0 })
    const [latest] = (await sales.get(`/api/v1/data/customer/${customer}/history`)).data.records
    expect(latest).toMatchObject({ Action: 'attach', ActorName: 'admin', Diff: [{ Field: 'attachment', Label: 'field.attachment', From: null, To: 'receipt.txt' }] })
  })

  it('follows permission and scope of its record', async () => {
    expect((await bandung.get(url)).code).toBe('NOT_IN_SCOPE')
    expect((await arus.anonymous.get(url)).status).toBe(401)
    expect((await attach(bandung, 'a.txt', 'x')).code).toBe('NOT_IN_SCOPE')
    expect((await attach(analyst, 'a.txt', 'x')).code).toBe('FORBIDDEN_GUARD')
    expect((await analyst.get(url)).status).toBe(200)
    const [file] = (await admin.get(url)).data.records
    for (const session of [sales, analyst]) expect((await session.get('/api/v1/general/preview', { key: file.Key })).status).toBe(200)
    expect((await bandung.get('/api/v1/general/preview', { key: file.Key })).code).toBe('NOT_FOUND')
    expect((await bandung.post('/api/v1/general/download', { key: file.Key })).code).toBe('NOT_FOUND')
  })

  it('belongs to documents and master data only', async () => {
    const period = (await admin.get('/api/v1/data/list-price', { length: 1 })).data.rows[0].ID
    expect((await admin.get(`/api/v1/data/list-price/${period}/attachments`)).code).toBe('NOT_FOUND')
    expect((await admin.get('/api/v1/data/attachment')).code).toBe('NOT_FOUND')
  })

  it('is refused when it is empty, too large or a program, and leaves nothing behind', async () => {
    const before = await stored()
    expect(await attach(admin, 'empty.txt', '')).toMatchObject({ status: 422, code: 'FILE_EMPTY', message: 'empty.txt is empty.' })
    expect(await attach(admin, 'big.txt', Buffer.alloc(largestFile + 1, 'a'))).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE', message: 'A file may have at most 25 MB.' })
    expect(await attach(admin, 'huge.txt', Buffer.alloc(largestFile + 200_000, 'a'))).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' })
    expect(await attach(admin, 'run.exe', 'MZ\u0090\u0000')).toMatchObject({ status: 422, code: 'FILE_TYPE_REFUSED', message: expect.stringContaining('run.exe: This kind of file is not kept.') })
    expect((await arus.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${admin.token}` }, payload: { file: 'x' } })).json()).toMatchObject({ status: 'VALIDATION_FAILED', data: { errors: [{ field: 'file' }] } })
    expect(await stored()).toEqual(before)
  })

  it('sent twice under one key is one file', async () => {
    const headers = { 'idempotency-key': 'attach-once-1' }
    const first = await attach(admin, 'once.txt', 'one', headers)
    const again = await attach(admin, 'once.txt', 'one', headers)
    expect(again.data.record).toEqual(first.data.record)
    expect((await stored()).filter((name) => name === 'once.txt')).toHaveLength(1)
    expect((await attach(admin, 'once.txt', 'two', headers)).code).toBe('DUPLICATE_REQUEST')
    expect((await stored()).filter((name) => name === 'once.txt')).toHaveLength(1)
  })

  it('is taken off with a reason that stays', async () => {
    const { record } = (await attach(admin, 'wrong.csv', 'a,b\n1,2\n')).data
    const without = await admin.delete(`${url}/${record.ID}`)
    expect(without.data.errors).toEqual([expect.objectContaining({ field: 'reason' })])
    const remove = (session: Session) => arus.app.inject({ method: 'DELETE', url: `${url}/${record.ID}?reason=Wrong%20customer`, headers: { authorization: `Bearer ${session.token}` } })
    expect((await remove(sales)).json().status).toBe('FORBIDDEN_GUARD')
    expect((await remove(bandung)).json().status).toBe('NOT_IN_SCOPE')
    expect((await remove(admin)).statusCode).toBe(200)
    expect((await remove(admin)).json().status).toBe('NOT_FOUND')
    expect((await admin.get(url)).data.records.map((file: { Name: string }) => file.Name)).not.toContain('wrong.csv')
    expect((await admin.get('/api/v1/general/preview', { key: record.Key })).code).toBe('NOT_FOUND')
    const [latest] = (await admin.get(`/api/v1/data/customer/${customer}/history`)).data.records
    expect(latest).toMatchObject({ Action: 'detach', Note: 'Wrong customer', Diff: [{ Field: 'attachment', From: 'wrong.csv', To: null }] })
  })
})

describe('a file handed out', () => {
  const linkTo = async (session: Session, key: string) => new URL((await session.post('/api/v1/general/download', { key })).data)

  it('comes over a link that needs no headers and ends after two minutes', async () => {
    const { record } = (await attach(admin, 'Faktur März 100% <neu>.pdf', pdf)).data
    const link = await linkTo(sales, record.Key)
    const answer = await arus.app.inject({ url: link.pathname })
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(pdf)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf', 'x-content-type-options': 'nosniff', 'cache-control': expect.stringContaining('no-store'),
      'content-disposition': `inline; filename="Faktur M_rz 100_ _neu_.pdf"; filename*=UTF-8''Faktur%20M%C3%A4rz%20100%25%20_neu_.pdf`,
    })
    const forged = link.pathname.replace(/\.(\d{13})\./, (_, until: string) => `.${Number(until) + 1}.`)
    expect((await arus.app.inject({ url: forged })).statusCode).toBe(404)
    arus.moveTo('2026-11-20T03:02:01Z')
    expect((await arus.app.inject({ url: link.pathname })).json()).toMatchObject({ status: 'NOT_FOUND', message: 'This link has ended. Ask for the file again.' })
    arus.moveTo('2026-11-20T03:00:00Z')
  })

  it('is only ever saved when a browser could run it', async () => {
    for (const [name, bytes, type] of [['page.html', '<html><script>alert(1)</script></html>', 'text/html'], ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'], ['innocent.txt', '<script>alert(1)</script>', 'text/html']] as const) {
      const { record } = (await attach(admin, name, bytes)).data
      expect(record).toMatchObject({ Type: type, CanPreview: false })
      const answer = await arus.app.inject({ url: (await linkTo(admin, record.Key)).pathname })
      expect(answer.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'content-disposition': expect.stringMatching(/^attachment;/), 'content-security-policy': expect.stringContaining('sandbox') })
      expect(await admin.get('/api/v1/general/preview', { key: record.Key })).toMatchObject({ status: 422, code: 'PREVIEW_UNAVAILABLE', message: expect.stringContaining(name) })
    }
  })

  it('that the store has lost is told, not a server error', async () => {
    await arus.database.transaction((tx) => addFileRow(tx, { purpose: 'PRIVATE', name: 'lost.txt', file: { type: 'text/plain', size: 1, sha256: '' }, key: 'a'.repeat(40), by: 1, at: new Date() }))
    const owner = await arus.database.first<{ email: string }>(sql`select email from app_user where id = 1`)
    const mine = await arus.signIn(String(owner?.email))
    expect(await mine.get('/api/v1/general/preview', { key: 'a'.repeat(40) })).toMatchObject({ status: 404, message: 'lost.txt is no longer there.' })
    for (const key of ['../../etc/passwd', '', 'A'.repeat(40)]) expect((await mine.post('/api/v1/general/download', { key })).code).toBe('NOT_FOUND')
  })
})

describe('a picture of oneself', () => {
  it('is seen by everybody signed in, and the one before is gone', async () => {
    const send = (bytes: Buffer | string, name = 'me.png') => upload(arus.app, sales.token, '/api/v1/profile/picture', { name, bytes })
    expect((await send(pdf)).code).toBe('FILE_TYPE_REFUSED')
    const first = (await send(pixel)).data.picture_key
    expect((await bandung.get('/api/v1/general/preview', { key: first })).data).toMatchObject({ type: 'image/png', file: pixel.toString('base64') })
    expect((await sales.get('/api/v1/setting/user-personal')).data.picture_key).toBe(first)
    const second = (await send(pixel)).data.picture_key
    expect((await bandung.get('/api/v1/general/preview', { key: first })).code).toBe('NOT_FOUND')
    expect((await sales.delete('/api/v1/profile/picture')).status).toBe(200)
    expect((await sales.get('/api/v1/setting/user-personal')).data.picture_key).toBeNull()
    expect((await bandung.get('/api/v1/general/preview', { key: second })).code).toBe('NOT_FOUND')
  })
})

describe('the housekeeping', () => {
  it('removes files whose time is over', async () => {
    const store = diskStore(testFolder())
    const add = (key: string, expiresAt: Date) => arus.database.transaction((tx) => addFileRow(tx, { purpose: 'PRIVATE', name: key, file: { type: 'text/plain', size: 1, sha256: '' }, key, by: 1, at: new Date(), expiresAt }))
    await add('b'.repeat(40), new Date('2026-11-20T02:00:00Z'))
    await add('c'.repeat(40), new Date('2026-11-20T04:00:00Z'))
    await purgeFiles(arus.database, arus.clock, store)
    expect(await stored()).not.toContain('b'.repeat(40))
    expect(await stored()).toContain('c'.repeat(40))
  })
})

describe('what a file is', () => {
  const zip = Buffer.from('PK\u0003\u0004rest', 'latin1')
  const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0])
  it.each([
    ['photo.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ['page.pdf', '%PDF-1.7', 'application/pdf'],
    ['book.xlsx', zip, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['all.zip', zip, 'application/zip'],
    ['old.xls', ole, 'application/vnd.ms-excel'],
    ['list.csv', 'a;b', 'text/csv'],
    ['note.txt', 'Größe'.normalize(), 'text/plain'],
    ['utf16.txt', Buffer.from('\ufeffabc', 'utf16le'), 'text/plain'],
    ['data.xml', '<?xml version="1.0"?><a/>', 'application/xml'],
    ['drawing.xml', '<?xml version="1.0"?><svg xmlns="x"/>', 'image/svg+xml'],
    ['page.txt', '\n <!DOCTYPE html>', 'text/html'],
    ['mail.eml', 'From: a@b.c', 'message/rfc822'],
    ['image.webp', Buffer.from('RIFF1234WEBPVP8 ', 'latin1'), 'image/webp'],
    ['sound.wav', Buffer.from('RIFF1234WAVEfmt ', 'latin1'), undefined],
    ['script', '#!/bin/sh', undefined],
    ['elf', Buffer.from([0x7f, 0x45, 0x4c, 0x46]), undefined],
    ['macro.xlsm', zip, undefined],
    ['run.bat', 'echo hello', undefined],
    ['noise.bin', Buffer.from([1, 2, 3, 0]), undefined],
  ])('%s', (name, bytes, type) => {
    expect(sniffType(Buffer.from(bytes), name)).toBe(type)
    if (type !== undefined) expect(Object.keys(fileTypes)).toContain(type)
  })

  it('is called by its bare name', () => {
    const names = ['../../etc/passwd', 'C:\\a\\b.pdf', 'exe\u202efdp.pdf', 'a\u0000b.txt', '..', '', 'a<b>.txt', `${'x'.repeat(300)}.pdf`]
    expect(names.map((name) => fileName(name))).toEqual(['passwd', 'b.pdf', 'exefdp.pdf', 'ab.txt', 'file', 'file', 'a_b_.txt', `${'x'.repeat(146)}.pdf`])
  })
})

describe('a file field of a record', () => {
  const types = { png: { name: 'logo.png', bytes: pixel }, pdf: { name: 'logo.png', bytes: pdf } }
  const send = (session: Session, file: { readonly name: string; readonly bytes: Buffer | string }, query = 'resource=company&field=logo_id') => upload(arus.app, session.token, `/api/v1/general/upload?${query}`, file)
  const company = async () => (await admin.get('/api/v1/data/company', { length: 1, columns: 'code,logo_id' })).data.rows[0]
  const save = async (session: Session, logo: unknown) => {
    const { ID, Version } = await company()
    return session.put(`/api/v1/data/company/${ID}`, { LogoID: logo }, { version: Version })
  }
  const purposes = async () => (await arus.database.rows(sql`select purpose from attachment where doc_type = 'company' order by id`)).map((row) => row['purpose'])

  it('takes what the field says it takes and nothing else', async () => {
    expect((await send(admin, types.pdf)).code).toBe('FILE_TYPE_REFUSED')
    expect((await send(admin, { name: 'logo.png', bytes: Buffer.concat([pixel, Buffer.alloc(2 * 1024 * 1024)]) })).code).toBe('FILE_TOO_LARGE')
    expect((await send(admin, { name: 'logo.png', bytes: '' })).code).toBe('FILE_EMPTY')
    expect((await send(admin, types.png, 'resource=company&field=name')).code).toBe('NOT_FOUND')
    expect((await send(admin, types.png, 'resource=nothing&field=logo_id')).code).toBe('NOT_FOUND')
    expect((await send(analyst, types.png)).code).toBe('FORBIDDEN_GUARD')
    expect((await admin.post('/api/v1/general/upload?resource=company&field=logo_id', { LogoID: 1 })).code).toBe('VALIDATION_FAILED')
    expect(await purposes()).toEqual([])
  })

  it('is the sender’s own until the record is saved with it, and whoever sees the record sees it then', async () => {
    const { record } = (await send(admin, types.png)).data
    expect(record).toMatchObject({ Name: 'logo.png', Type: 'image/png', Size: pixel.length, CanPreview: true })
    expect((await sales.get('/api/v1/general/preview', { key: record.Key })).code).toBe('NOT_FOUND')
    expect((await save(admin, record.ID)).status).toBe(200)
    expect(await company()).toMatchObject({ LogoID: record.ID, LogoCode: record.Key, LogoName: 'logo.png' })
    expect((await sales.get('/api/v1/general/preview', { key: record.Key })).data).toMatchObject({ type: 'image/png' })
    expect(await purposes()).toEqual(['FIELD'])
  })

  it('is no way to another file: neither an attachment nor the file of a record can be named', async () => {
    const attached = (await attach(admin, 'contract.png', pixel)).data.record.ID
    const { LogoID } = await company()
    for (const id of [attached, 999_999]) expect((await save(admin, id)).data.errors).toMatchObject([{ field: 'LogoID', code: 'NOT_IN_SCOPE' }])
    expect((await company()).LogoID).toBe(LogoID)
  })

  it('gives way to the next one, and the housekeeping removes what it was', async () => {
    const old = await company()
    const { record } = (await send(admin, types.png)).data
    expect((await save(admin, record.ID)).status).toBe(200)
    await purgeFiles(arus.database, { ...arus.clock, now: () => new Date(arus.clock.now().getTime() + 60_000) }, diskStore(arus.filesFolder))
    expect((await admin.get('/api/v1/general/preview', { key: old.LogoCode })).code).toBe('NOT_FOUND')
    expect((await save(admin, null)).status).toBe(200)
    expect(await company()).toMatchObject({ LogoID: null })
    expect(await purposes()).toEqual(['PRIVATE'])
  })
})

describe('a file field of a line', () => {
  const send = (session: Session) => upload(arus.app, session.token, '/api/v1/general/upload?resource=customer-payment-account&field=proof_id', { name: 'book.png', bytes: pixel })
  const purposes = async () => (await arus.database.rows(sql`select purpose, doc_id from attachment where doc_type = 'customer_payment_account' order by id`)).map((row) => row['purpose'])
  type Account = Record<string, unknown>
  const saved = async (change: (accounts: readonly Account[]) => readonly Account[]) => {
    const id = await arus.id('customer', 'C0000001')
    const { record } = (await admin.get(`/api/v1/data/customer/${id}`)).data
    return admin.put(`/api/v1/data/customer/${id}`, { Accounts: change(record.Accounts) }, { version: record.Version })
  }
  const account = async (): Promise<Account> => (await admin.get(`/api/v1/data/customer/${await arus.id('customer', 'C0000001')}`)).data.record.Accounts[0]
  const withProof = (proof: unknown) => (accounts: readonly Account[]) => accounts.map((one, i) => (i === 0 ? { ...one, ProofID: proof } : one))

  it('stays with its line, is seen by whoever sees the line, belongs to one line, and goes when it is replaced or the line is removed', async () => {
    const [bank] = (await admin.get('/api/v1/data/bank', { length: 1 })).data.rows
    const plain = { BankID: bank.ID, BankName: bank.Name, AccountName: 'Toko', AccountNumber: '4700' }
    const second = { ...plain, AccountNumber: '4711' }
    expect((await saved(() => [plain])).status).toBe(200)
    expect((await send(analyst)).code).toBe('FORBIDDEN_GUARD')
    const { record } = (await send(admin)).data
    expect((await saved((all) => [...withProof(record.ID)(all), { ...second, ProofID: record.ID }])).data.errors).toMatchObject([{ field: 'Accounts[1].ProofID', code: 'NOT_IN_SCOPE' }])
    expect((await saved(withProof(record.ID))).status).toBe(200)
    expect(await account()).toMatchObject({ ProofID: record.ID, ProofCode: record.Key, ProofName: 'book.png' })
    expect((await sales.get('/api/v1/general/preview', { key: record.Key })).data).toMatchObject({ type: 'image/png' })
    expect((await bandung.get('/api/v1/general/preview', { key: record.Key })).code).toBe('NOT_FOUND')
    // Saved again as it is, nothing happens to it; the file of one line cannot be named in another.
    expect((await saved(withProof(record.ID))).status).toBe(200)
    expect((await saved((all) => [...all, { ...second, ProofID: record.ID }])).data.errors).toMatchObject([{ field: 'Accounts[1].ProofID' }])
    expect(await purposes()).toEqual(['FIELD'])
    const next = (await send(admin)).data.record
    expect((await saved((all) => [...withProof(null)(all), { ...second, ProofID: next.ID }])).status).toBe(200)
    expect(await purposes()).toEqual(['PRIVATE', 'FIELD'])
    expect((await saved((all) => all.filter(({ AccountNumber }) => AccountNumber !== '4711'))).status).toBe(200)
    expect(await purposes()).toEqual(['PRIVATE', 'PRIVATE'])
  })
})
