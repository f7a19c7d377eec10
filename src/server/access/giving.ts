import type { Queries, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'

/**
 * Nobody gives, or lays hands on, more than he has: who sees certain territories makes no user who sees others, himself included, and who may not
 * change roles gives none that may do more than his own. Users who have more are left to those who have as much: a new password would be their access.
 */
export async function checkGiven({ context: { tx, user }, before, header, extra, problem }: Saving): Promise<void> {
  const had = before && (await accessOf(tx, before.id))
  if (user.territories !== 'all') {
    const isScoped = (header['territory_scope'] ?? before?.['territory_scope']) === true
    if (had && isBeyond(user, before, had)) problem(wrong('TerritoryScope', 'NOT_IN_SCOPE.user'))
    else if (!isScoped) problem(wrong('TerritoryScope', 'NOT_IN_SCOPE.all-territories'))
    else if (listOf(extra['TerritoryIDs']).some((id) => !within(user, id))) problem(wrong('TerritoryIDs', 'NOT_IN_SCOPE.given'))
  }
  if (user.guards.has('role-edit')) return
  for (const role of new Set([before?.['role_id'], header['role_id']])) {
    if (typeof role !== 'number' || role === user.roleId || (await isCovered(tx, user, role))) continue
    problem(wrong('RoleID', 'NOT_A_CHOICE.role-above'))
    return
  }
}

function isBeyond(user: User, before: Row, territories: readonly number[]): boolean {
  return before['territory_scope'] !== true || territories.some((id) => !within(user, id))
}

function within(user: User, id: number): boolean {
  return user.territories === 'all' || user.territories.includes(id)
}

async function accessOf(tx: Queries, userId: number): Promise<readonly number[]> {
  return (await tx.rows<{ territory_id: number }>(sql`select territory_id from user_territory where user_id = ${userId}`)).map((row) => row.territory_id)
}

/** May the role do nothing that the user may not? */
async function isCovered(tx: Queries, user: User, role: number): Promise<boolean> {
  return (await tx.first(sql`select 1 from role_permission where role_id = ${role} and guard_name <> all(${[...user.guards]}::text[]) limit 1`)) === undefined
}

function listOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : []
}
