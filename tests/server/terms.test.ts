import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#server/db/sql.ts'
import { noRegistries } from '../support/registries.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let arus: TestApp
let admin: Session

beforeAll(async () => {
  arus = await testApp({ registries: noRegistries })
  admin = await arus.signIn('admin')
})

const isAsked = async (session: Session) => (await session.get('/api/v1/setting/user-personal')).data.is_show_tos
const text = { title: 'Terms', body: 'Be good.' }

describe('“PUT api/v1/setting/tos | accepts the terms”', () => {
  it('clears the flag and records who agreed to which version', async () => {
    const sales = await arus.signIn('sales')
    expect(await isAsked(sales)).toBe(false)
    await arus.database.run(sql`update app_user set is_show_tos = true where email = 'sales@arus.example'`)
    expect(await isAsked(sales)).toBe(true)
    expect((await sales.put('/api/v1/setting/tos', { agree: false, version: '1' })).code).toBe('VALIDATION_FAILED')
    expect((await sales.put('/api/v1/setting/tos', { agree: true, version: '7' })).data.errors).toEqual([expect.objectContaining({ field: 'version' })])
    expect((await sales.put('/api/v1/setting/tos', { agree: true, version: '1' })).status).toBe(200)
    expect(await isAsked(sales)).toBe(false)
  })

  it('a new version of the terms asks everybody again, from the day it is in force', async () => {
    const billing = await arus.signIn('billing')
    expect((await billing.put('/api/v1/legal/terms', { version: '2', effective_from: '2026-11-22', texts: { en: text } })).code).toBe('FORBIDDEN_GUARD')
    expect((await admin.put('/api/v1/legal/terms', { version: '2', effective_from: '2026-11-22', texts: { id: text } })).data.errors).toEqual([expect.objectContaining({ field: 'texts.en' })])
    expect((await admin.put('/api/v1/legal/terms', { version: '2', effective_from: '2026-11-22', texts: { en: text } })).status).toBe(200)
    expect((await admin.put('/api/v1/legal/terms', { version: '2', effective_from: '2026-11-22', texts: { en: text } })).code).toBe('DUPLICATE_DOCUMENT')
    expect(await isAsked(billing)).toBe(false)
    arus.moveTo('2026-11-22T03:00:00Z')
    expect((await billing.get('/api/v1/setting/user-personal')).data).toMatchObject({ is_show_tos: true, tos_version: '2' })
    expect(await isAsked(admin)).toBe(true)
    // The translation that lacks falls back on English.
    expect((await arus.anonymous.get('/api/v1/legal/terms', { language: 'id' })).data).toMatchObject({ version: '2', language: 'en', ...text })
    expect((await billing.put('/api/v1/setting/tos', { agree: true, version: '2' })).status).toBe(200)
    expect(await isAsked(billing)).toBe(false)
    const agreed = await arus.database.rows(sql`select version from tos_agreement where user_id = ${await arus.id('app_user', 'billing@arus.example', 'email')} order by id`)
    expect(agreed.map((row) => row['version'])).toEqual(['1', '2'])
    arus.moveTo('2026-11-20T03:00:00Z')
  })
})

describe('pages anybody may read', () => {
  it.each(['en', 'cn', 'id'])('“The terms page cites an information security standard” (%s)', async (language) => {
    const { data } = await arus.anonymous.get('/api/v1/legal/terms', { language })
    expect(data).toMatchObject({ kind: 'TERMS', version: '1', language, effective_from: '2025-01-01' })
    expect(data.body).toContain('ISO/IEC 27001')
    expect((await arus.anonymous.get('/api/v1/legal/privacy', { language })).data).toMatchObject({ kind: 'PRIVACY', language })
    expect((await arus.anonymous.get('/api/v1/legal/other')).status).toBe(404)
  })

  it('the change log, newest first, in the language asked for', async () => {
    const { records } = (await arus.anonymous.get('/api/v1/change-log', { language: 'id' })).data
    expect(records.length).toBeGreaterThan(0)
    expect(records[0]).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), released_at: expect.any(String), kind: expect.stringMatching(/NEW|IMPROVED|FIXED/), title: expect.any(String) })
    await arus.database.run(sql`insert into change_log (version, released_at, kind, language, title) values ('0.10.0', '2027-01-01', 'NEW', 'en', 'Later')`)
    await arus.database.run(sql`insert into change_log (version, released_at, kind, language, title) values ('0.9.0', '2027-01-01', 'NEW', 'en', 'Earlier')`)
    const titles = (await arus.anonymous.get('/api/v1/change-log', { language: 'id' })).data.records.map((record: { title: string }) => record.title)
    expect(titles.slice(0, 2)).toEqual(['Later', 'Earlier'])
  })

  it('version: app version, commit, server version, migration number', async () => {
    const row = await arus.database.first<{ number: number }>(sql`select max(number) as number from schema_migration`)
    expect((await arus.anonymous.get('/api/v1/version')).data).toMatchObject({ version: 'test', commit: 'unknown', migration: row?.number, database: arus.database.engine })
  })
})
