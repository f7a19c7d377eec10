import type { Queries, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'

interface UserRow extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly role_id: number
  readonly role_code: string
  readonly is_scoped: boolean
  readonly operating_unit_id: number | null
  readonly guards: readonly string[]
  readonly territories: readonly number[]
  readonly units: readonly number[]
}

/** The active user with his guards and scope, or undefined. */
export async function loadUser(queries: Queries, id: number): Promise<User | undefined> {
  const row = await queries.first<UserRow>(sql`
    select u.id, u.name, u.email, u.role_id, r.code as role_code, u.territory_scope as is_scoped, u.operating_unit_id,
      array(select guard_name from role_permission where role_id = u.role_id) as guards,
      array(select territory_id from user_territory where user_id = u.id) as territories,
      array(select distinct operating_unit_id from user_territory where user_id = u.id) as units
    from app_user u join role r on r.id = u.role_id
    where u.id = ${id} and u.is_active and r.is_active`)
  if (!row) return undefined
  const units = row.operating_unit_id === null ? row.units : [...new Set([...row.units, row.operating_unit_id])]
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    roleId: row.role_id,
    roleCode: row.role_code,
    guards: new Set(row.guards),
    territories: row.is_scoped ? row.territories : 'all',
    operatingUnits: row.is_scoped ? units : 'all',
  }
}
