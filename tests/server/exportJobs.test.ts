import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ExportBody, ExportJob } from '#api/export.ts'
import { sql } from '#server/db/sql.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'

let arus: TestApp
let admin: Session

beforeAll(async () => {
  arus = await testApp()
  admin = await arus.signIn('admin')
  await arus.database.run(sql`
    insert into customer (code, name, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, status, tax_name, trx_code)
    select 'M' || lpad(n::text, 5, '0'), 'Many ' || n, customer_category_id, sales_channel_id, payment_term_id, operating_unit_id, territory_id, 1, tax_name, trx_code
    from customer, generate_series(1, 9000) n where code = 'C0000001'`)
})

const body: ExportBody = {
  screen: 'customer.list', format: 'csv', language: 'en', hasTotals: false, search: 'Many', sort: [{ field: 'code', dir: 'asc' }],
  columns: ['code', 'name', 'customer_category_id', 'territory_id', 'payment_term_id', 'status'].map((name) => ({ name })),
}

async function start(session = admin): Promise<ExportJob> {
  const answer = await session.post('/api/v1/export/job', body)
  expect(answer.message).toBe('OK')
  return answer.data.record
}

async function ended(id: number, session = admin): Promise<ExportJob> {
  for (;;) {
    const job: ExportJob = (await session.get(`/api/v1/export/job/${id}`)).data.record
    if (job.State !== 'QUEUED' && job.State !== 'RUNNING') return job
    await pause(10)
  }
}

/** Every file in the store, and every one on its way there. */
function stored(): string[] {
  return fs.readdirSync(arus.filesFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

describe('an export in the background', () => {
  it('ends as a file of its owner, who is told', async () => {
    const job = await start()
    expect(job).toMatchObject({ Title: 'Customers', Format: 'csv', State: 'QUEUED', FileName: 'Customers 2026-11-20.csv', FileKey: null })
    const done = await ended(job.ID)
    expect(done).toMatchObject({ State: 'DONE', RowsTotal: 9000, RowsDone: 9000, Problem: null })
    const link: string = (await admin.post('/api/v1/general/download', { key: done.FileKey })).data
    const file = await arus.app.inject(new URL(link).pathname)
    expect(file.rawPayload.length).toBe(done.Bytes)
    const rows: string[][] = parse(file.rawPayload, { bom: true })
    expect([rows.length, rows[1]?.[0], rows.at(-1)?.[0]]).toEqual([9001, 'M00001', 'M09000'])
    const { records } = (await admin.get('/api/v1/notifications')).data
    expect(records[0]).toMatchObject({ Kind: 'EXPORT_READY', Title: 'notification.export-ready', Params: { name: 'Customers 2026-11-20.csv' } })
  })

  it('is nobody else’s, nor is its file', async () => {
    const done = await ended((await start()).ID)
    const finance = await arus.signIn('finance')
    expect((await finance.get(`/api/v1/export/job/${done.ID}`)).code).toBe('NOT_FOUND')
    expect((await finance.post(`/api/v1/export/job/${done.ID}/cancel`)).code).toBe('NOT_FOUND')
    expect((await finance.get('/api/v1/export/job')).data.records).toEqual([])
    expect((await finance.post('/api/v1/general/download', { key: done.FileKey })).code).toBe('NOT_FOUND')
  })

  it('leaves nothing behind when it is cancelled, whenever that is', async () => {
    await ended((await start()).ID)
    const before = stored()
    const states: string[] = []
    for (const delay of [0, 10, 25, 50, 75, 100]) {
      const { ID } = await start()
      await pause(delay)
      await admin.post(`/api/v1/export/job/${ID}/cancel`)
      const job = await ended(ID)
      states.push(job.State)
      expect(job.FileKey === null).toBe(job.State === 'CANCELLED')
    }
    // What was not quick enough to be stopped is there whole.
    await expect.poll(() => stored().length).toBe(before.length + states.filter((state) => state === 'DONE').length)
    expect(states).toContain('CANCELLED')
    const rows = await arus.database.rows<{ storage_key: string }>(sql`select storage_key from attachment where purpose = 'PRIVATE'`)
    expect(rows.map(({ storage_key: key }) => key).toSorted()).toEqual(stored().map((file) => path.basename(file)).toSorted())
  })

  it('is refused at once for what may not be exported', async () => {
    const credit = await arus.signIn('credit')
    expect((await credit.post('/api/v1/export/job', body)).code).toBe('FORBIDDEN_GUARD')
    expect((await admin.post('/api/v1/export/job', { ...body, columns: [{ name: 'nonsense' }] })).code).toBe('VALIDATION_FAILED')
  })

  it('waits its turn; a sixth is refused', async () => {
    const jobs = [await start(), await start(), await start()]
    for (const job of jobs) expect((await ended(job.ID)).State).toBe('DONE')
    await arus.database.run(sql`
      insert into export_job (user_id, screen, title, format, request, state, file_name, beat_at)
      select ${await arus.id('app_user', 'admin@arus.example', 'email')}, 'elsewhere', 'x', 'csv', '{}', 'RUNNING', 'x', ${arus.clock.now().toISOString()} from generate_series(1, 5)`)
    expect((await admin.post('/api/v1/export/job', body)).code).toBe('EXCEEDS_AVAILABLE')
    await arus.database.run(sql`delete from export_job where screen = 'elsewhere'`)
  })

  it('of a server that is gone fails and says so', async () => {
    const [row] = await arus.database.rows<{ id: number }>(sql`
      insert into export_job (user_id, screen, title, format, request, state, file_name, beat_at)
      values (${await arus.id('app_user', 'admin@arus.example', 'email')}, 'x', 'x', 'csv', '{}', 'RUNNING', 'x', '2026-11-20T02:58:00Z') returning id`)
    const { records } = (await admin.get('/api/v1/export/job')).data
    expect(records.find((job: ExportJob) => job.ID === row?.id)).toMatchObject({ State: 'FAILED', Problem: { key: 'problem.INTERNAL.export-restart', text: expect.stringContaining('restarted') } })
  })
})
