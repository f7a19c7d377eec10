import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clockOf } from '#server/clock.ts'
import type { Database } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { MailTransport } from '#server/mail/mail.ts'
import { MailRoom, purgeMail } from '#server/mail/mailRoom.ts'
import { outboxTransport } from '#server/mail/outbox.ts'
import { smtpTransport } from '#server/mail/smtp.ts'
import { testDatabase, testFolder } from '../support/database.ts'
import { mailServer, readableText, type MailServer } from '../support/mailServer.ts'

let database: Database
let server: MailServer
let now = new Date('2026-11-20T03:00:00Z')
const clock = clockOf(() => now)
const log: string[] = []

const room = (transport: MailTransport | undefined): MailRoom => new MailRoom({ database, clock, transport, log: (line) => void log.push(line) })
const letter = { to: 'sari@example.com', subject: 'Pesanan 12', text: 'Halo Sari,\nterima kasih – 你好.' }
const queue = () => database.rows(sql`select recipient, attempts, sent_at, failed_at, body, last_error from mail order by id`)

beforeAll(async () => {
  database = await testDatabase()
  server = await mailServer()
})

beforeEach(async () => {
  await database.run(sql`delete from mail`)
  now = new Date('2026-11-20T03:00:00Z')
  log.length = 0
})

describe('mail by a real SMTP server', () => {
  it('leaves once, whole, and its words are forgotten here', async () => {
    const mail = room(smtpTransport(server.url, 'Arus <arus@example.com>'))
    await mail.post({ ...letter, html: '<p>Halo</p>', attachments: [{ filename: 'daftar.csv', content: Buffer.from('a;b\n'), contentType: 'text/csv' }] })
    const [first, second] = await Promise.all([mail.deliver(), room(smtpTransport(server.url, 'Arus <arus@example.com>')).deliver()])
    expect(first + second).toBe(1)
    const [got] = server.received.slice(-1)
    expect(got).toMatchObject({ from: 'arus@example.com', to: ['sari@example.com'] })
    expect(got?.source).toContain('Subject: Pesanan 12')
    expect(got?.source).toContain('filename=daftar.csv')
    expect(await queue()).toEqual([{ recipient: 'sari@example.com', attempts: 1, sent_at: '2026-11-20T03:00:00.000Z', failed_at: null, body: null, last_error: null }])
    await mail.stop()
  })

  it('cannot be made to carry other headers or files of the server', async () => {
    const mail = room(smtpTransport(server.url, 'Arus <arus@example.com>'))
    await mail.post({ to: 'sari@example.com', subject: 'Hello\r\nBcc: thief@example.com', text: 'x' })
    await mail.deliver()
    expect(server.received.at(-1)).toMatchObject({ to: ['sari@example.com'] })
    expect(server.received.at(-1)?.source).not.toMatch(/^bcc:/im)
    await mail.stop()
  })

  it('survives a restart and a mail server that is away: tried again, later each time', async () => {
    const gone = await mailServer()
    await gone.close()
    const before = room(smtpTransport(gone.url, 'arus@example.com'))
    await before.post(letter)
    expect(await before.deliver()).toBe(0)
    await before.stop()
    expect(await queue()).toEqual([expect.objectContaining({ attempts: 1, sent_at: null, failed_at: null, last_error: expect.stringContaining('ECONNREFUSED') })])
    expect(log.at(-1)).toContain('will be tried again')
    const after = room(smtpTransport(server.url, 'arus@example.com'))
    expect(await after.deliver()).toBe(0)
    now = new Date('2026-11-20T03:01:01Z')
    expect(await after.deliver()).toBe(1)
    expect(readableText(server.received.at(-1)?.source ?? '')).toContain('Halo Sari,\r\nterima kasih – 你好.')
    await after.stop()
  })

  it('waits when the server says “not now” and gives up when it says “never”', async () => {
    const mail = room(smtpTransport(server.url, 'arus@example.com'))
    await mail.post(letter)
    server.refuse(451)
    await mail.deliver()
    expect(await queue()).toEqual([expect.objectContaining({ attempts: 1, failed_at: null })])
    server.refuse(550)
    now = new Date('2026-11-20T03:02:00Z')
    await mail.deliver()
    expect(await queue()).toEqual([expect.objectContaining({ attempts: 2, failed_at: '2026-11-20T03:02:00.000Z', body: null })])
    server.refuse(undefined)
    now = new Date('2026-11-20T05:00:00Z')
    expect(await mail.deliver()).toBe(0)
    await mail.stop()
  })

  it('posted in a transaction leaves only if that commits', async () => {
    const mail = room(undefined)
    await database.transaction(async (tx) => {
      await mail.post(letter, tx)
      throw new Error('undone')
    }).catch(() => undefined)
    expect(await queue()).toEqual([])
  })

  it('is forgotten after 30 days', async () => {
    const mail = room(smtpTransport(server.url, 'arus@example.com'))
    await mail.post(letter)
    await mail.deliver()
    now = new Date('2026-12-21T03:00:00Z')
    await purgeMail(database, clock)
    expect(await queue()).toEqual([])
    await mail.stop()
  })

  it('another address than smtp:// is refused at the start', () => {
    expect(() => smtpTransport('http://example.com', 'arus@example.com')).toThrow('SMTP_URL')
  })
})

describe('without SMTP settings', () => {
  it('the mail is a file in the outbox, and the log says so', async () => {
    const folder = path.join(testFolder(), 'outbox')
    const mail = room(outboxTransport(folder, 'Arus <arus@localhost>', clock, (line) => void log.push(line)))
    await mail.post(letter)
    expect(await mail.deliver()).toBe(1)
    const [file = ''] = fs.readdirSync(folder)
    expect(file).toMatch(/^2026-11-20T03-00-00-000Z-[\w-]+\.eml$/)
    const source = fs.readFileSync(path.join(folder, file), 'utf8')
    expect(source).toContain('To: sari@example.com')
    expect(readableText(source)).toContain('terima kasih – 你好.')
    expect(log.at(-1)).toBe(`No SMTP_URL is set: the mail "Pesanan 12" to sari@example.com is in ${path.join(folder, file)}`)
    await mail.stop()
  })
})
