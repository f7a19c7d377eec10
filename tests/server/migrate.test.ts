import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/context.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { sql } from '#server/db/sql.ts'
import { testDatabase, testFolder } from '../support/database.ts'

let database: Database
const real = readMigrations()
const newest = Math.max(...real.map((migration) => migration.number))
const next = { number: newest + 1, name: 'next', text: 'create table next_one (id int); insert into next_one values (1);', checksum: 'a' }

beforeAll(async () => {
  database = await testDatabase()
})

describe('migrating', () => {
  it('an up-to-date database does nothing', async () => {
    const lines: string[] = []
    expect(await migrate(database, real, (line) => lines.push(line))).toBe(newest)
    expect(lines).toEqual([])
  })

  it('applies what is new, once, however many start at the same time', async () => {
    expect(await Promise.all([1, 2, 3].map(() => migrate(database, [...real, next])))).toEqual([next.number, next.number, next.number])
    expect(await database.rows(sql`select id from next_one`)).toEqual([{ id: 1 }])
  })

  it('leaves nothing of one that fails', async () => {
    const broken = { number: next.number + 1, name: 'broken', text: 'create table half (id int); select 1/0;', checksum: 'b' }
    await expect(migrate(database, [...real, next, broken])).rejects.toThrow('division by zero')
    expect(await database.first(sql`select to_regclass('half') as half, (select max(number) from schema_migration) as number`)).toEqual({ half: null, number: next.number })
  })

  it('applies one that was left out before', async () => {
    const database = await testDatabase()
    const later = { number: newest + 5, name: 'later', text: 'create table later_one (id int)', checksum: 'c' }
    const between = { number: newest + 3, name: 'between', text: 'create table between_one (id int)', checksum: 'd' }
    expect(await migrate(database, [...real, later])).toBe(later.number)
    expect(await migrate(database, [...real, between, later])).toBe(later.number)
    expect(await database.first(sql`select to_regclass('between_one')::text as name`)).toEqual({ name: 'between_one' })
  })

  it('refuses a changed file and a database from the future', async () => {
    await expect(migrate(database, [...real, { ...next, checksum: 'edited' }])).rejects.toThrow('was changed after it had been applied')
    await expect(migrate(database, real)).rejects.toThrow('newer than this program')
  })
})

describe('reading migrations', () => {
  it('takes them in the order of their numbers, some of which may be missing', () => {
    const folder = testFolder()
    fs.writeFileSync(path.join(folder, '0003_three.sql'), 'select 3')
    fs.writeFileSync(path.join(folder, '0001_one.sql'), 'select 1')
    expect(readMigrations(folder).map(({ number, name }) => [number, name])).toEqual([[1, 'one'], [3, 'three']])
  })

  it('refuses a number that is there twice', () => {
    const folder = testFolder()
    fs.writeFileSync(path.join(folder, '0002_one.sql'), 'select 1')
    fs.writeFileSync(path.join(folder, '0002_other.sql'), 'select 2')
    expect(() => readMigrations(folder)).toThrow('0002_one.sql and 0002_other.sql have the same number')
  })
})
