import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/context.ts'
import { systemClock } from '#server/clock.ts'
import { sql } from '#server/db/sql.ts'
import { installReference } from '#server/seed/reference.ts'
import { testDatabase } from '../support/database.ts'

let database: Database

beforeEach(async () => {
  database = await testDatabase()
  await installReference(database, systemClock)
})

const holds = async (role: string, guard: string): Promise<boolean> =>
  (await database.first(sql`select 1 from role_permission p join role r on r.id = p.role_id where r.code = ${role} and p.guard_name = ${guard}`)) !== undefined
const sees = async (role: string, url: string): Promise<boolean> =>
  (await database.first(sql`select 1 from role_menu rm join role r on r.id = rm.role_id join menu m on m.id = rm.menu_id where r.code = ${role} and m.url = ${url}`)) !== undefined
const takeAway = (role: string, guard: string) => database.run(sql`delete from role_permission where guard_name = ${guard} and role_id = (select id from role where code = ${role})`)
const restart = () => installReference(database, systemClock)

describe('what shipped roles hold, at the start of a new version', () => {
  it('a permission that is new here reaches the roles it is meant for', async () => {
    await database.run(sql`delete from role_permission where guard_name = 'tolerance-view'`)
    await database.run(sql`delete from shipped_grant where guard_name = 'tolerance-view'`)
    await database.run(sql`delete from permission where guard_name = 'tolerance-view'`)
    await restart()
    expect([await holds('FIN_MGR', 'tolerance-view'), await holds('ADMIN', 'tolerance-view'), await holds('CASHIER', 'tolerance-view')]).toEqual([true, true, false])
  })

  it('a permission there has long been, given to one more role, reaches it once, with its menu entry', async () => {
    await takeAway('FIN_MGR', 'tolerance-view')
    await database.run(sql`delete from role_menu where menu_id in (select id from menu where url = '/master/tolerance') and role_id = (select id from role where code = 'FIN_MGR')`)
    await database.run(sql`delete from shipped_grant where guard_name = 'tolerance-view' and role_code = 'FIN_MGR'`)
    await restart()
    expect([await holds('FIN_MGR', 'tolerance-view'), await sees('FIN_MGR', '/master/tolerance')]).toEqual([true, true])
    await takeAway('FIN_MGR', 'tolerance-view')
    await restart()
    expect(await holds('FIN_MGR', 'tolerance-view')).toBe(false)
  })

  it('what an administrator has taken away stays taken away, permission and menu entry', async () => {
    await takeAway('BILLING', 'house-bank-view')
    await database.run(sql`delete from role_menu where menu_id in (select id from menu where url = '/master/tolerance')`)
    await restart()
    expect([await holds('BILLING', 'house-bank-view'), await sees('FIN_MGR', '/master/tolerance')]).toEqual([false, false])
  })

  it('a role an administrator has made is left alone', async () => {
    await database.run(sql`insert into role (code, name) values ('OWN', 'Own')`)
    await restart()
    expect(await database.first(sql`select count(*)::int as n from role_permission p join role r on r.id = p.role_id where r.code = 'OWN'`)).toEqual({ n: 0 })
  })
})
