import { isUnseen } from '#base/unseen.ts'
import { readView, type SavedView, type ViewDefinition, type ViewRole } from '#api/view.ts'
import type { FieldProblem } from '#api/problems.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql, type Sql } from '#server/db/sql.ts'
import { isStorable } from '#server/documents/parseValue.ts'
import { fail, invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'

/** Who may change the views of others and say what a role sees first. */
const keeperGuard = 'saved-view-edit'

/** The user's own views and those shared with his role, of all screens or of one; whoever keeps the views of roles sees all that are shared. */
export async function viewsOf(queries: Queries, user: User, screen?: string): Promise<readonly SavedView[]> {
  const wanted = screen === undefined ? sql`true` : sql`v.screen = ${screen}`
  const rows = await queries.rows(sql`${selected} where ${visibleTo(user)} and ${wanted} order by v.screen, lower(v.name), v.id`)
  return rows.map((row) => viewOf(row, user))
}

/** Roles the user may share a view with. */
export function rolesFor(queries: Queries, user: User): Promise<ViewRole[]> {
  const own = user.guards.has(keeperGuard) ? sql`is_active` : sql`id = ${user.roleId}`
  return queries.rows<ViewRole & Row>(sql`select id as "ID", name as "Name" from role where ${own} order by name, id`)
}

export async function createView(run: CommandRun, body: Readonly<Record<string, unknown>>): Promise<SavedView> {
  const { tx, user, services } = run
  const input = readBody(services, body)
  const { Screen: screen, Name: name, Definition: definition, RoleID: roleId = null, IsDefault: isDefault = false } = input
  if (screen === undefined || name === undefined || definition === undefined) {
    return invalid((['Screen', 'Name', 'Definition'] as const).filter((key) => input[key] === undefined).map((field) => wrong(field, 'REQUIRED')))
  }
  assertMayShare(user, roleId, isDefault)
  const row = await tx.first<{ id: number }>(sql`
    insert into saved_view (screen, name, owner_id, role_id, is_default, definition, updated_at)
    values (${screen}, ${name}, ${user.id}, ${roleId}, ${isDefault}, ${JSON.stringify(definition)}::jsonb, ${run.now.toISOString()}) returning id`)
  const view = await readOne(tx, user, row?.id ?? 0)
  if (isDefault) await beOnlyDefault(tx, view)
  return view
}

/** Changes what the body names; a view of somebody else only for those who keep the views of a role. */
export async function saveView(run: CommandRun, id: number, version: number, body: Readonly<Record<string, unknown>>): Promise<SavedView> {
  const { tx, user } = run
  const before = await lockedView(tx, user, id, version)
  const input = readBody(run.services, body)
  if (input.Screen !== undefined && input.Screen !== before.Screen) invalid([wrong('Screen', 'READ_ONLY.view')])
  const roleId = input.RoleID === undefined ? before.RoleID : input.RoleID
  // What opens first for its owner alone is his to say.
  const isDefault = (input.IsDefault ?? before.IsDefault) && (roleId !== null || before.OwnerID === user.id)
  if (roleId !== before.RoleID || isDefault !== before.IsDefault) assertMayShare(user, roleId, isDefault)
  await tx.run(sql`
    update saved_view set name = ${input.Name ?? before.Name}, role_id = ${roleId}, is_default = ${isDefault},
      definition = ${JSON.stringify(input.Definition ?? before.Definition)}::jsonb, version = version + 1, updated_at = ${run.now.toISOString()}
    where id = ${id}`)
  const view = await readOne(tx, user, id)
  if (isDefault) await beOnlyDefault(tx, view)
  return view
}

export async function deleteView(run: CommandRun, id: number, version: number): Promise<void> {
  await lockedView(run.tx, run.user, id, version)
  await run.tx.run(sql`delete from saved_view where id = ${id}`)
}

const selected = sql`
  select v.id, v.version, v.screen, v.name, v.owner_id, u.name as owner_name, v.role_id, r.name as role_name, v.is_default, v.definition
  from saved_view v join app_user u on u.id = v.owner_id left join role r on r.id = v.role_id`

async function readOne(queries: Queries, user: User, id: number): Promise<SavedView> {
  const row = await queries.first(sql`${selected} where v.id = ${id}`)
  return row ? viewOf(row, user) : gone()
}

/** The view under lock, if the user may change it and has seen its present version. Views that are not shared with him do not exist for him. */
async function lockedView(tx: Queries, user: User, id: number, version: number): Promise<SavedView> {
  const seen = visibleTo(user)
  const row = await tx.first(sql`select v.id from saved_view v where v.id = ${id} and ${seen} for update`)
  if (!row) return gone()
  const view = await readOne(tx, user, id)
  if (!view.CanEdit) return fail('FORBIDDEN_GUARD.view')
  if (view.Version !== version) fail('VERSION_CONFLICT.view')
  return view
}

function visibleTo(user: User): Sql {
  if (user.guards.has(keeperGuard)) return sql`(v.owner_id = ${user.id} or v.role_id is not null)`
  return sql`(v.owner_id = ${user.id} or v.role_id = ${user.roleId})`
}

function gone(): never {
  return fail('NOT_FOUND.gone')
}

function assertMayShare(user: User, roleId: number | null, isDefault: boolean): void {
  if (roleId === null || user.guards.has(keeperGuard)) return
  if (roleId !== user.roleId) invalid([wrong('RoleID', 'NOT_IN_SCOPE.role')])
  if (isDefault) invalid([wrong('IsDefault', 'FORBIDDEN_GUARD.default-view', { guard: keeperGuard })])
}

/** One default for each owner, or each role, and screen. */
async function beOnlyDefault(tx: Queries, view: SavedView): Promise<void> {
  const others = view.RoleID === null ? sql`role_id is null and owner_id = ${view.OwnerID}` : sql`role_id = ${view.RoleID}`
  await tx.run(sql`update saved_view set is_default = false, version = version + 1 where screen = ${view.Screen} and is_default and id <> ${view.ID} and ${others}`)
}

interface Input {
  readonly Screen?: string
  readonly Name?: string
  readonly RoleID?: number | null
  readonly IsDefault?: boolean
  readonly Definition?: ViewDefinition
}

const known = ['Screen', 'Name', 'RoleID', 'IsDefault', 'Definition'] as const

function readBody({ metadata }: Services, body: Readonly<Record<string, unknown>>): Input {
  const errors: FieldProblem[] = []
  for (const key of Object.keys(body)) if (!known.some((name) => name === key)) errors.push(wrong(key.slice(0, 80), 'UNKNOWN_FIELD'))
  const { Screen: screen, Name: name, RoleID: roleId, IsDefault: isDefault, Definition: definition } = body
  const kind = typeof screen === 'string' && Object.hasOwn(metadata.screens, screen) ? metadata.screens[screen]?.kind : undefined
  if (screen !== undefined && kind !== 'list' && kind !== 'report') errors.push(wrong('Screen', 'WRONG_TYPE.screen'))
  const trimmed = typeof name === 'string' ? name.trim() : ''
  if (name !== undefined && (isUnseen(trimmed) || trimmed.length > 80 || !isStorable(trimmed))) errors.push(wrong('Name', 'WRONG_TYPE.name', { limit: 80 }))
  if (roleId !== undefined && roleId !== null && !(Number.isSafeInteger(roleId) && Number(roleId) > 0)) errors.push(wrong('RoleID', 'WRONG_TYPE.id'))
  if (isDefault !== undefined && typeof isDefault !== 'boolean') errors.push(wrong('IsDefault', 'WRONG_TYPE.boolean'))
  const view = definition === undefined ? undefined : readView(definition)
  if (view?.ok === false) errors.push(wrong('Definition', 'WRONG_TYPE.view', { problem: view.problem }))
  if (errors.length > 0) return invalid(errors)
  return {
    ...(typeof screen === 'string' ? { Screen: screen } : {}),
    ...(name === undefined ? {} : { Name: trimmed }),
    ...(roleId === undefined ? {} : { RoleID: roleId === null ? null : Number(roleId) }),
    ...(typeof isDefault === 'boolean' ? { IsDefault: isDefault } : {}),
    ...(view?.ok === true ? { Definition: view.value } : {}),
  }
}

function viewOf(row: Row, user: User): SavedView {
  const definition = readView(row['definition'])
  const isOfRole = row['role_id'] === user.roleId
  const isOwn = row['owner_id'] === user.id
  return {
    ID: Number(row['id']),
    Version: Number(row['version']),
    Screen: String(row['screen']),
    Name: String(row['name']),
    OwnerID: Number(row['owner_id']),
    OwnerName: String(row['owner_name']),
    RoleID: row['role_id'] === null ? null : Number(row['role_id']),
    RoleName: row['role_name'] === null ? null : String(row['role_name']),
    IsOfRole: isOfRole,
    IsDefault: row['is_default'] === true,
    // What an older version stored and this one cannot read opens as the screen's own view.
    Definition: definition.ok ? definition.value : {},
    // What is shared is the role's: its owner changes it as long as he is of that role.
    CanEdit: row['role_id'] === null ? isOwn : (isOwn && isOfRole) || user.guards.has(keeperGuard),
  }
}
