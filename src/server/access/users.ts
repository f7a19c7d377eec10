import type { Queries, Row, User } from '#server/context.ts'
import { sql, trusted, type Sql } from '#server/db/sql.ts'
import { menuKey } from './reach.ts'

interface AccessRow extends Row {
  readonly guards: readonly string[]
  readonly menu: readonly { readonly parent: string; readonly url: string }[]
}

interface UserRow extends AccessRow, ScopeRow {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role_id: number
  readonly role_code: string
}

export interface ScopeRow extends Row {
  readonly is_scoped: boolean
  readonly operating_unit_id: number | null
  readonly territories: readonly number[]
  readonly units: readonly number[]
}

/** Of users `alias`: those who come in at all. Whose role was taken off could sign in and do nothing. */
export function maySignIn(alias: string): Sql {
  const user = trusted(alias)
  return sql`${user}.is_active and exists (select 1 from role o where o.id = ${user}.role_id and o.is_active)`
}

/** The active user with his guards, menu and scope, or undefined. */
export async function loadUser(queries: Queries, id: number): Promise<User | undefined> {
  const row = await queries.first<UserRow>(sql`
    select u.id, u.name, u.email, u.role_id, r.code as role_code,
      ${accessOfRole}, ${scopeColumns}
    from app_user u join role r on r.id = u.role_id
    where u.id = ${id} and u.is_active and r.is_active`)
  if (!row) return undefined
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    roleId: row.role_id,
    roleCode: row.role_code,
    ...accessOf(row),
    ...scopeOf(row),
  }
}

/** What bounds the user `u`, for `scopeOf`. */
export const scopeColumns = sql`
      u.territory_scope as is_scoped, u.operating_unit_id,
      array(select territory_id from user_territory where user_id = u.id) as territories,
      array(select distinct operating_unit_id from user_territory where user_id = u.id) as units`

export function scopeOf(row: ScopeRow): Pick<User, 'territories' | 'operatingUnits'> {
  if (!row.is_scoped) return { territories: 'all', operatingUnits: 'all' }
  return { territories: row.territories, operatingUnits: row.operating_unit_id === null ? row.units : [...new Set([...row.units, row.operating_unit_id])] }
}

/** Guards and menu of some roles, for questions about users who are not the one asking. */
export async function accessOfRoles(queries: Queries, roleIds: readonly number[]): Promise<ReadonlyMap<number, Pick<User, 'guards' | 'menu'>>> {
  const rows = await queries.rows<AccessRow & { role_id: number }>(sql`select u.role_id, ${accessOfRole} from unnest(${[...new Set(roleIds)]}::bigint[]) as u(role_id)`)
  return new Map(rows.map((row) => [row.role_id, accessOf(row)]))
}

/** Columns `guards` and `menu` of the role `u.role_id`. */
const accessOfRole = sql`
      array(select guard_name from role_permission where role_id = u.role_id) as guards,
      (select coalesce(jsonb_agg(jsonb_build_object('parent', p.name, 'url', m.url)), '[]'::jsonb) from role_menu rm join menu m on m.id = rm.menu_id
        join menu p on p.id = m.parent_id where rm.role_id = u.role_id and rm.can_view and m.is_active and p.is_active) as menu`

function accessOf({ guards, menu }: AccessRow): Pick<User, 'guards' | 'menu'> {
  return { guards: new Set(guards), menu: new Set(menu.map(({ parent, url }) => menuKey(parent, url))) }
}
