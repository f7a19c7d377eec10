import type { WireRecord } from '#api/envelope.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { insertRows } from '#server/db/insertRows.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHookTable, Saving } from '#server/documents/hooks.ts'
import { isId } from '#server/documents/parseValue.ts'
import { wrong } from '#server/problemError.ts'
import { checkGiven, checkRole, requireRoleWithin, requireUserWithin } from './giving.ts'
import { rememberPassword } from './passwordHistory.ts'
import { hashPassword, knownOf, passwordProblem } from './passwords.ts'
import { replaceGuards, replaceMenus } from './roles.ts'
import { endOtherSessions } from './sessions.ts'

/** What saving users, roles and settings adds to the generic saving. */
export const accessHooks: DocumentHookTable = {
  app_user: {
    computed: ['is_show_tos', 'tos_agreed_at', 'password_change_date', 'failed_login_count', 'locked_until'],
    extraKeys: ['Password', 'TerritoryIDs', 'IsLocked'],
    beforeSave: beforeUser,
    beforeDelete: requireUserWithin,
    async afterSave(saving, { id }) {
      if (Array.isArray(saving.extra['TerritoryIDs'])) await replaceTerritories(saving, id, saving.extra['TerritoryIDs'].filter(isId))
      if (saving.before && (saving.header['is_active'] === false || saving.header['password_hash'] !== undefined)) await endOtherSessions(saving.context.tx, saving.context.now, id, undefined, 'ADMIN')
    },
    belongings: {
      user_territory: 'user_id', user_session: 'user_id', starred_page: 'user_id', saved_view: 'owner_id', notification: 'user_id', password_reset: 'user_id', password_history: 'user_id', tos_agreement: 'user_id',
    },
    async afterRead(queries: Queries, _user: User, record: WireRecord): Promise<WireRecord> {
      const rows = await queries.rows<{ id: number; code: string; name: string }>(sql`
        select t.id, t.code, t.name from user_territory ut join territory t on t.id = ut.territory_id where ut.user_id = ${record.ID} order by t.code`)
      return {
        ...record,
        TerritoryIDs: rows.map((row) => row.id),
        Territories: rows.map((row) => ({ ID: row.id, TerritoryID: row.id, TerritoryCode: row.code, TerritoryName: row.name })),
      }
    },
  },
  role: {
    computed: ['is_system'],
    extraKeys: ['GuardNames', 'MenuIDs'],
    beforeSave: checkRole,
    async afterSave(saving, { id }) {
      const { GuardNames: guards, MenuIDs: menus } = saving.extra
      if (guards !== undefined) {
        const { taken, given } = await replaceGuards(saving.context.tx, id, guards)
        saving.changed('guard_names', taken, given)
      }
      if (menus !== undefined) {
        const { taken, given } = await replaceMenus(saving.context.tx, id, menus)
        saving.changed('menu_ids', taken, given)
      }
    },
    async afterRead(queries: Queries, _user: User, record: WireRecord): Promise<WireRecord> {
      const guards = await queries.rows<{ guard_name: string }>(sql`select guard_name from role_permission where role_id = ${record.ID} order by guard_name collate "C"`)
      const menus = await queries.rows<{ menu_id: number }>(sql`select menu_id from role_menu where role_id = ${record.ID} and can_view order by menu_id`)
      return { ...record, GuardNames: guards.map((row) => row.guard_name), MenuIDs: menus.map((row) => row.menu_id) }
    },
    belongings: { role_permission: 'role_id', role_menu: 'role_id' },
    async beforeDelete(context, record) {
      await requireRoleWithin(context, record)
      await context.tx.run(sql`update saved_view set role_id = null, is_default = false where role_id = ${record.id}`)
    },
  },
  starred_page: {
    writable: true,
    computed: ['user_id'],
    async beforeSave(saving) {
      saving.header['user_id'] = saving.context.user.id
    },
  },
}

