import { expect, it } from 'vitest'
import type { Database } from '#server/context.ts'
import { systemClock } from '#server/clock.ts'
import { ident, sql } from '#server/db/sql.ts'
import { installReference } from '#server/seed/reference.ts'
import { testDatabase } from '../support/database.ts'

/** Rows of every table, by its name. */
async function counts(database: Database): Promise<Readonly<Record<string, number>>> {
  const tables = await database.rows<{ name: string }>(sql`select tablename::text as name from pg_tables where schemaname = 'public' order by tablename`)
  const found = await Promise.all(tables.map(async ({ name }) => [name, (await database.first<{ n: number }>(sql`select count(*)::int as n from ${ident(name)}`))?.n ?? 0] as const))
  return Object.fromEntries(found)
}

it('servers that start at once on an empty database install what every company needs once', async () => {
  const [alone, together] = [await testDatabase(), await testDatabase()]
  await installReference(alone, systemClock)
  await Promise.all([1, 2, 3].map(() => installReference(together, systemClock)))
  const expected = await counts(alone)
  expect(expected['accounting_period']).toBeGreaterThan(0)
  expect(await counts(together)).toEqual(expected)
})
