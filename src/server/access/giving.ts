import type { FieldProblem } from '#api/problems.ts'
import type { CommandContext, Queries, Row, User } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import type { Saving } from '#server/documents/hooks.ts'
import { invalid, wrong } from '#server/problemError.ts'
import { isAdministrator } from './administrator.ts'

/*
 * Nobody gives, or lays hands on, more than he has: who sees certain territories makes no user who sees others, himself included, and nobody but
 * administrators gives a role, or to a role, what he may not do himself. Users and roles that have more are left to those who have as much, whatever
 * is done to them: a new password would be their access, and taken off or deleted they would be out of the way.
 */

/** A user about to be made or changed. */
export async function checkGiven({ context: { tx, user }, before, header, extra, problem }: Saving): Promise<void> {
  const above = before && (await userAbove(tx, user, before))
  if (above) problem(above)
  if (user.territories !== 'all' && above?.field !== 'TerritoryScope') {
    const isScoped = (header['territory_scope'] ?? before?.['territory_scope']) === true
    if (!isScoped) problem(wrong('TerritoryScope', 'NOT_IN_SCOPE.all-territories'))
    else if (listOf(extra['TerritoryIDs']).some((id) => !within(user, id))) problem(wrong('TerritoryIDs', 'NOT_IN_SCOPE.given'))
  }
  const role = header['role_id']
  if (above?.field !== 'RoleID' && typeof role === 'number' && !(await isCovered(tx, user, role))) problem(roleAbove('RoleID'))
}

/** A user about to be deleted. */
export async function requireUserWithin({ tx, user }: CommandContext, record: Row & { readonly id: number }): Promise<void> {
  const above = await userAbove(tx, user, record)
  if (above) invalid([above])
}

/** A role about to be made or changed. */
export async function checkRole({ context: { tx, user }, before, extra, problem }: Saving): Promise<void> {
  const above = before && (await roleAboveIn(tx, user, before.id))
  if (above) problem(above)
  if (isAdministrator(user)) return
  const { GuardNames: guards, MenuIDs: menus } = extra
  if (Array.isArray(guards) && guards.some((guard) => typeof guard === 'string' && !user.guards.has(guard))) problem(wrong('GuardNames', 'NOT_IN_SCOPE.permissions-given'))
  if (listOf(menus).length > 0 && (await tx.first(sql`select 1 from unnest(${[...listOf(menus)]}::bigint[]) m(id) where not ${isInMenu(user, sql`m.id`)} limit 1`))) problem(wrong('MenuIDs', 'NOT_IN_SCOPE.menu-given'))
}

/** A role about to be deleted. */
export async function requireRoleWithin({ tx, user }: CommandContext, record: Row & { readonly id: number }): Promise<void> {
  const above = await roleAboveIn(tx, user, record.id)
  if (above) invalid([above])
}

/** Why a user is left to others. */
async function userAbove(tx: Queries, user: User, { id, territory_scope: isScoped, role_id: role }: Row & { readonly id: number }): Promise<FieldProblem | undefined> {
  if (user.territories !== 'all') {
    const territories = await tx.rows<{ territory_id: number }>(sql`select territory_id from user_territory where user_id = ${id}`)
    if (isScoped !== true || territories.some((row) => !within(user, row.territory_id))) return wrong('TerritoryScope', 'NOT_IN_SCOPE.user')
  }
  return typeof role !== 'number' || (await isCovered(tx, user, role)) ? undefined : roleAbove('RoleID')
}

/** Why a role is left to others: it may do more, or somebody has it who sees more. */
async function roleAboveIn(tx: Queries, user: User, role: number): Promise<FieldProblem | undefined> {
  if (!(await isCovered(tx, user, role))) return roleAbove('Code')
  if (user.territories === 'all') return undefined
  const wider = await tx.first(sql`
    select 1 from app_user u where u.role_id = ${role}
      and (not u.territory_scope or exists (select 1 from user_territory t where t.user_id = u.id and t.territory_id <> all(${[...user.territories]}::bigint[]))) limit 1`)
  return wider && wrong('Code', 'NOT_IN_SCOPE.role-users')
}

function roleAbove(field: string): FieldProblem {
  return wrong(field, 'NOT_A_CHOICE.role-above')
}

function within(user: User, id: number): boolean {
  return user.territories === 'all' || user.territories.includes(id)
}

/** May the role do and see nothing that the user may not? */
async function isCovered(tx: Queries, user: User, role: number): Promise<boolean> {
  if (role === user.roleId || isAdministrator(user)) return true
  return (await tx.first(sql`
    select 1 from role_permission where role_id = ${role} and guard_name <> all(${[...user.guards]}::text[])
    union all select 1 from role_menu r where r.role_id = ${role} and r.can_view and not ${isInMenu(user, sql`r.menu_id`)} limit 1`)) === undefined
}

function isInMenu(user: User, menu: Sql): Sql {
  return sql`exists (select 1 from role_menu own where own.role_id = ${user.roleId} and own.menu_id = ${menu} and own.can_view)`
}

function listOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : []
}
