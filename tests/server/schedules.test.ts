import { readSheet } from 'read-excel-file/node'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import type { ExportBody } from '#api/export.ts'
import type { ScheduleTime } from '#api/schedule.ts'
import { sql } from '#server/db/sql.ts'
import { flowLinks } from '#server/documents/flowLinks.ts'
import { noFileStore } from '#server/files/fileStore.ts'
import { MailRoom } from '#server/mail/mailRoom.ts'
import { smtpTransport } from '#server/mail/smtp.ts'
import { nextTime } from '#server/schedules/nextTime.ts'
import { ScheduleRounds } from '#server/schedules/scheduleRounds.ts'
import type { Services } from '#server/services.ts'
import { testApp, type Session } from '../support/app.ts'
import { demoTemplate } from '../support/demo.ts'
import { mailServer, readableText } from '../support/mailServer.ts'

const path = '/api/v1/report-schedule'
const daily: ScheduleTime = { Every: 'DAY', Weekdays: [], MonthDay: 1, At: '07:00', Zone: 'Asia/Jakarta' }

describe('the next time of a schedule', () => {
  const next = (change: Partial<ScheduleTime>, after: string) => nextTime({ ...daily, ...change }, new Date(after)).toISOString()

  it('is by the wall clock of its zone: daily, on days of the week, on a day of the month', () => {
    expect(next({}, '2026-11-20T23:59:00Z')).toBe('2026-11-21T00:00:00.000Z')
    expect(next({}, '2026-11-21T00:00:00Z')).toBe('2026-11-22T00:00:00.000Z')
    expect(next({ Every: 'WEEK', Weekdays: [1, 5] }, '2026-11-20T10:00:00Z')).toBe('2026-11-23T00:00:00.000Z')
    expect(next({ Every: 'MONTH', MonthDay: 31, At: '18:30' }, '2026-11-20T00:00:00Z')).toBe('2026-11-30T11:30:00.000Z')
    expect(next({ Every: 'MONTH', MonthDay: 31 }, '2027-01-31T10:00:00Z')).toBe('2027-02-28T00:00:00.000Z')
  })

  it('keeps its hour when clocks change, and comes an hour later where there is none', () => {
    const berlin = { Zone: 'Europe/Berlin', At: '07:00' }
    expect(next(berlin, '2026-10-24T12:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
    expect(next(berlin, '2026-03-28T12:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(next({ Zone: 'Europe/Berlin', At: '02:30' }, '2026-03-28T12:00:00Z')).toMatch(/^2026-03-29T0[01]:30/)
  })
})

const server = await mailServer()
const demo = await testApp({ template: demoTemplate })
let finance: Session
let sales: Session
let ids: Readonly<Record<'finance' | 'admin' | 'analyst' | 'warehouse', number>>

const request: ExportBody = {
  screen: 'ar-aging.report', format: 'xlsx', language: 'en', hasTotals: true, columns: [{ name: 'remaining' }, { name: 'overdue' }], sort: [],
  parameters: { as_of: 'now:last-month-end', in_books: 'true' }, summary: { rows: ['customer_code'] },
}
const body = (change: object = {}) => ({ Name: 'Aging for Monday', Request: request, ...daily, RecipientIDs: [ids.finance, ids.analyst], ...change })

/** A server process of its own on the same database. */
function process(): { readonly rounds: ScheduleRounds; readonly mail: MailRoom } {
  const { database, clock } = demo
  const mail = new MailRoom({ database, clock, transport: smtpTransport(server.url, 'Arus <arus@example.com>'), log: () => undefined })
  const services: Services = { database, clock, metadata, hooks: {}, flow: flowLinks, preconditions: {}, effects: {}, commands: {}, files: noFileStore, log: () => undefined, mail, publicUrl: 'https://arus.example', later: () => undefined }
  return { rounds: new ScheduleRounds(services), mail }
}

/** Sets the clock and lets one process send and deliver what is due. */
async function at(moment: string): Promise<readonly { readonly to: readonly string[]; readonly source: string }[]> {
  demo.moveTo(moment)
  const before = server.received.length
  const { rounds, mail } = process()
  await rounds.run()
  await mail.deliver()
  await Promise.all([rounds.stop(), mail.stop()])
  return server.received.slice(before)
}

function fileNameIn(source: string): string {
  return /content-disposition: attachment; filename="?([^"\r\n]+)/i.exec(source.replaceAll(/\r\n[ \t]+/g, ' '))?.[1] ?? ''
}

async function workbookIn(source: string): Promise<readonly (readonly unknown[])[]> {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(source) ?? []
  const part = source.split(`--${boundary}`).find((one) => /content-disposition: attachment/i.test(one)) ?? ''
  return readSheet(Buffer.from(part.split('\r\n\r\n').slice(1).join(''), 'base64'))
}

const told = () => demo.database.rows<{ kind: string; title: string; params: Readonly<Record<string, string>> }>(sql`select kind, title, params from notification where kind = 'REPORT_FAILED' order by id`)

beforeAll(async () => {
  ;[finance, sales] = await Promise.all([demo.signIn('finance'), demo.signIn('sales')])
  const id = (account: string) => demo.id('app_user', `${account}@arus.example`, 'email')
  ids = { finance: await id('finance'), admin: await id('admin'), analyst: await id('analyst'), warehouse: await id('warehouse') }
})

beforeEach(async () => {
  demo.moveTo('2026-11-20T03:00:00Z')
  await demo.database.run(sql`delete from report_schedule_recipient`)
  await demo.database.run(sql`delete from report_schedule`)
  await demo.database.run(sql`delete from mail`)
  await demo.database.run(sql`delete from notification`)
})

describe('a scheduled report', () => {
  it('goes out at its time to everybody, as the workbook the owner would have exported that day, and not before', async () => {
    const made = await finance.post(path, body())
    expect([made.code, made.message]).toEqual(['success', made.message])
    expect(made.data.record).toMatchObject({ Name: 'Aging for Monday', NextAt: '2026-11-21T00:00:00.000Z', IsActive: true, LastState: null, Recipients: expect.arrayContaining([expect.objectContaining({ ID: ids.analyst }), expect.objectContaining({ ID: ids.finance })]) })
    expect(await at('2026-11-20T23:59:00Z')).toEqual([])
    const mails = await at('2026-11-21T00:00:30Z')
    expect(mails.map(({ to }) => to[0]).toSorted()).toEqual(['analyst@arus.example', 'finance@arus.example'])
    const [head, ...rows] = await workbookIn(mails[0]?.source ?? '')
    expect(head).toEqual(['Customer', 'Remaining', 'Overdue'])
    const shown = (await finance.get('/api/v1/report/ar-aging.report/summary', { as_of: '2026-10-31', in_books: true, group: 'customer_code', length: 5000, measures: 'remaining,overdue' })).data
    expect(rows).toHaveLength(shown.rows.length + 1)
    expect(rows.at(-1)?.slice(1)).toEqual(shown.totals[0].cells[0].values.map(Number))
    const { records } = (await finance.get(path)).data
    expect(records).toEqual([expect.objectContaining({ LastState: 'SENT', LastAt: '2026-11-21T00:00:30.000Z', NextAt: '2026-11-22T00:00:00.000Z', Problem: null })])
    expect(await at('2026-11-21T00:01:00Z')).toEqual([])
  })

  it('shows each recipient what he may see himself, whatever its owner may, and is named by the day it tells of', async () => {
    const territory = await demo.database.first<{ id: number; operating_unit_id: number }>(sql`
      select t.id, c.operating_unit_id from territory t join customer c on c.territory_id = t.id join invoice i on i.customer_id = c.id where i.remaining > 0 order by t.id limit 1`)
    await demo.database.run(sql`update app_user set territory_scope = true where id = ${ids.analyst}`)
    await demo.database.run(sql`delete from user_territory where user_id = ${ids.analyst}`)
    await demo.database.run(sql`insert into user_territory (user_id, territory_id, operating_unit_id) values (${ids.analyst}, ${territory?.id}, ${territory?.operating_unit_id})`)
    await finance.post(path, body())
    const mails = await at('2026-11-21T00:00:30Z')
    const [analyst] = [await demo.signIn('analyst')]
    const rowsFor = async (who: string) => (await workbookIn(mails.find(({ to }) => to[0] === `${who}@arus.example`)?.source ?? '')).slice(1)
    const shownTo = async (who: Session) => (await who.get('/api/v1/report/ar-aging.report/summary', { as_of: '2026-10-31', in_books: true, group: 'customer_code', length: 5000, measures: 'remaining,overdue' })).data
    const [own, all] = [await shownTo(analyst), await shownTo(await demo.signIn('finance'))]
    expect(own.rows.length).toBeGreaterThan(0)
    expect(own.rows.length).toBeLessThan(all.rows.length)
    expect((await rowsFor('analyst')).at(-1)?.slice(1)).toEqual(own.totals[0].cells[0].values.map(Number))
    expect((await rowsFor('finance')).at(-1)?.slice(1)).toEqual(all.totals[0].cells[0].values.map(Number))
    expect([await rowsFor('analyst'), await rowsFor('finance')].map((rows) => rows.length)).toEqual([own.rows.length + 1, all.rows.length + 1])
    expect(fileNameIn(mails[0]?.source ?? '')).toMatch(/ 2026-10-31\.xlsx$/)
    await demo.database.run(sql`delete from user_territory where user_id = ${ids.analyst}`)
    await demo.database.run(sql`update app_user set territory_scope = false where id = ${ids.analyst}`)
    finance = await demo.signIn('finance')
  })

  it('is not sent to, nor offered for, anybody who may not see what it is made of, whatever else he may open', async () => {
    const { record } = (await finance.post(path, body())).data
    const guard = metadata.datasets[metadata.screens['ar-aging.report']?.kind === 'report' ? metadata.screens['ar-aging.report'].dataset : '']?.guard ?? ''
    const role = (await demo.database.first<{ role_id: number }>(sql`select role_id from app_user where id = ${ids.analyst}`))?.role_id ?? 0
    const menus = await demo.database.rows<{ menu_id: number }>(sql`update role_menu rm set can_view = false from menu m where m.id = rm.menu_id and rm.role_id = ${role} and m.url = '/report/ar-aging' returning rm.menu_id`)
    expect(menus).toHaveLength(1)
    const { name: analyst } = (await demo.database.first<{ name: string }>(sql`select name from app_user where id = ${ids.analyst}`)) ?? {}
    // Whoever is left out, and the owner, hear of it, the first time alone.
    const first = await at('2026-11-21T00:00:30Z')
    expect(first.map(({ to, source }) => [to[0], source.includes('attachment')]).toSorted()).toEqual([['analyst@arus.example', false], ['finance@arus.example', true]])
    expect(await told()).toEqual([expect.objectContaining({ title: 'notification.report-left-out', params: { name: 'Aging for Monday', people: analyst } }), expect.objectContaining({ title: 'notification.report-ended' })])
    const leftOut = async () => (await (await demo.signIn('finance')).get(path)).data.records[0].Recipients.filter((one: { IsLeftOut: boolean }) => one.IsLeftOut).map((one: { ID: number }) => one.ID)
    expect(await leftOut()).toEqual([ids.analyst])
    expect((await at('2026-11-21T23:59:00Z')).length).toBe(0)
    expect((await (await demo.signIn('finance')).put(`${path}/${record.ID}`, { RecipientIDs: [ids.analyst] }, { version: record.Version })).data.errors).toEqual([expect.objectContaining({ field: 'RecipientIDs', text: expect.stringContaining(analyst ?? '?') })])
    await demo.database.run(sql`update role_menu set can_view = true where role_id = ${role} and menu_id = ${menus[0]?.menu_id}`)
    await demo.database.run(sql`delete from role_permission where role_id = ${role} and guard_name = ${guard}`)
    expect((await at('2026-11-22T00:00:30Z')).map(({ to }) => to)).toEqual([['finance@arus.example']])
    const { records } = (await (await demo.signIn('finance')).get(`${path}/people`, { screen: 'ar-aging.report', search: 'analyst' })).data
    expect(records).toEqual([])
    expect(await told()).toHaveLength(2)
    await demo.database.run(sql`insert into role_permission (role_id, guard_name) values (${role}, ${guard})`)
    expect((await at('2026-11-23T00:00:30Z')).map(({ to }) => to[0]).toSorted()).toEqual(['analyst@arus.example', 'finance@arus.example'])
    expect(await leftOut()).toEqual([])
    finance = await demo.signIn('finance')
  })

  it('goes out once however many processes look, catches up once after a standstill, and is taken again from one that died', async () => {
    await finance.post(path, body({ RecipientIDs: [ids.finance] }))
    demo.moveTo('2026-11-25T00:10:00Z')
    const processes = [process(), process(), process()]
    const sent = await Promise.all(processes.map(({ rounds }) => rounds.run()))
    expect(sent.reduce((sum, n) => sum + n, 0)).toBe(1)
    expect((await at('2026-11-25T00:11:00Z')).length).toBe(1)
    await Promise.all(processes.flatMap(({ rounds, mail }) => [rounds.stop(), mail.stop()]))
    // Taken, and then silence.
    await demo.database.run(sql`update report_schedule set next_at = '2026-11-26T00:00:00Z', taken_until = '2026-11-26T00:10:00Z', attempts = 1`)
    expect(await at('2026-11-26T00:05:00Z')).toEqual([])
    expect(await at('2026-11-26T00:10:01Z')).toHaveLength(1)
  })

  it('is given up, and its owner told, when the server went down over it three times', async () => {
    await finance.post(path, body({ RecipientIDs: [ids.finance] }))
    await demo.database.run(sql`update report_schedule set next_at = '2026-11-26T00:00:00Z', taken_until = '2026-11-26T00:10:00Z', attempts = 3`)
    demo.moveTo('2026-11-26T01:00:00Z')
    expect(await process().rounds.run()).toBe(0)
    expect(await demo.database.first(sql`select last_state, attempts from report_schedule`)).toEqual({ last_state: 'FAILED', attempts: 0 })
  })

  it('is sent at once when asked, beside its times', async () => {
    const { record } = (await finance.post(path, body({ RecipientIDs: [ids.finance] }))).data
    expect((await finance.post(`${path}/${record.ID}/send`)).status).toBe(200)
    expect(await at('2026-11-20T03:00:10Z')).toHaveLength(1)
    expect((await finance.get(path)).data.records[0]).toMatchObject({ NextAt: '2026-11-21T00:00:00.000Z' })
  })

  it('fails aloud: the owner is told why, and the next time it is tried again', async () => {
    const { record } = (await finance.post(path, body({ RecipientIDs: [ids.finance] }))).data
    await demo.database.run(sql`update report_schedule set request = jsonb_set(request, '{columns,0,name}', '"gone"') where id = ${record.ID}`)
    expect(await at('2026-11-21T00:00:30Z')).toEqual([])
    expect((await finance.get(path)).data.records[0]).toMatchObject({ LastState: 'FAILED', IsActive: true, NextAt: '2026-11-22T00:00:00.000Z', Problem: { text: expect.stringContaining('gone') } })
    expect(await told()).toEqual([{ kind: 'REPORT_FAILED', title: 'notification.report-failed', params: { name: 'Aging for Monday', problem: expect.stringContaining('gone') } }])
  })

  it('stops when the owner loses the permission or the account, and says so', async () => {
    await finance.post(path, body({ RecipientIDs: [ids.admin] }))
    const role = (await demo.database.first<{ role_id: number }>(sql`select role_id from app_user where id = ${ids.finance}`))?.role_id ?? 0
    const guard = metadata.screens['ar-aging.report']?.guard.replace(/-view$/, '-export') ?? ''
    await demo.database.run(sql`delete from role_permission where role_id = ${role} and guard_name = ${guard}`)
    const ended = await at('2026-11-21T00:00:30Z')
    expect(ended.map(({ to, source }) => [to, source.includes('attachment')])).toEqual([[['admin@arus.example'], false]])
    expect(readableText(ended[0]?.source ?? '')).toMatch(/"Aging for Monday".*is no longer sent/s)
    const { name: owner } = (await demo.database.first<{ name: string }>(sql`select name from app_user where id = ${ids.finance}`)) ?? {}
    expect(await told()).toEqual([expect.objectContaining({ title: 'notification.report-stopped' }), { kind: 'REPORT_FAILED', title: 'notification.report-ended', params: { name: 'Aging for Monday', owner } }])
    expect((await finance.get(path)).data.records[0]).toMatchObject({ LastState: 'STOPPED', IsActive: false })
    expect(await at('2026-11-22T00:00:30Z')).toEqual([])
    // Without the permission it cannot be resumed either.
    const again = await demo.signIn('finance')
    const [record] = (await again.get(path)).data.records
    expect((await again.put(`${path}/${record.ID}`, { IsActive: true }, { version: record.Version })).code).toBe('FORBIDDEN_GUARD')
    await demo.database.run(sql`insert into role_permission (role_id, guard_name) values (${role}, ${guard})`)
    expect((await (await demo.signIn('finance')).put(`${path}/${record.ID}`, { IsActive: true }, { version: record.Version })).data.record).toMatchObject({ IsActive: true, Problem: null })
    await demo.database.run(sql`update app_user set is_active = false where id = ${ids.finance}`)
    expect((await at('2026-11-23T00:00:30Z')).map(({ to }) => to)).toEqual([['admin@arus.example']])
    expect(await demo.database.rows(sql`select is_active, last_state from report_schedule`)).toEqual([{ is_active: false, last_state: 'STOPPED' }])
    await demo.database.run(sql`update app_user set is_active = true where id = ${ids.finance}`)
  })

  it('tells those it went to when its owner stops or deletes it or takes them off it, once, and nobody else', async () => {
    const posted = async () => {
      const rows = await demo.database.rows<{ recipient: string; n: number }>(sql`select recipient, count(*) as n from mail where subject = 'No longer sent: Aging for Monday' group by recipient order by recipient`)
      const noticed = await demo.database.rows<{ email: string; link: string | null }>(sql`select u.email, n.link from notification n join app_user u on u.id = n.user_id where n.title = 'notification.report-ended' order by u.email, n.id`)
      expect(noticed).toEqual(rows.flatMap(({ recipient: email, n }) => Array.from({ length: n }, () => ({ email, link: '/report/ar-aging' }))))
      return rows.map(({ recipient, n }) => `${recipient} ${n}`)
    }
    const { record } = (await finance.post(path, body({ RecipientIDs: [ids.finance, ids.analyst, ids.admin] }))).data
    const { record: fewer } = (await finance.put(`${path}/${record.ID}`, { RecipientIDs: [ids.finance, ids.admin], At: '08:00' }, { version: record.Version })).data
    expect(await posted()).toEqual(['analyst@arus.example 1'])
    const { record: stopped } = (await finance.put(`${path}/${record.ID}`, { IsActive: false }, { version: fewer.Version })).data
    expect(await posted()).toEqual(['admin@arus.example 1', 'analyst@arus.example 1'])
    await finance.delete(`${path}/${record.ID}`, { version: stopped.Version })
    expect(await posted()).toEqual(['admin@arus.example 1', 'analyst@arus.example 1'])
    const { record: other } = (await finance.post(path, body())).data
    await finance.delete(`${path}/${other.ID}`, { version: other.Version })
    expect(await posted()).toEqual(['admin@arus.example 1', 'analyst@arus.example 2'])
  })

  it('on the first of a month tells of the month that ended, when it goes from the first of the month to the day before', async () => {
    const sold: ExportBody = { screen: 'zdr-bill.report', format: 'xlsx', language: 'en', hasTotals: true, columns: [{ name: 'dpp' }], sort: [], parameters: { date_from: 'now:month-start', date_to: 'now:yesterday', doc_type: 'ALL' }, summary: { rows: ['brand_name'] } }
    await finance.post(path, body({ RecipientIDs: [ids.finance], Request: sold }))
    const names = [await at('2026-11-21T00:00:30Z'), await at('2026-12-01T00:00:30Z'), await at('2026-12-02T00:00:30Z')].map(([mail]) => fileNameIn(mail?.source ?? ''))
    expect(names.map((name) => / (\S+ - \S+|\S+)\.xlsx$/.exec(name)?.[1])).toEqual(['2026-11-01 - 2026-11-20', '2026-11-01 - 2026-11-30', '2026-12-01'])
  })

  it('says in the mail that it is empty', async () => {
    await finance.post(path, body({ RecipientIDs: [ids.finance], Request: { ...request, filter: { customer_code: { eq: 'NOBODY' } } } }))
    await finance.post(path, body({ RecipientIDs: [ids.finance], Name: 'All of it' }))
    const texts = (await at('2026-11-21T00:00:30Z')).map(({ source }) => `${/^Subject: (.*)$/m.exec(source)?.[1]?.trim()} ${readableText(source).includes('no rows')}`)
    expect(texts.toSorted()).toEqual(['Report: Aging for Monday (no rows) true', 'Report: All of it false'])
  })

  it('leaves out recipients who may no longer see it, and fails when none is left', async () => {
    await finance.post(path, body())
    await demo.database.run(sql`update app_user set is_active = false where id = ${ids.analyst}`)
    expect((await at('2026-11-21T00:00:30Z')).map(({ to }) => to)).toEqual([['finance@arus.example']])
    await demo.database.run(sql`update app_user set is_active = true where id = ${ids.analyst}`)
    await demo.database.run(sql`delete from report_schedule_recipient where user_id = ${ids.finance}`)
    await demo.database.run(sql`update app_user set is_active = false where id = ${ids.analyst}`)
    expect(await at('2026-11-22T00:00:30Z')).toEqual([])
    expect((await told()).map(({ title }) => title)).toEqual(['notification.report-left-out', 'notification.report-failed'])
    await demo.database.run(sql`update app_user set is_active = true where id = ${ids.analyst}`)
  })

  it('is its owner’s alone, checked word by word, and changed only in its present version', async () => {
    const { record } = (await finance.post(path, body())).data
    expect((await sales.get(path)).data.records).toEqual([])
    expect((await sales.delete(`${path}/${record.ID}`, { version: record.Version })).code).toBe('NOT_FOUND')
    expect((await sales.post(path, body())).code).toBe('FORBIDDEN_GUARD')
    const wrong = await finance.post(path, body({ Every: 'YEAR', Weekdays: [8], At: '7', Zone: 'Mars/Olympus', Extra: 1 }))
    expect(wrong.data.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual(['At', 'Every', 'Extra', 'Weekdays', 'Zone'])
    expect((await finance.post(path, body({ Every: 'WEEK' }))).data.errors).toEqual([expect.objectContaining({ field: 'Weekdays' })])
    expect((await finance.post(path, body({ RecipientIDs: [ids.warehouse] }))).data.errors).toEqual([expect.objectContaining({ field: 'RecipientIDs' })])
    expect((await finance.post(path, body({ Request: { ...request, parameters: { as_of: 'now:someday' } } }))).data.errors).toEqual([expect.objectContaining({ field: 'as_of' })])
    expect((await finance.put(`${path}/${record.ID}`, { At: '08:00' }, { version: record.Version + 1 })).code).toBe('VERSION_CONFLICT')
    expect((await finance.put(`${path}/${record.ID}`, { At: '08:00' }, { version: record.Version })).data.record).toMatchObject({ At: '08:00', NextAt: '2026-11-21T01:00:00.000Z', Version: record.Version + 1 })
    expect((await finance.delete(`${path}/${record.ID}`, { version: record.Version + 1 })).status).toBe(200)
  })

  it('offers as recipients only those whose role may open the report', async () => {
    const { records } = (await finance.get(`${path}/people`, { screen: 'ar-aging.report', search: '' })).data
    const found: readonly number[] = records.map(({ ID }: { ID: number }) => ID)
    expect(found[0]).toBe(ids.finance)
    expect(found).not.toContain(ids.warehouse)
    expect((await sales.get(`${path}/people`, { screen: 'ar-aging.report' })).code).toBe('FORBIDDEN_GUARD')
  })
})
