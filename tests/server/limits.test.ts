import fs from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { trusted } from '#server/db/sql.ts'
import { Capacity } from '#server/http/admission.ts'
import { testApp, type Session, type TestApp } from '../support/app.ts'
import { password, testDay } from '../support/company.ts'
import { plainRegistries } from '../support/registries.ts'
import { pixel, upload } from '../support/upload.ts'

let arus: TestApp
let admin: Session
let free = Number.POSITIVE_INFINITY
let moment = 0
const capacity = { all: new Capacity(() => moment), changes: new Capacity(() => moment) }

beforeAll(async () => {
  arus = await testApp({ registries: plainRegistries(), server: { freeBytes: () => Promise.resolve(free), capacity } })
  admin = await arus.signIn('admin')
})

describe('a disk that is full', () => {
  beforeEach(() => arus.moveTo(testDay))
  afterEach(() => vi.restoreAllMocks())

  const full = { status: 507, code: 'STORAGE_FULL', message: 'The disk of the server is full; nothing was saved. Tell your administrator.' }
  const health = () => arus.anonymous.get('/api/v1/health')

  it('is said in a plain sentence when the database finds no room, and the server is not ready for a while', async () => {
    await arus.database.run(trusted(`create function find_no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`))
    await arus.database.run(trusted('create trigger find_no_room before insert on brand for each row execute function find_no_room()'))
    expect((await health()).status).toBe(200)
    const lines = arus.log.length
    expect(await admin.post('/api/v1/data/brand', { Code: 'FULL', Name: 'Full' }, { key: 'key-of-full-1' })).toMatchObject(full)
    expect(arus.log.slice(lines)).toEqual([])
    expect(await health()).toMatchObject(full)
    await arus.database.run(trusted('drop trigger find_no_room on brand'))
    arus.moveTo(new Date(Date.parse(testDay) + 31_000).toISOString())
    expect((await health()).status).toBe(200)
    expect((await admin.post('/api/v1/data/brand', { Code: 'FULL', Name: 'Full' }, { key: 'key-of-full-1' })).status).toBe(200)
  })

  it('is said when a file finds none, which leaves nothing behind', async () => {
    const { createWriteStream } = fs
    vi.spyOn(fs, 'createWriteStream').mockImplementation(() => createWriteStream('/dev/full'))
    const { status, code, message } = await upload(arus.app, admin.token, '/api/v1/general/upload?resource=company&field=logo_id', { name: 'logo.png', bytes: pixel })
    expect({ status, code, message }).toEqual(full)
    expect(await health()).toMatchObject(full)
  })

  it.runIf(process.env['TEST_DATABASE'] !== 'postgres')('stops nothing half way: with little room left nothing is begun, while reading and signing in go on', async () => {
    arus.moveTo(new Date(Date.parse(testDay) + 60_000).toISOString())
    free = 1024
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(await admin.post('/api/v1/data/brand', { Code: 'LATE', Name: 'Late' }, { key: 'key-of-late-1' })).toMatchObject(full)
    expect(await health()).toMatchObject(full)
    expect((await admin.get('/api/v1/data/brand')).status).toBe(200)
    expect((await arus.anonymous.post('/api/v1/login', { email: 'sales@arus.example', password, user_agent: '' })).status).toBe(200)
    free = Number.POSITIVE_INFINITY
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await admin.post('/api/v1/data/brand', { Code: 'LATE', Name: 'Late' }, { key: 'key-of-late-1' })).status).toBe(200)
  })
})

describe('more callers than can be served', () => {
  beforeEach(() => arus.moveTo(new Date(Date.parse(testDay) + 120_000).toISOString()))

  it('are told at once, with when to come back; signing in and health stay free, and nothing is half done', async () => {
    const brands = async (): Promise<number> => Number((await arus.database.first(trusted('select count(*) as n from brand')))?.['n'])
    const before = await brands()
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => admin.post('/api/v1/data/brand', { Code: `CROWD${i}`, Name: `Crowd ${i}` }, { key: `key-of-crowd-${i}` })))
    const served = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 503)
    expect(served.length).toBe(120)
    expect(served.length + refused.length).toBe(300)
    for (const answer of refused) expect(answer).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'The server has more to do than it can. Try again in a moment.', headers: { 'retry-after': '2' } })
    expect(await brands()).toBe(before + served.length)
    // Sent again under its key each is made once.
    for (const [i, { status }] of answers.entries()) if (status === 503 && i % 20 === 0) expect((await admin.post('/api/v1/data/brand', { Code: `CROWD${i}`, Name: `Crowd ${i}` }, { key: `key-of-crowd-${i}` })).status).toBe(200)
  })

  it('leaves the door open while the house is full', async () => {
    const inside = Array.from({ length: 120 }, () => capacity.all.enter())
    expect(inside).not.toContain(false)
    expect((await admin.get('/api/v1/data/brand')).status).toBe(503)
    expect((await arus.anonymous.get('/api/v1/health')).status).toBe(200)
    expect((await arus.anonymous.post('/api/v1/login', { email: 'sales@arus.example', password, user_agent: '' })).status).toBe(200)
    for (let i = 0; i < 120; i++) capacity.all.leave()
    expect((await admin.get('/api/v1/data/brand')).status).toBe(200)
  })

  it('that all want to change something leave room for those who read', async () => {
    const inside = Array.from({ length: 120 }, () => capacity.changes.enter())
    expect(inside).not.toContain(false)
    expect((await admin.post('/api/v1/data/brand', { Code: 'CROWDED', Name: 'Crowded' }, { key: 'key-of-crowded-1' })).status).toBe(503)
    expect((await admin.get('/api/v1/data/brand')).status).toBe(200)
    for (let i = 0; i < 120; i++) capacity.changes.leave()
    expect((await admin.post('/api/v1/data/brand', { Code: 'CROWDED', Name: 'Crowded' }, { key: 'key-of-crowded-1' })).status).toBe(200)
  })

  it('are as many as the server has shown to answer while it was busy, and never fewer than a few', () => {
    let now = 0
    const one = new Capacity(() => now)
    const room = (): number => {
      let count = 0
      while (one.enter()) count += 1
      for (let i = 0; i < count; i++) one.leave()
      return count
    }
    /** For so many seconds twenty are under way and so many are answered. */
    const work = (seconds: number, each: number): void => {
      for (let i = 0; i < 20; i++) one.enter()
      for (let s = 0; s < seconds; s++) {
        now += 1_000
        for (let i = 0; i < each; i++) {
          one.leave()
          one.enter()
        }
      }
      for (let i = 0; i < 20; i++) one.leave()
      now += 1_000
    }
    expect(room()).toBe(120)
    work(30, 300)
    const fast = room()
    expect(fast).toBeGreaterThan(500)
    expect(fast).toBeLessThan(620)
    // An idle hour says nothing of what it can do.
    now += 3_600_000
    expect(room()).toBe(fast)
    work(60, 3)
    expect(room()).toBe(32)
  })
})
