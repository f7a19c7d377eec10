import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/context.ts'
import { forgetMarks, Remembered, RememberedTable } from '#server/db/remembered.ts'
import { sql } from '#server/db/sql.ts'
import { setting } from '#server/settings.ts'
import { testDatabase } from '../support/database.ts'

let database: Database
let loads = 0

const tolerances = new Remembered<string, string>('setup', async (tx, usages) => {
  loads++
  const rows = await tx.rows<{ usage: string; amount: string }>(sql`select usage, amount from tolerance where usage = any(${[...usages]}::text[])`)
  return new Map(rows.map((row) => [row.usage, row.amount]))
})

const read = (usage = 'AR_SHORT'): Promise<string | undefined> => database.transaction((tx) => tolerances.get(tx, usage))
const change = (amount: string): Promise<number> => database.run(sql`update tolerance set amount = ${amount} where usage = 'AR_SHORT'`)

beforeAll(async () => {
  database = await testDatabase()
  await database.run(sql`insert into tolerance (usage, amount) values ('AR_SHORT', 1)`)
})
beforeEach(() => {
  loads = 0
})

test('what is known is not asked again, nor what is known not to be there', async () => {
  expect(await read()).toBe('1.00')
  expect(await read('NONE')).toBeUndefined()
  loads = 0
  expect([await read(), await read('NONE'), await read()]).toEqual(['1.00', undefined, '1.00'])
  expect(loads).toBe(0)
})

test('a change is seen by the next transaction, whoever made it: nothing but the database tells', async () => {
  expect(await read()).toBe('1.00')
  await change('2')
  expect(await read()).toBe('2.00')
})

test('a change of another group leaves it known', async () => {
  await read()
  await database.run(sql`update item set name = name`)
  loads = 0
  await read()
  expect(loads).toBe(0)
})

test('what is undone is known to nobody, not even when it was read before', async () => {
  await change('2')
  await read()
  await database.transaction(async (tx) => {
    await tx.run(sql`update tolerance set amount = 99 where usage = 'AR_SHORT'`)
    forgetMarks(tx)
    expect(await tolerances.get(tx, 'AR_SHORT')).toBe('99.00')
    throw new Error('undone')
  }).catch((error: unknown) => expect(error).toMatchObject({ message: 'undone' }))
  expect(await read()).toBe('2.00')
  await change('3')
  expect(await read()).toBe('3.00')
})

test('a row that was not there is found once it is', async () => {
  expect(await read('AR_OVER')).toBeUndefined()
  await database.run(sql`insert into tolerance (usage, amount) values ('AR_OVER', 5)`)
  expect(await read('AR_OVER')).toBe('5.00')
})

test('no more is kept than was said', async () => {
  const few = new Remembered<number, number>('setup', async (_tx, keys) => new Map(keys.map((key) => [key, ++loads])), 2)
  const get = (key: number): Promise<number | undefined> => database.transaction((tx) => few.get(tx, key))
  for (const key of [1, 2, 3, 4]) await get(key)
  const before = loads
  await get(1)
  expect(loads).toBe(before + 1)
})

test('a table is kept whole, and settings by unit before the general one', async () => {
  const units = new RememberedTable('setup', async (tx) => (await tx.rows(sql`select id from operating_unit`)).length)
  expect(await database.transaction((tx) => units.get(tx))).toBe(0)
  await database.run(sql`insert into setting_oms (key, value) values ('backorder', '"CUT"'::jsonb)`)
  expect(await setting(database, 'backorder', 1, 'KEEP')).toBe('CUT')
  await database.run(sql`update setting_oms set value = '"BLOCK"'::jsonb where key = 'backorder'`)
  expect(await setting(database, 'backorder', null, 'KEEP')).toBe('BLOCK')
})
