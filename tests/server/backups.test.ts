import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { clockOf } from '#server/clock.ts'
import { Backups } from '#server/backups.ts'
import { openDatabase } from '#server/db/database.ts'
import { sql, trusted } from '#server/db/sql.ts'
import { putBareDatabase, testFolder } from '../support/database.ts'

const root = testFolder()
const count = sql`select (select count(*)::int from a) as a, (select count(*)::int from b) as b`

/** A database of two tables that each transaction writes to both of, and its backups; `day` is what the clock says. */
async function stage(name: string, keep = 2) {
  const folder = path.join(root, name)
  const lines: string[] = []
  const time = { day: '2026-11-24' }
  const directory = path.join(folder, 'data/pgdata')
  await putBareDatabase(directory)
  const database = await openDatabase({ kind: 'embedded', directory })
  await database.run(trusted('create table a (n int); create table b (n int)'))
  const both = (n: number): Promise<unknown> => database.transaction(async (tx) => {
    await tx.run(sql`insert into a values (${n})`)
    await tx.run(sql`insert into b values (${n})`)
  })
  const files = path.join(folder, 'data/files')
  const options = { database, clock: clockOf(() => new Date(`${time.day}T03:00:00+07:00`)), log: (line: string) => void lines.push(line), folder: path.join(folder, 'backups'), files, keep }
  return { database, both, files, lines, time, folder: options.folder, options, backups: new Backups(options) }
}

it('a day is copied once, while people work, between two transactions; the copy opens as a data folder of its own', async () => {
  const { database, both, files, folder, backups } = await stage('working')
  fs.mkdirSync(path.join(files, 'ab'), { recursive: true })
  fs.mkdirSync(path.join(files, 'incoming'))
  fs.writeFileSync(path.join(files, 'ab/abc'), 'attached')
  fs.writeFileSync(path.join(files, 'incoming/half'), 'on its way')
  expect(backups.last()).toBeNull()
  const work = { isOver: false, written: 0 }
  const working = (async () => {
    for (; !work.isOver || work.written < 50; work.written++) await both(work.written)
  })()
  await expect.poll(() => work.written).toBeGreaterThan(20)
  expect(await backups.run()).toBe(true)
  work.isOver = true
  await working
  expect(backups.last()).toBe('2026-11-24')
  expect(await backups.run()).toBe(false)
  expect(fs.readdirSync(folder)).toEqual(['arus-2026-11-24'])
  // Who went on meanwhile lost nothing.
  expect(await database.first(count)).toEqual({ a: work.written, b: work.written })
  await database.close()

  const copy = path.join(folder, 'arus-2026-11-24')
  expect(fs.readFileSync(path.join(copy, 'files/ab/abc'), 'utf8')).toBe('attached')
  expect(fs.existsSync(path.join(copy, 'files/incoming'))).toBe(false)
  const restored = await openDatabase({ kind: 'embedded', directory: path.join(copy, 'pgdata') })
  const rows = await restored.rows<{ a: number; b: number }>(count)
  expect(rows[0]?.a).toBeGreaterThan(20)
  expect(rows[0]?.b).toBe(rows[0]?.a)
  // Every one of them up to the moment of the copy, none skipped.
  expect(await restored.first(sql`select max(n)::int + 1 as n from a`)).toEqual({ n: rows[0]?.a })
  await restored.run(sql`insert into a values (-1)`)
  await restored.close()
})

it('keeps the last days, begins anew what a crash left half done, and says so when there is none', async () => {
  const { database, lines, time, folder, backups, options } = await stage('days')
  for (const day of ['2026-11-20', '2026-11-24']) fs.mkdirSync(path.join(folder, `arus-${day}.part/pgdata`), { recursive: true })
  fs.mkdirSync(path.join(folder, 'arus-other'))
  for (time.day of ['2026-11-24', '2026-11-25', '2026-11-26']) expect(await backups.run()).toBe(true)
  expect(fs.readdirSync(folder).toSorted()).toEqual(['arus-2026-11-25', 'arus-2026-11-26', 'arus-other'])
  // A disk that is full: it is not kept full by a copy nobody can use.
  time.day = '2026-11-27'
  const full = { ...database, copyTo: (to: string) => fs.promises.mkdir(to).then(() => Promise.reject(new Error('no space left'))) }
  await expect(new Backups({ ...options, database: full }).run()).rejects.toThrow('no space left')
  expect(fs.readdirSync(folder).toSorted()).toEqual(['arus-2026-11-25', 'arus-2026-11-26', 'arus-other'])
  // A disk that refuses: nobody is served worse for it, and the log says it loudly.
  fs.rmSync(folder, { recursive: true })
  fs.writeFileSync(folder, 'no folder')
  expect(backups.last()).toBeNull()
  backups.start()
  await expect.poll(() => lines.join()).toMatch(/NO BACKUP of today: ENOTDIR/)
  await backups.stop()
  expect(await database.first(count)).toEqual({ a: 0, b: 0 })
  await database.close()
})

it('waits for the transaction that is open, and what cannot be written is told to who asked for it', async () => {
  const { database } = await stage('refused')
  const target = path.join(root, 'refused/copy')
  let copied: Promise<void> | undefined
  await database.transaction(async (tx) => {
    await tx.run(sql`insert into a values (1)`)
    copied = database.copyTo?.(target)
    await tx.run(sql`insert into b values (1)`)
  })
  await copied
  const copy = await openDatabase({ kind: 'embedded', directory: target })
  const seen = await copy.first<{ a: number; b: number }>(count)
  expect(seen?.a).toBe(seen?.b)
  await copy.close()
  fs.writeFileSync(path.join(root, 'refused/file'), '')
  await expect(database.copyTo?.(path.join(root, 'refused/file/below'))).rejects.toThrow()
  expect(await database.first(count)).toEqual({ a: 1, b: 1 })
  await database.close()
})
