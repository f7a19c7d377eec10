import type { Queries, Row, User } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { likeText } from '#server/documents/conditionSql.ts'

/** Somebody to choose. */
interface Holder extends Row {
  readonly ID: number
  readonly Name: string
  readonly RoleName: string
}

const mostShown = 12

/** Active users whose role holds the permission; over `app_user u` and `role r`. */
export function holds(guard: string): Sql {
  return sql`(u.is_active and r.is_active and exists (select 1 from role_permission p where p.role_id = u.role_id and p.guard_name = ${guard}))`
}

/** Of those who fit the first few by part of a name, a role or the beginning of an address; whoever asks stands first. */
export function holdersNamed(queries: Queries, who: Sql, search: string, user: User): Promise<readonly Holder[]> {
  const pattern = likeText(search.trim().slice(0, 100))
  return queries.rows<Holder>(sql`
    select u.id as "ID", u.name as "Name", r.name as "RoleName" from app_user u join role r on r.id = u.role_id
    where ${who} and (u.name ilike ${`%${pattern}%`} or r.name ilike ${`%${pattern}%`} or u.email ilike ${`${pattern}%`})
    order by (u.id = ${user.id}) desc, (u.name ilike ${`${pattern}%`}) desc, u.name, u.id limit ${mostShown}`)
}
