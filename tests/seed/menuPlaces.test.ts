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
  (await database.rows<{ name: string }>(sql`select name from menu where parent_id = (select id from menu where url is null and name = 'Products') order by sort_order, id`)).map(({ name }) => name)
/** As if these had not been shipped yet: those that were take the places from 0 on. */
const without = async (...names: readonly string[]) => {
  await database.run(sql`delete from role_menu where menu_id in (select id from menu where url is not null and name = any(${[...names]}))`)
  await database.run(sql`delete from menu where url is not null and name = any(${[...names]})`)
  const rest = await database.rows<{ id: number }>(sql`select id from menu where parent_id = (select id from menu where url is null and name = 'Products') order by sort_order, id`)
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
      const row = await database.first<{ id: number }>(sql`update menu set sort_order = ${place} where name = ${name} and url is not null and parent_id = (select id from menu where url is null and name = 'Products') returning id`)
      await database.transaction((tx) => writeLog(tx, { docType: 'menu', docId: row?.id ?? 0, at: '2026-11-20T03:00:00.000Z', actorId: null, action: 'edit', diff: [{ field: 'sort_order', from: null, to: place }] }))
    }
    await restart()
    expect(await group()).toEqual([...rest.slice(1), first, second, third])
    await restart()
    expect(await group()).toEqual([...rest.slice(1), first, second, third])
  })

  it('move to the group they are shipped in, with the roles that see them; a group without entries goes, what is switched off stays so', async () => {
    const seen = async (url: string) => (await database.rows<{ role: number }>(sql`select r.role_id as role from role_menu r join menu m on m.id = r.menu_id where m.url = ${url} order by 1`)).map(({ role }) => role)
    const [brand, combo] = ['/master/brand', '/master/combo'] as const
    const role = (await seen(brand))[0] ?? 0
    const old = await database.first<{ id: number }>(sql`insert into menu (name, url, parent_id, icon, sort_order, module, label, is_active) values ('Old group', null, null, 'file', 90, 'Old group', 'menu.Brands', true) returning id`)
    await database.run(sql`update menu set parent_id = ${old?.id ?? 0}, name = 'Old name' where url = ${brand}`)
    await database.run(sql`update menu set parent_id = ${old?.id ?? 0}, is_active = false where url = ${combo}`)
    await database.run(sql`delete from role_menu where role_id <> ${role} and menu_id = (select id from menu where url = ${brand})`)
    const shipped = ['SKU view', 'Item categories', 'Brands', 'Combos']
    await restart()
    expect((await group()).slice(0, 4)).toEqual(shipped)
    expect(await seen(brand)).toEqual([role])
    expect(await database.rows(sql`select url, is_active from menu where url = any(${[brand, combo]}) order by url`)).toEqual([{ url: brand, is_active: true }, { url: combo, is_active: false }])
    expect(await database.rows(sql`select id from menu where name = 'Old group'`)).toEqual([])
  })
})
