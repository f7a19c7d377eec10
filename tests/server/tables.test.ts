import { beforeAll, describe, expect, it } from 'vitest'
import { metadata } from '#generated/metadata.ts'
import { tablesOfServices } from '#meta/check/migrations.ts'
import type { Database } from '#server/context.ts'
import { readMigrations } from '#server/db/migrate.ts'
import { trusted } from '#server/db/sql.ts'
import { testDatabase } from '../support/database.ts'
import { differences, shapesOfDatabase, shapesOfEntities, type TableShape } from '../support/tableShape.ts'

let database: Database

/** Keys and checks that say more than an entity can: named in the migrations written by hand. */
const handWritten = new Set(
  readMigrations()
    .slice(1)
    .flatMap(({ text }) => [...text.matchAll(/(?:add constraint|create unique index) (\w+)/g)].map((match) => match[1] ?? '')),
)

const expected = shapesOfEntities(metadata.entities)
let actual: Record<string, TableShape>

beforeAll(async () => {
  database = await testDatabase()
  actual = await shapesOfDatabase(database, handWritten)
})

describe('the migrated database', () => {
  it('is what the entities say', () => {
    expect(differences(expected, actual, tablesOfServices)).toEqual([])
  })

  it('has a primary key on every table', () => {
    const without = Object.entries(actual).filter(([name, table]) => table.kind === 'table' && name !== 'schema_migration' && !table.unique.includes('id'))
    expect(without.map(([name]) => name)).toEqual([])
  })
})

describe('a planted difference is found', () => {
  const planted: readonly (readonly [what: string, statement: string, sentence: string])[] = [
    ['another type', 'alter table bank alter column name type varchar(20)', 'bank column name: is character varying(20) not null, not text not null'],
    ['a column more', 'alter table bank add column colour text', 'bank column colour: no entity asks for it'],
    ['a column less', 'alter table bank drop column name cascade', 'bank column name: missing'],
    ['null allowed', 'alter table bank alter column name drop not null', 'bank column name: is text, not text not null'],
    ['another default', 'alter table bank alter column is_active set default false', 'bank column is_active: is boolean not null default false, not boolean not null default true'],
    ['a key less', 'alter table bank drop constraint bank_code_key cascade', 'bank unique key code: missing'],
    ['a key more', 'create unique index planted_key on bank (name)', 'bank unique key name: no entity asks for it'],
    ['a reference less', 'alter table customer drop constraint customer_territory_id_fkey', 'customer reference territory_id: missing'],
    ['a check less', 'alter table warehouse drop constraint warehouse_kind_check', 'warehouse check kind: missing'],
    ['a check more', `alter table bank add constraint planted check (name <> 'x')`, 'bank check name: no entity asks for it'],
    ['another choice', `alter table warehouse drop constraint warehouse_kind_check, add constraint warehouse_kind_check check (kind in ('MAIN', 'MOON'))`, 'warehouse check kind: is MAIN|MOON'],
    ['a table more', 'create table planted (id bigint)', 'planted: no entity has this table'],
    ['a table less', 'alter table bank rename to bench', 'bank: missing'],
    ['a view with other columns', 'alter view billing_due rename column cost to price', 'billing_due column cost: missing'],
  ]
  it.each(planted)('%s', async (_, statement, sentence) => {
    const found = await inUndoneTransaction(statement)
    expect(found.some((line) => line.startsWith(sentence))).toBe(true)
  })
})

/** What differs while the statement holds; nothing of it remains. */
async function inUndoneTransaction(statement: string): Promise<readonly string[]> {
  let found: readonly string[] = []
  const undo = new Error('undone')
  await database
    .transaction(async (tx) => {
      await tx.run(trusted(statement))
      found = differences(expected, await shapesOfDatabase(tx, handWritten), tablesOfServices)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return found
}