async function beforeUser(saving: Saving): Promise<void> {
  const { header, extra, before } = saving
  await checkGiven(saving)
  if (typeof header['email'] === 'string') header['email'] = header['email'].trim().toLowerCase()
  const number = header['work_number']
  if (typeof number === 'string' && number !== before?.['work_number']) {
    const employee = await saving.context.tx.first(sql`select 1 from employee where work_number = ${number} and is_active`)
    // Whoever asks has the number to himself until he is done: an employee is one user.
    const other = await saving.context.tx.exclusive(`work number ${number}`, () =>
      saving.context.tx.first<{ email: string }>(sql`select email from app_user where work_number = ${number} and id <> ${before?.id ?? 0}`))
    if (!employee) saving.problem(wrong('WorkNumber', 'NOT_A_CHOICE.work-number'))
    else if (other) saving.problem(wrong('WorkNumber', 'DUPLICATE.work-number', { user: other.email }))
  }
  const password = extra['Password']
  if (password === undefined || password === null || password === '') {
    if (!before) saving.problem(wrong('Password', 'REQUIRED.first-password'))
  } else if (typeof password !== 'string') {
    saving.problem(wrong('Password', 'WRONG_TYPE.text'))
  } else {
    const { email, name } = { ...before, ...header }
    const problem = passwordProblem(password, await knownOf(saving.context.tx, { email: String(email), name: String(name) }))
    if (problem !== undefined) saving.problem(wrong('Password', problem))
    // A password somebody else has set counts as never changed: its owner is asked for his own.
    else {
      if (before) await rememberPassword(saving.context.tx, before.id, saving.context.now)
      Object.assign(header, { password_hash: await hashPassword(password), password_change_date: null, failed_login_count: 0, locked_until: null })
    }
  }
  if (extra['IsLocked'] === false) Object.assign(header, { failed_login_count: 0, locked_until: null })
  if (!before) header['is_show_tos'] = true
  const territories = extra['TerritoryIDs']
  if (territories === undefined) {
    // Whoever is limited to territories and has none would see nothing at all.
    if (header['territory_scope'] === true && before?.['territory_scope'] !== true && !(await hasTerritories(saving.context.tx, before?.id))) saving.problem(wrong('TerritoryIDs', 'REQUIRED.territories'))
    return
  }
  if (!Array.isArray(territories) || !territories.every(isId)) {
    saving.problem(wrong('TerritoryIDs', 'WRONG_TYPE.territories'))
    return
  }
  const known = await saving.context.tx.rows<{ id: number }>(sql`select id from territory where id = any(${territories}::bigint[])`)
  if (known.length !== new Set(territories).size) saving.problem(wrong('TerritoryIDs', 'NOT_IN_SCOPE.territories'))
  if (territories.length === 0 && (header['territory_scope'] ?? before?.['territory_scope']) === true) saving.problem(wrong('TerritoryIDs', 'REQUIRED.territories'))
}

async function hasTerritories(queries: Queries, userId: number | undefined): Promise<boolean> {
  return userId !== undefined && (await queries.first(sql`select 1 from user_territory where user_id = ${userId} limit 1`)) !== undefined
}

async function replaceTerritories({ context: { tx }, changed }: Saving, userId: number, ids: readonly number[]): Promise<void> {
  const before = await tx.rows<{ id: number; code: string }>(sql`select t.id, t.code from user_territory ut join territory t on t.id = ut.territory_id where ut.user_id = ${userId} order by t.code`)
  await tx.run(sql`delete from user_territory where user_id = ${userId}`)
  const territories = await tx.rows<{ id: number; code: string; operating_unit_id: number }>(sql`select id, code, operating_unit_id from territory where id = any(${[...ids]}::bigint[]) order by code`)
  const rows: Row[] = territories.map((territory, i) => ({ user_id: userId, territory_id: territory.id, operating_unit_id: territory.operating_unit_id, is_default: i === 0 }))
  await insertRows(tx, 'user_territory', rows)
  changed('territory_ids', before.filter(({ id }) => !ids.includes(id)).map(({ code }) => code), territories.filter(({ id }) => !before.some((one) => one.id === id)).map(({ code }) => code))
}
