import type { Queries, Row } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import { isId } from '#server/documents/parseValue.ts'
import { invalid, wrong } from '#server/problemError.ts'

/** Every permission with whether the role holds it, for the guard matrix. */
export function guardsOfRole(queries: Queries, roleId: number): Promise<Row[]> {
  return queries.rows(sql`
    select p.id as "ID", p.guard_name as "GuardName", p.module as "Module", p.source as "Source", p.description as "Description",
      exists (select 1 from role_permission r where r.role_id = ${roleId} and r.guard_name = p.guard_name) as "Held"
    from permission p order by p.module collate "C", p.guard_name collate "C"`)
}

/** Every menu entry with whether the role sees it, parents before their children. */
export function menusOfRole(queries: Queries, roleId: number): Promise<Row[]> {
  return queries.rows(sql`
    select m.id as "ID", m.name as "Name", m.label as "Label", m.url as "Url", m.icon as "Icon", m.parent_id as "ParentID", m.sort_order as "SortOrder",
      exists (select 1 from role_menu r where r.role_id = ${roleId} and r.menu_id = m.id and r.can_view) as "CanView"
    from menu m left join menu p on p.id = m.parent_id where m.is_active
    order by coalesce(p.sort_order, m.sort_order), coalesce(p.id, m.id), m.parent_id nulls first, m.sort_order, m.id`)
}

/** What a role was given and what was taken from it. */
interface SetChange {
  readonly taken: readonly string[]
  readonly given: readonly string[]
}

/** The role holds exactly these permissions. Names nobody knows are refused. */
export async function replaceGuards(tx: Queries, roleId: number, names: unknown): Promise<SetChange> {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    return invalid([wrong('GuardNames', 'WRONG_TYPE.permissions')])
  }
  const wanted = [...new Set<string>(names)]
  const known = await tx.rows<{ guard_name: string }>(sql`select guard_name from permission where guard_name = any(${wanted}::text[])`)
  if (known.length !== wanted.length) invalid([wrong('GuardNames', 'NOT_A_CHOICE.permissions')])
  const held = new Set((await tx.rows<{ guard_name: string }>(sql`select guard_name from role_permission where role_id = ${roleId} order by guard_name collate "C"`)).map((row) => row.guard_name))
  const given = wanted.filter((name) => !held.has(name))
  await tx.run(sql`delete from role_permission where role_id = ${roleId} and guard_name <> all(${wanted}::text[])`)
  await insertRows(tx, 'role_permission', given.map((name) => ({ role_id: roleId, guard_name: name })))
  return { taken: [...held].filter((name) => !wanted.includes(name)), given }
}

/** The role sees exactly these menu entries and the parents above them. */
export async function replaceMenus(tx: Queries, roleId: number, ids: unknown): Promise<SetChange> {
  if (!Array.isArray(ids) || !ids.every(isId)) return invalid([wrong('MenuIDs', 'WRONG_TYPE.menu')])
  const wanted = await tx.rows<{ id: number }>(sql`
    select id from menu where id = any(${ids}::bigint[]) union select parent_id from menu where id = any(${ids}::bigint[]) and parent_id is not null`)
  const seen = async (): Promise<readonly string[]> =>
    (await tx.rows<{ name: string }>(sql`
      select coalesce(m.url, m.name) as name from role_menu r join menu m on m.id = r.menu_id where r.role_id = ${roleId} and r.can_view order by m.sort_order, m.id`)).map((row) => row.name)
  const before = await seen()
  await tx.run(sql`delete from role_menu where role_id = ${roleId}`)
  await insertRows(tx, 'role_menu', wanted.map((row) => ({ role_id: roleId, menu_id: row.id, can_view: true })))
  const after = await seen()
  return { taken: before.filter((name) => !after.includes(name)), given: after.filter((name) => !before.includes(name)) }
}
