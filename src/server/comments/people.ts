import type { Person } from '#api/comments.ts'
import type { ResolvedEntity } from '#meta/resolved.ts'
import { guardsFor, hasEntityGuard } from '#server/access/guards.ts'
import { scopeCondition } from '#server/access/scope.ts'
import { accessOfRoles } from '#server/access/users.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { ident, join, sql } from '#server/db/sql.ts'
import { likeText } from '#server/documents/conditionSql.ts'
import type { Services } from '#server/services.ts'

interface Candidate extends Row {
  readonly id: number
  readonly name: string
  readonly role_id: number
  readonly role: string
  readonly picture_key: string | null
  readonly is_scoped: boolean
  readonly territories: readonly number[]
  readonly units: readonly number[]
}

/** Whom to look for: names or roles that hold a text, or exactly these ids. */
export type Wanted = { readonly search: string } | { readonly ids: readonly number[] }

const mostCandidates = 60
const mostShown = 8

/** Active users who may see the record, and nobody else: a name that begins with the text first. */
export async function peopleWhoSee(services: Services, queries: Queries, entity: ResolvedEntity, id: number, wanted: Wanted): Promise<readonly Person[]> {
  const guards = guardsFor(services.metadata, entity, 'view')
  const pattern = 'search' in wanted ? likeText(wanted.search.trim().slice(0, 100)) : ''
  const candidates = await queries.rows<Candidate>(sql`
    select u.id, u.name, u.role_id, r.name as role, u.picture_key, u.territory_scope as is_scoped,
      array(select territory_id from user_territory where user_id = u.id) as territories,
      array(select operating_unit_id from user_territory where user_id = u.id union select u.operating_unit_id where u.operating_unit_id is not null) as units
    from app_user u join role r on r.id = u.role_id
    where u.is_active and r.is_active and ${'ids' in wanted ? sql`u.id = any(${[...wanted.ids]}::bigint[])` : sql`(u.name ilike ${`%${pattern}%`} or r.name ilike ${`%${pattern}%`})`}
      and exists (select 1 from role_permission p where p.role_id = u.role_id and p.guard_name = any(${[...guards]}::text[]))
    order by (u.name ilike ${`${pattern}%`}) desc, (u.name ilike ${`%${pattern}%`}) desc, u.name, u.id limit ${mostCandidates}`)
  const seeing = await whoSee(services, queries, entity, id, candidates)
  return candidates
    .filter((person) => seeing.has(person.id))
    .slice(0, 'ids' in wanted ? mostCandidates : mostShown)
    .map((person) => ({ ID: person.id, Name: person.name, RoleName: person.role, PictureKey: person.picture_key }))
}

/** Ids of those who have a screen for such records and in whose territories and units this one lies; one question for all of them. */
async function whoSee(services: Services, queries: Queries, entity: ResolvedEntity, id: number, candidates: readonly Candidate[]): Promise<ReadonlySet<number>> {
  const access = await accessOfRoles(queries, candidates.map((person) => person.role_id))
  const viewers = candidates.map((person) => userOf(person, access.get(person.role_id))).filter((user) => hasEntityGuard(services.metadata, user, entity, 'view'))
  if (viewers.length === 0) return new Set()
  const questions = viewers.map((person) => {
    const scope = scopeCondition(services.metadata, person, entity, 't')
    return sql`select ${person.id}::bigint as id where exists (select 1 from ${ident(entity.table)} t where t.id = ${id} ${scope ? sql`and ${scope}` : sql``})`
  })
  const rows = await queries.rows<{ id: number }>(sql`${join(questions, ' union all ')}`)
  return new Set(rows.map((row) => row.id))
}

/** As far as permissions and scope ask about a user. */
function userOf({ id, name, role_id: roleId, is_scoped: isScoped, territories, units }: Candidate, access: Pick<User, 'guards' | 'menu'> | undefined): User {
  const { guards, menu } = access ?? { guards: new Set<string>(), menu: new Set<string>() }
  return { id, name, email: '', roleId, roleCode: '', guards, menu, territories: isScoped ? territories : 'all', operatingUnits: isScoped ? units : 'all' }
}
