import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/context.ts'
import { systemClock } from '#server/clock.ts'
import { writeLog } from '#server/documents/audit.ts'
import { sql } from '#server/db/sql.ts'
import { installReference } from '#server/seed/reference.ts'
import { testDatabase } from '../support/database.ts'

let database: Database
beforeEach(async () => {
  database = await testDatabase()
  await installReference(database, systemClock)
})

const restart = () => installReference(database, systemClock)
const group = async (): Promise<readonly string[]> =>
  (await database.rows<{ name: string }>(sql`select name from menu where parent_id = (select id from menu where url is null and name = 'Master data') order by sort_order, id`)).map(({ name }) => name)
/** As if these had not been shipped yet: those that were take the places from 0 on. */
const without = async (...names: readonly string[]) => {
  await database.run(sql`delete from role_menu where menu_id in (select id from menu where url is not null and name = any(${[...names]}))`)
  await database.run(sql`delete from menu where url is not null and name = any(${[...names]})`)
  const rest = await database.rows<{ id: number }>(sql`select id from menu where parent_id = (select id from menu where url is null and name = 'Master data') order by sort_order, id`)
  for (const [place, { id }] of rest.entries()) await database.run(sql`update menu set sort_order = ${place} where id = ${id}`)
}

describe('menu entries of a new version', () => {
  it('stand where the shipped menu has them, where nobody has ordered the group', async () => {
    const shipped = await group()
    const [first = '', , third = '', fourth = ''] = shipped
    await without(first, third, fourth)
    await restart()
    expect(await group()).toEqual(shipped)
    // Places an earlier version gave by number alone, so that old and new stand among one another.
    await database.run(sql`update menu set sort_order = 0 where name = ${fourth} and url is not null`)
    await restart()
    expect(await group()).toEqual(shipped)
  })

  it('stand behind the entry they are shipped behind, wherever an administrator has moved it; nothing else moves', async () => {
    const shipped = await group()
    const [first = '', second = '', third = ''] = shipped
    await without(first, third)
    const rest = shipped.filter((name) => name !== first && name !== third)
    const own = [...rest.slice(1), second]
    for (const [place, name] of own.entries()) {
      const row = await database.first<{ id: number }>(sql`update menu set sort_order = ${place} where name = ${name} and url is not null and parent_id = (select id from menu where url is null and name = 'Master data') returning id`)
      await database.transaction((tx) => writeLog(tx, { docType: 'menu', docId: row?.id ?? 0, at: '2026-11-20T03:00:00.000Z', actorId: null, action: 'edit', diff: [{ field: 'sort_order', from: null, to: place }] }))
    }
    await restart()
    expect(await group()).toEqual([...rest.slice(1), first, second, third])
    await restart()
    expect(await group()).toEqual([...rest.slice(1), first, second, third])
  })
})
